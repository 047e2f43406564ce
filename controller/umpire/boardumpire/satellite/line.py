"""The line between host and satellite: numbered channels of bytes, one for each open port of a Pico.

A message is a kind, in one byte, and what belongs to it:

    satellite  P  the paths of its ports, one a line
    host       O  channel, path: open that port
    both       D  channel, bytes
    both       C  channel, why: the port is closed
    both       K  nothing: a sign of life

Both ends say something each second, and give the line up when nothing came for five.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Protocol

from boardumpire.errors import BoardumpireError
from boardumpire.satellite.channel import ChannelError, SecureChannel

PORTS, OPEN, DATA, CLOSE, ALIVE = b"P", b"O", b"D", b"C", b"K"
ALIVE_INTERVAL_S = 1.0
SILENCE_S = 5.0
"""After so many seconds without a message the other end is gone."""
BACKLOG_MAX_BYTES = 16384
"""Bytes that may wait to be sent; more data of ports is dropped, as on a bad cable, and said again."""
MESSAGE_MAX_BYTES = 4096
"""Bytes of one message before it is sealed."""
CHANNELS = 256
PORTS_MAX = 8
PATH_MAX_CHARS = 200


class LineError(BoardumpireError):
    """The line can't go on: broken, silent, or the other end talks nonsense."""


class MessageStream(Protocol):
    """Whole messages, in their order: a WebSocket, or a simulated one."""

    @property
    def backlog(self) -> int:
        """How many bytes wait to be sent."""

    def send(self, data: bytes) -> None:
        """Send a message; it may wait. Raises `LineError` if the stream has ended."""

    async def receive(self) -> bytes:
        """The next message. Raises `LineError` if the stream has ended."""

    def close(self) -> None:
        """End it at once. Closing twice is allowed."""


async def receive_within(stream: MessageStream, seconds: float) -> bytes:
    """The next message. Raises `LineError` if none comes in time."""
    try:
        async with asyncio.timeout(seconds):
            return await stream.receive()
    except TimeoutError:
        raise LineError(f"nothing came for {seconds:g} s") from None


class SealedLine:
    """One end of an open line."""

    def __init__(self, stream: MessageStream, channel: SecureChannel) -> None:
        self._stream, self._channel = stream, channel
        self._is_broken = False
        self._alive: asyncio.TimerHandle | None = None
        self._last_sent = 0.0

    def send(self, kind: bytes, body: bytes = b"") -> None:
        """Send a message. Nothing is sent any more on a line that is broken."""
        if self._is_broken:
            return
        self._last_sent = asyncio.get_running_loop().time()
        with contextlib.suppress(LineError):  # `run` finds it broken as well
            self._stream.send(self._channel.seal(kind + body))

    def send_data(self, channel: int, data: bytes) -> int:
        """Send bytes of a port; how many were taken: none while too many wait."""
        if self._is_broken or self._stream.backlog > BACKLOG_MAX_BYTES:
            return 0
        data = data[: MESSAGE_MAX_BYTES - 2]
        self.send(DATA, bytes((channel,)) + data)
        return len(data)

    async def receive(self) -> tuple[bytes, bytes]:
        """The next message, its kind and the rest. Raises `LineError`, `ChannelError`."""
        text = self._channel.open(await receive_within(self._stream, SILENCE_S))
        return text[:1], text[1:]

    async def run(self, handle: Callable[[bytes, bytes], None]) -> str:
        """Hand each message to `handle`, which may raise `LineError`, until the line ends; why it ended."""
        self._say_alive()
        try:
            while True:
                kind, body = await self.receive()
                if kind != ALIVE:
                    handle(kind, body)
        except (LineError, ChannelError) as error:
            return str(error)
        finally:
            self.close()

    def close(self) -> None:
        """Break it. Closing twice is allowed."""
        self._is_broken = True
        if self._alive is not None:
            self._alive.cancel()
        self._stream.close()

    def _say_alive(self) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() - self._last_sent >= ALIVE_INTERVAL_S / 2 and self._stream.backlog == 0:
            self.send(ALIVE)
        self._alive = loop.call_later(ALIVE_INTERVAL_S, self._say_alive)


def split_channel(body: bytes) -> tuple[int, bytes]:
    """The channel of a message, and the rest. Raises `LineError`."""
    if not body:
        raise LineError("a message without a channel came")
    return body[0], body[1:]
