"""Where Allies go who play plainly: towards the middle of where Hitler may be, and onto him if they can.

They don't weigh how likely he is where (`hunt` does), so they look in other cities than those who do. What
they do is worked out by its odds, as the simple players of this game do it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from boardrules.fuhrer.actions import INFANTRY, SPY
from boardrules.fuhrer.bots.belief import Ground, Weights
from boardrules.fuhrer.bots.hunt import ASKS, DICE
from boardrules.fuhrer.maps import Cities, numbers

POINTS: Final = 10
"""At how many points their whim is looked at: between cities that are nearly as good chance decides."""


class Round(NamedTuple):
    """What a round of the Allies does to Hitler, by city where he may be."""

    caught: Weights
    """How likely he is caught there ..."""
    found: Weights
    """... and how likely the Spy finds him there and Infantry doesn't reach him."""
    at: tuple[int, ...]
    """Where the pieces likely stand afterwards."""


def looked(ground: Ground, at: Sequence[int], possible: Cities) -> Round:
    """A round in which they know that he is in one of the `possible` cities."""
    cities = list(numbers(possible))
    near = [sum([far[city] for city in cities]) / max(1, len(cities)) for far in ground.far]
    spies = _goes(ground, at[SPY], _spying(ground, possible, near))
    lands = _goes(ground, at[INFANTRY], _landing(possible, near))
    asked = _asked(ground, spies, possible)
    caught, found = [0.0] * ground.count, [0.0] * ground.count
    for city in cities:
        far = ground.far[at[INFANTRY]][city]
        reach = max(0, len(DICE) + 1 - max(1, far)) / len(DICE)
        caught[city] = asked[city] * reach + (1 - asked[city]) * lands[city]
        found[city] = asked[city] * (1 - reach)
    ends = list(at)
    ends[SPY], ends[INFANTRY] = spies.index(max(spies)), lands.index(max(lands))
    return Round(caught, found, tuple(ends))


def _spying(ground: Ground, possible: Cities, near: Weights) -> Weights:
    """By city how the Spy likes to be there: beside many possible ones."""
    most, beside = 2 + possible.bit_count() / 3, ground.board.beside
    return [min((beside[city] & possible).bit_count(), most) - links for city, links in enumerate(near)]


def _landing(possible: Cities, near: Weights) -> Weights:
    """By city how Infantry likes to be there: upon a possible one, in the middle of the others."""
    here = 12.0 / max(1, possible.bit_count())
    return [here * (possible >> city & 1) - 2.0 * links for city, links in enumerate(near)]


def _goes(ground: Ground, at: int, liking: Weights) -> Weights:
    """By city how likely a piece ends its move there."""
    found = [0.0] * ground.count
    for die in DICE:
        ends = ground.within[at][die]
        best = max([liking[end] for end in ends])
        near = [(end, liking[end]) for end in ends if liking[end] > best - 1]
        shares = [_chosen(worth, [other for end, other in near if end != city]) for city, worth in near]
        whole = sum(shares) * len(DICE)
        for (city, _), share in zip(near, shares, strict=True):
            found[city] += share / whole
    return found


def _chosen(worth: float, others: Sequence[float]) -> float:
    """How likely this is the best, if chance adds up to 1 to it and to each of the others."""
    found = 0.0
    for point in range(POINTS):
        beats = 1.0
        mine = worth + (point + 0.5) / POINTS
        for other in others:
            beats *= min(1.0, max(0.0, mine - other))
        found += beats
    return found / POINTS


def _asked(ground: Ground, spies: Weights, possible: Cities) -> Weights:
    """By city how likely the Spy asks about it: about each that is possible and near, alike."""
    found = [0.0] * ground.count
    for end, share in enumerate(spies):
        if share:
            near = [city for city in ground.within[end][1] if possible >> city & 1]
            for city in near:
                found[city] += share * min(1.0, ASKS / len(near))
    return found
