"""The page's name in the local network: `boardumpire.local`, announced by multicast DNS.

zeroconf is imported only where a name is wanted, and a machine without a network is served all the same: the
name is a convenience, so whatever goes wrong with it is a warning.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from boardumpire.service.addresses import reachable_addresses
from boardware.errors import install_hint

if TYPE_CHECKING:
    from zeroconf import ServiceInfo
    from zeroconf.asyncio import AsyncZeroconf

SERVICE_TYPE = "_http._tcp.local."
"""What the page is announced as."""
SATELLITES_TYPE = "_boardumpire._tcp.local."
"""What the address is announced as at which satellites connect."""
SEARCH_S = 2.0
"""How long a search for such addresses takes."""

log = logging.getLogger("boardumpire")

RETRY_INTERVAL_S = 10.0
"""Between two attempts: a Wi-Fi may come long after the daemon."""
_FAMILIES = {4: socket.AF_INET, 6: socket.AF_INET6}


class MdnsName:
    """A name that is announced from `start` to `stop`."""

    def __init__(
        self, name: str, address: str, port: int, *, secure: bool = False, type_: str = SERVICE_TYPE
    ) -> None:
        """`address` is where it listens: one address, or all that the machine has. `type_`: what listens."""
        self._type = type_
        self.host = f"{name}.local"
        """The name that browsers know the machine by, once it is announced."""
        self.is_announced = False
        """Whether it is."""
        self._label, self._address, self._port, self._secure = name, address, port, secure
        self._line: AsyncZeroconf | None = None
        self._announced_addresses: list[str] = []
        """The addresses that it is announced with."""

    async def start(self) -> None:
        """Announce it; where that can't be done a warning says why."""
        await self._announce("")

    async def keep_announced(self) -> None:
        """Announce it as soon as that can be done, and anew whenever the machine has other addresses.

        While it can't be done a warning says why, each reason once. A Wi-Fi may be gone for an evening, and
        come back with another address.
        """
        said = await self._announce("")
        while said or self.is_announced:
            await asyncio.sleep(RETRY_INTERVAL_S)
            if self.is_announced and set(self._addresses()) != set(self._announced_addresses):
                await self.stop()
                said = ""
            if not self.is_announced:
                said = await self._announce(said)

    async def _announce(self, said: str) -> str:
        """Announce it; why that can't be done now, empty where it is done or no trying helps.

        A warning says it, unless it is what was `said` before.
        """
        try:
            from zeroconf import Error, InterfaceChoice
            from zeroconf.asyncio import AsyncZeroconf
        except ImportError:
            log.warning("[page] mdns: zeroconf is missing: %s", install_hint("mdns"))
            return ""
        try:
            address = ipaddress.ip_address(self._address)
            everywhere = address.is_unspecified
            with socket.socket(_FAMILIES[address.version], socket.SOCK_DGRAM) as own:
                own.bind((self._address, 0))  # zeroconf leaves sockets open where the address isn't ours
            self._line = AsyncZeroconf(interfaces=InterfaceChoice.All if everywhere else [self._address])
            await (await self._line.async_register_service(self._service_info(), allow_name_change=True))
            self.is_announced = True
        except (OSError, Error, ValueError, TimeoutError, RuntimeError) as error:
            why = str(error) or type(error).__name__
            if why != said:
                log.warning("[page] mdns: %s is not announced: %s", self.host, why)
            await self.stop()
            return why
        return ""

    def _service_info(self) -> ServiceInfo:
        from zeroconf import ServiceInfo

        self._announced_addresses = self._addresses()
        if not self._announced_addresses:
            raise OSError("this machine has no address in a network")
        properties: dict[Any, Any] = {"path": "/", "tls": "1" if self._secure else "0"}
        return ServiceInfo(
            self._type,
            f"{self._label}.{self._type}",
            port=self._port,
            parsed_addresses=self._announced_addresses,
            server=f"{self.host}.",
            properties=properties,
        )

    def _addresses(self) -> list[str]:
        everywhere = ipaddress.ip_address(self._address).is_unspecified
        return reachable_addresses(self._address) if everywhere else [self._address]

    async def stop(self) -> None:
        """Announce it no more. Stopping twice is allowed."""
        line, self._line = self._line, None
        self.is_announced = False
        if line is not None:
            await line.async_close()


def find_hosts() -> Sequence[str]:
    """The addresses in this network at which satellites connect, as HOST:PORT.

    Takes seconds, and a loop of its own.
    """
    try:
        return asyncio.run(_find_hosts())
    except (ImportError, OSError, RuntimeError) as error:
        log.info("no boards are looked for in the network: %s", error)
        return ()


async def _find_hosts() -> Sequence[str]:
    from zeroconf import IPVersion, ServiceStateChange
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

    names = set[str]()

    def note(state_change: ServiceStateChange, name: str, **about: object) -> None:
        if state_change is not ServiceStateChange.Removed:
            names.add(name)

    line = AsyncZeroconf()
    try:
        browser = AsyncServiceBrowser(line.zeroconf, [SATELLITES_TYPE], handlers=[note])
        await asyncio.sleep(SEARCH_S)
        await browser.async_cancel()
        found = list[str]()
        for name in sorted(names):
            told = AsyncServiceInfo(SATELLITES_TYPE, name)
            if await told.async_request(line.zeroconf, SEARCH_S * 1000):
                addresses = told.parsed_addresses(IPVersion.V4Only)
                host = (told.server or "").rstrip(".")
                named = await asyncio.to_thread(_is_resolved, host, addresses)
                found += [f"{host if named else address}:{told.port}" for address in addresses[:1]]
        return found
    finally:
        await line.async_close()


def _is_resolved(host: str, addresses: Sequence[str]) -> bool:
    """Whether this machine finds that name by itself: an address may be another one tomorrow."""
    try:
        found = socket.getaddrinfo(host, None, socket.AF_INET)
    except OSError:
        return False
    return any(address[0] in addresses for *_, address in found)
