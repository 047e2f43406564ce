"""What is asked of a game that makes a board file of a map: `boardumpire map-board` hands it on.

A game's package offers its maker, `(file, board_id, wiring) -> text`, as an entry point of the group
`boardumpire.map_boards`, under the game's id. `file` is `None` for the map that the game ships.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple


class Wiring(NamedTuple):
    """How the board that is made is to be wired."""

    slots: int = 1
    """Reeds a space."""
    pico: bool = False
    """Whether reeds and lamps hang on a Pico under the board, not on the Pi's header."""


class NoBoard(ValueError):  # noqa: N818
    """No board can be made of a map. The message names the map, what was found and what was expected."""


BoardMaker = Callable[[Path | None, str, Wiring], str]
"""The text of a board file from a map, the id of the board, and its wiring. Raises `NoBoard`."""
