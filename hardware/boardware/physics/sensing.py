"""What a board file says of its sensors and magnets: its table `[sensing]`."""

from __future__ import annotations

from boardware.physics.design import USUAL, Design
from boardware.physics.magnets import parse
from boardware.physics.sensors import PARTS
from boardware.tomlfile import TomlTable

KEYS = ("sensor", "magnet", "gap_mm", "aside_mm", "turn_deg", "poles")
POLES = {"mixed": True, "up": False}
"""Every other magnet upside down, or all of them one way."""


def design(table: TomlTable) -> Design:
    """Of a board: which sensor lies how under which magnets. `aside_mm` and `turn_deg` may be left out."""
    table.known(*KEYS)
    magnet = table.text("magnet")
    try:
        parse(magnet)
    except ValueError as error:
        table.wrong("magnet", str(error).partition(", expected ")[2])
    return Design(
        table.choice("sensor", PARTS),
        magnet,
        table.number("gap_mm", 0, 30, "mm"),
        table.number("aside_mm", 0, 30, "mm") if table.has("aside_mm") else USUAL.aside,
        table.number("turn_deg", -180, 180, "degrees") if table.has("turn_deg") else USUAL.turn,
        POLES[table.choice("poles", POLES)],
    )
