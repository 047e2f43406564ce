"""What a step does: points, Equipment and markers, arrests, tunnels, escapes."""

from __future__ import annotations

from boardrules.colditz.castle.board import OUTSIDE
from boardrules.colditz.moving.arrest import arrest_man, clear_rooms, record_trail, spend_point, take_marker
from boardrules.colditz.state.answer_windows import Arrest, open_answer_window
from boardrules.colditz.state.facts import CHANCE_SIDE
from boardrules.colditz.state.liability import are_men_outside
from boardrules.colditz.state.moves import FREE_STEP, StepCost, is_stay_forbidden, man_on, man_step_cost
from boardrules.colditz.state.position_draft import PositionDraft
from boardrules.colditz.state.rules import PARTS_PILE


def take_step(draft: PositionDraft, pawn: int, target: int) -> None:
    """A pawn takes one step that is allowed; a guard that comes to a man first waits for an answer."""
    side, node = draft.rules.owner[pawn], draft.node_by_pawn[pawn]
    if not side and draft.men_nodes >> target & 1:
        _begin_arrest(draft, pawn, man_on(draft, target))
        return
    _record_step(draft, side, pawn, target)
    if side:
        _move_man(draft, side, pawn, node, target)
    else:
        _move_guard(draft, pawn, node, target)


def _record_step(draft: PositionDraft, side: int, pawn: int, target: int) -> None:
    """What every step takes, and how it is told."""
    ways = {"from": draft.space_name(draft.node_by_pawn[pawn]), "to": draft.space_name(target)}
    spend_point(draft, pawn, target)
    draft.add_event("move", seat=draft.rules.seats[side], **ways)
    record_trail(draft, pawn)


def _move_man(draft: PositionDraft, side: int, pawn: int, node: int, target: int) -> None:
    rules = draft.rules
    daring = draft.turn.daring_man == pawn
    way = next((way for way in rules.men_exits[node] if way[0] == target), None)
    toll = FREE_STEP
    if way is not None and target not in rules.men_plain[node]:
        found = man_step_cost(draft, side, pawn, node, way)
        assert isinstance(found, StepCost)  # the step was allowed
        toll = found
        draft.pay_cost(side, toll)
        if way[1] == "down" and draft.table.markers[way[2]] != side:
            _place_marker(draft, side, way[2])
    draft.last_moved_pawn = pawn
    guard = -1 if daring or not draft.guard_nodes >> target & 1 else draft.node_by_pawn.index(target)
    draft.move_pawn(pawn, target)
    if guard >= 0:  # R088
        arrest_man(draft, pawn, guard)
    elif rules.board.targets >> target & 1:
        _complete_escape(draft, side, pawn)


def _place_marker(draft: PositionDraft, side: int, number: int) -> None:
    """R114, R120."""
    markers = list(draft.table.markers)
    markers[number] = side
    draft.change_table(markers=tuple(markers))
    crossing = draft.rules.board.crossings[number]
    ways = {"from": draft.space_name(crossing.upper), "to": draft.space_name(crossing.lower)}
    draft.add_event("mark", seat=draft.rules.seats[side], **ways)


def _complete_escape(draft: PositionDraft, side: int, pawn: int) -> None:
    """R140 to R144, R122, and R104 with six players."""
    rules, grid, table = draft.rules, draft.rules.board, draft.table
    at = draft.space_name(draft.node_by_pawn[pawn])
    if draft.turn.extra_escapes:
        draft.change_turn(extra_escapes=draft.turn.extra_escapes - 1)  # R143
    else:
        kits = list(table.has_kit)
        kits[side] = False
        draft.change_table(has_kit=tuple(kits), kits_left=table.kits_left + 1)  # R142
        draft.change_turn(extra_escapes=1)
    draft.move_pawn(pawn, grid.away)
    draft.end_way_home(pawn)
    escapes = list(table.escape_counts)
    escapes[side] += 1
    draft.change_table(escape_counts=tuple(escapes))
    draft.add_event("escape", seat=rules.seats[side], at=at, count=escapes[side])
    if not are_men_outside(draft):  # R144
        for guard in rules.pawns[0]:
            node = draft.node_by_pawn[guard]
            if node < grid.node_count and grid.area[node] == OUTSIDE:
                draft.add_event("recall", at=draft.space_name(node))
                draft.move_pawn(guard, grid.office)
    if rules.has_separate_parts and draft.table.deck_sizes[PARTS_PILE]:  # R104
        draft.push_task("deal", CHANCE_SIDE, side, PARTS_PILE)
    if side in draft.table.markers and not draft.table.left_sides & 1:  # R122
        draft.push_task("markers", 0, side)


def _move_guard(draft: PositionDraft, pawn: int, node: int, target: int) -> None:
    grid = draft.rules.board
    draft.last_moved_pawn = pawn
    draft.move_pawn(pawn, target)
    if target == grid.office:  # R041
        return
    number = grid.crossing_at.get((node, target), -1)
    if number >= 0:
        draft.change_turn(last_crossing=(number, draft.points))
    clear_rooms(draft)


def _begin_arrest(draft: PositionDraft, guard: int, man: int) -> None:
    """A guard comes to arrest a man (R080, R089); his officer may answer with a card before it does."""
    side, node = draft.rules.owner[man], draft.node_by_pawn[man]
    if draft.rules.board.area[node] == OUTSIDE or not open_answer_window(draft, (side,), Arrest(guard, man)):
        complete_arrest(draft, guard, man)
        return
    ways = {"from": draft.space_name(draft.node_by_pawn[guard]), "to": draft.space_name(node)}
    draft.add_event("confront", seat=draft.rules.seats[0], **ways)


def complete_arrest(draft: PositionDraft, guard: int, man: int) -> None:
    """Nothing came of an answer: the guard takes its step, and arrests him."""
    _record_step(draft, 0, guard, draft.node_by_pawn[man])
    draft.last_moved_pawn = guard
    arrest_man(draft, man, guard)


def move_to_hideaway(draft: PositionDraft, guard: int, man: int, node: int) -> None:
    """The man whom a guard came to arrest is on a Safe circle instead. The guard stays where it is, and its
    point is spent."""
    rules, grid, here = draft.rules, draft.rules.board, draft.node_by_pawn[guard]
    ways = {"from": draft.space_name(draft.node_by_pawn[man]), "at": draft.space_name(node)}
    draft.add_event("slip", seat=rules.seats[rules.owner[man]], **ways)
    draft.move_pawn(man, node)
    draft.last_moved_pawn = guard
    number, points = draft.turn.last_crossing
    went = number >= 0 and points == draft.points - 1 and grid.crossings[number].upper == here  # R118
    draft.points -= 1
    draft.add_event("points", seat=rules.seats[0], points=draft.points)
    if went or (
        here < grid.node_count and is_stay_forbidden(draft, 0, guard, here)
    ):  # it can't stay where it is
        draft.add_event("recall", at=draft.space_name(here))
        draft.move_pawn(guard, grid.office)


def guard_takes_marker(draft: PositionDraft, number: int) -> None:
    """R117 and R118: the guard that passes over a marker takes it; in the Room above it then has to go on."""
    guard = draft.last_moved_pawn
    above = draft.node_by_pawn[guard] == draft.rules.board.crossings[number].upper
    take_marker(draft, number)
    clear_rooms(draft, guard if above else -1)
    if above:
        draft.push_task("chase", 0, guard, number)
