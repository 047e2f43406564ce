"""What a step does: points, Equipment and markers, arrests, tunnels, escapes."""

from __future__ import annotations

from boardrules.colditz.castle.board import OUTSIDE
from boardrules.colditz.moving.arrest import arrest, clear_rooms, record_trail, spend_point, take_marker
from boardrules.colditz.state.answer_windows import Arrest, open_window
from boardrules.colditz.state.facts import CHANCE_SIDE
from boardrules.colditz.state.liability import men_outside
from boardrules.colditz.state.moves import FREE, StepCost, is_no_stay, man_on, man_step_cost
from boardrules.colditz.state.position_draft import PositionDraft
from boardrules.colditz.state.rules import PARTS_PILE


def take_step(draft: PositionDraft, pawn: int, target: int) -> None:
    """A pawn takes one step that is allowed; a guard that comes to a man first waits for an answer."""
    side, node = draft.rules.owner[pawn], draft.where[pawn]
    if not side and draft.men >> target & 1:
        _confront(draft, pawn, man_on(draft, target))
        return
    _step(draft, side, pawn, target)
    if side:
        _man_goes(draft, side, pawn, node, target)
    else:
        _guard_goes(draft, pawn, node, target)


def _step(draft: PositionDraft, side: int, pawn: int, target: int) -> None:
    """What every step takes, and how it is told."""
    ways = {"from": draft.space_name(draft.where[pawn]), "to": draft.space_name(target)}
    spend_point(draft, pawn, target)
    draft.add_event("move", seat=draft.rules.seats[side], **ways)
    record_trail(draft, pawn)


def _man_goes(draft: PositionDraft, side: int, pawn: int, node: int, target: int) -> None:
    rules = draft.rules
    daring = draft.turn.daring_man == pawn
    way = next((way for way in rules.men_exits[node] if way[0] == target), None)
    toll = FREE
    if way is not None and target not in rules.men_plain[node]:
        found = man_step_cost(draft, side, pawn, node, way)
        assert isinstance(found, StepCost)  # the step was allowed
        toll = found
        draft.pay_cost(side, toll)
        if way[1] == "down" and draft.table.markers[way[2]] != side:
            _mark(draft, side, way[2])
    draft.last = pawn
    guard = -1 if daring or not draft.guards >> target & 1 else draft.where.index(target)
    draft.move_pawn(pawn, target)
    if guard >= 0:  # R088
        arrest(draft, pawn, guard)
    elif rules.board.targets >> target & 1:
        _escape(draft, side, pawn)


def _mark(draft: PositionDraft, side: int, number: int) -> None:
    """R114, R120."""
    markers = list(draft.table.markers)
    markers[number] = side
    draft.set_table(markers=tuple(markers))
    crossing = draft.rules.board.crossings[number]
    ways = {"from": draft.space_name(crossing.upper), "to": draft.space_name(crossing.lower)}
    draft.add_event("mark", seat=draft.rules.seats[side], **ways)


def _escape(draft: PositionDraft, side: int, pawn: int) -> None:
    """R140 to R144, R122, and R104 with six players."""
    rules, grid, table = draft.rules, draft.rules.board, draft.table
    at = draft.space_name(draft.where[pawn])
    if draft.turn.extra_escapes:
        draft.set_turn(extra_escapes=draft.turn.extra_escapes - 1)  # R143
    else:
        kits = list(table.kits)
        kits[side] = False
        draft.set_table(kits=tuple(kits), kits_left=table.kits_left + 1)  # R142
        draft.set_turn(extra_escapes=1)
    draft.move_pawn(pawn, grid.away)
    draft.end_way_home(pawn)
    escapes = list(table.escapes)
    escapes[side] += 1
    draft.set_table(escapes=tuple(escapes))
    draft.add_event("escape", seat=rules.seats[side], at=at, count=escapes[side])
    if not men_outside(draft):  # R144
        for guard in rules.pawns[0]:
            node = draft.where[guard]
            if node < grid.nodes and grid.area[node] == OUTSIDE:
                draft.add_event("recall", at=draft.space_name(node))
                draft.move_pawn(guard, grid.office)
    if rules.parts_apart and draft.table.decks[PARTS_PILE]:  # R104
        draft.push("deal", CHANCE_SIDE, side, PARTS_PILE)
    if side in draft.table.markers and not draft.table.out & 1:  # R122
        draft.push("markers", 0, side)


def _guard_goes(draft: PositionDraft, pawn: int, node: int, target: int) -> None:
    grid = draft.rules.board
    draft.last = pawn
    draft.move_pawn(pawn, target)
    if target == grid.office:  # R041
        return
    number = grid.crossing_at.get((node, target), -1)
    if number >= 0:
        draft.set_turn(last_crossing=(number, draft.points))
    clear_rooms(draft)


def _confront(draft: PositionDraft, guard: int, man: int) -> None:
    """A guard comes to arrest a man (R080, R089); his officer may answer with a card before it does."""
    side, node = draft.rules.owner[man], draft.where[man]
    if draft.rules.board.area[node] == OUTSIDE or not open_window(draft, (side,), Arrest(guard, man)):
        complete_arrest(draft, guard, man)
        return
    ways = {"from": draft.space_name(draft.where[guard]), "to": draft.space_name(node)}
    draft.add_event("confront", seat=draft.rules.seats[0], **ways)


def complete_arrest(draft: PositionDraft, guard: int, man: int) -> None:
    """Nothing came of an answer: the guard takes its step, and arrests him."""
    _step(draft, 0, guard, draft.where[man])
    draft.last = guard
    arrest(draft, man, guard)


def move_to_hideaway(draft: PositionDraft, guard: int, man: int, node: int) -> None:
    """The man whom a guard came to arrest is on a Safe circle instead. The guard stays where it is, and its
    point is spent."""
    rules, grid, here = draft.rules, draft.rules.board, draft.where[guard]
    ways = {"from": draft.space_name(draft.where[man]), "at": draft.space_name(node)}
    draft.add_event("slip", seat=rules.seats[rules.owner[man]], **ways)
    draft.move_pawn(man, node)
    draft.last = guard
    number, points = draft.turn.last_crossing
    went = number >= 0 and points == draft.points - 1 and grid.crossings[number].upper == here  # R118
    draft.points -= 1
    draft.add_event("points", seat=rules.seats[0], points=draft.points)
    if went or (here < grid.nodes and is_no_stay(draft, 0, guard, here)):  # it can't stay where it is
        draft.add_event("recall", at=draft.space_name(here))
        draft.move_pawn(guard, grid.office)


def guard_takes_marker(draft: PositionDraft, number: int) -> None:
    """R117 and R118: the guard that passes over a marker takes it; in the Room above it then has to go on."""
    guard = draft.last
    above = draft.where[guard] == draft.rules.board.crossings[number].upper
    take_marker(draft, number)
    clear_rooms(draft, guard if above else -1)
    if above:
        draft.push("chase", 0, guard, number)
