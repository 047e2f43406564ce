"""Where a host listens for satellites: a WebSocket at an address of its own, apart from the page."""

from __future__ import annotations

import asyncio
import ipaddress

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected

from boardumpire.satellite.host import SatelliteHost
from boardumpire.satellite.line import BACKLOG_MAX_BYTES, LineError
from boardumpire.service.config import PageSection, SatellitesSection, parse_listen_address
from boardumpire.service.mdns import SATELLITES_TYPE, MdnsName
from boardumpire.supervision import keep_running, start_task
from boardumpire.web import limits
from boardumpire.web.server import Server

_NOT_FOUND = b"this address is for satellites: boardumpire satellite --to ...\n"


class SatelliteListener:
    """Serves WebSockets for a `SatelliteHost`. Its `start` is a page's (`readiness.PageListener`)."""

    def __init__(self, section: SatellitesSection, page: PageSection, host: SatelliteHost) -> None:
        """By TLS where the page has a certificate."""
        where = parse_listen_address(section.listen)
        assert where is not None, "the configuration was read"
        self._host, self._label = host, page.mdns
        self._name: MdnsName | None = None
        self._server = Server(self._respond, *where, page.certificate, page.key, section="satellites")

    @property
    def listen_address(self) -> tuple[str, int]:
        """The address and the port on which it listens."""
        return self._server.listen_address

    async def start(self) -> None:
        """Listen. Raises as `Server.start`."""
        await self._server.start()
        address, port = self._server.listen_address
        # By TLS the name in the certificate counts, which is another one.
        if self._label and not (self._server.is_secure or ipaddress.ip_address(address).is_loopback):
            self._name = MdnsName(self._label, address, port, type_=SATELLITES_TYPE)
            self._announcing = keep_running(self._name.keep_announced, "[satellites] mdns")

    def stop(self) -> None:
        """Hang up. Stopping twice is allowed."""
        if self._name is not None:
            name, self._name = self._name, None
            self._announcing.cancel()
            self._ending = start_task(name.stop(), "the name of the satellites' address")
        self._server.stop()

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] == "http":
            head = [(b"content-type", b"text/plain; charset=utf-8")]
            await send({"type": "http.response.start", "status": 404, "headers": head})
            await send({"type": "http.response.body", "body": _NOT_FOUND})
            return
        await receive()
        await send({"type": "websocket.accept"})
        stream = _ServerStream(receive, send)
        pump = start_task(stream.pump(), "the line to a satellite")
        try:
            await self._host.serve(stream, scope["client"][0] if scope["client"] else "")
        finally:
            stream.close()
            await asyncio.wait((pump,), timeout=limits.CLOSE_TIMEOUT_S)
            pump.cancel()  # where the satellite reads nothing


class _ServerStream:
    """A WebSocket as a `MessageStream`."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.backlog = 0
        self._is_closed = False

    def send(self, data: bytes) -> None:
        if self._is_closed or self.backlog > 2 * BACKLOG_MAX_BYTES:
            raise LineError("the satellite reads nothing")
        self.backlog += len(data)
        self._waiting.put_nowait(data)

    async def receive(self) -> bytes:
        message = await self._receive()
        data = message.get("bytes")
        if message["type"] != "websocket.receive" or data is None:
            raise LineError("the satellite has hung up")
        return bytes(data)

    def close(self) -> None:
        """End it once what waits was sent; `receive` then hears of it."""
        if not self._is_closed:
            self._is_closed = True
            self._waiting.put_nowait(None)

    async def pump(self) -> None:
        """Send what waits, until it is closed."""
        try:
            while (data := await self._waiting.get()) is not None:
                await self._send({"type": "websocket.send", "bytes": data})
                self.backlog -= len(data)
            await self._send({"type": "websocket.close", "code": 1000})
        except (ClientDisconnected, OSError, RuntimeError):  # it has hung up: `receive` says so
            self._is_closed = True
