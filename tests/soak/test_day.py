"""A board that stays on: a day of games and of quiet hours leaves the process as it was."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from boardlab.soak.one_game import SoakPlan, game_bench_settings, people_of_bench
from boardsim.bench.bench import BenchSettings
from boardsim.people.rates import PROFILES
from boardumpire.commands.table_factory import TableFactory
from boardware.ports import SECOND

HOUR = 3600 * SECOND
SEED = 24


class Held(NamedTuple):
    """What the process holds."""

    blocks: int
    """Python's blocks of memory."""
    resident_kb: int
    threads: int
    handles: int


def held() -> Held:
    gc.collect()
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") // 1024
    return Held(
        sys.getallocatedblocks(), resident, threading.active_count(), len(os.listdir("/proc/self/fd"))
    )


class Day(NamedTuple):
    """What came of it."""

    hours: list[Held]
    """After each hour."""
    actions: int
    written: int
    """Bytes handed to the kernel."""


def day(folder: Path, hours: int) -> Day:
    """Each hour one game by clumsy people, into one journal, and then nobody is there until the next."""
    factory, plan = TableFactory(), SoakPlan(seed=SEED, profile="clumsy")
    given = game_bench_settings(plan, 0)._replace(journal=folder / "journal.sqlite")
    after, actions = [], 0
    begun = handed()
    for hour in range(hours):
        actions += hour_of(given._replace(seed=SEED * 1000 + hour), plan, factory, f"{SEED} {hour}")
        after.append(held())
    return Day(after, actions, handed() - begun)


def hour_of(given: BenchSettings, plan: SoakPlan, factory: TableFactory, seed: str) -> int:
    """How many actions its game took. The table is turned to the end of the hour."""
    people = people_of_bench(given)(
        given, factory, seed, PROFILES[plan.profile], without=(), longest=plan.longest
    )
    try:
        people.play()
        assert people.judge.findings == []
        table = people.scene.bench.table
        assert table is not None
        assert table.is_over
        people.scene.wait(max(0, (HOUR - people.scene.now) // 1000))
        assert people.scene.now >= HOUR
        return len(people.judge.actions)
    finally:
        people.scene.close()


def handed() -> int:
    (found,) = [line for line in Path("/proc/self/io").read_text().splitlines() if line.startswith("wchar")]
    return int(found.split()[1])


def flat(hours: list[Held], warm: int) -> None:
    """What is there after the last hour was there after the `warm` first ones: to a hundredth in memory."""
    first, last = hours[warm - 1], hours[-1]
    assert (last.threads, last.handles) == (first.threads, first.handles)
    assert last.blocks <= first.blocks * 1.01, (first, last)
    assert last.resident_kb <= first.resident_kb * 1.02, (first, last)


@pytest.mark.slow
def test_three_hours_leave_no_thread_no_handle_and_no_memory(tmp_path: Path) -> None:
    flat(day(tmp_path, 4).hours, warm=2)


@pytest.mark.slow
def test_what_a_game_would_leave_behind_is_noticed(tmp_path: Path) -> None:
    """The measure itself: neither one handle nor a fiftieth more of memory passes."""
    before = held()
    with (tmp_path / "left").open("w"), pytest.raises(AssertionError):
        flat([before, held()], warm=1)
    before = held()
    hoard = [object() for _ in range(before.blocks // 50)]
    with pytest.raises(AssertionError):
        flat([before, held()], warm=1)
    assert hoard


@pytest.mark.nightly
def test_a_day_leaves_memory_threads_and_handles_flat(
    record_property: Callable[[str, object], None], tmp_path: Path
) -> None:
    """24 simulated hours, a game in each and then nobody there: memory, threads and open files stay flat."""
    found = day(tmp_path, 24)
    record_property("seed", SEED)
    record_property("simulated hours", len(found.hours))
    record_property("actions", found.actions)
    record_property("bytes written a game", found.written // len(found.hours))
    record_property("kB resident after two hours", found.hours[1].resident_kb)
    record_property("kB resident in the end", found.hours[-1].resident_kb)
    record_property("blocks of memory that came in 22 hours", found.hours[-1].blocks - found.hours[1].blocks)
    record_property("threads in the end", found.hours[-1].threads)
    record_property("open files in the end", found.hours[-1].handles)
    flat(found.hours, warm=2)
