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
from boardware.physics.edges import DIRECTIONS, closing_distance_mm, opening_distance_mm
from boardware.physics.reach import MAGNET_STRENGTH_RANGE, MOUNTING_ERROR_MM, reach_cases
from boardware.physics.reading import (
    RULER_ERROR_MM,
    SPACER_ERROR_MM,
    LinearReading,
    RulerReading,
    UnknownIndex,
    linearise_reading,
    prior_beliefs,
)

SURE_SIGMAS: Final = 2.6
"""Standard deviations that are told with a value: it lies within in 99 of 100 measurements."""
ODD_SIGMAS: Final = 4.2
"""So many standard deviations off a reading contradicts the others."""
DOUBTFUL_MEAN_SQUARE: Final = 2.0
"""Readings whose mean square is so much more than expected don't fit the model."""

_FOUR_WAYS_ERROR_MM = 0.35
"""How wrong the least of four ways may be, in mm: an estimate."""
_LEAN_ERROR_MM = 0.7
"""How far the null of a flat sensor moves where it leans by twice 3 degrees, in mm."""
_SQUARES_MIN = 3
"""Fewer squares say nothing of how much samples differ."""
_FIT_ROUNDS = 14


class MeasuredValue(NamedTuple):
    """A number that was measured."""

    best: float
    margin: float
    """It lies within so much, more or less, in 99 of 100 measurements."""

    def contains(self, value: float) -> bool:
        """Whether a value is within."""
        return abs(value - self.best) <= self.margin


class FittedSquare(NamedTuple):
    """What lies under one square."""

    operate: MeasuredValue
    """In the unit of the part: AT or mT."""
    release: MeasuredValue
    """As a share of what closes it."""
    sensor_offset_mm: tuple[MeasuredValue, MeasuredValue]
    """How far its sensor lies to the right of its place, and away."""
    gap: MeasuredValue
    felt_mm: MeasuredValue
    """How far off its middle the weakest of the pieces closes it, in mm, whichever of four ways it is off."""


class OddReading(NamedTuple):
    """A reading that contradicts the others."""

    reading: RulerReading
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
    mean_square_share: float
    """The mean square of what is left over, as a share of what was to be expected."""
    odd_readings: tuple[OddReading, ...]

    @property
    def is_consistent(self) -> bool:
        """Whether the readings fit each other and the model."""
        return not self.odd_readings and self.mean_square_share < DOUBTFUL_MEAN_SQUARE


def fit(design: SensorDesign, readings: Sequence[RulerReading]) -> FittedReadings:
    """What magnets and sensors of a design are, by the readings; what was measured before is forgotten.

    Raises `ValueError` where there are no readings.
    """
    design = design._replace(strength=None, operate=None, release=None)
    if not readings:
        raise ValueError("no readings, expected at least one")
    unknowns = UnknownIndex(readings)
    believed = prior_beliefs(design, unknowns)
    at = [mean for mean, _ in believed]
    for _ in range(_FIT_ROUNDS):
        rows = [linearise_reading(design, unknowns, at, each) for each in readings]
        matrix, right = _normal_equations(rows, believed, at)
        step = _solve_equations(matrix, [right])[0]
        at = [value + max(-0.7, min(0.7, each)) for value, each in zip(at, step, strict=True)]
    rows = [linearise_reading(design, unknowns, at, each) for each in readings]
    matrix, _ = _normal_equations(rows, believed, at)
    spread = _solve_equations(
        matrix, [[float(n == k) for n in range(unknowns.count)] for k in range(unknowns.count)]
    )
    return _make_fitted_readings(design, readings, unknowns, at, spread, rows)


def _normal_equations(
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
            right[key] += slope * row.residual_sigmas
            for other, more in row.slopes.items():
                matrix[key][other] += slope * more
    return matrix, right


def _solve_equations(
    matrix: Sequence[Sequence[float]], rights: Sequence[Sequence[float]]
) -> list[list[float]]:
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


def _make_fitted_readings(
    design: SensorDesign,
    readings: Sequence[RulerReading],
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
            return MeasuredValue(exp(best), exp(best) * (exp(SURE_SIGMAS * sigma) - 1))
        return MeasuredValue(above + best, SURE_SIGMAS * sigma)

    weakest = min(unknowns.pieces, key=lambda number: at[unknowns.first_of_piece(number)])

    def felt(name: str) -> MeasuredValue:
        """How far off the middle of a square its contact closes."""
        asked = [RulerReading(name, weakest, way, True, 0.0, 0.0) for way in DIRECTIONS if way != "up"]
        row = min(
            (linearise_reading(design, unknowns, at, each) for each in asked), key=lambda row: row.expected_mm
        )
        return MeasuredValue(
            row.expected_mm,
            SURE_SIGMAS
            * sqrt(row.sigma_mm**2 * _used_degrees_of_freedom([row], spread) + _FOUR_WAYS_ERROR_MM**2),
        )

    squares = {}
    for name in unknowns.squares:
        first = unknowns.first_of_square(name)
        squares[name] = FittedSquare(
            value([first], share=True),
            value([first + 1], share=True),
            (value([first + 2], share=False), value([first + 3], share=False)),
            value([first + 4, unknowns.gap_index], share=False, above=design.gap_mm),
            felt(name),
        )
    pieces = {number: value([unknowns.first_of_piece(number)], share=True) for number in unknowns.pieces}
    free = max(1.0, len(readings) - _used_degrees_of_freedom(rows, spread))
    odd = tuple(
        OddReading(reading, row.expected_mm)
        for reading, row in zip(readings, rows, strict=True)
        if abs(row.residual_sigmas) > ODD_SIGMAS
    )
    return FittedReadings(
        design,
        squares,
        pieces,
        value([unknowns.first_of_piece(number) for number in unknowns.pieces], share=True),
        value([unknowns.gap_index], share=False, above=design.gap_mm),
        sum(row.residual_sigmas**2 for row in rows) / free,
        odd,
    )


def _used_degrees_of_freedom(rows: Sequence[LinearReading], spread: Sequence[Sequence[float]]) -> float:
    """How many of the readings the unknowns take up, what was believed before aside."""
    return sum(
        slope * more * spread[key][other]
        for row in rows
        for key, slope in row.slopes.items()
        for other, more in row.slopes.items()
    )


def measured_design(found: FittedReadings) -> SensorDesign:
    """The design with what was measured, no better than so few samples allow.

    The least and the most of n samples that are spread evenly are on average (n - 1) / (n + 1) of the spread
    apart: so much is added on both sides. A few samples never make a class narrower than it is sold, nor a
    bag of magnets more alike than bags are.
    """
    sold = found.design.part.operate
    operate = _extrapolated_range([each.operate.best for each in found.squares.values()])
    release = _extrapolated_range([each.release.best for each in found.squares.values()])
    if len(found.squares) < _SQUARES_MIN:
        release = (
            min(release[0], found.design.part.release[0]),
            max(release[1], found.design.part.release[1]),
        )
    weak, strong = _extrapolated_range([each.best for each in found.pieces.values()])
    bag = [share * found.strength.best for share in MAGNET_STRENGTH_RANGE]
    # The scale is that of the class, and the few samples that were met needn't be its mean.
    scale = log(sold[1] / sold[0]) / sqrt(12 * len(found.squares))
    return found.design._replace(
        gap_mm=round(max(0.0, found.gap.best), 1),
        strength=(round(min(weak, bag[0]) * (1 - scale), 2), round(max(strong, bag[1]) * (1 + scale), 2)),
        operate=(round(min(operate[0], sold[0]), 1), round(max(operate[1], sold[1]), 1)),
        release=(round(max(0.05, release[0]), 2), round(min(0.98, release[1]), 2)),
    )


def _extrapolated_range(samples: Sequence[float]) -> tuple[float, float]:
    """Between what more samples would lie."""
    low, high, count = min(samples), max(samples), len(samples)
    more = (high - low) / (count - 1) if count > 1 else 0.0
    return low - more, high + more


def uncovered_readings(design: SensorDesign, readings: Sequence[RulerReading]) -> list[RulerReading]:
    """The readings that not even the worst parts of a design would give: it would promise too much."""
    weakest, _, keenest = reach_cases(design)
    found = []
    for each in readings:
        slack = (
            MOUNTING_ERROR_MM + 3 * RULER_ERROR_MM + design.is_open_below_magnet * _LEAN_ERROR_MM
            if each.direction != "up"
            else 4 * SPACER_ERROR_MM
        )
        if each.is_closing:
            near, far = (
                closing_distance_mm(weakest, each.direction),
                closing_distance_mm(keenest, each.direction),
            )
        else:
            near, far = (
                opening_distance_mm(weakest, each.direction),
                opening_distance_mm(keenest, each.direction),
            )
        if (near is not None and each.high_mm + slack < near) or (
            far is not None and each.low_mm - slack > far
        ):
            found.append(each)
    return found
