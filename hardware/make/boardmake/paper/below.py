"""All wires of a board as they are soldered: seen from below, at true scale.

Left and right change places; words stay readable. A row is a line, a column is dashed; a diode's line is at
its reed. Arrows lead from lamp to lamp.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from boardmake.making.holes import lamp_positions, sensor_positions
from boardmake.paper import plan
from boardrules.shapes import Oval, Paint, Polyline, Rectangle, Shape, TextShape, disc
from boardware.parts import BoardDescription, MatrixBank

_MIRRORED_ANCHORS: Final = {"start": "end", "end": "start", "middle": "middle"}
_ROW_LABEL_COLOUR, _COLUMN_LABEL_COLOUR = "#0b3d66", "#8a3a00"
_ROW_OFFSET_MM: Final = 10.0
"""From a sensor to its row's wire, with the diode between."""
_DIODE_OFFSET_MM: Final = 7.0
"""From a sensor to the middle of its diode, along the row."""


def wiring_from_below(board: BoardDescription) -> Iterator[Shape]:
    """The sheet."""
    yield from mirror_shapes(_wiring_from_above(board), board.size.x)
    told = f"{board.id}: wiring seen from below, 1:1. Lines: rows. Dashes: columns. Numbers: lamps."
    yield TextShape(3, 1.2, 2.6, told, "#000000", "start")


def mirror_shapes(shapes: Iterable[Shape], wide: float) -> Iterator[Shape]:
    """The shapes from behind, on a board so wide."""
    for shape in shapes:
        match shape:
            case Oval():
                yield shape._replace(x=wide - shape.x)
            case Rectangle():
                yield shape._replace(x=wide - shape.x - shape.width)
            case Polyline(points):
                yield shape._replace(points=tuple((wide - x, y) for x, y in points))
            case TextShape():
                yield shape._replace(x=wide - shape.x, anchor=_MIRRORED_ANCHORS[shape.anchor])


def _wiring_from_above(board: BoardDescription) -> Iterator[Shape]:
    diodes = any(bank.has_diodes for bank in board.banks.values())
    yield from plan.plan_shapes(board, _ROW_OFFSET_MM if diodes else 0.0)
    at = sensor_positions(board)
    for bank in board.banks.values():
        for contact, slot in board.slots_by_contact.items():
            if contact.bank == bank.id and bank.has_diodes and bank.wires.buffered_wiring is None:
                yield from _diode_shapes(*at[slot])
        yield from _pin_labels(board, bank)
    lamp_at = lamp_positions(board)
    for lamp, place in board.lamps.items():
        x, y = lamp_at[lamp]
        yield TextShape(x, y - 1.0, 2.8, str(place.index), "#000000")
    for button in board.buttons.values():
        x, y = button.position
        yield TextShape(x, y + 7.5, 2.2, _pin_name(button.pico, button.gpio), "#000000")


def _diode_shapes(x: float, y: float) -> Iterator[Shape]:
    """From the row's wire to the reed, its line at the reed."""
    start, middle = x - _ROW_OFFSET_MM, x - _DIODE_OFFSET_MM
    yield Polyline(((start, y), (x - 1.5, y)), Paint(None, "#000000", 0.35))
    points = ((middle - 1.8, y + 1.6), (middle - 1.8, y - 1.6), (middle + 1.2, y))
    yield Polyline(points, Paint("#000000"), closed=True)
    yield Polyline(((middle + 1.4, y + 1.8), (middle + 1.4, y - 1.8)), Paint(None, "#000000", 0.6))
    yield disc(start, y, 1.0, Paint("#000000"))


def _pin_labels(board: BoardDescription, bank: MatrixBank) -> Iterator[Shape]:
    """At the first sensor of each row and column its number, counted from 1, and its pin."""
    at = sensor_positions(board)
    felt = [
        (contact, at[slot]) for contact, slot in board.slots_by_contact.items() if contact.bank == bank.id
    ]
    lines = [
        *(
            (f"R{row + 1}", pin, [(c.column, at) for c, at in felt if c.row == row], 4.2, _ROW_LABEL_COLOUR)
            for row, pin in enumerate(bank.rows)
        ),
        *(
            (
                f"C{column + 1}",
                pin,
                [(c.row, at) for c, at in felt if c.column == column],
                -6.2,
                _COLUMN_LABEL_COLOUR,
            )
            for column, pin in enumerate(bank.columns)
        ),
    ]
    for name, pin, line, up, ink in lines:
        if line:
            _, (x, y) = min(line)
            yield TextShape(x, y + up, 2.4, f"{name} {_pin_name(bank.pico, pin)}", ink, bold=True)


def _pin_name(pico: str | None, pin: int) -> str:
    return f"GPIO{pin}" if pico is None else f"{pico} GP{pin}"
