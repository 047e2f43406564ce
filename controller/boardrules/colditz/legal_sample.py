"""The actions of a seat where there are too many to list them all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from boardrules.colditz.castle.actions import Step, Word
from boardrules.colditz.legal import leaving
from boardrules.core import Action, Sample, State


class Legal(tuple[Action, ...], Sample):
    """The actions of a seat. Of walks over several circles, of trades and of answers to an Appel there are
    too many to list: `in` knows them all, iterating gives every single step and the simplest others."""

    state: State

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, (Step, Word)) or leaving.is_table(action):
            return False
        return self.state.refusal(action) is None

    def odds(self) -> tuple[tuple[Action, int], ...]:
        """The actions of chance with their weights."""
        return self.state.chance()

    def __reduce__(self) -> tuple[Any, ...]:
        return sample, (self.state, tuple(self))


def sample(state: State, listed: Iterable[Action]) -> Legal:
    """The actions of a position; these are listed."""
    legal = tuple.__new__(Legal, listed)
    legal.state = state
    return legal
