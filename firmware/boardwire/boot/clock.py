"""The Pico's clock, and the one place where the firmware waits."""

import select
import sys
import time

import micropython

RECENT_US = 10_000_000
"""The past that is left when the start of the clock is moved on."""

_TICKS = (1 << 30) - 1
"""The bits of `ticks_us`, which wraps every 18 minutes. With one more it would be a large number, which
MicroPython allocates, and so would be whatever is reckoned with it."""

_poll = select.poll()
_poll.register(sys.stdin, select.POLLIN)
_coming = _poll.ipoll
_into = bytearray(64)
"""What is taken in at once: a table of hints comes over many turns, so that no lift waits for it."""
_view = memoryview(_into)
_one = bytearray(1)
_last = time.ticks_us()
_now = _last


def now() -> int:
    """Microseconds since a start: that of the chip's clock, until `rebase` moves it on."""
    global _last, _now
    ticks = time.ticks_us()
    _now += (ticks - _last) & _TICKS
    _last = ticks
    return _now


def rebase(steps: int) -> int:
    """Have `now` count from a later start, so that it stays small; by how much, a multiple of `steps`.

    Nobody may keep a moment of before unless it is made less by as much.
    """
    global _now
    by = (now() - RECENT_US) // steps * steps
    if by <= 0:
        return 0
    _now -= by
    return by


def wait(until: int, looks) -> bytes:  # type: ignore[no-untyped-def]
    """Wait until `until`, or less long: until a look differs, or something comes over the wire; that is
    returned."""
    ticks_us, ticks_diff = time.ticks_us, time.ticks_diff  # four at once would be an allocated tuple
    differs, come = looks.differs, _coming
    at = now()
    looks.mind(at)
    began = ticks_us()
    left = until - at  # the only one that may be more than a word: the loop allocates nothing
    while not differs():
        for _ in come(0):
            return _come()
        if ticks_diff(ticks_us(), began) >= left:
            break
    return b""


@micropython.native
def _come() -> bytes:
    count = 0
    into, come, one = _into, _coming, _one
    read = sys.stdin.buffer.readinto
    while count < len(into):
        for _ in come(0):
            break
        else:
            break
        read(one)
        into[count] = one[0]
        count += 1
    return bytes(_view[:count])
