"""The Pico's clock, and the one place where the firmware waits."""

import select
import sys
import time

_PERIOD = 1 << 30
"""`ticks_us` wraps here, every 18 minutes."""

_poll = select.poll()
_poll.register(sys.stdin, select.POLLIN)
_last = time.ticks_us()
_now = _last


def now() -> int:
    """Microseconds since the start; never wraps."""
    global _last, _now
    ticks = time.ticks_us()
    _now += (ticks - _last) % _PERIOD
    _last = ticks
    return _now


def wait(until: int, or_until: int, period: int) -> bytes:
    """Wait until `until`, or less long if something comes over the wire; that is returned.

    `or_until` and `period` are for a clock that can jump: if no pin changes, nothing needs to be done before
    `or_until`, and otherwise at a moment that is a whole number of periods after `until`.
    """
    while not _poll.poll(0):
        if now() >= until:
            return b""
    data = b""
    while _poll.poll(0) and len(data) < 256:
        data += sys.stdin.buffer.read(1)
    return data


def settle(span: int) -> None:
    """Let pins settle for that many microseconds."""
    time.sleep_us(span)
