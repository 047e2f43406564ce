"""Who throws for chance: the umpire, or people who read a real die to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Dice = Callable[[Sequence[int]], int]
"""Given the weights of what may come: which of it comes."""

UMPIRE, REAL = "umpire", "real"
DICE_KINDS = (UMPIRE, REAL)
"""As the configuration names them."""


def throw_system_dice(weights: Sequence[int]) -> int:
    """Dice of the operating system. A function, so that it can be sent to another process."""
    from random import SystemRandom  # not every game throws dice

    return SystemRandom().choices(range(len(weights)), weights)[0]


SYSTEM_DICE: Dice = throw_system_dice


class RealDice:
    """People throw; cards that only one seat may see the umpire deals all the same, by `card_dealer`."""

    def __init__(self, deals: Dice = SYSTEM_DICE) -> None:
        self.card_dealer = deals

    def __call__(self, weights: Sequence[int]) -> int:
        """Which card comes."""
        return self.card_dealer(weights)


def make_dice(kind: str, umpires: Dice = SYSTEM_DICE) -> Dice:
    """The dice of a way: the umpire's, or people's."""
    return umpires if kind == UMPIRE else RealDice(umpires)
