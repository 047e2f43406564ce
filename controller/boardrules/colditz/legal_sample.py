"""The actions of a seat where there are too many to list them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from boardrules.colditz.castle.actions import Step, Word
from boardrules.colditz.legal import leaving
from boardrules.core import Action, Sample, State


class Legal:
    """The actions of a seat. Of walks over several circles, of trades and of answers to an Appel there are
    too many to list: `in` knows them all, iterating gives every single step and the simplest others."""

    __slots__ = ("_listed", "state")

    def __init__(self, state: State, listed: Sequence[Action]) -> None:
        self.state: Final = state
        self._listed: Final = listed

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, (Step, Word)) or leaving.is_table(action):
            return False
        return self.state.refusal(action) is None

    def __iter__(self) -> Iterator[Action]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)

    def __getitem__(self, place: int) -> Action:
        return self._listed[place]

    def odds(self) -> tuple[tuple[Action, int], ...]:
        """The actions of chance with their weights."""
        return self.state.chance()

    def __reduce__(self) -> tuple[Any, ...]:
        return Legal, (self.state, tuple(self._listed))


# Registered, not inherited: so it can be compiled, which `Sample` can't.
Sample.register(Legal)
