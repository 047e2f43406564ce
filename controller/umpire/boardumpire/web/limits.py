"""How much of everything the page takes, and the bucket that counts it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from boardumpire.service.clock import loop_time_s

HEAD_MAX_BYTES = 16384
"""Bytes of a request's first line and headers: a browser of a player sends about 1 kB."""
BODY_MAX_BYTES = 2048
"""Bytes of a request's body: nothing that a browser posts here has any."""
MESSAGE_MAX_BYTES = 8192
"""Bytes of one message on a socket: the longest set-up has under 500."""
PADDED_MESSAGE_BYTES = 1024
"""Bytes that every message of a page is filled up to, and every answer to one (`static/frames.js`)."""
SOCKETS_MAX = 48
"""Sockets of screens that everybody may see open at once ..."""
SOCKETS_PER_ADDRESS = 24
"""... of which so many from one address, which may be a whole room behind one access point."""
SOCKETS_PER_SEAT = 6
"""Sockets of one seat: they take no room from others, nor others from them."""
STRANGERS_MAX = 96
"""Connections of those who have no link, or have not shown one yet ..."""
STRANGERS_PER_ADDRESS = 64
"""... of which one address may hold so many ..."""
CONNECTIONS_PER_SEAT = 16
"""... of the devices of one seat ..."""
CONNECTIONS_OF_TABLE = 64
"""... and of the devices that have the table's link. Each is a file that the machine keeps open."""
LISTEN_BACKLOG = 32
"""How many may wait to be let in: as many are let in at one go, and then counted."""
REQUEST_TIMEOUT_S = 5.0
"""Seconds for the first request's head, for each later one's from its first byte, for a body, and for a
screen's first word."""
ANSWER_TIMEOUT_S = 60.0
"""Seconds for an answer, until it is read: the longest replay takes some on a small machine."""
KEEP_ALIVE_S = 20.0
"""Seconds that a connection is kept for another request."""
CLOSE_TIMEOUT_S = 10.0
"""Seconds for a screen that is hung up on to read why."""
BACKLOG_MAX_BYTES = 1 << 18
"""Bytes that may wait for a screen that does not read; then the page hangs up."""
ADDRESSES_MAX = 256
"""How many addresses are counted; the one quiet longest is forgotten."""


class TokenBucket:
    """Tokens that refill: `rate` a second, `burst` at most."""

    __slots__ = ("_at", "_burst", "_clock", "_level", "_rate")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = loop_time_s) -> None:
        self._rate, self._burst, self._level = rate, burst, burst
        self._clock = clock
        self._at = clock()

    def has_token(self) -> bool:
        """Whether there is one to take."""
        now = self._clock()
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now
        return self._level >= 1

    def take_token(self) -> bool:
        """Take one; `False` if there is none."""
        if not self.has_token():
            return False
        self._level -= 1
        return True


class RateLimiter:
    """A bucket for each address."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = loop_time_s) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._of: OrderedDict[str, TokenBucket] = OrderedDict()

    def has_token(self, address: str) -> bool:
        """Whether that address has one to take."""
        bucket = self._of.get(address)
        return bucket is None or bucket.has_token()

    def take_token(self, address: str) -> bool:
        """Take one of that address."""
        bucket = self._of.pop(address, None) or TokenBucket(self._rate, self._burst, self._clock)
        self._of[address] = bucket
        if len(self._of) > ADDRESSES_MAX:
            self._of.popitem(last=False)
        return bucket.take_token()
