"""Soak: clumsy simulated people play many games over simulated pins; each ruling is compared with the truth.

The seed and the number of a game decide it, so games can be spread over processes and machines.
docs/understand/measuring.md says what the counts mean.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import sqrt
from pathlib import Path
from typing import Any

from boardlab.soak.one_game import (
    COUNT_NAMES,
    SoakedGame,
    SoakError,
    SoakPlan,
    play,
)
from boardlab.soak.smallest import write_smallest_case
from boardsim.bench.table import BenchTableFactory
from boardsim.judging.judge import Discrepancy
from boardsim.people.rates import ERROR_KINDS


class SoakReport:
    """What came of many games."""

    def __init__(self, plan: SoakPlan) -> None:
        self.plan = plan
        self.games = 0
        self.counts: Counter[str] = Counter()
        self.injected: Counter[str] = Counter(dict.fromkeys(ERROR_KINDS, 0))
        self.findings: list[tuple[int, Discrepancy]] = []
        self.written: list[str] = []
        self.virtual = 0.0
        self.began = time.monotonic()

    def add(self, played: SoakedGame) -> None:
        """Count one game."""
        self.games += 1
        self.counts.update(played.counts)
        self.injected.update(played.injected)
        self.findings += [(played.number, finding) for finding in played.findings]
        self.virtual += played.seconds
        if played.script_path:
            self.written.append(played.script_path)

    def json(self) -> dict[str, Any]:
        """As one object. `bounds` are 95 % bounds of the rates an action."""
        actions = self.counts["actions"]
        rates = ("wrong", "lost", "missed", "asked", "unforced")
        counts = {name: self.counts[name] for name in COUNT_NAMES}
        seen = {**counts, "unforced": self.counts["asked"] - self.counts["forced"]}
        plan = self.plan._asdict()
        return {
            "games": self.games,
            **counts,
            "injected": dict(self.injected),
            "unforced": seen["unforced"],
            "bounds": {name: bounds(seen[name], actions) for name in rates},
            "virtual_hours": round(self.virtual / 3600, 2),
            "seconds": round(time.monotonic() - self.began, 1),
            "findings": [f"game {number}: {f.kind}: {f.what}" for number, f in self.findings],
            "written": self.written,
            "plan": {key: value for key, value in plan.items() if key != "out"},
        }

    @property
    def fine(self) -> bool:
        """Whether nothing was wrong, lost or missed."""
        return not self.findings


def bounds(count: int, of: int) -> list[float]:
    """Wilson's 95 % bounds of a rate seen as `count` of `of`."""
    if not of:
        return [0.0, 1.0]
    z, share = 1.959964, count / of
    middle = share + z * z / (2 * of)
    wide = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    scale = 1 + z * z / of
    low = 0.0 if count == 0 else (middle - wide) / scale
    return [round(low, 8), round((middle + wide) / scale, 8)]


class SoakWorker:
    """Plays games by their number; can be pickled."""

    def __init__(self, plan: SoakPlan, factory: BenchTableFactory) -> None:
        self.plan = plan
        self.factory = factory

    def __call__(self, number: int) -> SoakedGame:
        """Play one game and, if the umpire did something wrong, write down how it comes about."""
        played, _ = play(self.plan, number, self.factory)
        if played.findings and self.plan.out is not None:
            played = write_smallest_case(self.plan, played, self.factory)
        return played


def soak(
    plan: SoakPlan,
    numbers: Sequence[int],
    factory: BenchTableFactory,
    jobs: int = 1,
    told: Callable[[SoakReport], None] = lambda report: None,
    dask: str | None = None,
) -> SoakReport:
    """Play games by their numbers, in `jobs` processes or on a Dask cluster; `told` after each."""
    report = SoakReport(plan)
    with _folder(plan.out if dask is None else None):
        for played in _play_games(SoakWorker(plan, factory), numbers, jobs, dask):
            report.add(played)
            told(report)
    return report


@contextlib.contextmanager
def _folder(path: str | None) -> Iterator[None]:
    """Make a folder first, not when hours have been played; it goes again if nothing came into it."""
    if path is None:
        yield
        return
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SoakError(f"--out {path}: {error.strerror}; try another folder") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise SoakError(f"--out {path}: it can't be written to; try another folder")
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # it has something in it, or another soak there ended before
            folder.rmdir()


def _play_games(
    worker: SoakWorker, numbers: Sequence[int], jobs: int, dask: str | None
) -> Iterator[SoakedGame]:
    if dask is not None:
        from boardlab.soak.cluster import on_cluster  # needs the extra `cluster`

        yield from on_cluster(dask, worker, numbers)
    elif jobs <= 1 or len(numbers) <= 1:
        yield from map(worker, numbers)
    else:
        import multiprocessing

        # More processes than that only wait for each other.
        processes = min(jobs, len(numbers), 2 * (os.cpu_count() or 1))
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            results: Iterable[SoakedGame] = pool.imap_unordered(worker, numbers, chunksize=2)
            yield from results


def text(report: SoakReport) -> str:
    """The report for people."""
    found = report.json()
    lines = [f"{found['games']} games, {found['virtual_hours']} hours at the board, {found['seconds']} s"]
    lines += [f"{name:>9} {found[name]}" for name in (*COUNT_NAMES, "unforced")]
    lines.append("injected " + ", ".join(f"{kind} {count}" for kind, count in found["injected"].items()))
    lines += [f"at most {high:.2g} {name} an action (95 %)" for name, (_, high) in found["bounds"].items()]
    lines += found["findings"] + found["written"]
    return "\n".join(lines)


def report_json_line(report: SoakReport) -> str:
    """The report as one line of JSON."""
    return json.dumps(report.json())
