"""Spaces to be: what a grid or a drawing gives a new board file. Lengths in mm."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

ID_PATTERN: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""Of a board or a space."""


class BoardNotPlanned(ValueError):  # noqa: N818
    """No board can be made. The message names the place, what was found and what was expected."""


class PlannedSpace(NamedTuple):
    """A space to be."""

    id: str
    x: float
    y: float
    outline: str
    """`square`, `lake` or `circle`."""


class PlannedSpaces(NamedTuple):
    """Spaces, the board's size, and how wide a space is."""

    spaces: tuple[PlannedSpace, ...]
    width: float
    height: float
    space_width: float
    grid_size: tuple[int, int] = (0, 0)
    """Files and ranks; zeros: it is no grid."""
