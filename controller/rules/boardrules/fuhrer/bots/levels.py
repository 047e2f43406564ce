"""The players of Fall of the Führer, from a child's to the strongest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from boardrules.core import Action, Seat
from boardrules.fuhrer import simple_players
from boardrules.fuhrer.actions import HITLER, ChooseStart, HitlerTurn, PlacePiece, Recapture
from boardrules.fuhrer.bots.allied_policy import AlliedPolicy, AlliedWeights, best_placement
from boardrules.fuhrer.bots.chase_policy import ChasePolicy
from boardrules.fuhrer.bots.hitler_policy import HitlerPolicy
from boardrules.fuhrer.bots.hitler_weights import HitlerWeights
from boardrules.fuhrer.bots.opponent_model import OpponentModel
from boardrules.players import Chance, ErringPlayer, GamePlayers, Player, PlayerLevel, SearchBudget

ERROR_RATE_KEY: Final = "errs"
"""How often the Allies do anything at all instead of what they think best ..."""
HITLER_ERROR_RATE_KEY: Final = "he-errs"
"""He has one action a round where the Allies have about six, and one mistake catches him."""
ALLIED_WEIGHTS_KEY: Final = "allied_weights"
HITLER_WEIGHTS_KEY: Final = "hitler_weights"
CHASES_KEY: Final = "chases"
"""Whether the Allies plan some rounds ahead (`chase_policy`) or for this one and the next
(`allied_policy`)."""

LEVELS: Final = (
    PlayerLevel("1", 0, {ERROR_RATE_KEY: 0.5, HITLER_ERROR_RATE_KEY: 0.3}),
    PlayerLevel("2", 0, {ERROR_RATE_KEY: 0.12, HITLER_ERROR_RATE_KEY: 0.05}),
    PlayerLevel(
        "3",
        20_000,
        {
            ALLIED_WEIGHTS_KEY: AlliedWeights(noise=1.0),
            HITLER_WEIGHTS_KEY: HitlerWeights(
                position_samples=1, rounds_ahead=1, choice_temperature=0.035, learns_opponents=False
            ),
        },
    ),
    PlayerLevel(
        "4",
        20_000,
        {ALLIED_WEIGHTS_KEY: AlliedWeights(), HITLER_WEIGHTS_KEY: HitlerWeights(), CHASES_KEY: True},
    ),
)


class FuhrerPlayer(Player):
    """Believes, and plans by what it believes."""

    __slots__ = ("_opponent_model", "settings")

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.settings = settings
        self._opponent_model = OpponentModel()

    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, budget: SearchBudget) -> Action:
        """The best of them."""
        if len(legal) == 1:
            return legal[0]
        if isinstance(legal[0], PlacePiece):
            return best_placement(view.facts, legal, chance)
        if view.seat != HITLER:
            allies = ChasePolicy if self.settings.get(CHASES_KEY) else AlliedPolicy
            return allies(view.facts, self.settings[ALLIED_WEIGHTS_KEY], chance, budget).best_action(legal)
        if all(isinstance(action, HitlerTurn | Recapture | ChooseStart) for action in legal):
            return self._choose_for_hitler(view, legal, chance, budget)
        return simple_players.choose(view, legal, chance)  # on paper

    def _choose_for_hitler(
        self, view: Any, legal: Sequence[Action], chance: Chance, budget: SearchBudget
    ) -> Action:
        hitler_weights = self.settings[HITLER_WEIGHTS_KEY]
        if hitler_weights.learns_opponents:
            self._opponent_model.observe_position(view.facts)
            hitler_weights = self._opponent_model.adjusted_weights(hitler_weights)
        return HitlerPolicy(
            view.facts, view.sheet, hitler_weights, chance, budget, self._opponent_model
        ).choose_action(legal)


def make_player(seat: Seat, level: PlayerLevel) -> Player:
    """A player of a level."""
    if ERROR_RATE_KEY in level.settings:
        return ErringPlayer(
            simple_players.choose, level.settings[HITLER_ERROR_RATE_KEY if seat == HITLER else ERROR_RATE_KEY]
        )
    return FuhrerPlayer(level.settings)


PLAYERS: Final = GamePlayers(LEVELS, make_player)
