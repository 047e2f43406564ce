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
from boardrules.fuhrer.bots.belief_state import DICE, MovementGraph, Weights, believed
from boardrules.fuhrer.facts import FuhrerFacts
from boardrules.fuhrer.movement import PublicTurn
from boardrules.fuhrer.rules import FuhrerRules
from boardrules.players import Chance, SearchBudget

NEXT: Final = 0.5
"""What a capture in the next round counts beside one in this."""
ASKS: Final = 2
"""F09: how many cities the Spy may ask about."""
GUESSES: Final = 3
"""Of how many cities a round may find out: two that the Spy asks about, one that Infantry tries."""


@lru_cache(maxsize=2)
def movement_graph(rules: FuhrerRules) -> MovementGraph:
    """The ground that these rules are played on."""
    return MovementGraph(rules)


class AlliedWeights(NamedTuple):
    """What a player makes of the chances, as a level says."""

    next: float = NEXT
    near: float = 0.012
    """What a link nearer to where he is believed counts for Infantry and Spy."""
    flag: float = 0.08
    """What a flag counts where he would surely pass."""
    blur: float = 0.0
    """By how much of itself a worth is misjudged at most."""


class AlliedPolicy:
    """One decision of the Allies: the position, and what they believe."""

    def __init__(
        self, facts: FuhrerFacts, allied_weights: AlliedWeights, chance: Chance, budget: SearchBudget
    ) -> None:
        self.facts = facts
        self.allied_weights = allied_weights
        self.movement_graph = movement_graph(facts.rules)
        self.weights = believed(self.movement_graph, facts)
        self.liking = self.movement_graph.liking(facts.at, facts.flags)
        self.chance = chance
        self.budget = budget
        self.then = self._after(self.weights)
        """Where he will be after his next turn."""

    def best(self, legal: Sequence[Action]) -> Action:
        """The best of several actions."""
        worths = {action: self._blurred(self.worth(action)) for action in legal}
        return max(worths, key=worths.__getitem__)

    def _blurred(self, worth: float) -> float:
        return (
            worth * (1 + self.allied_weights.blur * (self.chance.random() - 0.5))
            + 1e-6 * self.chance.random()
        )

    def worth(self, action: Action) -> float:
        """How good an action is."""
        facts = self.facts
        piece = facts.stage.piece
        if isinstance(action, SpyQuestion):
            return self._asked(self.weights, action.cities)
        at = action.to if isinstance(action, MovePiece) else facts.at[piece]
        if str(action) == actions.DONE:
            return self._asked(self.weights, ())
        if piece == INFANTRY:
            return self._infantry(at)
        if piece == SPY:
            return self._spy(at)
        return self._tank(at, str(action))

    # Infantry

    def _infantry(self, at: int) -> float:
        caught = self.weights[at]
        left = self.then
        if caught:
            only = [0.0] * self.movement_graph.count
            only[at] = caught
            gone = self.movement_graph.moved(only, PublicTurn(self.facts.flags), self.liking)
            left = [whole - part for whole, part in zip(left, gone, strict=True)]
        return caught + self.allied_weights.next * self._next(left, at) - self._away(left, at)

    def _chance_of(self, weights: Weights, at: int) -> float:
        """How likely Infantry catches him from a city, its die not thrown yet."""
        within = self.movement_graph.within[at]
        return sum([max([weights[end] for end in within[die]]) for die in DICE]) / len(DICE)

    def _next(self, weights: Weights, at: int) -> float:
        """About how likely the next round finds him and catches him, with the answers it will bring."""
        within = self.movement_graph.within[at]
        found = 0.0
        for die in DICE:
            found += sum(sorted([weights[end] for end in within[die]], reverse=True)[:GUESSES])
        return found / len(DICE)

    def _away(self, weights: Weights, at: int) -> float:
        """What distance costs."""
        far = self.movement_graph.far[at]
        return self.allied_weights.near * sum([weight * far[city] for city, weight in enumerate(weights)])

    # The Spy

    def _spy(self, at: int) -> float:
        return self.post(self.weights, at) - self._away(self.then, at)

    def post(self, weights: Weights, at: int) -> float:
        """What it is worth that the Spy asks from a city."""
        questions = self.questions(weights, self.movement_graph.within[at][1], ASKS)
        return self._asked(weights, questions)

    def _asked(self, weights: Weights, cities: Iterable[int]) -> float:
        """What answers about these cities, one after the other, are worth."""
        worth, rest = 0.0, list(weights)
        for city in cities:
            worth += self._if_here(weights, city)
            rest[city] = 0.0
        infantry = self.facts.at[INFANTRY]
        tried = self._chance_of(rest, infantry)
        return (
            worth + tried + self.allied_weights.next * self._next(self._after(rest), infantry) * (1 - tried)
        )

    def questions(self, weights: Weights, cities: Iterable[int], most: int) -> list[int]:
        """The cities of these that it asks about."""
        options = [city for city in cities if weights[city]]
        return sorted(options, key=lambda city: self._quick(weights, city), reverse=True)[:most]

    def quick(self, weights: Weights, at: int) -> float:
        """What it is worth at a first look that the Spy asks from a city."""
        worths = [self._quick(weights, city) for city in self.movement_graph.within[at][1] if weights[city]]
        return sum(sorted(worths)[-ASKS:])

    def _quick(self, weights: Weights, city: int) -> float:
        """Which question is best at a first look: where Infantry can follow, then where he likely is."""
        return weights[city] * (self.reach(self.facts.at[INFANTRY], city) + 0.3)

    def _if_here(self, weights: Weights, city: int) -> float:
        """What the answer yes is worth: Infantry goes there, or is near when he leaves."""
        infantry = self.facts.at[INFANTRY]
        reach = self.reach(infantry, city)
        only = [0.0] * self.movement_graph.count
        only[city] = weights[city]
        return weights[city] * reach + self.allied_weights.next * (1 - reach) * self._next(
            self._after(only), infantry
        )

    def reach(self, infantry: int, city: int) -> float:
        """How likely Infantry's die takes it to a city."""
        return max(0, len(DICE) + 1 - max(1, self.movement_graph.far[infantry][city])) / len(DICE)

    def _after(self, weights: Weights) -> Weights:
        self.budget.spend()
        return self.movement_graph.moved(weights, PublicTurn(self.facts.flags), self.liking)

    # The Tank

    def _tank(self, at: int, words: str) -> float:
        facts = self.facts
        here = facts.at[TANK]
        frees = at == here and (words == actions.LIBERATE or not facts.rules.liberation.declared)
        if words == actions.ROLL:
            # It will go where a flag is worth most, which takes a turn more.
            ends = self.movement_graph.within[here][2]
            return 0.6 * max([self._flag(end) for end in ends if end != here], default=0.0)
        if facts.stage.name != "tank" and not frees:
            return 0.6 * self._flag(at) - 0.3 * self._away(self.then, at)
        return self._flag(here) if frees else 0.0

    def _flag(self, city: int) -> float:
        """What a flag in a city is worth: how much of where he will be lies there and around."""
        if (self.facts.flags | self.facts.rising) >> city & 1:
            return -0.01
        near = self.movement_graph.within[city]
        passing = sum([self.then[end] for end in near[1]]) + 0.5 * sum([self.then[end] for end in near[2]])
        return self.allied_weights.flag * passing * len(near[1]) / 4


def placed(facts: FuhrerFacts, legal: Sequence[Action], chance: Chance) -> Action:
    """Where a piece is set up: where much is near, and apart from the others."""
    board = facts.rules.board

    def worth(action: Action) -> float:
        assert isinstance(action, PlacePiece)
        fresh = board.within[action.city][3]
        for other in facts.at:
            fresh &= ~board.within[other][2]
        return fresh.bit_count() + 3 * chance.random()

    return max(legal, key=worth)
