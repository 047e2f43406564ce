"""Ways out of the castle, as simple players plan them: how many steps to a Target, and what they take.

Worked out once for a board, as if nobody stood in the way and every tunnel were shut.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from boardrules.colditz.castle.board import UNREACHABLE, CastleBoard
from boardrules.colditz.state.moves import CUTTER, KEY, PASS, ROPE
from boardrules.colditz.state.rules import ColditzRules

MAX_NEED: Final = (3, 1, 1, 1)
"""By kind of Equipment the most that a plan uses: more only makes the search longer."""

Need = tuple[int, int, int, int]


class EscapeRoute(NamedTuple):
    """One way out."""

    steps: int
    needed_gear: Need


@lru_cache(maxsize=4)
def escape_routes(rules: ColditzRules) -> tuple[tuple[EscapeRoute, ...], ...]:
    """By node the ways out from it, none of them beaten by another in steps and in every kind."""
    grid = rules.board
    back: list[list[tuple[int, int, int]]] = [[] for _ in range(grid.node_count)]
    for node in range(grid.node_count):
        for after in rules.men_plain[node]:
            back[after].append((node, 0, 0))
        for after, kind, number in rules.men_exits[node]:
            toll = _equipment_toll(grid, kind, number)
            if toll is not None:
                back[after].append((node, *toll))
    best: dict[tuple[int, Need], int] = {
        (target, (0, 0, 0, 0)): 0 for target in grid.nodes_of_mask(grid.targets)
    }
    edge = list(best)
    while edge:
        reached = []
        for node, need in edge:
            steps = best[node, need] + 1
            for before, which, count in back[node]:
                more = _add_need(need, which, count)
                if more is not None and steps < best.get((before, more), UNREACHABLE):
                    best[before, more] = steps
                    reached.append((before, more))
        edge = reached
    found: list[list[EscapeRoute]] = [[] for _ in range(grid.node_count)]
    for (node, need), steps in best.items():
        found[node].append(EscapeRoute(steps, need))
    return tuple(tuple(_undominated_routes(ways)) for ways in found)


def _equipment_toll(grid: CastleBoard, kind: str, number: int) -> tuple[int, int] | None:
    if kind == "down":
        crossing = grid.crossings[number]
        return (ROPE if crossing.feet else CUTTER, crossing.card_count)
    return {"door": (KEY, 1), "inspection": (PASS, 1), "target": (0, 0)}.get(kind)


def _add_need(need: Need, kind: int, count: int) -> Need | None:
    if not count:
        return need
    counts = list(need)
    counts[kind] += count
    return None if counts[kind] > MAX_NEED[kind] else (counts[0], counts[1], counts[2], counts[3])


def _undominated_routes(ways: list[EscapeRoute]) -> list[EscapeRoute]:
    return [
        way
        for way in ways
        if not any(
            other != way and other.steps <= way.steps and _covers(way.needed_gear, other.needed_gear)
            for other in ways
        )
    ]


def _covers(gear: tuple[int, ...], need: Need) -> bool:
    return all(held >= wanted for held, wanted in zip(gear, need, strict=True))


def steps_to_target(ways: tuple[EscapeRoute, ...], gear: tuple[int, ...]) -> int:
    """The fewest steps to a Target with the Equipment that is there, or `UNREACHABLE`."""
    return min((way.steps for way in ways if _covers(gear, way.needed_gear)), default=UNREACHABLE)


def missing_for_nearest(ways: tuple[EscapeRoute, ...], gear: tuple[int, ...]) -> tuple[int, Need]:
    """What the plan wants that is nearest in steps and missing cards, a card being worth a dozen steps."""
    best, lack = UNREACHABLE, (0, 0, 0, 0)
    for way in ways:
        short = [max(0, wanted - held) for wanted, held in zip(way.needed_gear, gear, strict=True)]
        cost = way.steps + 12 * sum(short)
        if cost < best:
            best, lack = cost, (short[0], short[1], short[2], short[3])
    return best, lack
