"""The daemon as a process: memory, modules, time from spawn to ready, wake-ups while nothing happens.

It serves the 8x8 board with the header driver over simulated pins and lamps. Bare Python (`python -c pass`,
or one that waits) is the yardstick. Wake-ups are counted by the kernel as voluntary context switches.
"""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measure import Result, interleaved
from boardsim.world.world import World
from boardware.description import load_board

BOARD = "quick-battle-8x8"
CONFIG = """\
format = "boardumpire-config"
version = 1
[drivers]
sensors = "gpio-sim"
lamps = "neopixel-spi-sim"
console = "console-sim"
[sensors]
world = "{world}"
{period}
[lamps]
world = "{world}"
[console]
world = "{world}"
{period}
"""
READY_WITHIN_S = 60
READY = 16
"""Gate: from spawn to ready, in times that bare Python takes. Ten is aimed at."""
MODULES = 500
"""Gate: what the daemon imports, beyond what Python does to start."""

IMPORTS, IMPORTED = {"PYTHONPROFILEIMPORTTIME": "1"}, b"import time:"
"""What has Python tell its imports, and how each such line begins."""


class Daemon:
    """A directory to serve a board from, again and again."""

    def __init__(self, directory: Path, period: str) -> None:
        self.directory = directory
        World.create_file(directory / "world", load_board(BOARD))
        self.config = directory / "boardumpire.toml"
        self.config.write_text(CONFIG.format(world=directory / "world", period=period))

    @contextmanager
    def served(self, told_imports: int = subprocess.DEVNULL) -> Iterator[tuple[int, float]]:
        """The daemon's process id and the seconds it took to be ready.

        `told_imports`: the file to which Python says a line for each module that it imports.
        """
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
            address = self.directory / "notify"
            address.unlink(missing_ok=True)
            told.bind(str(address))
            told.settimeout(READY_WITHIN_S)
            start = time.perf_counter()
            process = subprocess.Popen(
                [Path(sys.executable).with_name("boardumpire"), "run", "--config", self.config],
                env={
                    "STATE_DIRECTORY": str(self.directory / "state"),
                    "RUNTIME_DIRECTORY": str(self.directory / "run"),
                    "NOTIFY_SOCKET": str(address),
                    **({} if told_imports == subprocess.DEVNULL else IMPORTS),
                },
                stderr=told_imports,
            )
            try:
                while b"READY=1" not in told.recv(4096):
                    pass
                yield process.pid, time.perf_counter() - start
            finally:
                process.terminate()
                process.wait()

    def modules(self) -> int:
        """How many modules the daemon imports until it is ready, beyond those that bare Python does."""
        with tempfile.TemporaryFile() as told:
            with self.served(told.fileno()):
                pass
            told.seek(0)
            count = told.read().count(IMPORTED)
        command = [sys.executable, "-c", "pass"]
        bare_ = subprocess.run(command, env=os.environ | IMPORTS, stderr=subprocess.PIPE, check=True)
        return count - bare_.stderr.count(IMPORTED)

    def spawn(self) -> float:
        with self.served() as (_, seconds):
            return seconds


@contextmanager
def bare() -> Iterator[int]:
    """A Python that has done nothing but start and waits."""
    with subprocess.Popen(
        [sys.executable, "-c", "import sys; print(flush=True); sys.stdin.read()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process.pid


def spawn_bare() -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - start


def memory(pid: int, what: str = "Rss") -> float:
    """Kilobytes of the process: resident, or (`Pss`) shared pages counted in proportion."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith(f"{what}:"):
            return float(line.split()[1])
    raise RuntimeError(f"no {what} in smaps_rollup")


def wake_ups(pid: int, seconds: float) -> float:
    """How often a second the process woke up by itself."""

    def count() -> int:
        total = 0
        for task in Path(f"/proc/{pid}/task").iterdir():
            for line in (task / "status").read_text().splitlines():
                if line.startswith("voluntary_ctxt_switches"):
                    total += int(line.split()[1])
        return total

    before, start = count(), time.perf_counter()
    select.select([], [], [], seconds)
    return (count() - before) / (time.perf_counter() - start)


def run(*, quick: bool = False) -> list[Result]:
    slices, seconds = (1, 3.0) if quick else (7, 10.0)
    if not os.path.exists("/proc/self/smaps_rollup"):
        return []
    with tempfile.TemporaryDirectory() as usual, tempfile.TemporaryDirectory() as seldom:
        daemon, slow = Daemon(Path(usual), ""), Daemon(Path(seldom), "scan_ms = 1000")
        daemon.spawn()
        modules = daemon.modules()
        ready = interleaved(daemon.spawn, spawn_bare, slices)
        with daemon.served() as (pid, _), bare() as plain:
            size, yardstick = memory(pid), memory(plain)
            share = memory(pid, "Pss") / 1024
            polling = wake_ups(pid, seconds)
        with slow.served() as (pid, _):
            idle = wake_ups(pid, seconds)
    return [
        Result(
            "memory, serving a board",
            size / yardstick,
            "x bare Python",
            f"{size / 1024:.1f} MB resident against {yardstick / 1024:.1f}; {share:.1f} its own",
            most=4,
            counted=True,
        ),
        Result("modules imported", modules, "more than bare Python", most=MODULES, counted=True),
        Result(
            "spawn to ready",
            ready.ratio,
            "x `python -c pass`",
            f"{ready.first * 1000:.0f} ms against {ready.second * 1000:.0f}",
            most=READY,
        ),
        Result(
            "wake-ups, polled as usual",
            polling,
            "a second",
            "the matrix every 10 ms, the buttons with it",
        ),
        Result(
            "wake-ups, polled once a second",
            idle,
            "a second",
            "what is left beside the polled matrix and buttons",
            most=2,
            counted=True,
        ),
    ]
