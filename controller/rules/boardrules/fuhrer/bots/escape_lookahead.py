"""Where Hitler may go on from a city, and how dangerous that is: some rounds ahead, along his best ways.

The token tells in each round where he was two rounds ago. So the cities where the Allies think he may be are
two turns from there, and what they then do hangs on that and not on where he goes now. He follows them on
each way of his own: who chases him, and where the Tank raises flags.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from boardrules.fuhrer.actions import INFANTRY
from boardrules.fuhrer.bots.belief_state import MovementGraph, Weights
from boardrules.fuhrer.bots.hitler_weights import HitlerWeights
from boardrules.fuhrer.bots.simple_allies import RoundRisk, looked
from boardrules.fuhrer.ends import ROUNDS
from boardrules.fuhrer.facts import FuhrerFacts
from boardrules.fuhrer.maps import Cities
from boardrules.fuhrer.movement import PublicTurn
from boardrules.players import SearchBudget

BEST: Final = 3
"""How many of the best ways on count, as chance decides which of them stays open."""
NO_WAY: Final = 1.0
"""What it costs to go where he doesn't look further: as if he were caught."""
ROOTS: Final = 10
"""From how many cities he looks on."""


class HitlerRoute(NamedTuple):
    """A way that he may take: after a round."""

    cost: float
    """How likely he is caught on it, so far."""
    old: int
    """Where he was the round before: what the token tells next ..."""
    now: int
    """... and where he is."""
    turn: PublicTurn
    """What everybody heard of his turn."""
    at: tuple[int, ...]
    """Where the pieces stand."""
    flags: Cities


class EscapeLookahead:
    """The ways on from a position."""

    def __init__(
        self,
        movement_graph: MovementGraph,
        facts: FuhrerFacts,
        hitler_weights: HitlerWeights,
        budget: SearchBudget,
    ) -> None:
        self.movement_graph = movement_graph
        self.hitler_weights = hitler_weights
        self.budget = budget
        self.spots = facts.rules.spots
        self.trap = facts.rules.trap
        self.rounds = min(hitler_weights.rounds, ROUNDS - facts.round)
        """How many rounds more he looks at."""
        self.left = hitler_weights.left(facts.round + self.rounds)
        self._rounds: dict[tuple[object, ...], RoundRisk] = {}
        self._spread: dict[tuple[int, Cities], float] = {}

    def found(self, now: RoundRisk, ends: Sequence[int]) -> Weights:
        """By city what it costs to be found there in a round and not caught: they know where he starts."""
        costs = [self.hitler_weights.known] * self.movement_graph.count
        if self.rounds:
            for city in ends:
                if now.found[city] > 0.01:
                    near = self.trap.cities(self.trap.after(self.spots[city], PublicTurn(now.flags)))
                    then = looked(self.movement_graph, now.at, near, now.flags)
                    costs[city] = self._mean([then.caught[end] for end in self._ends(city, now.flags)])
        return costs

    def ahead(
        self, now: RoundRisk, old: int, turn: PublicTurn, ends: Sequence[int], risks: Weights
    ) -> Weights:
        """By city how likely he is caught in the rounds after this one, if he goes on as well as he can.

        `now` is what the Allies do in this round, `old` where he was before his `turn`. Of `ends`, where he
        may be after it, those with the least of `risks` are looked at.
        """
        found = [NO_WAY] * self.movement_graph.count
        looked_at = sorted(ends, key=risks.__getitem__)[:ROOTS]
        from_ = {city: [HitlerRoute(0.0, old, city, turn, now.at, now.flags)] for city in looked_at}
        for ahead in range(self.rounds):
            if not self.budget.left:
                break  # all of them equally far
            for city, ways in from_.items():
                from_[city] = self._apart(
                    on for way in ways for on in self._on(way, self.hitler_weights.later**ahead)
                )
        for city, ways in from_.items():
            found[city] = self._mean([way.cost + self._told(way) for way in ways])
        return found

    def _apart(self, ways: Iterable[HitlerRoute]) -> list[HitlerRoute]:
        """The best few that end in different cities."""
        best: dict[int, HitlerRoute] = {}
        for way in sorted(ways, key=lambda way: way.cost + self._told(way)):
            best.setdefault(way.now, way)
            if len(best) == self.hitler_weights.ways:
                break
        return list(best.values())

    def _on(self, way: HitlerRoute, counts: float) -> list[HitlerRoute]:
        """That way and another round."""
        key = way.old, way.turn, way.at, way.flags
        then, turn = self._rounds.get(key), PublicTurn(way.flags)
        if then is None:
            self.budget.spend()
            trap = self.trap
            possible = trap.cities(trap.after(trap.after(self.spots[way.old], way.turn), turn))
            then = self._rounds[key] = looked(self.movement_graph, way.at, possible, way.flags)
        found: list[HitlerRoute] = []
        strays = self.movement_graph.strays[way.at[INFANTRY]]
        for end in self._ends(way.now, way.flags):
            risk = (
                then.caught[end]
                + self.hitler_weights.known * then.found[end]
                + self.hitler_weights.stray * strays[end]
            )
            cost = way.cost + (1 - way.cost) * counts * risk
            found.append(HitlerRoute(cost, way.now, end, turn, then.at, then.flags))
        return found

    def _ends(self, city: int, flags: Cities) -> Sequence[int]:
        return self.movement_graph.ends(city, flags) or (city,)

    def _told(self, way: HitlerRoute) -> float:
        """What it costs, at the end of a way, that the token will tell of a city: the fewer he can get to."""
        key = way.now, way.flags
        known = self._spread.get(key)
        if known is None:
            trap, turn = self.trap, PublicTurn(way.flags)
            near = trap.cities(trap.after(trap.after(self.spots[way.now], turn), turn)).bit_count()
            known = self._spread[key] = self.left * self.hitler_weights.told / max(1, near)
        return known

    @staticmethod
    def _mean(costs: Sequence[float]) -> float:
        best = sorted(costs)[:BEST]
        return sum(best) / len(best)
