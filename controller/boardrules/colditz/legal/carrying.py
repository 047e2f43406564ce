"""Where exactly a seat may carry its pawns, with the Equipment that it holds: for its own screen alone."""

from __future__ import annotations

from boardrules.colditz.castle.actions import Step
from boardrules.colditz.legal.listing import place_steps
from boardrules.colditz.legal.reach import hand_step
from boardrules.colditz.moving.walking import arrives, walked, why_step
from boardrules.colditz.state.facts import MAIN, Facts
from boardrules.colditz.state.moves import Gear, onward, transit
from boardrules.core import Space


def turn_carries(facts: Facts, gear: Gear, side: int) -> dict[Space, dict[Space, Step]]:
    """By origin and target what carrying a pawn means in the side's own turn, where that is legal.

    The same as asking `hand_step` and `why_step` for every circle, but each pawn's ways are walked once.
    """
    rules, grid = facts.rules, facts.rules.board
    found: dict[Space, dict[Space, Step]] = {}
    if facts.turn.phase != MAIN or facts.points < 1:
        return found
    going, daring = transit(facts), facts.turn.daring
    if going < 0 and daring < 0:
        for step in place_steps(facts, side)[0]:
            found.setdefault(grid.spaces[step.origin], {})[grid.spaces[step.target]] = step
    for pawn in (going,) if going >= 0 else (daring,) if daring >= 0 else rules.pawns[side]:
        origin = facts.where[pawn]
        if origin >= grid.nodes:  # `place_steps` has them
            continue
        space = grid.spaces[origin]
        for target in _within(facts, gear, side, pawn):
            meant = _step(facts, gear, side, pawn, target)
            if meant is not None:
                found.setdefault(space, {})[grid.spaces[target]] = meant
    return found


def _step(facts: Facts, gear: Gear, side: int, pawn: int, target: int) -> Step | None:
    """What carrying it there means; of a circle over a tunnel that is asked, as it stands for two nodes."""
    rules, grid = facts.rules, facts.rules.board
    origin = facts.where[pawn]
    if max(len(grid.at[grid.spaces[node]]) for node in (origin, target)) == 1:
        return rules.step(side, origin, target)
    step = hand_step(facts, rules.seats[side], grid.spaces[origin], grid.spaces[target])
    assert isinstance(step, Step)  # a seat carries by steps alone
    return step if why_step(facts, gear, side, step) is None else None


def _within(facts: Facts, gear: Gear, side: int, pawn: int) -> list[int]:
    """The nodes at the ends of all walks of a pawn: `walking.path` for every target at once."""
    rules, start = facts.rules, facts.where[pawn]
    plain = rules.men_plain if side else rules.guard_plain
    taken = (facts.men | facts.guards) & ~(1 << start) if facts.turn.daring != pawn else 0
    closed = {node for walker, node in facts.turn.trail if walker == pawn}
    came, edge, ends = {start: start}, [start], set[int]()
    for left in range(facts.points, 0, -1):
        reached = []
        for node in edge:
            over = walked(came, node) if rules.trails else ()  # without A23 nobody minds
            for way in onward(facts, side, pawn, node, gear):
                if way.target in ends or way.target >= rules.board.nodes:
                    continue
                if arrives(facts, pawn, way, over, left):
                    ends.add(way.target)
            for after in plain[node]:
                if after not in came and after not in closed and not taken >> after & 1:
                    came[after] = node
                    reached.append(after)
        edge = reached
    return sorted(ends - {start})
