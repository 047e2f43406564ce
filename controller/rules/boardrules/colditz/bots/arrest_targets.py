"""What the simple Security Officer looks at: whom guards can catch, and how far they are."""

from __future__ import annotations

from typing import Final

from boardrules.colditz.castle.actions import PawnStep
from boardrules.colditz.castle.board import INNER, UNREACHABLE
from boardrules.colditz.moving.appel import search_range
from boardrules.colditz.state.facts import AFTER_ROLL, DEPLOY, ColditzFacts
from boardrules.colditz.state.liability import is_liable

MAX_ARREST_STEPS: Final = 14


class ArrestTargets:
    """The men worth catching, each with how near every circle is."""

    def __init__(self, facts: ColditzFacts) -> None:
        self.facts = facts
        self.board = facts.rules.board
        men = [
            pawn
            for side in facts.rules.officers
            for pawn in facts.rules.pawns[side]
            if facts.node_by_pawn[pawn] < self.board.circle_count and is_liable(facts, pawn)
        ]
        out = [pawn for pawn in men if self.board.area[facts.node_by_pawn[pawn]] != INNER]
        self.targets = [self.board.distances_from_node(facts.node_by_pawn[pawn]) for pawn in out or men]
        """By man the steps from him, those outside the Inner Courtyard first."""

    def steps_to_nearest(self, node: int) -> int:
        """The steps from a node to the nearest man worth catching."""
        if node >= self.board.circle_count:
            return UNREACHABLE
        return min((away[node] for away in self.targets), default=UNREACHABLE)

    def score_step(self, step: PawnStep) -> float:
        """An arrest is worth most, then coming nearer."""
        facts, board = self.facts, self.board
        if facts.turn.phase == DEPLOY:
            return 1.0
        if step.target < board.node_count and step.target_mask & facts.men_nodes:
            return 20.0
        if facts.turn.phase != AFTER_ROLL or step.target >= board.node_count:
            return -1.0
        before = self.steps_to_nearest(step.origin) if step.origin < board.node_count else MAX_ARREST_STEPS
        gain = before - self.steps_to_nearest(step.target)
        near = self.steps_to_nearest(step.target)
        return gain * (1.0 + 3.0 / (1 + near)) if near < MAX_ARREST_STEPS or gain > 0 else -1.0

    def score_search(self) -> float:
        """Whether a General Search would find enough."""
        facts = self.facts
        guards = [
            node for node in facts.node_by_pawn[: facts.rules.guard_count] if node < self.board.circle_count
        ]
        found, reach = 0, search_range(facts)
        for pawn in range(facts.rules.guard_count, len(facts.node_by_pawn)):
            if facts.turn.refusers >> pawn & 1:
                away = self.board.distances_from_node(facts.node_by_pawn[pawn])
                found += any(away[guard] <= reach for guard in guards)
        return 15.0 * found - 1.0
