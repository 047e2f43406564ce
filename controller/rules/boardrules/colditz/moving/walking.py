"""Steps as hands mean them: between neighbours, further away, out of Barracks and cells (1.4, 1.5)."""

from __future__ import annotations

from typing import Final

from boardrules.colditz.castle.actions import PawnStep
from boardrules.colditz.castle.board import INNER, OUTER
from boardrules.colditz.moving.arrest import record_trail, release_circles, release_man, spend_point
from boardrules.colditz.moving.step_effects import take_step
from boardrules.colditz.moving.walk_search import shortest_walk
from boardrules.colditz.state.facts import AFTER_ROLL, DEPLOY, ColditzFacts, ReadablePosition
from boardrules.colditz.state.liability import is_liable
from boardrules.colditz.state.moves import (
    Gear,
    are_neighbours,
    can_move_on,
    guard_meeting_refusal_code,
    is_stay_forbidden,
    man_on,
    pawn_in_transit,
    step_refusal_code,
)
from boardrules.colditz.state.position_draft import PositionDraft

MIN_OUTER_GUARDS: Final = 2
MAX_OUTER_GUARDS: Final = 7


def required_posts(position: ReadablePosition) -> tuple[int, int, int]:
    """R019, G15, G16: guards on inner posts, and the least and the most on outer ones."""
    rules, grid = position.rules, position.rules.board
    inner = min(len(rules.officers), len(grid.inner_posts))
    most = min(MAX_OUTER_GUARDS, len(grid.outer_posts), rules.guard_count - inner)
    return inner, min(MIN_OUTER_GUARDS, most), most


def posted_guard_counts(position: ReadablePosition) -> tuple[int, int]:
    """How many guards stand on inner and on outer posts."""
    grid = position.rules.board
    areas = [
        grid.area[node]
        for node in position.node_by_pawn[: position.rules.guard_count]
        if node < grid.node_count
    ]
    return areas.count(INNER), areas.count(OUTER)


def pawn_at(position: ReadablePosition, side: int, node: int) -> int:
    """A pawn of a side on a node or in a place, or -1; the one that is on its way over others first."""
    pawns, daring = position.rules.pawns[side], position.turn.daring_man
    if daring >= 0 and position.node_by_pawn[daring] == node and position.rules.owner[daring] == side:
        return daring
    for pawn in pawns:
        if position.node_by_pawn[pawn] == node:
            return pawn
    return -1


def why_not_step(facts: ColditzFacts, gear: Gear, side: int, step: PawnStep) -> str | None:
    """Why a side may not make this step, or `None`. Whose turn it is has been looked at."""
    grid, turn = facts.rules.board, facts.turn
    if facts.tasks:
        return TASK_STEP_HANDLERS[facts.tasks[-1].kind][0](facts, side, step)
    if turn.phase == DEPLOY:
        return _why_not_deploy(facts, step)
    if turn.phase != AFTER_ROLL:
        return "colditz/roll-first"
    pawn = pawn_at(facts, side, step.origin)
    if pawn < 0 or step.origin in (grid.office, grid.away, grid.grave):
        return "colditz/no-piece"
    if facts.points < 1:
        return "colditz/no-points"
    if pawn_in_transit(facts) not in (-1, pawn):
        return "colditz/in-transit"
    if turn.daring_man not in (-1, pawn):
        return "colditz/daring"
    if step.target >= grid.node_count:
        if side or step.target != grid.office:
            return "colditz/place"  # R163
        return None if 1 << step.origin & grid.posts else "colditz/post-only"  # R041
    if step.origin >= grid.node_count:
        return _why_leave_place(facts, side, step)
    if shortest_walk(facts, gear, pawn, step.target):
        return None
    near = are_neighbours(facts, side, step.origin, step.target)
    return step_refusal_code(facts, gear, pawn, step.target) if near else "colditz/no-way"


def _why_leave_place(facts: ColditzFacts, side: int, step: PawnStep) -> str | None:
    grid = facts.rules.board
    if not side:
        if not 1 << step.target & grid.posts:
            return "colditz/post-only"  # R041
        if facts.guard_nodes & step.target_mask:
            return "colditz/occupied"
        held = facts.men_nodes & step.target_mask and not is_liable(facts, man_on(facts, step.target))
        return "colditz/not-liable" if held else None
    if not facts.turn.releases_left:
        return "colditz/no-release"  # R050
    circles = release_circles(facts, step.origin == grid.cells_outer)
    return None if step.target in circles else "colditz/release-circle"  # R052


def _why_not_deploy(facts: ColditzFacts, step: PawnStep) -> str | None:
    grid = facts.rules.board
    if step.origin != grid.barracks or not 1 << step.target & grid.posts:
        return "colditz/post-only"
    if facts.guard_nodes & step.target_mask:
        return "colditz/occupied"
    inner, _, most = required_posts(facts)
    inside, out = posted_guard_counts(facts)
    area = grid.area[step.target]
    full = inside >= inner if area == INNER else out >= most or area != OUTER
    return "colditz/post-zone" if full else None


def do_step(draft: PositionDraft, gear: Gear, side: int, step: PawnStep) -> None:
    """Carry out a step that is allowed."""
    grid = draft.rules.board
    if draft.tasks:
        TASK_STEP_HANDLERS[draft.tasks[-1].kind][1](draft, side, step)
        return
    pawn = pawn_at(draft, side, step.origin)
    if draft.turn.phase == DEPLOY:
        draft.events += step.move_events
        draft.move_pawn(pawn, step.target)
        return
    if draft.turn.refusers and not draft.turn.has_moved_guards:  # R073
        draft.change_turn(has_moved_guards=True)
    if step.origin < grid.node_count and step.target < grid.node_count:
        for node in shortest_walk(draft, gear, pawn, step.target):
            take_step(draft, pawn, node)
        return
    if side:
        spend_point(draft, pawn, step.target)
        draft.change_turn(releases_left=draft.turn.releases_left - 1)
        draft.last_moved_pawn = pawn
        release_man(draft, pawn, step.target)
        return
    take_step(draft, pawn, step.target)


def _why_not_muster(facts: ColditzFacts, side: int, step: PawnStep) -> str | None:
    """R092: which man goes to which circle."""
    grid, task = facts.rules.board, facts.tasks[-1]
    inside = step.origin < grid.circle_count and pawn_at(facts, side, step.origin) >= 0
    if not inside or grid.symbol[step.origin] not in task.data:
        return "colditz/not-in-room"
    free = step.target_mask & grid.appel & ~(facts.men_nodes | facts.guard_nodes)
    return None if free else "colditz/appel-circle"


def _do_muster(draft: PositionDraft, side: int, step: PawnStep) -> None:
    task = draft.pop_task()
    left = list(task.data)
    left.remove(draft.rules.board.symbol[step.origin])
    draft.add_event(
        "line-up",
        **{"seat": step.seat, "from": draft.space_name(step.origin), "to": draft.space_name(step.target)},
    )
    pawn = pawn_at(draft, side, step.origin)
    record_trail(draft, pawn)
    draft.move_pawn(pawn, step.target)
    if left:
        draft.push_task("muster", side, *left)


def _why_not_chase(facts: ColditzFacts, side: int, step: PawnStep) -> str | None:
    """R118: down that drop, or to the Commander's Office."""
    grid = facts.rules.board
    guard, number = facts.tasks[-1].data
    if step.origin != facts.node_by_pawn[guard] or step.target not in (
        grid.office,
        grid.crossings[number].lower,
    ):
        return "colditz/go-down"
    if step.target == grid.office:
        return None
    if facts.points < 1:
        return "colditz/no-points"
    code = guard_meeting_refusal_code(facts, guard, step.target)
    if code or facts.men_nodes & step.target_mask or not is_stay_forbidden(facts, 0, guard, step.target):
        return code
    return None if can_move_on(facts, 0, guard, step.target, None, facts.points - 1) else "colditz/stranded"


def _do_chase(draft: PositionDraft, side: int, step: PawnStep) -> None:
    guard, number = draft.pop_task().data
    if step.target == draft.rules.board.office:
        draft.add_event("recall", at=draft.space_name(step.origin))
        draft.move_pawn(guard, step.target)
    else:
        draft.change_turn(last_crossing=(number, draft.points - 1))
        take_step(draft, guard, step.target)


TASK_STEP_HANDLERS: Final = {"muster": (_why_not_muster, _do_muster), "chase": (_why_not_chase, _do_chase)}
"""The tasks that are done by steps: why not, and doing it."""
