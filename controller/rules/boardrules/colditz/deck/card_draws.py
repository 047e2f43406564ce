"""The readings of `draw_on`: whether the throws of a movement roll earn a card (R060, A3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

MAX_LOW_THROW: Final = 5  # R060
CLASSIC_TOTALS: Final = (3, 7, 11)

Throws = tuple[tuple[int, int], ...]


def any_throw(throws: Throws) -> bool:
    """A single throw of 5 or less."""
    return min(map(sum, throws)) <= MAX_LOW_THROW


def first_throw(throws: Throws) -> bool:
    """The first throw is 5 or less."""
    return sum(throws[0]) <= MAX_LOW_THROW


def final_total(throws: Throws) -> bool:
    """All throws together are 5 or less."""
    return sum(a + b for a, b in throws) <= MAX_LOW_THROW


def classic_total(throws: Throws) -> bool:
    """All throws together are 3, 7 or 11."""
    return sum(a + b for a, b in throws) in CLASSIC_TOTALS


DRAW_RULES: Final[Mapping[str, Callable[[Throws], bool]]] = {
    "any_throw": any_throw,
    "first_throw": first_throw,
    "final_total": final_total,
    "classic-3-7-11": classic_total,
}
