"""The daemon as a process: memory, and wake-ups while nothing happens.

It serves the 8x8 board, on the header over simulated pins and lamps or on a simulated Pico. A game goes on
after both armies were set up, so all that a game loads is there. Bare Python (`python -c pass`, or one that
waits) is the yardstick. Wake-ups are counted by the kernel as voluntary context switches.
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from boardlab.benchmarks.measure import BenchmarkResult
from boardlab.benchmarks.start import HeaderDaemon, PicoDaemon
from boardrules import registry
from boardsim.bench.bench import Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardware.ports import SECOND

MEMORY_RATIO_MAX = {"header": 4.25, "Pico": 4.25}
"""Gate: times of bare Python. It was 4 while records were written by machinery of our own, which took less
room than the standard library's dataclasses and enums."""


@contextmanager
def bare_python() -> Iterator[int]:
    """A Python that has done nothing but start and waits."""
    with subprocess.Popen(
        [sys.executable, "-c", "import sys; print(flush=True); sys.stdin.read()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process.pid


def begin_game_in_journal(daemon: HeaderDaemon, driver: str) -> None:
    """Begin a game in the daemon's journal: both armies are sealed and stand."""
    state = daemon.directory / "state"
    state.mkdir()
    setting = BenchSettings(daemon.board, driver=driver, journal=state / "journal.sqlite")
    game = registry.new(setting.game, {})
    bench = Bench(setting, TableFactory())
    try:
        bench.start()
        for seat in game.seats:
            setup = next(iter(game.legal_actions(seat)))
            game, _ = game.apply(setup)
            bench.set_up(seat, str(setup))
        bench.wait(2 * SECOND)
    finally:
        bench.close()


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


def run(*, quick: bool = False) -> list[BenchmarkResult]:
    seconds = 3.0 if quick else 10.0
    if not os.path.exists("/proc/self/smaps_rollup"):
        return []
    rows = []
    with contextlib.ExitStack() as folders:
        usual, seldom, cabled = (Path(folders.enter_context(tempfile.TemporaryDirectory())) for _ in range(3))
        daemon, slow, pico = HeaderDaemon(usual), HeaderDaemon(seldom, "scan_ms = 1000"), PicoDaemon(cabled)
        for kind, each, driver in (("header", daemon, "gpio-sim"), ("Pico", pico, "pico-sim")):
            begin_game_in_journal(each, driver)
            rows.append(measure_memory(kind, each))
        pico.close()
        with daemon.running_daemon() as (pid, _):
            polling = wake_ups(pid, seconds)
        with slow.running_daemon() as (pid, _):
            idle = wake_ups(pid, seconds)
    return [
        *rows,
        BenchmarkResult(
            "wake-ups, polled as usual",
            polling,
            "a second",
            "the matrix every 10 ms, the buttons with it",
        ),
        BenchmarkResult(
            "wake-ups, polled once a second",
            idle,
            "a second",
            "what is left beside the polled matrix and buttons",
            most=2,
            counted=True,
        ),
    ]


def measure_memory(kind: str, daemon: HeaderDaemon) -> BenchmarkResult:
    """What a board in service takes, its game under way."""
    with daemon.running_daemon() as (pid, _), bare_python() as plain:
        size, yardstick = memory(pid), memory(plain)
        share = memory(pid, "Pss") / 1024
    return BenchmarkResult(
        f"memory, serving a game, {kind}",
        size / yardstick,
        "x bare Python",
        f"{size / 1024:.1f} MB resident against {yardstick / 1024:.1f}; {share:.1f} its own",
        most=MEMORY_RATIO_MAX[kind],
        counted=True,
    )
