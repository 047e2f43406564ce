"""The moments at which a polled driver looks."""

from __future__ import annotations

from boardware.ports import SECOND, Micros

NO_PINS_PERIOD_US: Micros = 3600 * SECOND
"""The period of a driver that has no pins."""


class TimeGrid:
    """Moments a fixed period apart, the first whenever the first look is taken."""

    def __init__(self, period: Micros) -> None:
        self._period = period
        self._due: Micros | None = None

    def take_if_due(self, now: Micros) -> bool:
        """Whether a look is due; if so the next is due at the first moment of the grid after `now`."""
        if self._due is None:
            self._due = now + self._period
            return True
        if now < self._due:
            return False
        self._due += self._period * ((now - self._due) // self._period + 1)
        return True

    def due(self) -> Micros:
        """When the next look is due; 0 before the first."""
        return 0 if self._due is None else self._due

    def due_after(self, at: Micros) -> Micros:
        """The first moment of the grid at or after `at`, never before `due()`."""
        if self._due is None:
            return max(0, at)
        return self._due + self._period * max(0, -((self._due - at) // self._period))
