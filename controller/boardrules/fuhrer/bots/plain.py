"""Where Allies go who play plainly: towards the middle of where Hitler may be, and onto him if they can.

They don't weigh how likely he is where (`hunt` does), so they look in other cities than those who do. What
they do is worked out throw by throw, as the simple players of this game do it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from boardrules.fuhrer.actions import INFANTRY, SPY, TANK
from boardrules.fuhrer.bots.belief import Ground, Weights
from boardrules.fuhrer.bots.hunt import ASKS, DICE
from boardrules.fuhrer.maps import Cities, numbers
from boardrules.players import Chance

TRIES: Final = 4
"""How often each throw is looked at: how they choose between cities that are nearly as good is chance."""
ASKED: Final = 4.0
"""What a question is worth to them beside `STOPS`, that they ask no more."""
STOPS: Final = 3.5


class Round(NamedTuple):
    """What a round of the Allies does to Hitler, by city where he may be."""

    caught: Weights
    """How likely he is caught there ..."""
    found: Weights
    """... and how likely the Spy finds him there and Infantry doesn't reach him."""
    at: tuple[int, ...]
    """Where the pieces likely stand afterwards."""


def looked(ground: Ground, at: Sequence[int], flags: Cities, possible: Cities, chance: Chance) -> Round:
    """A round in which they know that he is in one of the `possible` cities."""
    count = ground.count
    caught, found, stood = [0.0] * count, [0.0] * count, [0.0] * count
    spies = [0.0] * count
    share = 1 / (len(DICE) * TRIES)
    cities = list(numbers(possible))
    whole = [sum([far[city] for city in cities]) for far in ground.far]
    """By city the links to all possible ones together."""
    for die in DICE:
        for _ in range(TRIES):
            spy, asks = _spy(ground, at[SPY], die, possible, whole, chance)
            spies[spy] += share
            left = possible
            for city in asks:
                far = ground.far[at[INFANTRY]][city]
                reach = max(0, len(DICE) + 1 - max(1, far)) / len(DICE)
                caught[city] += share * reach
                found[city] += share * (1 - reach)
                left &= ~(1 << city)
            rest = max(1, len(cities) - len(asks))
            near = [
                (links - sum([far[city] for city in asks])) / rest
                for links, far in zip(whole, ground.far, strict=True)
            ]
            for throw in DICE:
                city = _infantry(ground, at[INFANTRY], throw, left, near, chance)
                stood[city] += share / len(DICE)
                if left >> city & 1:
                    caught[city] += share / len(DICE)
    ends = [at[piece] for piece in (TANK, SPY, INFANTRY)]
    ends[SPY], ends[INFANTRY] = spies.index(max(spies)), stood.index(max(stood))
    return Round(caught, found, tuple(ends))


def _spy(
    ground: Ground, at: int, die: int, possible: Cities, whole: Sequence[int], chance: Chance
) -> tuple[int, list[int]]:
    """Where the Spy goes, and what it asks about if the answers are no."""
    count = max(1, possible.bit_count())
    most, beside = 2 + count / 3, ground.board.beside

    def worth(city: int) -> float:
        return min((beside[city] & possible).bit_count(), most) - whole[city] / count + chance.random()

    end = max(ground.within[at][die], key=worth)
    asks: list[int] = []
    for _ in range(ASKS):
        best, asked = STOPS + chance.random(), -1
        for city in ground.within[end][1]:
            if possible >> city & 1:
                told = ASKED + 0.1 * (beside[city] & possible).bit_count() + chance.random()
                if told > best:
                    best, asked = told, city
        if asked < 0:
            break
        asks.append(asked)
        possible &= ~(1 << asked)
    return end, asks


def _infantry(ground: Ground, at: int, die: int, possible: Cities, near: Weights, chance: Chance) -> int:
    here = 12.0 / max(1, possible.bit_count())

    def worth(city: int) -> float:
        return here * (possible >> city & 1) - 2.0 * near[city] + chance.random()

    return max(ground.within[at][die], key=worth)
