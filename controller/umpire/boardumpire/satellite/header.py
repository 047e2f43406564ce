"""A board on the header of a satellite: its station runs here, and is a port beside those of Picos."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, NoReturn

from boardumpire.errors import ConfigError, DriverError
from boardumpire.service import drivers
from boardumpire.service.clock import monotonic
from boardumpire.service.config import Config
from boardumpire.supervision import Backoff
from boardware.description import load_board
from boardware.errors import BoardFileError, BoardwareError
from boardware.header_pico import header_as_pico
from boardware.parts import BoardDescription
from boardware.pico_remote import RemotePort
from boardware.ports import SECOND

if TYPE_CHECKING:
    from boardware.header_station import HeaderStation

log = logging.getLogger("boardumpire.satellite")

PATH = "header"
"""What the host opens."""
REOPEN = Backoff(first_s=1.0, max_s=30.0)

_HOST_SETTINGS = {
    "sensors": ("place_ms", "lockout_ms"),
    "lamps": ("brightness",),
    "console": ("scan_ms", "press_ms", "lockout_ms", "hold_ms"),
}
"""Settings of the drivers that only a board with its table at hand has: the station is as on a Pico, and its
host says how bright the lamps are, and how long a button is held."""


def check_board(found: Config) -> BoardDescription:
    """The board of a satellite. One on the header is refused if its drivers can't serve it there.

    Raises `ConfigError`, `DriverError`.
    """
    place = found.origin.locate
    try:
        board = load_board(found.board.name)
    except BoardFileError as error:
        raise ConfigError(f"{place('board', 'name')}: {error}") from None
    if board.picos:
        return board
    for kind, names in _HOST_SETTINGS.items():
        for name in getattr(found, kind).keys() & {*names}:
            raise ConfigError(f"{place(kind, name)}: a header at a satellite does not take it; leave it out")
    drivers.check_drivers(board, found)
    try:
        header_as_pico(board)
    except BoardwareError as error:
        raise DriverError(f"{place('board', 'name')}: {error}") from None
    return board


class Header:
    """The header of this machine. It runs while nobody has opened it, too."""

    def __init__(self, found: Config) -> None:
        """Raises `ConfigError`, `DriverError`."""
        self._config, self._board = found, check_board(found)
        self._came = b""
        self._wakes = asyncio.Event()
        self._port: RemotePort | None = None
        self.failure = "the header is not open yet"
        """Why it can't be used; empty while it can."""

    def open(self) -> RemotePort:
        """The one port of it; an earlier one ends. Raises `OSError`."""
        if self.failure:
            raise OSError(self.failure)
        if self._port is not None:
            self._port.fail("it was opened again")
        self._came = b""

        def close() -> None:
            if self._port is port:
                self._port = None

        self._port = port = RemotePort(self._take, close)
        return port

    async def run(self) -> None:
        """Serve until cancelled. Raises `ConfigError`."""
        station = await self._opened()
        try:
            while True:
                now, data = monotonic(), self._came
                self._came = b""
                out = station.step(now, data)
                if out and self._port is not None:
                    self._port.feed(out)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout_at(station.due() / SECOND):
                        await self._wakes.wait()
                self._wakes.clear()
        finally:
            self.failure = "the header is closed"
            station.close()

    async def _opened(self) -> HeaderStation:
        pause = 0.0
        while True:
            try:
                station = self._open_station()
            except DriverError as error:
                if self.failure != str(error):
                    log.warning("%s; trying again", error)
                self.failure = str(error)
            else:
                self.failure = ""
                return station
            pause = REOPEN.next_pause(pause)
            await asyncio.sleep(pause)

    def _open_station(self) -> HeaderStation:
        # gpiozero: a machine with Picos alone needs none
        from boardware.console import Console
        from boardware.gpio import ReedMatrix
        from boardware.header_station import HeaderStation
        from boardware.neopixel import PixelLamps

        ports = drivers.open_ports(self._board, self._config, tags=False)
        sensors, lamps, console = ports.sensors, ports.lamps, ports.console
        try:
            if not isinstance(sensors, ReedMatrix):
                self._refuse_driver("sensors", "gpio")
            if not isinstance(lamps, PixelLamps):
                self._refuse_driver("lamps", "neopixel")
            if not isinstance(console, Console):
                self._refuse_driver("console", "console-gpio")
            return HeaderStation(self._board, sensors, lamps, console, monotonic())
        except BaseException:
            ports.close()
            raise

    def _refuse_driver(self, kind: str, expected: str) -> NoReturn:
        used, place = getattr(self._config.drivers, kind), self._config.origin.locate("drivers", kind)
        raise ConfigError(f"{place}: found {used!r}, which drives no header; try {expected!r}")

    def _take(self, data: bytes) -> int:
        self._came += data
        self._wakes.set()
        return len(data)
