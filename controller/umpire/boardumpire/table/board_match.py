"""Whether a board was made of what a game is played on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from boardrules import registry
from boardrules.core import Space
from boardrules.package import PrintedBoard
from boardware.parts import BoardDescription


class BoardDifference(NamedTuple):
    """How a board and a game differ."""

    option: str
    """The game's option that says another board; nothing: the game has one board only."""
    description: str
    """What the board has otherwise, and what was expected."""

    def __str__(self) -> str:
        return f"option {self.option}: {self.description}" if self.option else self.description


def find_board_difference(
    found: BoardDescription, game: str, options: Mapping[str, Any]
) -> BoardDifference | None:
    """How a board differs from what `game` with these options is played on; `None` if it fits."""
    printed = PrintedBoard(
        slots={Space(id_): len(space.slots) for id_, space in found.spaces.items()},
        outlines={Space(id_): space.outline.id for id_, space in found.spaces.items()},
        lines=frozenset(frozenset(map(Space, line)) for line in found.lines),
    )
    other = registry.package(game).board_mismatch(printed, options)
    if other is None:
        return None
    return BoardDifference(other.option, f"board {found.id} {other.found}; try {other.expected}")
