"""Players of Escape from Colditz to measure by: two Security Officers and two Escape Officers, each with one
idea."""

from __future__ import annotations

from typing import Any

from boardlab.panel.hunt_players import BestOf
from boardrules.colditz.castle.actions import Command, PawnStep
from boardrules.colditz.state.facts import AFTER_ROLL, DEPLOY, ColditzFacts
from boardrules.colditz.state.liability import is_liable
from boardrules.colditz.state.rules import ColditzRules
from boardrules.core import NO_SEAT, Action

_ENDS = ("end", "pass", "skip", "stay", "decline", "keep", "ready")


class Idle(BestOf):
    """Does nothing that the rules don't ask for."""

    __slots__ = ()

    def action_worth(self, view: Any, action: Action) -> float:
        """The end of its turn before all."""
        if isinstance(action, Command):
            return 1.0 if action.head in _ENDS else 0.0 if action.head == "roll" else -0.5
        return 0.5 if view.facts.turn.phase == DEPLOY else -1.0


class _Busy(BestOf):
    """Throws, takes what it is given, and leaves what it has no idea of."""

    __slots__ = ()

    def action_worth(self, view: Any, action: Action) -> float:
        """Steps by an idea, words by a list."""
        if isinstance(action, PawnStep):
            return self.step_worth(view, action)
        assert isinstance(action, Command)
        words = {
            "roll": 9.0,
            "draw": 9.0,
            "claim": 8.0,
            "kit": 9.0,
            "refuse": -2.0,
            "dare": -5.0,
            "trade": -3.0,
        }
        return words.get(action.head, 0.0 if action.head in _ENDS else -0.2)

    def step_worth(self, view: Any, step: PawnStep) -> float:
        """How good a step is."""
        raise NotImplementedError


class _Guarding(_Busy):
    """A Security Officer who posts guards, arrests, and otherwise moves guards outside by an idea."""

    __slots__ = ()

    def step_worth(self, view: Any, step: PawnStep) -> float:
        """How good a step is: first those that every Security Officer of this kind agrees on."""
        facts: ColditzFacts = view.facts
        board = facts.rules.board
        if facts.turn.phase == DEPLOY:
            return 1.0
        if step.target >= board.circle_count:
            return -1.0
        if step.target_mask & facts.men_nodes:
            return 20.0
        if step.origin >= board.circle_count:
            return 2.0
        return self.patrol_worth(facts, step)

    def patrol_worth(self, facts: ColditzFacts, step: PawnStep) -> float:
        """How good it is to move a guard from one circle to another that is free."""
        raise NotImplementedError


class DoorGuards(_Guarding):
    """Stands its guards at doors and inspections, and arrests whoever comes beside them."""

    __slots__ = ()

    def patrol_worth(self, facts: ColditzFacts, step: PawnStep) -> float:
        """Nearer to a door that has no guard."""
        board = facts.rules.board
        gates = (board.doors | board.inspections | board.targets) & ~facts.guard_nodes
        if 1 << step.origin & (board.doors | board.inspections):
            return -2.0
        ways = [board.distances_from_node(gate) for gate in board.nodes_of_mask(gates)]
        return float(
            min((way[step.origin] for way in ways), default=0)
            - min((way[step.target] for way in ways), default=0)
        )


class Catcher(_Guarding):
    """Sends the guards after the nearest man that may be arrested."""

    __slots__ = ()

    def patrol_worth(self, facts: ColditzFacts, step: PawnStep) -> float:
        """Nearer to one."""
        board = facts.rules.board
        men = [
            board.distances_from_node(facts.node_by_pawn[pawn])
            for side in facts.rules.officers
            for pawn in facts.rules.pawns[side]
            if facts.node_by_pawn[pawn] < board.circle_count and is_liable(facts, pawn)
        ]
        nearer = [way[step.origin] - way[step.target] for way in men if way[step.origin] < 15]
        return float(max(nearer, default=-1))


class Idler(Idle):
    """An Escape Officer who waits for the rounds to end."""

    __slots__ = ()


class Straight(_Busy):
    """An Escape Officer whose men go the shortest way out, once they hold what it takes; else to rooms."""

    __slots__ = ()

    def step_worth(self, view: Any, step: PawnStep) -> float:
        """One man's way out; the others go to the rooms of what is missing."""
        facts: ColditzFacts = view.facts
        rules, board = facts.rules, facts.rules.board
        side = rules.side_by_seat[view.seat or NO_SEAT]
        if step.target >= board.node_count or (step.target_mask & facts.guard_nodes):
            return -5.0
        if step.origin >= board.node_count:
            return 4.0
        if facts.turn.phase != AFTER_ROLL:
            return -0.1
        man = facts.node_by_pawn.index(step.origin, rules.guard_count)
        if (
            facts.table.has_kit[side]
            and facts.table.equipment_counts[side] > 2
            and man == rules.pawns[side][0]
        ):
            way = _steps_to_targets(rules)
            return 3.0 * (way[step.origin] - way[step.target])
        kind = rules.pawns[side].index(man) // 2 % 4
        wanted = kind if facts.table.has_kit[side] else 4 + rules.pawns[side].index(man) % 4
        before, after = (
            min(
                (
                    board.distances_from_node(board.surface_of(at))[room]
                    for room in board.circles_by_symbol[wanted]
                ),
                default=0,
            )
            for at in (step.origin, step.target)
        )
        return float(before - after)


def _steps_to_targets(rules: ColditzRules) -> tuple[int, ...]:
    """By node the steps to a Target, whatever they take."""
    board = rules.board
    back: list[list[int]] = [[] for _ in range(board.node_count)]
    for node in range(board.node_count):
        for after in (*rules.men_plain[node], *(way[0] for way in rules.men_exits[node])):
            if after < board.node_count:
                back[after].append(node)
    found: tuple[int, ...] = board.distances_from(board.nodes_of_mask(board.targets), back.__getitem__)
    return found
