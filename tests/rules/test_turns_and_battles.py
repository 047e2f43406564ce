"""Moving, attacking and the ranks (Q07 to Q11, Q14 to Q25)."""

from __future__ import annotations

import pytest

from boardrules.core import LayoutPiece
from boardrules.stratego.pieces import RANK_BY_SIGN
from rules.armies import at, code, events, line, moves, refusal, why
from rules.ids import rule

STILL = "F h1"
FAR = "F a8, 3 h8"


def fought(attacker: str, defender: str, **options: object) -> str:
    """Who stands after attacker meets defender."""
    state = at(f"{attacker} a3, {STILL}, 3 g1", f"{defender} a4, {FAR}", **options)  # type: ignore[arg-type]
    return str(events(state, "a3-a4")[0]["result"])


@rule("Q07")
def test_a_turn_is_one_move_or_one_attack_and_no_passing() -> None:
    state = at("3 a3, F h1", "2 b3, F h8")
    assert moves(state) == {"a3-a4", "a3-a2", "a3-b3"}
    assert code(state, "a3-a3") == "stratego/no-pass"
    assert line(state, "a3-a4").seats_to_act() == ("blue",)
    assert code(state, "c3-c4") == "stratego/no-piece"
    assert code(state, "b3-b4") == "stratego/not-your-piece"


@rule("Q08", "E2", "D15")
def test_who_can_neither_move_nor_attack_has_lost() -> None:
    state = line(at("3 a3, F h1", "B a8, F b8, 3 h3"), "a3-a4 h3-h2")
    assert moves(state)  # Red can still move
    after, _ = state.apply(state.parse("a4-a5", "red"))
    assert after.outcome is None  # Blue still has its Miner
    alone = at("3 a3, F h1", "B a8, F b8, 3 a5")
    told = events(line(alone, "a3-a4 a5-a6 a4-a5"), "a6-a5")
    assert [event["kind"] for event in told] == ["battle", "over"]


@rule("Q09", "D27")
def test_one_square_forward_back_or_sideways_never_diagonally() -> None:
    state = at("3 e3, F h1", "3 h8, F a8")
    assert moves(state) == {"e3-e4", "e3-e2", "e3-d3", "e3-f3"}
    assert why(state, "e3-d4") == "Q09"
    assert code(state, "e3-e5") == "stratego/too-far"


@rule("Q10")
def test_one_piece_a_square_and_no_jumping() -> None:
    state = at("2 a2, 3 a3, F h1", "3 h8, F a8")
    assert code(state, "a2-a3") == "stratego/own-piece"
    assert code(state, "a2-a5") == "stratego/piece-between"


@rule("Q11", "Q23", "B2")
def test_lakes_are_neither_entered_nor_jumped() -> None:
    state = at("2 c3, 3 b4, F h1", "3 h8, F a8")
    assert code(state, "c3-c4") == "stratego/lake"
    assert code(state, "b4-c4") == "stratego/lake"
    assert code(state, "c3-c6") == "stratego/lake-between"
    assert not any("c4" in move.split("-")[1] for move in moves(state))


@rule("Q14")
def test_attacks_go_straight_to_the_next_square_and_are_free_to_leave() -> None:
    state = at("9 a3, F h1", "3 a4, 3 b4, 3 a6, F h8")
    assert moves(state) == {"a3-a4", "a3-a2", "a3-b3"}
    assert code(state, "a3-b4") == "stratego/diagonal-attack"
    assert code(line(state, "a3-b3 a4-a5"), "b3-b5") == "stratego/piece-between"
    assert code(at("9 a3, F h1", "3 a6, F h8"), "a3-a6") == "stratego/attack-too-far"


@rule("Q15", "D5")
@pytest.mark.parametrize("rank", ["B", "F"])
def test_bombs_and_the_flag_neither_move_nor_attack(rank: str) -> None:
    state = at(f"{rank} a3, 3 h2", "3 a4, F h8")
    for text in ("a3-a2", "a3-b3", "a3-a4"):
        assert why(state, text) == "Q15"
    assert all(move.startswith("h2") for move in moves(state))


@rule("Q16", "D23")
def test_both_ranks_are_told_flag_bomb_and_spy_without_a_number() -> None:
    assert events(at("3 a3, F h1", f"B a4, {FAR}"), "a3-a4") == [
        {"kind": "battle", "from": "a3", "to": "a4", "attacker": "3", "defender": "B", "result": "attacker"}
    ]
    assert [sign for sign in RANK_BY_SIGN if not sign.isdigit()] == ["S", "B", "F"]


@rule("Q17", "Q18", "Q19")
@pytest.mark.parametrize("attacker", ["2", "3", "4", "5", "6", "7", "8", "9", "10"])
def test_the_higher_rank_wins_and_equal_ranks_both_fall(attacker: str) -> None:
    for defender in ("2", "3", "4", "5", "6", "7", "8", "9", "10"):
        mine, other = int(attacker), int(defender)
        expected = "both" if mine == other else "attacker" if mine > other else "defender"
        assert fought(attacker, defender) == expected


@rule("Q17", "D6")
def test_a_winning_attacker_takes_the_square() -> None:
    state = line(at("9 a3, F h1", f"3 a4, {FAR}"), "a3-a4")
    assert state.layout()["a4"] == (LayoutPiece("red", "a3"),)
    assert "a3" not in state.layout()


@rule("Q18")
def test_a_losing_attacker_goes_and_the_defender_stays() -> None:
    state = line(at("3 a3, F h1, 3 g1", f"9 a4, {FAR}"), "a3-a4")
    assert state.layout()["a4"] == (LayoutPiece("blue", "a4"),)
    assert "a3" not in state.layout()


@rule("Q19")
def test_equal_ranks_leave_both_squares_empty() -> None:
    state = line(at("3 a3, F h1, 3 g1", f"3 a4, {FAR}"), "a3-a4")
    assert not {"a3", "a4"} & set(state.layout())


@rule("Q20", "E1", "D5", "D7")
@pytest.mark.parametrize("rank", ["S", "2", "3", "9", "10"])
def test_any_attacker_takes_the_flag(rank: str) -> None:
    told = events(at(f"{rank} a3, F h1", "F a4, 3 h8"), "a3-a4")
    assert told[-1] == {"kind": "over", "winner": "red", "reason": "flag"}


@rule("Q20", "Q23")
def test_a_scout_takes_the_flag_from_afar() -> None:
    assert line(at("2 a1, F h1", "F a8, 3 h8"), "a1-a8").outcome == ("red", "flag")


@rule("Q21", "Q22", "D5")
def test_a_bomb_stays_unless_a_miner_removes_it() -> None:
    for rank in ("S", "2", "4", "9", "10"):
        assert fought(rank, "B") == "defender"
    assert fought("3", "B") == "attacker"
    state = line(at("3 a3, F h1", f"B a4, {FAR}"), "a3-a4")
    assert state.layout()["a4"] == (LayoutPiece("red", "a3"),)


@rule("Q23", "D9")
def test_a_scout_goes_any_distance_over_empty_squares() -> None:
    state = at("2 a1, F h8", "3 h1, F c8")
    assert moves(state) == {f"a1-a{rank}" for rank in range(2, 9)} | {f"a1-{file}1" for file in "bcdefgh"}
    blocked = at("2 e3, 3 e6, F h8", "3 b3, F c8")
    assert "e3-b3" in moves(blocked)  # moves and attacks in one line
    assert "e3-a3" not in moves(blocked)
    assert {"e3-e5", "e3-h3"} <= moves(blocked)
    assert "e3-e6" not in moves(blocked)
    assert code(blocked, "e3-a3") == "stratego/piece-between"


@rule("Q24")
def test_a_scout_gives_itself_away_by_more_than_one_square() -> None:
    pieces = ("2 a1, F h1", "3 h8, F c8")
    assert [event["kind"] for event in events(at(*pieces), "a1-a3")] == ["move", "told"]
    assert [event["kind"] for event in events(at(*pieces), "a1-a2")] == ["move"]
    assert line(at(*pieces), "a1-a3").view("blue").json()["board"]["a3"]["rank"] == "2"
    assert line(at(*pieces), "a1-a2").view("blue").json()["board"]["a2"]["rank"] == "?"
    once = line(at(*pieces), "a1-a3 h8-h7")
    assert [event["kind"] for event in events(once, "a3-a6")] == ["move"]  # told once is enough


@rule("Q16", "announce")
def test_of_a_silent_battle_only_the_outcome_is_told() -> None:
    pieces = ("4 a3, F h1", "5 a4, F h8, 3 g8")
    (loud,), (silent,) = (events(at(*pieces, announce=how), "a3-a4") for how in ("ranks", "silent"))
    told = {"attacker": "4", "defender": "5"}
    assert {**silent, **told} == loud
    assert not set(told) & set(silent), "neither rank, not even as an empty one"
    for seat in ("red", "blue", None):
        assert "rank" not in str(line(at(*pieces, announce="silent"), "a3-a4").view(seat).json()["battles"])


@rule("Q24")
def test_a_scout_that_wins_from_afar_gives_itself_away_also_where_battles_are_silent() -> None:
    pieces = ("2 a1, F h1, 3 g1", f"S a4, {FAR}")
    silent = at(*pieces, announce="silent")
    told = {"kind": "told", "at": "a4", "rank": "2"}
    assert [event["kind"] for event in events(silent, "a1-a4")] == ["battle", "told"]
    assert events(silent, "a1-a4")[1] == told
    assert line(silent, "a1-a4").view("blue").json()["board"]["a4"]["rank"] == "2"
    assert [event["kind"] for event in events(at(*pieces), "a1-a4")] == ["battle"]  # it has told the rank
    near = at("2 a3, F h1, 3 g1", f"S a4, {FAR}", announce="silent")
    assert [event["kind"] for event in events(near, "a3-a4")] == ["battle"]
    known = line(at("2 a1, F h1, 3 g1", f"S a6, {FAR}", announce="silent"), "a1-a3 h8-h7")
    assert [event["kind"] for event in events(known, "a3-a6")] == ["battle"]  # told once is enough
    lost = at("2 a1, F h1, 3 g1", f"9 a4, {FAR}", announce="silent")
    assert [event["kind"] for event in events(lost, "a1-a4")] == ["battle"]  # no Scout stands anywhere
    flag = events(at("2 a1, F h1", "F a4, 3 h8", announce="silent"), "a1-a4")
    assert [event["kind"] for event in flag] == ["battle", "told", "over"]


@rule("Q25", "D7")
def test_the_spy_beats_the_marshal_only_by_attacking() -> None:
    assert fought("S", "10") == "attacker"
    assert fought("10", "S") == "attacker"
    for rank in ("2", "3", "9"):
        assert fought("S", rank) == "defender"
        assert fought(rank, "S") == "attacker"


@rule("spy_vs_spy", "D7", "Q19")
def test_two_spies_fall_unless_the_attacker_is_to_win() -> None:
    assert fought("S", "S") == "both"
    assert fought("S", "S", spy_vs_spy="attacker_wins") == "attacker"


@rule("G3", "Q23")
def test_a_scout_from_afar_takes_the_square_or_goes() -> None:
    won = line(at("2 a1, F h1", f"S a4, {FAR}"), "a1-a4")
    assert won.layout()["a4"] == (LayoutPiece("red", "a1"),)
    lost = line(at("2 a1, F h1, 3 g1", f"9 a4, {FAR}"), "a1-a4")
    assert lost.layout()["a4"] == (LayoutPiece("blue", "a4"),)
    assert not {"a1", "a2", "a3"} & set(lost.layout())


@rule("G7", "Q15", "Q23")
def test_in_public_a_bomb_a_flag_and_a_slow_piece_are_refused_alike() -> None:
    state = at("B a3, F b3, 9 d3, 2 h1, 2 h2", "3 a6, F h8")
    secret = [refusal(state, text) for text in ("a3-a4", "b3-b4", "d3-d5", "a3-a5")]
    assert [why.public_code for why in secret if why] == ["stratego/not-allowed"] * 4
    assert {why.code for why in secret if why} == {"stratego/immovable", "stratego/too-far"}


@rule("G7", "Q24")
def test_what_is_public_is_told_as_it_is() -> None:
    state = line(at("9 d3, 2 h1, F a1", "3 a6, F h8"), "h1-h3 a6-a5")  # the only Scout is known
    too_far = refusal(state, "d3-d5")
    assert too_far is not None
    assert (too_far.code, too_far.public_code) == ("stratego/too-far", None)
    flag = refusal(state, "a1-a3")
    assert flag is not None
    assert (flag.code, flag.public_code) == ("stratego/immovable", "stratego/too-far")
