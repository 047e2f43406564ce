"""Q12 and Q13 without a game: runs and chases as rows of moves, on the board of 8 x 8 squares."""

from __future__ import annotations

from operator import attrgetter

import pytest

from boardrules.stratego.actions import StrategoMove
from boardrules.stratego.board import CAPTURED_SQUARE, Mask, board_by_name
from boardrules.stratego.repetition import (
    BoardRepeatRule,
    Chase,
    FreeResponder,
    NoChaseRule,
    NoShuttleRule,
    PairRepeatRule,
    ResponderRun,
    Run,
    ShuttleRule,
)
from rules.ids import rule

BOARD = board_by_name("8x8")
BORDERS, ENDS = attrgetter("crossed_borders"), attrgetter("end_pair_bit")


def move(text: str, seat: str = "red") -> StrategoMove:
    return BOARD.named_move(seat, *text.split("-"))


def run_of(shuttle: ShuttleRule, text: str) -> Run:
    """The run after these turns, every second ply, while the foe did nothing in succession."""
    run: Run = shuttle.initial_run
    for number, each in enumerate(text.split()):
        run = shuttle.run_after_move(run, shuttle.initial_run, move(each), 2 * number)
    return run


def bars(shuttle: ShuttleRule, text: str, then: str, attack: bool = False) -> bool:
    run = run_of(shuttle, text)
    return shuttle.refuses_move(run, shuttle.initial_run, 2 * len(text.split()), move(then), attack)


BOTH = pytest.mark.parametrize("kind", [ShuttleRule, FreeResponder])


@rule("Q12", "I11")
@BOTH
def test_the_turn_after_the_last_allowed_one_is_refused(kind: type[ShuttleRule]) -> None:
    three = kind(3, ENDS, True)
    assert not bars(three, "a1-a2 a2-a1", "a1-a2")
    assert bars(three, "a1-a2 a2-a1 a1-a2", "a2-a1")
    assert bars(three, "a1-a2 a2-a1 a1-a2 a2-a1", "a1-a2")
    assert three.can_refuse_nothing(run_of(three, "a1-a2 a2-a1"))
    assert not three.can_refuse_nothing(run_of(three, "a1-a2 a2-a1 a1-a2"))
    four = kind(4, ENDS, True)
    assert not bars(four, "a1-a2 a2-a1 a1-a2", "a2-a1")
    assert bars(four, "a1-a2 a2-a1 a1-a2 a2-a1", "a1-a2")


@rule("Q12", "I11")
@BOTH
def test_another_way_of_the_same_piece_is_free_and_begins_anew(kind: type[ShuttleRule]) -> None:
    three = kind(3, ENDS, True)
    shuttled = "a1-a2 a2-a1 a1-a2"
    assert not bars(three, shuttled, "a2-a3")
    assert not bars(three, shuttled, "c1-c2"), "another piece"
    assert not bars(three, f"{shuttled} a2-a3", "a3-a2")
    assert bars(three, f"{shuttled} a2-a3 a3-a2 a2-a3", "a3-a2")
    assert not bars(three, f"{shuttled} c1-c2", "a2-a1")


@rule("Q12", "I11")
@BOTH
def test_another_piece_on_the_same_way_is_not_counted(kind: type[ShuttleRule]) -> None:
    three = kind(3, BORDERS, True)
    assert not bars(three, "a1-a2 a1-a2 a1-a2", "a2-a1"), "three pieces, a turn each"
    assert not bars(three, "a1-a4 a4-a2 a2-a3", "a2-a3")


@rule("I11", "I12")
@BOTH
def test_a_scout_is_held_to_borders_or_to_ends(kind: type[ShuttleRule]) -> None:
    scouted, then = "a1-a4 a4-a2 a2-a3", "a3-a2"
    assert bars(kind(3, BORDERS, True), scouted, then), "each crossed the border between a2 and a3"
    assert not bars(kind(3, ENDS, True), scouted, then)
    assert not bars(kind(3, BORDERS, True), scouted, "a3-a4"), "not each crossed that border"
    assert not bars(kind(3, BORDERS, True), "a1-a2 a2-a4 a4-a3", "a3-a2")


@rule("shuttle_attack")
@BOTH
def test_attacks_are_counted_or_not(kind: type[ShuttleRule]) -> None:
    shuttled = "a1-a2 a2-a1 a1-a2"
    assert bars(kind(3, ENDS, True), shuttled, "a2-a1", attack=True)
    assert not bars(kind(3, ENDS, False), shuttled, "a2-a1", attack=True)
    assert bars(kind(3, ENDS, False), shuttled, "a2-a1")


@rule("shuttle_attack")
@BOTH
def test_an_attack_goes_on_with_a_run_if_it_counts_and_the_piece_stands(kind: type[ShuttleRule]) -> None:
    back = move("a2-a1")
    for counts, stands, barred in ((True, True, True), (True, False, False), (False, True, False)):
        three = kind(3, ENDS, counts)
        run = three.run_after_attack(run_of(three, "a2-a1 a1-a2"), three.initial_run, back, 4, stands)
        assert three.refuses_move(run, three.initial_run, 6, move("a1-a2"), False) is barred
        if not barred:
            assert three.can_refuse_nothing(run)
            assert run == three.initial_run


@rule("Q12")
def test_a_piece_that_was_taken_has_no_run() -> None:
    three = ShuttleRule(3, ENDS, True)
    run = run_of(three, "a1-a2 a2-a1")
    assert three.run_after_loss(run, move("a2-a1").target_square) == ()
    assert three.run_after_loss(run, move("a1-a2").target_square) == run
    assert three.run_after_loss((), 0) == ()


@rule("shuttle")
def test_nothing_is_counted_when_off() -> None:
    off = NoShuttleRule()
    assert run_of(off, "a1-a2 a2-a1 a1-a2") == ()
    assert not bars(off, "a1-a2 a2-a1 a1-a2", "a2-a1")
    assert off.can_refuse_nothing(())


# `shuttle_responder=free`: red went first, blue answers.


def answered(first: str, answers: str, attacks_count: bool = True) -> tuple[FreeResponder, Run, Run, int]:
    """Both runs after turns by turns, red's first; and the ply of red's next turn."""
    free = FreeResponder(3, ENDS, attacks_count)
    red, blue, ply = free.initial_run, free.initial_run, 0
    for one, other in zip(first.split(), answers.split(), strict=True):
        red = free.run_after_move(red, blue, move(one), ply)
        blue = free.run_after_move(blue, red, move(other, "blue"), ply + 1)
        ply += 2
    return free, red, blue, ply


BACK_AND_FORTH = "a1-a2 a2-a1 a1-a2", "h8-h7 h7-h8 h8-h7"


@rule("shuttle_responder")
def test_who_began_is_refused_and_who_answers_is_not() -> None:
    free, red, blue, ply = answered(*BACK_AND_FORTH)
    assert free.refuses_move(red, blue, ply, move("a2-a1"), False)
    assert not free.refuses_move(blue, red, ply + 1, move("h7-h8", "blue"), False)
    assert free.can_refuse_nothing(blue)


@rule("shuttle_responder")
def test_an_answer_is_left_out_from_the_second_turn_of_the_run_that_it_answers() -> None:
    _, red, blue, _ = answered(*BACK_AND_FORTH)
    assert len(ResponderRun(*red).counted_turns) == 3
    assert ResponderRun(*red).counted_plies == (4, 2, 0)
    assert ResponderRun(*blue).counted_turns == (move("h8-h7", "blue"),)
    assert ResponderRun(*blue).counted_plies == (1,)
    assert ResponderRun(*blue).square == move("h8-h7", "blue").target_square, (
        "the piece is followed all the same"
    )
    assert len(ResponderRun(*blue).all_turns) == 3
    assert ResponderRun(*blue).last_ply == 5


@rule("shuttle_responder")
def test_no_turn_is_refused_that_answers_a_run_which_began_before() -> None:
    free = FreeResponder(3, ENDS, True)
    run, back = run_of(free, "a1-a2 a2-a1 a1-a2"), move("a2-a1")
    for count, barred in ((3, True), (4, False)):
        foe = ResponderRun(CAPTURED_SQUARE, (), (), (move("h8-h7", "blue"),) * count, 5)
        assert free.refuses_move(run, foe, 6, back, False) is barred


@rule("shuttle_responder")
def test_once_the_other_side_stops_the_answers_count_again() -> None:
    free, red, blue, ply = answered(*BACK_AND_FORTH)
    red = free.run_after_move(red, blue, move("c1-c2"), ply)
    assert ResponderRun(*red).counted_turns == (move("c1-c2"),)
    blue = free.run_after_move(blue, red, move("h7-h8", "blue"), ply + 1)
    assert len(ResponderRun(*blue).counted_turns) == 2
    red = free.run_after_move(red, blue, move("d1-d2"), ply + 2)
    blue = free.run_after_move(blue, red, move("h8-h7", "blue"), ply + 3)
    red = free.run_after_move(red, blue, move("e1-e2"), ply + 4)
    assert free.refuses_move(blue, red, ply + 5, move("h7-h8", "blue"), False)


@rule("shuttle_responder")
def test_another_piece_that_answers_leaves_the_counted_one_where_it_stands() -> None:
    free, red, blue, ply = answered("a1-a2 a2-a1 a1-a2", "h8-h7 g8-g7 g7-g8")
    assert ResponderRun(*blue).square == move("h8-h7", "blue").target_square
    assert ResponderRun(*blue).all_turns == (move("g7-g8", "blue"), move("g8-g7", "blue"))
    assert not free.refuses_move(red, blue, ply, move("h7-h8", "blue"), False)


@rule("shuttle_responder", "shuttle_attack")
def test_an_attack_that_is_left_out_ends_nothing_by_which_another_piece_falls() -> None:
    free, red, blue, ply = answered(*BACK_AND_FORTH)
    other, own = move("g8-g7", "blue"), move("h7-h8", "blue")
    kept = free.run_after_attack(blue, red, other, ply + 1, False)
    assert kept == ResponderRun(*blue)._replace(all_turns=(), last_ply=ply + 1)
    assert free.run_after_attack(blue, red, own, ply + 1, False) == free.initial_run
    assert free.run_after_attack(red, blue, other, ply, False) == free.initial_run, (
        "red began: it is not left out"
    )
    strict = FreeResponder(3, ENDS, False)
    assert strict.run_after_attack(blue, red, other, ply + 1, True) == free.initial_run


@rule("shuttle_responder")
def test_a_piece_that_was_taken_has_no_trail() -> None:
    free, _, blue, _ = answered("a1-a2 a2-a1 a1-a2", "h8-h7 g8-g7 g7-g8")
    counted, latest = move("h8-h7", "blue").target_square, move("g7-g8", "blue").target_square
    without = ResponderRun(*free.run_after_loss(blue, counted))
    assert (without.square, without.counted_turns, without.counted_plies) == (CAPTURED_SQUARE, (), ())
    assert len(without.all_turns) == 2
    without = ResponderRun(*free.run_after_loss(blue, latest))
    assert without.all_turns == ()
    assert without.square == counted
    assert free.run_after_loss(blue, 0) == blue
    assert free.run_after_loss(free.initial_run, 0) == free.initial_run


# Chases. Physical pieces: 0 is the chaser, 1 the evader, 2 another piece of the chaser's.


def squares(*names: str) -> bytes:
    return bytes(BOARD.squares[name] for name in names)


def enemy(*names: str) -> Mask:
    return BOARD.mask_of_names(names)


def chase(*positions: bytes) -> Chase:
    return positions


T1 = squares("b2", "b3", "h1")


@rule("I13", "I15")
def test_a_threat_goes_on_with_a_chase_and_anything_else_ends_it() -> None:
    rows = BoardRepeatRule(True)
    assert rows.chases_after_move((), (), move("b1-b2"), None, None, T1, enemy("b3")) == ((T1,), ())
    now = squares("a2", "b3", "h1")
    assert rows.chases_after_move(chase(T1), (), move("b2-a2"), move("b1-b2"), None, now, enemy("b3")) == (
        (),
        (),
    )
    later = squares("b2", "b3", "a1")
    assert rows.chases_after_move(chase(T1), (), move("c2-b2"), None, None, later, enemy("b3")) == (
        (T1, later),
        (),
    )


@rule("I15")
def test_an_attack_that_won_opens_a_chase_beside_an_enemy() -> None:
    for rows in (BoardRepeatRule(True), PairRepeatRule(True)):
        assert rows.chase_after_attack(move("b1-b2"), T1, enemy("b3")) == (T1,)
        assert rows.chase_after_attack(move("b1-b2"), T1, enemy("b4")) == ()
    assert NoChaseRule(True).chase_after_attack(move("b1-b2"), T1, enemy("b3")) == ()


@rule("I14", "I15")
def test_an_answer_goes_on_with_the_foes_chase_only_if_it_gets_away_from_the_threat() -> None:
    rows, threat = BoardRepeatRule(True), move("b1-b2")
    away = squares("b2", "c3", "h1")
    evades = move("b3-c3", "blue")
    assert rows.chases_after_move((), chase(T1), evades, None, threat, away, enemy()) == ((), (T1, away))
    assert rows.chases_after_move((), chase(T1), move("g7-g8", "blue"), None, threat, away, enemy()) == (
        (),
        (),
    )
    assert rows.chases_after_move((), (), evades, None, threat, away, enemy()) == ((), ())
    assert rows.chases_after_move((), chase(T1), evades, None, None, away, enemy()) == ((), ())


@rule("Q13", "I16")
def test_a_threat_may_not_bring_back_a_position_of_the_chase() -> None:
    rows = BoardRepeatRule(True)
    now, again = squares("a2", "b3", "h1"), move("a2-b2")
    assert rows.refuses_move(chase(T1), again, move("c1-c2"), None, now, enemy("b3"))
    assert rows.refuses_move(chase(T1), again, None, None, now, enemy("b3"))
    assert not rows.refuses_move(chase(T1), again, None, None, now, enemy("h8")), "no threat"
    assert not rows.refuses_move((), again, None, None, now, enemy("b3"))
    elsewhere = squares("a2", "b3", "h2")
    assert not rows.refuses_move(chase(T1), again, None, None, elsewhere, enemy("b3")), (
        "another piece has moved"
    )


@rule("chase_undo_exception")
def test_straight_back_is_the_exception() -> None:
    now, again = squares("a2", "b3", "h1"), move("a2-b2")
    for exception in (True, False):
        rows = BoardRepeatRule(exception)
        assert rows.refuses_move(chase(T1), again, move("b2-a2"), None, now, enemy("b3")) is not exception
        assert rows.refuses_move(chase(T1), again, move("b1-a1"), None, now, enemy("b3"))
        assert rows.refuses_move(chase(T1), again, move("b2-b1"), None, now, enemy("b3"))
        assert rows.refuses_move(chase(T1), again, move("a1-a2"), None, now, enemy("b3"))


@rule("I17")
def test_a_pair_is_chased_by_one_piece_throughout() -> None:
    pair = PairRepeatRule(True)
    now = squares("b2", "b3", "h1")
    went_on = pair.chases_after_move(chase(T1), (), move("a2-b2"), move("a1-a2"), None, now, enemy("b3"))
    assert went_on == ((T1, now), ())
    for mine in (move("h2-h1"), None):
        assert pair.chases_after_move(chase(T1), (), move("a2-b2"), mine, None, now, enemy("b3")) == (
            (now,),
            (),
        )


@rule("I17")
def test_the_pair_may_not_stand_again_as_after_an_earlier_threat() -> None:
    pair, again = PairRepeatRule(True), move("a2-b2")
    mine, evaded = move("a3-a2"), move("c3-b3", "blue")
    now = squares("a2", "b3", "h7")
    assert pair.refuses_move(chase(T1), again, mine, evaded, now, enemy("b3")), "whatever others do"
    assert not pair.refuses_move(chase(now, T1), again, mine, evaded, now, enemy("b3")), (
        "that was after an answer"
    )
    assert pair.refuses_move(chase(now, now, T1), again, mine, evaded, now, enemy("b3"))
    assert not pair.refuses_move(chase(squares("b2", "c3", "h1")), again, mine, evaded, now, enemy("b3"))
    assert not pair.refuses_move(chase(squares("c2", "b3", "h1")), again, mine, evaded, now, enemy("b3"))


@rule("I17", "chase_undo_exception")
def test_the_pair_is_free_to_stand_so_otherwise() -> None:
    again, evaded = move("a2-b2"), move("c3-b3", "blue")
    now = squares("a2", "b3", "h7")

    def bans(mine: StrategoMove | None, latest: StrategoMove | None, exception: bool = True) -> bool:
        return PairRepeatRule(exception).refuses_move(chase(T1), again, mine, latest, now, enemy("b3"))

    assert bans(move("a3-a2"), evaded)
    assert not bans(None, evaded)
    assert not bans(move("a3-a2"), None)
    assert not bans(move("h8-h7"), evaded), "another piece chased"
    assert not bans(move("b2-a2"), evaded), "straight back"
    assert bans(move("b2-a2"), evaded, exception=False)
    apart = squares("b2", "g7", "h7")
    assert not PairRepeatRule(True).refuses_move(
        chase(apart), again, move("a3-a2"), move("g6-g7", "blue"), squares("a2", "g7", "h7"), enemy("b3")
    ), "no threat to the piece that evaded"


@rule("chase")
def test_nothing_is_followed_when_off() -> None:
    off = NoChaseRule(True)
    assert off.chases_after_move(chase(T1), chase(T1), move("b1-b2"), None, None, T1, enemy("b3")) == ((), ())
