"""The rules of board games, for a board and for any other program: standard library only; no input or output,
no clock, no randomness.

`Game` is the way in for programs: see `docs/rules-library.md`. `new` gives the first `State`, for search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
from boardrules.registry import UnknownGame, games, ids, new, package

if TYPE_CHECKING:
    from boardrules.game import Game

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
    "games",
    "ids",
    "new",
    "package",
    "visible",
]


def __getattr__(name: str) -> Any:
    """`Game` is loaded when it is asked for: a board's daemon does without."""
    if name == "Game":
        from boardrules.game import Game

        return Game
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
