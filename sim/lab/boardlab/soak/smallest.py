"""What went wrong in a game, made small: the errors without which it would not have happened, as files."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from boardlab.soak.one_game import SoakedGame, SoakPlan, play
from boardsim.bench.bench import BenchSettings
from boardsim.bench.table import BenchTableFactory
from boardsim.people.rates import TurnError
from boardsim.world.kits import KITS

REPLAYS_MAX = 60
"""How many games are played to find what is needed for a finding."""


def write_smallest_case(plan: SoakPlan, played: SoakedGame, factory: BenchTableFactory) -> SoakedGame:
    """Find the errors without which it would not have happened; write script and trace of that game."""
    assert plan.out is not None
    kind = played.findings[0].kind
    tries = iter(range(REPLAYS_MAX))

    def fails(left: Sequence[TurnError]) -> bool:
        if next(tries, None) is None:
            return False
        kept = set(left)
        without = [each for each in played.made_errors if each not in kept]
        with contextlib.suppress(Exception):  # without an error the game may take a way that people can't go
            again, _ = play(plan, played.number, factory, without)
            return bool(again.findings) and again.findings[0].kind == kind
        return False

    left = shrink_failing_list(list(played.made_errors), fails)
    without = [each for each in played.made_errors if each not in left]
    folder = Path(plan.out)
    folder.mkdir(parents=True, exist_ok=True)
    name = folder / f"soak-{plan.game}-{plan.seed}-{played.number}"
    with open(f"{name}.trace", "w", encoding="utf-8") as trace:
        again, people = play(plan, played.number, factory.traced(lambda: trace.write, plan.driver), without)
    findings = [f"# {f.kind} at {f.at // 1000} ms: {f.what}\n" for f in again.findings]
    given = people.scene.bench.setting
    head = [
        f"# game {played.number} of: boardumpire lab soak --game {plan.game} --driver {plan.driver}"
        f" --profile {plan.profile} --seed {plan.seed}\n",
        f"# needed: {' '.join(f'{each.kind}@{each.turn}' for each in left)}\n",
        f"# boardumpire sim run --game {plan.game} --board {given.board} --driver {given.driver}"
        f" --lamp-driver {plan.lamp_driver} --seed {given.seed} --kit {_kit_name(given)}"
        f"{' --tags' if given.tags else ''} --chance '{plan.seed} {played.number}'"
        f"{''.join(f' --option {name}={json.dumps(value)}' for name, value in given.options.items())}\n",
    ]
    Path(f"{name}.hands").write_text("".join(head + findings) + people.scene.script(), "utf-8")
    return played._replace(script_path=f"{name}.hands")


def _kit_name(given: BenchSettings) -> str:
    return next(name for name, kit in KITS.items() if kit == given.kit)


def shrink_failing_list(items: list[Any], fails: Callable[[Sequence[Any]], bool]) -> list[Any]:
    """Some of `items` that still fail and of which, as far as tried, none can be left out."""
    parts = 2
    while items:
        size = max(1, -(-len(items) // parts))
        for start in range(0, len(items), size):
            left = items[:start] + items[start + size :]
            if fails(left):
                items, parts = left, max(2, parts - 1)
                break
        else:
            if size == 1:
                break
            parts = min(len(items), 2 * parts)
    return items
