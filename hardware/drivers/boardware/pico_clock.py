"""The Pico's clock in the host's time."""

from __future__ import annotations

from collections import deque

from boardware.ports import MS, SECOND, Micros

_CLOCK_PERIOD_US = 1 << 32
_DRIFT_DIVISOR = 64
_CONTRADICTIONS_MAX = 32
TOLERANCE_US: Micros = 20 * MS
"""How far a time may be from what is known of the clock: a frame that was sent again is 15 ms late."""
CONTRADICTION_MIN_US: Micros = SECOND
"""How long all messages must contradict what is known of the clock: two signs of life."""


class PicoClock:
    """Maps times of the Pico (microseconds, 32 bits, wrapping) to the host's.

    A message can't arrive before it was sent: the least difference seen between the two clocks is the best
    guess. It is let grow slowly, as one crystal runs some 50 parts in a million apart from another. A wrong
    time changes no other: the guess moves by more than `TOLERANCE_US` only after all messages contradicted it
    for `CONTRADICTION_MIN_US`, and then to where most of them agree.
    """

    def __init__(self) -> None:
        self._last: int | None = None
        self._time = 0
        self._offset: Micros | None = None
        self._contradictions: deque[Micros] = deque(maxlen=_CONTRADICTIONS_MAX)
        """The offsets by the times that disagreed with the guess, since one agreed last."""
        self._contradicted_since: Micros = 0
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
        if abs(offset - known) <= TOLERANCE_US:
            self._contradictions.clear()
            # Late by little is believed by 1 part in 64 of at most a millisecond.
            return known + min(offset - known, 1000) // _DRIFT_DIVISOR if offset > known else offset
        if not self._contradictions:
            self._contradicted_since = now
        self._contradictions.append(offset)
        if now < self._contradicted_since + CONTRADICTION_MIN_US:
            return known
        # What came late and what is wrong agree with nothing: the offset that most times agree with is right.
        agreeing, likely = max((self._count_agreeing(each), each) for each in self._contradictions)
        if agreeing == 1:
            return known
        self._contradictions.clear()
        return likely

    def _count_agreeing(self, offset: Micros) -> int:
        """How many contradictions agree with this one, itself included; none of them came earlier."""
        return sum(offset <= each <= offset + TOLERANCE_US for each in self._contradictions)
