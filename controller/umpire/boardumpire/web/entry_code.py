"""Who may set a board up from a browser: a device in a network of this machine that shows the present code.

The log and `boardumpire status` tell the code. It lets one device in, and then there is another one. It is
too long to be guessed, so guesses are not counted: whoever guesses keeps nobody else out.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections.abc import Callable

from starlette.requests import HTTPConnection

from boardumpire.errors import BoardumpireError

CODE_DIGITS = 12
"""A thousand guesses a second find one of these in 16 years, on average."""
DIGITS_PER_GROUP = 4
"""Digits between two spaces, as people type them."""
COOKIE_NAME = "boardumpire-set-up"


class WrongCode(BoardumpireError):  # noqa: N818 - what it is
    """The code is not that one."""


class EntryCode:
    """The code, and the devices that it has let in."""

    def __init__(self, made: Callable[[], object] = lambda: None) -> None:
        """`made` is called whenever there is another code."""
        self._made = made
        self._let_in: set[str] = set()
        self._code = _new_code()

    @property
    def text(self) -> str:
        """The code that lets the next device in, as people type it."""
        return " ".join(
            self._code[at : at + DIGITS_PER_GROUP] for at in range(0, CODE_DIGITS, DIGITS_PER_GROUP)
        )

    def admit_device(self, given: str) -> str:
        """The secret for the cookie of a device that shows the code. Raises `WrongCode`."""
        if not hmac.compare_digest("".join(given.split()).encode(errors="replace"), self._code.encode()):
            raise WrongCode("That is not the code.")
        secret = secrets.token_urlsafe(18)
        self._let_in.add(secret)
        self._code = _new_code()
        self._made()
        return secret

    def is_admitted(self, connection: HTTPConnection) -> bool:
        """Whether a device was let in."""
        given = connection.cookies.get(COOKIE_NAME, "")
        return any(secrets.compare_digest(given.encode(), each.encode()) for each in self._let_in)


def _new_code() -> str:
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"


def is_in_local_network(address: str) -> bool:
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
