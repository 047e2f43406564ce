"""Where exactly a seat may carry its pawns, with the Equipment that it holds: for its own screen alone."""

from __future__ import annotations

from boardrules.colditz.castle.actions import PawnStep
from boardrules.colditz.legal.listing import barracks_and_cell_steps
from boardrules.colditz.legal.public_steps import hand_step
from boardrules.colditz.moving.walk_search import shortest_walks
from boardrules.colditz.moving.walking import why_not_step
from boardrules.colditz.state.facts import AFTER_ROLL, ColditzFacts
from boardrules.colditz.state.moves import Gear, pawn_in_transit
from boardrules.core import Space


def turn_carry_steps(facts: ColditzFacts, gear: Gear, side: int) -> dict[Space, dict[Space, PawnStep]]:
    """By origin and target what carrying a pawn means in the side's own turn, where that is legal.

    The same as asking `hand_step` and `why_not_step` for every circle, but each pawn's ways are walked once.
    """
    rules, grid = facts.rules, facts.rules.board
    found: dict[Space, dict[Space, PawnStep]] = {}
    if facts.turn.phase != AFTER_ROLL or facts.points < 1:
        return found
    going, daring = pawn_in_transit(facts), facts.turn.daring_man
    if going < 0 and daring < 0:
        for step in barracks_and_cell_steps(facts, side):
            found.setdefault(grid.spaces[step.origin], {})[grid.spaces[step.target]] = step
    for pawn in (going,) if going >= 0 else (daring,) if daring >= 0 else rules.pawns[side]:
        origin = facts.node_by_pawn[pawn]
        if origin >= grid.node_count:  # `barracks_and_cell_steps` has them
            continue
        space = grid.spaces[origin]
        for target in sorted(shortest_walks(facts, gear, pawn)):
            meant = _carried_step(facts, gear, side, pawn, target)
            if meant is not None:
                found.setdefault(space, {})[grid.spaces[target]] = meant
    return found


def _carried_step(facts: ColditzFacts, gear: Gear, side: int, pawn: int, target: int) -> PawnStep | None:
    """What carrying it there means; of a circle over a tunnel that is asked, as it stands for two nodes."""
    rules, grid = facts.rules, facts.rules.board
    origin = facts.node_by_pawn[pawn]
    if len(grid.nodes_by_space[grid.spaces[origin]]) == len(grid.nodes_by_space[grid.spaces[target]]) == 1:
        return rules.step(side, origin, target)
    step = hand_step(facts, rules.seats[side], grid.spaces[origin], grid.spaces[target])
    assert isinstance(step, PawnStep)  # a seat carries by steps alone
    return step if why_not_step(facts, gear, side, step) is None else None
