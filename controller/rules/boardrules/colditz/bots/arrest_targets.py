"""What the simple Security Officer looks at: whom guards can catch, and how far they are."""

from __future__ import annotations

from typing import Final

from boardrules.colditz.castle.actions import PawnStep
from boardrules.colditz.castle.board import INNER, UNREACHABLE
from boardrules.colditz.moving.appel import search_range
from boardrules.colditz.state.facts import DEPLOY, MAIN, ColditzFacts
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
            if facts.where[pawn] < self.board.circles and is_liable(facts, pawn)
        ]
        out = [pawn for pawn in men if self.board.area[facts.where[pawn]] != INNER]
        self.targets = [self.board.away_from(facts.where[pawn]) for pawn in out or men]
        """By man the steps from him, those outside the Inner Courtyard first."""

    def far(self, node: int) -> int:
        """The steps from a node to the nearest man worth catching."""
        if node >= self.board.circles:
            return UNREACHABLE
        return min((away[node] for away in self.targets), default=UNREACHABLE)

    def step(self, step: PawnStep) -> float:
        """An arrest is worth most, then coming nearer."""
        facts, board = self.facts, self.board
        if facts.turn.phase == DEPLOY:
            return 1.0
        if step.target < board.nodes and step.bit & facts.men:
            return 20.0
        if facts.turn.phase != MAIN or step.target >= board.nodes:
            return -1.0
        before = self.far(step.origin) if step.origin < board.nodes else MAX_ARREST_STEPS
        gain = before - self.far(step.target)
        near = self.far(step.target)
        return gain * (1.0 + 3.0 / (1 + near)) if near < MAX_ARREST_STEPS or gain > 0 else -1.0

    def searching(self) -> float:
        """Whether a General Search would find enough."""
        facts = self.facts
        guards = [node for node in facts.where[: facts.rules.guards] if node < self.board.circles]
        found, reach = 0, search_range(facts)
        for pawn in range(facts.rules.guards, len(facts.where)):
            if facts.turn.refusers >> pawn & 1:
                away = self.board.away_from(facts.where[pawn])
                found += any(away[guard] <= reach for guard in guards)
        return 15.0 * found - 1.0
