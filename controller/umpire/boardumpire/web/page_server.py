"""What serves a page, as those who build one need it: `serving.Server` on a machine with a network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class PageServer(Protocol):
    """Hands requests to an ASGI application between `start` and `stop`."""

    @property
    def is_secure(self) -> bool:
        """Whether it serves by https."""

    @property
    def listen_address(self) -> tuple[str, int]:
        """The address and the port on which it listens."""

    @property
    def origin(self) -> str:
        """Where this machine itself finds it: `http://127.0.0.1:8080`."""

    @property
    def scheme(self) -> str:
        """`http` or `https`."""

    async def start(self) -> None:
        """Listen. Raises `UnreachableAddress` where that may work later, `ConfigError` where it may not."""

    def stop(self) -> None:
        """Hang up. Stopping twice is allowed."""

    async def wait_closed(self) -> None:
        """After `stop`: until what was being answered has heard that the line is gone."""


OpenPageServer = Callable[..., PageServer]
"""Makes a server, given what `serving.Server` is given."""
