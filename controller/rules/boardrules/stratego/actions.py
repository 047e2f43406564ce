"""What the seats do: moves, set-ups, and what they say about the game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from boardrules.core import CLOCK, Action, Event, Seat, Space

RED: Final = Seat("red")
BLUE: Final = Seat("blue")
SEATS: Final = (RED, BLUE)
"""Q01, Q06: the seats in order of play. A *side* is the index of a seat here."""


class StrategoMove(Action):
    """A piece goes, or attacks, from one square to another: `a3-a4`.

    Made by `Board.move`, once for each seat and two squares. Beside these a move holds what the rules ask of
    it again and again.
    """

    __slots__ = (
        "alone", "at", "beside", "bit", "board", "borders", "came", "far", "key", "left", "origin", "seat",
        "shift", "side", "target", "to", "told",
    )  # fmt: skip
    board: str
    side: int
    key: tuple[str, int, int, int]
    """Board, side, origin and target: what makes two moves the same."""
    origin: Space
    target: Space
    at: int
    """The origin as a square number ..."""
    to: int
    """... and the target."""
    left: bytes
    """`at` and ..."""
    came: bytes
    """... `to` as one byte each, to replace in a row of squares."""
    bit: int
    """The target as a set of squares."""
    shift: int
    """Origin and target as a set: flipping it moves a piece."""
    beside: int
    """The squares next to the target."""
    far: bool
    """Whether the way is longer than one square."""
    borders: int
    """I12: the borders that the way crosses."""
    alone: tuple[StrategoMove, ...]
    """The row of turns that holds this one only."""
    told: tuple[Event, ...]
    """The events of the quiet move, once `tell` has made them: most moves of a board are never played."""

    @property
    def ends(self) -> int:
        """I11: the pair of end squares, whichever way, as one bit."""
        low, high = sorted((self.at, self.to))
        return 1 << low * 128 + high

    def tell(self) -> tuple[Event, ...]:
        """`told`, made now."""
        self.told = (Event("move", (("seat", self.seat), ("from", self.origin), ("to", self.target))),)
        return self.told

    def show(self) -> tuple[Event, ...]:
        """The events of a move by which a Scout gives itself away (Q24)."""
        return (*(self.told or self.tell()), self.shown)

    @property
    def shown(self) -> Event:
        """What tells that the piece, now on the target, is a Scout (Q24)."""
        return Event("told", (("at", self.target), ("rank", "2")))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StrategoMove):
            return NotImplemented
        return self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        return f"{self.origin}-{self.target}"

    def __repr__(self) -> str:
        return str(self)


class StrategoSetup(Action):
    """A whole army on its squares: `setup a1=F b1=B c2=10 ...`. Hidden from the other seat (Q05)."""

    __slots__ = ("pieces", "seat")
    secret = True

    def __init__(self, seat: Seat, pieces: Iterable[tuple[str, str]]) -> None:
        self.seat = seat
        self.pieces = tuple(sorted((Space(square), rank) for square, rank in pieces))
        """(square, rank), as written, in the order of the squares' names."""

    def __str__(self) -> str:
        return " ".join(("setup", *(f"{square}={rank}" for square, rank in self.pieces)))

    def __repr__(self) -> str:
        return "setup ..."

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StrategoSetup) and (self.seat, self.pieces) == (other.seat, other.pieces)

    def __hash__(self) -> int:
        return hash((self.seat, self.pieces))

    def __reduce__(self) -> tuple[Any, ...]:
        return StrategoSetup, (self.seat, self.pieces)


class TableAction(Action):
    """A table action: a seat resigns, offers, agrees or declines; the clock tells that time is up."""

    __slots__ = ("seat", "words")

    def __init__(self, seat: Seat, words: str) -> None:
        self.seat = seat
        self.words = words

    def __str__(self) -> str:
        return self.words

    def __repr__(self) -> str:
        return str(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableAction) and (self.seat, self.words) == (other.seat, other.words)

    def __hash__(self) -> int:
        return hash((self.seat, self.words))

    def __reduce__(self) -> tuple[Any, ...]:
        return TableAction, (self.seat, self.words)


RESIGN: Final = "resign"
OFFER_DRAW: Final = "offer-draw"
AGREE_DRAW: Final = "agree-draw"
DECLINE_DRAW: Final = "decline-draw"
ASK_TAKE_BACK: Final = "ask-take-back"
AGREE_TAKE_BACK: Final = "agree-take-back"
DECLINE_TAKE_BACK: Final = "decline-take-back"
WITHDRAW_TAKE_BACK: Final = "withdraw-take-back"

SEAT_WORDS: Final = (
    RESIGN,
    OFFER_DRAW,
    AGREE_DRAW,
    DECLINE_DRAW,
    ASK_TAKE_BACK,
    AGREE_TAKE_BACK,
    DECLINE_TAKE_BACK,
    WITHDRAW_TAKE_BACK,
)
"""What a seat may say, in the order in which it is listed."""

SAYINGS: Final = {seat: tuple(TableAction(seat, words) for words in SEAT_WORDS) for seat in SEATS} | {
    CLOCK: tuple(TableAction(CLOCK, f"time {seat}") for seat in SEATS)
}
"""Every table action there is, by seat."""
