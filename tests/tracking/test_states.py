"""The table of the tracker: every state, question and fault has its rows, and the page has the same."""

from __future__ import annotations

import pytest

from boardumpire.tracking.events import FaultCode
from boardumpire.tracking.questions import PENDING_ATTACK_CODES, QuestionCode
from boardumpire.tracking.states import STATE_CONDITIONS, TRANSITIONS, TrackerState, Transition
from house import tracker_page


def test_every_state_has_a_condition_and_all_that_judge_hands_have_rows() -> None:
    assert [state for state, _, _ in STATE_CONDITIONS] == list(TrackerState)
    assert {row.state for row in TRANSITIONS} == set(TrackerState) - {TrackerState.WAITING}


def test_every_question_and_fault_of_the_tracker_comes_of_a_row() -> None:
    events = {event for row in TRANSITIONS for event in row.events}
    assert {*QuestionCode} - events == {*PENDING_ATTACK_CODES}
    elsewhere = {
        FaultCode.BETWEEN_RINGS,
        FaultCode.NOT_AT_HOME,
        FaultCode.NOT_READY,
        FaultCode.TOUCH_MOVE,
    }
    assert {*FaultCode} - events == elsewhere


@pytest.mark.parametrize("row", TRANSITIONS, ids=lambda row: f"{row.state}: {row.rule.__name__}")
def test_every_row_says_what_hands_have_done(row: Transition) -> None:
    assert row.describe_hands().endswith(".")


def test_the_page_has_the_table_of_the_program() -> None:
    text = tracker_page.DOCUMENT.read_text()
    assert tracker_page.written(text) == text, "PYTHONPATH=tests .venv/bin/python -m house.tracker_page"
