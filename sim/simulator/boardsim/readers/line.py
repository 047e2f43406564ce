"""A serial line to something simulated: a pseudo-terminal whose bytes take virtual time."""

from __future__ import annotations

import os
import pty
import select
import tempfile
import tty
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import serial

from boardsim.pins.terminals import PATIENCE_S, unread_bytes
from boardsim.world.world import World
from boardware.ports import Micros


class SerialLine:
    """One line. `on_host_data(data, at)` gets what the host writes; `send_later` sends to the host."""

    def __init__(self, world: World, name: str) -> None:
        self.on_host_data: Callable[[bytes, Micros], None] = lambda data, at: None
        self._world = world
        self._folder = tempfile.TemporaryDirectory(prefix="line-")
        self.path = Path(self._folder.name) / name
        self._master = self._slave = -1
        self.plug()

    def plug(self) -> None:
        """Put the adapter in: its port appears."""
        if self._master < 0:
            self._master, self._slave = pty.openpty()
            tty.setraw(self._master)
            tty.setraw(self._slave)
            self.path.symlink_to(os.ttyname(self._slave))

    def unplug(self) -> None:
        """Pull the adapter out: its port goes, and what was on its way is lost."""
        if self._master >= 0:
            os.close(self._master)
            os.close(self._slave)
            self._master = self._slave = -1
            self.path.unlink()

    def carry_from_host(self, count: int) -> None:
        """The host has written so many bytes: carry them over."""
        data = b""
        while len(data) < count and self._master >= 0:
            select.select([self._master], [], [], PATIENCE_S)  # a pseudo-terminal takes a moment
            data += os.read(self._master, count - len(data))
        self.on_host_data(data, self._world.now)

    def send_later(self, at: Micros, data: bytes) -> None:
        """Have bytes come to the host at a moment."""
        self._world.plan(max(at, self._world.now), partial(self._deliver, self._master, data))

    def _deliver(self, master: int, data: bytes, at: Micros) -> None:
        if master != self._master or not data:
            return
        wanted = unread_bytes(self._slave) + len(data)
        os.write(master, data)
        while wanted < 4096 and unread_bytes(self._slave) < wanted:
            select.select([self._slave], [], [], PATIENCE_S)
            os.sched_yield()

    def open(self) -> LinePort:
        """The host's end: a real serial port. Raises `OSError`."""
        port = LinePort(str(self.path), 115200, timeout=0, write_timeout=0, exclusive=True)
        port.line = self
        return port

    def close(self) -> None:
        """Pull it out for good. Twice is allowed."""
        self.unplug()
        self._folder.cleanup()


class LinePort(serial.Serial):  # type: ignore[misc]  # pyserial has no types
    """The host's real serial port; the world is told when something was written to it."""

    line: SerialLine

    def write(self, data: Any, /) -> int:
        """Write, and have the world carry it."""
        count = int(super().write(data) or 0)
        self.line.carry_from_host(count)
        return count
