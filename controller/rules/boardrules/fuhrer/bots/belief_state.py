"""Where Hitler may be, and how likely: weights by city, from what everybody knows.

The rules core keeps exactly the cities where he may be. Here they get weights: the token says where he was
two rounds ago, and from there he is followed turn by turn as somebody who likes to be far from Infantry and
Spy. All answers are taken in. Nothing here sees a sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Final

from boardrules.fuhrer.actions import INFANTRY, SPY, TANK, Origins
from boardrules.fuhrer.bounded_cache import BoundedCache
from boardrules.fuhrer.facts import AnnouncedTurn, FuhrerFacts, GivenAnswer
from boardrules.fuhrer.maps import Cities, CityMap, numbers
from boardrules.fuhrer.movement import FAR as FLAG
from boardrules.fuhrer.movement import KNOWN, PublicTurn
from boardrules.fuhrer.rules import FuhrerRules
from boardrules.fuhrer.simple_players import distances

Weights = list[float]
"""By city how likely he is there; all together 1."""

SHY: Final = 1.2
"""How much a link more between him and Infantry counts with him, as a power of e ..."""
WARY: Final = 0.3
"""... and between him and the Spy ..."""
FREE: Final = 0.7
"""... and e times as many cities to go on to ..."""
PINNED: Final = 1.0
"""... and that the Tank isn't there. All four by what the strongest Hitler did in 60 games."""
ANYWAY: Final = 0.15
"""How often he goes anywhere."""
DICE: Final = (1, 2, 3)
"""F06."""
FAR: Final = 4
"""Beyond that distance makes no difference."""


class MovementGraph:
    """A map and the rules of moving on it, as searches ask them again and again."""

    def __init__(self, rules: FuhrerRules) -> None:
        self.board: CityMap = rules.board
        self.flight = rules.flight
        self.holds = rules.options["trapped"] == "flagged"
        """Whether any flag holds him, or only one that lay there when he came (X15): which, nobody knows."""
        self.count = len(rules.board.ids)
        self.far = distances(rules.board)
        most = KNOWN * self.count
        self._ends: BoundedCache[tuple[int, Cities, Origins], tuple[int, ...]] = BoundedCache(
            self._reached, most
        )
        self.within = tuple(
            tuple(tuple(numbers(cities)) for cities in by_links) for by_links in rules.board.within
        )
        """By city and links 0 to 3 the cities at most so far away."""
        self.strays = tuple(self._strays(near) for near in self.within)
        """By city and city how likely a piece gets from one to the other that goes anywhere."""

    def _strays(self, near: Sequence[Sequence[int]]) -> Weights:
        found = [0.0] * self.count
        for die in DICE:
            for city in near[die]:
                found[city] += 1 / len(near[die]) / len(DICE)
        return found

    def _reached(self, key: tuple[int, Cities, Origins]) -> tuple[int, ...]:
        city, flags, origins = key
        return tuple(numbers(self.flight.ends(1 << city, flags, origins)))

    def ends(self, city: int, flags: Cities, origins: Origins = ()) -> tuple[int, ...]:
        """Where a turn from a city may end; a flag that lies there may hold him (F18)."""
        if self.holds and flags >> city & 1:
            return () if origins else (city,)
        return self._ends[city, flags if origins else flags & self.board.within[city][FLAG], origins]

    def liking(self, at: Sequence[int], flags: Cities) -> Weights:
        """By city how much he likes to be there while the pieces stand `at` theirs."""
        infantry, spy = self.far[at[INFANTRY]], self.far[at[SPY]]
        found: Weights = []
        for city in range(self.count):
            likes = SHY * min(infantry[city], FAR) + WARY * min(spy[city], FAR)
            likes += FREE * log(max(1, len(self.ends(city, flags))))
            found.append(exp(likes - PINNED * (city == at[TANK])))
        return found

    def moved(self, weights: Weights, turn: PublicTurn, liking: Weights) -> Weights:
        """The weights once he has made a turn of which this is known."""
        found = [0.0] * self.count
        if turn.recaptured >= 0:
            found[turn.recaptured] = 1.0
            return found
        for city, weight in enumerate(weights):
            if weight:
                ends = self.ends(city, turn.flags, turn.origins)
                whole = sum([liking[end] for end in ends])
                if whole:
                    share, any_ = (1 - ANYWAY) * weight / whole, ANYWAY * weight / len(ends)
                    for end in ends:
                        found[end] += share * liking[end] + any_
        return found


def even(movement_graph: MovementGraph, cities: Cities, liking: Weights) -> Weights:
    """He is in one of these cities, and where he likes best most likely."""
    return scaled([liking[city] if cities >> city & 1 else 0.0 for city in range(movement_graph.count)])


def scaled(weights: Weights) -> Weights:
    """The same, together 1; nothing where nothing is possible."""
    whole = sum(weights)
    return [weight / whole for weight in weights] if whole else weights


def believed(movement_graph: MovementGraph, facts: FuhrerFacts) -> Weights:
    """Where he is, by all that everybody has heard."""
    liking = movement_graph.liking(facts.at, facts.flags)
    possible = facts.rules.trap.cities(facts.revealed.possible)
    weights = _followed(movement_graph, facts, liking)
    weights = scaled([weight if possible >> city & 1 else 0.0 for city, weight in enumerate(weights)])
    return weights if any(weights) else even(movement_graph, possible, liking)


def _followed(movement_graph: MovementGraph, facts: FuhrerFacts, liking: Weights) -> Weights:
    """From the last place that is known for certain through each turn and each answer since."""
    log = facts.revealed.log
    turns = [said for said in log if isinstance(said, AnnouncedTurn)]
    known = turns[-1].token if turns else -1
    if known >= 0:
        weights = [0.0] * movement_graph.count
        weights[known] = 1.0
        since = turns[-1].round - 2
    else:
        weights = even(movement_graph, movement_graph.board.whole, liking)
        since = 0
    # The token tells the entry of a round's end: what was answered in that round is in it already.
    for said in log:
        if said.round <= since:
            continue
        if isinstance(said, AnnouncedTurn):
            weights = movement_graph.moved(weights, said.turn, liking)
        else:
            weights = answered(weights, said)
    return weights


def answered(weights: Weights, said: GivenAnswer) -> Weights:
    """The weights, not scaled, once an answer is known."""
    if said.here:
        return [weight if city == said.city else 0.0 for city, weight in enumerate(weights)]
    weights = list(weights)
    weights[said.city] = 0.0
    return weights
