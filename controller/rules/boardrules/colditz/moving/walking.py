"""Steps as hands mean them: between neighbours, further away, out of Barracks and cells (1.4, 1.5)."""

from __future__ import annotations

from typing import Final

from boardrules.colditz.castle.actions import PawnStep
from boardrules.colditz.castle.board import INNER, OUTER
from boardrules.colditz.moving.arrest import record_trail, release_circles, release_man, spend_point
from boardrules.colditz.moving.step_effects import take_step
from boardrules.colditz.moving.walk_search import shortest_walk
from boardrules.colditz.state.facts import DEPLOY, MAIN, ColditzFacts, ReadablePosition
from boardrules.colditz.state.liability import is_liable
from boardrules.colditz.state.moves import (
    Gear,
    are_neighbours,
    can_move_on,
    guard_meeting_code,
    is_no_stay,
    man_on,
    pawn_in_transit,
    step_code,
)
from boardrules.colditz.state.position_draft import PositionDraft

LEAST_OUT: Final = 2
MOST_OUT: Final = 7


def posts_wanted(position: ReadablePosition) -> tuple[int, int, int]:
    """R019, G15, G16: guards on inner posts, and the least and the most on outer ones."""
    rules, grid = position.rules, position.rules.board
    inner = min(len(rules.officers), len(grid.inner_posts))
    most = min(MOST_OUT, len(grid.outer_posts), rules.guards - inner)
    return inner, min(LEAST_OUT, most), most


def guards_posted(position: ReadablePosition) -> tuple[int, int]:
    """How many guards stand on inner and on outer posts."""
    grid = position.rules.board
    areas = [grid.area[node] for node in position.where[: position.rules.guards] if node < grid.nodes]
    return areas.count(INNER), areas.count(OUTER)


def pawn_at(position: ReadablePosition, side: int, node: int) -> int:
    """A pawn of a side on a node or in a place, or -1; the one that is on its way over others first."""
    pawns, daring = position.rules.pawns[side], position.turn.daring_man
    if daring >= 0 and position.where[daring] == node and position.rules.owner[daring] == side:
        return daring
    for pawn in pawns:
        if position.where[pawn] == node:
            return pawn
    return -1


def why_step(facts: ColditzFacts, gear: Gear, side: int, step: PawnStep) -> str | None:
    """Why a side may not make this step, or `None`. Whose turn it is has been looked at."""
    grid, turn = facts.rules.board, facts.turn
    if facts.tasks:
        return TASK_STEPS[facts.tasks[-1].kind][0](facts, side, step)
    if turn.phase == DEPLOY:
        return _why_deploy(facts, step)
    if turn.phase != MAIN:
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
    if step.target >= grid.nodes:
        if side or step.target != grid.office:
            return "colditz/place"  # R163
        return None if 1 << step.origin & grid.posts else "colditz/post-only"  # R041
    if step.origin >= grid.nodes:
        return _why_out(facts, side, step)
    if shortest_walk(facts, gear, pawn, step.target):
        return None
    near = are_neighbours(facts, side, step.origin, step.target)
    return step_code(facts, gear, pawn, step.target) if near else "colditz/no-way"


def _why_out(facts: ColditzFacts, side: int, step: PawnStep) -> str | None:
    grid = facts.rules.board
    if not side:
        if not 1 << step.target & grid.posts:
            return "colditz/post-only"  # R041
        if facts.guards & step.bit:
            return "colditz/occupied"
        held = facts.men & step.bit and not is_liable(facts, man_on(facts, step.target))
        return "colditz/not-liable" if held else None
    if not facts.turn.releases:
        return "colditz/no-release"  # R050
    circles = release_circles(facts, step.origin == grid.cells_outer)
    return None if step.target in circles else "colditz/release-circle"  # R052


def _why_deploy(facts: ColditzFacts, step: PawnStep) -> str | None:
    grid = facts.rules.board
    if step.origin != grid.barracks or not 1 << step.target & grid.posts:
        return "colditz/post-only"
    if facts.guards & step.bit:
        return "colditz/occupied"
    inner, _, most = posts_wanted(facts)
    inside, out = guards_posted(facts)
    area = grid.area[step.target]
    full = inside >= inner if area == INNER else out >= most or area != OUTER
    return "colditz/post-zone" if full else None


def do_step(draft: PositionDraft, gear: Gear, side: int, step: PawnStep) -> None:
    """Carry out a step that is allowed."""
    grid = draft.rules.board
    if draft.tasks:
        TASK_STEPS[draft.tasks[-1].kind][1](draft, side, step)
        return
    pawn = pawn_at(draft, side, step.origin)
    if draft.turn.phase == DEPLOY:
        draft.events += step.told
        draft.move_pawn(pawn, step.target)
        return
    if draft.turn.refusers and not draft.turn.moved:  # R073
        draft.set_turn(moved=True)
    if step.origin < grid.nodes and step.target < grid.nodes:
        for node in shortest_walk(draft, gear, pawn, step.target):
            take_step(draft, pawn, node)
        return
    if side:
        spend_point(draft, pawn, step.target)
        draft.set_turn(releases=draft.turn.releases - 1)
        draft.last = pawn
        release_man(draft, pawn, step.target)
        return
    take_step(draft, pawn, step.target)


def _why_muster(facts: ColditzFacts, side: int, step: PawnStep) -> str | None:
    """R092: which man goes to which circle."""
    grid, task = facts.rules.board, facts.tasks[-1]
    inside = step.origin < grid.circles and pawn_at(facts, side, step.origin) >= 0
    if not inside or grid.symbol[step.origin] not in task.data:
        return "colditz/not-in-room"
    free = step.bit & grid.appel & ~(facts.men | facts.guards)
    return None if free else "colditz/appel-circle"


def _do_muster(draft: PositionDraft, side: int, step: PawnStep) -> None:
    task = draft.pop()
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
        draft.push("muster", side, *left)


def _why_chase(facts: ColditzFacts, side: int, step: PawnStep) -> str | None:
    """R118: down that drop, or to the Commander's Office."""
    grid = facts.rules.board
    guard, number = facts.tasks[-1].data
    if step.origin != facts.where[guard] or step.target not in (grid.office, grid.crossings[number].lower):
        return "colditz/go-down"
    if step.target == grid.office:
        return None
    if facts.points < 1:
        return "colditz/no-points"
    code = guard_meeting_code(facts, guard, step.target)
    if code or facts.men & step.bit or not is_no_stay(facts, 0, guard, step.target):
        return code
    return None if can_move_on(facts, 0, guard, step.target, None, facts.points - 1) else "colditz/stranded"


def _do_chase(draft: PositionDraft, side: int, step: PawnStep) -> None:
    guard, number = draft.pop().data
    if step.target == draft.rules.board.office:
        draft.add_event("recall", at=draft.space_name(step.origin))
        draft.move_pawn(guard, step.target)
    else:
        draft.set_turn(last_crossing=(number, draft.points - 1))
        take_step(draft, guard, step.target)


TASK_STEPS: Final = {"muster": (_why_muster, _do_muster), "chase": (_why_chase, _do_chase)}
"""The tasks that are done by steps: why not, and doing it."""
