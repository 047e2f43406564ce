"""The actions of a seat where there are too many to list them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Protocol

from boardrules.colditz.castle.actions import Command, PawnStep
from boardrules.colditz.legal import table_commands
from boardrules.core import Action, ActionSample, Refusal, Seat


class PartlyListedPosition(Protocol):
    """A position that lists some of what may be done."""

    def refusal(self, action: Action) -> Refusal | None:
        """Why an action is refused."""

    def chance(self) -> tuple[tuple[Action, int], ...]:
        """The actions of chance with their weights."""

    def lists_all(self, seat: Seat) -> bool:
        """Whether what is listed for a seat is all that it may do."""


class ColditzLegalActions:
    """The actions of a seat. Of walks over several circles, of trades, of circles that cards send men to and
    of answers to an Appel there are too many to list: `in` knows them all, iterating gives every single step
    and the simplest others."""

    __slots__ = ("_listed", "seat", "state")

    def __init__(self, state: PartlyListedPosition, seat: Seat, listed: Sequence[Action]) -> None:
        self.state: Final = state
        self.seat: Final = seat
        self._listed: Final = listed

    @property
    def whole(self) -> bool:
        """Whether all of them are listed; it takes as long as a few actions to find out."""
        return self.state.lists_all(self.seat)

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, (PawnStep, Command)) or table_commands.is_table_command(action):
            return False
        return self.state.refusal(action) is None

    def __iter__(self) -> Iterator[Action]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)

    def __getitem__(self, place: int) -> Action:
        return self._listed[place]

    def chance_weights(self) -> tuple[tuple[Action, int], ...]:
        """The actions of chance with their weights."""
        return self.state.chance()

    def __reduce__(self) -> tuple[Any, ...]:
        return ColditzLegalActions, (self.state, self.seat, tuple(self._listed))


# Registered, not inherited: so it can be compiled, which `ActionSample` can't.
ActionSample.register(ColditzLegalActions)
