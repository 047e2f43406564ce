"""What a board file says of its sensors and magnets: its table `[sensing]`."""

from __future__ import annotations

from boardware.physics.design import DEFAULT_DESIGN, MIXED_POLES, POLES_DOWN, POLES_UP, SensorDesign
from boardware.physics.magnets import parse
from boardware.physics.sensors import SENSOR_PARTS
from boardware.tomlfile import TomlTable, is_number

SENSING_KEYS = ("sensor", "magnet", "gap_mm", "aside_mm", "turn_deg", "poles", "bent_mm", "back_mm")
MEASURED_LIMITS = {"strength": (0.1, 3.0), "operate": (0.5, 100.0), "release": (0.05, 1.0)}
"""What `boardumpire calibrate --measure` writes: from the least to the most, and between what it may be."""
POLE_CHOICES = (MIXED_POLES, POLES_UP, POLES_DOWN)


def read_sensor_design(table: TomlTable) -> SensorDesign:
    """Of a board: which sensor lies how under which magnets. `aside_mm`, `turn_deg`, `bent_mm`, `back_mm`
    and what was measured may be left out."""
    table.refuse_unknown_keys(*SENSING_KEYS, *MEASURED_LIMITS)
    magnet = table.text("magnet")
    try:
        parse(magnet)
    except ValueError as error:
        table.refuse_value("magnet", str(error).partition(", expected ")[2])
    sensor = table.choice("sensor", SENSOR_PARTS)
    if table.has("release") and SENSOR_PARTS[sensor].is_latch:
        table.refuse_value("release", f"none: {sensor} is a latch, it never lets go by itself")
    return SensorDesign(
        sensor,
        magnet,
        table.number("gap_mm", 0, 30, "mm"),
        table.number("aside_mm", 0, 30, "mm") if table.has("aside_mm") else DEFAULT_DESIGN.aside_mm,
        table.number("turn_deg", -180, 180, "degrees") if table.has("turn_deg") else DEFAULT_DESIGN.turn_deg,
        table.choice("poles", POLE_CHOICES),
        bent_mm=table.number("bent_mm", 0, 20, "mm") if table.has("bent_mm") else DEFAULT_DESIGN.bent_mm,
        back_mm=table.number("back_mm", 0, 20, "mm") if table.has("back_mm") else DEFAULT_DESIGN.back_mm,
        **{
            key: _read_range(table, key, *limits) for key, limits in MEASURED_LIMITS.items() if table.has(key)
        },
    )


def _read_range(table: TomlTable, key: str, low: float, high: float) -> tuple[float, float]:
    """The least and the most of something."""
    expected = f"the least and the most, two numbers from {low:g} to {high:g}"
    found = table.list(key, expected)
    if len(found) != 2 or not all(map(is_number, found)) or not low <= found[0] <= found[1] <= high:
        table.refuse_value(key, expected)
    return float(found[0]), float(found[1])
