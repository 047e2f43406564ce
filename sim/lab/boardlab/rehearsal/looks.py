"""What a person makes of lamps: the hue of each, and whether one is much brighter than another.

A picture is what the lamps of a chain show at one moment, from the first to the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from boardsim.world.copper import DARK, RGB

Picture = Sequence[RGB]
BRIGHTER = 1.5
"""Times as bright is seen; less is not."""
FAINT = 0.5
"""A colour that is less than half the strongest of a lamp is missed in it: white then looks yellow."""
NEARLY = 0.75


def hue(colour: RGB) -> tuple[bool, bool, bool]:
    """Which of red, green and blue are seen."""
    strongest = max(colour)
    return tuple(each > FAINT * strongest for each in colour)  # type: ignore[return-value]


def same(one: RGB, other: RGB) -> bool:
    """Whether two lamps look the same."""
    if DARK in (one, other):
        return one == other
    low, high = sorted((max(one), max(other)))
    return hue(one) == hue(other) and high <= BRIGHTER * low + 2


def alike(pictures: Sequence[Picture]) -> bool:
    """Whether all lamps that shine look the same in each picture."""
    shines = [[each for each in shown if each != DARK] for shown in pictures]
    return all(same(lit[0], each) for lit in shines for each in lit)


def even(pictures: Sequence[Picture]) -> bool:
    """Whether all lamps are white, or all of them dark, and as bright as each other."""
    white = all(each == DARK or all(hue(each)) for shown in pictures for each in shown)
    return white and all(same(shown[0], each) for shown in pictures for each in shown)


def jumps(pictures: Sequence[Picture]) -> bool:
    """Whether lamps that shine look otherwise from blink to blink."""
    on = [shown for shown in pictures if any(each != DARK for each in shown)]
    return any(
        not same(one, other) for here, there in pairwise(on) for one, other in zip(here, there, strict=True)
    )


def first_steady(pictures: Sequence[Picture]) -> bool:
    """Whether the first lamp looks the same nearly whenever it shines."""
    lit = [shown[0] for shown in pictures if shown[0] != DARK]
    return not lit or max(sum(same(one, each) for each in lit) for one in lit) >= NEARLY * len(lit)


def fades(pictures: Sequence[Picture]) -> bool:
    """Whether lamps in the middle, or the last, look otherwise than the first, in the brightest picture."""
    brightest = max(pictures, key=lambda shown: max(shown[0]))
    far = (brightest[len(brightest) // 2], brightest[-1])
    return brightest[0] != DARK and not all(same(brightest[0], each) for each in far)
