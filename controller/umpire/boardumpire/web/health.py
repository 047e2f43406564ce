"""For whoever runs the machine: is it well, and what has it counted?

/healthz   `ok`, or with 503 what is the matter: anybody may ask
/metrics   counts for Prometheus (`service.metrics`): this machine itself, and whom the configuration names
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence
from typing import Protocol

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from boardumpire.service.metrics import CONTENT_TYPE

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class ObservedService(Protocol):
    """What runs the board."""

    def problem(self) -> str:
        """What is the matter, as everybody may know it; empty if all is well."""

    def metrics(self) -> str:
        """What was counted."""


def health_routes(observed: ObservedService, networks: Iterable[Network]) -> Sequence[Route]:
    """Both of them. `networks`: who may read the counts beside this machine."""
    known = tuple(networks)

    async def health(request: Request) -> Response:
        ailing = observed.problem()
        return PlainTextResponse(f"{ailing or 'ok'}\n", 503 if ailing else 200)

    async def metrics(request: Request) -> Response:
        if not _may_read_metrics(request.client.host if request.client else "", known):
            return PlainTextResponse("counts are for the machine itself, and for [page] metrics\n", 403)
        return Response(observed.metrics(), media_type=CONTENT_TYPE)

    return [Route("/healthz", health), Route("/metrics", metrics)]


def _may_read_metrics(client: str, known: Sequence[Network]) -> bool:
    try:
        address = ipaddress.ip_address(client)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)  # so a socket of `::` names who asks by IPv4
    address = mapped or address
    return address.is_loopback or any(address in network for network in known)
