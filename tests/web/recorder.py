"""Somebody on the Wi-Fi who reads along: what of an encrypted line is seen by whoever has no key."""

from __future__ import annotations

import asyncio
import contextlib
from typing import NamedTuple

APPLICATION_DATA = 23
"""The type of a TLS record that holds what was said (RFC 8446, 5.1)."""
HEAD = 5
"""Bytes of a record's type, version and length."""
PING, PONG = 6 + 17, 10 + 17
"""Records of uvicorn's pings, which come by the clock: head, mask of an answer, four bytes; and TLS's own."""


class Seen(NamedTuple):
    """One record that went by."""

    line: int
    way: str
    """`up` or `down`."""
    size: int


class Recorder:
    """Stands between browsers and a server, passes all on and writes down each record's way and size."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.seen: list[Seen] = []
        self._lines = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> int:
        """Listen; the port."""
        self._server = await asyncio.start_server(self._line, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def stop(self) -> None:
        """Hang up."""
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _line(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._lines += 1
        number = self._lines
        theirs, ours = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            await asyncio.gather(
                self._pass(number, "up", reader, ours), self._pass(number, "down", theirs, writer)
            )
        except asyncio.CancelledError:
            pass  # `stop`: asyncio calls back whoever ends otherwise
        finally:
            for end in (writer, ours):
                end.close()

    async def _pass(
        self, line: int, way: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = await reader.readexactly(HEAD)
                body = await reader.readexactly(int.from_bytes(head[3:]))
                if head[0] == APPLICATION_DATA and len(body) not in (PING, PONG):
                    self.seen.append(Seen(line, way, len(body)))
                writer.write(head + body)
                await writer.drain()
        with contextlib.suppress(ConnectionError, OSError):
            writer.write_eof()
