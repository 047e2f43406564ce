"""Ways through the castle as it stands: out to the Targets, to the rooms, and those of guards to men.

All is public: where pawns stand, markers, tunnels. What an officer holds is asked of each way afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from boardrules.colditz.castle.board import INNER, UNREACHABLE, CastleBoard, Mask
from boardrules.colditz.state.facts import ColditzFacts
from boardrules.colditz.state.moves import CUTTER, KEY, PASS, ROPE
from boardrules.colditz.state.rules import ColditzRules

Gear = tuple[int, ...]
"""By kind how many Equipment cards."""

MAX_GEAR: Final = (3, 1, 1, 1)
"""The most of each kind that a way out is looked for with."""
MISSING_CARD_STEPS: Final = 11
"""What a card that has to be fetched first counts, in steps."""
EMPTY_PILE_STEPS: Final = 30
"""The same where its pile is empty."""
BLOCKED_WAY_STEPS: Final = 6
"""What it counts, in steps, that another officer's man stands in the only way."""


class EscapePath(NamedTuple):
    """A way to a Target: steps, and what it takes."""

    steps: int
    needed_gear: Gear


def _need_sums() -> tuple[tuple[tuple[int, ...], ...], ...]:
    """By kind, cards and need the need that is more by these cards, or -1 for one that isn't looked for."""
    found = []
    for kind in range(len(MAX_GEAR)):
        rows = []
        for cards in range(3):
            more = [(*need[:kind], need[kind] + cards, *need[kind + 1 :]) for need in GEAR_NEEDS]
            rows.append(tuple(GEAR_NEEDS.index(need) if need in GEAR_NEEDS else -1 for need in more))
        found.append(tuple(rows))
    return tuple(found)


GEAR_NEEDS: Final = tuple(product(*(range(most + 1) for most in MAX_GEAR)))
"""All that a way may take. A need is its number here while ways are looked for ..."""
_NEED_SUPERSETS: Final = tuple(
    sum(
        1 << other
        for other, whole in enumerate(GEAR_NEEDS)
        if all(a >= b for a, b in zip(whole, need, strict=True))
    )
    for need in GEAR_NEEDS
)
"""... and by need a mask of those that take as much or more of every kind."""
_NEED_SUMS: Final = _need_sums()


class ReversedStep(NamedTuple):
    """A link that takes something, read backwards: who could step from `origin`."""

    origin: int
    kind: int = 0
    cards: int = 0
    crossing: int = -1
    is_upward: bool = False
    tunnel: int = -1


@lru_cache(maxsize=4)
def _reversed_links(
    rules: ColditzRules,
) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[ReversedStep, ...], ...]]:
    """By node the nodes from which anybody steps to it, and the links that take something."""
    grid = rules.board
    plain: list[list[int]] = [[] for _ in range(grid.node_count)]
    links: list[list[ReversedStep]] = [[] for _ in range(grid.node_count)]
    for node in range(grid.node_count):
        for after in rules.men_plain[node]:
            plain[after].append(node)
        for after, kind, number in rules.men_exits[node]:
            links[after].append(_reversed_step(grid, node, kind, number))
    return tuple(map(tuple, plain)), tuple(map(tuple, links))


def _reversed_step(grid: CastleBoard, node: int, kind: str, number: int) -> ReversedStep:
    if kind in ("door", "inspection"):
        return ReversedStep(node, KEY if kind == "door" else PASS, 1)
    if kind == "in":
        return ReversedStep(node, tunnel=number)
    if kind == "target":
        return ReversedStep(node)
    crossing = grid.crossings[number]
    return ReversedStep(node, ROPE if crossing.feet else CUTTER, crossing.card_count, number, kind == "up")


class EscapePaths:
    """The ways out of the castle, for one side, while the guards stand as they do."""

    def __init__(
        self, rules: ColditzRules, own: tuple[bool, ...], tunnels: tuple[bool, ...], shut: Mask
    ) -> None:
        self.ways: list[list[EscapePath]] = [[] for _ in range(rules.board.node_count)]
        """By node the ways to a Target, none of them beaten by another in steps and in every kind."""
        self._work: dict[tuple[int, Gear, Gear], tuple[int, Gear]] = {}
        plain, links = _reversed_links(rules)
        beaten = [-1 if shut >> node & 1 else 0 for node in range(rules.board.node_count)]
        edge = [(target, 0) for target in rules.board.nodes_of_mask(rules.board.targets)]
        steps = 0
        while edge:
            reached = []
            for node, need in edge:
                if beaten[node] >> need & 1:
                    continue
                beaten[node] |= _NEED_SUPERSETS[need]
                self.ways[node].append(EscapePath(steps, GEAR_NEEDS[need]))
                reached += [(before, need) for before in plain[node] if not beaten[before] >> need & 1]
                for link in links[node]:
                    more = _need_with_link(rules, link, need, own, tunnels)
                    if more >= 0 and not beaten[link.origin] >> more & 1:
                        reached.append((link.origin, more))
            edge = reached
            steps += 1

    def steps_to_target(self, node: int, gear: Gear) -> int:
        """The fewest steps to a Target with this Equipment, or `UNREACHABLE`."""
        for way in self.ways[node]:  # the shortest first
            if _covers(gear, way.needed_gear):
                return way.steps
        return UNREACHABLE

    def cost_and_missing_cards(self, node: int, gear: Gear, supply: Sequence[int]) -> tuple[int, Gear]:
        """The fewest steps, a card that has to be fetched first counted as `MISSING_CARD_STEPS`; and what is
        missing."""
        asked = (node, gear, tuple(supply))
        found = self._work.get(asked)
        if found is None:
            found = self._work[asked] = self._compute_cost(*asked)
        return found

    def _compute_cost(self, node: int, gear: Gear, supply: Sequence[int]) -> tuple[int, Gear]:
        best, lack = UNREACHABLE, (0, 0, 0, 0)
        for way in self.ways[node]:  # the shortest first
            if way.steps >= best:
                break
            cost, short = way.steps, []
            for kind, wanted in enumerate(way.needed_gear):
                missing = max(0, wanted - gear[kind])
                short.append(missing)
                cost += MISSING_CARD_STEPS * min(missing, supply[kind]) + EMPTY_PILE_STEPS * max(
                    0, missing - supply[kind]
                )
            if cost < best:
                best, lack = cost, (short[0], short[1], short[2], short[3])
        return best, lack


def _covers(gear: Gear, need: Gear) -> bool:
    return gear[0] >= need[0] and gear[1] >= need[1] and gear[2] >= need[2] and gear[3] >= need[3]


def _need_with_link(
    rules: ColditzRules, link: ReversedStep, need: int, own: tuple[bool, ...], tunnels: tuple[bool, ...]
) -> int:
    """What a way takes with one more link, or -1 where that is closed."""
    if link.tunnel >= 0:
        return need if tunnels[link.tunnel] else -1
    mine = link.crossing >= 0 and own[link.crossing]
    if link.is_upward:
        return _NEED_SUMS[link.kind][link.cards][need] if mine else -1
    return need if mine and rules.free_markers else _NEED_SUMS[link.kind][link.cards][need]


@lru_cache(maxsize=16)
def _cached_escape_paths(
    rules: ColditzRules, own: tuple[bool, ...], tunnels: tuple[bool, ...], shut: Mask
) -> EscapePaths:
    return EscapePaths(rules, own, tunnels, shut)


def escape_paths(facts: ColditzFacts, side: int, *, past_guards: bool = False) -> EscapePaths:
    """The ways out for a side, around guards and other officers' men; or as if nobody stood there."""
    table, rules = facts.table, facts.rules
    own = tuple(owner == side for owner in table.markers)
    mine = sum(1 << facts.node_by_pawn[pawn] for pawn in rules.pawns[side])
    shut = 0 if past_guards else facts.guard_nodes | facts.men_nodes & ~mine & rules.board.outer_circles
    return _cached_escape_paths(facts.rules, own, tuple(state > 0 for state in table.tunnels), shut)


@lru_cache(maxsize=32)
def _steps_into_rooms(board: CastleBoard, shut: Mask) -> tuple[tuple[int, ...], ...]:
    def inside(node: int) -> list[int]:
        return [near for near in board.neighbours[node] if board.area[near] == INNER and not shut >> near & 1]

    starts = ([node for node in nodes if not shut >> node & 1] for nodes in board.circles_by_symbol)
    return tuple(board.distances_from(nodes, inside) for nodes in starts)


def steps_to_rooms(facts: ColditzFacts, side: int, ignored_guards: Mask = 0) -> tuple[tuple[int, ...], ...]:
    """By symbol and node the steps to a circle of a room that shows it, around the guards but for these.

    Another officer's man is gone around too; where he bars the only way he may go on, which counts as
    `BLOCKED_WAY_STEPS`.
    """
    board, guards = facts.rules.board, facts.guard_nodes & ~ignored_guards
    mine = sum(1 << facts.node_by_pawn[pawn] for pawn in facts.rules.pawns[side])
    return _steps_around_men(board, guards, facts.men_nodes & ~mine & ~board.outer_circles)


@lru_cache(maxsize=32)
def _steps_around_men(board: CastleBoard, guards: Mask, men: Mask) -> tuple[tuple[int, ...], ...]:
    past, around = _steps_into_rooms(board, guards), _steps_into_rooms(board, guards | men)
    return tuple(
        tuple(min(one, other + BLOCKED_WAY_STEPS) for one, other in zip(*rows, strict=True))
        for rows in zip(around, past, strict=True)
    )


# Guards


def guard_distances(
    facts: ColditzFacts, markers: Sequence[int], guards: Sequence[int], *, posts: bool
) -> list[int]:
    """By node the points that it takes the nearest of these guards to get there.

    `posts`: whether guards come out of Barracks as well. Men in the way aren't looked at.
    """
    rules, grid = facts.rules, facts.rules.board
    cost = [UNREACHABLE] * grid.node_count
    edge = [facts.node_by_pawn[guard] for guard in guards if facts.node_by_pawn[guard] < grid.node_count]
    for node in edge:
        cost[node] = 0
    taken = facts.guard_nodes
    fresh = (
        list(grid.nodes_of_mask(grid.posts & ~taken)) if posts and grid.barracks in facts.node_by_pawn else []
    )
    opened = _guard_accessible_places(facts, markers)
    points = 0
    while edge or fresh:
        points += 1
        reached = []
        if points == 1:
            reached = [node for node in fresh if cost[node] > 1]
            fresh = []
            for node in reached:
                cost[node] = 1
        for node in edge:
            for target in rules.guard_plain[node]:
                if cost[target] > points:
                    cost[target] = points
                    reached.append(target)
            for target, kind, number in rules.guard_exits[node]:
                if cost[target] > points and _can_guard_step(facts, markers, opened, target, kind, number):
                    cost[target] = points
                    reached.append(target)
        edge = reached
    return cost


def _guard_accessible_places(facts: ColditzFacts, markers: Sequence[int]) -> tuple[set[int], set[int]]:
    """The rooms that guards may enter, and the circles that bear markers (R116, R134)."""
    grid = facts.rules.board
    circles: set[int] = set()
    for crossing, owner in zip(grid.crossings, markers, strict=True):
        if owner:
            circles |= {crossing.upper, crossing.lower}
    rooms = {grid.room[circle] for circle in circles}
    rooms |= {
        tunnel.room for tunnel, state in zip(grid.tunnels, facts.table.tunnels, strict=True) if state == 2
    }
    return rooms, circles


def _can_guard_step(
    facts: ColditzFacts,
    markers: Sequence[int],
    opened: tuple[set[int], set[int]],
    target: int,
    kind: str,
    number: int,
) -> bool:
    grid = facts.rules.board
    if kind == "tunnel":
        return facts.table.tunnels[number] == 2
    if kind == "down" and not markers[number]:
        return False
    here = 1 << target
    if here & grid.safe and not facts.rules.pass_safe and target not in opened[1]:
        return False
    return not here & grid.room_circles or grid.room[target] in opened[0]
