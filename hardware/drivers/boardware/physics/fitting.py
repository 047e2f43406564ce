"""Fits magnets and sensors of the model to what a person with a ruler measured.

Only how strong a magnet is *against* what closes a sensor can be told from distances. So the scale is that of
the sensor's class: samples are taken to be those of a class, evenly spread over it, and what is left is the
magnets'. Lengths in mm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log, sqrt
from typing import Final, NamedTuple

from boardware.physics.design import SensorDesign
from boardware.physics.edges import WAYS, closes, opens
from boardware.physics.reach import PLACED, STRENGTH, cases
from boardware.physics.reading import (
    RULER_MM,
    SPACER_MM,
    LinearReading,
    Reading,
    UnknownIndex,
    beliefs,
    row_of,
)

SURE: Final = 2.6
"""Standard deviations that are told with a value: it lies within in 99 of 100 measurements."""
ODD: Final = 4.2
"""So many standard deviations off a reading contradicts the others."""
DOUBTFUL: Final = 2.0
"""Readings whose mean square is so much more than expected don't fit the model."""

_FOUR = 0.35
"""How wrong the least of four ways may be, in mm: an estimate."""
_TURNED = 0.7
"""How far the null of a flat sensor moves where it leans by twice 3 degrees, in mm."""
_ENOUGH = 3
"""Fewer squares say nothing of how much samples differ."""
_ROUNDS = 14


class MeasuredValue(NamedTuple):
    """A number that was measured."""

    best: float
    sure: float
    """It lies within so much, more or less, in 99 of 100 measurements."""

    def holds(self, value: float) -> bool:
        """Whether a value is within."""
        return abs(value - self.best) <= self.sure


class FittedSquare(NamedTuple):
    """What lies under one square."""

    operate: MeasuredValue
    """In the unit of the part: AT or mT."""
    release: MeasuredValue
    """As a share of what closes it."""
    aside: tuple[MeasuredValue, MeasuredValue]
    """How far its sensor lies to the right of its place, and away."""
    gap: MeasuredValue
    felt: MeasuredValue
    """How far off its middle the weakest of the pieces closes it, in mm, whichever of four ways it is off."""


class OddReading(NamedTuple):
    """A reading that contradicts the others."""

    reading: Reading
    expected: float
    """mm, by all the others."""


class FittedReadings(NamedTuple):
    """What the readings say."""

    design: SensorDesign
    """That of the board file, without what was measured before."""
    squares: Mapping[str, FittedSquare]
    pieces: Mapping[int, MeasuredValue]
    """Strength of each magnet, as a share of what its size and grade say."""
    strength: MeasuredValue
    """Of all of them."""
    gap: MeasuredValue
    share: float
    """The mean square of what is left over, as a share of what was to be expected."""
    odd: tuple[OddReading, ...]

    @property
    def sound(self) -> bool:
        """Whether the readings fit each other and the model."""
        return not self.odd and self.share < DOUBTFUL


def fit(design: SensorDesign, readings: Sequence[Reading]) -> FittedReadings:
    """What magnets and sensors of a design are, by the readings; what was measured before is forgotten.

    Raises `ValueError` where there are no readings.
    """
    design = design._replace(strength=None, operate=None, release=None)
    if not readings:
        raise ValueError("no readings, expected at least one")
    unknowns = UnknownIndex(readings)
    believed = beliefs(design, unknowns)
    at = [mean for mean, _ in believed]
    for _ in range(_ROUNDS):
        rows = [row_of(design, unknowns, at, each) for each in readings]
        matrix, right = _normal(rows, believed, at)
        step = _solved(matrix, [right])[0]
        at = [value + max(-0.7, min(0.7, each)) for value, each in zip(at, step, strict=True)]
    rows = [row_of(design, unknowns, at, each) for each in readings]
    matrix, _ = _normal(rows, believed, at)
    spread = _solved(matrix, [[float(n == k) for n in range(unknowns.count)] for k in range(unknowns.count)])
    return _told(design, readings, unknowns, at, spread, rows)


def _normal(
    rows: Sequence[LinearReading], believed: Sequence[tuple[float, float]], at: Sequence[float]
) -> tuple[list[list[float]], list[float]]:
    """The normal equations of one step."""
    count = len(believed)
    matrix, right = [[0.0] * count for _ in range(count)], [0.0] * count
    for key, (mean, sigma) in enumerate(believed):
        matrix[key][key] += 1 / sigma**2
        right[key] += (mean - at[key]) / sigma**2
    for row in rows:
        for key, slope in row.slopes.items():
            right[key] += slope * row.off
            for other, more in row.slopes.items():
                matrix[key][other] += slope * more
    return matrix, right


def _solved(matrix: Sequence[Sequence[float]], rights: Sequence[Sequence[float]]) -> list[list[float]]:
    """The solution for each right side; the matrix is positive definite, so nothing has to be exchanged."""
    size = len(matrix)
    work = [[*row, *(right[n] for right in rights)] for n, row in enumerate(matrix)]
    for n in range(size):
        for k in range(n + 1, size):
            factor = work[k][n] / work[n][n]
            if factor:
                work[k] = [one - factor * other for one, other in zip(work[k], work[n], strict=True)]
    for n in reversed(range(size)):
        work[n] = [value / work[n][n] for value in work[n]]
        for k in range(n):
            factor = work[k][n]
            if factor:
                work[k] = [one - factor * other for one, other in zip(work[k], work[n], strict=True)]
    return [[work[n][size + k] for n in range(size)] for k in range(len(rights))]


def _told(
    design: SensorDesign,
    readings: Sequence[Reading],
    unknowns: UnknownIndex,
    at: Sequence[float],
    spread: Sequence[Sequence[float]],
    rows: Sequence[LinearReading],
) -> FittedReadings:
    def value(keys: Sequence[int], *, share: bool, above: float = 0.0) -> MeasuredValue:
        """The sum (of logarithms: the mean) of some unknowns."""
        weight = 1 / len(keys) if share else 1.0
        best = weight * sum(at[key] for key in keys)
        sigma = weight * sqrt(max(0.0, sum(spread[one][other] for one in keys for other in keys)))
        if share:
            return MeasuredValue(exp(best), exp(best) * (exp(SURE * sigma) - 1))
        return MeasuredValue(above + best, SURE * sigma)

    weakest = min(unknowns.pieces, key=lambda number: at[unknowns.piece(number)])

    def felt(name: str) -> MeasuredValue:
        """How far off the middle of a square its contact closes."""
        asked = [Reading(name, weakest, way, True, 0.0, 0.0) for way in WAYS if way != "up"]
        row = min((row_of(design, unknowns, at, each) for each in asked), key=lambda row: row.expected)
        return MeasuredValue(row.expected, SURE * sqrt(row.sigma**2 * _taken([row], spread) + _FOUR**2))

    squares = {}
    for name in unknowns.squares:
        first = unknowns.square(name)
        squares[name] = FittedSquare(
            value([first], share=True),
            value([first + 1], share=True),
            (value([first + 2], share=False), value([first + 3], share=False)),
            value([first + 4, unknowns.gap], share=False, above=design.gap),
            felt(name),
        )
    pieces = {number: value([unknowns.piece(number)], share=True) for number in unknowns.pieces}
    free = max(1.0, len(readings) - _taken(rows, spread))
    odd = tuple(
        OddReading(reading, row.expected)
        for reading, row in zip(readings, rows, strict=True)
        if abs(row.off) > ODD
    )
    return FittedReadings(
        design,
        squares,
        pieces,
        value([unknowns.piece(number) for number in unknowns.pieces], share=True),
        value([unknowns.gap], share=False, above=design.gap),
        sum(row.off**2 for row in rows) / free,
        odd,
    )


def _taken(rows: Sequence[LinearReading], spread: Sequence[Sequence[float]]) -> float:
    """How many of the readings the unknowns take up, what was believed before aside."""
    return sum(
        slope * more * spread[key][other]
        for row in rows
        for key, slope in row.slopes.items()
        for other, more in row.slopes.items()
    )


def measured(found: FittedReadings) -> SensorDesign:
    """The design with what was measured, no better than so few samples allow.

    The least and the most of n samples that are spread evenly are on average (n - 1) / (n + 1) of the spread
    apart: so much is added on both sides. A few samples never make a class narrower than it is sold, nor a
    bag of magnets more alike than bags are.
    """
    sold = found.design.part.operate
    operate = _spread([each.operate.best for each in found.squares.values()])
    release = _spread([each.release.best for each in found.squares.values()])
    if len(found.squares) < _ENOUGH:
        release = (
            min(release[0], found.design.part.release[0]),
            max(release[1], found.design.part.release[1]),
        )
    weak, strong = _spread([each.best for each in found.pieces.values()])
    bag = [share * found.strength.best for share in STRENGTH]
    # The scale is that of the class, and the few samples that were met needn't be its mean.
    scale = log(sold[1] / sold[0]) / sqrt(12 * len(found.squares))
    return found.design._replace(
        gap=round(max(0.0, found.gap.best), 1),
        strength=(round(min(weak, bag[0]) * (1 - scale), 2), round(max(strong, bag[1]) * (1 + scale), 2)),
        operate=(round(min(operate[0], sold[0]), 1), round(max(operate[1], sold[1]), 1)),
        release=(round(max(0.05, release[0]), 2), round(min(0.98, release[1]), 2)),
    )


def _spread(samples: Sequence[float]) -> tuple[float, float]:
    """Between what more samples would lie."""
    low, high, count = min(samples), max(samples), len(samples)
    more = (high - low) / (count - 1) if count > 1 else 0.0
    return low - more, high + more


def uncovered(design: SensorDesign, readings: Sequence[Reading]) -> list[Reading]:
    """The readings that not even the worst parts of a design would give: it would promise too much."""
    weakest, _, keenest = cases(design)
    found = []
    for each in readings:
        slack = PLACED + 3 * RULER_MM + design.flat * _TURNED if each.way != "up" else 4 * SPACER_MM
        if each.closes:
            near, far = closes(weakest, each.way), closes(keenest, each.way)
        else:
            near, far = opens(weakest, each.way), opens(keenest, each.way)
        if (near is not None and each.high + slack < near) or (far is not None and each.low - slack > far):
            found.append(each)
    return found
