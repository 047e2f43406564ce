"""What people are asked, what was asked a moment ago, and values worked out once for each version."""

from __future__ import annotations

from boardumpire.tracking.derived import Derived
from boardumpire.tracking.dialogue import Dialogue
from boardumpire.tracking.events import BoardFault, FaultCode
from boardumpire.tracking.questions import AttackPending, InHand

FIRST, SECOND = AttackPending("b1", "b3", "red"), AttackPending("b1", "c3", "red")


def test_a_pending_attack_is_reported_once() -> None:
    dialogue = Dialogue()
    dialogue.see_pending(FIRST)
    assert dialogue.has_unreported
    assert dialogue.report_pending() == FIRST
    assert not dialogue.has_unreported
    assert dialogue.report_pending() is None
    dialogue.see_pending(None)
    dialogue.see_pending(FIRST)
    assert dialogue.report_pending() == FIRST, "it had gone meanwhile"


def test_what_was_denied_is_not_pending_until_hands_move() -> None:
    dialogue = Dialogue()
    dialogue.see_pending(FIRST)
    dialogue.close(FIRST, yes=False, now=10)
    dialogue.see_pending(FIRST)
    assert dialogue.open is None
    assert dialogue.settled == {FIRST}
    dialogue.hands_moved()
    dialogue.see_pending(FIRST)
    assert dialogue.open == FIRST


def test_a_yes_to_a_pending_attack_leaves_it_open_to_be_pending_again() -> None:
    dialogue = Dialogue()
    dialogue.close(FIRST, yes=True, now=10)
    assert dialogue.settled == frozenset()
    dialogue.close(InHand("a1", "red"), yes=True, now=20)
    assert dialogue.settled == {InHand("a1", "red")}


def test_what_was_reported_to_be_no_attack_is_settled_until_hands_move() -> None:
    dialogue = Dialogue()
    dialogue.no_attack = BoardFault(FaultCode.NO_ATTACK, ("a1", "a3"))
    assert dialogue.settled == {dialogue.no_attack}
    dialogue.begin_turn()
    assert dialogue.settled == frozenset()


def test_a_question_that_has_just_taken_the_place_of_another_is_known() -> None:
    dialogue = Dialogue()
    dialogue.see_pending(FIRST)
    dialogue.note_shown(100)
    assert dialogue.open_since() == 100
    dialogue.see_pending(SECOND)
    dialogue.note_shown(200)
    assert dialogue.just_replaced(within=50, now=249) == FIRST
    assert dialogue.just_replaced(within=50, now=250) is None, "it was read meanwhile"
    dialogue.close(SECOND, yes=False, now=210)
    assert dialogue.just_replaced(within=50, now=211) is None, "what comes next follows from the answer"


def test_a_derived_value_is_worked_out_once_for_each_version() -> None:
    made: list[int] = []
    value = Derived(lambda: (made.append(1), len(made))[1])
    assert [value.of_version(version) for version in (1, 1, 2, 2, 1)] == [1, 1, 2, 2, 3]
