"""What a board file says of its sensors and magnets: its table `[sensing]`."""

from __future__ import annotations

from boardware.physics.design import DOWN, MIXED, UP, USUAL, SensorDesign
from boardware.physics.magnets import parse
from boardware.physics.sensors import PARTS
from boardware.tomlfile import TomlTable, is_number

KEYS = ("sensor", "magnet", "gap_mm", "aside_mm", "turn_deg", "poles", "bent_mm", "back_mm")
MEASURED = {"strength": (0.1, 3.0), "operate": (0.5, 100.0), "release": (0.05, 1.0)}
"""What `boardumpire calibrate --measure` writes: from the least to the most, and between what it may be."""
POLES = (MIXED, UP, DOWN)


def design(table: TomlTable) -> SensorDesign:
    """Of a board: which sensor lies how under which magnets. `aside_mm`, `turn_deg`, `bent_mm`, `back_mm`
    and what was measured may be left out."""
    table.known(*KEYS, *MEASURED)
    magnet = table.text("magnet")
    try:
        parse(magnet)
    except ValueError as error:
        table.wrong("magnet", str(error).partition(", expected ")[2])
    sensor = table.choice("sensor", PARTS)
    if table.has("release") and PARTS[sensor].latch:
        table.wrong("release", f"none: {sensor} is a latch, it never lets go by itself")
    return SensorDesign(
        sensor,
        magnet,
        table.number("gap_mm", 0, 30, "mm"),
        table.number("aside_mm", 0, 30, "mm") if table.has("aside_mm") else USUAL.aside,
        table.number("turn_deg", -180, 180, "degrees") if table.has("turn_deg") else USUAL.turn,
        table.choice("poles", POLES),
        bent=table.number("bent_mm", 0, 20, "mm") if table.has("bent_mm") else USUAL.bent,
        back=table.number("back_mm", 0, 20, "mm") if table.has("back_mm") else USUAL.back,
        **{key: _span(table, key, *limits) for key, limits in MEASURED.items() if table.has(key)},
    )


def _span(table: TomlTable, key: str, low: float, high: float) -> tuple[float, float]:
    """The least and the most of something."""
    expected = f"the least and the most, two numbers from {low:g} to {high:g}"
    found = table.list(key, expected)
    if len(found) != 2 or not all(map(is_number, found)) or not low <= found[0] <= found[1] <= high:
        table.wrong(key, expected)
    return float(found[0]), float(found[1])
