"""Disc magnets in the feet of pieces, and the field around them. Lengths in mm, fields in mT.

A disc is taken as a dipole that is spread out a little: each 1/r³ becomes 1/(r² + ε²)^(3/2), with the ε that
makes the field on the axis right up to the second order in size over distance. From a gap of one radius on
that is within a few per cent of the exact disc; a plain dipole is 12 % too strong for 8x3 and 55 % for 15x2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from math import dist, pi, sqrt
from typing import Final, NamedTuple

MU0: Final = 4e-7 * pi
REMANENCE_T: Final = {"N35": 1.19, "N38": 1.24, "N42": 1.30, "N45": 1.35, "N48": 1.40, "N52": 1.45}
"""In tesla, the middle of what makers give for a grade of neodymium (K&J Magnetics' table of grades)."""

Vector = tuple[float, float, float]
"""In the board's own frame: x to the right, y away from the viewer, z up."""


class Magnet(NamedTuple):
    """A disc of neodymium, its axis upright in the foot of a piece."""

    diameter_mm: float
    height_mm: float
    grade: str = "N42"

    def __str__(self) -> str:
        return f"{self.diameter_mm:g}x{self.height_mm:g} {self.grade}"

    @property
    def moment(self) -> float:
        """Its dipole moment in mA m²."""
        volume = pi * self.diameter_mm**2 / 4 * self.height_mm  # mm³ = 1e-9 m³
        return REMANENCE_T[self.grade] / MU0 * volume * 1e-6

    @property
    def smoothing_mm2(self) -> float:
        """ε², in mm²."""
        return self.diameter_mm**2 / 8 - self.height_mm**2 / 6


def parse(text: str) -> Magnet:
    """A magnet from its text, `8x2` or `8x3 N35`. Raises `ValueError`."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)(?: (N\d\d))?", text, re.ASCII)
    grade = found[3] or "N42" if found else ""
    if not found or grade not in REMANENCE_T:
        wanted = (
            f"a disc's diameter and height in mm and its grade, such as '8x2 N42' ({', '.join(REMANENCE_T)})"
        )
        raise ValueError(f"found {text!r}, expected {wanted}")
    made = Magnet(float(found[1]), float(found[2]), grade)
    if not (2 <= made.diameter_mm <= 30 and 1 <= made.height_mm <= 20):
        raise ValueError(f"found {text!r}, expected a disc of 2 to 30 mm across and 1 to 20 mm high")
    if made.smoothing_mm2 <= 0:
        raise ValueError(f"found {text!r}, expected a disc that is at most 0.86 times as high as it is wide")
    return made


def flux_density_mt(moment: Vector, spread: float, at: Vector, along: Vector) -> float:
    """The field along a unit vector, in mT, at a place that is `at` from the magnet's middle (mA m², mm)."""
    x, y, z = at
    mx, my, mz = moment
    ex, ey, ez = along
    square = x * x + y * y + z * z + spread
    inward = mx * x + my * y + mz * z
    cube = square * sqrt(square)
    # mu0 / 4 pi is 1e-7; mA m² over mm³ is 1e6 A/m, and mT are wanted: 100 together.
    return 100 * (3 * inward * (x * ex + y * ey + z * ez) / square - (mx * ex + my * ey + mz * ez)) / cube


def bent_reed_drive_a(
    moment: Vector, spread: float, at: Vector, upper: Sequence[Vector], lower: Sequence[Vector]
) -> float:
    """What a reed with bent leads feels, in A: each half goes through these points around its middle.

    As `reed_drive_a`: the mean potential over the lower half, bends included, less that over the upper one.
    """
    means = []
    for half in (upper, lower):
        whole = [
            (_summed_potential(moment, spread, at, start, end), dist(start, end))
            for start, end in pairwise(half)
        ]
        means.append(sum(each for each, _ in whole) / sum(length for _, length in whole))
    return 1e3 * (means[1] - means[0]) / (4 * pi)


def _summed_potential(moment: Vector, spread: float, at: Vector, start: Vector, end: Vector) -> float:
    """A dipole's potential, m r / r³, summed along a straight line between two points around `at`."""
    length = dist(start, end)
    along = tuple((b - a) / length for a, b in zip(start, end, strict=True))
    first = tuple(a + b for a, b in zip(at, start, strict=True))
    low = sum(a * b for a, b in zip(first, along, strict=True))
    square = sum(a * a for a in first) - low * low + spread
    m_along = sum(a * b for a, b in zip(moment, along, strict=True))
    across = (sum(a * b for a, b in zip(moment, first, strict=True)) - low * m_along) / square
    ends = [(across * s - m_along) / sqrt(square + s * s) for s in (low + length, low)]
    return ends[0] - ends[1]


def reed_drive_a(moment: Vector, spread: float, at: Vector, along: Vector, length: float) -> float:
    """What a reed feels, in A, that lies along a unit vector, its middle `at` from the magnet's middle.

    Both blades of a reed are of soft iron. What closes it is the mean magnetic potential over one half less
    that over the other; for the potential of a dipole both integrals have a closed form.
    """
    x, y, z = at
    mx, my, mz = moment
    ex, ey, ez = along
    beside = x * ex + y * ey + z * ez
    square = x * x + y * y + z * z - beside * beside + spread
    m_along = mx * ex + my * ey + mz * ez
    across = (mx * x + my * y + mz * z - beside * m_along) / square
    half = length / 2
    low, high = beside - half, beside + half
    middle = (across * beside - m_along) / sqrt(square + beside * beside)
    ends = (across * low - m_along) / sqrt(square + low * low)
    ends += (across * high - m_along) / sqrt(square + high * high)
    return 1e3 * (2 * middle - ends) / (2 * pi * length)
