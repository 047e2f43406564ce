"""Reeds that never open though a piece must have left: held against what hands did, move by move. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from boardumpire.tracking.model import Place

MISSED_OPENINGS_MIN = 2
"""So often a piece has to have left a reed that did not open."""


class StuckSensorDetector:
    """Counts by space how often a piece may have left and its reed did not open."""

    def __init__(self) -> None:
        self._count: Counter[Place] = Counter()

    def suspects(self, left: Collection[Place]) -> list[Place]:
        """The reeds of which one must be stuck, where a piece has just left one of `left` once more."""
        return sorted(space for space in left if self._count[space] + 1 >= MISSED_OPENINGS_MIN)

    def count_missed(self, spaces: Iterable[Place]) -> None:
        """Something came to stand where only a piece of one of these spaces could have gone."""
        self._count.update(spaces)

    def restart_count(self, space: Place) -> None:
        """It was said of this one: it has to happen twice more before it is said again."""
        self._count.pop(space, None)

    def note_opened(self, space: Place) -> None:
        """The reed of a space opened: it works."""
        self._count.pop(space, None)
