"""A start: from spawn to ready, in times that bare Python (`python -c pass`) takes.

Two boards without a page: one on the Pi's own header, over simulated pins and lamps, and one on a Pico, whose
firmware runs at the other end of a pseudo-terminal. Ready is what systemd is told: everything is open, the
loop has turned, and nothing is waited for. The wire to the Pico is opened and its first report taken before.

Instructions are counted by cachegrind, up to that moment: they are the same on a busy machine.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from boardlab.benchmarks.measure import BenchmarkResult, interleaved
from boardsim.pico.outside import OutsidePicos
from boardsim.world.world import World
from boardware.description import load_board

HEADER = """\
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
PICO = """\
format = "boardumpire-config"
version = 1
[board]
name = "{board}"
[drivers]
sensors = "pico"
lamps = "pico-lamps"
console = "pico-console"
[sensors]
port = "{port}"
"""
READY_WITHIN_S = 120
LOOK_S = 0.0005
"""How often it is looked whether the host said something to the Pico."""
READY_RATIO_MAX = 20
"""Gate: times of bare Python. gpiozero alone takes six, and only the header needs it."""
EXIT_WHEN_READY_CODE = """
import os, sys
from boardumpire.cli import main
from boardumpire.service import notify

def status(self, text, told=notify.Notifier.status):
    told(self, text)
    if not text:
        os._exit(0)

notify.Notifier.status = status
main(sys.argv[1:])
"""
"""A daemon that ends as soon as nothing is waited for."""


class HeaderDaemon:
    """A directory to serve a board from, again and again: the 8x8 one on the Pi's own header."""

    board = "quick-battle-8x8"

    def __init__(self, directory: Path, period: str = "") -> None:
        """`period` is a setting of the scans."""
        self.directory = directory
        self.world = World.create_file(directory / "world", load_board(self.board))
        self.config = directory / "boardumpire.toml"
        self.config.write_text(HEADER.format(world=directory / "world", period=period))

    def close(self) -> None:
        """Leave nothing open."""
        self.world.copper.close()

    @contextmanager
    def powered_board(self) -> Iterator[None]:
        """While there is something for the drivers to drive."""
        yield

    @contextmanager
    def running_daemon(self) -> Iterator[tuple[int, float]]:
        """The daemon's process id and the seconds it took to be ready."""
        with self.powered_board(), self._notify_socket() as told:
            start = time.perf_counter()
            process = subprocess.Popen(
                [Path(sys.executable).with_name("boardumpire"), "run", "--config", self.config],
                env=self._environ(),
                stderr=subprocess.DEVNULL,
            )
            try:
                ready, waits = False, True
                while waits or not ready:
                    word = told.recv(4096)
                    ready = ready or word == b"READY=1"
                    if word.startswith(b"STATUS="):
                        waits = word != b"STATUS="
                yield process.pid, time.perf_counter() - start
            finally:
                process.terminate()
                process.wait()

    @contextmanager
    def _notify_socket(self) -> Iterator[socket.socket]:
        """What stands in for systemd."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
            address = self.directory / "notify"
            address.unlink(missing_ok=True)
            told.bind(str(address))
            told.settimeout(READY_WITHIN_S)
            yield told

    def _environ(self) -> dict[str, str]:
        return {
            "STATE_DIRECTORY": str(self.directory / "state"),
            "RUNTIME_DIRECTORY": str(self.directory / "run"),
            "NOTIFY_SOCKET": str(self.directory / "notify"),
        }

    def spawn(self) -> float:
        with self.running_daemon() as (_, seconds):
            return seconds

    def instructions(self) -> int:
        """How many the daemon takes until it is ready."""
        with self.powered_board(), self._notify_socket():
            return instructions(
                ["-c", EXIT_WHEN_READY_CODE, "run", "--config", str(self.config)], self._environ()
            )


class PicoDaemon(HeaderDaemon):
    """The same board on a Pico, which the daemon speaks to over a pseudo-terminal."""

    board = "quick-battle-8x8-pico"

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self.picos = OutsidePicos(self.world)
        (self._pico,) = self.picos.picos_by_name.values()
        self._pico.unplug(0)
        self.config.write_text(PICO.format(board=self.board, port=self._pico.port))

    def close(self) -> None:
        self.picos.close()
        super().close()

    @contextmanager
    def powered_board(self) -> Iterator[None]:
        began, ended = time.monotonic_ns() - self.world.now * 1000, threading.Event()

        def live() -> None:
            while not ended.wait(LOOK_S):
                self.picos.carry_from_host()
                self.world.advance((time.monotonic_ns() - began) // 1000)

        self._pico.plug(self.world.now)
        thread = threading.Thread(target=live)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
            self._pico.unplug(self.world.now)


def spawn_bare() -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - start


def instructions(words: Sequence[str], environ: dict[str, str]) -> int:
    """How many instructions Python takes for that; 0 where there is no valgrind to count them."""
    if shutil.which("valgrind") is None:
        return 0
    counting = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    command = [*counting, sys.executable, *words]
    environ = {"PATH": os.environ.get("PATH", ""), "PYTHONHASHSEED": "0", **environ}
    ran = subprocess.run(command, env=environ, stderr=subprocess.PIPE, text=True, check=True)
    found = re.search(r"I\s+refs:\s+([\d,]+)", ran.stderr)
    if found is None:
        raise RuntimeError(f"valgrind counted nothing: {ran.stderr}")
    return int(found[1].replace(",", ""))


def run(*, quick: bool = False) -> list[BenchmarkResult]:
    rows = []
    with tempfile.TemporaryDirectory() as header, tempfile.TemporaryDirectory() as pico:
        for kind, daemon in ("header", HeaderDaemon(Path(header))), ("Pico", PicoDaemon(Path(pico))):
            rows += start_rows(kind, daemon, quick=quick)
            daemon.close()
    return rows


def start_rows(kind: str, daemon: HeaderDaemon, *, quick: bool) -> list[BenchmarkResult]:
    """The rows of one board."""
    daemon.spawn()  # the first start makes the journal
    ready = interleaved(daemon.spawn, spawn_bare, 1 if quick else 9)
    rows = [
        BenchmarkResult(
            f"spawn to ready, {kind}",
            ready.ratio,
            "x `python -c pass`",
            f"{ready.first * 1000:.0f} ms against {ready.second * 1000:.0f}",
            most=READY_RATIO_MAX,
        ),
    ]
    if not quick and (bare := instructions(["-c", "pass"], {})):
        taken = daemon.instructions()
        rows.append(
            BenchmarkResult(
                f"instructions to ready, {kind}",
                taken / bare,
                "x `python -c pass`",
                f"{taken / 1e6:.0f} million against {bare / 1e6:.0f}",
            )
        )
    return rows
