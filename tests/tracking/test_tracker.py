"""The tracker alone: timelines of reeds in, what hands meant out."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from boardumpire.tracking.events import (
    BoardFault,
    BoardInOrder,
    Correction,
    FaultCode,
    HandIntent,
    LiftReminder,
    MovePutBack,
    OverdueCorrection,
    SuspectSpace,
    TakeBackWithdrawn,
    TrackerEvent,
    UnconfirmedCorrection,
)
from boardumpire.tracking.model import PublicPosition
from boardumpire.tracking.open_doubts import OpenDoubts, parse_open_doubts
from boardumpire.tracking.questions import (
    AdjournQuestion,
    AttackCountingQuestion,
    AttackHereQuestion,
    AttackPendingQuestion,
    AttackWhereQuestion,
    AttackWhichQuestion,
    CameFromQuestion,
    InHandQuestion,
    MovedHereQuestion,
    SamePlacesQuestion,
    ThatPieceQuestion,
    TrackerQuestion,
    WhoStandsQuestion,
)
from boardumpire.tracking.shared_spaces import place_changes
from boardumpire.tracking.timing import TrackerTiming
from boardumpire.tracking.tracker import Tracker
from boardware.ports import MS, SECOND

RED = {"a1": "red", "b1": "red", "c1": "red"}
BLUE = {"a3": "blue", "b3": "blue", "c3": "blue"}
STEPS = {
    "a1": {"a2": False},
    "b1": {"b2": False, "b3": True},
    "c1": {"c2": False, "c3": True, "b3": True},
}
SETTLE = TrackerTiming().settle


class Bench:
    """A tracker with a clock: each verb takes effect at the moment reached by `wait`."""

    def __init__(
        self,
        owners: dict[str, str] | None = None,
        movers: frozenset[str] = frozenset({"red"}),
        timing: TrackerTiming | None = None,
    ) -> None:
        self.now = 0
        self.tracker = Tracker(timing)
        self.told: list[tuple[int, TrackerEvent]] = []
        self.felt = set(owners or RED | BLUE)
        self.position = PublicPosition(dict(owners or RED | BLUE), frozenset(), movers, STEPS)
        self.tracker.begin_layout(self.position, self.felt, 0)

    def lift(self, space: str) -> Bench:
        self.felt.discard(space)
        self.tracker.note_sensor_change(space, False, self.now)
        return self

    def place(self, space: str) -> Bench:
        self.felt.add(space)
        self.tracker.note_sensor_change(space, True, self.now)
        return self

    def wait(self, ms: int) -> Bench:
        """Let time pass, turning the tracker exactly when it asks to be turned; stops at an intent."""
        until = self.now + ms * MS
        while not self.intents():
            due = self.tracker.next_due()
            if due is None or due > until:
                break
            self.now = max(self.now, due)
            self._tick()
        self.now = until
        if not self.intents():
            self._tick()
        return self

    def _tick(self) -> None:
        self.told += [(self.now, told) for told in self.tracker.advance(self.now)]

    def intents(self) -> list[HandIntent | MovePutBack]:
        return [told for _, told in self.told if isinstance(told, HandIntent | MovePutBack)]

    def values(self) -> list[TrackerEvent]:
        return [told for _, told in self.told]

    def rule(
        self,
        owners: dict[str, str],
        hands: tuple[str, str],
        *,
        movers: str = "blue",
        exchange: str | None = None,
    ) -> Bench:
        """The ruling on the last intent: a new layout."""
        self.told.clear()
        steps = {"a3": {"a2": False}} if movers == "blue" else STEPS
        position = PublicPosition(owners, frozenset(), frozenset({movers}), steps)
        self.tracker.begin_layout(position, self.felt, self.now, hands=hands, exchange=exchange)
        return self

    def chores(self) -> list[tuple[str, str]]:
        return [(chore.kind, chore.space) for chore in self.tracker.guidance().corrections]


def test_a_move_is_told_once_it_has_been_still_for_the_settle_time() -> None:
    bench = Bench().lift("a1").wait(300).place("a2").wait(349)
    assert bench.values() == []
    bench.wait(1)
    assert bench.told == [(300 * MS + SETTLE, HandIntent("a1", "a2"))]


def test_a_slide_counts_where_it_rests() -> None:
    bench = Bench().lift("a1").place("b2").wait(200).lift("b2").place("c2").wait(200).lift("c2").place("a2")
    assert bench.wait(350).values() == [HandIntent("a1", "a2")]


def test_of_two_own_pieces_the_one_that_was_pushed_there_may_have_moved_too() -> None:
    """The one is gone for long (a child has it); the other closes the next reed before it opens its own."""
    bench = Bench()
    steps = {"a1": {"b2": False}, "b1": {"b2": False}}
    bench.tracker.begin_layout(bench.position._replace(steps=steps), bench.felt, 0)
    bench.lift("a1").wait(2_000).place("b2").wait(20).lift("b1").wait(350)
    assert bench.values() == [ThatPieceQuestion("a1", "b2", "b1", "red")]


@pytest.mark.parametrize("overlap", [20, 60, 200])
def test_a_piece_that_the_other_side_pushes_where_ones_own_may_go_is_asked_about(overlap: int) -> None:
    """Its reed opens after the next one has closed: the mover's own piece never left the hand."""
    bench = Bench()
    places = {"a2": (0.0, 45.0), "a3": (0.0, 90.0), "c1": (90.0, 0.0)}
    bench.tracker.begin_layout(bench.position._replace(place_coordinates_mm=places), bench.felt, 0)
    bench.lift("a1").wait(400).place("a2").wait(overlap).lift("a3").wait(2_000)
    assert bench.intents() == []
    assert ThatPieceQuestion("a1", "a2", "a3", "red") in bench.values()


@pytest.mark.parametrize("by_word", [True, False])
def test_no_word_of_the_other_side_takes_a_sign_away(by_word: bool) -> None:
    """A word that changes nothing on the board begins the same position anew."""
    bench = Bench().lift("b1").wait(400).lift("b3").wait(600)
    if by_word:
        assert bench.tracker.answer_question(True, bench.now) == HandIntent("b1", "b3")
    else:
        bench.place("b1").wait(150).lift("b1").wait(50)
    bench.told.clear()
    bench.tracker.begin_layout(bench.position, bench.felt, bench.now, hands=(), owed=("b3",))
    assert bench.chores() == []
    assert bench.wait(400).intents() == [HandIntent("b1", "b3")]


def test_a_piece_that_is_pushed_towards_one_it_may_attack_is_waited_for_longer() -> None:
    """It may be on its way still, to push the other off, as one that may go further."""
    places = {"c1": (0.0, 0.0), "c2": (0.0, 45.0), "c3": (0.0, 90.0)}
    position = Bench().position._replace(place_coordinates_mm=places)
    assert position.has_step_beyond("c1", "c2")
    assert not position.has_step_beyond("c1", "c3")


def test_a_slide_that_closes_the_next_reed_before_it_opens_the_last_is_one_piece() -> None:
    bench = Bench().place("a2").wait(30).lift("a1").wait(100).place("b2").wait(30).lift("a2").wait(350)
    assert bench.values() == [HandIntent("a1", "b2")]


def test_a_piece_set_down_where_it_was_means_nothing() -> None:
    bench = Bench().lift("a1").wait(800).place("a1").wait(10_000)
    assert bench.values() == []


PENDING = AttackPendingQuestion("b1", "b3", "red")


def test_two_pieces_that_are_up_are_a_pending_attack_at_once_and_ruled_on_never() -> None:
    for first, second in (("b1", "b3"), ("b3", "b1")):
        bench = Bench().lift(first).wait(100).lift(second).wait(0)
        assert bench.told == [(100 * MS, PENDING)]
        assert bench.tracker.guidance().question == PENDING
        bench.wait(9_000)
        assert bench.values() == [PENDING]


def test_an_attack_that_still_waits_after_another_move_of_its_owner_is_told_again_by_itself() -> None:
    """Where a side moves more than once a turn both pieces may be up through a ruling."""
    bench = Bench().lift("b1").wait(100).lift("b3").wait(100).lift("a1").wait(200).place("a2").wait(400)
    owners = {**{space: seat for space, seat in (RED | BLUE).items() if space != "a1"}, "a2": "red"}
    bench.rule(owners, ("a1", "a2"), movers="red")
    due = bench.tracker.next_due()
    assert due is not None
    assert due <= bench.now
    assert bench.wait(0).values() == [PENDING]


def test_the_mover_completes_a_pending_attack_by_a_word() -> None:
    bench = Bench().lift("b1").wait(400).lift("b3").wait(50)
    assert bench.tracker.answer_question(True, bench.now) == HandIntent("b1", "b3")


def test_the_mover_completes_it_by_tapping_his_piece_on_its_own_space() -> None:
    bench = Bench().lift("b1").wait(400).lift("b3").wait(600).place("b1").wait(150).lift("b1").wait(199)
    assert bench.intents() == []
    assert bench.wait(1).intents() == [HandIntent("b1", "b3")]


def test_after_the_sign_the_defender_cannot_dodge() -> None:
    bench = Bench().lift("b1").wait(400).lift("b3").wait(600).place("b1").wait(150).lift("b1").wait(50)
    assert bench.place("b3").wait(150).intents() == [HandIntent("b1", "b3")]


@pytest.mark.parametrize(("up", "down"), [(100, 150), (600, 501), (600, 3_000)])
def test_a_bump_or_a_rest_at_home_is_no_sign(up: int, down: int) -> None:
    bench = Bench().lift("b3").wait(50).lift("b1").wait(up).place("b1").wait(down).lift("b1").wait(9_000)
    assert bench.intents() == []


def test_a_piece_that_goes_up_after_the_attacker_came_home_was_not_attacked() -> None:
    bench = Bench().lift("b1").wait(400).place("b1").wait(50).lift("b3").wait(50).lift("b1").wait(9_000)
    assert bench.intents() == []


def test_of_two_pieces_that_may_be_meant_none_is_taken_for_it() -> None:
    bench = Bench().lift("c1").wait(400).lift("b3").lift("c3").wait(0)
    asked = AttackWhichQuestion("c1", ("b3", "c3"), "red")
    assert bench.values() == [asked]
    bench.place("c1").wait(150).lift("c1").wait(300)
    assert bench.values() == [asked, asked]
    assert bench.tracker.answer_question(True, bench.now) is None
    bench.place("b3").wait(0)
    assert bench.values()[-1] == AttackPendingQuestion("c1", "c3", "red")


def test_a_refused_pending_attack_is_not_asked_about_again_as_long_as_nothing_is_felt() -> None:
    bench = Bench().lift("b1").wait(400).lift("b3").wait(50)
    assert bench.tracker.answer_question(False, bench.now) is None
    assert bench.tracker.guidance().question is None
    assert bench.wait(9_000).values() == [PENDING]
    assert bench.place("b3").wait(100).lift("b3").wait(0).values() == [PENDING, PENDING]


def test_where_holding_still_is_enough_either_side_stops_the_countdown() -> None:
    counting = AttackCountingQuestion("b1", "b3", "red")
    for back in ("b1", "b3"):
        bench = Bench(timing=TrackerTiming(attack="hold")).lift("b1").wait(100).lift("b3").wait(1_999)
        assert bench.values() == [counting]
        assert bench.place(back).wait(2_000).intents() == []
    bench = Bench(timing=TrackerTiming(attack="hold")).lift("b1").wait(100).lift("b3").wait(1_999)
    assert bench.tracker.answer_question(False, bench.now) is None
    assert bench.wait(9_000).intents() == []
    bench = Bench(timing=TrackerTiming(attack="hold")).lift("b1").wait(100).lift("b3").wait(2_000)
    assert bench.values() == [counting, HandIntent("b1", "b3")]


def test_an_enemy_piece_set_back_while_the_attacker_goes_home_means_nothing() -> None:
    bench = Bench().lift("b1").wait(400).lift("b3").wait(300).place("b3").wait(500)
    assert bench.values() == [PENDING]
    bench.place("b1").wait(60_000)
    assert bench.values() == [PENDING]


def test_a_target_that_closes_again_is_asked_about_soon() -> None:
    """The attacker may have been set down there, or the defender put back."""
    bench = Bench().lift("b1").wait(400).lift("b3").wait(300).place("b3").wait(2_499)
    assert bench.values() == [PENDING]
    assert bench.wait(1).values() == [PENDING, AttackHereQuestion("b1", "b3", "red")]
    assert bench.tracker.answer_question(True, bench.now) == HandIntent("b1", "b3")


def test_a_short_dip_of_the_enemy_reed_pends_for_a_moment_and_is_ruled_on_never() -> None:
    bench = Bench().lift("b1").wait(400).lift("b3").wait(90).place("b3").wait(2_000)
    assert bench.values() == [PENDING]
    assert bench.tracker.guidance().question == PENDING
    assert bench.tracker.answer_question(True, bench.now) == HandIntent("b1", "b3")


def test_a_short_dip_means_nothing_if_the_attacker_goes_back() -> None:
    bench = Bench().lift("b1").wait(400).lift("b3").wait(90).place("b3").wait(200).place("b1").wait(60_000)
    assert bench.values() == [PENDING]


def test_a_dip_out_of_reach_means_nothing() -> None:
    bench = Bench().lift("a1").wait(400).lift("b3").wait(90).place("b3").wait(2_000)
    assert bench.values() == []


def test_confirm_makes_a_doubtful_dip_an_attack_at_once() -> None:
    bench = Bench().lift("c1").wait(400).lift("b3").wait(300).place("b3").wait(50)
    assert bench.tracker.answer_question(True, bench.now) == HandIntent("c1", "b3")


def test_an_attacker_that_vanished_is_asked_about_within_three_seconds() -> None:
    bench = Bench().lift("b1").wait(2_499)
    assert bench.values() == []
    bench.wait(1)
    assert bench.values() == [AttackHereQuestion("b1", "b3", "red")]
    assert bench.tracker.guidance().question == AttackHereQuestion("b1", "b3", "red")
    assert bench.tracker.answer_question(True, bench.now) == HandIntent("b1", "b3")


def test_a_piece_that_is_held_is_asked_about_and_one_that_is_not_is_looked_for() -> None:
    asked = InHandQuestion("a1", "red")
    bench = Bench().lift("a1").wait(2_500)
    assert bench.values() == [asked]
    assert bench.tracker.answer_question(True, bench.now) is None
    assert bench.wait(60_000).values() == [asked]
    bench = Bench().lift("a1").wait(2_500)
    assert bench.tracker.answer_question(False, bench.now) == UnconfirmedCorrection(("a1", "a2"))
    assert bench.tracker.guidance().overdue_pieces == ("a1",)


def test_no_attack_leaves_the_question_whether_the_piece_is_in_the_hand() -> None:
    bench = Bench().lift("b1").wait(2_500)
    bench.tracker.answer_question(False, bench.now)
    assert bench.wait(2_500).values()[1:] == [InHandQuestion("b1", "red")]


def test_a_move_beside_an_early_reply_is_asked_about_as_that_piece_may_have_come_there() -> None:
    """The opponent takes a piece up and puts it where the thinker's could go: he can't move for him."""
    bench = Bench().lift("b1").wait(400).lift("a3").wait(300).place("b2").wait(350)
    assert bench.values() == [ThatPieceQuestion("b1", "b2", "a3", "red")]
    bench.place("a3").wait(3_000)
    assert bench.values()[1:] == [], "that may be another one: nobody but the thinker can say it"
    assert bench.tracker.answer_question(True, bench.now) == HandIntent("b1", "b2")


def test_a_piece_that_has_long_been_gone_is_told_and_may_still_be_the_one_that_came() -> None:
    bench = Bench().lift("a3").wait(10_000)
    assert bench.values() == [LiftReminder("a3")]
    asked = ThatPieceQuestion("b1", "b2", "a3", "red")
    assert bench.lift("b1").wait(500).place("b2").wait(350).values()[1:] == [asked]
    assert bench.tracker.answer_question(True, bench.now) == HandIntent("b1", "b2")


def test_a_capture_as_in_chess_is_asked_about_while_a_child_has_another_piece() -> None:
    bench = Bench().lift("a3").wait(11_000).lift("b1").wait(300).lift("b3").wait(300).place("b3").wait(2_500)
    assert bench.values()[-1] == AttackHereQuestion("b1", "b3", "red")


def test_of_two_own_pieces_that_are_up_one_that_has_long_been_gone_is_not_thought_of() -> None:
    bench = Bench().lift("a1").wait(400).lift("b1").wait(400).place("b2").wait(350)
    assert bench.values() == [ThatPieceQuestion("b1", "b2", "a1", "red")]
    bench = Bench().lift("a1").wait(9_000).lift("b1").wait(1_000).place("b2").wait(350)
    assert bench.values()[-1] == HandIntent("b1", "b2")


def test_a_reed_that_a_piece_must_have_left_twice_is_suspected() -> None:
    bench = Bench().place("a2").wait(5_000)
    assert bench.values() == [BoardFault(FaultCode.EXTRA_PIECE, ("a2",))]
    bench.lift("a2").wait(500)
    assert bench.place("a2").wait(2_000).values()[-1] == SuspectSpace("a1")


def test_a_question_goes_when_the_piece_comes_back() -> None:
    bench = Bench().lift("b1").wait(20_000).place("b1")
    assert bench.tracker.guidance().question is None
    assert bench.tracker.answer_question(True, bench.now) is None


def test_the_opponents_piece_moved_out_of_turn_is_a_fault_with_chores_back() -> None:
    bench = Bench().lift("a3").wait(200).place("a2").wait(350)
    assert bench.values() == [BoardFault(FaultCode.NOT_YOUR_TURN, ("a3", "a2"))]
    assert bench.chores() == [("take", "a2"), ("put", "a3")]
    bench.lift("a2").wait(100).place("a3").wait(0)
    assert bench.values()[-1] == BoardInOrder()
    assert bench.chores() == []


def test_the_opponents_piece_lifted_out_of_turn_and_set_back_means_nothing() -> None:
    assert Bench().lift("a3").wait(2_000).place("a3").wait(10_000).values() == []


def test_a_foreign_piece_is_a_fault_and_goes() -> None:
    bench = Bench().place("b2").wait(5_000)
    assert bench.values() == [BoardFault(FaultCode.EXTRA_PIECE, ("b2",))]
    assert bench.chores() == [("take", "b2")]
    assert bench.lift("b2").wait(0).values()[-1] == BoardInOrder()


def test_a_piece_between_two_spaces_is_to_be_centred_and_then_counts() -> None:
    bench = Bench().lift("a1").wait(200).place("a2").place("b2").wait(5_000)
    assert bench.values() == [BoardFault(FaultCode.BETWEEN_SPACES, ("a2", "b2"))]
    assert bench.chores() == [("centre", "a2"), ("centre", "b2")]
    bench.lift("b2").wait(350)
    assert bench.values()[-1] == HandIntent("a1", "a2")


def test_a_reed_that_sticks_as_a_piece_comes_home_beside_it_is_told_to_have_a_piece_too_many() -> None:
    bench = Bench().lift("a1").wait(1_000).place("a1").place("a2").wait(5_000)
    assert bench.values() == [BoardFault(FaultCode.BETWEEN_SPACES, ("a1", "a2"))]
    assert bench.chores() == [("centre", "a1")]
    bench.wait(20_000)
    assert bench.values()[1:] == [BoardFault(FaultCode.EXTRA_PIECE, ("a2",))]
    assert bench.chores() == [("take", "a2")]


@pytest.mark.parametrize("first", ["a1", "a2"])
@pytest.mark.parametrize("apart", [0, 20, 150])
def test_a_piece_between_its_own_space_and_another_is_asked_to_the_middle_of_its_own(
    first: str, apart: int
) -> None:
    """Whichever reed closes first."""
    second = "a2" if first == "a1" else "a1"
    bench = Bench().lift("a1").wait(1_000).place(first).wait(apart).place(second).wait(5_000)
    assert bench.values() == [BoardFault(FaultCode.BETWEEN_SPACES, ("a1", "a2"))]
    assert bench.chores() == [("centre", "a1")]
    assert bench.lift("a2").wait(10_000).values() == [BoardFault(FaultCode.BETWEEN_SPACES, ("a1", "a2"))]
    assert bench.chores() == []


def test_what_stands_where_a_piece_has_moved_from_is_taken_off_though_it_came_with_its_neighbour() -> None:
    """A wrong yes: another piece came to a2, and the one on a1 has never moved."""
    bench = Bench().lift("a1").lift("b1").wait(1_000).place("a1").place("b1").wait(1_000).place("a2")
    owners = {space: owner for space, owner in (RED | BLUE | {"a2": "red"}).items() if space != "a1"}
    bench.rule(owners, ("a1", "a2"))
    assert bench.chores() == [("take", "a1")]


def test_a_piece_set_down_far_from_one_that_comes_home_is_one_too_many() -> None:
    bench = Bench()
    places = {"a1": (0.0, 0.0), "a2": (0.0, 45.0), "h7": (315.0, 270.0)}
    bench.tracker.begin_layout(bench.position._replace(place_coordinates_mm=places), bench.felt, 0)
    bench.lift("a1").wait(1_000).place("a1").place("h7").wait(5_000)
    assert bench.values() == [BoardFault(FaultCode.EXTRA_PIECE, ("h7",))]


def test_what_cannot_be_centred_is_a_piece_too_many() -> None:
    bench = Bench().lift("a1").wait(200).place("a2").place("c2").wait(5_000)
    assert bench.values() == [BoardFault(FaultCode.BETWEEN_SPACES, ("a2", "c2"))]
    bench.wait(20_000)
    assert bench.values()[1:] == [BoardFault(FaultCode.EXTRA_PIECE, ("c2",))]
    assert ("take", "c2") in bench.chores()


def test_a_stranger_is_never_taken_for_the_piece_that_is_lifted_next() -> None:
    bench = Bench().place("a2").wait(400).lift("a1").wait(60_000)
    assert bench.intents() == []
    assert ("take", "a2") in bench.chores()


@pytest.mark.parametrize("strangers", [("c2",), ("c2", "b2")])
def test_what_stood_there_before_stands_in_no_moves_way(strangers: tuple[str, ...]) -> None:
    bench = Bench()
    for space in strangers:
        bench.place(space)
    bench.wait(400).lift("a1").wait(200).place("a2").wait(350)
    assert bench.values() == [HandIntent("a1", "a2")]


def test_two_own_pieces_lifted_and_both_back_mean_nothing_but_the_owner_is_asked_who_is_who() -> None:
    bench = Bench().lift("a1").lift("b1").wait(3_000).place("b1").place("a1").wait(10_000)
    asked = SamePlacesQuestion(("a1", "b1"), "red")
    assert bench.values() == [asked]
    assert bench.tracker.guidance().question == asked
    assert bench.tracker.answer_question(True, bench.now) is None
    assert bench.wait(60_000).values() == [asked]
    assert bench.lift("a1").place("a2").wait(350).intents() == [HandIntent("a1", "a2")]


HOMES = sorted(RED | BLUE)


@pytest.mark.parametrize("homes", [HOMES[:3], HOMES[:4], ["a1", "b1", "c1"], HOMES])
@pytest.mark.parametrize("away_ms", [250, 1_000, 4_000, 30_000])
@pytest.mark.parametrize("spread_ms", [0, 5, 25])
def test_pieces_that_no_hand_has_moved_are_not_asked_about(
    homes: list[str], away_ms: int, spread_ms: int
) -> None:
    """Three or more go at once and come back at once, for however long."""
    bench = Bench()
    for home in homes:
        bench.lift(home).wait(spread_ms)
    bench.wait(away_ms)
    for home in homes:
        bench.place(home).wait(spread_ms)
    bench.told.clear()
    bench.wait(60_000)
    assert [told for told in bench.values() if isinstance(told, TrackerQuestion)] == []
    assert bench.tracker.doubtful_pairs == frozenset()
    assert bench.lift("a1").wait(300).place("a2").wait(400).intents() == [HandIntent("a1", "a2")]


def test_of_pieces_that_go_at_once_and_come_back_one_by_one_it_is_asked_who_is_who() -> None:
    """They have fallen, and hands set them up."""
    bench = Bench()
    for home in ("a1", "b1", "c1"):
        bench.lift(home)
    bench.wait(1_000)
    for home in ("a1", "b1", "c1"):
        bench.place(home).wait(600)
    assert bench.values()[-1] == SamePlacesQuestion(("a1", "b1", "c1"), "red")


def test_doubt_from_before_outlives_a_bump() -> None:
    bench = Bench().lift("a1").lift("b1").wait(3_000).place("b1").wait(100).place("a1").wait(500)
    asked = SamePlacesQuestion(("a1", "b1"), "red")
    assert bench.values() == [asked]
    for home in HOMES:
        bench.lift(home)
    bench.wait(1_000)
    for home in HOMES:
        bench.place(home)
    assert bench.wait(1_000).values()[-1] == asked
    assert bench.tracker.doubtful_pairs == {frozenset({"a1", "b1"})}


def test_a_piece_in_the_hand_is_not_doubted_for_a_bump_of_others() -> None:
    bench = Bench().lift("b1").wait(1_000)
    for home in ("a1", "c1", "a3"):
        bench.lift(home)
    bench.wait(1_000)
    for home in ("a1", "c1", "a3"):
        bench.place(home)
    bench.wait(100).place("b2").wait(400)
    assert bench.intents() == [HandIntent("b1", "b2")]


def test_with_touch_move_a_bump_obliges_to_nothing() -> None:
    bench = Bench(timing=TrackerTiming(touch_move=True))
    for home in ("a1", "b1", "c1"):
        bench.lift(home)
    bench.wait(1_000)
    for home in ("a1", "b1", "c1"):
        bench.place(home)
    assert bench.wait(1_000).lift("c1").wait(300).place("c2").wait(400).intents() == [HandIntent("c1", "c2")]


def test_who_is_who_is_not_asked_of_pieces_that_a_ruling_brought_into_the_game_from_the_box() -> None:
    bench = Bench({"c1": "red"})
    for grown in ({"c1": "red", "a1": "red"}, {"c1": "red", "a1": "red", "b1": "red"}):
        bench.position = PublicPosition(grown, frozenset(), frozenset({"red"}), STEPS)
        bench.tracker.begin_layout(bench.position, bench.felt, bench.now, hands=())
    bench.wait(500).place("a1").wait(70).place("b1").wait(10_000)
    assert bench.values() == [BoardInOrder()]
    bench.lift("a1").lift("b1").wait(500).place("a1").place("b1").wait(10_000)
    assert bench.values()[1:] == [SamePlacesQuestion(("a1", "b1"), "red")], "they have stood since"


def test_one_from_the_box_may_be_taken_for_one_that_stood_and_is_up_with_it() -> None:
    bench = Bench({"a1": "red"})
    bench.position = PublicPosition({"a1": "red", "b1": "red"}, frozenset(), frozenset({"red"}), STEPS)
    bench.tracker.begin_layout(bench.position, bench.felt, bench.now, hands=())
    bench.lift("a1").wait(500).place("b1").wait(500).place("a1").wait(10_000)
    assert bench.values()[-1] == SamePlacesQuestion(("a1", "b1"), "red")


def test_after_a_start_in_mid_game_it_is_asked_who_is_who() -> None:
    bench = Bench()
    bench.felt -= {"a1", "b1"}
    bench.tracker.begin_layout(bench.position, bench.felt, 0)
    bench.wait(500).place("a1").wait(70).place("b1").wait(10_000)
    assert bench.values()[-1] == SamePlacesQuestion(("a1", "b1"), "red")


def test_pieces_that_may_be_swapped_are_taken_up_and_set_down_anew() -> None:
    bench = Bench().lift("a1").lift("b1").wait(500).place("b1").place("a1").wait(350)
    bench.tracker.answer_question(False, bench.now)
    assert bench.chores() == [("take", "a1"), ("take", "b1")]
    bench.lift("a1").lift("b1").wait(100)
    assert bench.chores() == [("put", "a1"), ("put", "b1")]
    bench.place("a1").place("b1").wait(350)
    assert bench.values()[-1] == SamePlacesQuestion(("a1", "b1"), "red")


def test_nothing_is_judged_while_it_is_doubtful_who_is_who() -> None:
    bench = Bench().lift("a1").lift("b1").wait(500).place("b1").place("a1").wait(350)
    assert bench.lift("c1").wait(100).place("c2").wait(5_000).intents() == []
    bench.tracker.answer_question(True, bench.now)
    assert bench.wait(350).intents() == [HandIntent("c1", "c2")]


def test_two_own_pieces_lifted_and_one_moved_is_that_move_once_the_owner_says_which() -> None:
    bench = Bench().lift("a1").lift("b1").wait(500).place("a2").wait(200).place("b1").wait(350)
    assert bench.values() == [ThatPieceQuestion("a1", "a2", "b1", "red")]
    assert bench.tracker.answer_question(True, bench.now) == HandIntent("a1", "a2")


def test_the_wrong_one_of_two_pieces_goes_back() -> None:
    bench = Bench().lift("a1").lift("b1").wait(500).place("a2").wait(200).place("b1").wait(350)
    assert bench.tracker.answer_question(False, bench.now) is None
    assert bench.chores() == [("put", "a1"), ("take", "a2")]


def test_pieces_of_two_sides_in_the_air_together_are_told_apart_by_colour() -> None:
    bench = Bench().lift("a1").lift("a3").wait(500).place("a3").place("a1").wait(60_000)
    assert bench.values() == []


def test_knocked_over_pieces_are_stood_up_again_and_their_owners_asked() -> None:
    bench = Bench().lift("a1").lift("b1").lift("a3").lift("b3").wait(5_000)
    assert bench.values() == [BoardFault(FaultCode.PIECES_DOWN, ("a1", "a3", "b1", "b3"))]
    for space in ("a1", "b1", "a3", "b3"):
        bench.wait(500).place(space)
    bench.wait(350)
    assert bench.values()[-2:] == [BoardInOrder(), SamePlacesQuestion(("a1", "b1"), "red")]
    bench.tracker.answer_question(True, bench.now)
    bench.wait(350)
    assert bench.values()[-1] == SamePlacesQuestion(("a3", "b3"), "blue")


def test_pieces_that_are_down_are_asked_for_though_hands_go_on_elsewhere() -> None:
    bench = Bench().lift("a1").lift("b1").lift("b3").wait(4_000)
    for _ in range(5):
        bench.lift("a3").wait(300).place("a3").wait(4_000)
    assert BoardFault(FaultCode.PIECES_DOWN, ("a1", "b1", "b3")) in bench.values()


def test_two_fallen_pieces_are_asked_for_after_a_while() -> None:
    bench = Bench().lift("a1").lift("b1").wait(9_999)
    assert bench.values() == []
    assert bench.wait(10_000).values() == [LiftReminder("a1"), LiftReminder("b1")]
    assert bench.wait(1).values()[2:] == [BoardFault(FaultCode.PIECES_DOWN, ("a1", "b1"))]


def test_two_fallen_pieces_are_asked_for_though_hands_go_on_elsewhere() -> None:
    bench = Bench().lift("a1").lift("b1").wait(4_000)
    for _ in range(4):
        bench.lift("a3").wait(300).place("a3").wait(4_000)
    assert BoardFault(FaultCode.PIECES_DOWN, ("a1", "b1")) in bench.values()


def test_a_piece_that_is_taken_away_a_second_time_is_told_again() -> None:
    bench = Bench().lift("a3").wait(11_000).place("a3").wait(1_000)
    assert bench.values() == [LiftReminder("a3")]
    assert bench.lift("a3").wait(11_000).values() == [LiftReminder("a3"), LiftReminder("a3")]


def test_a_cleared_board_is_asked_about() -> None:
    bench = Bench()
    for space in RED | BLUE:
        bench.wait(200).lift(space)
    bench.wait(10_000)
    assert bench.values()[-1] == AdjournQuestion()
    bench.tracker.answer_question(False, bench.now)
    told = len(bench.told)
    assert len(bench.wait(60_000).told) == told, "it is asked once"
    assert bench.place("a1").tracker.guidance().question is None


@pytest.mark.parametrize(("count", "asked"), [(2, False), (3, True)])
def test_a_board_of_two_pieces_is_not_put_away_when_both_are_up(count: int, asked: bool) -> None:
    owners = dict(list(RED.items())[:count])
    bench = Bench(owners)
    for space in owners:
        bench.wait(200).lift(space)
    bench.wait(10_000)
    assert (AdjournQuestion() in bench.values()) is asked


def alone(last: tuple[str, str] | None = None, **more: frozenset[str]) -> Bench:
    """One piece alone may move, as in games where pieces have turns of their own."""
    bench = Bench()
    steps = {"a1": {"a2": False}}
    bench.position = PublicPosition(RED | BLUE, frozenset(), frozenset({"red"}), steps, last, **more)
    bench.tracker.begin_layout(bench.position, bench.felt, 0)
    return bench


def test_the_next_piece_in_a_hand_early_does_not_hold_up_the_move_before() -> None:
    bench = alone().lift("a1").wait(300).place("a2").wait(100).lift("b1").wait(250)
    assert bench.values() == [HandIntent("a1", "a2")]


def test_of_two_pieces_of_which_one_has_the_turn_it_is_asked_which_came_to_stand_there() -> None:
    bench = alone().lift("a1").wait(300).lift("b1").wait(300).place("a2").wait(350)
    assert bench.values() == [ThatPieceQuestion("a1", "a2", "b1", "red")]
    assert bench.tracker.answer_question(True, bench.now) == HandIntent("a1", "a2")


def test_what_came_unfelt_from_among_others_is_not_taken_for_the_piece_lifted_next() -> None:
    among = frozenset({"a1+1"})
    bench = (
        alone(hand_played_places=among, crowded_places=among, shared_places=frozenset({"a1"}))
        .place("a2")
        .wait(300)
        .lift("b1")
    )
    assert bench.wait(350).values() == [ThatPieceQuestion("a1", "a2", "b1", "red")]


def test_a_move_put_back_while_its_side_is_still_to_act_asks_to_be_taken_back() -> None:
    bench = alone(last=("b2", "b1")).lift("b1").wait(300).place("b2").wait(350)
    assert bench.values() == [MovePutBack("b2", "b1")]


def test_a_move_put_back_before_the_other_side_touched_a_piece_asks_to_be_taken_back() -> None:
    moved = RED | BLUE | {"a2": "red"}
    del moved["a1"]
    bench = Bench(moved, frozenset({"blue"}))
    bench.position = bench.position._replace(last_quiet_move=("a1", "a2"))
    bench.tracker.begin_layout(bench.position, bench.felt, 0, hands=("a1", "a2"))
    assert bench.lift("a2").wait(200).place("a1").wait(350).values() == [MovePutBack("a1", "a2")]


def test_a_move_put_back_later_is_out_of_turn() -> None:
    moved = RED | BLUE | {"a2": "red"}
    del moved["a1"]
    bench = Bench(moved, frozenset({"blue"}))
    bench.position = bench.position._replace(last_quiet_move=("a1", "a2"))
    bench.tracker.begin_layout(bench.position, bench.felt, 0, hands=("a1", "a2"))
    bench.lift("c3").wait(100).place("c3")
    assert bench.lift("a2").wait(200).place("a1").wait(350).values() == [
        BoardFault(FaultCode.NOT_YOUR_TURN, ("a2", "a1"))
    ]


def test_while_a_take_back_waits_for_its_answer_hands_may_go_on() -> None:
    bench = Bench()
    bench.tracker.begin_layout(bench.position._replace(is_waiting_for_answer=True), bench.felt, 0)
    assert bench.lift("a1").place("a2").wait(10_000).values() == [HandIntent("a1", "a2")]


def test_a_piece_that_was_put_back_and_stands_again_where_it_had_gone_withdraws_the_question() -> None:
    bench = Bench({"a1": "red", "a2": "blue"})
    bench.position = bench.position._replace(last_quiet_move=("a3", "a2"))
    bench.tracker.begin_layout(bench.position, bench.felt, 0, hands=("a3", "a2"))
    assert bench.lift("a2").wait(200).place("a3").wait(350).intents() == [MovePutBack("a3", "a2")]
    bench.told.clear()
    bench.tracker.begin_layout(
        bench.position._replace(is_waiting_for_answer=True), bench.felt, bench.now, hands=()
    )
    assert bench.wait(5_000).values() == []
    assert bench.lift("a3").wait(200).place("a2").wait(350).values() == [TakeBackWithdrawn("a3", "a2")]


def test_a_space_played_by_hand_is_not_felt() -> None:
    bench = Bench()
    bench.tracker.begin_layout(
        bench.position._replace(hand_played_places=frozenset({"a1", "b2"})), bench.felt - {"a1"}, 0
    )
    assert bench.chores() == []
    assert bench.place("b2").wait(10_000).values() == []
    bench.place("a2").wait(350)
    assert bench.values() == [CameFromQuestion("a1", "a2", "red")]
    assert bench.tracker.answer_question(True, bench.now) == HandIntent("a1", "a2")


def mislaid(targets: int) -> Bench:
    """Of a piece that is up, and in no hand, its space comes to be played by hand."""
    bench = Bench()
    steps = {"a1": {f"{column}2": False for column in "abcdef"[:targets]}}
    bench.position = bench.position._replace(steps=steps)
    bench.tracker.begin_layout(bench.position, bench.felt, 0)
    bench.lift("a1").wait(3_000)
    bench.tracker.answer_question(False, bench.now)
    bench.told.clear()
    blind = bench.position._replace(hand_played_places=frozenset({"a1"}))
    bench.tracker.begin_layout(blind, bench.felt, bench.now, hands=())
    return bench


@pytest.mark.parametrize("targets", [1, 2, 4, 6])
def test_of_a_piece_that_was_up_when_its_space_came_to_be_played_by_hand_it_is_asked_where_it_went(
    targets: int,
) -> None:
    """The spaces one after the other, at most four; after no to all it stands at home."""
    bench = mislaid(targets)
    asked = []
    while bench.wait(1_000).values():
        asked += bench.values()
        bench.told.clear()
        bench.tracker.answer_question(False, bench.now)
    assert asked == [MovedHereQuestion("a1", f"{column}2", "red") for column in "abcd"[: min(targets, 4)]]
    assert bench.wait(200_000).values() == []


def test_the_answer_that_it_went_there_is_its_move() -> None:
    bench = mislaid(2).wait(1_000)
    bench.tracker.answer_question(False, bench.now)
    bench.wait(1_000)
    assert bench.tracker.answer_question(True, bench.now) == HandIntent("a1", "b2")


def test_it_goes_on_being_asked_and_another_move_ends_it() -> None:
    bench = mislaid(2).wait(60_000)
    assert bench.tracker.guidance().question == MovedHereQuestion("a1", "a2", "red")
    moved = bench.position._replace(seats_to_move=frozenset({"blue"}), hand_played_places=frozenset({"a1"}))
    bench.tracker.begin_layout(moved, bench.felt, bench.now, hands=("b1", "b2"))
    bench.told.clear()
    assert bench.wait(60_000).values() == []


def test_with_touch_move_a_piece_that_was_touched_has_to_move() -> None:
    bench = Bench()
    bench.tracker = Tracker(TrackerTiming(touch_move=True))
    bench.tracker.begin_layout(bench.position, bench.felt, 0)
    bench.lift("a1").wait(400).place("a1").wait(100).lift("c1").place("c2").wait(350)
    assert bench.values() == [BoardFault(FaultCode.TOUCH_MOVE, ("c1", "c2"))]
    bench.lift("c2").place("c1").lift("a1").wait(100).place("a2").wait(350)
    assert bench.intents() == [HandIntent("a1", "a2")]


def test_with_touch_move_a_piece_that_may_not_move_frees_the_hand() -> None:
    bench = Bench()
    bench.tracker = Tracker(TrackerTiming(touch_move=True))
    bench.tracker.begin_layout(bench.position, bench.felt, 0)
    bench.lift("a1").wait(400).place("a1").wait(100).lift("a1").place("a2").wait(350)
    bench.tracker.require_corrections(bench.now)
    bench.told.clear()
    bench.lift("a2").place("a1").lift("c1").place("c2").wait(350)
    assert bench.intents() == [HandIntent("c1", "c2")]


def test_a_piece_that_leaves_a_reed_that_sticks_is_asked_about_the_first_time() -> None:
    bench = Bench().wait(100).place("a2").wait(1_999)
    assert bench.values() == [], "a piece that is pushed slowly opens its reed yet"
    asked = CameFromQuestion("a1", "a2", "red")
    assert bench.wait(1).values() == [asked]
    assert bench.wait(60_000).values() == [asked], "it goes on being asked"
    assert bench.tracker.guidance().question == asked
    assert bench.tracker.answer_question(True, bench.now) == HandIntent("a1", "a2")


def test_if_no_piece_came_there_it_is_one_too_many_at_once() -> None:
    bench = Bench().wait(100).place("a2").wait(2_000)
    bench.told.clear()
    assert bench.tracker.answer_question(False, bench.now) is None
    assert bench.wait(350).values() == [BoardFault(FaultCode.EXTRA_PIECE, ("a2",))]
    assert bench.lift("a2").wait(0).values()[-1] == BoardInOrder()


def test_a_tag_says_which_piece_left_a_reed_that_sticks_and_which_is_one_too_many() -> None:
    bench = Bench().wait(100).place("a2").wait(100)
    bench.tracker.note_identity("a2", "a1", bench.now)
    assert bench.wait(2_000).values() == [HandIntent("a1", "a2")]
    bench = Bench().wait(100).place("a2").wait(100)
    bench.tracker.note_identity("a2", None, bench.now)
    assert bench.wait(5_000).values() == [BoardFault(FaultCode.EXTRA_PIECE, ("a2",))]


class TestSnapshots:
    """The board was out of sight and comes back as a whole."""

    def test_one_move_explains_it(self) -> None:
        bench = Bench()
        bench.tracker.resync(bench.felt - {"a1"} | {"a2"}, bench.now)
        assert bench.wait(350).values() == [HandIntent("a1", "a2")]

    def test_more_than_one_move_is_led_back(self) -> None:
        bench = Bench()
        bench.tracker.resync(bench.felt - {"a1", "c1"} | {"a2", "c2"}, bench.now)
        assert bench.wait(10_000).intents() == []
        assert bench.chores() == [("put", "a1"), ("take", "a2"), ("put", "c1"), ("take", "c2")]

    def test_a_move_that_no_step_explains_is_led_back(self) -> None:
        bench = Bench()
        bench.tracker.resync(bench.felt - {"a1"} | {"b2"}, bench.now)
        assert bench.chores() == [("put", "a1"), ("take", "b2")]

    def test_nothing_changed(self) -> None:
        bench = Bench()
        bench.tracker.resync(bench.felt, bench.now)
        assert bench.wait(60_000).values() == []


def test_a_muddle_is_a_fault_that_leads_back() -> None:
    bench = Bench().lift("a1").lift("b1").wait(500).place("a2").place("b2").wait(5_000)
    assert [type(told) for told in bench.values()] == [BoardFault]
    assert bench.chores() == [("put", "a1"), ("take", "a2"), ("put", "b1"), ("take", "b2")]


def test_a_piece_held_up_for_long_is_reminded_of_once() -> None:
    bench = Bench().lift("a1").wait(119_999)
    assert bench.values() == [InHandQuestion("a1", "red")]
    assert bench.wait(60_000).values()[1:] == [LiftReminder("a1")]


def test_of_chores_left_alone_one_line_reminds_however_many_there_are() -> None:
    """Nobody lifted these pieces: they have to be stood up, and that takes hands its time."""
    bench = Bench()
    bench.tracker.begin_layout(bench.position, felt := bench.felt - set(RED), 0)
    bench.felt = set(felt)
    first, *rest = sorted(RED)
    bench.wait(119_000).place(first).wait(119_000)
    assert bench.values() == [], "who is at it is left in peace"
    assert bench.wait(600_000).values() == [OverdueCorrection(len(rest))], "once"
    for space in rest:
        bench.place(space)
    assert BoardInOrder() in bench.wait(1_000).values()
    bench.tracker.answer_question(True, bench.now)  # each stands where it was
    bench.told.clear()
    assert bench.lift(first).wait(130_000).values()[-1] == LiftReminder(first), "what a hand holds is named"


def test_hints_are_shown_while_one_piece_of_the_mover_is_up() -> None:
    bench = Bench().lift("b1")
    guidance = bench.tracker.guidance()
    assert dict(guidance.hints) == {"b2": False, "b3": True}
    assert guidance.lifted_places == ("b1",)
    bench.lift("a1")
    assert dict(bench.tracker.guidance().hints) == {}


def test_no_hint_while_chores_are_open() -> None:
    bench = Bench()
    bench.tracker.begin_layout(bench.position, bench.felt - {"a1"}, 0)
    guidance = bench.lift("b1").tracker.guidance()
    assert bench.chores() == [("put", "a1")]
    assert guidance.lifted_places == ("b1",)
    assert dict(guidance.hints) == {}


def test_no_hint_for_a_piece_lifted_out_of_turn() -> None:
    assert dict(Bench().lift("a3").tracker.guidance().hints) == {}


def test_at_a_start_every_difference_is_a_chore() -> None:
    bench = Bench()
    bench.tracker.begin_layout(bench.position, bench.felt - {"a1"} | {"a2"}, 0)
    assert bench.chores() == [("put", "a1"), ("take", "a2")]
    assert bench.wait(60_000).intents() == []


def test_a_refusal_leads_back_and_nothing_is_judged_before() -> None:
    bench = Bench().lift("a1").wait(100).place("b2").wait(350)
    assert bench.values() == [HandIntent("a1", "b2")]
    bench.tracker.require_corrections(bench.now)
    bench.told.clear()
    assert bench.chores() == [("put", "a1"), ("take", "b2")]
    bench.lift("b2").wait(100).place("a2").wait(1_000)
    assert bench.values() == [], "a legal space is not judged while chores are open"
    assert bench.chores() == [("put", "a1"), ("take", "a2")]
    bench.lift("a2").wait(100).place("a1").wait(0)
    assert bench.values() == [BoardInOrder()]


class TestBattles:
    """After an attack of b1 on b3."""

    def attacked(self) -> Bench:
        return Bench().lift("b1").wait(100).lift("b3").wait(350)

    def touched(self) -> Bench:
        return Bench().lift("b1").wait(400).lift("b3").wait(90).place("b3").wait(350)

    lost: ClassVar = {space: seat for space, seat in (RED | BLUE).items() if space != "b1"}
    won: ClassVar = lost | {"b3": "red"}
    both: ClassVar = {space: seat for space, seat in lost.items() if space != "b3"}

    def test_the_winner_is_set_on_the_space(self) -> None:
        bench = self.attacked().rule(self.won, ("b1", "b3"))
        assert bench.chores() == [("put", "b3")]
        assert bench.place("b3").wait(0).values() == [BoardInOrder()]

    def test_a_loser_that_was_only_touched_goes_first(self) -> None:
        bench = self.touched().rule(self.won, ("b1", "b3"), exchange="b3")
        assert bench.chores() == [("take", "b3")]
        assert bench.lift("b3").wait(0).chores() == [("put", "b3")]
        assert bench.place("b3").wait(0).values() == [BoardInOrder()]

    @pytest.mark.parametrize(("opens", "asked"), [(0, True), (15, True), (200, True), (201, False)])
    def test_a_push_onto_a_chore_is_asked_about_though_its_reed_closes_twice(
        self, opens: int, asked: bool
    ) -> None:
        """A flat reed closes, opens for a moment over its null and closes again: one piece, pushed there."""
        bench = self.attacked().rule(self.lost, ("b1", "b3"))
        assert bench.chores() == [("put", "b3")]
        places = {"a3": (0.0, 90.0), "b3": (45.0, 90.0), "c3": (90.0, 90.0)}
        position = bench.tracker.position._replace(place_coordinates_mm=places)
        bench.tracker.begin_layout(position, bench.felt, bench.now, hands=("b1", "b3"))
        bench.lift("a3").wait(118).place("b3")
        if opens:
            bench.wait(50).lift("b3").wait(opens).place("b3")
        bench.wait(4_000)
        assert (WhoStandsQuestion("b3", "a3", "blue") in bench.values()) is asked

    def test_a_defender_that_was_only_touched_leaves_no_chore(self) -> None:
        bench = self.touched().rule(self.lost, ("b1", "b3"))
        assert bench.chores() == []
        assert bench.tracker.is_in_order

    def test_a_defender_that_won_is_set_back(self) -> None:
        bench = self.attacked().rule(self.lost, ("b1", "b3"))
        assert bench.chores() == [("put", "b3")]

    def test_nothing_is_to_do_when_both_fall(self) -> None:
        assert self.attacked().rule(self.both, ("b1", "b3")).chores() == []
        assert self.touched().rule(self.both, ("b1", "b3")).chores() == [("take", "b3")]

    def test_an_early_reply_onto_the_chore_square_is_asked_about(self) -> None:
        bench = self.attacked()
        bench.told.clear()
        steps = {"a3": {"b3": True}}
        bench.tracker.begin_layout(
            PublicPosition(self.won, frozenset(), frozenset({"blue"}), steps),
            bench.felt,
            bench.now,
            hands=("b1", "b3"),
        )
        bench.lift("a3").wait(200).place("b3").wait(350)
        assert bench.values() == [WhoStandsQuestion("b3", "a3", "red")], "not in order before that"
        bench.tracker.answer_question(False, bench.now)
        assert bench.chores() == [("take", "b3")]

    def test_a_battle_on_a_space_played_by_hand_leaves_no_chore_that_cannot_be_felt(self) -> None:
        bench = self.attacked()
        blind = frozenset({"b3"})
        position = PublicPosition(self.won, frozenset(), frozenset({"red"}), {}, hand_played_places=blind)
        bench.tracker.begin_layout(position, bench.felt, bench.now, hands=("b1", "b3"), exchange="b3")
        assert bench.chores() == []

    def test_a_layout_that_is_no_rulings_leaves_the_chores_of_the_battle(self) -> None:
        """As when a square is played by hand from now on, before the winner stands on his."""
        bench = self.attacked()
        position = PublicPosition(self.won, frozenset(), frozenset({"red"}), {})
        bench.tracker.begin_layout(position, bench.felt, bench.now, hands=("b1", "b3"), exchange="b3")
        bench.tracker.begin_layout(position, bench.felt, bench.now, hands=(), exchange="b3")
        assert bench.chores() == [("put", "b3")]

    @pytest.mark.parametrize("pushed", [False, True])
    def test_a_piece_that_moves_to_where_the_winner_came_from_is_the_next_move(self, pushed: bool) -> None:
        bench = self.attacked()
        bench.told.clear()
        position = PublicPosition(self.won, frozenset(), frozenset({"red"}), {"a1": {"b1": False}})
        bench.tracker.begin_layout(position, bench.felt, bench.now, hands=("b1", "b3"), exchange="b3")
        bench.place("b3").wait(500)
        if pushed:
            bench.place("b1").wait(50).lift("a1").wait(900)
        else:
            bench.lift("a1").wait(200).place("b1").wait(400)
        assert bench.values() == [BoardInOrder(), HandIntent("a1", "b1")]

    def test_the_opponents_next_move_is_held_until_the_chore_is_done(self) -> None:
        bench = self.attacked().rule(self.won, ("b1", "b3"))
        bench.lift("a3").wait(200).place("a2").wait(3_000)
        assert bench.values() == []
        assert bench.chores() == [("put", "b3")]
        bench.place("b3").wait(350)
        assert bench.values() == [BoardInOrder(), HandIntent("a3", "a2")]


def test_an_early_reply_is_not_lost() -> None:
    bench = Bench().lift("a1").wait(200).place("a2").wait(100).lift("c3").wait(150).place("c2").wait(100)
    assert bench.values() == [HandIntent("a1", "a2")]
    owners = RED | BLUE | {"a2": "red"}
    del owners["a1"]
    bench.rule(owners, ("a1", "a2"))
    assert bench.chores() == []
    assert bench.wait(350).values() == [HandIntent("c3", "c2")]


def test_chores_name_whose_piece_is_missing() -> None:
    bench = Bench()
    bench.tracker.begin_layout(bench.position, bench.felt - {"a3"}, 0)
    assert bench.tracker.guidance().corrections == (Correction("put", "a3", "blue"),)


@pytest.mark.parametrize("held", [1, 30, 120])
def test_still_time_starts_again_when_the_piece_moves_on(held: int) -> None:
    bench = Bench().lift("a1").place("a2").wait(300).lift("a2").wait(held).place("a2").wait(349)
    assert bench.values() == []
    assert bench.wait(1).values() == [HandIntent("a1", "a2")]


def test_timing_is_in_microseconds() -> None:
    assert TrackerTiming().settle == 350 * MS
    assert TrackerTiming().remind == 120 * SECOND


class TestAStrangerOnTheSquareOfAPieceThatStandsElsewhere:
    """Nothing was in the air that belongs there: the owner is asked who stands."""

    def bench(self) -> Bench:
        return Bench(movers=frozenset()).lift("a1").wait(200).place("a2").wait(5_000).place("a1").wait(400)

    def test_the_owner_is_asked(self) -> None:
        assert self.bench().values()[-1] == WhoStandsQuestion("a1", "a2", "red")

    def test_a_stranger_comes_off_first(self) -> None:
        bench = self.bench()
        bench.tracker.answer_question(False, bench.now)
        assert bench.chores() == [("take", "a1"), ("take", "a2")]
        assert bench.lift("a1").chores() == [("put", "a1"), ("take", "a2")]

    def test_the_right_one_stays(self) -> None:
        bench = self.bench()
        bench.tracker.answer_question(True, bench.now)
        assert bench.chores() == [("take", "a2")]

    def test_it_stays_a_question_when_the_other_is_taken_off(self) -> None:
        bench = self.bench().lift("a2").wait(400)
        assert bench.values()[-1] == WhoStandsQuestion("a1", "a2", "red")

    def test_a_piece_that_slides_home_is_none(self) -> None:
        bench = Bench(movers=frozenset()).lift("a1").wait(200).place("a2").wait(5_000).place("a1").wait(100)
        assert bench.lift("a2").wait(1_000).tracker.is_in_order
        assert not [told for told in bench.values() if isinstance(told, TrackerQuestion)]


def test_doubt_about_a_piece_falls_with_it() -> None:
    """Where it stood stands another now, of the other side."""
    bench = Bench().lift("a3").lift("b3").wait(500).place("a3").place("b3").lift("b1").lift("b3").wait(500)
    bench.rule({"a1": "red", "b3": "red", "c1": "red", "a3": "blue", "c3": "blue"}, ("b1", "b3"))
    assert bench.tracker.doubtful_pairs == frozenset()


class TestAPieceThatMayStandUponAnotherOnesSquare:
    """It was sensed to leave late, or not to be able to attack there: what is sensed there may be either."""

    FIRST = AttackWhereQuestion("c1", ("c3", "b3"), "red")
    ASKED = WhoStandsQuestion("a3", "c1", "red")

    def bench(self) -> Bench:
        """c1 can't attack a3: a3 goes, c1 goes, something comes to stand on a3, and c1 attacks no other."""
        bench = Bench().lift("a3").wait(1_000).lift("c1").wait(900).place("a3").wait(900)
        if bench.wait(2_000).values() == [self.FIRST]:
            bench.tracker.answer_question(False, bench.now)
        bench.told.clear()
        return bench

    def test_what_it_may_attack_is_asked_first(self) -> None:
        bench = Bench().lift("a3").wait(1_000).lift("c1").wait(900).place("a3")
        assert bench.wait(2_499).values() == []
        assert bench.wait(1).values() == [self.FIRST]

    def test_it_is_asked_once_the_piece_stays_up(self) -> None:
        bench = self.bench().wait(19_000)
        assert bench.values() == []
        assert bench.wait(1_500).values() == [self.ASKED]

    def test_whichever_was_lifted_first(self) -> None:
        bench = Bench().lift("c1").wait(900).lift("a3").wait(900).place("a3").wait(3_000)
        bench.tracker.answer_question(False, bench.now)
        assert bench.wait(21_000).values() == [self.FIRST, self.ASKED]

    def test_out_of_turn_as_well(self) -> None:
        bench = Bench(movers=frozenset({"blue"})).lift("a3").lift("c1").wait(900).place("a3").wait(21_000)
        assert bench.values() == [LiftReminder("c1"), self.ASKED]

    def test_the_wrong_one_comes_off_and_both_go_home(self) -> None:
        bench = self.bench().wait(21_000)
        bench.tracker.answer_question(False, bench.now)
        assert bench.chores() == [("take", "a3")]
        bench.wait(900).lift("a3").wait(900)
        assert bench.chores() == [("put", "a3")]
        assert bench.place("c1").wait(900).place("a3").wait(30_000).tracker.is_in_order
        assert [told for told in bench.values() if not isinstance(told, UnconfirmedCorrection)] == [
            self.ASKED,
            BoardInOrder(),
        ]

    def test_the_right_one_stays_and_is_not_asked_about_again(self) -> None:
        bench = self.bench().wait(21_000)
        bench.tracker.answer_question(True, bench.now)
        assert bench.wait(60_000).tracker.is_in_order
        assert bench.values()[:1] == [self.ASKED]
        assert self.ASKED not in bench.values()[1:]

    def test_a_piece_that_comes_home_or_moves_on_stands_nowhere_else(self) -> None:
        assert self.bench().place("c1").wait(30_000).values() == []
        assert self.bench().place("c2").wait(900).values() == [HandIntent("c1", "c2")]

    def test_a_short_dip_is_no_exchange_and_an_attack_is_asked_about_as_one(self) -> None:
        bench = Bench().lift("c1").wait(900).lift("a3").wait(100).place("a3").wait(21_000)
        assert bench.values() == [AttackWhereQuestion("c1", ("c3", "b3"), "red")]
        bench = Bench().lift("b1").wait(900).lift("b3").wait(250).place("b3").wait(21_000)
        assert bench.values()[1:] == [AttackHereQuestion("b1", "b3", "red")]


def test_what_comes_into_a_space_of_several_is_first_what_a_chore_waits_for() -> None:
    """A man was taken out of the cells early while another is to be put in: the one put in is that one."""
    owners = {"cells": "red", "cells+1": "red", "cells+2": "blue"}
    position = PublicPosition(owners, frozenset(), frozenset({"red"}), {}, has_alike_pieces=True)
    felt = {"cells+1"}
    assert list(place_changes("cells", 2, felt, position)) == [("cells", True)]
    assert list(place_changes("cells", 2, felt, position, {"cells+2"})) == [("cells+2", True)]


class TestPiecesThatAreAllAlike:
    """Several of them move in a turn, and nobody is asked who is who."""

    def bench(self, owners: dict[str, str], steps: dict[str, dict[str, bool]]) -> Bench:
        bench = Bench(owners)
        bench.position = PublicPosition(owners, frozenset(), frozenset({"red"}), steps, has_alike_pieces=True)
        bench.tracker.begin_layout(bench.position, bench.felt, 0)
        return bench

    def arrests(self) -> Bench:
        """The guard of a1 and the man of b3 are up, then the guard of c1, who may not move; something comes
        to a2, where the first guard might go as well."""
        bench = self.bench({"a1": "red", "c1": "red", "b3": "blue"}, {"a1": {"a2": False, "b3": True}})
        bench.lift("a1").wait(800).lift("b3").wait(500)
        assert bench.values() == [self.ARREST]
        bench.lift("c1").wait(9_000)
        assert bench.values() == [self.ARREST]
        assert bench.tracker.guidance().question == self.ARREST
        assert bench.place("a2").wait(9_000).values()[1:] == [self.ASKED]
        return bench

    ARREST = AttackPendingQuestion("a1", "b3", "red")
    ASKED = ThatPieceQuestion("a1", "a2", "c1", "red")

    def test_who_is_moved_while_an_attack_waits_waits_for_its_answer(self) -> None:
        bench = self.arrests()
        assert bench.tracker.answer_question(False, bench.now) is None
        assert bench.wait(9_000).values()[2:] == [self.ARREST]
        bench.lift("a2").wait(500).place("a2").wait(500)  # what comes anew may be another one
        assert bench.intents() == []
        assert bench.values()[-1] == self.ASKED
        bench = self.arrests()
        bench.tracker.answer_question(False, bench.now)
        assert bench.wait(500).tracker.answer_question(True, bench.now) == HandIntent("a1", "b3")
        after = PublicPosition(
            {"c1": "red"}, frozenset(), frozenset({"red"}), {"c1": {"a2": False}}, has_alike_pieces=True
        )
        bench.told.clear()
        bench.tracker.begin_layout(after, bench.felt, bench.now, hands=("a1", "b3"))
        assert bench.chores() == []
        assert bench.wait(400).values() == [HandIntent("c1", "a2")]

    def test_an_attack_that_is_given_up_for_a_move_is_asked_about_where_another_is_up(self) -> None:
        bench = self.arrests()
        assert bench.tracker.answer_question(True, bench.now) == HandIntent("a1", "a2")

    def test_a_move_that_came_first_is_judged_before_the_attack(self) -> None:
        bench = self.bench(
            {"a1": "red", "c1": "red", "b3": "blue"}, {"a1": {"b3": True}, "c1": {"c2": False}}
        )
        bench.lift("c1").wait(100).place("c2").wait(100).lift("a1").wait(50).lift("b3").wait(400)
        assert bench.values() == [HandIntent("c1", "c2")]

    @pytest.mark.parametrize("overlap", [20, 340, 550])
    def test_the_place_that_one_has_left_may_be_taken_by_the_next_before_the_ruling(
        self, overlap: int
    ) -> None:
        bench = self.bench({"a1": "red", "b1": "red"}, {"a1": {"a2": False}, "b1": {"a2": False}})
        places = {"a1": (0.0, 45.0), "a2": (0.0, 90.0), "a3": (0.0, 135.0), "b1": (0.0, 0.0)}
        steps = {"a1": {"a2": False, "a3": False}, "b1": {"a2": False}}
        bench.tracker.begin_layout(
            bench.position._replace(place_coordinates_mm=places, steps=steps), bench.felt, 0
        )
        lifted = (
            bench.lift("a1").wait(100).place("a2").wait(overlap).lift("b1").wait(100).place("a1").wait(800)
        )
        if overlap < 350:  # by a push: either may have gone there
            assert lifted.values() == [ThatPieceQuestion("b1", "a2", "a1", "red")]
            assert bench.tracker.answer_question(False, bench.now) == HandIntent("a1", "a2")
        else:
            assert lifted.values() == [HandIntent("a1", "a2")]
        bench.told.clear()
        after = PublicPosition(
            {"a2": "red", "b1": "red"},
            frozenset(),
            frozenset({"red"}),
            {"b1": {"a1": False}},
            has_alike_pieces=True,
        )
        bench.tracker.begin_layout(after, bench.felt, bench.now, hands=("a1", "a2"))
        assert bench.chores() == []
        assert bench.wait(400).values() == [HandIntent("b1", "a1")]


# What a child sets down while the mover's own piece is in the hand

FAR = {"a1": (0.0, 0.0), "a2": (0.0, 45.0), "b1": (45.0, 0.0), "h6": (315.0, 225.0), "g7": (270.0, 270.0)}
"""Where some spaces lie: h6 and g7 are far from all others."""


@pytest.mark.parametrize("space", ["h6", "g7"])
@pytest.mark.parametrize("held_ms", [300, 1_000, 1_900, 2_500, 30_000])
@pytest.mark.parametrize("when", ["before", "while it is up", "after"])
def test_what_somebody_sets_down_far_away_is_a_piece_too_many_and_the_move_counts(
    space: str, held_ms: int, when: str
) -> None:
    """However long the mover holds its piece. What seems to be a move nowhere is refused, and forgotten."""
    bench = Bench()
    bench.tracker.begin_layout(bench.position._replace(place_coordinates_mm=FAR), bench.felt, 0)
    if when == "before":
        bench.place(space).wait(600)
    bench.lift("a1").wait(200)
    if when == "while it is up":
        bench.place(space)
    bench.wait(held_ms)
    if bench.intents():
        assert bench.intents() == [HandIntent("a1", space)], "what can't be is refused"
        assert held_ms > 300
        bench.tracker.require_corrections(bench.now)
        bench.told.clear()
    bench.place("a2")
    if when == "after":
        bench.wait(100).place(space)
    if when == "before" and held_ms > 5_000:
        assert bench.wait(0).chores() == [("take", space)]
        bench.wait(1_000).lift(space)
        assert bench.wait(400).intents() == [HandIntent("a1", "a2")], "held until the other one is off"
        return
    bench.wait(400)
    assert bench.intents() == [HandIntent("a1", "a2")]
    after = {"a2": "red", "b1": "red", "c1": "red"} | BLUE
    bench.told.clear()
    bench.tracker.begin_layout(
        PublicPosition(
            after, frozenset(), frozenset({"blue"}), {"a3": {"a4": False}}, place_coordinates_mm=FAR
        ),
        bench.felt,
        bench.now,
        hands=("a1", "a2"),
    )
    bench.wait(6_000)
    assert [told.code for told in bench.values() if isinstance(told, BoardFault)] == ["extra-piece"]
    assert bench.chores() == [("take", space)]
    assert bench.lift(space).wait(10_000).chores() == []


def test_a_piece_that_is_pushed_on_from_where_it_was_refused_has_to_go_back() -> None:
    """It never left the hand's reach: one of two reeds that closed one after the other opens again."""
    bench = Bench()
    places = {"a1": (0.0, 0.0), "a2": (0.0, 45.0), "b2": (45.0, 45.0)}
    bench.tracker.begin_layout(bench.position._replace(place_coordinates_mm=places), bench.felt, 0)
    bench.lift("a1").wait(200).place("b2").wait(400)
    assert bench.intents() == [HandIntent("a1", "b2")]
    bench.tracker.require_corrections(bench.now)
    bench.told.clear()
    bench.wait(1_000).place("a2").wait(60).lift("b2").wait(3_000)
    assert bench.intents() == []
    assert bench.chores() == [("put", "a1"), ("take", "a2")]


AB = frozenset({frozenset({"a1", "b1"})})
LOST = {space: seat for space, seat in (RED | BLUE).items() if space != "b1"}
"""The layout once b1 has attacked b3 and lost."""
WHO = WhoStandsQuestion("b3", "b1", "blue")


def battle_lost() -> Bench:
    """The piece of b1 has attacked b3 and lost; both are in hands."""
    bench = Bench().lift("b1").lift("b3").wait(300)
    return bench.rule(LOST, ("b1", "b3"))


def started(owners: dict[str, str], felt: str, doubts: str = "", **given: Any) -> Bench:
    """A tracker that begins in mid-game, with pieces on the squares that `felt` names."""
    bench = Bench()
    bench.tracker, bench.felt, bench.now = Tracker(), set(felt.split()), 60_000 * MS
    bench.position = PublicPosition(owners, frozenset(), frozenset({"blue"}), {"a3": {"a2": False}})
    known = parse_open_doubts(doubts)
    position = bench.position._replace(
        **{key: given.pop(key) for key in ("last_quiet_move", "is_waiting_for_answer") if key in given}
    )
    bench.tracker.begin_layout(position, bench.felt, bench.now, doubts=known, **given)
    return bench


class TestDoubts:
    def test_what_is_said_meanwhile_forgets_no_question(self) -> None:
        """An offer is a ruling on nothing that hands did."""
        bench = battle_lost().place("b3").wait(400).place("b1").wait(400)
        assert WHO in bench.values()
        bench.told.clear()
        bench.tracker.begin_layout(bench.position._replace(owners=LOST), bench.felt, bench.now, hands=())
        assert bench.wait(400).values() == [WHO]

    def test_what_is_said_meanwhile_forgets_no_answer(self) -> None:
        bench = battle_lost().place("b3").wait(400).place("b1").wait(400)
        bench.tracker.answer_question(False, bench.now)
        bench.tracker.begin_layout(bench.position._replace(owners=LOST), bench.felt, bench.now, hands=())
        assert ("take", "b3") in bench.chores()

    def test_what_is_said_after_a_battle_does_not_end_it(self) -> None:
        bench = battle_lost()
        bench.tracker.begin_layout(bench.position._replace(owners=LOST), bench.felt, bench.now, hands=())
        assert WHO in bench.place("b3").wait(400).place("b1").wait(400).values()

    def test_once_it_is_said_that_the_winner_stands_the_loser_comes_off_at_once(self) -> None:
        bench = battle_lost().place("b3").wait(400).place("b1").wait(400)
        assert bench.chores() == []
        bench.tracker.answer_question(True, bench.now)
        assert bench.chores() == [("take", "b1")]

    def test_all_that_is_open_is_known_before_anything_is_asked(self) -> None:
        bench = Bench().lift("a1")
        assert bench.tracker.open_doubts == OpenDoubts()
        bench.lift("b1")
        assert bench.tracker.open_doubts == OpenDoubts(AB)
        bench.wait(1_000).place("b1").wait(1_000).place("a1")
        assert bench.tracker.open_doubts == OpenDoubts(AB)
        lost = battle_lost().place("b3").wait(400).place("b1")
        assert lost.tracker.open_doubts == OpenDoubts(occupant_doubts=frozenset({("b3", "b1")}))
        lost.wait(400).tracker.answer_question(False, lost.now)
        assert lost.tracker.open_doubts == OpenDoubts(wrong_piece_spaces=frozenset({"b3"}))

    def test_pieces_of_both_sides_in_hands_or_all_alike_are_no_doubt(self) -> None:
        assert Bench().lift("a1").lift("b3").tracker.open_doubts == OpenDoubts()
        bench = Bench()
        bench.tracker.begin_layout(bench.position._replace(has_alike_pieces=True), bench.felt, 0)
        assert bench.lift("a1").lift("b1").tracker.open_doubts == OpenDoubts()

    def test_pieces_in_hands_while_the_board_is_out_of_sight_may_be_swapped(self) -> None:
        bench = Bench().lift("a1").lift("b1").wait(500)
        bench.tracker.resync(RED | BLUE, bench.now)
        assert bench.wait(400).values() == [SamePlacesQuestion(("a1", "b1"), "red")]

    @pytest.mark.parametrize("given", [{"battle": ("b1", "b3")}, {"last_quiet_move": ("b1", "b3")}])
    def test_at_a_start_two_pieces_at_the_ends_of_the_last_move_are_in_doubt(self, given: Any) -> None:
        bench = started(LOST, "a1 b1 c1 a3 b3 c3", **given)
        assert bench.chores() == [], "the loser may stand for the winner"
        assert bench.wait(400).values() == [WHO]

    def test_at_a_start_a_piece_elsewhere_is_one_too_many(self) -> None:
        bench = started(LOST, "a1 b2 c1 a3 b3 c3", battle=("b1", "b3"))
        assert bench.chores() == [], "it may have come off a sensor that sticks"
        assert bench.wait(400).values() == []
        assert bench.wait(5_000).values() == [BoardFault(FaultCode.EXTRA_PIECE, ("b2",))]

    def test_what_comes_home_while_the_right_piece_may_stand_elsewhere_is_asked_about(self) -> None:
        bench = started(LOST, "a1 b1 c1 a3 c3", battle=("b1", "b3")).wait(1_000)
        assert sorted(bench.chores()) == [("put", "b3"), ("take", "b1")]
        assert bench.place("b3").wait(400).values()[-1] == WHO

    def test_what_was_noted_is_asked_again_and_led_on(self) -> None:
        whole = "a1 b1 c1 a3 b3 c3"
        assert started(RED | BLUE, whole, "a1=b1").wait(400).values() == [
            SamePlacesQuestion(("a1", "b1"), "red")
        ]
        assert started(RED | BLUE, whole, "b3?b1").wait(400).values() == [WHO]
        wrong = started(RED | BLUE, whole, "b3!")
        assert (wrong.chores(), wrong.tracker.is_in_order) == ([("take", "b3")], False)
        assert started(RED | BLUE, "a1 b1 c1 a3 c3", "b3! b3?b1").chores() == [("put", "b3")], (
            "it is up anyway"
        )

    def test_doubt_outlives_a_move_that_was_only_said(self) -> None:
        bench = started(RED | BLUE, "a1 b1 c1 a3 b3 c3", "a1=b1")
        moved = {("a2" if space == "a1" else space): seat for space, seat in (RED | BLUE).items()}
        bench.tracker.begin_layout(
            bench.position._replace(owners=moved), bench.felt, bench.now, hands=(), carried=("a1", "a2")
        )
        assert bench.tracker.doubtful_pairs == {frozenset({"a2", "b1"})}

    def test_a_take_back_that_waits_at_a_start_asks_for_no_piece_to_be_moved(self) -> None:
        moved = {("b2" if space == "b1" else space): seat for space, seat in (RED | BLUE).items()}
        bench = started(
            moved, "a1 b1 c1 a3 b3 c3", last_quiet_move=("b1", "b2"), is_waiting_for_answer=True
        ).wait(1_000)
        assert bench.chores() == []
        bench.lift("b1").wait(500).place("b2").wait(400)
        assert TakeBackWithdrawn("b1", "b2") in bench.values()
        astray = started(moved, "a1 b1 c1 a3 b3", last_quiet_move=("b1", "b2"), is_waiting_for_answer=True)
        assert astray.chores() == [("put", "c3")], "all else is a chore"


def test_what_was_set_down_beside_a_winner_at_once_may_be_the_winner() -> None:
    """A piece on the border of two spaces closes both, and so do a winner and whom it has beaten."""
    won = {space: seat for space, seat in (RED | BLUE).items() if space != "b1"} | {"b3": "red"}
    for right, left in ((True, [("centre", "b3")]), (False, [("take", "b3")])):
        bench = Bench().lift("b1").lift("b3").wait(500)
        bench.rule(won, ("b1", "b3"))
        bench.wait(10).place("b3").wait(100).place("b2").wait(4_999)
        assert bench.values() == [BoardInOrder()]
        assert bench.wait(1).values()[1:] == [WhoStandsQuestion("b3", "b2", "red")]
        bench.tracker.answer_question(right, bench.now)
        assert bench.wait(5_000).chores() == left
    assert bench.lift("b3").wait(0).chores() == [("take", "b2"), ("put", "b3")]
