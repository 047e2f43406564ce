"""Who is connected: room for each seat, for the table's screens and for strangers, none at another's cost.

A connection is a stranger's until a request on it shows a link's cookie. Where one more comes than a group
has room for, the address that holds most of it loses the connection it used least recently. So whoever holds
many crowds out himself, and a newcomer has time to show who he is.
"""

from __future__ import annotations

import ipaddress
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from boardumpire.web import limits
from boardumpire.web.seat_links import TABLE_LINK

ClientAddress = tuple[str, int]
"""An address and a port."""


@dataclass
class _HeldConnection:
    network: str
    hang_up: Callable[[], None]
    link_holder: str | None = None


class ConnectionPool:
    """The connections of one server."""

    def __init__(self) -> None:
        self._held: OrderedDict[ClientAddress, _HeldConnection] = OrderedDict()
        """Least recently used first."""

    def __len__(self) -> int:
        return len(self._held)

    def add(self, client: ClientAddress, hang_up: Callable[[], None]) -> None:
        """Somebody connected; `hang_up` ends that at once."""
        self._held[client] = _HeldConnection(_household_network(client[0]), hang_up)
        self._evict_if_full(None)

    def note_request(self, client: ClientAddress, holder: str | None) -> None:
        """A request came there from whoever holds that seat's link, or the table's, or none."""
        held = self._held.get(client)
        if held is None:
            return
        self._held.move_to_end(client)
        held.link_holder = holder
        self._evict_if_full(holder)

    def remove(self, client: ClientAddress) -> None:
        """That connection has ended. Ending twice is allowed."""
        self._held.pop(client, None)

    def _evict_if_full(self, holder: str | None) -> None:
        group = {client: held for client, held in self._held.items() if held.link_holder == holder}
        crowd = Counter(held.network for held in group.values())
        network, most = crowd.most_common(1)[0]
        if len(group) <= _connections_max(holder) and (holder or most <= limits.STRANGERS_PER_ADDRESS):
            return
        client = next(client for client, held in group.items() if held.network == network)
        self._held.pop(client).hang_up()


def _connections_max(holder: str | None) -> int:
    if holder is None:
        return limits.STRANGERS_MAX
    return limits.CONNECTIONS_OF_TABLE if holder == TABLE_LINK else limits.CONNECTIONS_PER_SEAT


def _household_network(address: str) -> str:
    """What one household has: an IPv4 address, or the first half of an IPv6 one."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is None:
        return str(ipaddress.ip_network((int(parsed) >> 64 << 64, 64)))
    return address
