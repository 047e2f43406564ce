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

    Made by `StrategoBoard.move`, once for each seat and two squares. Beside these a move holds what the rules
    ask of it again and again.
    """

    __slots__ = (
        "board",
        "crossed_borders",
        "is_long",
        "key",
        "move_mask",
        "origin",
        "origin_byte",
        "origin_square",
        "quiet_events",
        "seat",
        "side",
        "single_turn",
        "target",
        "target_byte",
        "target_mask",
        "target_neighbours",
        "target_square",
    )  # fmt: skip
    board: str
    side: int
    key: tuple[str, int, int, int]
    """Board, side, origin and target: what makes two moves the same."""
    origin: Space
    target: Space
    origin_square: int
    """The origin as a square number ..."""
    target_square: int
    """... and the target."""
    origin_byte: bytes
    """`origin_square` and ..."""
    target_byte: bytes
    """... `target_square` as one byte each, to replace in a row of squares."""
    target_mask: int
    """The target as a set of squares."""
    move_mask: int
    """Origin and target as a set: flipping it moves a piece."""
    target_neighbours: int
    """The squares next to the target."""
    is_long: bool
    """Whether the way is longer than one square."""
    crossed_borders: int
    """I12: the borders that the way crosses."""
    single_turn: tuple[StrategoMove, ...]
    """The row of turns that holds this one only."""
    quiet_events: tuple[Event, ...]
    """The events of the quiet move, once `make_quiet_events` has made them: most moves of a board are never
    played."""

    @property
    def end_pair_bit(self) -> int:
        """I11: the pair of end squares, whichever way, as one bit."""
        low, high = sorted((self.origin_square, self.target_square))
        return 1 << low * 128 + high

    def make_quiet_events(self) -> tuple[Event, ...]:
        """`quiet_events`, made now."""
        self.quiet_events = (
            Event("move", (("seat", self.seat), ("from", self.origin), ("to", self.target))),
        )
        return self.quiet_events

    def events_with_reveal(self) -> tuple[Event, ...]:
        """The events of a move by which a Scout gives itself away (Q24)."""
        return (*(self.quiet_events or self.make_quiet_events()), self.scout_revealed_event)

    @property
    def scout_revealed_event(self) -> Event:
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

TABLE_ACTIONS: Final = {seat: tuple(TableAction(seat, words) for words in SEAT_WORDS) for seat in SEATS} | {
    CLOCK: tuple(TableAction(CLOCK, f"time {seat}") for seat in SEATS)
}
"""Every table action there is, by seat."""
