"""The shortest walks of a pawn: steps that cost points alone, then at most one step of another kind (R032).

Points alone lead along plain links, over own markers (A12, R115), by the free way home (R054) and through
open tunnels (R131); guards also where markers and *Tunnel Detected* let them go (R115, R116, R134). A step
that takes Equipment or a Kit, or is an arrest, is the last of its walk, and only where nothing else leads.
"""

from __future__ import annotations

from dataclasses import replace

from boardrules.colditz.castle.board import INNER
from boardrules.colditz.state.facts import ColditzFacts, ReadablePosition
from boardrules.colditz.state.moves import (
    Gear,
    are_neighbours,
    free_exits,
    is_stay_forbidden,
    possible_steps,
    step_refusal_code,
)

WalkStop = tuple[int, bool]
"""A node on a walk, and whether a man still has the free way home when he stands there (R054)."""
Path = tuple[int, ...]
"""The nodes of a walk, its start left out."""


def shortest_walk(position: ReadablePosition, gear: Gear, pawn: int, target: int) -> Path:
    """The nodes of the shortest walk to a node; empty if no walk leads there.

    To a neighbour it is the one step, whatever that takes, if it is allowed.
    """
    start = position.node_by_pawn[pawn]
    near = are_neighbours(position, position.rules.owner[pawn], start, target)
    if near and position.points > 0 and step_refusal_code(position, gear, pawn, target) is None:
        return (target,)
    return shortest_walks(position, gear, pawn, target).get(target, ())


def shortest_walks(
    position: ReadablePosition, gear: Gear, pawn: int, to: int | None = None
) -> dict[int, Path]:
    """By node the shortest walk there, or with `to` that to one node alone."""
    side, start = position.rules.owner[pawn], position.node_by_pawn[pawn]
    found: dict[int, Path] = {}
    if position.points < 1:
        return found
    if to is None or are_neighbours(position, side, start, to):
        _add_last_steps(position, gear, pawn, (), start, to, found)
    if to in found:
        return found
    came = _free_walks(position, pawn, to)
    stops = came if to is None else [stop for stop in ((to, False), (to, True)) if stop in came]
    for stop in stops:
        node, over = stop[0], came[stop]
        if node != start and node not in found:
            if is_stay_forbidden(position, side, pawn, node) and not _is_last_step_allowed(
                position, gear, pawn, over[:-1], node
            ):
                over = _detour(position, gear, pawn, over) if position.rules.forbids_doubling_back else ()
            if over:
                found[node] = over
    if to in found:
        return found
    for (node, _), over in came.items():
        if 0 < len(over) < position.points and _has_special_step(position, side, pawn, node, to):
            _add_last_steps(position, gear, pawn, over, node, to, found)
    return found


def _has_special_step(position: ReadablePosition, side: int, pawn: int, node: int, to: int | None) -> bool:
    """Whether a step from a node might lead where points alone don't, or with `to` to that node."""
    if to is not None:
        return are_neighbours(position, side, node, to)
    rules = position.rules
    if position.turn.daring_man == pawn or (rules.men_exits if side else rules.guard_exits)[node]:
        return True
    enemies, hard = (
        (position.guard_nodes, rules.board.men_no_stay)
        if side
        else (position.men_nodes, rules.board.guards_no_stay)
    )
    return bool(rules.steps_from[side][node].neighbours & (enemies | hard))


def _add_last_steps(
    position: ReadablePosition,
    gear: Gear,
    pawn: int,
    over: Path,
    node: int,
    to: int | None,
    found: dict[int, Path],
) -> None:
    """Add the walks that go over these nodes and end with one step of any kind."""
    side, places = position.rules.owner[pawn], {position.node_by_pawn[pawn], position.rules.board.office}
    for way in possible_steps(position, side, pawn, node, gear):
        target = way.target
        new = target not in found and target not in places and to in (None, target)
        if new and _is_last_step_allowed(position, gear, pawn, over, target):
            found[target] = (*over, target)


def _free_walks(
    position: ReadablePosition, pawn: int, to: int | None, kept: Path = ()
) -> dict[WalkStop, Path]:
    """Where points alone lead, the nearest first, with the nodes of the way to each stop. Not over the nodes
    of `kept`."""
    rules, turn = position.rules, position.turn
    side, start = rules.owner[pawn], position.node_by_pawn[pawn]
    plain, exits = (rules.men_plain, rules.men_exits) if side else (rules.guard_plain, rules.guard_exits)
    area = rules.board.area
    end = -1 if to is None or is_stay_forbidden(position, side, pawn, to) else to
    seen = {start, *kept, *(() if turn.daring_man == pawn else position.node_by_pawn)}
    seen.update(node for walker, node in turn.visited_nodes if walker == pawn)  # A23
    homed = set(seen)
    """The nodes to which the way home was free still; the others may be come to again, with it free."""
    first = start, bool(position.table.men_on_free_way >> pawn & 1)
    came: dict[WalkStop, Path] = {first: ()}
    edge = [first]
    for _ in range(position.points):
        reached = []
        for stop in edge:
            node, homeward = stop
            over, afters = came[stop], plain[node]
            if exits[node]:
                afters = (*afters, *free_exits(position, side, pawn, node, homeward))
            for after in afters:
                home = homeward and area[after] != INNER
                if after in seen and (not home or after in homed):
                    continue
                seen.add(after)
                if home:
                    homed.add(after)
                following = after, home
                came[following] = (*over, after)
                if after == end:
                    return came
                reached.append(following)
        edge = reached
    return came


def _detour(position: ReadablePosition, gear: Gear, pawn: int, over: Path) -> Path:
    """The shortest walk to the end of another one, from where that leaves no way on (A23); empty if there is
    none. Each try keeps free some of the nodes by which the pawn could get on."""
    side, target = position.rules.owner[pawn], over[-1]
    best: Path = ()
    tries: list[tuple[Path, Gear]] = [((), gear)]
    for kept, left in tries:
        for way in possible_steps(position, side, pawn, (target, *kept)[-1], left):
            if way.target == target or way.target in kept:
                continue
            came = _free_walks(position, pawn, target, (*kept, way.target))
            found = next((nodes for (node, _), nodes in came.items() if node == target), ())
            if not found or len(found) + len(kept) >= position.points or 0 < len(best) <= len(found):
                continue
            if _is_last_step_allowed(position, gear, pawn, found[:-1], target):
                best = found
                if len(best) == len(over):
                    return best
            elif not way.leaves_board and is_stay_forbidden(position, side, pawn, way.target):
                tries.append(((*kept, way.target), way.gear))
    return best


def _is_last_step_allowed(position: ReadablePosition, gear: Gear, pawn: int, over: Path, target: int) -> bool:
    """Whether a walk over these nodes may end by that step: the pawn stays, gets on or leaves (R045)."""
    there = _position_after(position, pawn, over) if over else position
    return step_refusal_code(there, gear, pawn, target) is None


def _position_after(position: ReadablePosition, pawn: int, over: Path) -> ColditzFacts:
    """The position when a pawn has walked over these nodes."""
    rules, table, turn = position.rules, position.table, position.turn
    side, start, node = rules.owner[pawn], position.node_by_pawn[pawn], over[-1]
    where = list(position.node_by_pawn)
    where[pawn] = node
    men, guards, moved = position.men_nodes, position.guard_nodes, 1 << start ^ 1 << node
    if rules.forbids_doubling_back:
        turn = replace(
            turn, visited_nodes=(*turn.visited_nodes, *((pawn, left) for left in (start, *over[:-1])))
        )
    if table.men_on_free_way >> pawn & 1 and any(rules.board.area[one] == INNER for one in over):
        table = replace(table, men_on_free_way=table.men_on_free_way & ~(1 << pawn))
    return ColditzFacts(
        rules=rules,
        node_by_pawn=tuple(where),
        men_nodes=men ^ moved if side else men,
        guard_nodes=guards if side else guards ^ moved,
        points=position.points - len(over),
        last_moved_pawn=pawn,
        tasks=position.tasks,
        turn=turn,
        table=table,
    )
