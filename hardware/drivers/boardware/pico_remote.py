"""Ports of Picos that hang on another machine, a satellite.

Whoever has the line to a satellite registers it here under the satellite's name. The driver then opens
`satellite:NAME:PORT` as it opens a serial port.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from typing import Protocol

PREFIX = "satellite:"
"""How the path of such a port begins."""
UNREAD_MAX_BYTES = 1 << 16
"""Bytes that may come and not be read; more break the line."""


class LineBroken(OSError):  # noqa: N818 - what has happened to the line
    """The line to the satellite is broken. Its Picos have not lost their power by that."""


class RemoteMachine(Protocol):
    """The line to one satellite."""

    def port_paths(self) -> Sequence[str]:
        """The ports of its Picos. Raises `LineBroken` while it is not connected."""

    def open_port(self, path: str) -> RemotePort:
        """Open one of them. Raises `LineBroken`."""


_machines: dict[str, RemoteMachine] = {}


def register_machine(name: str, machine: RemoteMachine) -> None:
    """From now on `machine` has the ports of the satellite of that name."""
    _machines[name] = machine


def unregister_machine(name: str) -> None:
    """Nobody has them any more."""
    _machines.pop(name, None)


def _find_machine(name: str) -> RemoteMachine:
    try:
        return _machines[name]
    except KeyError:
        raise LineBroken("this machine accepts no satellites: set [satellites] listen") from None


def satellite_paths(name: str) -> list[str]:
    """The ports of the Picos of a satellite, as paths to open. Raises `OSError` if it is not connected."""
    return [f"{PREFIX}{name}:{path}" for path in _find_machine(name).port_paths()]


def open_satellite_port(path: str) -> RemotePort:
    """Open a path of `satellite_paths`. Raises `OSError`."""
    name, _, port = path.removeprefix(PREFIX).partition(":")
    return _find_machine(name).open_port(port)


class RemotePort:
    """One port at a satellite, as the driver of a Pico reads and writes it: nothing waits.

    `feed` and `fail` are for the line, all else for the driver.
    """

    def __init__(self, send: Callable[[bytes], int], close: Callable[[], None]) -> None:
        """`send` takes bytes for the Pico and says how many it took; `close` is called once, by `close`."""
        self._send, self._on_close = send, close
        self._unread = bytearray()
        self._failure = ""
        self._is_open = True
        self._wakes = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    def feed(self, data: bytes) -> None:
        """These bytes came from the Pico."""
        if len(self._unread) + len(data) > UNREAD_MAX_BYTES:
            self.fail("more comes from it than is read")
        elif self._is_open and not self._failure:
            self._unread += data
            os.eventfd_write(self._wakes, 1)

    def fail(self, why: str) -> None:
        """The line is broken, or the port at the satellite is gone."""
        if self._is_open and not self._failure:
            self._failure = why
            os.eventfd_write(self._wakes, 1)

    def read(self, size: int) -> bytes:
        """What has come, `size` bytes at most. Raises `LineBroken` once no more will come."""
        data = bytes(self._unread[:size])
        del self._unread[:size]
        if not data and self._failure:
            raise LineBroken(self._failure)
        if not self._unread and not self._failure:
            with contextlib.suppress(BlockingIOError):
                os.eventfd_read(self._wakes)
        return data

    def write(self, data: bytes) -> int:
        """Send bytes to the Pico; how many were taken. Raises `LineBroken`."""
        if self._failure:
            raise LineBroken(self._failure)
        return self._send(bytes(data))

    def fileno(self) -> int:
        """What becomes readable when something comes."""
        return self._wakes

    def close(self) -> None:
        """Close it. Closing twice is allowed."""
        if self._is_open:
            self._is_open = False
            os.close(self._wakes)
            self._on_close()
