"""Where Hitler may be, and how likely: weights by city, from what everybody knows.

The rules core keeps exactly the cities where he may be. Here they get weights: the token says where he was
two rounds ago, and from there he is followed turn by turn as somebody who likes to be far from Infantry and
Spy. All answers are taken in. Nothing here sees a sheet.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import exp, log
from typing import Final

from boardrules.fuhrer.actions import INFANTRY, SPY, TANK, Origins
from boardrules.fuhrer.bounded_cache import BoundedCache
from boardrules.fuhrer.facts import AnnouncedTurn, FuhrerFacts, GivenAnswer
from boardrules.fuhrer.maps import Cities, CityMap, city_numbers
from boardrules.fuhrer.movement import CACHE_SIZE_PER_CITY, PublicTurn
from boardrules.fuhrer.movement import MAX_BARRING_DISTANCE as FLAG
from boardrules.fuhrer.rules import FuhrerRules
from boardrules.fuhrer.simple_players import distances

Weights = list[float]
"""By city how likely he is there; all together 1."""

INFANTRY_DISTANCE_WEIGHT: Final = 1.2
"""How much a link more between him and Infantry counts with him, as a power of e ..."""
SPY_DISTANCE_WEIGHT: Final = 0.3
"""... and between him and the Spy ..."""
ONWARD_CITIES_WEIGHT: Final = 0.7
"""... and e times as many cities to go on to ..."""
TANK_CITY_PENALTY: Final = 1.0
"""... and that the Tank isn't there. All four by what the strongest Hitler did in 60 games."""
RANDOM_MOVE_SHARE: Final = 0.15
"""How often he goes anywhere."""
SITTER_PRIOR: Final = 0.2
"""How many Hitlers are believed at first to stay where they are, as long as they may ..."""
SITTER_STAY_RATE: Final = 0.95
"""... how often such a one does ..."""
OTHER_STAY_RATE: Final = 0.3
"""... and how often any other."""
DIE_FACES: Final = (1, 2, 3)
"""F06."""
MAX_COUNTED_DISTANCE: Final = 4
"""Beyond that distance makes no difference."""


class MovementGraph:
    """A map and the rules of moving on it, as searches ask them again and again."""

    def __init__(self, rules: FuhrerRules) -> None:
        self.board: CityMap = rules.board
        self.flight = rules.flight_rule
        self.does_any_flag_hold = rules.options["trapped"] == "flagged"
        """Whether any flag holds him, or only one that lay there when he came (X15): which, nobody knows."""
        self.city_count = len(rules.board.ids)
        self.distances = distances(rules.board)
        most = CACHE_SIZE_PER_CITY * self.city_count
        self._ends: BoundedCache[tuple[int, Cities, Origins], tuple[int, ...]] = BoundedCache(
            self._compute_ends, most
        )
        self.within = tuple(
            tuple(tuple(city_numbers(cities)) for cities in by_links)
            for by_links in rules.board.cities_within
        )
        """By city and links 0 to 3 the cities at most so far away."""
        self.random_end_odds = tuple(self._compute_random_odds(near) for near in self.within)
        """By city and city how likely a piece gets from one to the other that goes anywhere."""

    def _compute_random_odds(self, near: Sequence[Sequence[int]]) -> Weights:
        found = [0.0] * self.city_count
        for die in DIE_FACES:
            for city in near[die]:
                found[city] += 1 / len(near[die]) / len(DIE_FACES)
        return found

    def _compute_ends(self, key: tuple[int, Cities, Origins]) -> tuple[int, ...]:
        city, flags, origins = key
        return tuple(city_numbers(self.flight.end_cities(1 << city, flags, origins)))

    def end_cities(self, city: int, flags: Cities, origins: Origins = ()) -> tuple[int, ...]:
        """Where a turn from a city may end; a flag that lies there may hold him (F18)."""
        if self.does_any_flag_hold and flags >> city & 1:
            return () if origins else (city,)
        return self._ends[city, flags if origins else flags & self.board.cities_within[city][FLAG], origins]

    def hitler_preferences(self, at: Sequence[int], flags: Cities) -> Weights:
        """By city how much he likes to be there while the pieces stand `at` theirs."""
        infantry, spy = self.distances[at[INFANTRY]], self.distances[at[SPY]]
        found: Weights = []
        for city in range(self.city_count):
            likes = INFANTRY_DISTANCE_WEIGHT * min(
                infantry[city], MAX_COUNTED_DISTANCE
            ) + SPY_DISTANCE_WEIGHT * min(spy[city], MAX_COUNTED_DISTANCE)
            likes += ONWARD_CITIES_WEIGHT * log(max(1, len(self.end_cities(city, flags))))
            found.append(exp(likes - TANK_CITY_PENALTY * (city == at[TANK])))
        return found

    def weights_after_turn(
        self, weights: Weights, turn: PublicTurn, liking: Weights, sitter_odds: float = 0.0
    ) -> Weights:
        """The weights once he has made a turn of which this is known; `sitter_odds`: how likely he sits."""
        found = [0.0] * self.city_count
        if turn.recaptured_city >= 0:
            found[turn.recaptured_city] = 1.0
            return found
        for city, weight in enumerate(weights):
            if weight:
                ends = self.end_cities(city, turn.flags, turn.origins)
                whole = sum([liking[end] for end in ends])
                if sitter_odds and city in ends:
                    found[city] += SITTER_STAY_RATE * sitter_odds * weight
                    weight *= 1 - SITTER_STAY_RATE * sitter_odds
                if whole:
                    share, any_ = (
                        (1 - RANDOM_MOVE_SHARE) * weight / whole,
                        RANDOM_MOVE_SHARE * weight / len(ends),
                    )
                    for end in ends:
                        found[end] += share * liking[end] + any_
        return found


def preferred_weights(movement_graph: MovementGraph, cities: Cities, liking: Weights) -> Weights:
    """He is in one of these cities, and where he likes best most likely."""
    return normalise_weights(
        [liking[city] if cities >> city & 1 else 0.0 for city in range(movement_graph.city_count)]
    )


def normalise_weights(weights: Weights) -> Weights:
    """The same, together 1; nothing where nothing is possible."""
    whole = sum(weights)
    return [weight / whole for weight in weights] if whole else weights


def current_beliefs(movement_graph: MovementGraph, facts: FuhrerFacts) -> Weights:
    """Where he is, by all that everybody has heard."""
    liking = movement_graph.hitler_preferences(facts.city_by_piece, facts.flags)
    possible = facts.rules.trap_rule.cities_of_marks(facts.knowledge.possible_marks)
    weights = _track_beliefs(movement_graph, facts, liking)
    weights = normalise_weights(
        [weight if possible >> city & 1 else 0.0 for city, weight in enumerate(weights)]
    )
    return weights if any(weights) else preferred_weights(movement_graph, possible, liking)


def _track_beliefs(movement_graph: MovementGraph, facts: FuhrerFacts, liking: Weights) -> Weights:
    """From the last place that is known for certain through each turn and each answer since."""
    log = facts.knowledge.log
    turns = [said for said in log if isinstance(said, AnnouncedTurn)]
    known = turns[-1].token if turns else -1
    if known >= 0:
        weights = [0.0] * movement_graph.city_count
        weights[known] = 1.0
        since = turns[-1].round - 2
    else:
        weights = preferred_weights(movement_graph, movement_graph.board.all_cities, liking)
        since = 0
    sitter_odds = sitter_probability(turns)
    # The token tells the entry of a round's end: what was answered in that round is in it already.
    for said in log:
        if said.round <= since:
            continue
        if isinstance(said, AnnouncedTurn):
            weights = movement_graph.weights_after_turn(weights, said.turn, liking, sitter_odds)
        else:
            weights = weights_after_answer(weights, said)
    return weights


def sitter_probability(turns: Sequence[AnnouncedTurn]) -> float:
    """How likely he is one who stays where he is, by where the token was found (Bayes)."""
    sits, others = SITTER_PRIOR, 1 - SITTER_PRIOR
    for before, after in itertools.pairwise(turns):
        if before.token >= 0 and after.token >= 0:
            stayed = before.token == after.token
            sits *= SITTER_STAY_RATE if stayed else 1 - SITTER_STAY_RATE
            others *= OTHER_STAY_RATE if stayed else 1 - OTHER_STAY_RATE
    return sits / (sits + others)


def weights_after_answer(weights: Weights, said: GivenAnswer) -> Weights:
    """The weights, not scaled, once an answer is known."""
    if said.is_here:
        return [weight if city == said.city else 0.0 for city, weight in enumerate(weights)]
    weights = list(weights)
    weights[said.city] = 0.0
    return weights
