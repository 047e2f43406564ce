"""A light is what a lamp shows: a colour and how it changes over time, as one number of 16 bits.

Its four hexadecimal digits are red, green, blue and the pattern: `f700` is a steady amber, `00f3` a blue that
blinks; 0 is dark. What a light means is known to the host alone. MicroPython subset.
"""

BEAT_US = 50_000
"""Patterns move in beats of one common clock, so that a driver wakes at most 20 times a second however many
lamps move, and never while all are steady."""

FULL = 255
LOW = 40
"""The level of `DIM`, and the lower level of patterns that never go dark."""

STEADY = 0
DIM = 1
PULSE = 2
BLINK = 3
ALTERNATE = 4
FLASHES = 5
SWEEP = 8
"""A sweep runs over several lamps: this is the pattern of the first one, the next seven follow it."""
MAX_SWEEP_PLACE = 7
"""The lamps of a sweep beyond this one are lit together."""
SWEEP_BEATS = 3
"""How many beats after its neighbour a lamp of a sweep is lit."""

# A pattern as levels, one a beat. CYCLIC_PATTERNS begin anew at the end, the others stay at their last level.
_RISING_LEVELS = tuple(LOW + (FULL - LOW) * beat // 19 for beat in range(20))
LEVELS = {
    STEADY: (FULL,),
    DIM: (LOW,),
    PULSE: tuple(reversed(_RISING_LEVELS)) + _RISING_LEVELS,
    BLINK: (FULL,) * 8 + (0,) * 8,
    ALTERNATE: (FULL,) * 5 + (LOW,) * 5,
    FLASHES: ((FULL,) * 3 + (0,) * 2) * 3,
}
for _place in range(MAX_SWEEP_PLACE + 1):
    LEVELS[SWEEP + _place] = (0,) * (_place * SWEEP_BEATS) + (FULL,)
CYCLIC_PATTERNS = (PULSE, BLINK, ALTERNATE)


def _count_beats_to_change(pattern: int) -> "tuple[int, ...]":
    """For each beat of a pattern how many go by to the next other level; 0: none comes."""
    levels, found = LEVELS[pattern], []
    count = len(levels)
    for beat in range(count):
        wait = 0
        for later in range(beat + 1, beat + count if pattern in CYCLIC_PATTERNS else count):
            if levels[later % count] != levels[beat]:
                wait = later - beat
                break
        found.append(wait)
    return tuple(found)


_BEATS_TO_CHANGE = {pattern: _count_beats_to_change(pattern) for pattern in LEVELS}


def known(light: int) -> bool:
    """Whether there is such a pattern."""
    return light & 15 in LEVELS


def rgb(light: int) -> "tuple[int, int, int]":
    """Its (red, green, blue) at full brightness, 0 to 255."""
    return (light >> 12) * 17, (light >> 8 & 15) * 17, (light >> 4 & 15) * 17


def level(light: int, beat: int) -> int:
    """How bright it is, 0 to 255, that many beats after it was shown."""
    pattern = light & 15
    levels = LEVELS[pattern]
    if pattern in CYCLIC_PATTERNS:
        return levels[beat % len(levels)]
    return levels[min(beat, len(levels) - 1)]


def next_change_beat(light: int, beat: int) -> int | None:
    """The first beat after `beat` at which its level changes; `None` if it never does again."""
    pattern = light & 15
    waits = _BEATS_TO_CHANGE[pattern]
    at = beat
    if pattern in CYCLIC_PATTERNS:
        at %= len(waits)
    elif at >= len(waits):
        return None
    return beat + waits[at] if waits[at] else None


def declaration() -> str:
    """All of this that both ends have to understand alike."""
    shapes = [str(pattern) + str(LEVELS[pattern]) for pattern in sorted(LEVELS)]
    return " ".join(["rgb4 pattern4", str(BEAT_US), str(CYCLIC_PATTERNS)] + shapes)  # noqa: RUF005 - MicroPython
