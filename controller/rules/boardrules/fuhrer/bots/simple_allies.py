"""Where Allies go who play plainly: towards the middle of where Hitler may be, and onto him if they can.

They don't weigh how likely he is where (`allied_policy` does), so they look in other cities than those who
do. What they do is worked out by its odds, as the simple players of this game do it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final, NamedTuple

from boardrules.fuhrer.actions import INFANTRY, SPY, TANK
from boardrules.fuhrer.bots.allied_policy import MAX_QUESTIONS
from boardrules.fuhrer.bots.belief_state import DIE_FACES, MovementGraph, Weights
from boardrules.fuhrer.maps import Cities, city_numbers
from boardrules.players import Chance

RUNNING_SPY_DISTANCE_WEIGHT: Final = 2.0
"""What a link nearer to where he was seen is worth to a Spy that runs there: more than a whim."""
INTEGRATION_POINTS: Final = 5
"""At how many points their whim is looked at: between cities that are nearly as good chance decides."""


class RoundRisk(NamedTuple):
    """What a round of the Allies does to Hitler, by city where he may be."""

    catch_probability: Weights
    """How likely he is caught there ..."""
    found_probability: Weights
    """... and how likely the Spy finds him there and Infantry doesn't reach him."""
    spy_end_odds: Weights
    """How likely the Spy ends there ..."""
    infantry_end_odds: Weights
    """... and Infantry."""
    piece_cities: tuple[int, ...]
    """Where the pieces most likely stand afterwards ..."""
    flags: Cities
    """... and where flags lie."""

    def draw_positions(self, chance: Chance) -> RoundRisk:
        """The same, but the pieces stand where chance puts them, by these odds."""
        ends = list(self.piece_cities)
        ends[SPY], ends[INFANTRY] = (
            _draw_city(self.spy_end_odds, chance),
            _draw_city(self.infantry_end_odds, chance),
        )
        return self._replace(piece_cities=tuple(ends))


def _draw_city(shares: Weights, chance: Chance) -> int:
    left = chance.random() * sum(shares)
    for city, share in enumerate(shares):
        left -= share
        if left < 0:
            return city
    return shares.index(max(shares))


def expected_round(
    movement_graph: MovementGraph, at: Sequence[int], possible: Cities, flags: Cities, seen: int = -1
) -> RoundRisk:
    """A round in which they know that he is in one of the `possible` cities.

    With a city where he was `seen` they run to it, not to the middle of all those cities.
    """
    cities = list(city_numbers(possible))
    count = max(1, len(cities))
    rows = [movement_graph.distances[city] for city in cities]
    near = [whole / count for whole in map(sum, zip(*rows, strict=True))] or [0.0] * movement_graph.city_count
    posts = _spy_preferences(movement_graph, possible, near)
    if seen >= 0:
        near = [float(links) for links in movement_graph.distances[seen]]
        posts = [-RUNNING_SPY_DISTANCE_WEIGHT * links for links in near]
    spies = _end_odds(movement_graph, at[SPY], posts)
    lands = _end_odds(movement_graph, at[INFANTRY], _infantry_preferences(possible, near))
    asked = _question_odds(movement_graph, spies, possible)
    caught, found = [0.0] * movement_graph.city_count, [0.0] * movement_graph.city_count
    for city, far in zip(cities, [row[at[INFANTRY]] for row in rows], strict=True):
        reach = max(0, len(DIE_FACES) + 1 - max(1, far)) / len(DIE_FACES)
        caught[city] = asked[city] * reach + (1 - asked[city]) * lands[city]
        found[city] = asked[city] * (1 - reach)
    ends = list(at)
    ends[SPY], ends[INFANTRY] = spies.index(max(spies)), lands.index(max(lands))
    ends[TANK] = _tank_end_city(movement_graph, at[TANK], possible, near, flags)
    if ends[TANK] == at[TANK]:
        flags |= 1 << at[TANK]
    return RoundRisk(caught, found, spies, lands, tuple(ends), flags)


def _tank_end_city(
    movement_graph: MovementGraph, here: int, possible: Cities, near: Weights, flags: Cities
) -> int:
    """Where the Tank ends its turn: across his way, and where it stands only if a flag is worth it."""
    beside = movement_graph.board.neighbours

    def worth(city: int) -> float:
        free = not flags >> city & 1
        passing = (beside[city] & possible).bit_count()
        going = 0.5 * passing - near[city] - 2.0 * (not free)
        return going if city != here else going + (0.8 + 0.4 * passing if free else -2.0)

    return max(movement_graph.within[here][DIE_FACES[1]], key=worth)


def _spy_preferences(movement_graph: MovementGraph, possible: Cities, near: Weights) -> Weights:
    """By city how the Spy likes to be there: beside many possible ones."""
    most, beside = 2 + possible.bit_count() / 3, movement_graph.board.neighbours
    return [min((beside[city] & possible).bit_count(), most) - links for city, links in enumerate(near)]


def _infantry_preferences(possible: Cities, near: Weights) -> Weights:
    """By city how Infantry likes to be there: upon a possible one, in the middle of the others."""
    here = 12.0 / max(1, possible.bit_count())
    return [here * (possible >> city & 1) - 2.0 * links for city, links in enumerate(near)]


def _end_odds(movement_graph: MovementGraph, at: int, liking: Weights) -> Weights:
    """By city how likely a piece ends its move there."""
    found = [0.0] * movement_graph.city_count
    for die in DIE_FACES:
        ends = movement_graph.within[at][die]
        best = max([liking[end] for end in ends])
        near = [end for end in ends if liking[end] > best - 1]
        if len(near) == 1:
            found[near[0]] += 1 / len(DIE_FACES)
            continue
        shares = _best_choice_odds([liking[end] - best for end in near])
        whole = sum(shares) * len(DIE_FACES)
        for city, share in zip(near, shares, strict=True):
            found[city] += share / whole
    return found


def _best_choice_odds(worths: Sequence[float]) -> Weights:
    """How likely each is the best, not scaled, if chance adds up to 1 to each; the best of them is worth 0.

    The most that any comes to lies between 0 and 1. Each may be the one that comes to it, if all others stay
    below.
    """
    shares = [0.0] * len(worths)
    for point in range(INTEGRATION_POINTS):
        most = (point + 0.5) / INTEGRATION_POINTS
        below = [part if (part := most - worth) < 1.0 else 1.0 for worth in worths]
        all_below = prod(below)
        for number, part in enumerate(below):
            if part < 1.0:
                shares[number] += all_below / part
    return shares


def _question_odds(movement_graph: MovementGraph, spies: Weights, possible: Cities) -> Weights:
    """By city how likely the Spy asks about it: about each that is possible and near, alike."""
    found = [0.0] * movement_graph.city_count
    for end, share in enumerate(spies):
        if share:
            near = [city for city in movement_graph.within[end][1] if possible >> city & 1]
            for city in near:
                found[city] += share * min(1.0, MAX_QUESTIONS / len(near))
    return found
