"""What a person makes of lamps: the hue of each, and whether one is much brighter than another.

A picture is what the lamps of a chain show at one moment, from the first to the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from boardsim.world.copper import DARK, RGB

Picture = Sequence[RGB]
BRIGHTER_RATIO = 1.5
"""Times as bright is seen; less is not."""
FAINT_RATIO_MAX = 0.5
"""A colour that is less than half the strongest of a lamp is missed in it: white then looks yellow."""
NEARLY_ALWAYS_SHARE = 0.75


def seen_primaries(colour: RGB) -> tuple[bool, bool, bool]:
    """Which of red, green and blue are seen."""
    strongest = max(colour)
    return tuple(each > FAINT_RATIO_MAX * strongest for each in colour)  # type: ignore[return-value]


def is_same_colour(one: RGB, other: RGB) -> bool:
    """Whether two lamps look the same."""
    if DARK in (one, other):
        return one == other
    low, high = sorted((max(one), max(other)))
    return seen_primaries(one) == seen_primaries(other) and high <= BRIGHTER_RATIO * low + 2


def are_alike(pictures: Sequence[Picture]) -> bool:
    """Whether all lamps that shine look the same in each picture."""
    shines = [[each for each in shown if each != DARK] for shown in pictures]
    return all(is_same_colour(lit[0], each) for lit in shines for each in lit)


def is_evenly_bright(pictures: Sequence[Picture]) -> bool:
    """Whether all lamps are white, or all of them dark, and as bright as each other."""
    white = all(each == DARK or all(seen_primaries(each)) for shown in pictures for each in shown)
    return white and all(is_same_colour(shown[0], each) for shown in pictures for each in shown)


def colours_jump(pictures: Sequence[Picture]) -> bool:
    """Whether lamps that shine look otherwise from blink to blink."""
    on = [shown for shown in pictures if any(each != DARK for each in shown)]
    return any(
        not is_same_colour(one, other)
        for here, there in pairwise(on)
        for one, other in zip(here, there, strict=True)
    )


def is_first_steady(pictures: Sequence[Picture]) -> bool:
    """Whether the first lamp looks the same nearly whenever it shines."""
    lit = [shown[0] for shown in pictures if shown[0] != DARK]
    return not lit or max(
        sum(is_same_colour(one, each) for each in lit) for one in lit
    ) >= NEARLY_ALWAYS_SHARE * len(lit)


def fades_along_chain(pictures: Sequence[Picture]) -> bool:
    """Whether lamps in the middle, or the last, look otherwise than the first, in the brightest picture."""
    brightest = max(pictures, key=lambda shown: max(shown[0]))
    far = (brightest[len(brightest) // 2], brightest[-1])
    return brightest[0] != DARK and not all(is_same_colour(brightest[0], each) for each in far)
