"""How soon a move is ruled on: from the moment when the sensor feels the piece to the ruling that is told.

People play over simulated reeds in virtual time, with a journal in files. What the umpire waits for on
purpose is virtual. Its own processor time, and the time until the disk has the entry, are measured and added.
It is about moves whose piece was carried for certain and can't go on: others are given more time.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from statistics import quantiles
from time import perf_counter, process_time
from typing import Any

from boardlab.benchmarks.measure import BenchmarkResult
from boardlab.soak.one_game import SoakPlan, game_bench_settings, people_of_bench
from boardsim.people.rates import PROFILES
from boardumpire.commands.table_factory import TableFactory
from boardumpire.journal.journal import Store
from boardumpire.journal.writer import SyncJournalWriter, WriteReceipt
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.table.opening import open_table
from boardumpire.table.table import Table
from boardumpire.tracking.events import HandIntent
from boardware.ports import MS, SECOND, Micros

SEED = 2026
GAMES = 12
CARRIED_MS_MAX = 150
"""Gate: 95 of 100 carried moves are ruled on by then."""


class MoveTimes:
    """How long moves took."""

    def __init__(self) -> None:
        self.carried: list[float] = []
        """In microseconds, of pieces that were carried for certain and could not go on."""
        self.others = 0
        """How many others there were."""
        self.writing = 0.0
        """Seconds that were spent on writing so far, beside the processor's."""


class TimedWriter(SyncJournalWriter):
    """Notes how long the disk takes."""

    def __init__(self, store: Store, times: MoveTimes) -> None:
        super().__init__(store)
        self._times = times

    def write_entry(self, number: int, **entry: Any) -> WriteReceipt:
        """As every writer."""
        began, worked = perf_counter(), process_time()
        receipt = super().write_entry(number, **entry)
        self._times.writing += max(0.0, perf_counter() - began - (process_time() - worked))
        return receipt


class TimedTable(Table):
    """A table that notes how long its rulings took."""

    def __init__(self, *args: Any, times: MoveTimes) -> None:
        super().__init__(*args)
        self._times = times
        self._meant: tuple[Micros, bool] | None = None
        self._worked = 0.0
        """Seconds of work and of writing since the move was to be judged."""

    def step(self, now: Micros) -> Micros | None:
        """As every table."""
        tracker = self.boards[0].match.tracker
        meant, due = tracker.pending_intent, tracker.next_due()
        if isinstance(meant, HandIntent) and due is not None and now >= due:
            pieces, position = tracker.piece_tracker, tracker.position
            carried = pieces.carried_step == meant and not position.has_step_beyond(*meant)
            self._meant, self._worked = (pieces.set_down_time(meant.target), carried), 0.0
        began, written = process_time(), self._times.writing
        wanted = super().step(now)
        self._worked += process_time() - began + self._times.writing - written
        return wanted

    def take_messages(self) -> list[SeatMessage]:
        """As every table."""
        told = super().take_messages()
        for message in told:
            if self._meant is not None and message.seat is None and message.kind == "ruling":
                (placed, carried), self._meant = self._meant, None
                if carried:
                    self._times.carried.append(message.at - placed + self._worked * SECOND)
                else:
                    self._times.others += 1
        return told


def measure_game(number: int, times: MoveTimes) -> None:
    """Play one game of people who make no mistakes."""
    plan = SoakPlan(seed=SEED, profile="careful")
    with tempfile.TemporaryDirectory() as folder:
        given = game_bench_settings(plan, number)._replace(journal=Path(folder) / "journal.sqlite")
        opening = partial(
            open_table,
            make=partial(TimedTable, times=times),
            writer=partial(TimedWriter, times=times),
        )
        factory = TableFactory(opening)
        people = people_of_bench(given)(
            given, factory, f"{SEED} {number}", PROFILES[plan.profile], without=(), longest=plan.longest
        )
        try:
            people.play()
        finally:
            people.scene.close()


def run(*, quick: bool = False) -> list[BenchmarkResult]:
    """Whole games, the first to warm up."""
    measure_game(0, MoveTimes())
    times = MoveTimes()
    for number in range(1, 3 if quick else GAMES + 1):
        measure_game(number, times)
    carried = times.carried
    detail = f"{len(carried)} of {len(carried) + times.others} moves, fsync included"
    return [
        BenchmarkResult(
            "carried piece down to ruling told, p95",
            quantiles(carried, n=20)[-1] / MS,
            "ms",
            detail,
            most=CARRIED_MS_MAX,
        )
    ]
