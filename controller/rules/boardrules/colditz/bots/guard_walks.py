"""Where guards can go with the points that are left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from boardrules.colditz.castle.actions import PawnStep
from boardrules.colditz.castle.board import ALL_NODES
from boardrules.colditz.state.facts import ColditzFacts
from boardrules.colditz.state.liability import is_liable
from boardrules.colditz.state.moves import guard_possible_steps, is_stay_forbidden, man_on


class GuardWalk(NamedTuple):
    """A walk of a guard, the points that it takes, and the man whom he arrests at its end, or -1."""

    guard: int
    nodes: tuple[int, ...]
    """Where he comes to, one after the other; out of Barracks a post first."""
    man: int

    @property
    def end(self) -> int:
        """Where he comes to at last."""
        return self.nodes[-1]

    @property
    def points(self) -> int:
        """What it takes."""
        return len(self.nodes)


def guard_walks(facts: ColditzFacts, points: int, destination: int | None = None) -> Iterator[GuardWalk]:
    """The shortest walks of every guard with so many points: to men whom he may arrest; and with
    `destination` to that node. Of the guards in Barracks one goes."""
    grid, rules = facts.rules.board, facts.rules
    fresh = True
    near = _nodes_in_range(facts, points, destination)
    if not near:
        return
    for guard in rules.pawns[0]:
        node = facts.node_by_pawn[guard]
        if node < grid.node_count:
            if not near >> node & 1:
                continue
            yield from _walks_from(facts, guard, {node: node}, [node], points, destination)
        elif node == grid.barracks and fresh and points:
            fresh = False
            posts = grid.nodes_of_mask(grid.posts & near & ~facts.guard_nodes)
            came: dict[int, int] = {}
            edge: list[int] = []
            for post in posts:
                man = man_on(facts, post) if facts.men_nodes >> post & 1 else -1
                if man >= 0 and not is_liable(facts, man):
                    continue
                if man >= 0:
                    yield GuardWalk(guard, (post,), man)
                    continue
                came[post] = post
                edge.append(post)
                if destination == post:
                    yield GuardWalk(guard, (post,), -1)
            for walk in _walks_from(facts, guard, came, edge, points - 1, destination):
                yield walk._replace(nodes=(came[walk.nodes[0]], *walk.nodes))


def _nodes_in_range(facts: ColditzFacts, points: int, to: int | None) -> int:
    """The nodes from which a walk may get to one of its ends: the others needn't be looked at."""
    grid, table = facts.rules.board, facts.table
    ends = [] if to is None else [to]
    for pawn in range(facts.rules.guard_count, len(facts.node_by_pawn)):
        if facts.node_by_pawn[pawn] < grid.node_count and is_liable(facts, pawn):
            ends.append(facts.node_by_pawn[pawn])
    if ends and (any(table.markers) or 2 in table.tunnels):
        return ALL_NODES  # these are ways that `circles_within` doesn't know
    near = 0
    for end in ends:
        near |= grid.circles_within(grid.surface_of(end), points)
    return near


def _walks_from(
    facts: ColditzFacts, guard: int, came: dict[int, int], edge: list[int], points: int, to: int | None
) -> Iterator[GuardWalk]:
    nodes = facts.rules.board.node_count
    for _ in range(points):
        reached = []
        for node in edge:
            for way in guard_possible_steps(facts, guard, node):
                if way.target >= nodes or way.target in came:
                    continue
                came[way.target] = node
                if way.leaves_board:
                    yield GuardWalk(guard, _path(came, way.target), man_on(facts, way.target))
                    continue
                reached.append(way.target)
                if way.target == to and not is_stay_forbidden(facts, 0, guard, way.target):
                    yield GuardWalk(guard, _path(came, way.target), -1)
        edge = reached


def _path(came: dict[int, int], node: int) -> tuple[int, ...]:
    nodes = []
    while came[node] != node:
        nodes.append(node)
        node = came[node]
    return tuple(reversed(nodes))


def steps_of_walk(facts: ColditzFacts, walk: GuardWalk) -> list[PawnStep]:
    """A walk as steps: each goes on until something beside a point was needed."""
    rules, node = facts.rules, facts.node_by_pawn[walk.guard]
    steps, origin = [], node
    for place, after in enumerate(walk.nodes):
        plain = node < rules.board.node_count and after in rules.guard_plain[node]
        if not plain or place == len(walk.nodes) - 1:
            steps.append(rules.step(0, origin, after))
            origin = after
        node = after
    return steps
