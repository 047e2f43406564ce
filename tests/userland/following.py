"""Follows `docs/build/install.md` in a machine, line by line; keeps what was typed and what came back."""

from __future__ import annotations

import re
import time
from pathlib import Path

from userland import guide
from userland.board import FarBoard
from userland.machine import Machine

APT_S = 180.0
"""Until apt has installed the package: longer than any real processor takes."""
LONG_S = 30.0
"""What takes longer is told with its time."""
NOT_IN_A_PI = {"make deb": "built by the test", "sudo make install": "tests/package/test_install.py"}
"""What the page has typed elsewhere, or instead of the package."""


class Log:
    """What was typed and what came back, for people to read."""

    def __init__(self, machine: Machine) -> None:
        self.lines: list[str] = []
        self._machine = machine

    def typed(self, command: str, *, keep: int = 12, within_s: float = 1800.0) -> str:
        """Type a command."""
        began = time.monotonic()
        ran = self._machine.run(command, right=False, within_s=within_s)
        told = ran.told
        if ran.code:
            since = self._machine.run("journalctl --no-pager -n 60", right=False).told
            raise AssertionError(f"{command}: {ran.code}\n{told}\n{since}")
        took = time.monotonic() - began
        lines = told.splitlines()
        self.lines += [f"$ {command}", *lines[-keep:]]
        if took > LONG_S:
            self.note(f"after {took:.0f} s")
        return told

    def note(self, text: str) -> None:
        self.lines.append(f"# {text}")

    def __str__(self) -> str:
        return "\n".join(hidden(line) for line in self.lines) + "\n"


def hidden(line: str) -> str:
    """Without what is another each time: links and PIN."""
    line = re.sub(r"(https?://[^/ ]+/\w+/)\S+", r"\1...", line)
    return re.sub(r"^pin +\d+", "pin      ...", line).rstrip()


def from_the_first_line(board: FarBoard, package: Path) -> Log:
    """Each command of the page in its order, in a clean system that was just booted, with a Pico in."""
    machine = board.machine
    machine.unpack()
    machine.run("mkdir -p /media/stick")
    log = Log(machine)
    assert machine.run("dpkg -l boardumpire", right=False).code != 0
    named = machine.run("sed -n 's/^PRETTY_NAME=//p' /etc/os-release; uname -m").told
    log.note(named.replace("\n", " ").strip())
    emulated = "each of its instructions emulated" if machine.emulated else "under KVM"
    log.note(f"qemu, processors: {machine.processors}, 768 MB, {emulated}")
    machine.run("touch /etc/room-pico")
    board.put_in()
    machine.run("sh /usr/local/sbin/room-pico")
    heading = ""
    for step in guide.steps():
        if any(step.command.startswith(other) for other in NOT_IN_A_PI):
            continue
        if step.heading != heading:
            heading = step.heading
            log.note(heading)
        _follow(board, log, step, package)
    slow = f"{machine.slowness} times as long as on an idle processor outside of it"
    log.note(f"a bare Python takes {slow}")
    return log


def _follow(board: FarBoard, log: Log, step: guide.Typed, package: Path) -> None:
    """Do one thing that the page says."""
    machine = board.machine
    if step.settings:
        for section, keys in guide.follow_settings(machine).items():
            log.note(f"edited: [{section}] " + ", ".join(f"{key} = {value}" for key, value in keys.items()))
        return
    command = step.command
    command = re.sub(r"\./boardumpire_\S+\.deb", f"./{package.name}", command)
    if "restore" in command:
        (kept,) = machine.run("ls /media/stick/*.tar").told.split()
        command = re.sub(r"/media/stick/\S+\.tar", kept, command)
    if "apt install" in command:
        command = command.replace("apt install", "apt install -y")
    machine.measure()
    log.typed(command, within_s=max(1800.0, APT_S * machine.slowness))
    if "start boardumpire" in command or "restart" in command or "apt install" in command:
        board.machine.run("systemctl is-active boardumpire")
