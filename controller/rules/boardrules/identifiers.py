"""Names that a game gives: of who plays, and of what its board is made of."""

from __future__ import annotations

from typing import Final, NewType

Seat = NewType("Seat", str)
"""Who plays, by the name the game gives: `red`, `hitler`, `security`. `None` is the spectator."""

Space = str
"""A place on the board, by the name the board prints: `a3`, `warsaw`."""

CHANCE: Final = Seat("chance")
CLOCK: Final = Seat("clock")
NO_SEAT: Final = Seat("")
"""No seat in particular: whoever is at the board."""
