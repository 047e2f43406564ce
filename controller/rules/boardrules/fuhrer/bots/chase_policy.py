"""How the strongest Allies go about it: by how soon Infantry would catch Hitler if they knew where he is.

For each city of Infantry and each of his it is worked out backwards, round by round, how likely he is caught
if he always goes where that is least likely. They know less than that. So each place counts by how likely he
is there, an answer of the Spy by what Infantry can then do better, and a flag by how much sooner it ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import log
from typing import Final, NamedTuple

from boardrules.core import Action
from boardrules.fuhrer import actions
from boardrules.fuhrer.actions import INFANTRY, SPY, TANK, MovePiece, SpyQuestion
from boardrules.fuhrer.bots.allied_policy import MAX_QUESTIONS, AlliedPolicy, AlliedWeights
from boardrules.fuhrer.bots.belief_state import DIE_FACES, MovementGraph, Weights, normalise_weights
from boardrules.fuhrer.facts import FuhrerFacts
from boardrules.fuhrer.maps import Cities
from boardrules.players import Chance, SearchBudget

ROUNDS_AHEAD: Final = 10
"""How many rounds are worked out."""
RECOMPUTED_ROUNDS: Final = 2
"""How many of them are worked out anew to see what a flag more is worth."""
MAX_FLAG_CITIES: Final = 4
"""In how many cities beside its own the Tank weighs a flag like that: those that look best at first."""
MAX_CITIES_FOR_FLAGS: Final = 64
"""On a map of more cities that takes too long for a small Pi, and flags are weighed as at first."""
NO_FLAG_VALUE: Final = -0.01
"""What a flag is worth where one lies, or where it isn't weighed."""
ROUND_DISCOUNT: Final = 0.95
"""What a capture counts in a round beside one in the round before."""
GUESS_PROBABILITY: Final = 0.5
"""How likely Infantry that gets to where he is goes there: it has to guess which of several cities it is."""


class CatchProbability(NamedTuple):
    """How likely he is caught in the end, by where Infantry is and then by where he is."""

    after_infantry_turn: Sequence[Weights]
    """Infantry has ended its turn there."""
    before_infantry_throw: Sequence[Weights]
    """It is about to throw, and knows where he is."""
    before_hitler_turn: Sequence[Weights]
    """It has ended its turn there, and it is his."""


@lru_cache(maxsize=4)
def catch_probability(movement_graph: MovementGraph, flags: Cities) -> CatchProbability:
    """Worked out with these flags, as they change seldom."""
    nothing = [[0.0] * movement_graph.city_count for _ in range(movement_graph.city_count)]
    return _compute_backwards(
        movement_graph, flags, CatchProbability(nothing, nothing, nothing), ROUNDS_AHEAD
    )


@lru_cache(maxsize=8)
def catch_probability_with_flags(
    movement_graph: MovementGraph, flags: Cities, new_flags: Cities
) -> CatchProbability:
    """What it comes to with more flags: only the first rounds are worked out anew."""
    return _compute_backwards(
        movement_graph, flags | new_flags, catch_probability(movement_graph, flags), RECOMPUTED_ROUNDS
    )


def _compute_backwards(
    movement_graph: MovementGraph, flags: Cities, later: CatchProbability, rounds: int
) -> CatchProbability:
    """So many rounds more before those of `later`."""
    count = movement_graph.city_count
    ends = [movement_graph.end_cities(city, flags) or (city,) for city in range(count)]
    ahead = later.before_hitler_turn
    rings = [_cities_by_throw(within) for within in movement_graph.within]
    stood = known = ahead
    for _ in range(rounds):
        stood = [[ROUND_DISCOUNT * share for share in row] for row in ahead]
        for city, row in enumerate(stood):
            row[city] += GUESS_PROBABILITY * (1 - row[city])
        known = [_mean_over_throws([[stood[end] for end in ring] for ring in each]) for each in rings]
        by_his = [*zip(*known, strict=True)]
        least = [map(min, by_his[reached[0]], *[by_his[end] for end in reached]) for reached in ends]
        ahead = [*map(list, zip(*least, strict=True))]
    return CatchProbability(stood, known, ahead)


def _cities_by_throw(within: Sequence[Sequence[int]]) -> list[list[int]]:
    """By throw the cities that a piece gets to with it, and with none below."""
    near = [set(cities) for cities in within]
    return [sorted(near[die] - near[die - 1]) if die > 1 else sorted(near[die]) for die in DIE_FACES]


def _mean_over_throws(by_die: Sequence[Sequence[Weights]]) -> Weights:
    """By city the mean over the throws of the best that each allows: a higher one allows more."""
    best, found = list(by_die[0][0]), []
    for rows in by_die:
        best = list(map(max, best, *rows)) if rows else best
        found.append(best)
    return [sum(each) / len(DIE_FACES) for each in zip(*found, strict=True)]


class ChasePolicy(AlliedPolicy):
    """One decision of the Allies who go by that."""

    def __init__(
        self, facts: FuhrerFacts, allied_weights: AlliedWeights, chance: Chance, budget: SearchBudget
    ) -> None:
        super().__init__(facts, allied_weights, chance, budget)
        self.catch_probability = catch_probability(self.movement_graph, facts.flags)
        # Who always tries the likeliest city is expected there: so chance counts as much as what is believed.
        self.beliefs = normalise_weights([-log(1 - chance.random()) * weight for weight in self.beliefs])
        self._ends: dict[int, float] = {}
        self._flags: dict[int, float] = {}
        """By city where a flag is weighed what it is worth."""

    def action_value(self, action: Action) -> float:
        """How good an action is."""
        if isinstance(action, SpyQuestion):
            return self._knowledge_value(action.cities)
        if str(action) == actions.DONE:
            return self._knowledge_value(())
        piece = self.facts.stage.piece
        at = action.target if isinstance(action, MovePiece) else self.facts.city_by_piece[piece]
        if piece == INFANTRY:
            return self._infantry_end_value(at)
        if piece == SPY:
            return self._knowledge_value(self._best_spy_questions(at)) - self._distance_cost(
                self.next_beliefs, at
            )
        return self._tank_value(at, str(action))

    def _tank_value(self, at: int, words: str) -> float:
        if not self._flags:
            here, first = self.facts.city_by_piece[TANK], super()._flag_value
            near = sorted(self.movement_graph.within[here][DIE_FACES[-1]], key=first)
            if self.movement_graph.city_count > MAX_CITIES_FOR_FLAGS:
                self._flags = {city: first(city) for city in near}
            else:
                self._flags = {city: self._flag_gain(city) for city in {*near[-MAX_FLAG_CITIES:], here}}
        return super()._tank_value(at, words)

    def _flag_value(self, city: int) -> float:
        return self._flags.get(city, NO_FLAG_VALUE)

    def _flag_gain(self, city: int) -> float:
        """How much likelier it is that they catch him in the end, with a flag in a city."""
        facts = self.facts
        if (facts.flags | facts.rising_flags) >> city & 1:
            return NO_FLAG_VALUE
        here = facts.city_by_piece[INFANTRY]
        now, then = (
            catch_probability_with_flags(self.movement_graph, facts.flags, more).before_infantry_throw[here]
            for more in (0, 1 << city)
        )
        return sum([weight * (b - a) for weight, a, b in zip(self.beliefs, now, then, strict=True)])

    def _infantry_end_value(self, at: int) -> float:
        """What it is worth that Infantry ends its turn in a city."""
        stood = self.catch_probability.after_infantry_turn[at]
        return sum([weight * share for weight, share in zip(self.beliefs, stood, strict=True)])

    def _knowledge_value(self, cities: Sequence[int]) -> float:
        """What it is worth to Infantry, before it throws, to know whether he is in each of these cities."""
        here, stood = self.facts.city_by_piece[INFANTRY], self.catch_probability.after_infantry_turn
        within = self.movement_graph.within[here]
        if not self._ends:
            self._ends = {end: self._infantry_end_value(end) for end in within[DIE_FACES[-1]]}
        found = sum(
            [self.beliefs[city] * self.catch_probability.before_infantry_throw[here][city] for city in cities]
        )
        left = {
            end: worth - sum([self.beliefs[city] * stood[end][city] for city in cities])
            for end, worth in self._ends.items()
        }
        return found + sum([max([left[end] for end in within[die]]) for die in DIE_FACES]) / len(DIE_FACES)

    def _best_spy_questions(self, at: int) -> list[int]:
        """The cities that the Spy asks about there: the best, each by itself."""
        cities = [city for city in self.movement_graph.within[at][1] if self.beliefs[city]]
        return sorted(cities, key=lambda city: self._knowledge_value((city,)))[-MAX_QUESTIONS:]
