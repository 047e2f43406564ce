"""A branch of a circuit as symbols on one line: parts in series lie in it, others hang on it.

Wires end at bodies and never run through one, so that what is drawn is what is joined. Lengths in mm.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from boardrules.art import INK
from boardrules.art import RED as RAIL
from boardrules.shapes import Paint, Polyline, Rectangle, Shape, TextShape, disc

DRAWING_WIDTH_MM: Final = 240.0
"""Of the drawing."""
WIRE_PAINT: Final = Paint(None, INK, 0.6)
"""What conducts, outside of parts."""
EARTH_PAINT: Final = Paint(None, INK, 0.7)
"""The symbol of ground."""
_SYMBOL_PAINT: Final = Paint(None, INK, 0.5)
_PLATE_PAINT: Final = Paint(None, INK, 0.9)
_BODY_PAINT: Final = Paint("#ffffff", INK, 0.6)
_CLEAR_PAINT: Final = Paint("#ffffff")
_HALF_LENGTH_MM: Final = {
    "resistor": 6.0,
    "fuse": 6.0,
    "diode": 4.0,
    "switch": 5.0,
    "chip": 12.0,
    "shunted": 12.0,
    "more": 5.0,
}
"""Half the length that a part takes out of its line; others take none."""


class SymbolPin(NamedTuple):
    """What else of a part is joined: its pin, and to what."""

    pin: str
    net: str


class SymbolPart(NamedTuple):
    """One on the line. `down` and `up` parts hang on it, with their other end at their leg's net."""

    kind: str
    text: str
    legs: tuple[SymbolPin, ...] = ()
    left_pin: str = ""
    right_pin: str = ""


def branch_shapes(parts: tuple[SymbolPart, ...], y: float) -> Iterator[Shape]:
    """A whole line of parts at this height."""
    step = min(36.0, (DRAWING_WIDTH_MM - 16) / len(parts))
    at = [8 + step * (number + 0.5) for number in range(len(parts))]
    for number in range(len(parts) - 1):
        start, end = (
            at[which] + way * _HALF_LENGTH_MM.get(parts[which].kind, 0)
            for which, way in ((number, 1), (number + 1, -1))
        )
        yield Polyline(((start, y), (end, y)), WIRE_PAINT)
    for x, part in zip(at, parts, strict=True):
        yield from _part_shapes(part, x, y)


def _part_shapes(part: SymbolPart, x: float, y: float) -> Iterator[Shape]:
    where, _, hung = part.kind.partition(" ")
    if hung:
        yield from _hanging_part_shapes(part, hung, x, y, -1 if where == "down" else 1)
        return
    if part.kind in ("chip", "shunted"):
        yield from _chip_shapes(part, x, y)
        return
    match part.kind:
        case "resistor" | "fuse":
            yield Rectangle(x - 6, y - 2.2, 12, 4.4, _BODY_PAINT)
            if part.kind == "fuse":
                yield Polyline(((x - 6, y), (x + 6, y)), _SYMBOL_PAINT)
        case "diode":
            yield from _diode_shapes(x, y)
        case "switch":
            yield Rectangle(x - 5, y - 1, 10, 2, _CLEAR_PAINT)
            yield Polyline(((x - 5, y), (x + 4, y + 4)), _SYMBOL_PAINT)
            yield disc(x - 5, y, 1.4, Paint(INK))
            yield disc(x + 5, y, 1.4, Paint(INK))
        case "node":
            yield disc(x, y, 1.8, Paint(INK))
        case "earth":
            yield from _earth_shapes(x, y)
        case "more":
            yield TextShape(x, y - 1, 4, part.text, INK)
            return
        case "rail":
            yield disc(x, y, 3.4, Paint(RAIL, INK, 0.7))
        case _:
            yield disc(x, y, 3.4, _BODY_PAINT)
    yield TextShape(x, y - 8, 3.2, part.text, INK)


def _hanging_part_shapes(part: SymbolPart, hung: str, x: float, y: float, way: int) -> Iterator[Shape]:
    """A dot on the line, a part, and ground below or a rail above."""
    near, far = sorted((y + 3 * way, y + 10 * way))
    yield disc(x, y, 1.8, Paint(INK))
    yield Polyline(((x, y), (x, y + 3 * way)), WIRE_PAINT)
    if hung == "resistor":
        yield Rectangle(x - 1.8, near, 3.6, 7, _BODY_PAINT)
    elif hung == "load":
        yield Rectangle(x - 8, near, 16, 7, _BODY_PAINT)
        yield TextShape(x, y + 6.5 * way - 0.9, 3.0, part.text, INK)
    elif hung == "diode":  # from ground up to the line
        points = ((x - 3, near + 1), (x + 3, near + 1), (x, far - 1))
        yield Rectangle(x - 3, near, 6, 7, _CLEAR_PAINT)
        yield Polyline(((x, near), (x, far)), _SYMBOL_PAINT)
        yield Polyline(points, Paint(INK, INK, 0.4), closed=True)
        yield Polyline(((x - 3, far - 1), (x + 3, far - 1)), Paint(None, INK, 0.9))
    else:
        yield Rectangle(x - 3, near, 6, 7, _CLEAR_PAINT)
        middle = (near + far) / 2
        for side, plate in ((far, middle + 0.8), (near, middle - 0.8)):
            yield Polyline(((x, side), (x, plate)), _SYMBOL_PAINT)
            yield Polyline(((x - 3, plate), (x + 3, plate)), _PLATE_PAINT)
    if hung != "load":
        yield TextShape(x + 4, y + 6.5 * way - 0.9, 3.2, part.text, INK, "start")
    yield from _net_shapes(part.legs[0].net, x, y + 10 * way, way)


def _chip_shapes(part: SymbolPart, x: float, y: float) -> Iterator[Shape]:
    """A box with the names of its pins; ground below, supplies above."""
    room = 22 - 3 * max(len(part.left_pin), len(part.right_pin))
    yield Rectangle(x - 12, y - 6, 24, 12, _BODY_PAINT, 1)
    yield TextShape(x, y - 0.9, min(3.0, room / (0.56 * len(part.text))), part.text, INK)
    yield TextShape(x - 11.3, y - 0.8, 2.2, part.left_pin, INK, "start")
    yield TextShape(x + 11.3, y - 0.8, 2.2, part.right_pin, INK, "end")
    if part.kind == "shunted":
        yield from _shunt_diode_shapes(part.legs[0].pin, x, y)
        return
    for leg in part.legs:
        way = -1 if leg.net == "GND" else 1
        yield TextShape(x, y + 4.6 * way - 0.8, 2.2, leg.pin, INK)
        yield from _net_shapes(leg.net, x, y + 6 * way, way)


def _net_shapes(name: str, x: float, y: float, way: int) -> Iterator[Shape]:
    """A wire of 3 mm to ground, or to a rail."""
    end = y + 3 * way
    yield Polyline(((x, y), (x, end)), WIRE_PAINT)
    if name == "GND":
        yield from _earth_shapes(x, end)
        return
    yield disc(x, end, 2.4, Paint(RAIL, INK, 0.5))
    yield TextShape(x + 2.2, end - 0.9, 2.8, name, INK, "start")


def _shunt_diode_shapes(name: str, x: float, y: float) -> Iterator[Shape]:
    """A diode beside a part, its line to the right."""
    for side in (-1, 1):
        turn = x + 15 * side
        yield disc(turn, y, 1.8, Paint(INK))
        yield Polyline(((turn, y), (turn, y + 11), (x + 4 * side, y + 11)), WIRE_PAINT)
    yield from _diode_shapes(x, y + 11)
    yield TextShape(x, y + 15, 3.2, name, INK)


def _diode_shapes(x: float, y: float) -> Iterator[Shape]:
    yield Rectangle(x - 4, y - 3, 8, 6, _CLEAR_PAINT)
    yield Polyline(((x - 4, y), (x + 4, y)), _SYMBOL_PAINT)
    yield Polyline(((x - 3, y + 3), (x - 3, y - 3), (x + 3, y)), Paint(INK, INK, 0.4), closed=True)
    yield Polyline(((x + 3, y + 3), (x + 3, y - 3)), Paint(None, INK, 0.9))


def _earth_shapes(x: float, y: float) -> Iterator[Shape]:
    for row, half in enumerate((4.0, 2.6, 1.2)):
        yield Polyline(((x - half, y - row), (x + half, y - row)), EARTH_PAINT)
