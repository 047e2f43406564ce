"""What the seats do: steps from place to place, and words."""

from __future__ import annotations

from typing import Any, Final, Protocol

from boardrules.core import Action, Event, Seat

SECURITY: Final = Seat("security")
NATIONS: Final = (Seat("american"), Seat("british"), Seat("dutch"), Seat("french"), Seat("polish"))
"""R002. A *side* is a number: 0 the Security Officer, then the officers clockwise from his left (R021)."""
SEATS: Final = (SECURITY, *NATIONS)


class NodeLookup(Protocol):
    """What a step needs of the board that it leads over."""

    space_names: tuple[str, ...]

    def step(self, seat: Seat, origin: int, target: int) -> PawnStep:
        """The one step of that seat between these nodes."""


class PawnStep(Action):
    """A pawn goes from one place to another: `c12-c13`, `barracks-c2`, `c2-office`, `innercells-c34`.

    Between neighbours it is one step; further away it is a walk, by the shortest way that costs points alone.
    Made and interned by `CastleBoard.step`, so that equal steps are one object.
    """

    __slots__ = ("board", "move_events", "origin", "seat", "target", "target_mask", "text")

    def __init__(self, seat: Seat, origin: int, target: int, board: NodeLookup) -> None:
        self.seat = seat
        self.origin = origin
        """The node that the pawn leaves ..."""
        self.target = target
        """... and the one that it comes to."""
        self.board = board
        self.target_mask = 1 << target
        self.text = f"{board.space_names[origin]}-{board.space_names[target]}"
        self.move_events = (
            Event(
                "move",
                (("seat", seat), ("from", board.space_names[origin]), ("to", board.space_names[target])),
            ),
        )

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return str(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _interned_step, (self.board, self.seat, self.origin, self.target)


def _interned_step(board: NodeLookup, seat: Seat, origin: int, target: int) -> PawnStep:
    return board.step(seat, origin, target)


SECRET_HEADS: Final = frozenset(("deal", "discard", "trade"))
"""The words whose rest only some seats may know."""


class Command(Action):
    """Whatever isn't a step: `roll`, `play search n4-b8`, `trade dutch rope for key`, `dice 3 4`, `end`."""

    __slots__ = ("head", "rest", "seat", "secret")

    def __init__(self, seat: Seat, head: str, *rest: str) -> None:
        self.seat = seat
        self.head = head
        self.rest = rest
        self.secret = head in SECRET_HEADS

    def __str__(self) -> str:
        return " ".join((self.head, *self.rest))

    def __repr__(self) -> str:
        return f"{self.head} ..." if self.secret else str(self)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Command)
            and self.seat == other.seat
            and self.head == other.head
            and self.rest == other.rest
        )

    def __hash__(self) -> int:
        return hash((self.seat, self.head, self.rest))

    def __reduce__(self) -> tuple[Any, ...]:
        return Command, (self.seat, self.head, *self.rest)
