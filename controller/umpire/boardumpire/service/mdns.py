"""The page's name in the local network: `boardumpire.local`, announced by multicast DNS.

zeroconf is imported only where a name is wanted, and a machine without a network is served all the same: the
name is a convenience, so whatever goes wrong with it is a warning.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
from typing import TYPE_CHECKING, Any

from boardumpire.service.addresses import reachable_addresses
from boardware.errors import install_hint

if TYPE_CHECKING:
    from zeroconf import ServiceInfo
    from zeroconf.asyncio import AsyncZeroconf

SERVICE_TYPE = "_http._tcp.local."

log = logging.getLogger("boardumpire")

RETRY_INTERVAL_S = 10.0
"""Between two attempts: a Wi-Fi may come long after the daemon."""
_FAMILIES = {4: socket.AF_INET, 6: socket.AF_INET6}


class MdnsName:
    """A name that is announced from `start` to `stop`."""

    def __init__(self, name: str, address: str, port: int, *, secure: bool = False) -> None:
        """`address` is where the page listens: one address, or all that the machine has."""
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
            SERVICE_TYPE,
            f"{self._label}.{SERVICE_TYPE}",
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
