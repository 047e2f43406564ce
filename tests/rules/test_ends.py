"""What ends a game: E1 to E6, Q26, Q27 and the readings of `no_move`."""

from __future__ import annotations

import pytest

from boardrules.stratego.ends import REASONS
from rules.armies import at, events, line, moves
from rules.ids import rule

READINGS = ("side_to_move_loses", "mutual_draw", "either_side")


def ends(red: str, blue: str, text: str, **options: object) -> tuple[str | None, str] | None:
    """The outcome after one move of Red's."""
    return line(at(red, blue, **options), text).outcome  # type: ignore[arg-type]


@rule("E1", "Q26")
@pytest.mark.parametrize("reading", READINGS)
def test_e1_the_flag_ends_it_at_once(reading: str) -> None:
    assert ends("3 a3, F h1", "F a4, B a8", "a3-a4", no_move=reading) == ("red", "flag")


@rule("E2", "Q08", "Q26", "D15", "D16", "no_move")
@pytest.mark.parametrize("reading", READINGS)
def test_e2_who_is_to_move_and_cannot_has_lost(reading: str) -> None:
    assert ends("9 a3, F h1", "3 a4, F h8, B a8", "a3-a4", no_move=reading) == ("red", "no-move")


@rule("E2", "Q26", "D16", "no_move", "G4")
def test_e2_when_neither_side_can_move() -> None:
    pieces = ("3 a3, F h1", "3 a4, F h8")
    assert ends(*pieces, "a3-a4", no_move="side_to_move_loses") == ("red", "no-move")
    assert ends(*pieces, "a3-a4", no_move="mutual_draw") == (None, "no-move")
    assert ends(*pieces, "a3-a4", no_move="either_side") == (None, "no-move")


@rule("E2", "Q08", "D15")
def test_e2_a_walled_in_side_loses_though_it_has_pieces_that_could_move() -> None:
    # Blue's Miner on a8 is shut in by its own Bombs.
    assert ends("3 h3, F h1", "3 a8, B a7, B b8, F h8", "h3-h4") == ("red", "no-move")
    # An enemy beside it could be attacked, so it can act.
    assert ends("2 a3, F h1", "3 a8, F b8, B h8", "a3-a7") is None


@rule("E3", "D16", "no_move")
def test_e3_who_loses_his_last_mover_by_his_own_attack() -> None:
    pieces = ("3 a3, F h1", "9 a4, F h8")
    assert ends(*pieces, "a3-a4", no_move="side_to_move_loses") is None
    assert ends(*pieces, "a3-a4", no_move="mutual_draw") is None
    assert ends(*pieces, "a3-a4", no_move="either_side") == ("blue", "no-move")
    after_reply = line(at(*pieces), "a3-a4 a4-a5")
    assert after_reply.outcome == ("blue", "no-move")


@rule("E3", "Q26")
def test_e3_an_own_piece_that_can_move_later_is_enough() -> None:
    shut_in = "3 a3, 3 a1, B a2, B b1, F h1"
    assert ends(shut_in, "9 a4, F h8", "a3-a4", no_move="either_side") is None


@rule("E4", "quiet_limit", "Q27")
def test_e4_a_draw_after_so_many_turns_without_a_battle() -> None:
    pieces = ("9 a3, F h1", "3 h6, 3 b4, F h8")
    assert line(at(*pieces, quiet_limit=4), "a3-a4 h6-h5 a4-a5").outcome is None
    assert line(at(*pieces, quiet_limit=4), "a3-a4 h6-h5 a4-a5 h5-h6").outcome == (None, "quiet-limit")
    assert line(at(*pieces, quiet_limit=4), "a3-a4 h6-h5 a4-b4 h5-h6 b4-b5").outcome is None
    assert line(at(*pieces, quiet_limit=1), "a3-a4").outcome == (None, "quiet-limit")


@rule("quiet_limit", "Q27")
def test_no_limit_unless_set() -> None:
    state = at("9 a3, F h1", "3 h6, F h8")
    for _ in range(40):
        state = line(state, "a3-b3 h6-g6 b3-b4 g6-g5 b4-a4 g5-h5 a4-a3 h5-h6")
    assert state.outcome is None


@rule("E5", "Q27")
@pytest.mark.parametrize(
    ("seat", "text", "outcome"),
    [
        ("red", "resign", ("blue", "resignation")),
        ("blue", "resign", ("red", "resignation")),
        ("clock", "time red", ("blue", "time")),
        ("clock", "time blue", ("red", "time")),
    ],
)
def test_e5_resigning_and_time(seat: str, text: str, outcome: tuple[str, str]) -> None:
    state = at("9 a3, F h1", "3 h6, F h8")
    action = state.parse(text, seat)
    assert action not in state.legal_actions(seat)
    assert action in state.table_actions(seat)
    after, told = state.apply(action)
    assert after.outcome == outcome
    assert told[-1].json() == {"kind": "over", "winner": outcome[0], "reason": outcome[1]}
    assert after.seats_to_act() == ()
    assert after.steps() == ()


@rule("E5", "Q27")
def test_e5_an_agreed_draw() -> None:
    state = at("9 a3, F h1", "3 h6, F h8")
    offered, _ = state.apply(state.parse("offer-draw", "blue"))
    over, _ = offered.apply(offered.parse("agree-draw", "red"))
    assert over.outcome == (None, "agreed")


@rule("E6", "Q26", "no_move")
def test_e6_red_is_looked_at_before_his_first_turn() -> None:
    assert at("F a1, B a2", "3 a8, F h8").outcome == ("blue", "no-move")
    assert at("F a1", "F h8").outcome == ("blue", "no-move")
    assert at("F a1", "F h8", no_move="mutual_draw").outcome == (None, "no-move")


@rule("G4")
def test_g4_the_last_movers_fall_together() -> None:
    assert ends("9 a3, F h1, B g1", "9 a4, F h8, B g8", "a3-a4") == ("red", "no-move")


@rule("G5", "E2", "Q12", "Q26")
def test_g5_only_refused_moves_left_means_lost_and_the_rule_is_told() -> None:
    # Red's Miner in a lane between its own Bombs has a4 and a3 only.
    pieces = ("3 a3, B a2, B b3, F b1, B b4, B a5", "3 h6, 3 g8, F h8")
    state = line(at(*pieces), "a3-a4 h6-h5 a4-a3 h5-h6 a3-a4")
    assert state.outcome is None
    told = events(state, "h6-h5")
    assert told[1:] == [
        {"kind": "blocked", "seat": "red", "rules": "Q12"},
        {"kind": "over", "winner": "blue", "reason": "no-move"},
    ]


@rule("E2", "no_move")
def test_under_mutual_draw_the_other_sides_bans_are_left_aside() -> None:
    # Blue to move can't; Red could but for its ban: that is no draw.
    pieces = ("3 a3, B a2, B b3, B b4, B a5, F h1", "3 h6, F h8, B h7, B g6, 9 h4")
    state = line(at(*pieces, no_move="mutual_draw"), "a3-a4 h4-h5")
    assert state.outcome is None
    assert moves(state) == {"a4-a3"}


def test_every_reason_is_in_the_closed_list() -> None:
    assert REASONS == ("flag", "no-move", "quiet-limit", "resignation", "agreed", "time")
