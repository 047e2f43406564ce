"""Where one man can go with the points that are left, and how dangerous it is to be there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from boardrules.colditz.bots.dice_odds import chance_of_at_least
from boardrules.colditz.bots.escape_paths import Gear, guard_distances
from boardrules.colditz.castle.actions import PawnStep
from boardrules.colditz.castle.board import UNREACHABLE
from boardrules.colditz.state.facts import ColditzFacts
from boardrules.colditz.state.moves import is_stay_forbidden, man_possible_steps


class WalkPlan(NamedTuple):
    """A walk of one man: the nodes after the first, and the Equipment that is left then."""

    nodes: tuple[int, ...]
    gear: Gear

    @property
    def end(self) -> int:
        """Where it leads."""
        return self.nodes[-1]


_SearchKey = tuple[int, Gear]


def possible_walks(facts: ColditzFacts, side: int, pawn: int, gear: Gear, points: int) -> Iterator[WalkPlan]:
    """The shortest walks of a man to wherever he may stay or escape, each with every remainder of Equipment.

    He doesn't walk into guards.
    """
    start: _SearchKey = (facts.node_by_pawn[pawn], gear)
    came: dict[_SearchKey, _SearchKey] = {start: start}
    edge, targets = [start], facts.rules.board.targets
    for _ in range(points):
        reached = []
        for key in edge:
            for way in man_possible_steps(facts, side, pawn, *key):
                after = (way.target, way.gear or ())
                if after in came or facts.guard_nodes >> way.target & 1:
                    continue
                came[after] = key
                if targets >> way.target & 1:
                    yield _walk_plan_to(came, after)
                    continue
                reached.append(after)
                if not is_stay_forbidden(facts, side, pawn, way.target):
                    yield _walk_plan_to(came, after)
        edge = reached


def _walk_plan_to(came: dict[_SearchKey, _SearchKey], key: _SearchKey) -> WalkPlan:
    end, nodes = key, []
    while came[key] != key:
        nodes.append(key[0])
        key = came[key]
    return WalkPlan(tuple(reversed(nodes)), end[1])


def steps_of_plan(facts: ColditzFacts, side: int, pawn: int, walk: WalkPlan) -> list[PawnStep]:
    """A walk as steps: by points alone as far as that leads, then alone what may take something more."""
    rules, node = facts.rules, facts.node_by_pawn[pawn]
    origin, steps = node, []
    for after in walk.nodes:
        if after not in rules.men_plain[node]:
            if node != origin:
                steps.append(rules.step(side, origin, node))
            steps.append(rules.step(side, node, after))
            origin = after
        node = after
    if node != origin:
        steps.append(rules.step(side, origin, node))
    return steps


SINGLE_TARGET_FACTOR: Final = 0.9


class ArrestRisk:
    """How likely a man is caught before his officer's next turn, by where he stands."""

    def __init__(self, facts: ColditzFacts, side: int) -> None:
        self.facts, self.side = facts, side
        self.guards = facts.rules.pawns[0]
        self._reach: dict[frozenset[int], list[int]] = {}

    def probability_at(
        self, node: int, gear: Gear, pawn: int, crossings: frozenset[int] = frozenset()
    ) -> float:
        """If he ends there, having laid markers on these crossings."""
        if not self.is_liable_at(node, sum(gear), pawn):
            return 0.0
        points = self.points_by_node(crossings)[node]
        return SINGLE_TARGET_FACTOR * chance_of_at_least(points) if points < UNREACHABLE else 0.0

    def points_by_node(self, crossings: frozenset[int] = frozenset()) -> list[int]:
        """By node the points that the nearest guard needs."""
        found = self._reach.get(crossings)
        if found is None:
            markers = list(self.facts.table.markers)
            for number in crossings:
                markers[number] = self.side
            found = self._reach[crossings] = guard_distances(self.facts, markers, self.guards, posts=True)
        return found

    def is_liable_at(self, node: int, cards: int, pawn: int) -> bool:
        """Whether he could be arrested there (R081 to R085)."""
        grid, here = self.facts.rules.board, 1 << node
        if here & (grid.safe | grid.appel) or self.facts.table.immune_men >> pawn & 1:
            return False
        if here & grid.in_tunnels:
            return self.facts.table.tunnels[grid.tunnel_of[node]] == 2
        return bool(grid.area[node] or here & grid.posts or cards)


def crossings_of_plan(facts: ColditzFacts, start: int, walk: WalkPlan) -> frozenset[int]:
    """The crossings that a walk leads over."""
    over, node = set(), start
    for after in walk.nodes:
        number = facts.rules.board.crossing_at.get((node, after), -1)
        if number >= 0:
            over.add(number)
        node = after
    return frozenset(over)
