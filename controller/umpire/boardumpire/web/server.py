"""uvicorn without its clock: it serves on the daemon's own loop and wakes only when somebody asks."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import logging
import socket
from collections.abc import Callable

import h11
import uvicorn
import wsproto.utilities
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from boardumpire.errors import ConfigError, UnreachableAddress
from boardumpire.service.addresses import url_host
from boardumpire.web import limits
from boardumpire.web.connection import Connection, ServerState, SocketConnection

LISTEN_ADVICE = {
    errno.EADDRINUSE: "try another port",
    errno.EADDRNOTAVAIL: "try an address of this machine",
    errno.EACCES: "try a port from 1024 on",
}
"""What a person can do about an address at which nothing can listen."""


class Server:
    """One listening socket. `start`, `stop`; nothing ticks in between.

    `uvicorn.Server.serve` would take the signals, which are the daemon's, and wake ten times a second.
    """

    def __init__(
        self,
        app: ASGIApp,
        address: str,
        port: int,
        certificate: str = "",
        key: str = "",
        *,
        holder: Callable[[HTTPConnection], str | None] = lambda connection: None,
        listening: socket.socket | None = None,
        section: str = "page",
    ) -> None:
        """`holder`: the seat (or `table`) whose link the device that asks has; room is kept for each.
        `section`: that of the configuration that names the address.

        `listening`: a socket of its owner, who goes on with it afterwards (`listen`), instead of one of its
        own.
        """
        self._app, self._holder, self._listening = app, holder, listening
        self._state = ServerState()
        self._address, self._port, self._section = address, port, section
        for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
            logging.getLogger(name).setLevel(logging.WARNING)
        self._config = uvicorn.Config(
            self._identify_client,
            http=Connection,
            ws=SocketConnection,
            loop="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            backlog=limits.LISTEN_BACKLOG,
            timeout_keep_alive=int(limits.KEEP_ALIVE_S),
            h11_max_incomplete_event_size=limits.HEAD_MAX_BYTES,
            ws_max_size=limits.MESSAGE_MAX_BYTES,
            ws_per_message_deflate=False,  # what seats are told must not be guessed from its size
            ws_ping_interval=30.0,
            ws_ping_timeout=20.0,
            ssl_certfile=certificate or None,
            ssl_keyfile=key or None,
        )
        self.is_secure = bool(certificate)
        self._server: asyncio.Server | None = None
        self._ending: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen; may be tried again. Raises `UnreachableAddress` where that may work later, `ConfigError`
        where it may not, or where the certificate can't be read."""
        try:
            if not self._config.loaded:
                self._config.load()
        except OSError as error:
            raise ConfigError(f"[page] certificate, key: {error}") from None
        listening = (
            listen(self._address, self._port, self._section)
            if self._listening is None
            else self._listening.dup()
        )
        self._port = listening.getsockname()[1]
        self._server = await asyncio.get_running_loop().create_server(
            lambda: Connection(self._config, self._state, {}),
            sock=listening,
            ssl=self._config.ssl,
            backlog=limits.LISTEN_BACKLOG,
            ssl_handshake_timeout=limits.REQUEST_TIMEOUT_S if self.is_secure else None,
        )

    async def _identify_client(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI: notes whose connection it is, then goes on."""
        if scope["type"] in ("http", "websocket") and scope["client"]:
            self._state.pool.note_request(scope["client"], self._holder(HTTPConnection(scope)))
        await self._app(scope, receive, send)

    @property
    def listen_address(self) -> tuple[str, int]:
        """The address and the port on which it listens."""
        return self._address, self._port

    @property
    def origin(self) -> str:
        """Where this machine itself finds it: `http://127.0.0.1:8080`."""
        host = "localhost" if ipaddress.ip_address(self._address).is_unspecified else url_host(self._address)
        return f"{self.scheme}://{host}:{self._port}"

    @property
    def scheme(self) -> str:
        """`http`, or `https` where there is a certificate."""
        return "https" if self.is_secure else "http"

    def stop_accepting(self) -> None:
        """Let whoever comes from now on wait for the next server that listens at this socket."""
        if self._server is not None:
            self._server.close()

    def stop(self) -> None:
        """Hang up. Stopping twice is allowed."""
        server, self._server = self._server, None
        if server is None:
            return
        server.close()
        for connection in list(self._state.connections):
            with contextlib.suppress(h11.LocalProtocolError, wsproto.utilities.LocalProtocolError):
                connection.shutdown()  # refused where the other end has just hung up by itself
            connection.transport.close()
        self._ending = set(self._state.tasks)

    async def wait_closed(self) -> None:
        """After `stop`: until what was being answered has heard that the line is gone, at most a second."""
        if self._ending:
            _, late = await asyncio.wait(self._ending, timeout=1.0)
            for task in late:
                task.cancel()


def listen(address: str, port: int, section: str = "page") -> socket.socket:
    """A socket that listens there: connections wait until a server accepts them. `section` as in `Server`.

    Raises `UnreachableAddress` where that may work later, else `ConfigError`.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen(limits.LISTEN_BACKLOG)  # until then another program can bind the same port
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        kind = UnreachableAddress if error.errno in (errno.EADDRNOTAVAIL, errno.EADDRINUSE) else ConfigError
        advice = LISTEN_ADVICE.get(error.errno or 0, "try another address")
        raise kind(
            f"[{section}] listen: can't listen at {address}:{port}: {error.strerror}; {advice}"
        ) from None
    return listening
