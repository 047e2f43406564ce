"""What is asked of a game that makes a board file of a map: `boardumpire make map-board` hands it on.

A game's package offers its maker, `(file, board_id, wiring) -> text`, as an entry point of the group
`boardumpire.map_boards`, under the game's id. `file` is `None` for the map that the game ships.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple


class BoardWiring(NamedTuple):
    """How the board that is made is to be wired."""

    slots: int = 1
    """Reeds a space."""
    pico: bool = False
    """Whether reeds and lamps hang on a Pico under the board, not on the Pi's header."""


class BoardNotPossible(ValueError):  # noqa: N818
    """No board can be made of a map. The message names the map, what was found and what was expected."""


LARGE_MAGNET_PITCH_MM = 40.0
"""Pieces that stand so far apart may have larger magnets."""


def sensing(pitch: float) -> tuple[str, ...]:
    """The lines of a board file that say what feels pieces whose middles are `pitch` mm apart."""
    magnet, gap = ("8x3", 6) if pitch >= LARGE_MAGNET_PITCH_MM else ("6x3", 4)
    return (
        "# What feels the pieces, and the magnets in their feet. `boardumpire board check` judges them.",
        "[sensing]",
        'sensor = "reed on end 15-20 AT"',
        f'magnet = "{magnet}" # mm across and high, neodymium N42',
        f"gap_mm = {gap} # from the magnet down to the end of the reed: board and felt",
        'poles = "mixed" # every other magnet upside down',
        "",
    )


BoardMaker = Callable[[Path | None, str, BoardWiring], str]
"""The text of a board file from a map, the id of the board, and its wiring. Raises `BoardNotPossible`."""
