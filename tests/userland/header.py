"""A board at the header of an emulated Pi: people and copper out here, kernel and daemon in there."""

from __future__ import annotations

import contextlib
import re
import selectors
import socket
import subprocess
import threading
import time
from importlib import resources
from pathlib import Path
from typing import Any

from boardsim.pins.gpio import PinWires
from boardware.parts import BoardDescription
from daemon.service import Line, Service
from userland import raspberry
from userland.agent import CONTROL_PORT
from userland.board import FarLine
from userland.machine import TURN_S, free_port
from userland.raspberry import HERE, switched_on

TREE = "spi.dtb"
BOOT_S = 1200.0
SETTLE_US = 10_000
"""The most that a board file allows: what sets the level of an input from outside takes time."""
CONFIG = """
format = "boardumpire-config"
version = 1
[board]
name = "/header.toml"
[drivers]
sensors = "gpio"
lamps = "neopixel-spi"
console = "console-gpio"
[sensors]
place_ms = 200
"""
_GPIO = "/machine/soc/peripherals/gpio"
_SET, _CLEAR = 0x3F20001C, 0x3F200028
"""Registers that set the level of a pin, of an input too in QEMU's model."""


def made(folder: Path) -> Path:
    """The folder of a Pi that runs the daemon of a board at its header. Raises `CalledProcessError`."""
    files = {
        "asked.py": (HERE / "played_on_pi.py").read_text(),
        "agent.py": (HERE / "agent.py").read_text(),
        "header.toml": board_file(),
        "board.toml": CONFIG,
    }
    return raspberry.made(folder, files)


def board_file() -> str:
    """The board at the header, with as much time for its inputs to settle."""
    shipped = resources.files("boardware").joinpath("boards", "quick-battle-8x8.toml").read_text()
    return re.sub(r"(?m)^settle_us = .*$", f"settle_us = {SETTLE_US}", shipped)


class HeaderWires(threading.Thread):
    """The wires between the emulated header and the copper, over QEMU's test protocol: each row that the Pi
    drives is told, and the levels that columns and buttons then have are set."""

    def __init__(self, path: Path, board: BoardDescription, wires: PinWires) -> None:
        super().__init__(daemon=True)
        self._wires = wires
        banks = board.banks.values()
        self._rows = {gpio for bank in banks for gpio in bank.rows}
        self._columns = [gpio for bank in banks for gpio in bank.columns]
        self._inputs = [*self._columns, *(button.gpio for button in board.buttons.values())]
        self._levels: dict[int, int] = {}
        for gpio in self._inputs:
            wires.connect(gpio, None, 0 if gpio in self._columns else 1)
        for gpio in self._rows:
            wires.connect(gpio, 0, None)
        self.strobes = 0
        self._socket = socket.socket(socket.AF_UNIX)
        while self._socket.connect_ex(str(path)):
            time.sleep(TURN_S)
        self._send(f"irq_intercept_out {_GPIO}")
        self._show_levels()
        self.start()

    def run(self) -> None:
        # Whoever cuts the power of the Pi ends QEMU in the middle of a line.
        with (
            contextlib.suppress(ConnectionError),
            self._socket,
            self._socket.makefile(encoding="ascii") as lines,
        ):
            for line in lines:
                words = line.split()
                if words[0] != "IRQ":
                    assert words[0] == "OK", line
                elif int(words[2]) in self._rows:
                    self._wires.connect(int(words[2]), int(words[1] == "raise"), None)
                    self.strobes += 1
                    self._show_levels()

    def _show_levels(self) -> None:
        """Set each input whose level has changed."""
        changed: dict[int, int] = {}
        for gpio in self._inputs:
            level = self._wires.read(gpio)
            if self._levels.get(gpio) != level:
                self._levels[gpio] = level
                register = _SET if level else _CLEAR
                changed[register] = changed.get(register, 0) | 1 << gpio
        for register, bits in changed.items():
            self._send(f"writel {register:#x} {bits:#x}")

    def _send(self, command: str) -> None:
        self._socket.sendall(command.encode() + b"\n")


class HeaderService(Service):
    """The daemon on an emulated Pi. Its card outlives a power cut; its pieces do, too."""

    def __init__(self, directory: Path, pi: Path) -> None:
        super().__init__(directory)
        self._pi = pi
        self._control = free_port()
        self._boots = 0
        self.patience_s = BOOT_S
        self.boot_s: list[float] = []
        """From power to a daemon that plays, by boot."""

    @property
    def serial(self) -> Path:
        return self.directory / f"serial-{self._boots}.log"

    @property
    def log(self) -> str:
        return self.serial.read_text(errors="replace") if self.serial.exists() else ""

    def start(self, command: Any = (), **environ: str) -> None:
        """Switch it on if it is off; returns once its daemon answers and waits for nothing."""
        began = time.monotonic()
        if self.process is None or self._ended():
            self.switch_on()
        self._wait_for_service()
        self.boot_s.append(round(time.monotonic() - began, 1))
        self.asks, self.hears = self.connect(), self.connect()
        self.hears.send({"do": "messages"})
        self.until(lambda: bool(self._answers))
        self._answers.clear()

    def switch_on(self) -> None:
        self._boots += 1
        qtest = self.directory / f"qtest-{self._boots}"
        command = switched_on(self._pi, TREE, self.directory / "card.qcow2", self.serial)
        forward = f"hostfwd=tcp:127.0.0.1:{self._control}-:{CONTROL_PORT}"
        command += ["-device", "usb-net,netdev=net", "-netdev", f"user,id=net,restrict=on,{forward}"]
        command += ["-qtest", f"unix:{qtest},server=on,wait=off", "-qtest-log", "/dev/null"]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        self.wires = HeaderWires(qtest, self.board, PinWires(self.world.copper))

    def _wait_for_service(self) -> None:
        deadline = time.monotonic() + BOOT_S
        while not self._is_complete():
            assert time.monotonic() < deadline, self.log
            assert not self._ended(), "QEMU has ended"
            time.sleep(1)

    def _is_complete(self) -> bool:
        """Whether the daemon answers and waits for no part."""
        try:
            with FarLine(self._control) as line:
                line.socket.settimeout(20)
                line.send({"do": "status"})
                (found,) = line.read()
        except (OSError, ValueError):
            return False
        return "over" in found and not found.get("waits_for")

    def end(self, number: int) -> int:
        code = super().end(number)
        self.wires.join()
        return code

    def connect(self) -> Line:
        line = FarLine(self._control)
        self._lines.append(line)
        self._ready.register(line.socket, selectors.EVENT_READ, line)
        return line
