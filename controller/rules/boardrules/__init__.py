"""The rules of board games, for a board and for any other program: standard library only; no input or output,
no clock, no randomness.

`Game` is the way in for programs: `docs/program/rules-library.md`. `new` gives a first `State`, for search.
"""

from __future__ import annotations

from boardrules.core import (
    CHANCE,
    CLOCK,
    BadText,
    IllegalAction,
    NeedsHistory,
    OptionError,
    UnknownSeat,
    visible,
)
from boardrules.game import Game
from boardrules.move_counts import divide, perft
from boardrules.registry import UnknownGame, games, ids, new, package

__all__ = [
    "CHANCE",
    "CLOCK",
    "BadText",
    "Game",
    "IllegalAction",
    "NeedsHistory",
    "OptionError",
    "UnknownGame",
    "UnknownSeat",
    "divide",
    "games",
    "ids",
    "new",
    "package",
    "perft",
    "visible",
]
