"""Names that a game gives: of who plays, and of what its board is made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, NewType

Seat = NewType("Seat", str)
"""Who plays, by the name the game gives: `red`, `hitler`, `security`. `None` is the spectator."""

Space = NewType("Space", str)
"""A place on the board, by the name the board prints: `a3`, `warsaw`."""

CHANCE: Final = Seat("chance")
CLOCK: Final = Seat("clock")
NO_SEAT: Final = Seat("")
"""No seat in particular: whoever is at the board."""


def joined_seats(seats: Iterable[Seat]) -> str:
    """Several seats as one text, such as those that win together: `british+dutch`."""
    return "+".join(seats)


def split_seats(text: str) -> tuple[Seat, ...]:
    """The seats whose `joined_seats` this is; of one seat, that one."""
    return tuple(map(Seat, text.split("+")))


class LayoutPiece(NamedTuple):
    """A piece of a layout, as everybody may know it."""

    seat: Seat
    """Whose it is."""
    name: str = ""
    """Tells it from the other pieces of its seat; the same for a whole game."""

    def __str__(self) -> str:
        return f"{self.seat}:{self.name}" if self.name else self.seat

    @classmethod
    def parse(cls, text: str) -> LayoutPiece:
        """The piece whose `str` this is."""
        seat, _, name = text.partition(":")
        return cls(Seat(seat), name)
