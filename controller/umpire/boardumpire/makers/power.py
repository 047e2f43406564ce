"""What lamps draw, reckoned from the model of the current cap; and whether a Pi says that its 5 V sagged."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from boardware.parts import BoardDescription
from boardware.ports import SECOND, LampId, Light, Micros
from boardwire.strip import WHITE_MA, Strip, frame_milliamps

BRIGHTNESS_MAX = 255
SENSORS = Path("/sys/class/hwmon")
ALARM_US: Micros = 5 * SECOND
"""The kernel asks the firmware every two seconds whether there was too little voltage since."""


def under_voltage(sensors: Path = SENSORS) -> bool | None:
    """Whether a Raspberry Pi had less than some 4.63 V at its 5 V pins lately; `None`: this is none.

    The kernel's driver `raspberrypi-hwmon` says so.
    """
    for name in sorted(sensors.glob("*/name")):
        try:
            if name.read_text().strip() == "rpi_volt":
                return name.with_name("in0_lcrit_alarm").read_text().strip() == "1"
        except OSError:
            continue
    return None


class PowerEstimate(NamedTuple):
    """Milliamperes, reckoned at the worst current that data sheets name."""

    drawn_ma: int
    """By what is shown, at its brightest, the cap applied."""
    wanted_ma: int
    """What it would be without the cap."""
    limit_ma: int
    """`current_limit_ma` of the board file."""

    def text(self) -> str:
        """In a line."""
        capped = f", dimmed from {self.wanted_ma} mA" if self.wanted_ma > self.drawn_ma else ""
        return f"{self.drawn_ma} of at most {self.limit_ma} mA{capped} (calculated, not measured)"


def estimate_power(
    board: BoardDescription, lights: Mapping[LampId, Light], brightness: int = BRIGHTNESS_MAX
) -> PowerEstimate:
    """What `lights` draw on all chains of `board` at `brightness`, 1 to 255."""
    every = sum(chain.length for chain in board.chains.values())
    drawn = wanted = 0
    for chain in board.chains.values():
        shown = {
            board.lamps[lamp].index: light.code
            for lamp, light in lights.items()
            if lamp in board.lamps and board.lamps[lamp].chain == chain.id
        }
        share = board.current_limit_ma * chain.length // every
        drawn += _peak_current_ma(chain.length, share, shown, brightness)
        wanted += _peak_current_ma(chain.length, WHITE_MA * 2 * chain.length, shown, brightness)
    return PowerEstimate(drawn, wanted, board.current_limit_ma)


def _peak_current_ma(length: int, limit: int, shown: dict[int, int], brightness: int) -> int:
    """The most that a chain draws over two seconds of its patterns."""
    strip = Strip(length, limit, brightness)
    strip.show(shown, 0)
    most, at = frame_milliamps(strip.frame(0)), strip.next_change_us(0)
    while at is not None and at < 2_000_000:
        most = max(most, frame_milliamps(strip.frame(at)))
        at = strip.next_change_us(at)
    return most
