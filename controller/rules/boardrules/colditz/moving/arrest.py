"""Arrests, the way to Solitary and out of it, and markers that are taken away (1.5, 1.8, 1.11)."""

from __future__ import annotations

from boardrules.colditz.castle.board import INNER, UNREACHABLE
from boardrules.colditz.state.facts import ReadablePosition
from boardrules.colditz.state.moves import is_room_open
from boardrules.colditz.state.position_draft import PositionDraft


def arrest_man(draft: PositionDraft, man: int, guard: int | None) -> None:
    """A man is arrested, by a guard or in a General Search (R053, R086, R087, A11)."""
    rules, grid = draft.rules, draft.rules.board
    side, node = rules.owner[man], draft.node_by_pawn[man]
    inside = grid.area[node] == INNER
    cells = _choose_cells(draft, inside)
    draft.add_event("arrest", seat=rules.seats[side], at=draft.space_name(node), to=grid.space_names[cells])
    record_trail(draft, man)
    draft.move_pawn(man, cells)
    draft.end_way_home(man)
    if guard is not None:
        draft.move_pawn(guard, grid.office)
    if not inside:
        demand_equipment(draft, side)


def _choose_cells(draft: PositionDraft, inside: bool) -> int:
    grid = draft.rules.board
    kinds = [(grid.cells_inner, "innercells"), (grid.cells_outer, "outercells")]
    if not inside:
        kinds.reverse()
    for place, name in kinds:
        if draft.node_by_pawn.count(place) < grid.plan.places[name].capacity:
            return place
    return grid.cells_outer  # A11


def record_trail(draft: PositionDraft, pawn: int) -> None:
    """A23: a pawn is about to leave where it stands, if `doubling_back` is forbidden."""
    if draft.rules.forbids_doubling_back:
        draft.change_turn(visited_nodes=(*draft.turn.visited_nodes, (pawn, draft.node_by_pawn[pawn])))


def demand_equipment(draft: PositionDraft, side: int) -> None:
    """The officer has to discard an Equipment card of his choice, if one is left for it (R087, A9)."""
    owed = sum(task.kind == "confiscate" and task.side == side for task in draft.tasks)
    if draft.table.equipment_counts[side] > owed:
        draft.push_task("confiscate", side)


def release_circles(position: ReadablePosition, outer: bool) -> list[int]:
    """The free circles nearest the arrow of the cells (R052, G14)."""
    taken = position.men_nodes | position.guard_nodes
    best = UNREACHABLE
    circles: list[int] = []
    for away, node in position.rules.board.near_cells[outer]:
        if away > best:
            break
        if not taken >> node & 1:
            best = away
            circles.append(node)
    return circles


def release_man(draft: PositionDraft, man: int, node: int) -> None:
    """A man leaves Solitary for a circle (R050, R052, R054, A21)."""
    rules, outer = draft.rules, draft.node_by_pawn[man] == draft.rules.board.cells_outer
    side = rules.owner[man]
    draft.add_event("release", seat=rules.seats[side], at=draft.space_name(node))
    draft.move_pawn(man, node)
    if outer:
        bit = 1 << man
        immune = bit if not draft.table.equipment_counts[side] else 0
        draft.change_table(
            men_on_free_way=draft.table.men_on_free_way | bit, immune_men=draft.table.immune_men | immune
        )


def clear_rooms(draft: PositionDraft, exempt_guard: int = -1) -> None:
    """Guards in rooms that no marker holds open go to the Commander's Office (R118)."""
    rules, grid = draft.rules, draft.rules.board
    for guard in rules.pawns[0]:
        node = draft.node_by_pawn[guard]
        inside = guard != exempt_guard and node < grid.circle_count and grid.room[node] >= 0
        if inside and not is_room_open(draft, grid.room[node]):
            draft.add_event("recall", at=draft.space_name(node))
            draft.move_pawn(guard, grid.office)


def take_marker(draft: PositionDraft, number: int) -> None:
    """A marker leaves the board."""
    crossing = draft.rules.board.crossings[number]
    markers = list(draft.table.markers)
    markers[number] = 0
    draft.change_table(markers=tuple(markers))
    draft.add_event(
        "unmark", **{"from": draft.space_name(crossing.upper), "to": draft.space_name(crossing.lower)}
    )


def can_go_nearer(position: ReadablePosition, man: int) -> bool:
    """Whether a point could bring a man from the outer cells one circle nearer home (A21)."""
    node = position.node_by_pawn[man]
    return node < position.rules.board.circle_count and _can_step_nearer(position, node)


def _can_step_nearer(position: ReadablePosition, node: int) -> bool:
    grid = position.rules.board
    taken = position.men_nodes | position.guard_nodes
    return any(
        grid.steps_home[near] < grid.steps_home[node]
        and not taken >> near & 1
        and (not (grid.doors | grid.inspections) >> near & 1 or grid.free_way_gates >> near & 1)
        for near in grid.neighbours[node]
    )


def spend_point(draft: PositionDraft, man: int, target: int) -> None:
    """A point goes; men whom it could have brought nearer home lose their immunity for it, also those who
    only leave the outer cells later in this turn (A21)."""
    side = draft.turn.side
    if side and (draft.table.immune_men or draft.rules.board.cells_outer in draft.node_by_pawn):
        _note_overlooked_men(draft, side, man, target)
    draft.points -= 1


def _can_leave_cells(position: ReadablePosition) -> bool:
    return any(_can_step_nearer(position, circle) for circle in release_circles(position, True))


def _note_overlooked_men(draft: PositionDraft, side: int, man: int, target: int) -> None:
    rules, grid, returning = draft.rules, draft.rules.board, draft.table.immune_men
    node, cells = draft.node_by_pawn[man], grid.cells_outer
    if node == cells and not draft.table.equipment_counts[side]:
        return  # the first circle of his way home
    if returning >> man & 1 and target < grid.node_count and grid.steps_home[target] < grid.steps_home[node]:
        return
    slack = draft.turn.overlooked_men
    lost, waiting = slack, 0
    for pawn in rules.pawns[side]:
        if draft.node_by_pawn[pawn] == cells:
            waiting |= 1 << pawn
        elif returning >> pawn & 1 and can_go_nearer(draft, pawn):
            lost |= 1 << pawn
    if waiting & ~slack and _can_leave_cells(draft):
        lost |= waiting
    if lost != slack:
        draft.change_turn(overlooked_men=lost)


def end_immunity(draft: PositionDraft) -> None:
    """A21: at the end of his officer's turn, who could have been brought nearer is immune no longer."""
    side, returning = draft.turn.side, draft.table.immune_men
    if not side or not returning:
        return
    lost = draft.turn.overlooked_men
    if draft.points > 0:
        mine = (pawn for pawn in draft.rules.pawns[side] if returning >> pawn & 1)
        lost |= sum(1 << pawn for pawn in mine if can_go_nearer(draft, pawn))
    draft.change_table(immune_men=returning & ~lost)
