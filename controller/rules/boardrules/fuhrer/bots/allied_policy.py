"""What the Allies do with what they believe: three pieces that plan together.

Worth is the chance to catch Hitler in this round, and half of it in the next. Infantry catches him where it
ends its turn; the Spy asks where an answer moves it most; the Tank raises flags where he would pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from boardrules.core import Action
from boardrules.fuhrer import actions
from boardrules.fuhrer.actions import INFANTRY, SPY, TANK, MovePiece, PlacePiece, SpyQuestion
from boardrules.fuhrer.bots.belief_state import (
    DIE_FACES,
    MovementGraph,
    Weights,
    current_beliefs,
    sitter_probability,
)
from boardrules.fuhrer.facts import AnnouncedTurn, FuhrerFacts
from boardrules.fuhrer.movement import PublicTurn
from boardrules.fuhrer.rules import FuhrerRules
from boardrules.players import Chance, SearchBudget

NEXT_ROUND_FACTOR: Final = 0.5
"""What a capture in the next round counts beside one in this."""
MAX_QUESTIONS: Final = 2
"""F09: how many cities the Spy may ask about."""
MAX_CITIES_FOUND: Final = 3
"""Of how many cities a round may find out: two that the Spy asks about, one that Infantry tries."""


@lru_cache(maxsize=2)
def movement_graph(rules: FuhrerRules) -> MovementGraph:
    """The ground that these rules are played on."""
    return MovementGraph(rules)


class AlliedWeights(NamedTuple):
    """What a player makes of the chances, as a level says."""

    next_round_factor: float = NEXT_ROUND_FACTOR
    distance_weight: float = 0.012
    """What a link nearer to where he is believed counts for Infantry and Spy."""
    flag_weight: float = 0.08
    """What a flag counts where he would surely pass."""
    noise: float = 0.0
    """By how much of itself a worth is misjudged at most."""


class AlliedPolicy:
    """One decision of the Allies: the position, and what they believe."""

    def __init__(
        self, facts: FuhrerFacts, allied_weights: AlliedWeights, chance: Chance, budget: SearchBudget
    ) -> None:
        self.facts = facts
        self.allied_weights = allied_weights
        self.movement_graph = movement_graph(facts.rules)
        self.beliefs = current_beliefs(self.movement_graph, facts)
        turns = [said for said in facts.knowledge.log if isinstance(said, AnnouncedTurn)]
        self.sitter_odds = sitter_probability(turns)
        """How likely he is one who stays where he is."""
        self.hitler_preferences = self.movement_graph.hitler_preferences(facts.city_by_piece, facts.flags)
        self.chance = chance
        self.budget = budget
        self.next_beliefs = self._predict_beliefs(self.beliefs)
        """Where he will be after his next turn."""

    def best_action(self, legal: Sequence[Action]) -> Action:
        """The best of several actions."""
        worths = {action: self._with_noise(self.action_value(action)) for action in legal}
        return max(worths, key=worths.__getitem__)

    def _with_noise(self, worth: float) -> float:
        return (
            worth * (1 + self.allied_weights.noise * (self.chance.random() - 0.5))
            + 1e-6 * self.chance.random()
        )

    def action_value(self, action: Action) -> float:
        """How good an action is."""
        facts = self.facts
        piece = facts.stage.piece
        if isinstance(action, SpyQuestion):
            return self._questions_value(self.beliefs, action.cities)
        at = action.target if isinstance(action, MovePiece) else facts.city_by_piece[piece]
        if str(action) == actions.DONE:
            return self._questions_value(self.beliefs, ())
        if piece == INFANTRY:
            return self._infantry_value(at)
        if piece == SPY:
            return self._spy_value(at)
        return self._tank_value(at, str(action))

    # Infantry

    def _infantry_value(self, at: int) -> float:
        caught = self.beliefs[at]
        left = self.next_beliefs
        if caught:
            only = [0.0] * self.movement_graph.city_count
            only[at] = caught
            gone = self.movement_graph.weights_after_turn(
                only, PublicTurn(self.facts.flags), self.hitler_preferences, self.sitter_odds
            )
            left = [whole - part for whole, part in zip(left, gone, strict=True)]
        return (
            caught
            + self.allied_weights.next_round_factor * self._next_round_value(left, at)
            - self._distance_cost(left, at)
        )

    def _catch_probability(self, weights: Weights, at: int) -> float:
        """How likely Infantry catches him from a city, its die not thrown yet."""
        within = self.movement_graph.within[at]
        return sum([max([weights[end] for end in within[die]]) for die in DIE_FACES]) / len(DIE_FACES)

    def _next_round_value(self, weights: Weights, at: int) -> float:
        """About how likely the next round finds him and catches him, with the answers it will bring."""
        within = self.movement_graph.within[at]
        found = 0.0
        for die in DIE_FACES:
            found += sum(sorted([weights[end] for end in within[die]], reverse=True)[:MAX_CITIES_FOUND])
        return found / len(DIE_FACES)

    def _distance_cost(self, weights: Weights, at: int) -> float:
        """What distance costs."""
        far = self.movement_graph.distances[at]
        return self.allied_weights.distance_weight * sum(
            [weight * far[city] for city, weight in enumerate(weights)]
        )

    # The Spy

    def _spy_value(self, at: int) -> float:
        return self.spy_post_value(self.beliefs, at) - self._distance_cost(self.next_beliefs, at)

    def spy_post_value(self, weights: Weights, at: int) -> float:
        """What it is worth that the Spy asks from a city."""
        questions = self.best_questions(weights, self.movement_graph.within[at][1], MAX_QUESTIONS)
        return self._questions_value(weights, questions)

    def _questions_value(self, weights: Weights, cities: Iterable[int]) -> float:
        """What answers about these cities, one after the other, are worth."""
        worth, rest = 0.0, list(weights)
        for city in cities:
            worth += self._yes_answer_value(weights, city)
            rest[city] = 0.0
        infantry = self.facts.city_by_piece[INFANTRY]
        tried = self._catch_probability(rest, infantry)
        return (
            worth
            + tried
            + self.allied_weights.next_round_factor
            * self._next_round_value(self._predict_beliefs(rest), infantry)
            * (1 - tried)
        )

    def best_questions(self, weights: Weights, cities: Iterable[int], most: int) -> list[int]:
        """The cities of these that it asks about."""
        options = [city for city in cities if weights[city]]
        return sorted(options, key=lambda city: self._quick_question_value(weights, city), reverse=True)[
            :most
        ]

    def quick_spy_value(self, weights: Weights, at: int) -> float:
        """What it is worth at a first look that the Spy asks from a city."""
        worths = [
            self._quick_question_value(weights, city)
            for city in self.movement_graph.within[at][1]
            if weights[city]
        ]
        return sum(sorted(worths)[-MAX_QUESTIONS:])

    def _quick_question_value(self, weights: Weights, city: int) -> float:
        """Which question is best at a first look: where Infantry can follow, then where he likely is."""
        return weights[city] * (self.reach_probability(self.facts.city_by_piece[INFANTRY], city) + 0.3)

    def _yes_answer_value(self, weights: Weights, city: int) -> float:
        """What the answer yes is worth: Infantry goes there, or is near when he leaves."""
        infantry = self.facts.city_by_piece[INFANTRY]
        reach = self.reach_probability(infantry, city)
        only = [0.0] * self.movement_graph.city_count
        only[city] = weights[city]
        return weights[city] * reach + self.allied_weights.next_round_factor * (
            1 - reach
        ) * self._next_round_value(self._predict_beliefs(only), infantry)

    def reach_probability(self, infantry: int, city: int) -> float:
        """How likely Infantry's die takes it to a city."""
        return max(0, len(DIE_FACES) + 1 - max(1, self.movement_graph.distances[infantry][city])) / len(
            DIE_FACES
        )

    def _predict_beliefs(self, weights: Weights) -> Weights:
        self.budget.try_spend()
        return self.movement_graph.weights_after_turn(
            weights, PublicTurn(self.facts.flags), self.hitler_preferences, self.sitter_odds
        )

    # The Tank

    def _tank_value(self, at: int, words: str) -> float:
        facts = self.facts
        here = facts.city_by_piece[TANK]
        frees = at == here and (words == actions.LIBERATE or not facts.rules.liberation.needs_declaration)
        if words == actions.ROLL:
            # It will go where a flag is worth most, which takes a turn more.
            ends = self.movement_graph.within[here][2]
            return 0.6 * max([self._flag_value(end) for end in ends if end != here], default=0.0)
        if facts.stage.name != "tank" and not frees:
            return 0.6 * self._flag_value(at) - 0.3 * self._distance_cost(self.next_beliefs, at)
        return self._flag_value(here) if frees else 0.0

    def _flag_value(self, city: int) -> float:
        """What a flag in a city is worth: how much of where he will be lies there and around."""
        if (self.facts.flags | self.facts.rising_flags) >> city & 1:
            return -0.01
        near = self.movement_graph.within[city]
        passing = sum([self.next_beliefs[end] for end in near[1]]) + 0.5 * sum(
            [self.next_beliefs[end] for end in near[2]]
        )
        return self.allied_weights.flag_weight * passing * len(near[1]) / 4


def best_placement(facts: FuhrerFacts, legal: Sequence[Action], chance: Chance) -> Action:
    """Where a piece is set up: where much is near, and apart from the others."""
    board = facts.rules.board

    def worth(action: Action) -> float:
        assert isinstance(action, PlacePiece)
        fresh = board.cities_within[action.city][3]
        for other in facts.city_by_piece:
            fresh &= ~board.cities_within[other][2]
        return fresh.bit_count() + 3 * chance.random()

    return max(legal, key=worth)
