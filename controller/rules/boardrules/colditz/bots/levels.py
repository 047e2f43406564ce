"""The players of Escape from Colditz, from a child's to the strongest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from boardrules.colditz.bots import simple_players
from boardrules.colditz.bots.escape_planner import PlanningWeights
from boardrules.colditz.bots.guard_planner import GuardPlanner
from boardrules.colditz.bots.officer_planner import OfficerPlanner
from boardrules.colditz.castle.actions import PawnStep
from boardrules.colditz.moving.walking import why_not_step
from boardrules.colditz.state.facts import ColditzFacts
from boardrules.colditz.views import ColditzView
from boardrules.core import NO_SEAT, Action, Seat
from boardrules.players import Chance, ErringPlayer, GamePlayers, Player, PlayerLevel, SearchBudget

ERROR_RATE_KEY: Final = "errs"
"""How often a player does anything at all instead of what it thinks best."""
WEIGHTS_KEY: Final = "weights"

LEVELS: Final = (
    PlayerLevel("1", 0, {ERROR_RATE_KEY: 0.5}),
    PlayerLevel("2", 0, {ERROR_RATE_KEY: 0.12}),
    PlayerLevel(
        "3",
        400,
        {
            WEIGHTS_KEY: PlanningWeights(
                estimate_noise=0.8, saves_cards=False, blocks_exits=False, max_runners=2
            )
        },
    ),
    PlayerLevel("4", 4000, {WEIGHTS_KEY: PlanningWeights()}),
)


class PlanningPlayer(Player):
    """Plans its turn. What it has planned it does, as long as nothing comes between."""

    __slots__ = ("_ahead", "weights")

    def __init__(self, weights: PlanningWeights) -> None:
        self.weights = weights
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
        side = view.facts.rules.side_by_seat[view.seat or NO_SEAT]
        planner = OfficerPlanner if side else GuardPlanner
        first, *self._ahead = planner(view, legal, self.weights, chance, budget).actions()
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
    settings: Mapping[str, Any] = level.settings
    return (
        ErringPlayer(simple_players.choose, settings[ERROR_RATE_KEY])
        if ERROR_RATE_KEY in settings
        else PlanningPlayer(settings[WEIGHTS_KEY])
    )


PLAYERS: Final = GamePlayers(LEVELS, make_player)
