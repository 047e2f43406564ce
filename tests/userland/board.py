"""A board at a virtual machine: people, pieces and a Pico out here, the daemon in there, under systemd.

The Pico is a simulated one that runs the real firmware. In the machine it is what the kernel takes for a Pico
in a USB port (`image.PLUG`): a ttyACM, found by its vendor, with the kernel's own driver.
"""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import socket
import threading
import time
import tty
from pathlib import Path
from typing import Any

from daemon.pico_service import PicoService
from daemon.service import Line
from userland.image import PLUG
from userland.machine import BOOT_S, TURN_S, Machine

UNPLUG = (
    "mv /dev/ttyGS0 /dev/gone"
    " && python3 -c \"import fcntl, os; fcntl.ioctl(os.open('/dev/gone', os.O_RDWR | os.O_NOCTTY), 0x5437)\";"
    " rm -f /dev/gone; modprobe -r g_serial"
)
"""Pulls the cable. The gadget's end is hidden and hung up first (TIOCVHANGUP): its driver waits for who has
it open. The kernel's own switch (`soft_connect`) lets this kind of gadget never come back."""
ANSWER_S = 10.0
"""Nothing that is waited for takes a tenth of it on a real processor."""
LOOKS_S = 1.0
"""How often it is asked whether it is complete."""
COMPLETE_S = 120
"""From power to a board that plays, at most: what a maker is promised."""


class FarLine(Line):
    """A connection to the control socket through the machine's network."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self._rest = b""

    def __enter__(self) -> FarLine:
        return self

    def __exit__(self, *given: object) -> None:
        self.socket.close()

    def waits(self) -> bool:
        """Whether something can be read, its end too; looked for at most for a moment."""
        return bool(select.select([self.socket], [], [], TURN_S)[0])

    def over(self) -> bool:
        """Whether the other side has closed it, and all was read."""
        return self.waits() and not self.socket.recv(1, socket.MSG_PEEK)


class Cable(threading.Thread):
    """Carries bytes between a Pico's port out here and the machine, until it is pulled."""

    def __init__(self, port: Path, far: Path) -> None:
        super().__init__(daemon=True)
        self._near = os.open(port, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self._near)
        self._far = socket.socket(socket.AF_UNIX)
        self._far.connect(str(far))
        self._pulled, self._pull = os.pipe()
        self.start()

    def run(self) -> None:
        with selectors.DefaultSelector() as ready, contextlib.suppress(OSError):
            for end in (self._near, self._far.fileno(), self._pulled):
                ready.register(end, selectors.EVENT_READ)
            while True:
                for key, _ in ready.select():
                    if key.fd == self._pulled:
                        return
                    data = os.read(key.fd, 4096)
                    if not data:
                        return
                    os.write(self._near if key.fd == self._far.fileno() else self._far.fileno(), data)

    def pull(self) -> None:
        os.write(self._pull, b"x")
        self.join()
        for end in (self._near, self._pulled, self._pull):
            os.close(end)
        self._far.close()


class FarBoard(PicoService):
    """The board, and its daemon in a machine."""

    def __init__(self, directory: Path, machine: Machine, board: str = "quick-battle-8x8-pico") -> None:
        super().__init__(directory, board=board)
        self.machine = machine
        self._cable: Cable | None = None
        machine.meanwhile = self.advance

    def put_in(self) -> None:
        """The Pico gets power, and its bytes a way."""
        self.plug("pico")
        self._cable = Cable(self.picos.picos_by_name["pico"].port, self.machine.pico)

    def pull_out(self) -> None:
        """It loses both."""
        if self._cable is not None:
            self._cable.pull()
            self._cable = None
        self.unplug("pico")

    def plug_usb(self) -> None:
        """Plug the Pico's cable into a machine that has booted."""
        self.put_in()
        self.machine.run(f"! test -e /dev/ttyGS0 || {{ {UNPLUG}; }}; {PLUG}")

    def pull_usb(self) -> None:
        """Pull it, and wait until the daemon says that it waits for a Pico."""
        self.machine.run(UNPLUG)
        self.pull_out()
        deadline = self.now + round(BOOT_S * 1e6)
        while self._complete():
            assert self.now < deadline, "nobody noticed"

    def start(self, *words: Any, **environ: str) -> None:
        """Wait for the daemon that systemd started, until its board is complete; then listen to it."""
        self.until_complete()
        self.patience_s = max(self.patience_s, ANSWER_S * self.machine.slowness)
        self.asks, self.hears = self.connect(), self.connect()
        self.hears.send({"do": "messages"})
        self.until(lambda: bool(self._answers))
        self._answers.clear()

    def until_complete(self) -> None:
        """Wait until it answers and waits for nothing."""
        deadline = self.now + round(BOOT_S * 1e6)
        while not self._complete():
            assert self.now < deadline, self.machine.run(
                "journalctl -u boardumpire --no-pager | tail -30"
            ).told
            self._go_on(LOOKS_S)

    def _go_on(self, span_s: float) -> None:
        """Let time pass. It is waited out here: a command in there would cost what the daemon needs."""
        end = self.now + round(span_s * 1e6)
        while self.now < end:
            self.machine.meanwhile()
            time.sleep(TURN_S)

    def _complete(self) -> bool:
        """Whether the daemon answers and waits for nothing; it is asked as `boardumpire status` asks."""
        found: dict[str, Any] = {}
        with contextlib.suppress(OSError), FarLine(self.machine.control) as line:
            line.send({"do": "status"})
            while not (answers := line.read() if line.waits() else []):
                self.advance()
                if line.over():
                    return False
            (found,) = answers
        return "over" in found and not found.get("waits_for")

    def connect(self) -> Line:
        line = FarLine(self.machine.control)
        self._lines.append(line)
        self._ready.register(line.socket, selectors.EVENT_READ, line)
        return line

    def hang_up(self) -> None:
        """Close the connections to it."""
        self._hang_up()

    def gone(self) -> None:
        """The daemon has ended: take in what it had said."""
        for line in self._lines:
            self._hear_the_rest(line)
        self._hang_up()

    def kill(self) -> None:
        """The power of the machine goes, and with it the Pico's."""
        self.machine.cut()
        self.gone()
        self.pull_out()
        self.kill_at = None

    def _hear_the_rest(self, line: Line) -> None:
        """What had reached this side when the other one died."""
        with contextlib.suppress(OSError):
            while line.socket.recv(1, socket.MSG_PEEK):
                self.messages += [heard for heard in line.read() if "kind" in heard]

    def close(self) -> None:
        self.pull_out()
        self.machine.close()
        super().close()
