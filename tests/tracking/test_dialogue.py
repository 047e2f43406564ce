"""What people are asked, what was asked a moment ago, and values worked out once for each version."""

from __future__ import annotations

from boardumpire.tracking.derived import VersionedCache
from boardumpire.tracking.dialogue import Dialogue
from boardumpire.tracking.events import BoardFault, FaultCode
from boardumpire.tracking.questions import AttackPendingQuestion, InHandQuestion

FIRST, SECOND = AttackPendingQuestion("b1", "b3", "red"), AttackPendingQuestion("b1", "c3", "red")


def test_a_pending_attack_is_reported_once() -> None:
    dialogue = Dialogue()
    dialogue.update_pending_attack(FIRST)
    assert dialogue.has_unreported_pending
    assert dialogue.take_unreported_pending() == FIRST
    assert not dialogue.has_unreported_pending
    assert dialogue.take_unreported_pending() is None
    dialogue.update_pending_attack(None)
    dialogue.update_pending_attack(FIRST)
    assert dialogue.take_unreported_pending() == FIRST, "it had gone meanwhile"


def test_what_was_denied_is_not_pending_until_hands_move() -> None:
    dialogue = Dialogue()
    dialogue.update_pending_attack(FIRST)
    dialogue.close_question(FIRST, yes=False, now=10)
    dialogue.update_pending_attack(FIRST)
    assert dialogue.current_question is None
    assert dialogue.settled_events == {FIRST}
    dialogue.note_hands_moved()
    dialogue.update_pending_attack(FIRST)
    assert dialogue.current_question == FIRST


def test_a_yes_to_a_pending_attack_leaves_it_open_to_be_pending_again() -> None:
    dialogue = Dialogue()
    dialogue.close_question(FIRST, yes=True, now=10)
    assert dialogue.settled_events == frozenset()
    dialogue.close_question(InHandQuestion("a1", "red"), yes=True, now=20)
    assert dialogue.settled_events == {InHandQuestion("a1", "red")}


def test_what_was_reported_to_be_no_attack_is_settled_until_hands_move() -> None:
    dialogue = Dialogue()
    dialogue.no_attack_fault = BoardFault(FaultCode.NO_ATTACK, ("a1", "a3"))
    assert dialogue.settled_events == {dialogue.no_attack_fault}
    dialogue.begin_turn()
    assert dialogue.settled_events == frozenset()


def test_a_question_that_has_just_taken_the_place_of_another_is_known() -> None:
    dialogue = Dialogue()
    dialogue.update_pending_attack(FIRST)
    dialogue.note_shown_question(100)
    assert dialogue.question_since() == 100
    dialogue.update_pending_attack(SECOND)
    dialogue.note_shown_question(200)
    assert dialogue.just_replaced_question(within=50, now=249) == FIRST
    assert dialogue.just_replaced_question(within=50, now=250) is None, "it was read meanwhile"
    dialogue.close_question(SECOND, yes=False, now=210)
    assert dialogue.just_replaced_question(within=50, now=211) is None, (
        "what comes next follows from the answer"
    )


def test_a_derived_value_is_worked_out_once_for_each_version() -> None:
    made: list[int] = []
    value = VersionedCache(lambda: (made.append(1), len(made))[1])
    assert [value.value_for_version(version) for version in (1, 1, 2, 2, 1)] == [1, 1, 2, 2, 3]
