"""Where on a way from the middle of a square a contact changes, by the model. Lengths in mm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from boardware.physics.reach import ReachCase

WAYS: Final = {
    "right": (1.0, 0.0, 0.0),
    "left": (-1.0, 0.0, 0.0),
    "away": (0.0, 1.0, 0.0),
    "near": (0.0, -1.0, 0.0),
    "up": (0.0, 0.0, 1.0),
}
"""From the middle of a square, as the first seat sees it; `up` is on spacers."""
FARTHEST: Final = 40.0
"""So far a way is looked along."""
_STEP = 0.25


def opens(case: ReachCase, way: str) -> float | None:
    """How far out a piece is when its contact opens; `None`: it isn't closed on the middle, or stays so."""
    return None if not _felt(case, way)(0.0) >= case.sensor.operate else _first(case, way, 0.0)


def closes(case: ReachCase, way: str) -> float | None:
    """How far out a piece that comes back is when its contact closes; `None` as with `opens`.

    Along the board it comes from where the contact had opened, on spacers from above.
    """
    felt = _felt(case, way)
    out = FARTHEST if way == "up" else opens(case, way)
    while out is not None and out > 0:
        if felt(out) >= case.sensor.operate:
            return out
        out -= _STEP
    return None


def _first(case: ReachCase, way: str, mm: float) -> float | None:
    felt = _felt(case, way)
    while mm <= FARTHEST:
        if felt(mm) < case.sensor.release:
            return mm
        mm += _STEP
    return None


def _felt(case: ReachCase, way: str) -> Callable[[float], float]:
    """What is felt of a piece so far along a way."""
    x, y, z = WAYS[way]
    return lambda mm: case.sensor.part.drives(case.feels(x * mm, y * mm, z * mm))
