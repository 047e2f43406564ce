"""A maker's choice for one board: which sensor lies how, and which magnet is in the feet of pieces."""

from __future__ import annotations

from typing import Final, NamedTuple

from boardware.physics.magnets import Magnet, parse
from boardware.physics.sensors import SENSOR_PARTS, MagnetPole, SensorKind, SensorPart

MIXED_POLES: Final = "mixed"
"""Every other magnet is upside down, so that neighbours cancel."""
POLES_UP: Final = "up"
"""All north poles up: the south pole faces the sensor."""
POLES_DOWN: Final = "down"
"""All north poles down."""


class SensorDesign(NamedTuple):
    """Sensor, magnet and where both are."""

    sensor: str = "reed on end 15-20 AT"
    """By its name in `boardware.physics.sensors.SENSOR_PARTS`."""
    magnet: str = "8x3"
    """Diameter and height in mm, and the grade if it isn't N42."""
    gap_mm: float = 6.0
    """From a standing magnet's lower face to the nearest point of the sensor, in mm: board and felt."""
    aside_mm: float = 0.0
    """How far beside the middle of its space the sensor's middle lies, along its axis, in mm."""
    turn_deg: float = 0.0
    """Which way a flat one lies, in degrees from the x axis."""
    poles: str = "mixed"
    """Which way magnets point: one of `MIXED_POLES`, `POLES_UP` and `POLES_DOWN`."""
    strength: tuple[float, float] | None = None
    """The weakest and the strongest magnet as measured, as shares of what size and grade say; `None`: nobody
    measured."""
    operate: tuple[float, float] | None = None
    """What closes its samples, as measured, as in `SensorPart`."""
    release: tuple[float, float] | None = None
    """What they hold at, as measured, as in `SensorPart`."""
    bent_mm: float = 0.0
    """How far the upper lead of a reed on end is bent over, against `turn_deg`, in mm. 0: it is straight."""
    back_mm: float = 0.0
    """How far beside it the lower lead comes up again, along `turn_deg`, in mm. 0: a copper wire does."""

    @property
    def part(self) -> SensorPart:
        """The sensor, as it was measured where it was."""
        sold = SENSOR_PARTS[self.sensor]
        return sold._replace(
            operate=self.operate or sold.operate,
            release=self.release or sold.release,
        )

    @property
    def magnet_disc(self) -> Magnet:
        """The magnet."""
        return parse(self.magnet)

    @property
    def has_mixed_poles(self) -> bool:
        """Whether neighbours cancel."""
        return self.poles == MIXED_POLES

    @property
    def nominal_moment(self) -> float:
        """Its magnets' moment by size and grade in mA m²; negative where north poles are down."""
        return -self.magnet_disc.moment if self.poles == POLES_DOWN else self.magnet_disc.moment

    @property
    def measured_moment(self) -> float:
        """The same with the middle of what was measured."""
        return self.nominal_moment * (sum(self.strength) / 2 if self.strength else 1.0)

    @property
    def is_one_pole_only(self) -> bool:
        """Whether a magnet that is upside down is not felt."""
        return self.part.poles is not MagnetPole.EITHER

    @property
    def is_open_below_magnet(self) -> bool:
        """Whether the sensor is open right below a magnet."""
        return self.part.kind in (SensorKind.FLAT, SensorKind.TMR)

    def __str__(self) -> str:
        laid = "" if not self.aside_mm else f" laid {self.aside_mm:g} mm aside"
        bent = f" with its upper lead bent {self.bent_mm:g} mm" if self.bent_mm else ""
        back = f"{' and' if bent else ' with'} its lower lead back up" if self.back_mm else ""
        return f"{self.sensor}{laid}{bent}{back}, {self.magnet_disc}, gap {self.gap_mm:g} mm"


DEFAULT_DESIGN: Final = SensorDesign()
