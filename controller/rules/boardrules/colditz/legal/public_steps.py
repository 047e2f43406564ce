"""What hands may do by public knowledge (R095), and what carrying a pawn means."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from boardrules.colditz.castle import actions
from boardrules.colditz.legal.listing import barracks_and_cell_steps, chase_steps, deploy_steps, muster_steps
from boardrules.colditz.moving.walk_search import shortest_walk
from boardrules.colditz.moving.walking import pawn_at
from boardrules.colditz.state.facts import AFTER_ROLL, DEPLOY, ColditzFacts
from boardrules.colditz.state.moves import pawn_in_transit, possible_steps
from boardrules.core import Action, BadText, Seat, Space, Step


def public_steps(facts: ColditzFacts) -> tuple[Step, ...]:
    """Every carrying of a pawn that may be legal, whatever Equipment the officers hold."""
    if facts.table.outcome is not None:
        return ()
    tasks, turn, grid = facts.tasks, facts.turn, facts.rules.board
    found: Sequence[actions.PawnStep]
    if tasks:
        kind, side = tasks[-1].kind, tasks[-1].side
        found = (
            muster_steps(facts, side) if kind == "muster" else chase_steps(facts) if kind == "chase" else []
        )
    elif turn.phase == DEPLOY:
        found = deploy_steps(facts)
    elif turn.phase == AFTER_ROLL:
        found = (
            []
            if facts.points < 1 or pawn_in_transit(facts) >= 0 or turn.daring_man >= 0
            else barracks_and_cell_steps(facts, turn.side)
        )
    else:
        found = []
    steps = {(grid.spaces[step.origin], grid.spaces[step.target]): step.target for step in found}
    if turn.phase == AFTER_ROLL and not tasks:
        steps |= _public_walks(facts)
    enemy = 0 if turn.daring_man >= 0 else facts.guard_nodes if turn.side else facts.men_nodes
    return tuple(
        Step(origin, target, node < grid.node_count and bool(enemy >> node & 1))
        for (origin, target), node in sorted(steps.items())
    )


def _public_walks(facts: ColditzFacts) -> dict[tuple[Space, Space], int]:
    rules, grid = facts.rules, facts.rules.board
    side = facts.turn.side
    going = pawn_in_transit(facts)
    pawns = (going,) if going >= 0 else rules.pawns[side]
    if facts.turn.daring_man >= 0:
        pawns = (facts.turn.daring_man,)
    steps = {}
    for pawn in pawns:
        origin = facts.node_by_pawn[pawn]
        if origin >= grid.node_count:
            continue
        for node in publicly_reachable_nodes(facts, pawn):
            if node < grid.node_count:
                steps[grid.spaces[origin], grid.spaces[node]] = node
    return steps


def publicly_reachable_nodes(facts: ColditzFacts, pawn: int) -> list[int]:
    """Every node that a pawn might get to with the points left, whatever Equipment its officer holds."""
    rules = facts.rules
    side = rules.owner[pawn]
    seen = {facts.node_by_pawn[pawn]}
    edge = list(seen)
    # Breadth first, a point a round. `None` as Equipment counts every exit as open: whoever sees where a pawn
    # may go must not learn from it what its officer holds.
    for _ in range(facts.points):
        reached = []
        for node in edge:
            for way in possible_steps(facts, side, pawn, node, None):
                if way.target not in seen:
                    seen.add(way.target)
                    # By such a way the pawn leaves the board: nothing leads on.
                    if not way.leaves_board:
                        reached.append(way.target)
        edge = reached
    return sorted(seen - {facts.node_by_pawn[pawn]})


def is_out_of_reach(facts: ColditzFacts, side: int, step: actions.PawnStep) -> bool:
    """Whether everybody can see that the points don't reach, whatever Equipment the officer holds (R095)."""
    grid = facts.rules.board
    if facts.tasks or facts.turn.phase != AFTER_ROLL or max(step.origin, step.target) >= grid.node_count:
        return False
    pawn = pawn_at(facts, side, step.origin)
    return pawn >= 0 and step.target not in publicly_reachable_nodes(facts, pawn)


def hand_step(facts: ColditzFacts, seat: Seat, origin: Space, target: Space) -> Action:
    """The step that a seat means by carrying its pawn from space to space, legal or not. Raises `BadText`.

    A circle over a tunnel stands for two nodes: a pawn inside stays inside, one set down on the entrance of
    an open tunnel goes in.
    """
    rules, grid = facts.rules, facts.rules.board
    if seat not in rules.seats:
        raise BadText(f"{seat!r} is no seat here; try one of {', '.join(rules.seats)}")
    for space in (origin, target):
        if space not in grid.node_by_name:
            raise BadText(f"{space!r} is no space of the board {grid.name}; try one of its circles")
    side = rules.seats.index(seat)
    # A circle above a tunnel is one space to the hand, and two nodes to the rules.
    starts = [node for node in grid.nodes_by_space[origin] if pawn_at(facts, side, node) >= 0] or [
        grid.node_by_name[origin]
    ]
    top = grid.node_by_name[target]
    ends = (
        [end for end in reversed(grid.nodes_by_space[target]) if end != top]
        if any(facts.table.tunnels)
        else ()
    )
    for node in starts if ends else ():
        pawn = pawn_at(facts, side, node)
        if pawn < 0 or node >= grid.node_count:
            continue
        inside = [(len(over), end) for end in ends if (over := shortest_walk(facts, None, pawn, end))]
        if inside:  # the nearer one; inside, where both are as near: nobody stays on top of a tunnel
            points, end = min(inside, key=itemgetter(0))
            above = shortest_walk(facts, None, pawn, top)
            if not above or points <= len(above):
                return rules.step(side, node, end)
    return rules.step(side, starts[0], top)
