"""Pseudo-terminals: the cables of simulated devices."""

from __future__ import annotations

import fcntl
import struct
import termios

PATIENCE_S = 5.0
"""How long the kernel may take to pass bytes through a pseudo-terminal. Virtual time stands still."""


def unread_bytes(terminal: int) -> int:
    """How many bytes a terminal holds that nobody has read."""
    return int(struct.unpack("i", fcntl.ioctl(terminal, termios.FIONREAD, b"\0\0\0\0"))[0])
