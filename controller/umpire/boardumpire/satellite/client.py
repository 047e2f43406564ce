"""The satellite's end: opens the ports that the host asks for, and carries their bytes both ways.

It knows no board and no game. It opens no path but those of its own list.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from boardumpire.satellite import handshake, line
from boardumpire.satellite.handshake import RefusedError
from boardumpire.satellite.keys import SatelliteKey
from boardumpire.satellite.line import LineError, MessageStream, SealedLine
from boardumpire.supervision import Backoff

log = logging.getLogger("boardumpire.satellite")

FIND_INTERVAL_S = 1.0
"""Between two looks at which ports there are."""
READ_BYTES = 2048
RECONNECT = Backoff(first_s=1.0, max_s=15.0)
LONG_LINE_S = 30.0
"""A line that lasted so long was good: after it the pauses begin anew."""

FindPorts = Callable[[], Sequence[str]]
OpenPort = Callable[[str], Any]


class Satellite:
    """Connects to the host again and again."""

    def __init__(
        self,
        connect: Callable[[], Awaitable[MessageStream]],
        key: SatelliteKey,
        find: FindPorts,
        open_port: OpenPort,
        *,
        watches: bool = True,
    ) -> None:
        """`connect` raises `LineError`. `find`, `open_port` and `watches` as in `PortCarrier`."""
        self._connect, self._key = connect, key
        self._find, self._open_port, self._watches = find, open_port, watches
        self._carrier: PortCarrier | None = None
        self.away_reason = "not connected yet"
        """Why there is no line; empty while there is one."""

    async def run(self) -> None:
        """Carry until cancelled."""
        loop = asyncio.get_running_loop()
        pause, told = 0.0, ""
        while True:
            began = loop.time()
            try:
                why = await self._carry_once()
            except (LineError, RefusedError) as error:
                why = str(error)
            was_long = loop.time() - began > LONG_LINE_S
            self.away_reason = why
            if why != told or was_long:
                log.warning("the host is away: %s; trying again", why)
                told = why
            pause = RECONNECT.next_pause(0.0 if was_long else pause)
            await asyncio.sleep(pause)

    def read_ports(self) -> None:
        """As `PortCarrier.read_ports`, while there is a line."""
        if self._carrier is not None:
            self._carrier.read_ports()

    async def _carry_once(self) -> str:
        stream = await self._connect()
        try:
            channel = await handshake.begin_session(stream, self._key)
            log.info("connected as %s", self._key.name)
            self.away_reason = ""
            sealed = SealedLine(stream, channel)
            self._carrier = PortCarrier(sealed, self._find, self._open_port, watches=self._watches)
            return await self._carrier.run()
        finally:
            self._carrier = None
            stream.close()


class PortCarrier:
    """Carries the bytes of this machine's ports over one line."""

    def __init__(
        self,
        sealed: SealedLine,
        find: FindPorts,
        open_port: OpenPort,
        *,
        watches: bool = True,
    ) -> None:
        """`find`: the paths of the ports there are. `open_port` opens one, as `pico_port.open_serial`.

        Without `watches` somebody calls `read_ports` whenever something has come.
        """
        self._line, self._find, self._open_port, self._watches = sealed, find, open_port, watches
        self._paths: tuple[str, ...] | None = None
        self._ports: dict[int, Any] = {}
        self._looking: asyncio.TimerHandle | None = None

    async def run(self) -> str:
        """Carry until the line ends; why it ended."""
        self._look_for_ports()
        try:
            return await self._line.run(self._handle)
        finally:
            if self._looking is not None:
                self._looking.cancel()
            for channel in list(self._ports):
                self._close(channel)

    def read_ports(self) -> None:
        """Send what has come from all open ports."""
        for channel in list(self._ports):
            self._read(channel)

    def _look_for_ports(self) -> None:
        paths = tuple(
            path
            for path in self._find()[: line.PORTS_MAX]
            if path.isprintable() and 0 < len(path) <= line.PATH_MAX_CHARS
        )
        if paths != self._paths:
            self._paths = paths
            self._line.send(line.PORTS, "\n".join(paths).encode())
        loop = asyncio.get_running_loop()
        self._looking = loop.call_later(FIND_INTERVAL_S, self._look_for_ports)

    def _handle(self, kind: bytes, body: bytes) -> None:
        channel, rest = line.split_channel(body)
        if kind == line.OPEN:
            self._open(channel, rest.decode(errors="replace"))
        elif kind == line.CLOSE:
            self._close(channel)
        elif kind == line.DATA:
            self._write(channel, rest)
        else:
            raise LineError(f"a message of an unknown kind came: {kind!r}")

    def _open(self, channel: int, path: str) -> None:
        if channel in self._ports:
            self._close(channel)
        if path not in (self._paths or ()):
            self._tell_closed(channel, "the satellite has no such port")
            return
        try:
            port = self._open_port(path)
        except OSError as error:
            self._tell_closed(channel, error.strerror or str(error))
            return
        self._ports[channel] = port
        log.info("%s is in use", path)
        if self._watches:
            asyncio.get_running_loop().add_reader(port.fileno(), self._read, channel)

    def _read(self, channel: int) -> None:
        try:
            data = self._ports[channel].read(READ_BYTES)
            if data:
                self._line.send_data(channel, data)
        except OSError as error:
            self._fail(channel, error)

    def _write(self, channel: int, data: bytes) -> None:
        port = self._ports.get(channel)
        if port is None:
            return
        try:
            port.write(data)  # what the kernel doesn't take is lost, as on a bad cable, and said again
        except OSError as error:
            self._fail(channel, error)

    def _fail(self, channel: int, error: OSError) -> None:
        self._close(channel)
        self._tell_closed(channel, error.strerror or str(error))

    def _tell_closed(self, channel: int, why: str) -> None:
        self._line.send(line.CLOSE, bytes((channel,)) + why.encode()[: line.PATH_MAX_CHARS])

    def _close(self, channel: int) -> None:
        port = self._ports.pop(channel, None)
        if port is None:
            return
        if self._watches:
            asyncio.get_running_loop().remove_reader(port.fileno())
        try:
            port.close()
        except OSError as error:
            log.debug("a port can't be closed: %s", error)
