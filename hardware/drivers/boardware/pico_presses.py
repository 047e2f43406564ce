"""Which presses of a Pico's buttons are news."""

from __future__ import annotations

from collections import deque
from typing import Any

from boardware.ports import Micros

CLOCK_PERIOD_US = 1 << 32
"""Where a Pico's clock, in microseconds, begins anew."""
_REMEMBERED_PRESSES = 32
"""More than a Pico remembers."""


class PressDeduplicator:
    """Sees to it that each press is told once.

    A Pico says a press again in the next session while it can't be sure that it was heard; by the Pico's own
    time, which it carries, it is known again. What was pressed before this program knew the Pico was not
    meant for it.
    """

    def __init__(self) -> None:
        self._since: Micros | None = None
        self._latest: deque[tuple[Any, ...]] = deque(maxlen=_REMEMBERED_PRESSES)
        self._down: dict[int, tuple[int, Micros]] = {}
        """By button that is down when it was pressed, by the Pico's clock and by ours."""

    def start_counting(self, at: Micros) -> None:
        """From now on presses count."""
        self._since = at

    def note_power_lost(self) -> None:
        """The Pico has lost its power: its clock begins anew, and it remembers nothing."""
        self._latest.clear()
        self._down.clear()

    def accept_if_new(self, press: tuple[Any, ...], at: Micros) -> bool:
        """Whether a press or release, as it came over the wire and dated `at`, is to be told."""
        if self._since is None or at < self._since or press in self._latest:
            return False
        self._latest.append(press)
        return True

    def event_time(self, press: tuple[Any, ...], at: Micros) -> Micros:
        """When a press or release was that came dated `at`.

        A release that came late, in a later session, is as long after its press as the Pico's own clock says.
        """
        name, time, button = press
        if name == "pressed":
            self._down[button] = time, at
        elif button in self._down:
            began, then = self._down.pop(button)
            return then + int(time - began) % CLOCK_PERIOD_US
        return at
