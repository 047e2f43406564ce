"""An umpire that is broken on purpose: rules of the tracker's table that say something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boardumpire.tracking import states
from boardumpire.tracking.rules.moves import UNFINISHED_GESTURE, RuleResult
from boardumpire.tracking.situation import Situation
from boardumpire.tracking.states import TrackerState, Transition

Rule = Callable[[Situation], RuleResult]


def ignore(monkeypatch: Any, rule: Rule) -> None:
    """Nothing comes of what this rule would say."""

    def ignored(s: Situation) -> RuleResult:
        return None if rule(s) is None else UNFINISHED_GESTURE

    rows = {
        state: [row._replace(rule=ignored) if row.rule is rule else row for row in known]
        for state, known in states._TRANSITIONS_BY_STATE.items()
    }
    assert rows != states._TRANSITIONS_BY_STATE, "the table has no such rule"
    monkeypatch.setattr(states, "_TRANSITIONS_BY_STATE", rows)


def ignore_all(monkeypatch: Any, state: TrackerState) -> None:
    """Nothing comes of any rule of a state."""
    monkeypatch.setattr(states, "_TRANSITIONS_BY_STATE", {**states._TRANSITIONS_BY_STATE, state: []})


def put_first(monkeypatch: Any, state: TrackerState, rule: Rule) -> None:
    """Another rule comes before all others of a state; what it says is a move."""
    row = Transition(state, rule, ("move",), states.MOVE_DELAY)
    monkeypatch.setattr(
        states,
        "_TRANSITIONS_BY_STATE",
        {**states._TRANSITIONS_BY_STATE, state: [row, *states._TRANSITIONS_BY_STATE[state]]},
    )
