"""Where on a way from the middle of a square a contact changes, by the model. Lengths in mm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from boardware.physics.reach import ReachCase

DIRECTIONS: Final = {
    "right": (1.0, 0.0, 0.0),
    "left": (-1.0, 0.0, 0.0),
    "away": (0.0, 1.0, 0.0),
    "near": (0.0, -1.0, 0.0),
    "up": (0.0, 0.0, 1.0),
}
"""From the middle of a square, as the first seat sees it; `up` is on spacers."""
SEARCH_MAX_MM: Final = 40.0
"""So far a way is looked along."""
_SEARCH_STEP_MM = 0.25


def opening_distance_mm(case: ReachCase, way: str) -> float | None:
    """How far out a piece is when its contact opens; `None`: it isn't closed on the middle, or stays so."""
    return (
        None if not _drive_along(case, way)(0.0) >= case.sensor.operate else _first_opening_mm(case, way, 0.0)
    )


def closing_distance_mm(case: ReachCase, way: str) -> float | None:
    """How far out a piece that comes back is when its contact closes; `None` as with `opening_distance_mm`.

    Along the board it comes from where the contact had opened, on spacers from above.
    """
    felt = _drive_along(case, way)
    out = SEARCH_MAX_MM if way == "up" else opening_distance_mm(case, way)
    while out is not None and out > 0:
        if felt(out) >= case.sensor.operate:
            return out
        out -= _SEARCH_STEP_MM
    return None


def _first_opening_mm(case: ReachCase, way: str, mm: float) -> float | None:
    felt = _drive_along(case, way)
    while mm <= SEARCH_MAX_MM:
        if felt(mm) < case.sensor.release:
            return mm
        mm += _SEARCH_STEP_MM
    return None


def _drive_along(case: ReachCase, way: str) -> Callable[[float], float]:
    """What is felt of a piece so far along a way."""
    x, y, z = DIRECTIONS[way]
    return lambda mm: case.sensor.part.effective_field(case.field_of_piece(x * mm, y * mm, z * mm))
