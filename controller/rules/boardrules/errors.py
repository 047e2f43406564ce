"""What the core raises for seats, texts and take-backs, and what makes a state refuse assignment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from boardrules.identifiers import Seat


class BadText(ValueError):  # noqa: N818
    """A text that names no action of this game. The message holds the text and what was expected."""


class UnknownSeat(BadText):
    """A seat that the game does not have. The message names those that there are."""

    def __init__(self, seat: object, seats: Iterable[str]) -> None:
        self.seat = seat
        self.seats = tuple(seats)
        super().__init__(f"{seat!r} is no seat here; try one of {', '.join(self.seats)}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.seat, self.seats)


class NeedsHistory(ValueError):  # noqa: N818
    """An agreed take-back that was given to a state, which does not know the turns before it.

    A `boardrules.Game` or a `boardrules.history.GameHistory` carries it out; both read here what to undo.
    """

    def __init__(self, seat: Seat, events: tuple[Any, ...], count: int = 1) -> None:
        super().__init__(
            f"the last turn of {seat} is taken back, but a state does not know the turns before it:"
            " push this action to a boardrules.Game or a boardrules.history.GameHistory instead"
        )
        self.seat = seat
        """Whose last turn is undone."""
        self.events = events
        """What everybody hears of it."""
        self.count = count
        """Of how many of its actions that turn was: all are undone, and all that came after the first."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.seat, self.events, self.count)
