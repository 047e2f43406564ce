"""The page on installing, followed line by line in a clean Debian 12; then the board is on and plays."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from userland import guide
from userland.board import COMPLETE_S, FarBoard
from userland.machine import Machine
from userland.play import Guests

LOG = Path(__file__).parents[2] / "docs" / "proofs" / "install-and-play.txt"
NOT_IN_A_PI = {"make deb": "built by the test", "sudo make install": "tests/package/test_install.py"}
"""What the page has typed elsewhere, or instead of the package."""
PLAYED = 12


class Log:
    """What was typed and what came back, for people to read."""

    def __init__(self, machine: Machine) -> None:
        self.lines: list[str] = []
        self._machine = machine

    def typed(self, command: str, *, right: bool = True, keep: int = 12) -> str:
        """Type a command."""
        told = self._machine.run(command, right=right).told
        lines = told.splitlines()
        self.lines += [f"$ {command}", *lines[-keep:]]
        return told

    def note(self, text: str) -> None:
        self.lines.append(f"# {text}")


@pytest.mark.prove
def test_a_clean_debian_follows_the_page_and_plays(
    debian: Path,
    package: Path,
    boards: Callable[..., FarBoard],
    record_property: Callable[[str, object], None],
) -> None:
    """Each command of the page in its order, then a boot with the Pico in, and a game over page and board."""
    board = boards(debian, package)
    machine = board.machine
    machine.on()
    machine.unpack()
    machine.run("mkdir -p /media/stick")
    log = Log(machine)
    assert machine.run("dpkg -l boardumpire", right=False).code != 0
    log.note(
        machine.run("sed -n 's/^PRETTY_NAME=//p' /etc/os-release; uname -m").told.replace("\n", " ").strip()
    )
    emulated = "each of its instructions emulated" if "tcg" in " ".join(machine.accelerator) else "under KVM"
    log.note(f"qemu, 2 processors, 768 MB, {emulated}")
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
        follow(board, log, step, package)
    guests = play_after_a_boot(board, log)
    record_property("actions played", len(guests.told))
    for line in log.lines:
        if line.startswith("# first"):
            record_property("from power", line.removeprefix("# "))
    LOG.parent.mkdir(exist_ok=True)
    LOG.write_text("\n".join(hidden(line) for line in log.lines) + "\n")


def follow(board: FarBoard, log: Log, step: guide.Typed, package: Path) -> None:
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
    log.typed(command)
    if "start boardumpire" in command or "restart" in command or "apt install" in command:
        board.machine.run("systemctl is-active boardumpire")


def play_after_a_boot(board: FarBoard, log: Log) -> Guests:
    """Switch it on; the game is played with no other step."""
    machine = board.machine
    log.note("switched off and on")
    machine.off()
    board.pull_out()
    machine.on()
    board.put_in()
    board.start()
    complete = time.monotonic() - machine.booted
    guests = Guests(board, seed=1)
    guests.sit_down()
    guests.set_up()
    guests.moves(1)
    first = time.monotonic() - machine.booted
    log.note(
        f"first: the board was complete {complete:.1f} s after power, a move was ruled on after {first:.1f} s"
    )
    assert first < COMPLETE_S or "tcg" in " ".join(machine.accelerator)
    guests.moves(PLAYED - 1)
    guests.compare()
    log.note(f"{len(guests.told)} actions told, all of them in the game: {' '.join(guests.told[-PLAYED:])}")
    log.typed("sudo boardumpire status")
    log.typed("curl -s http://localhost:8080/healthz")
    return guests


def hidden(line: str) -> str:
    """Without what is another each time: links and PIN."""
    line = re.sub(r"(https?://[^/ ]+/\w+/)\S+", r"\1...", line)
    return re.sub(r"^pin +\d+", "pin      ...", line).rstrip()
