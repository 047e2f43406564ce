"""Reeds, Hall and TMR switches: what each feels of magnets, and when it closes and opens.

Reeds answer in ampere-turns (AT) as on their data sheets, the others in mT. Lengths in mm.
"""

from __future__ import annotations

from enum import Enum
from math import cos, radians, sin, sqrt
from typing import Final, NamedTuple

from boardware.physics.magnets import Vector, bent_reed_drive_a, flux_density_mt, reed_drive_a

REED_COUPLING_FACTOR: Final = 0.95
"""What a reed with its leads cut short feels in A where it closes, for each ampere-turn of its class.

With it 44 of 46 distances at which two reeds of 10 and 13 mm close are met within 15 %, as Reed Relays and
Electronics India publishes them for ten magnets (MM-1018 and SM-1322, cropped leads); the class is that of
uncut samples. Those magnets lie along the reed; of 78 on end 71 are met with the same number.
`tests/hardware/test_figures.py` holds both.
"""
REED_LENGTH_MM: Final = 20.0
"""From end to end with the leads cut short."""


class SensorKind(Enum):
    """How a sensor lies, and so what it feels."""

    ON_END = "reed on end"
    """Its axis is upright: one round spot, closed at the centre."""
    FLAT = "reed flat"
    """It lies along the board: open right below a magnet, and closed to both sides along its axis."""
    HALL = "hall"
    """It feels what goes through the board."""
    TMR = "tmr"
    """It feels what goes along its axis in the board's plane: like a flat reed, but at one point."""


class MagnetPole(Enum):
    """Which pole of a magnet closes it."""

    EITHER = "either"
    SOUTH = "south"
    """Unipolar: every magnet has to point the same way."""


class SensorSupply(NamedTuple):
    """What a switch with three wires asks of its supply, which it has all the time. Its output pulls low, or
    is open."""

    supply_min_v: float
    """The least supply, in volts."""
    current_max_ma: float
    """The most that one draws, in mA."""


class SensorPart(NamedTuple):
    """A switch that can be bought."""

    kind: SensorKind
    operate: tuple[float, float]
    """From the most to the least sensitive sample: what closes it, in AT or mT."""
    release: tuple[float, float]
    """What it still stays closed at, as a share of its operate value, from least to most."""
    poles: MagnetPole = MagnetPole.EITHER
    sample_rate_hz: float | None = None
    """How often it looks, where it doesn't look all the time."""
    source: str = ""
    """Where the numbers are from."""
    supply: SensorSupply | None = None
    """What it asks of its supply, where that is known."""

    @property
    def is_reed(self) -> bool:
        """Whether it is a reed, in AT."""
        return self.kind in (SensorKind.ON_END, SensorKind.FLAT)

    @property
    def wire_count(self) -> int:
        """Two of a reed; a third of one that wants a supply."""
        return 2 if self.is_reed else 3

    @property
    def is_latch(self) -> bool:
        """Whether it stays closed until the other pole comes."""
        return self.release[0] < 0

    def effective_field(self, felt: float) -> float:
        """What of something felt closes it and holds it: of one that feels one pole that alone."""
        return abs(felt) if self.poles is MagnetPole.EITHER else felt


REED_RELEASE_RANGE: Final = (0.45, 0.85)
"""Of a reed, as a share of its operate value: an estimate. A part of 15 to 30 AT must hold at 4; what a maker
publishes comes to 0.39 to 0.92 (`tests/hardware/test_figures.py`)."""
_REED_CLASSES_AT: Final = ((10, 15), (15, 20), (20, 25), (25, 30))


def _make_reed_part(kind: SensorKind, low: float, high: float) -> SensorPart:
    return SensorPart(
        kind, (low, high), REED_RELEASE_RANGE, source="the usual classes of makers of glass reeds"
    )


SENSOR_PARTS: Final[dict[str, SensorPart]] = {
    **{
        f"reed on end {low}-{high} AT": _make_reed_part(SensorKind.ON_END, low, high)
        for low, high in _REED_CLASSES_AT
    },
    **{
        f"reed flat {low}-{high} AT": _make_reed_part(SensorKind.FLAT, low, high)
        for low, high in _REED_CLASSES_AT
    },
    "DRV5023AJ": SensorPart(
        SensorKind.HALL,
        (3.0, 12.0),
        (0.3, 0.6),
        MagnetPole.SOUTH,
        source="Texas Instruments DRV5023: 6.9/3.2 mT typical, operates at 12 at most, releases at 1 at"
        " least; the least to operate, and 4 mA at most (2.7 typical), are estimates",
        supply=SensorSupply(2.5, 4.0),
    ),
    "DRV5033FA": SensorPart(
        SensorKind.HALL,
        (1.8, 6.8),
        (0.25, 0.65),
        source="Texas Instruments SLIS164 (DRV5033-Q1): 3.5/2 mT typical; least and most are estimates",
    ),
    "DRV5033AJ": SensorPart(
        SensorKind.HALL,
        (3.0, 12.0),
        (0.3, 0.6),
        source="Texas Instruments SLIS164 (DRV5033-Q1): 6.9/3.5 typical; least and most are estimates",
    ),
    "DRV5032FC": SensorPart(
        SensorKind.HALL,
        (2.0, 4.8),
        (0.25, 0.9),
        sample_rate_hz=20,
        source="Texas Instruments ZHCSGW2: operates at 4.8 at most, 20 Hz, open drain; JAJU835: releases at"
        " 0.5 at least; the least to operate is an estimate",
    ),
    "TLE4964-1M": SensorPart(
        SensorKind.HALL,
        (14.0, 22.0),
        (0.6, 0.75),
        MagnetPole.SOUTH,
        source="Infineon TLE4964-1M: 18 typical, 5.5 between",
    ),
    "A3144": SensorPart(
        SensorKind.HALL, (7.0, 35.0), (0.7, 0.94), MagnetPole.SOUTH, source="Allegro 27621.6B; clones vary"
    ),
    "HAL504": SensorPart(
        SensorKind.HALL,
        (9.5, 14.5),
        (0.52, 0.67),
        MagnetPole.SOUTH,
        source="Micronas, HAL5xx, 4.4, at 25 C: closes at 9.5 to 14.5 mT, opens at 5 to 9, 4 to 6.5 below",
        supply=SensorSupply(3.8, 5.2),
    ),
    "HAL505": SensorPart(
        SensorKind.HALL,
        (11.0, 17.0),
        (-1.0, -1.0),
        MagnetPole.SOUTH,
        source="Micronas, HAL 5xy, 4.5, at 25 C: a latch",
        supply=SensorSupply(3.8, 5.2),
    ),
    "TMR1302": SensorPart(
        SensorKind.TMR, (2.0, 4.0), (0.4, 0.8), sample_rate_hz=1000, source="an estimate from its short form"
    ),
}
"""What a board file may name."""


class Sensor(NamedTuple):
    """One sample of a part at its place under the board."""

    part: SensorPart
    at: Vector
    """Its middle, in mm."""
    axis: Vector
    """A unit vector along its axis."""
    operate: float
    """What closes it, in A or mT: of a reed already with the coupling."""
    release: float
    """What it opens below."""
    lead_halves: tuple[tuple[Vector, ...], tuple[Vector, ...]] | None = None
    """Of a reed with bent leads: the points that its halves go through, around its middle."""

    def field_of_magnet(self, moment: Vector, spread: float, at: Vector) -> float:
        """What a magnet at a place does to it, with its sign: in A for reeds, in mT for others."""
        x, y, z = self.at
        off = (x - at[0], y - at[1], z - at[2])
        if self.lead_halves is not None:
            return bent_reed_drive_a(moment, spread, off, *self.lead_halves)
        if self.part.is_reed:
            return reed_drive_a(moment, spread, off, self.axis, REED_LENGTH_MM)
        return flux_density_mt(moment, spread, off, self.axis)

    def is_closed(self, felt: float, was_closed: bool) -> bool:
        """Whether it is closed now that it feels so much; `was_closed`: whether it was."""
        return self.part.effective_field(felt) >= (self.release if was_closed else self.operate)


def make_sensor(
    part: SensorPart,
    at: Vector,
    gap: float,
    *,
    operate: float | None = None,
    release: float = 0.65,
    turn: float = 0.0,
    lean: tuple[float, float] = (0.0, 0.0),
    bent: float = 0.0,
    back: float = 0.0,
) -> Sensor:
    """A sample of a part at `at` on the board's face.

    `gap` is from a standing magnet's lower face to the nearest point of the sensor; `operate` is in the
    part's unit, by default the middle of its range; `turn` is the direction in which a flat one lies, in
    degrees from the x axis; `lean` tilts it, in degrees. Of a reed on end the upper lead is `bent` over so
    far against `turn`, and the lower one comes `back` up so far along it.
    """
    x, y, z = at
    tilt_x, tilt_y = (sin(radians(each)) for each in lean)
    if part.kind in (SensorKind.ON_END, SensorKind.HALL):
        rest = sqrt(max(0.0, 1 - tilt_x * tilt_x - tilt_y * tilt_y))
        along = (tilt_x, tilt_y, rest)
    else:
        level = sqrt(max(0.0, 1 - tilt_x * tilt_x))
        way = radians(turn) + tilt_y
        along = (level * cos(way), level * sin(way), tilt_x)
    depth = gap + (REED_LENGTH_MM / 2 if part.kind is SensorKind.ON_END else 0.0)
    value = sum(part.operate) / 2 if operate is None else operate
    scale = REED_COUPLING_FACTOR if part.is_reed else 1.0
    halves = (
        _bent_lead_halves(bent, back, turn) if part.kind is SensorKind.ON_END and (bent or back) else None
    )
    return Sensor(part, (x, y, z - depth), along, value * scale, value * release * scale, halves)


def _bent_lead_halves(bent: float, back: float, turn: float) -> tuple[tuple[Vector, ...], tuple[Vector, ...]]:
    """Where the leads of a reed on end go. What they lean is left out: it moves a bend by less than 1 mm."""
    right, up, end = cos(radians(turn)), sin(radians(turn)), REED_LENGTH_MM / 2
    upper: list[Vector] = [(0.0, 0.0, 0.0), (0.0, 0.0, end)]
    lower: list[Vector] = [(0.0, 0.0, 0.0), (0.0, 0.0, -end)]
    if bent:
        upper.append((-bent * right, -bent * up, end))
    if back:
        lower += [(back * right, back * up, -end), (back * right, back * up, end)]
    return tuple(upper), tuple(lower)
