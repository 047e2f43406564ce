"""The players of Escape from Colditz, from a child's to the strongest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from boardrules.colditz.bots import simple_players
from boardrules.colditz.bots.guard_planner import GuardPlanner
from boardrules.colditz.bots.officer_planner import OfficerPlanner
from boardrules.colditz.castle.actions import PawnStep
from boardrules.colditz.moving.walking import why_not_step
from boardrules.colditz.state.facts import ColditzFacts
from boardrules.colditz.views import ColditzView
from boardrules.core import NO_SEAT, Action, Seat
from boardrules.players import Chance, GamePlayers, Player, PlayerLevel, SearchBudget

UNPLANNED_SHARE_KEY: Final = "unplanned"
"""How many of its choices a player doesn't plan, but makes as the simple one does."""

LEVELS: Final = tuple(
    PlayerLevel(name, 4000, {UNPLANNED_SHARE_KEY: share})
    for name, share in (("1", 0.85), ("2", 0.6), ("3", 0.35), ("4", 0.0))
)


class PlanningPlayer(Player):
    """Plans its turn. What it has planned it does, as long as nothing comes between."""

    __slots__ = ("_ahead", "unplanned_share")

    def __init__(self, unplanned_share: float = 0.0) -> None:
        self.unplanned_share = unplanned_share
        self._ahead: list[Action] = []

    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, budget: SearchBudget) -> Action:
        """The next action of its plan."""
        if self._ahead:
            action = self._ahead.pop(0)
            if is_still_legal(view, action, legal):
                return action
            self._ahead = []
        if len(legal) == 1:
            return legal[0]
        if chance.random() < self.unplanned_share:
            return simple_players.choose(view, legal, chance)
        side = view.facts.rules.side_by_seat[view.seat or NO_SEAT]
        planner = OfficerPlanner if side else GuardPlanner
        first, *self._ahead = planner(view, legal, budget).actions()
        if is_still_legal(view, first, legal):
            return first
        self._ahead = []  # an option of the rules that it doesn't plan for
        return simple_players.choose(view, legal, chance)


def is_still_legal(view: ColditzView, action: Action, legal: Sequence[Action]) -> bool:
    """Whether an action that was planned may still be done. Walks over several circles aren't listed."""
    if action in legal:
        return True
    facts: ColditzFacts = view.facts
    side = facts.rules.side_by_seat[view.seat or NO_SEAT]
    if not isinstance(action, PawnStep) or facts.tasks or facts.turn.side != side:
        return False
    gear = None if view.own_knowledge.gear is None else view.own_knowledge.gear[side]
    return why_not_step(facts, gear, side, action) is None


def make_player(seat: Seat, level: PlayerLevel) -> Player:
    """A player of a level."""
    return PlanningPlayer(level.settings[UNPLANNED_SHARE_KEY])


PLAYERS: Final = GamePlayers(LEVELS, make_player)
