"""A reading of a ruler, and what it says of the unknowns: magnets, sensors and the gap. Lengths in mm.

A reading says between which two distances a contact closed, or opened, while a piece was moved. What it says
depends on everything at once, so it is told linear around what is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import cos, log, radians, sin, sqrt
from typing import Final, NamedTuple

from boardware.physics.design import SensorDesign
from boardware.physics.edges import DIRECTIONS
from boardware.physics.sensors import REED_COUPLING_FACTOR, Sensor, make_sensor

RULER_ERROR_MM: Final = 0.5
"""How well a hand sets a piece to a mark: an estimate."""
SPACER_ERROR_MM: Final = 0.2
"""How well spacers lie: an estimate."""
MODEL_ERROR_SHARE: Final = 0.05
"""How far the model itself may be off, as a share: the formula of a disc, and a sensor that leans."""

(
    _MAGNET_SIGMA,
    _MAGNET_OFFSET_SIGMA_MM,
    _SENSOR_OFFSET_SIGMA_MM,
    _GAP_SIGMA_MM,
    _SQUARE_GAP_SIGMA_MM,
    _RELEASE_SIGMA,
    _LEAN_SIGMA_DEG,
) = 0.4, 0.5, 3.0, 1.5, 0.35, 0.3, 3.0
"""What is believed before anything is measured, as standard deviations: of the logarithm of a magnet's
strength, of its place in the foot, of a sensor's place, of the gap, of one square's against it, of the
logarithm of the release (less where a part is sold as more alike), and of a lean in degrees."""
_FIELD_MIN = 1e-6
_SLOPE_STEP_MM, _MAGNET_DISTANCE_MIN_MM, _SEARCH_MAX_MM, _SEARCH_STEP_MM, _NULL_SEARCH_MM = (
    0.15,
    0.2,
    25.0,
    0.4,
    3.0,
)
"""mm: for slopes; how near a magnet may come to a sensor; how far a change is looked for, in which steps,
and for the null of a flat sensor."""
_SLOPE_MIN_PER_MM = 0.03
"""Where less changes in a mm, of logarithms, nothing can be measured."""


class RulerReading(NamedTuple):
    """Where a contact changed while a piece was moved along a way from the middle of its square."""

    square: str
    piece: int
    direction: str
    """One of `WAYS`."""
    is_closing: bool
    """Whether it closed, on the way to the middle; else it opened, on the way out."""
    low_mm: float
    """mm from the middle, of the foot: it is surely between both."""
    high_mm: float

    def __str__(self) -> str:
        verb = "closes" if self.is_closing else "opens"
        return (
            f"{self.square}, piece {self.piece}, {self.direction}: {verb} between {self.low_mm:g} and"
            f" {self.high_mm:g} mm"
        )


_UNKNOWNS_PER_SQUARE = 7


class UnknownIndex:
    """Where each unknown stands: seven of each square, three of each piece, the gap of all."""

    def __init__(self, readings: Iterable[RulerReading]) -> None:
        self.squares = list(dict.fromkeys(each.square for each in readings))
        self.pieces = sorted({each.piece for each in readings})
        self.count = _UNKNOWNS_PER_SQUARE * len(self.squares) + 3 * len(self.pieces) + 1

    def first_of_square(self, name: str) -> int:
        """The first of a square: operate, release, right, away, gap, and its lean."""
        return _UNKNOWNS_PER_SQUARE * self.squares.index(name)

    def first_of_piece(self, number: int) -> int:
        """The first of a piece: strength, right, away."""
        return _UNKNOWNS_PER_SQUARE * len(self.squares) + 3 * self.pieces.index(number)

    @property
    def gap_index(self) -> int:
        """That of the gap."""
        return self.count - 1


class LinearReading(NamedTuple):
    """A reading, linear around what is believed now."""

    residual_sigmas: float
    """How much farther out it was than is believed, in standard deviations."""
    slopes: Mapping[int, float]
    expected_mm: float
    """mm from the middle, as is believed."""
    sigma_mm: float
    """mm"""


def _make_leaning_sensor(design: SensorDesign, lean: tuple[float, float]) -> Sensor:
    way = radians(design.turn_deg)
    at = (design.aside_mm * cos(way), design.aside_mm * sin(way), 0.0)
    return make_sensor(
        design.part,
        at,
        design.gap_mm,
        turn=design.turn_deg,
        lean=lean,
        bent=design.bent_mm,
        back=design.back_mm,
    )


def _model_unit(design: SensorDesign) -> float:
    """What one unit of the part is in the model."""
    return REED_COUPLING_FACTOR if design.part.is_reed else 1.0


def prior_beliefs(design: SensorDesign, unknowns: UnknownIndex) -> list[tuple[float, float]]:
    """Mean and standard deviation of each unknown before anything is measured."""
    (keen, dull), (least, most) = design.part.operate, design.part.release
    # The mean of the logarithm of what is spread evenly.
    mean = (dull * log(dull) - keen * log(keen)) / (dull - keen) - 1
    operate = (mean, log(dull / keen) / sqrt(12))
    release = (log(least * most) / 2, min(_RELEASE_SIGMA, log(most / least)))
    square = [
        operate,
        release,
        (0.0, _SENSOR_OFFSET_SIGMA_MM),
        (0.0, _SENSOR_OFFSET_SIGMA_MM),
        (0.0, _SQUARE_GAP_SIGMA_MM),
    ]
    square += [(0.0, _LEAN_SIGMA_DEG), (0.0, _LEAN_SIGMA_DEG)]
    piece = [(0.0, _MAGNET_SIGMA), (0.0, _MAGNET_OFFSET_SIGMA_MM), (0.0, _MAGNET_OFFSET_SIGMA_MM)]
    return square * len(unknowns.squares) + piece * len(unknowns.pieces) + [(0.0, _GAP_SIGMA_MM)]


def _log_field(design: SensorDesign, sensor: Sensor, x: float, y: float, z: float) -> float:
    """The logarithm of what a magnet of full strength does, its foot so far from the middle of a square."""
    disc = design.magnet_disc
    felt = sensor.field_of_magnet(
        (0.0, 0.0, design.nominal_moment), disc.smoothing_mm2, (x, y, z + disc.height_mm / 2)
    )
    return log(max(design.part.effective_field(felt), _FIELD_MIN))


def linearise_reading(
    design: SensorDesign, unknowns: UnknownIndex, at: Sequence[float], reading: RulerReading
) -> LinearReading:
    """What a reading says of the unknowns."""
    first, piece, gap = (
        unknowns.first_of_square(reading.square),
        unknowns.first_of_piece(reading.piece),
        unknowns.gap_index,
    )
    way, middle = DIRECTIONS[reading.direction], (reading.low_mm + reading.high_mm) / 2
    beside = (at[piece + 1] - at[first + 2], at[piece + 2] - at[first + 3], at[first + 4] + at[gap])
    threshold = (
        at[first] + log(_model_unit(design)) + (0.0 if reading.is_closing else at[first + 1]) - at[piece]
    )
    lean = at[first + 5], at[first + 6]
    laid = _make_leaning_sensor(design, lean)

    def above(mm: float, x: float = 0.0, y: float = 0.0, z: float = 0.0, sensor: Sensor = laid) -> float:
        """How much more is felt than at the change, of logarithms, so far along the way and beside it."""
        height = max(_MAGNET_DISTANCE_MIN_MM - design.gap_mm, way[2] * mm + beside[2] + z)
        felt = _log_field(design, sensor, way[0] * mm + beside[0] + x, way[1] * mm + beside[1] + y, height)
        return felt - threshold

    here = _find_crossing(above, middle)
    x = (above(here, x=_SLOPE_STEP_MM) - above(here, x=-_SLOPE_STEP_MM)) / (2 * _SLOPE_STEP_MM)
    y = (above(here, y=_SLOPE_STEP_MM) - above(here, y=-_SLOPE_STEP_MM)) / (2 * _SLOPE_STEP_MM)
    z = (above(here, z=_SLOPE_STEP_MM) - above(here, z=-_SLOPE_STEP_MM)) / (2 * _SLOPE_STEP_MM)
    along = min(-_SLOPE_MIN_PER_MM, way[0] * x + way[1] * y + way[2] * z)
    placed = (
        sqrt((x * x + y * y) * RULER_ERROR_MM**2 + (z * SPACER_ERROR_MM) ** 2 + MODEL_ERROR_SHARE**2) / along
    )
    sigma = sqrt((reading.high_mm - reading.low_mm) ** 2 / 12 + placed**2)
    change = 1.0 if reading.is_closing else 0.0
    more = {first: -1.0, first + 1: change - 1.0, first + 2: -x, first + 3: -y, first + 4: z, gap: z}
    more |= {piece: 1.0, piece + 1: x, piece + 2: y}
    now = above(here)
    more[first + 5] = above(here, sensor=_make_leaning_sensor(design, (lean[0] + 1, lean[1]))) - now
    more[first + 6] = above(here, sensor=_make_leaning_sensor(design, (lean[0], lean[1] + 1))) - now
    off = middle - here - now / -along
    return LinearReading(
        off / sigma, {key: each / -along / sigma for key, each in more.items()}, middle - off, sigma
    )


def _find_crossing(above: Callable[[float], float], middle: float) -> float:
    """Where it changes nearest to a place; where that is not to be found, as near as was looked.

    Of a flat sensor it may change twice within a few millimetres, and the one nearer to the middle of the
    square is meant: a piece that is pushed out comes there first.
    """
    inside = outside = middle
    while above(inside) > 0 and inside > max(0.0, middle - _NULL_SEARCH_MM):
        inside -= _SEARCH_STEP_MM
    if above(inside) > 0:
        inside = middle
        while above(outside) > 0 and outside < middle + _SEARCH_MAX_MM:
            inside, outside = outside, outside + _SEARCH_STEP_MM
    else:
        while above(inside) <= 0 and inside > 0:
            inside, outside = max(0.0, inside - _SEARCH_STEP_MM), inside
    if not above(inside) > 0 >= above(outside):
        return max(0.0, inside)
    for _ in range(8):
        half = (inside + outside) / 2
        inside, outside = (half, outside) if above(half) > 0 else (inside, half)
    return (inside + outside) / 2
