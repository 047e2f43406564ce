"""Who may set a board up from a browser: a device in a network of this machine that shows the present code.

The log and `boardumpire status` tell the code. It lets one device in, and then there is another one. Guesses
are counted by address and all together, as those of the table's PIN are.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Callable

from starlette.requests import HTTPConnection

from boardumpire.web.seat_links import TABLE
from boardumpire.web.table_pin import TablePin

DIGITS = 8
COOKIE = "boardumpire-set-up"


class EntryCode:
    """The code, and the devices that it has let in."""

    def __init__(self, made: Callable[[], object] = lambda: None) -> None:
        """`made` is called whenever there is another code."""
        self._made = made
        self._let_in: set[str] = set()
        self._pin = TablePin(_fresh())

    @property
    def text(self) -> str:
        """The code that lets the next device in, as people type it."""
        return f"{self._pin.text[:4]} {self._pin.text[4:]}"

    def enter(self, given: str, address: str) -> str:
        """The secret for the cookie of a device that shows the code. Raises `WrongPin`."""
        self._pin.check("".join(given.split()), TABLE, address)
        secret = secrets.token_urlsafe(18)
        self._let_in.add(secret)
        self._pin.change(_fresh())
        self._made()
        return secret

    def knows(self, connection: HTTPConnection) -> bool:
        """Whether a device was let in."""
        given = connection.cookies.get(COOKIE, "")
        return any(secrets.compare_digest(given.encode(), each.encode()) for each in self._let_in)


def _fresh() -> str:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


def in_our_network(address: str) -> bool:
    """Whether a device with that address is this machine, or in a network that an interface of it is in."""
    try:
        asks = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    asks = getattr(asks, "ipv4_mapped", None) or asks
    if asks.is_loopback:
        return True
    import ifaddr

    for adapter in ifaddr.get_adapters():
        for each in adapter.ips:
            own = each.ip if isinstance(each.ip, str) else each.ip[0]
            network = ipaddress.ip_network(f"{own.partition('%')[0]}/{each.network_prefix}", strict=False)
            if network.prefixlen and asks in network:
                return True
    return False
