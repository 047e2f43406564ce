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
from boardrules.fuhrer.bots.simple_allies import RoundRisk, expected_round
from boardrules.fuhrer.ends import MAX_ROUNDS
from boardrules.fuhrer.facts import FuhrerFacts
from boardrules.fuhrer.maps import Cities
from boardrules.fuhrer.movement import PublicTurn
from boardrules.players import SearchBudget

BEST_WAYS_COUNTED: Final = 3
"""How many of the best ways on count, as chance decides which of them stays open."""
UNSEARCHED_COST: Final = 1.0
"""What it costs to go where he doesn't look further: as if he were caught."""
MAX_ROOT_CITIES: Final = 10
"""From how many cities he looks on."""


class HitlerRoute(NamedTuple):
    """A way that he may take: after a round."""

    cost: float
    """How likely he is caught on it, so far."""
    previous_city: int
    """Where he was the round before: what the token tells next ..."""
    current_city: int
    """... and where he is."""
    turn: PublicTurn
    """What everybody heard of his turn."""
    piece_cities: tuple[int, ...]
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
        self.marks_by_city = facts.rules.marks_by_city
        self.trap_rule = facts.rules.trap_rule
        self.rounds_ahead = min(hitler_weights.rounds_ahead, MAX_ROUNDS - facts.round)
        """How many rounds more he looks at."""
        self.late_game_factor = hitler_weights.late_game_factor(facts.round + self.rounds_ahead)
        self._rounds: dict[tuple[object, ...], RoundRisk] = {}
        self._spread: dict[tuple[int, Cities], float] = {}

    def found_costs(self, now: RoundRisk, ends: Sequence[int]) -> Weights:
        """By city what it costs to be found there in a round and not caught: they know where he starts."""
        costs = [self.hitler_weights.found_cost] * self.movement_graph.city_count
        if self.rounds_ahead:
            for city in ends:
                if now.found_probability[city] > 0.01:
                    near = self.trap_rule.cities_of_marks(
                        self.trap_rule.marks_after_turn(self.marks_by_city[city], PublicTurn(now.flags))
                    )
                    then = self._expected_round(now.piece_cities, near, now.flags, city)
                    costs[city] = self._mean_of_best(
                        [then.catch_probability[end] for end in self._end_cities(city, now.flags)]
                    )
        return costs

    def future_risks(
        self, now: RoundRisk, old: int, turn: PublicTurn, ends: Sequence[int], risks: Weights
    ) -> Weights:
        """By city how likely he is caught in the rounds after this one, if he goes on as well as he can.

        `now` is what the Allies do in this round, `old` where he was before his `turn`. Of `ends`, where he
        may be after it, those with the least of `risks` are looked at.
        """
        found = [UNSEARCHED_COST] * self.movement_graph.city_count
        looked_at = sorted(ends, key=risks.__getitem__)[:MAX_ROOT_CITIES]
        from_ = {city: [HitlerRoute(0.0, old, city, turn, now.piece_cities, now.flags)] for city in looked_at}
        for ahead in range(self.rounds_ahead):
            if not self.budget.remaining:
                break  # all of them equally far
            for city, ways in from_.items():
                from_[city] = self._best_distinct_routes(
                    on
                    for way in ways
                    for on in self._extend_route(way, self.hitler_weights.round_discount**ahead)
                )
        for city, ways in from_.items():
            found[city] = self._mean_of_best([way.cost + self._token_cost(way) for way in ways])
        return found

    def _best_distinct_routes(self, ways: Iterable[HitlerRoute]) -> list[HitlerRoute]:
        """The best few that end in different cities."""
        best: dict[int, HitlerRoute] = {}
        for way in sorted(ways, key=lambda way: way.cost + self._token_cost(way)):
            best.setdefault(way.current_city, way)
            if len(best) == self.hitler_weights.ways_per_city:
                break
        return list(best.values())

    def _extend_route(self, way: HitlerRoute, counts: float) -> list[HitlerRoute]:
        """That way and another round."""
        key = way.previous_city, way.turn, way.piece_cities, way.flags
        then, turn = self._rounds.get(key), PublicTurn(way.flags)
        if then is None:
            self.budget.try_spend()
            trap = self.trap_rule
            possible = trap.cities_of_marks(
                trap.marks_after_turn(
                    trap.marks_after_turn(self.marks_by_city[way.previous_city], way.turn), turn
                )
            )
            then = self._rounds[key] = self._expected_round(
                way.piece_cities, possible, way.flags, way.previous_city
            )
        found: list[HitlerRoute] = []
        strays = self.movement_graph.random_end_odds[way.piece_cities[INFANTRY]]
        for end in self._end_cities(way.current_city, way.flags):
            risk = (
                then.catch_probability[end]
                + self.hitler_weights.found_cost * then.found_probability[end]
                + self.hitler_weights.random_share * strays[end]
            )
            cost = way.cost + (1 - way.cost) * counts * risk
            found.append(HitlerRoute(cost, way.current_city, end, turn, then.piece_cities, then.flags))
        return found

    def _expected_round(self, at: Sequence[int], possible: Cities, flags: Cities, seen: int) -> RoundRisk:
        """What the Allies do whom he expects, once the token or an answer has told of a city."""
        return expected_round(
            self.movement_graph, at, possible, flags, seen if self.hitler_weights.expects_runners else -1
        )

    def _end_cities(self, city: int, flags: Cities) -> Sequence[int]:
        return self.movement_graph.end_cities(city, flags) or (city,)

    def _token_cost(self, way: HitlerRoute) -> float:
        """What it costs, at the end of a way, that the token will tell of a city: the fewer he can get to."""
        key = way.current_city, way.flags
        known = self._spread.get(key)
        if known is None:
            trap, turn = self.trap_rule, PublicTurn(way.flags)
            near = trap.cities_of_marks(
                trap.marks_after_turn(trap.marks_after_turn(self.marks_by_city[way.current_city], turn), turn)
            ).bit_count()
            known = self._spread[key] = self.late_game_factor * self.hitler_weights.token_cost / max(1, near)
        return known

    @staticmethod
    def _mean_of_best(costs: Sequence[float]) -> float:
        best = sorted(costs)[:BEST_WAYS_COUNTED]
        return sum(best) / len(best)
