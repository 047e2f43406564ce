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
from boardrules.fuhrer.bots.allied_policy import ASKS, AlliedPolicy, AlliedWeights
from boardrules.fuhrer.bots.belief_state import DICE, MovementGraph, Weights, scaled
from boardrules.fuhrer.facts import FuhrerFacts
from boardrules.fuhrer.maps import Cities
from boardrules.players import Chance, SearchBudget

AHEAD: Final = 10
"""How many rounds are worked out."""
ANEW: Final = 2
"""How many of them are worked out anew to see what a flag more is worth."""
FLAGS: Final = 4
"""In how many cities beside its own the Tank weighs a flag like that: those that look best at first."""
WIDE: Final = 64
"""On a map of more cities that takes too long for a small Pi, and flags are weighed as at first."""
NO_FLAG: Final = -0.01
"""What a flag is worth where one lies, or where it isn't weighed."""
LATER: Final = 0.95
"""What a capture counts in a round beside one in the round before."""
LUCK: Final = 0.5
"""How likely Infantry that gets to where he is goes there: it has to guess which of several cities it is."""


class CatchProbability(NamedTuple):
    """How likely he is caught in the end, by where Infantry is and then by where he is."""

    stood: Sequence[Weights]
    """Infantry has ended its turn there."""
    known: Sequence[Weights]
    """It is about to throw, and knows where he is."""
    ahead: Sequence[Weights]
    """It has ended its turn there, and it is his."""


@lru_cache(maxsize=4)
def pursuit(movement_graph: MovementGraph, flags: Cities) -> CatchProbability:
    """Worked out with these flags, as they change seldom."""
    nothing = [[0.0] * movement_graph.count for _ in range(movement_graph.count)]
    return _worked_out(movement_graph, flags, CatchProbability(nothing, nothing, nothing), AHEAD)


@lru_cache(maxsize=8)
def flagged(movement_graph: MovementGraph, flags: Cities, more: Cities) -> CatchProbability:
    """What it comes to with more flags: only the first rounds are worked out anew."""
    return _worked_out(movement_graph, flags | more, pursuit(movement_graph, flags), ANEW)


def _worked_out(
    movement_graph: MovementGraph, flags: Cities, later: CatchProbability, rounds: int
) -> CatchProbability:
    """So many rounds more before those of `later`."""
    count = movement_graph.count
    ends = [movement_graph.ends(city, flags) or (city,) for city in range(count)]
    ahead = later.ahead
    rings = [_rings(within) for within in movement_graph.within]
    stood = known = ahead
    for _ in range(rounds):
        stood = [[LATER * share for share in row] for row in ahead]
        for city, row in enumerate(stood):
            row[city] += LUCK * (1 - row[city])
        known = [_thrown([[stood[end] for end in ring] for ring in each]) for each in rings]
        by_his = [*zip(*known, strict=True)]
        least = [map(min, by_his[reached[0]], *[by_his[end] for end in reached]) for reached in ends]
        ahead = [*map(list, zip(*least, strict=True))]
    return CatchProbability(stood, known, ahead)


def _rings(within: Sequence[Sequence[int]]) -> list[list[int]]:
    """By throw the cities that a piece gets to with it, and with none below."""
    near = [set(cities) for cities in within]
    return [sorted(near[die] - near[die - 1]) if die > 1 else sorted(near[die]) for die in DICE]


def _thrown(by_die: Sequence[Sequence[Weights]]) -> Weights:
    """By city the mean over the throws of the best that each allows: a higher one allows more."""
    best, found = list(by_die[0][0]), []
    for rows in by_die:
        best = list(map(max, best, *rows)) if rows else best
        found.append(best)
    return [sum(each) / len(DICE) for each in zip(*found, strict=True)]


class ChasePolicy(AlliedPolicy):
    """One decision of the Allies who go by that."""

    def __init__(
        self, facts: FuhrerFacts, allied_weights: AlliedWeights, chance: Chance, budget: SearchBudget
    ) -> None:
        super().__init__(facts, allied_weights, chance, budget)
        self.pursuit = pursuit(self.movement_graph, facts.flags)
        # Who always tries the likeliest city is expected there: so chance counts as much as what is believed.
        self.weights = scaled([-log(1 - chance.random()) * weight for weight in self.weights])
        self._ends: dict[int, float] = {}
        self._flags: dict[int, float] = {}
        """By city where a flag is weighed what it is worth."""

    def worth(self, action: Action) -> float:
        """How good an action is."""
        if isinstance(action, SpyQuestion):
            return self._told(action.cities)
        if str(action) == actions.DONE:
            return self._told(())
        piece = self.facts.stage.piece
        at = action.to if isinstance(action, MovePiece) else self.facts.at[piece]
        if piece == INFANTRY:
            return self._stands(at)
        if piece == SPY:
            return self._told(self._questions(at)) - self._away(self.then, at)
        return self._tank(at, str(action))

    def _tank(self, at: int, words: str) -> float:
        if not self._flags:
            here, first = self.facts.at[TANK], super()._flag
            near = sorted(self.movement_graph.within[here][DICE[-1]], key=first)
            if self.movement_graph.count > WIDE:
                self._flags = {city: first(city) for city in near}
            else:
                self._flags = {city: self._sooner(city) for city in {*near[-FLAGS:], here}}
        return super()._tank(at, words)

    def _flag(self, city: int) -> float:
        return self._flags.get(city, NO_FLAG)

    def _sooner(self, city: int) -> float:
        """How much likelier it is that they catch him in the end, with a flag in a city."""
        facts = self.facts
        if (facts.flags | facts.rising) >> city & 1:
            return NO_FLAG
        here = facts.at[INFANTRY]
        now, then = (flagged(self.movement_graph, facts.flags, more).known[here] for more in (0, 1 << city))
        return sum([weight * (b - a) for weight, a, b in zip(self.weights, now, then, strict=True)])

    def _stands(self, at: int) -> float:
        """What it is worth that Infantry ends its turn in a city."""
        stood = self.pursuit.stood[at]
        return sum([weight * share for weight, share in zip(self.weights, stood, strict=True)])

    def _told(self, cities: Sequence[int]) -> float:
        """What it is worth to Infantry, before it throws, to know whether he is in each of these cities."""
        here, stood = self.facts.at[INFANTRY], self.pursuit.stood
        within = self.movement_graph.within[here]
        if not self._ends:
            self._ends = {end: self._stands(end) for end in within[DICE[-1]]}
        found = sum([self.weights[city] * self.pursuit.known[here][city] for city in cities])
        left = {
            end: worth - sum([self.weights[city] * stood[end][city] for city in cities])
            for end, worth in self._ends.items()
        }
        return found + sum([max([left[end] for end in within[die]]) for die in DICE]) / len(DICE)

    def _questions(self, at: int) -> list[int]:
        """The cities that the Spy asks about there: the best, each by itself."""
        cities = [city for city in self.movement_graph.within[at][1] if self.weights[city]]
        return sorted(cities, key=lambda city: self._told((city,)))[-ASKS:]
