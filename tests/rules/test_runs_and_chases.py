"""Q12 and Q13 without a game: runs and chases as rows of moves, on the board of 8 x 8 squares."""

from __future__ import annotations

from operator import attrgetter

import pytest

from boardrules.stratego.actions import StrategoMove
from boardrules.stratego.board import CAPTURED, Mask, board
from boardrules.stratego.repetition import (
    BoardRepeatRule,
    Chase,
    ChaseTrail,
    FreeResponder,
    NoChaseRule,
    NoShuttleRule,
    PairRepeatRule,
    Run,
    ShuttleRule,
)
from rules.ids import rule

BOARD = board("8x8")
BORDERS, ENDS = attrgetter("borders"), attrgetter("ends")


def move(text: str, seat: str = "red") -> StrategoMove:
    return BOARD.named_move(seat, *text.split("-"))


def run_of(shuttle: ShuttleRule, text: str) -> Run:
    """The run after these turns, every second ply, while the foe did nothing in succession."""
    run: Run = shuttle.start
    for number, each in enumerate(text.split()):
        run = shuttle.after(run, shuttle.start, move(each), 2 * number)
    return run


def bars(shuttle: ShuttleRule, text: str, then: str, attack: bool = False) -> bool:
    run = run_of(shuttle, text)
    return shuttle.bars(run, shuttle.start, 2 * len(text.split()), move(then), attack)


BOTH = pytest.mark.parametrize("kind", [ShuttleRule, FreeResponder])


@rule("Q12", "I11")
@BOTH
def test_the_turn_after_the_last_allowed_one_is_refused(kind: type[ShuttleRule]) -> None:
    three = kind(3, ENDS, True)
    assert not bars(three, "a1-a2 a2-a1", "a1-a2")
    assert bars(three, "a1-a2 a2-a1 a1-a2", "a2-a1")
    assert bars(three, "a1-a2 a2-a1 a1-a2 a2-a1", "a1-a2")
    assert three.idle(run_of(three, "a1-a2 a2-a1"))
    assert not three.idle(run_of(three, "a1-a2 a2-a1 a1-a2"))
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
        run = three.after_attack(run_of(three, "a2-a1 a1-a2"), three.start, back, 4, stands)
        assert three.bars(run, three.start, 6, move("a1-a2"), False) is barred
        if not barred:
            assert three.idle(run)
            assert run == three.start


@rule("Q12")
def test_a_piece_that_was_taken_has_no_run() -> None:
    three = ShuttleRule(3, ENDS, True)
    run = run_of(three, "a1-a2 a2-a1")
    assert three.after_loss(run, move("a2-a1").to) == ()
    assert three.after_loss(run, move("a1-a2").to) == run
    assert three.after_loss((), 0) == ()


@rule("shuttle")
def test_nothing_is_counted_when_off() -> None:
    off = NoShuttleRule()
    assert run_of(off, "a1-a2 a2-a1 a1-a2") == ()
    assert not bars(off, "a1-a2 a2-a1 a1-a2", "a2-a1")
    assert off.idle(())


# `shuttle_responder=free`: red went first, blue answers.


def answered(first: str, answers: str, attacks_count: bool = True) -> tuple[FreeResponder, Run, Run, int]:
    """Both runs after turns by turns, red's first; and the ply of red's next turn."""
    free = FreeResponder(3, ENDS, attacks_count)
    red, blue, ply = free.start, free.start, 0
    for one, other in zip(first.split(), answers.split(), strict=True):
        red = free.after(red, blue, move(one), ply)
        blue = free.after(blue, red, move(other, "blue"), ply + 1)
        ply += 2
    return free, red, blue, ply


BACK_AND_FORTH = "a1-a2 a2-a1 a1-a2", "h8-h7 h7-h8 h8-h7"


@rule("shuttle_responder")
def test_who_began_is_refused_and_who_answers_is_not() -> None:
    free, red, blue, ply = answered(*BACK_AND_FORTH)
    assert free.bars(red, blue, ply, move("a2-a1"), False)
    assert not free.bars(blue, red, ply + 1, move("h7-h8", "blue"), False)
    assert free.idle(blue)


@rule("shuttle_responder")
def test_an_answer_is_left_out_from_the_second_turn_of_the_run_that_it_answers() -> None:
    _, red, blue, _ = answered(*BACK_AND_FORTH)
    assert len(ChaseTrail(*red).turns) == 3
    assert ChaseTrail(*red).plies == (4, 2, 0)
    assert ChaseTrail(*blue).turns == (move("h8-h7", "blue"),)
    assert ChaseTrail(*blue).plies == (1,)
    assert ChaseTrail(*blue).square == move("h8-h7", "blue").to, "the piece is followed all the same"
    assert len(ChaseTrail(*blue).all) == 3
    assert ChaseTrail(*blue).last == 5


@rule("shuttle_responder")
def test_no_turn_is_refused_that_answers_a_run_which_began_before() -> None:
    free = FreeResponder(3, ENDS, True)
    run, back = run_of(free, "a1-a2 a2-a1 a1-a2"), move("a2-a1")
    for count, barred in ((3, True), (4, False)):
        foe = ChaseTrail(CAPTURED, (), (), (move("h8-h7", "blue"),) * count, 5)
        assert free.bars(run, foe, 6, back, False) is barred


@rule("shuttle_responder")
def test_once_the_other_side_stops_the_answers_count_again() -> None:
    free, red, blue, ply = answered(*BACK_AND_FORTH)
    red = free.after(red, blue, move("c1-c2"), ply)
    assert ChaseTrail(*red).turns == (move("c1-c2"),)
    blue = free.after(blue, red, move("h7-h8", "blue"), ply + 1)
    assert len(ChaseTrail(*blue).turns) == 2
    red = free.after(red, blue, move("d1-d2"), ply + 2)
    blue = free.after(blue, red, move("h8-h7", "blue"), ply + 3)
    red = free.after(red, blue, move("e1-e2"), ply + 4)
    assert free.bars(blue, red, ply + 5, move("h7-h8", "blue"), False)


@rule("shuttle_responder")
def test_another_piece_that_answers_leaves_the_counted_one_where_it_stands() -> None:
    free, red, blue, ply = answered("a1-a2 a2-a1 a1-a2", "h8-h7 g8-g7 g7-g8")
    assert ChaseTrail(*blue).square == move("h8-h7", "blue").to
    assert ChaseTrail(*blue).all == (move("g7-g8", "blue"), move("g8-g7", "blue"))
    assert not free.bars(red, blue, ply, move("h7-h8", "blue"), False)


@rule("shuttle_responder", "shuttle_attack")
def test_an_attack_that_is_left_out_ends_nothing_by_which_another_piece_falls() -> None:
    free, red, blue, ply = answered(*BACK_AND_FORTH)
    other, own = move("g8-g7", "blue"), move("h7-h8", "blue")
    kept = free.after_attack(blue, red, other, ply + 1, False)
    assert kept == ChaseTrail(*blue)._replace(all=(), last=ply + 1)
    assert free.after_attack(blue, red, own, ply + 1, False) == free.start
    assert free.after_attack(red, blue, other, ply, False) == free.start, "red began: it is not left out"
    strict = FreeResponder(3, ENDS, False)
    assert strict.after_attack(blue, red, other, ply + 1, True) == free.start


@rule("shuttle_responder")
def test_a_piece_that_was_taken_has_no_trail() -> None:
    free, _, blue, _ = answered("a1-a2 a2-a1 a1-a2", "h8-h7 g8-g7 g7-g8")
    counted, latest = move("h8-h7", "blue").to, move("g7-g8", "blue").to
    without = ChaseTrail(*free.after_loss(blue, counted))
    assert (without.square, without.turns, without.plies) == (CAPTURED, (), ())
    assert len(without.all) == 2
    without = ChaseTrail(*free.after_loss(blue, latest))
    assert without.all == ()
    assert without.square == counted
    assert free.after_loss(blue, 0) == blue
    assert free.after_loss(free.start, 0) == free.start


# Chases. Physical pieces: 0 is the chaser, 1 the evader, 2 another piece of the chaser's.


def squares(*names: str) -> bytes:
    return bytes(BOARD.squares[name] for name in names)


def enemy(*names: str) -> Mask:
    return BOARD.mask(names)


def chase(*positions: bytes) -> Chase:
    return positions


T1 = squares("b2", "b3", "h1")


@rule("I13", "I15")
def test_a_threat_goes_on_with_a_chase_and_anything_else_ends_it() -> None:
    rows = BoardRepeatRule(True)
    assert rows.after((), (), move("b1-b2"), None, None, T1, enemy("b3")) == ((T1,), ())
    now = squares("a2", "b3", "h1")
    assert rows.after(chase(T1), (), move("b2-a2"), move("b1-b2"), None, now, enemy("b3")) == ((), ())
    later = squares("b2", "b3", "a1")
    assert rows.after(chase(T1), (), move("c2-b2"), None, None, later, enemy("b3")) == ((T1, later), ())


@rule("I15")
def test_an_attack_that_won_opens_a_chase_beside_an_enemy() -> None:
    for rows in (BoardRepeatRule(True), PairRepeatRule(True)):
        assert rows.opened(move("b1-b2"), T1, enemy("b3")) == (T1,)
        assert rows.opened(move("b1-b2"), T1, enemy("b4")) == ()
    assert NoChaseRule(True).opened(move("b1-b2"), T1, enemy("b3")) == ()


@rule("I14", "I15")
def test_an_answer_goes_on_with_the_foes_chase_only_if_it_gets_away_from_the_threat() -> None:
    rows, threat = BoardRepeatRule(True), move("b1-b2")
    away = squares("b2", "c3", "h1")
    evades = move("b3-c3", "blue")
    assert rows.after((), chase(T1), evades, None, threat, away, enemy()) == ((), (T1, away))
    assert rows.after((), chase(T1), move("g7-g8", "blue"), None, threat, away, enemy()) == ((), ())
    assert rows.after((), (), evades, None, threat, away, enemy()) == ((), ())
    assert rows.after((), chase(T1), evades, None, None, away, enemy()) == ((), ())


@rule("Q13", "I16")
def test_a_threat_may_not_bring_back_a_position_of_the_chase() -> None:
    rows = BoardRepeatRule(True)
    now, again = squares("a2", "b3", "h1"), move("a2-b2")
    assert rows.bans(chase(T1), again, move("c1-c2"), None, now, enemy("b3"))
    assert rows.bans(chase(T1), again, None, None, now, enemy("b3"))
    assert not rows.bans(chase(T1), again, None, None, now, enemy("h8")), "no threat"
    assert not rows.bans((), again, None, None, now, enemy("b3"))
    elsewhere = squares("a2", "b3", "h2")
    assert not rows.bans(chase(T1), again, None, None, elsewhere, enemy("b3")), "another piece has moved"


@rule("chase_undo_exception")
def test_straight_back_is_the_exception() -> None:
    now, again = squares("a2", "b3", "h1"), move("a2-b2")
    for exception in (True, False):
        rows = BoardRepeatRule(exception)
        assert rows.bans(chase(T1), again, move("b2-a2"), None, now, enemy("b3")) is not exception
        assert rows.bans(chase(T1), again, move("b1-a1"), None, now, enemy("b3"))
        assert rows.bans(chase(T1), again, move("b2-b1"), None, now, enemy("b3"))
        assert rows.bans(chase(T1), again, move("a1-a2"), None, now, enemy("b3"))


@rule("I17")
def test_a_pair_is_chased_by_one_piece_throughout() -> None:
    pair = PairRepeatRule(True)
    now = squares("b2", "b3", "h1")
    went_on = pair.after(chase(T1), (), move("a2-b2"), move("a1-a2"), None, now, enemy("b3"))
    assert went_on == ((T1, now), ())
    for mine in (move("h2-h1"), None):
        assert pair.after(chase(T1), (), move("a2-b2"), mine, None, now, enemy("b3")) == ((now,), ())


@rule("I17")
def test_the_pair_may_not_stand_again_as_after_an_earlier_threat() -> None:
    pair, again = PairRepeatRule(True), move("a2-b2")
    mine, evaded = move("a3-a2"), move("c3-b3", "blue")
    now = squares("a2", "b3", "h7")
    assert pair.bans(chase(T1), again, mine, evaded, now, enemy("b3")), "whatever others do"
    assert not pair.bans(chase(now, T1), again, mine, evaded, now, enemy("b3")), "that was after an answer"
    assert pair.bans(chase(now, now, T1), again, mine, evaded, now, enemy("b3"))
    assert not pair.bans(chase(squares("b2", "c3", "h1")), again, mine, evaded, now, enemy("b3"))
    assert not pair.bans(chase(squares("c2", "b3", "h1")), again, mine, evaded, now, enemy("b3"))


@rule("I17", "chase_undo_exception")
def test_the_pair_is_free_to_stand_so_otherwise() -> None:
    again, evaded = move("a2-b2"), move("c3-b3", "blue")
    now = squares("a2", "b3", "h7")

    def bans(mine: StrategoMove | None, latest: StrategoMove | None, exception: bool = True) -> bool:
        return PairRepeatRule(exception).bans(chase(T1), again, mine, latest, now, enemy("b3"))

    assert bans(move("a3-a2"), evaded)
    assert not bans(None, evaded)
    assert not bans(move("a3-a2"), None)
    assert not bans(move("h8-h7"), evaded), "another piece chased"
    assert not bans(move("b2-a2"), evaded), "straight back"
    assert bans(move("b2-a2"), evaded, exception=False)
    apart = squares("b2", "g7", "h7")
    assert not PairRepeatRule(True).bans(
        chase(apart), again, move("a3-a2"), move("g6-g7", "blue"), squares("a2", "g7", "h7"), enemy("b3")
    ), "no threat to the piece that evaded"


@rule("chase")
def test_nothing_is_followed_when_off() -> None:
    off = NoChaseRule(True)
    assert off.after(chase(T1), chase(T1), move("b1-b2"), None, None, T1, enemy("b3")) == ((), ())
