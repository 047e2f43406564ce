"""The players of Fall of the Führer, from a child's to the strongest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from boardrules.core import Action, Seat
from boardrules.fuhrer import simple_players
from boardrules.fuhrer.actions import (
    HITLER,
    INFANTRY,
    SPY,
    STAY,
    ChooseStart,
    HitlerTurn,
    MovePiece,
    PlacePiece,
    Recapture,
    SpyQuestion,
)
from boardrules.fuhrer.bots.allied_policy import AlliedPolicy, AlliedWeights, best_placement
from boardrules.fuhrer.bots.chase_policy import ChasePolicy
from boardrules.fuhrer.bots.hitler_policy import HitlerPolicy
from boardrules.fuhrer.bots.hitler_weights import HitlerWeights
from boardrules.fuhrer.bots.opponent_model import OpponentModel
from boardrules.fuhrer.facts import AnnouncedTurn, FuhrerFacts
from boardrules.fuhrer.simple_players import distances
from boardrules.players import Chance, ErringPlayer, GamePlayers, Player, PlayerLevel, SearchBudget

ERROR_RATE_KEY: Final = "errs"
"""How often the Allies do anything at all instead of what they think best ..."""
HITLER_ERROR_RATE_KEY: Final = "he-errs"
"""He has one action a round where the Allies have about six, and one mistake catches him."""
RUN_SHARE: Final = 0.4
"""How many of these mistakes of the Allies are that they run to where he was seen last."""
ALLIED_WEIGHTS_KEY: Final = "allied_weights"
HITLER_WEIGHTS_KEY: Final = "hitler_weights"
CHASES_KEY: Final = "chases"
"""Whether the Allies plan some rounds ahead (`chase_policy`) or for this one and the next
(`allied_policy`)."""

LEVELS: Final = (
    PlayerLevel("1", 0, {ERROR_RATE_KEY: 0.5, HITLER_ERROR_RATE_KEY: 0.2}),
    PlayerLevel(
        "2",
        20_000,
        {ERROR_RATE_KEY: 0.4, ALLIED_WEIGHTS_KEY: AlliedWeights(noise=1.0), HITLER_ERROR_RATE_KEY: 0.08},
    ),
    PlayerLevel(
        "3",
        20_000,
        {
            ALLIED_WEIGHTS_KEY: AlliedWeights(noise=1.0),
            HITLER_WEIGHTS_KEY: HitlerWeights(position_samples=1, rounds_ahead=3, choice_temperature=0.006),
        },
    ),
    PlayerLevel(
        "4",
        20_000,
        {ALLIED_WEIGHTS_KEY: AlliedWeights(), HITLER_WEIGHTS_KEY: HitlerWeights(), CHASES_KEY: True},
    ),
)


class ErringAllies(ErringPlayer):
    """Err as people do: often they run to where he was seen last, else they do anything."""

    __slots__ = ()

    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, meter: SearchBudget) -> Action:
        """One of them."""
        if chance.random() >= self.error_rate:
            return self.simple_policy(view, legal, chance)
        return mistaken_action(view.facts, legal, chance)


def mistaken_action(facts: FuhrerFacts, legal: Sequence[Action], chance: Chance) -> Action:
    """What the Allies do by mistake: often they run to where he was seen last, else they do anything."""
    seen = last_seen_city(facts)
    if seen >= 0 and chance.random() < RUN_SHARE:
        asks = [action for action in legal if isinstance(action, SpyQuestion) and seen in action.cities]
        if asks:
            return asks[0]
        moves = [action for action in legal if isinstance(action, MovePiece)]
        if moves and facts.stage.piece in (SPY, INFANTRY):
            far = distances(facts.rules.board)[seen]
            here = far[facts.city_by_piece[facts.stage.piece]]
            best = min(moves, key=lambda move: far[move.target])
            stay = [action for action in legal if str(action) == STAY]
            return stay[0] if stay and far[best.target] >= here else best
    return legal[chance.randrange(len(legal))]


def last_seen_city(facts: FuhrerFacts) -> int:
    """The city that the last token or answer told, if he may still be there; else -1."""
    seen = -1
    for said in facts.knowledge.log:
        if isinstance(said, AnnouncedTurn):
            seen = said.token if said.token >= 0 else seen
        elif said.is_here:
            seen = said.city
    possible = facts.rules.trap_rule.cities_of_marks(facts.knowledge.possible_marks)
    return seen if seen >= 0 and possible >> seen & 1 else -1


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
            if chance.random() < self.settings.get(ERROR_RATE_KEY, 0.0):
                return mistaken_action(view.facts, legal, chance)
            allies = ChasePolicy if self.settings.get(CHASES_KEY) else AlliedPolicy
            return allies(view.facts, self.settings[ALLIED_WEIGHTS_KEY], chance, budget).best_action(legal)
        if all(isinstance(action, HitlerTurn | Recapture | ChooseStart) for action in legal):
            return self._choose_for_hitler(view, legal, chance, budget)
        return simple_players.choose(view, legal, chance)  # on paper

    def _choose_for_hitler(
        self, view: Any, legal: Sequence[Action], chance: Chance, budget: SearchBudget
    ) -> Action:
        hitler_weights = self.settings[HITLER_WEIGHTS_KEY]
        self._opponent_model.observe_position(view.facts)
        hitler_weights = self._opponent_model.adjusted_weights(hitler_weights)
        return HitlerPolicy(
            view.facts, view.sheet, hitler_weights, chance, budget, self._opponent_model
        ).choose_action(legal)


def make_player(seat: Seat, level: PlayerLevel) -> Player:
    """A player of a level."""
    if seat == HITLER and HITLER_ERROR_RATE_KEY in level.settings:
        return ErringPlayer(simple_players.choose, level.settings[HITLER_ERROR_RATE_KEY])
    if seat != HITLER and ALLIED_WEIGHTS_KEY not in level.settings:
        return ErringAllies(simple_players.choose, level.settings[ERROR_RATE_KEY])
    return FuhrerPlayer(level.settings)


PLAYERS: Final = GamePlayers(LEVELS, make_player)
