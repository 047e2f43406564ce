"""uvicorn without its clock: it serves on the daemon's own loop and wakes only when somebody asks."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import sys
from http import HTTPStatus

import h11
import uvicorn
import wsproto.utilities
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from boardumpire.errors import ConfigError
from boardumpire.web import limits
from boardumpire.web.guard import HEADERS

REFUSED = {
    400: "this is no request that a browser sends\n",
    431: f"too large: at most {limits.HEAD} bytes of request line and headers\n",
}
"""What is said of requests that can't be read, by status."""


class Connection(H11Protocol):
    """One connection. An address that holds too many, or that holds one and asks nothing, is hung up on:
    it would keep everybody else out."""

    _silent: asyncio.TimerHandle | None = None
    _deaf = False
    """Whether it was refused: what still comes is thrown away."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """As asyncio calls it."""
        super().connection_made(transport)
        here = (self.client or ("",))[0]
        held = sum((getattr(each, "client", None) or ("",))[0] == here for each in self.connections)
        if held > limits.CONNECTIONS_AN_ADDRESS or len(self.connections) > limits.CONNECTIONS_OF_ALL:
            transport.close()
        else:
            self._silent = self.loop.call_later(limits.SILENCE_S, self._asked_nothing)

    def connection_lost(self, exc: Exception | None) -> None:
        """As asyncio calls it."""
        if self._silent is not None:
            self._silent.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """As asyncio calls it."""
        if not self._deaf:
            super().data_received(data)

    def send_400_response(self, msg: str) -> None:
        """As uvicorn calls it while it handles what h11 raised, which knows the status.

        To close at once would lose the word: a line that is closed with something unread on it is reset.
        So our end is closed, theirs is left open for a while and not listened to.
        """
        error = sys.exception()
        status = getattr(error, "error_status_hint", 400)
        text = REFUSED.get(status, REFUSED[400]).encode()
        head = [("content-type", "text/plain; charset=utf-8"), ("connection", "close"), *HEADERS.items()]
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            response = h11.Response(status_code=status, headers=head, reason=HTTPStatus(status).phrase)
            for event in (response, h11.Data(text), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self._deaf = True
        if self.cycle is not None:  # what answers the rest of this request has nobody left to tell
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.transport.can_write_eof():
            self.transport.write_eof()
            self.loop.call_later(limits.SILENCE_S, self.transport.close)
        else:  # TLS says goodbye by itself
            self.transport.close()

    def _asked_nothing(self) -> None:
        if self.cycle is None and self.transport.get_protocol() is self:  # else it became a WebSocket
            self.transport.close()


class Server:
    """One listening socket. `start`, `stop`; nothing ticks in between.

    `uvicorn.Server.serve` would take the signals, which are the daemon's, and wake ten times a second.
    """

    def __init__(self, app: ASGIApp, address: str, port: int, certificate: str = "", key: str = "") -> None:
        self._address, self._port = address, port
        for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
            logging.getLogger(name).setLevel(logging.WARNING)
        self._config = uvicorn.Config(
            app,
            http=Connection,
            ws="wsproto",
            loop="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            limit_concurrency=limits.CONNECTIONS,
            backlog=limits.WAITING,
            timeout_keep_alive=20,
            h11_max_incomplete_event_size=limits.HEAD,
            ws_max_size=limits.MESSAGE,
            ws_per_message_deflate=False,  # what seats are told must not be guessed from its size
            ws_ping_interval=30.0,
            ws_ping_timeout=20.0,
            ssl_certfile=certificate or None,
            ssl_keyfile=key or None,
        )
        self.secure = bool(certificate)
        self._server: uvicorn.Server | None = None
        self._ending: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen. Raises `ConfigError` if the address can't be had or the certificate can't be read."""
        try:
            self._config.load()
        except OSError as error:
            raise ConfigError(f"[page] certificate, key: {error}") from None
        listening = _listen(self._address, self._port)
        self._port = listening.getsockname()[1]
        server = uvicorn.Server(self._config)
        server.lifespan = self._config.lifespan_class(self._config)
        await server.startup(sockets=[listening])
        self._server = server

    @property
    def where(self) -> tuple[str, int]:
        """The address and the port on which it listens."""
        return self._address, self._port

    @property
    def origin(self) -> str:
        """Where it is served: `http://127.0.0.1:8080`."""
        host = f"[{self._address}]" if ":" in self._address else self._address
        return f"{'https' if self.secure else 'http'}://{host}:{self._port}"

    def stop(self) -> None:
        """Hang up. Stopping twice is allowed."""
        server, self._server = self._server, None
        if server is None:
            return
        for listening in server.servers:
            listening.close()
        for connection in list(server.server_state.connections):
            with contextlib.suppress(h11.LocalProtocolError, wsproto.utilities.LocalProtocolError):
                connection.shutdown()  # refused where the other end has just hung up by itself
            connection.transport.close()
        self._ending = set(server.server_state.tasks)

    async def ended(self) -> None:
        """After `stop`: until what was being answered has heard that the line is gone, at most a second."""
        if self._ending:
            _, late = await asyncio.wait(self._ending, timeout=1.0)
            for task in late:
                task.cancel()


def _listen(address: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        raise ConfigError(f"[page] listen: can't listen at {address}:{port}: {error.strerror}") from None
    return listening
