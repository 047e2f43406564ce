"""An umpire that is broken on purpose: rules of the tracker's table that say something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boardumpire.tracking import states
from boardumpire.tracking.rules.moves import UNFINISHED, Outcome
from boardumpire.tracking.situation import Situation
from boardumpire.tracking.states import State, Transition

Rule = Callable[[Situation], Outcome]


def ignore(monkeypatch: Any, rule: Rule) -> None:
    """Nothing comes of what this rule would say."""

    def ignored(s: Situation) -> Outcome:
        return None if rule(s) is None else UNFINISHED

    rows = {
        state: [row._replace(rule=ignored) if row.rule is rule else row for row in known]
        for state, known in states._BY_STATE.items()
    }
    assert rows != states._BY_STATE, "the table has no such rule"
    monkeypatch.setattr(states, "_BY_STATE", rows)


def ignore_all(monkeypatch: Any, state: State) -> None:
    """Nothing comes of any rule of a state."""
    monkeypatch.setattr(states, "_BY_STATE", {**states._BY_STATE, state: []})


def put_first(monkeypatch: Any, state: State, rule: Rule) -> None:
    """Another rule comes before all others of a state; what it says is a move."""
    row = Transition(state, rule, ("move",), states.MOVE)
    monkeypatch.setattr(states, "_BY_STATE", {**states._BY_STATE, state: [row, *states._BY_STATE[state]]})
