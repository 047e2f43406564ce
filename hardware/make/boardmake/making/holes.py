"""What is drilled into a board, and where: sensors, lamps, buttons. Lengths in mm.

A board file says where a space's middle is; where its lamp shines through the face it may say with `lamp_at`.
Where it doesn't, the lamp lies beside the middle, out of the way of the sensors and visible beside a piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import cos, dist, radians, sin
from typing import Final, NamedTuple

from boardware.parts import BoardDescription, BoardPoint, SpacePlace
from boardware.physics.design import DEFAULT_DESIGN
from boardware.physics.sensors import SensorKind
from boardware.ports import LampId

REED_HOLE_MM: Final = 3.0
"""A glass reed of 2 to 2.6 mm stands in it."""
LAMP_HOLE_MM: Final = 6.0
"""A WS2812B of 5 x 5 mm shines through it from below."""
BUTTON_HOLE_MM: Final = 12.0
"""A panel button of 12 mm."""
WALL_MIN_MM: Final = 1.0
"""What must be left between two holes (estimate)."""


class DrillHole(NamedTuple):
    """One place on the template."""

    kind: str
    """`sensor`, `lamp` or `button`."""
    id: str
    """Of the slot, the lamp or the button."""
    at: BoardPoint
    diameter: float
    """0: nothing is drilled; the part lies there."""
    file_key: str
    """The key of the board file that it comes from."""


def drill_holes(board: BoardDescription) -> Iterator[DrillHole]:
    """Every place on the template, in the order of the file."""
    for slot, at in sensor_positions(board).items():
        yield DrillHole("sensor", slot, at, _sensor_hole_diameter(board), f"spaces.{slot.partition('/')[0]}")
    for lamp, at in lamp_positions(board).items():
        where = f"lamps.{lamp}" if lamp in board.named_lamps else f"spaces.{lamp}"
        yield DrillHole("lamp", lamp, at, LAMP_HOLE_MM, where)
    for button in board.buttons.values():
        yield DrillHole("button", button.id, button.position, BUTTON_HOLE_MM, f"buttons.{button.id}")


def _sensor_hole_diameter(board: BoardDescription) -> float:
    """A reed on end stands in a hole; what lies flat lies under the board."""
    return REED_HOLE_MM if (board.sensor_design or DEFAULT_DESIGN).part.kind is SensorKind.ON_END else 0.0


def sensor_positions(board: BoardDescription) -> Mapping[str, BoardPoint]:
    """By slot where the middle of its sensor lies."""
    design = board.sensor_design or DEFAULT_DESIGN
    turn = radians(design.turn_deg)
    right, up = design.aside_mm * cos(turn), design.aside_mm * sin(turn)
    return {
        slot.id: BoardPoint(slot.position.x + right, slot.position.y + up)
        for slot in board.slots.values()
        if slot.sensor is not None
    }


def lamp_positions(board: BoardDescription) -> Mapping[LampId, BoardPoint]:
    """By lamp where it shines through the face: of spaces, and those that belong to none."""
    felt = sensor_positions(board)
    spaces = {id_: lamp_position(space, felt) for id_, space in board.spaces.items() if id_ in board.lamps}
    return {**spaces, **board.named_lamps}


def lamp_position(space: SpacePlace, felt: Mapping[str, BoardPoint]) -> BoardPoint:
    """Where the lamp of a space lies: as its file says, or else the first usual place that is free."""
    if space.lamp is not None:
        return space.lamp
    taken = [felt[slot.id] for slot in space.slots if slot.id in felt]
    ways = _lamp_offsets(len(space.slots) > 1, space.outline.shape, space.outline.width, space.outline.height)
    places = [BoardPoint(space.position.x + dx, space.position.y + dy) for dx, dy in ways]
    apart = REED_HOLE_MM / 2 + LAMP_HOLE_MM / 2 + WALL_MIN_MM
    return next((at for at in places if all(dist(at, one) >= apart for one in taken)), places[0])


@cache
def _lamp_offsets(several: bool, shape: str, width: float, height: float) -> tuple[tuple[float, float], ...]:
    """From the middle of a space: its upper right corner first; the middle first between several slots."""
    share = 1 / 3 if shape == "rectangle" else 0.3
    right, up = width * share, height * share
    corners = ((right, up), (-right, up), (right, -up), (-right, -up))
    between = tuple((step * 5.0, 0.0) for number in range(1, 20) for step in (number, -number))
    return ((0.0, 0.0), *between, *corners) if several else corners
