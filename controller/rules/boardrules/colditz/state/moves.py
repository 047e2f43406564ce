"""Which single steps a pawn may take (1.4, 1.11, 1.12), and whether it gets to where it may stay (R045)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from boardrules.colditz.state.facts import ColditzFacts, ReadablePosition
from boardrules.colditz.state.liability import is_liable

Gear = tuple[int, ...] | None
"""By kind the Equipment to pay with; `None`: as much as may be, where only public knowledge counts."""

ROPE, KEY, PASS, CUTTER = range(4)
_MISSING_GEAR_CODES: Final = ("colditz/no-rope", "colditz/no-key", "colditz/no-pass", "colditz/no-cutter")


class StepCost(NamedTuple):
    """What a step takes beside its point."""

    kind: int = 0
    cards: int = 0


FREE_STEP: Final = StepCost()
GATE_KINDS: Final = ("door", "inspection")
"""The kinds of exits that the free way home leads over (R054)."""


class PossibleStep(NamedTuple):
    """A step that could be taken."""

    target: int
    gear: Gear
    """What is left after paying."""
    leaves_board: bool
    """Whether the pawn leaves the board by it: by an escape, an arrest, for the Commander's Office."""


def man_step_cost(
    position: ReadablePosition, side: int, pawn: int, node: int, way: tuple[int, str, int]
) -> StepCost | str:
    """What it takes to go on by an exit, or the code of why nobody can."""
    target, kind, number = way
    grid, table = position.rules.board, position.table
    if kind in GATE_KINDS:
        back = (
            table.men_on_free_way >> pawn & 1
            and grid.free_way_gates >> target & 1
            and grid.steps_home[target] < grid.steps_home[node]
        )
        return FREE_STEP if back else StepCost(KEY if kind == "door" else PASS, 1)  # R054, R110, R111
    if kind == "target":
        return (
            FREE_STEP if table.has_kit[side] or position.turn.extra_escapes else "colditz/no-kit"
        )  # R142, A13
    if kind == "in":
        return FREE_STEP if table.tunnels[number] else "colditz/tunnel-closed"  # R130
    crossing = grid.crossings[number]
    toll = StepCost(ROPE if crossing.feet else CUTTER, crossing.card_count)  # R112, R113
    own = table.markers[number] == side
    if kind == "up":
        return toll if own else "colditz/no-way-back"  # R121
    return FREE_STEP if own and position.rules.free_markers else toll  # R115, A12


def gear_after(gear: Gear, toll: StepCost) -> Gear:
    """The Equipment left after a toll; only for what can be paid."""
    if gear is None or not toll.cards:
        return gear
    return (*gear[: toll.kind], gear[toll.kind] - toll.cards, *gear[toll.kind + 1 :])


def missing_gear_refusal_code(gear: Gear, toll: StepCost) -> str | None:
    """The code for Equipment that is missing."""
    return _MISSING_GEAR_CODES[toll.kind] if gear is not None and gear[toll.kind] < toll.cards else None


def is_room_open(position: ReadablePosition, room: int) -> bool:
    """Whether guards may enter a room: a marker or a detected tunnel is in it (R116, R134)."""
    grid, table = position.rules.board, position.table
    for crossing, side in zip(grid.crossings, table.markers, strict=True):
        if side and room in (grid.room[crossing.upper], grid.room[crossing.lower]):
            return True
    return any(
        state == 2 and tunnel.room == room for tunnel, state in zip(grid.tunnels, table.tunnels, strict=True)
    )


def has_marker(position: ReadablePosition, node: int) -> bool:
    """Whether an Escape Attempt marker lies on a circle."""
    return any(
        side and node in (crossing.upper, crossing.lower)
        for crossing, side in zip(position.rules.board.crossings, position.table.markers, strict=True)
    )


def takeable_markers(facts: ColditzFacts) -> list[int]:
    """The crossings whose markers the guard that moved last may take as it passes over them (R117).

    It has just come down there; or it stands in a Room above and goes on from there at once (R118).
    """
    last, table = facts.last_moved_pawn, facts.table
    if (
        facts.turn.side
        or last < 0
        or not any(table.markers)
        or facts.node_by_pawn[last] >= facts.rules.board.node_count
    ):
        return []
    grid, node = facts.rules.board, facts.node_by_pawn[last]
    number, points = facts.turn.last_crossing
    found = []
    if number >= 0 and points == facts.points and grid.crossings[number].lower == node:
        found = [number] if table.markers[number] and not _is_marker_needed(facts, number) else []
    if grid.room[node] >= 0:
        found += [n for n, side in enumerate(table.markers) if side and grid.crossings[n].upper == node]
    return found


def _is_marker_needed(facts: ColditzFacts, number: int) -> bool:
    """Whether the guard that moved last could not get on without the marker of that crossing (R045)."""
    last, markers = facts.last_moved_pawn, facts.table.markers
    if pawn_in_transit(facts) < 0:
        return False
    without = replace(facts.table, markers=(*markers[:number], 0, *markers[number + 1 :]))
    return not can_move_on(
        replace(facts, table=without), 0, last, facts.node_by_pawn[last], None, facts.points
    )


def guard_entry_refusal_code(position: ReadablePosition, node: int) -> str | None:
    """Why guards may not enter a circle, if so: Rooms, Safe circles, Targets (R116, A4)."""
    grid, here = position.rules.board, 1 << node
    if here & grid.targets:
        return "colditz/target"
    if here & grid.safe and not (position.rules.pass_safe or has_marker(position, node)):
        return "colditz/safe"
    if here & grid.room_circles and not is_room_open(position, grid.room[node]):
        return "colditz/room"
    return None


def man_possible_steps(
    position: ReadablePosition, side: int, pawn: int, node: int, gear: Gear
) -> Iterator[PossibleStep]:
    """Every step of a man from a node, R045 left aside."""
    rules = position.rules
    daring = position.turn.daring_man == pawn
    taken = 0 if daring else position.men_nodes & ~(1 << position.node_by_pawn[pawn])
    guards = 0 if daring else position.guard_nodes
    for target in rules.men_plain[node]:
        if not taken >> target & 1:
            yield PossibleStep(target, gear, bool(guards >> target & 1))
    for way in rules.men_exits[node]:
        target = way[0]
        if taken >> target & 1:
            continue
        toll = man_step_cost(position, side, pawn, node, way)
        if isinstance(toll, StepCost) and missing_gear_refusal_code(gear, toll) is None:
            yield PossibleStep(
                target, gear_after(gear, toll), way[1] == "target" or bool(guards >> target & 1)
            )


def free_exits(position: ReadablePosition, side: int, pawn: int, node: int, homeward: bool) -> Iterator[int]:
    """The nodes to which a step by an exit of a node costs its point alone, whoever stands there, R045 left
    aside.

    `homeward`: whether a man still has the free way home there (R054).
    """
    rules = position.rules
    for way in (rules.men_exits if side else rules.guard_exits)[node]:
        if not side:
            if guard_exit_refusal_code(position, way) is None:
                yield way[0]
        elif way[1] != "target" and (homeward or way[1] not in GATE_KINDS):
            toll = man_step_cost(position, side, pawn, node, way)
            if isinstance(toll, StepCost) and not toll.cards:
                yield way[0]


def guard_possible_steps(position: ReadablePosition, pawn: int, node: int) -> Iterator[PossibleStep]:
    """Every step of a guard from a node, R045 left aside."""
    rules = position.rules
    if rules.board.posts >> node & 1:
        yield PossibleStep(rules.board.office, None, True)  # R041
    for target in rules.guard_plain[node]:
        if guard_meeting_refusal_code(position, pawn, target) is None:
            yield PossibleStep(target, None, bool(position.men_nodes >> target & 1))
    for way in rules.guard_exits[node]:
        if (
            guard_exit_refusal_code(position, way) is None
            and guard_meeting_refusal_code(position, pawn, way[0]) is None
        ):
            yield PossibleStep(way[0], None, bool(position.men_nodes >> way[0] & 1))


def guard_exit_refusal_code(position: ReadablePosition, way: tuple[int, str, int]) -> str | None:
    """Why a guard may not take an exit (R044, R116, R134)."""
    target, kind, number = way
    if kind == "tunnel":
        return None if position.table.tunnels[number] == 2 else "colditz/tunnel-undetected"
    bar = guard_entry_refusal_code(position, target)
    if bar is None and kind == "down" and not position.table.markers[number]:
        return "colditz/no-marker"
    return bar


def guard_meeting_refusal_code(position: ReadablePosition, pawn: int, node: int) -> str | None:
    """Why a guard may not enter a circle because of who stands there (R033)."""
    if position.guard_nodes & ~(1 << position.node_by_pawn[pawn]) & 1 << node:
        return "colditz/occupied"
    if position.men_nodes >> node & 1 and not is_liable(position, man_on(position, node)):
        return "colditz/not-liable"
    return None


def man_on(position: ReadablePosition, node: int) -> int:
    """The prisoner on a node where one stands."""
    return position.node_by_pawn.index(node, position.rules.guard_count)


def is_stay_forbidden(position: ReadablePosition, side: int, pawn: int, node: int) -> bool:
    """Whether a pawn may go over a node but not stay there (R037 to R039)."""
    grid = position.rules.board
    if not side:
        return bool(grid.guards_no_stay >> node & 1)
    if position.turn.daring_man == pawn and any(
        place == node for other, place in enumerate(position.node_by_pawn) if other != pawn
    ):
        return True
    return bool(grid.men_no_stay >> node & 1)


def possible_steps(
    position: ReadablePosition, side: int, pawn: int, node: int, gear: Gear
) -> Iterator[PossibleStep]:
    """Every step of a pawn from a node, R045 left aside, without circles that A23 forbids."""
    ways = (
        man_possible_steps(position, side, pawn, node, gear)
        if side
        else guard_possible_steps(position, pawn, node)
    )
    if not position.rules.forbids_doubling_back:
        return ways
    here, trail = position.node_by_pawn[pawn], position.turn.visited_nodes
    return (way for way in ways if way.target != here and (pawn, way.target) not in trail)


def can_move_on(position: ReadablePosition, side: int, pawn: int, node: int, gear: Gear, points: int) -> bool:
    """Whether a pawn on a node where it may not stay gets on with so many points (R045)."""
    rules = position.rules
    hard, foes = (
        (rules.board.men_no_stay, position.guard_nodes)
        if side
        else (rules.board.guards_no_stay, position.men_nodes)
    )
    if (
        points < rules.steps_to_stay[side > 0][node] and not foes & hard
    ):  # an arrest is a way off, wherever (R088)
        return False
    if (
        not rules.forbids_doubling_back
        and position.turn.daring_man != pawn
        and _can_move_on_freely(position, side, pawn, node, points)
    ):
        return True
    seen = {(node, gear)}
    edge = [(node, gear)]
    while points > 0 and edge:
        points -= 1
        reached = []
        for here, left in edge:
            for way in possible_steps(position, side, pawn, here, left):
                if way.leaves_board or not is_stay_forbidden(position, side, pawn, way.target):
                    return True
                if (way.target, way.gear) not in seen:
                    seen.add((way.target, way.gear))
                    reached.append((way.target, way.gear))
        edge = reached
    return False


def _can_move_on_freely(position: ReadablePosition, side: int, pawn: int, node: int, points: int) -> bool:
    """Whether a pawn gets to a free circle where it may stay by steps that only cost points: mostly so."""
    rules = position.rules
    steps_from, hard = rules.steps_from[side], rules.board.men_no_stay if side else rules.board.guards_no_stay
    seen = (position.men_nodes | position.guard_nodes) & ~(1 << position.node_by_pawn[pawn]) | 1 << node
    edge = [node]
    while edge and points > 0:
        points -= 1
        near = 0
        for here in edge:
            near |= steps_from[here].neighbours
        near &= ~seen
        if near & ~hard:
            return True
        seen |= near
        edge = rules.board.nodes_of_mask(near)
    return False


def pawn_in_transit(position: ReadablePosition) -> int:
    """The pawn that stands where it may not stay, or -1 (R045)."""
    last = position.last_moved_pawn
    if last < 0:
        return -1
    rules, node = position.rules, position.node_by_pawn[last]
    if position.turn.daring_man == last and node < rules.board.node_count:
        return last if is_stay_forbidden(position, rules.owner[last], last, node) else -1
    return last if node in rules.no_stay[last] else -1


def are_neighbours(position: ReadablePosition, side: int, node: int, target: int) -> bool:
    """Whether one step could lead from a node to another, whatever it takes."""
    rules = position.rules
    plain, exits = (rules.men_plain, rules.men_exits) if side else (rules.guard_plain, rules.guard_exits)
    return target in plain[node] or any(way[0] == target for way in exits[node])


def step_refusal_code(position: ReadablePosition, gear: Gear, pawn: int, target: int) -> str | None:
    """Why a pawn may not take one step to a neighbour now, or `None`. Points and turn are not looked at."""
    rules = position.rules
    side, node = rules.owner[pawn], position.node_by_pawn[pawn]
    left: Gear = gear
    if side:
        code, left = _man_refusal_code(position, gear, side, pawn, node, target)
    else:
        way = next((way for way in rules.guard_exits[node] if way[0] == target), None)
        code = (
            None
            if target in rules.guard_plain[node]
            else guard_exit_refusal_code(position, way or (target, "", 0))
        )
        code = code or guard_meeting_refusal_code(position, pawn, target)
    if code is None and rules.forbids_doubling_back and (pawn, target) in position.turn.visited_nodes:
        code = "colditz/doubling-back"  # A23
    if code is not None:
        return code
    arrest = (
        position.turn.daring_man != pawn
        and (position.guard_nodes if side else position.men_nodes) >> target & 1
    )
    if arrest or rules.board.targets >> target & 1 or not is_stay_forbidden(position, side, pawn, target):
        return None
    return (
        None if can_move_on(position, side, pawn, target, left, position.points - 1) else "colditz/stranded"
    )


def _man_refusal_code(
    position: ReadablePosition, gear: Gear, side: int, pawn: int, node: int, target: int
) -> tuple[str | None, Gear]:
    rules = position.rules
    if position.turn.daring_man != pawn and position.men_nodes >> target & 1:
        return "colditz/occupied", gear
    if target in rules.men_plain[node]:
        return None, gear
    way = next(way for way in rules.men_exits[node] if way[0] == target)
    toll = man_step_cost(position, side, pawn, node, way)
    if isinstance(toll, str):
        return toll, gear
    code = missing_gear_refusal_code(gear, toll)
    return code, gear if code else gear_after(gear, toll)
