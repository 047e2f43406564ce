"""The Pico's clock in the host's time."""

from __future__ import annotations

from boardware.ports import Micros

_WRAP = 1 << 32
_SLOW = 64


class BankClock:
    """Maps times of the Pico (microseconds, 32 bits, wrapping) to the host's.

    A message can't arrive before it was sent: the least difference seen between the two clocks is the best
    guess. It is let grow slowly, as one crystal runs some 50 parts in a million apart from another.
    """

    def __init__(self) -> None:
        self._last: int | None = None
        self._time = 0
        self._offset: Micros | None = None

    def host_time(self, time: int, now: Micros) -> Micros:
        """When something that the Pico dates `time`, and the host hears at `now`, happened; never later."""
        if self._last is not None:
            self._time += (time - self._last + _WRAP // 2) % _WRAP - _WRAP // 2
        self._last = time
        offset = now - self._time
        if self._offset is None or offset < self._offset:
            self._offset = offset
        else:
            # Late: sent again, or waited for. Believed by 1 part in 64 of at most a millisecond.
            self._offset += min(offset - self._offset, 1000) // _SLOW
        return min(now, self._time + self._offset)
