"""The shortest walks of a pawn: steps that cost points alone, then at most one step of another kind (R032).

Points alone lead along plain links, over own markers (A12, R115), by the free way home (R054) and through
open tunnels (R131); guards also where markers and *Tunnel Detected* let them go (R115, R116, R134). A step
that takes Equipment or a Kit, or is an arrest, is the last of its walk, and only where nothing else leads.
"""

from __future__ import annotations

from collections.abc import Mapping

from boardrules.colditz.castle.board import INNER
from boardrules.colditz.state.facts import Facts, ReadablePosition
from boardrules.colditz.state.moves import Gear, free_onward, onward, passing, step_code

Stop = tuple[int, bool]
"""A node on a walk, and whether a man still has the free way home when he stands there (R054)."""
Over = tuple[int, ...]
"""The nodes of a walk, its start left out."""


def walk(position: ReadablePosition, gear: Gear, pawn: int, target: int) -> Over:
    """The nodes of the shortest walk to a node; empty if no walk leads there.

    To a neighbour it is the one step, whatever that takes, if it is allowed.
    """
    return walks(position, gear, pawn, target).get(target, ())


def walks(position: ReadablePosition, gear: Gear, pawn: int, to: int | None = None) -> dict[int, Over]:
    """By node the shortest walk there, or with `to` that to one node alone."""
    side, start = position.rules.owner[pawn], position.where[pawn]
    found: dict[int, Over] = {}
    if position.points < 1:
        return found
    _end(position, gear, pawn, (), start, to, found)
    if to in found:
        return found
    came = _spread(position, pawn, to)
    for stop in came:
        node = stop[0]
        if node != start and node not in found and to in (None, node):
            over = _nodes(came, stop)
            if passing(position, side, pawn, node) and not _allowed(position, gear, pawn, over[:-1], node):
                over = _round_about(position, gear, pawn, over) if position.rules.trails else ()
            if over:
                found[node] = over
    if to in found:
        return found
    for stop in came:
        over = _nodes(came, stop)
        if over and len(over) < position.points:
            _end(position, gear, pawn, over, stop[0], to, found)
    return found


def _end(
    position: ReadablePosition,
    gear: Gear,
    pawn: int,
    over: Over,
    node: int,
    to: int | None,
    found: dict[int, Over],
) -> None:
    """Add the walks that go over these nodes and end with one step of any kind."""
    side, places = position.rules.owner[pawn], {position.where[pawn], position.rules.board.office}
    for way in onward(position, side, pawn, node, gear):
        target = way.target
        new = target not in found and target not in places and to in (None, target)
        if new and _allowed(position, gear, pawn, over, target):
            found[target] = (*over, target)


def _spread(position: ReadablePosition, pawn: int, to: int | None, kept: Over = ()) -> dict[Stop, Stop]:
    """Where points alone lead, the nearest first: by stop the one before; the start is its own. Not over the
    nodes of `kept`."""
    rules, turn = position.rules, position.turn
    side, start = rules.owner[pawn], position.where[pawn]
    area = rules.board.area
    closed = {node for walker, node in turn.trail if walker == pawn}.union(kept)  # A23
    first = start, bool(position.table.way >> pawn & 1)
    came = {first: first}
    edge = [first]
    for _ in range(position.points):
        reached = []
        for stop in edge:
            node, homeward = stop
            for after in free_onward(position, side, pawn, node, homeward):
                following = after, homeward and area[after] != INNER
                if following in came or (after, True) in came or after in closed:
                    continue
                came[following] = stop
                reached.append(following)
                if after == to and not passing(position, side, pawn, after):
                    return came
        edge = reached
    return came


def _round_about(position: ReadablePosition, gear: Gear, pawn: int, over: Over) -> Over:
    """The shortest walk to the end of another one, from where that leaves no way on (A23); empty if there is
    none. Each try keeps free some of the nodes by which the pawn could get on."""
    side, target = position.rules.owner[pawn], over[-1]
    best: Over = ()
    tries: list[tuple[Over, Gear]] = [((), gear)]
    for kept, left in tries:
        for way in onward(position, side, pawn, (target, *kept)[-1], left):
            if way.target == target or way.target in kept:
                continue
            came = _spread(position, pawn, target, (*kept, way.target))
            found = next((_nodes(came, stop) for stop in came if stop[0] == target), ())
            if not found or len(found) + len(kept) >= position.points or 0 < len(best) <= len(found):
                continue
            if _allowed(position, gear, pawn, found[:-1], target):
                best = found
                if len(best) == len(over):
                    return best
            elif not way.leaves and passing(position, side, pawn, way.target):
                tries.append(((*kept, way.target), way.gear))
    return best


def _nodes(came: Mapping[Stop, Stop], stop: Stop) -> Over:
    nodes = []
    while came[stop] != stop:
        nodes.append(stop[0])
        stop = came[stop]
    return tuple(reversed(nodes))


def _allowed(position: ReadablePosition, gear: Gear, pawn: int, over: Over, target: int) -> bool:
    """Whether a walk over these nodes may end by that step: the pawn stays, gets on or leaves (R045)."""
    there = _moved(position, pawn, over) if over else position
    return step_code(there, gear, pawn, target) is None


def _moved(position: ReadablePosition, pawn: int, over: Over) -> Facts:
    """The position when a pawn has walked over these nodes."""
    rules, table, turn = position.rules, position.table, position.turn
    side, start, node = rules.owner[pawn], position.where[pawn], over[-1]
    where = list(position.where)
    where[pawn] = node
    men, guards, moved = position.men, position.guards, 1 << start ^ 1 << node
    if rules.trails:
        turn = turn.but(trail=(*turn.trail, *((pawn, left) for left in (start, *over[:-1]))))
    if table.way >> pawn & 1 and any(rules.board.area[one] == INNER for one in over):
        table = table.but(way=table.way & ~(1 << pawn))
    return Facts(
        rules=rules,
        where=tuple(where),
        men=men ^ moved if side else men,
        guards=guards if side else guards ^ moved,
        points=position.points - len(over),
        last=pawn,
        tasks=position.tasks,
        turn=turn,
        table=table,
    )
