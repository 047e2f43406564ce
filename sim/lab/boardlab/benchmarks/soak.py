"""What a simulated evening with clumsy people costs: processor time, so that other work doesn't count."""

from __future__ import annotations

from time import process_time

from boardlab.benchmarks.measure import BenchmarkResult
from boardlab.soak.one_game import SoakPlan, play
from boardumpire.commands.table_factory import TableFactory

SEED = 2026
GAMES = 30
CORES = 2


def run(*, quick: bool = False) -> list[BenchmarkResult]:
    """Play games over gpiozero in one process, the first to warm up."""
    plan, factory = SoakPlan(seed=SEED), TableFactory()
    count = 2 if quick else GAMES
    play(plan, 0, factory)
    began, actions = process_time(), 0
    for number in range(1, count + 1):
        played, _ = play(plan, number, factory)
        actions += played.counts["actions"]
    spent = process_time() - began
    detail = f"{spent / count:.2f} s of processor time a game of {actions / count:.0f} actions"
    return [
        BenchmarkResult(
            "clumsy games a minute, reckoned", CORES * 60 * count / spent, "on 2 cores", detail, least=200
        )
    ]
