"""A reading of a ruler, and what it says of the unknowns: magnets, sensors and the gap. Lengths in mm.

A reading says between which two distances a contact closed, or opened, while a piece was moved. What it says
depends on everything at once, so it is told linear around what is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import cos, log, radians, sin, sqrt
from typing import Final, NamedTuple

from boardware.physics.design import SensorDesign
from boardware.physics.edges import WAYS
from boardware.physics.sensors import COUPLING, Sensor, sample

RULER_MM: Final = 0.5
"""How well a hand sets a piece to a mark: an estimate."""
SPACER_MM: Final = 0.2
"""How well spacers lie: an estimate."""
MODEL: Final = 0.05
"""How far the model itself may be off, as a share: the formula of a disc, and a sensor that leans."""

_MAGNET, _GLUED, _ASIDE, _GAP, _UNEVEN, _RELEASE, _LEAN = 0.4, 0.5, 3.0, 1.5, 0.35, 0.3, 3.0
"""What is believed before anything is measured, as standard deviations: of the logarithm of a magnet's
strength, of its place in the foot, of a sensor's place, of the gap, of one square's against it, of the
logarithm of the release (less where a part is sold as more alike), and of a lean in degrees."""
_LEAST = 1e-6
_SMALL, _NEAREST, _LOOKED, _LOOK, _DIP = 0.15, 0.2, 25.0, 0.4, 3.0
"""mm: for slopes; how near a magnet may come to a sensor; how far a change is looked for, in which steps,
and for the null of a flat sensor."""
_LEVEL = 0.03
"""Where less changes in a mm, of logarithms, nothing can be measured."""


class Reading(NamedTuple):
    """Where a contact changed while a piece was moved along a way from the middle of its square."""

    square: str
    piece: int
    way: str
    """One of `WAYS`."""
    closes: bool
    """Whether it closed, on the way to the middle; else it opened, on the way out."""
    low: float
    """mm from the middle, of the foot: it is surely between both."""
    high: float

    def __str__(self) -> str:
        verb = "closes" if self.closes else "opens"
        return (
            f"{self.square}, piece {self.piece}, {self.way}: {verb} between {self.low:g} and {self.high:g} mm"
        )


_OF_SQUARE = 7


class UnknownIndex:
    """Where each unknown stands: seven of each square, three of each piece, the gap of all."""

    def __init__(self, readings: Iterable[Reading]) -> None:
        self.squares = list(dict.fromkeys(each.square for each in readings))
        self.pieces = sorted({each.piece for each in readings})
        self.count = _OF_SQUARE * len(self.squares) + 3 * len(self.pieces) + 1

    def square(self, name: str) -> int:
        """The first of a square: operate, release, right, away, gap, and its lean."""
        return _OF_SQUARE * self.squares.index(name)

    def piece(self, number: int) -> int:
        """The first of a piece: strength, right, away."""
        return _OF_SQUARE * len(self.squares) + 3 * self.pieces.index(number)

    @property
    def gap(self) -> int:
        """That of the gap."""
        return self.count - 1


class LinearReading(NamedTuple):
    """A reading, linear around what is believed now."""

    off: float
    """How much farther out it was than is believed, in standard deviations."""
    slopes: Mapping[int, float]
    expected: float
    """mm from the middle, as is believed."""
    sigma: float
    """mm"""


def _laid(design: SensorDesign, lean: tuple[float, float]) -> Sensor:
    way = radians(design.turn)
    at = (design.aside * cos(way), design.aside * sin(way), 0.0)
    return sample(
        design.part, at, design.gap, turn=design.turn, lean=lean, bent=design.bent, back=design.back
    )


def _unit(design: SensorDesign) -> float:
    """What one unit of the part is in the model."""
    return COUPLING if design.part.reed else 1.0


def beliefs(design: SensorDesign, unknowns: UnknownIndex) -> list[tuple[float, float]]:
    """Mean and standard deviation of each unknown before anything is measured."""
    (keen, dull), (least, most) = design.part.operate, design.part.release
    # The mean of the logarithm of what is spread evenly.
    mean = (dull * log(dull) - keen * log(keen)) / (dull - keen) - 1
    operate = (mean, log(dull / keen) / sqrt(12))
    release = (log(least * most) / 2, min(_RELEASE, log(most / least)))
    square = [operate, release, (0.0, _ASIDE), (0.0, _ASIDE), (0.0, _UNEVEN)]
    square += [(0.0, _LEAN), (0.0, _LEAN)]
    piece = [(0.0, _MAGNET), (0.0, _GLUED), (0.0, _GLUED)]
    return square * len(unknowns.squares) + piece * len(unknowns.pieces) + [(0.0, _GAP)]


def _felt(design: SensorDesign, sensor: Sensor, x: float, y: float, z: float) -> float:
    """The logarithm of what a magnet of full strength does, its foot so far from the middle of a square."""
    disc = design.disc
    felt = sensor.feels((0.0, 0.0, design.upright), disc.spread, (x, y, z + disc.height_mm / 2))
    return log(max(design.part.drives(felt), _LEAST))


def row_of(
    design: SensorDesign, unknowns: UnknownIndex, at: Sequence[float], reading: Reading
) -> LinearReading:
    """What a reading says of the unknowns."""
    first, piece, gap = unknowns.square(reading.square), unknowns.piece(reading.piece), unknowns.gap
    way, middle = WAYS[reading.way], (reading.low + reading.high) / 2
    beside = (at[piece + 1] - at[first + 2], at[piece + 2] - at[first + 3], at[first + 4] + at[gap])
    threshold = at[first] + log(_unit(design)) + (0.0 if reading.closes else at[first + 1]) - at[piece]
    lean = at[first + 5], at[first + 6]
    laid = _laid(design, lean)

    def above(mm: float, x: float = 0.0, y: float = 0.0, z: float = 0.0, sensor: Sensor = laid) -> float:
        """How much more is felt than at the change, of logarithms, so far along the way and beside it."""
        height = max(_NEAREST - design.gap, way[2] * mm + beside[2] + z)
        felt = _felt(design, sensor, way[0] * mm + beside[0] + x, way[1] * mm + beside[1] + y, height)
        return felt - threshold

    here = _crossing(above, middle)
    x = (above(here, x=_SMALL) - above(here, x=-_SMALL)) / (2 * _SMALL)
    y = (above(here, y=_SMALL) - above(here, y=-_SMALL)) / (2 * _SMALL)
    z = (above(here, z=_SMALL) - above(here, z=-_SMALL)) / (2 * _SMALL)
    along = min(-_LEVEL, way[0] * x + way[1] * y + way[2] * z)
    placed = sqrt((x * x + y * y) * RULER_MM**2 + (z * SPACER_MM) ** 2 + MODEL**2) / along
    sigma = sqrt((reading.high - reading.low) ** 2 / 12 + placed**2)
    change = 1.0 if reading.closes else 0.0
    more = {first: -1.0, first + 1: change - 1.0, first + 2: -x, first + 3: -y, first + 4: z, gap: z}
    more |= {piece: 1.0, piece + 1: x, piece + 2: y}
    now = above(here)
    more[first + 5] = above(here, sensor=_laid(design, (lean[0] + 1, lean[1]))) - now
    more[first + 6] = above(here, sensor=_laid(design, (lean[0], lean[1] + 1))) - now
    off = middle - here - now / -along
    return LinearReading(
        off / sigma, {key: each / -along / sigma for key, each in more.items()}, middle - off, sigma
    )


def _crossing(above: Callable[[float], float], middle: float) -> float:
    """Where it changes nearest to a place; where that is not to be found, as near as was looked.

    Of a flat sensor it may change twice within a few millimetres, and the one nearer to the middle of the
    square is meant: a piece that is pushed out comes there first.
    """
    inside = outside = middle
    while above(inside) > 0 and inside > max(0.0, middle - _DIP):
        inside -= _LOOK
    if above(inside) > 0:
        inside = middle
        while above(outside) > 0 and outside < middle + _LOOKED:
            inside, outside = outside, outside + _LOOK
    else:
        while above(inside) <= 0 and inside > 0:
            inside, outside = max(0.0, inside - _LOOK), inside
    if not above(inside) > 0 >= above(outside):
        return max(0.0, inside)
    for _ in range(8):
        half = (inside + outside) / 2
        inside, outside = (half, outside) if above(half) > 0 else (inside, half)
    return (inside + outside) / 2
