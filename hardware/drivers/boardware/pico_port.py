"""The serial ports of Picos: which there are, and one that never waits."""

from __future__ import annotations

import os
import termios
from typing import Any

import serial

from boardware import pico_remote

RASPBERRY_PI_USB_VENDOR = 0x2E8A
"""The USB vendor of a Pico."""


class SerialPort(serial.Serial):  # type: ignore[misc]  # pyserial has no types
    """A port that neither reading nor writing waits for."""

    def __init__(self, path: str) -> None:
        """Open it, for this program alone. Raises `OSError`."""
        try:
            super().__init__(path, 115200, timeout=0, write_timeout=0, exclusive=True)
        except termios.error as error:  # gone while it was being opened
            raise OSError(*error.args) from None

    def write(self, data: Any, /) -> int:
        """Write what the kernel takes at once; how much that was. Raises `OSError`.

        pyserial's own never returns while the other end reads nothing and the kernel's buffer is full.
        """
        try:
            return os.write(self.fileno(), data)
        except BlockingIOError:
            return 0


def open_serial(path: str) -> Any:
    """The serial port at `path`, exclusive, never waiting; or one at a satellite. Raises `OSError`."""
    if path.startswith(pico_remote.PREFIX):
        return pico_remote.open_satellite_port(path)
    return SerialPort(path)


def usb_paths(number: str | None) -> list[str]:
    """The serial ports of all Picos, or of the one whose USB tells that serial number."""
    from serial.tools import list_ports  # where a configuration names the ports nothing is looked for

    try:
        ports = list_ports.comports()
    except (OSError, TypeError, ValueError):
        return []  # pyserial was reading of one that was just pulled
    return sorted(
        port.device
        for port in ports
        if port.vid == RASPBERRY_PI_USB_VENDOR and number in (None, port.serial_number)
    )
