"""Dice whose throws a seed chooses."""

from __future__ import annotations

import random
from collections.abc import Sequence

from boardumpire.ruling.dice import Dice


def thrown_by(generator: random.Random) -> Dice:
    """Dice that take what comes from a generator, by its weight."""

    def throw(weights: Sequence[int]) -> int:
        return generator.choices(range(len(weights)), weights)[0]

    return throw
