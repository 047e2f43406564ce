"""The satellite's WebSocket to the host."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, NamedTuple

from boardumpire.errors import BoardumpireError
from boardumpire.satellite.line import LineError

if TYPE_CHECKING:
    import ssl

    import wsproto

DEFAULT_PORT = 8474
CONNECT_S = 10.0
"""Seconds for the connection, its TLS and the answer to the first request."""
READ_BYTES = 16384
MESSAGE_MAX_BYTES = 8192

_ADDRESS = re.compile(
    r"(?:(?P<scheme>wss?|https?)://)?(?P<host>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)"
    r"(?::(?P<port>[0-9]{1,5}))?(?P<path>/[!-~]*)?"
)


class HostAddress(NamedTuple):
    """Where a host is."""

    host: str
    port: int
    path: str
    is_secure: bool

    @classmethod
    def parse(cls, text: str) -> HostAddress:
        """`HOST`, `HOST:PORT`, `wss://HOST/PATH`. Raises `BoardumpireError`."""
        found = _ADDRESS.fullmatch(text)
        if found is None or int(found["port"] or 1) not in range(1, 65536):
            raise BoardumpireError(f"--to: found {text!r}; try HOST:PORT or wss://HOST/PATH")
        secure = found["scheme"] in ("wss", "https")
        port = 443 if secure else 80 if found["scheme"] else DEFAULT_PORT
        return cls(
            found["host"].strip("[]"), int(found["port"] or port), found["path"] or "/", is_secure=secure
        )

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


async def connect(address: HostAddress) -> WebSocketStream:
    """A WebSocket to that address. Raises `LineError`."""
    try:
        async with asyncio.timeout(CONNECT_S):
            tls = _client_tls() if address.is_secure else None
            reader, writer = await asyncio.open_connection(address.host, address.port, ssl=tls)
            stream = WebSocketStream(reader, writer)
            try:
                await stream.upgrade(address)
            except BaseException:
                stream.close()
                raise
            return stream
    except TimeoutError:
        raise LineError(f"{address}: no answer for {CONNECT_S:g} s") from None
    except OSError as error:
        raise LineError(f"{address}: {error.strerror or error}") from None


def _client_tls() -> ssl.SSLContext:
    import ssl  # 5 MB that a satellite without TLS does not need

    return ssl.create_default_context()


class WebSocketStream:
    """A WebSocket as a `MessageStream`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        import wsproto

        self._reader, self._writer = reader, writer
        self._socket: wsproto.WSConnection = wsproto.WSConnection(wsproto.ConnectionType.CLIENT)
        self._partial = b""

    async def upgrade(self, address: HostAddress) -> None:
        """Make the connection a WebSocket. Raises `LineError`."""
        from wsproto.events import AcceptConnection, Request

        self._writer.write(self._socket.send(Request(host=str(address), target=address.path)))
        event = await self._next_event()
        if not isinstance(event, AcceptConnection):
            raise LineError(f"{address}: no host of satellites answers there")

    @property
    def backlog(self) -> int:
        """How many bytes wait to be sent."""
        return self._writer.transport.get_write_buffer_size()

    def send(self, data: bytes) -> None:
        """Send a message. Raises `LineError` if the line is closed."""
        from wsproto.events import BytesMessage

        if self._writer.is_closing():
            raise LineError("the line was closed")
        self._writer.write(self._socket.send(BytesMessage(data)))

    async def receive(self) -> bytes:
        """The next message. Raises `LineError`."""
        from wsproto.events import BytesMessage, Ping

        while True:
            event = await self._next_event()
            if isinstance(event, Ping):
                self._writer.write(self._socket.send(event.response()))
            elif isinstance(event, BytesMessage):
                self._partial += bytes(event.data)
                if len(self._partial) > MESSAGE_MAX_BYTES:
                    raise LineError("the host sent too long a message")
                if event.message_finished:
                    data, self._partial = self._partial, b""
                    return data
            else:
                raise LineError("the host has hung up")

    def close(self) -> None:
        """End it at once. Closing twice is allowed."""
        self._writer.transport.abort()

    async def _next_event(self) -> object:
        from wsproto.utilities import ProtocolError

        try:
            while True:
                for event in self._socket.events():
                    return event
                data = await self._reader.read(READ_BYTES)
                if not data:
                    raise LineError("the host has hung up")
                self._socket.receive_data(data)
        except ProtocolError:
            raise LineError("the host speaks no WebSocket") from None
        except OSError as error:
            raise LineError(error.strerror or str(error)) from None
