"""Tells systemd how the daemon is: the datagrams of sd_notify(3), without its library."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping


class Notifier:
    """Speaks to the socket that systemd named in the environment; silent where it named none."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        name = environ.get("NOTIFY_SOCKET", "")
        # A leading @ stands for the zero byte of an abstract address.
        self._address = "\0" + name[1:] if name.startswith("@") else name
        self.watchdog_s = _watchdog_interval_s(environ)
        """How often systemd wants to hear of us, in seconds; `None`: it does not ask."""

    def send_ready(self) -> None:
        """All is started."""
        self._send("READY=1")

    def send_status(self, text: str) -> None:
        """What it is doing, for `systemctl status`: one line."""
        self._send("STATUS=" + text.replace("\n", " "))

    def send_stopping(self) -> None:
        """The stop has begun."""
        self._send("STOPPING=1")

    def send_heartbeat(self) -> None:
        """The watchdog's sign of life."""
        self._send("WATCHDOG=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        with (
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender,
            contextlib.suppress(OSError),  # nobody listens: the game matters more
        ):
            sender.sendto(message.encode(), self._address)


def _watchdog_interval_s(environ: Mapping[str, str]) -> float | None:
    micros = environ.get("WATCHDOG_USEC", "")
    meant = environ.get("WATCHDOG_PID", str(os.getpid()))
    if not micros.isdecimal() or int(micros) == 0 or meant != str(os.getpid()):
        return None
    return int(micros) / 1_000_000
