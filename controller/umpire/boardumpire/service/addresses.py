"""By which addresses other devices reach this machine: what its network interfaces have."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from typing import TYPE_CHECKING

from boardumpire.errors import BoardumpireError
from boardware.errors import install_hint

if TYPE_CHECKING:
    from ifaddr import Adapter

VIRTUAL_INTERFACES = ("docker", "br-", "veth", "virbr", "lxc", "lxdbr", "cni", "podman", "vmnet", "vboxnet")
"""How interfaces begin that lead to containers and virtual machines of this very machine: those that Docker,
libvirt, LXC, LXD, CNI, Podman, VMware and VirtualBox make. No phone is there."""


def reachable_addresses(listen_address: str) -> list[str]:
    """The addresses by which another device in a network of this machine reaches what listens at
    `listen_address`; the likeliest first, none where none can.

    Raises `BoardumpireError` where the library that knows interfaces is missing.
    """
    address = ipaddress.ip_address(listen_address)
    if not address.is_unspecified:
        return [] if address.is_loopback else [listen_address]
    try:
        import ifaddr
    except ImportError:
        raise BoardumpireError(f"[page] ifaddr is missing: {install_hint('web')}") from None
    first = _default_route_address()
    try:
        return outward_addresses(ifaddr.get_adapters(), first, with_6=address.version == 6)
    except OSError:  # the kernel tells this process of no interfaces
        return [first] if first else []


def outward_addresses(adapters: Iterable[Adapter], first: str, *, with_6: bool) -> list[str]:
    """Those addresses of the interfaces that lead out of the machine; `first` before the others.

    Linux lets a socket at `::` (`with_6`) be reached by IPv4 as well.
    """
    ranked: list[tuple[int, str]] = []
    for adapter in adapters:
        if adapter.name.startswith(VIRTUAL_INTERFACES):
            continue
        for each in adapter.ips:
            text = each.ip if isinstance(each.ip, str) else each.ip[0]
            address = ipaddress.ip_address(text)
            if address.is_loopback or (address.version == 6 and (not with_6 or address.is_link_local)):
                continue  # one of a link is nothing that a browser opens: it wants the interface's name
            rank = 0 if text == first else 2 * address.is_link_local + (address.version == 6) + 1
            ranked.append((rank, text))
    return [text for _, text in sorted(ranked, key=lambda each: each[0])]


def _default_route_address() -> str:
    """The address that packets out of this network would carry; empty where there is no way. Sends none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))  # an address for examples: only the way there is looked up
            found: str = asking.getsockname()[0]
        except OSError:
            return ""
    return found


def url_host(address: str) -> str:
    """As it stands in a link."""
    return f"[{address}]" if ":" in address else address
