"""The Pico's clock in the host's time."""

from __future__ import annotations

from boardware.ports import MS, SECOND, Micros

_CLOCK_PERIOD_US = 1 << 32
_DRIFT_DIVISOR = 64
TOLERANCE_US: Micros = 20 * MS
"""How far a time may be from what is known of the clock: a frame that was sent again is 15 ms late."""
CONTRADICTION_MIN_US: Micros = SECOND
"""How long all messages must contradict what is known of the clock: two signs of life."""


class PicoClock:
    """Maps times of the Pico (microseconds, 32 bits, wrapping) to the host's.

    A message can't arrive before it was sent: the least difference seen between the two clocks is the best
    guess. It is let grow slowly, as one crystal runs some 50 parts in a million apart from another. A wrong
    time changes no other: the guess moves by more than `TOLERANCE_US` only after all messages contradicted it
    for `CONTRADICTION_MIN_US`.
    """

    def __init__(self) -> None:
        self._last: int | None = None
        self._time = 0
        self._offset: Micros | None = None
        self._early: tuple[Micros, Micros] | None = None
        """Since when all times were ahead of the guess, and the offset by the one least ahead."""
        self._late: tuple[Micros, Micros] | None = None
        """Since when no time agreed with the guess, and the offset by the one least behind."""
        self._told: Micros | None = None

    def host_time(self, time: int, now: Micros) -> Micros:
        """When something that the Pico dates `time`, and the host hears at `now`, happened; never later."""
        if self._last is not None:
            self._time += (
                time - self._last + _CLOCK_PERIOD_US // 2
            ) % _CLOCK_PERIOD_US - _CLOCK_PERIOD_US // 2
        self._last = time
        self._offset = self._estimate_offset(now - self._time, now)
        return min(now, self._time + self._offset)

    def ordered_time(self, time: int, now: Micros) -> Micros:
        """The same of what a Pico tells in the order in which it happened.

        A time that is before what was told before is wrong: then it is `now`. No moment comes before another.
        """
        at = self.host_time(time, now)
        if self._told is not None:
            at = max(at, self._told) if at > self._told - TOLERANCE_US else now
        self._told = at
        return at

    def _estimate_offset(self, offset: Micros, now: Micros) -> Micros:
        known = self._offset
        if known is None:
            return offset
        if offset < known - TOLERANCE_US:
            since, least = self._early or (now, offset)
            least = max(least, offset)
            self._early = since, least
            if now < since + CONTRADICTION_MIN_US:
                return known
        elif offset > known + TOLERANCE_US:
            self._early = None
            since, least = self._late or (now, offset)
            least = min(least, offset)
            self._late = since, least
            if now < since + CONTRADICTION_MIN_US:
                return known
        else:
            # Late by little is believed by 1 part in 64 of at most a millisecond.
            least = known + min(offset - known, 1000) // _DRIFT_DIVISOR if offset > known else offset
        self._early = self._late = None
        return least
