"""What a game writes on the card: bytes handed to the kernel for the journal and its second copy.

People play over simulated reeds, with a journal in files as on a Pi. The kernel counts (`wchar` of
/proc/self/io); nothing else is written meanwhile. A card writes whole blocks: `write_bytes` says how many
bytes of them became dirty, where files lie on a disk and not in memory.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NamedTuple

from boardlab.benchmarks.measure import BenchmarkResult
from boardlab.soak.one_game import SoakPlan, game_bench_settings, people_of_bench
from boardsim.people.rates import PROFILES
from boardumpire.commands.table_factory import TableFactory

SEED = 2026
GAMES = 10
BYTES_PER_ACTION_MAX = 25_000
"""Gate: an action, with all that is noted beside it, takes at most as many."""
PROCESS_IO_PATH = Path("/proc/self/io")


class WriteCounts(NamedTuple):
    """What one game took."""

    actions: int
    handed: int
    dirty: int
    left: int
    """The size of the files in the end."""


def measure_game(number: int) -> WriteCounts:
    """Play one game, and look at what was written from its beginning to its end."""
    plan = SoakPlan(seed=SEED, profile="clumsy")
    with tempfile.TemporaryDirectory() as folder:
        given = game_bench_settings(plan, number)._replace(journal=Path(folder) / "journal.sqlite")
        before = _read_io_counters()
        people = people_of_bench(given)(
            given,
            TableFactory(),
            f"{SEED} {number}",
            PROFILES[plan.profile],
            without=(),
            longest=plan.longest,
        )
        try:
            people.play()
        finally:
            people.scene.close()
        after = _read_io_counters()
        left = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    handed, dirty = (after[name] - before[name] for name in ("wchar", "write_bytes"))
    return WriteCounts(len(people.judge.actions), handed, dirty, left)


def _read_io_counters() -> dict[str, int]:
    pairs = (line.split(": ") for line in PROCESS_IO_PATH.read_text().splitlines())
    return {name: int(value) for name, value in pairs}


def run(*, quick: bool = False) -> list[BenchmarkResult]:
    """Whole games, the first to warm up: a program's first game loads what it needs."""
    if not PROCESS_IO_PATH.exists():
        return []
    measure_game(0)
    games = [measure_game(number) for number in range(1, 2 if quick else GAMES + 1)]
    actions = sum(each.actions for each in games)
    handed, dirty, left = (sum(getattr(each, name) for each in games) for name in ("handed", "dirty", "left"))
    detail = (
        f"{handed / len(games) / 1e6:.2f} MB handed to the kernel in {actions / len(games):.0f} actions, "
        f"{dirty / len(games) / 1e6:.2f} MB of blocks; {left / len(games) / 1e3:.0f} kB stay"
    )
    return [
        BenchmarkResult(
            "written an action", handed / actions, "bytes", detail, most=BYTES_PER_ACTION_MAX, counted=True
        )
    ]
