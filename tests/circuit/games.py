"""Games on a simulated board, with all that was told and shown: two builds of a board are compared so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

from boardlab.soak.one_game import SoakPlan, game_bench_settings, people_of_bench
from boardsim.bench.bench import PICO
from boardsim.judging.judge import Discrepancy
from boardsim.people.rates import PROFILES
from boardumpire.commands.table_factory import TableFactory

BOARD = "quick-battle-8x8-pico"


_SALTED = re.compile(r"[0-9a-f]{32,}")
"""Commitments, and what opens them: they are salted anew in each game."""


class Told(NamedTuple):
    """One game as it was seen and heard."""

    messages: tuple[Any, ...]
    """Moment, seat, kind and data of each message."""
    lamps: tuple[Any, ...]
    """Moment and colour of every lamp, frame by frame."""
    findings: tuple[Discrepancy, ...]
    """What a judge who knows the truth says of it."""
    rulings: int


def played(number: int, circuit: Path | None = None, longest: int = 40, seed: int = 26) -> Told:
    """A game of clumsy people on the board of the board file, or on the one that circuit boards make."""
    plan = SoakPlan(
        board=BOARD, driver=PICO, seed=seed, longest=longest, circuit=str(circuit) if circuit else None
    )
    given = game_bench_settings(plan, number)
    people = people_of_bench(given)(
        given, TableFactory(), f"{seed} {number}", PROFILES[plan.profile], longest=longest
    )
    messages: list[Any] = []
    lamps: list[Any] = []
    world = people.scene.world
    people.scene.listeners.append(
        lambda it: messages.append((it.at, it.seat, it.kind, _SALTED.sub("#", repr(it.data))))
    )
    send = world.copper.set_frame

    def seen(chain: str, data: bytes) -> None:
        send(chain, data)
        lamps.append((world.now, tuple(sorted(world.copper.lamps().items()))))

    world.copper.set_frame = seen  # type: ignore[method-assign]  # it is sent all the same
    try:
        people.play()
    finally:
        people.scene.close()
    judge = people.judge
    return Told(tuple(messages), tuple(lamps), tuple(judge.findings), judge.count["rulings"])
