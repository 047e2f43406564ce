"""A board as its builder sees it: spaces, sensors, lamps and the way that wires take between them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from boardmake.making.holes import BUTTON_HOLE_MM, LAMP_HOLE_MM, lamp_positions, sensor_positions
from boardmake.paper.face import space_outline
from boardrules.art import BLUE, GREEN, INK, ORANGE, PAPER, PURPLE, RED, SECONDARY_INK
from boardrules.shapes import Paint, Point, Polyline, Rectangle, Shape, TextShape, cross, disc
from boardware.parts import BoardDescription

WIRE_COLOURS: Final = (BLUE, RED, GREEN, PURPLE, ORANGE)
"""Of banks and chains, in turn."""


def plan_shapes(board: BoardDescription, beside: float = 0.0) -> Iterator[Shape]:
    """Everything at once: to look at a board, and to compare a built one with its file. Rows lie so far to
    the left `beside` their sensors, in mm."""
    yield from _board_shapes(board)
    yield from _matrix_wires(board, beside)
    yield from _chain_wires(board)
    yield from _part_marks(board)


def matrix_shapes(board: BoardDescription) -> Iterator[Shape]:
    """The rows and columns of the reed matrices alone."""
    yield from _board_shapes(board)
    yield from _matrix_wires(board)
    yield from _sensor_marks(board)


def chain_shapes(board: BoardDescription) -> Iterator[Shape]:
    """The chains of lamps alone, with the numbers of their lamps."""
    yield from _board_shapes(board)
    yield from _chain_wires(board)
    at = lamp_positions(board)
    for lamp, place in board.lamps.items():
        x, y = at[lamp]
        yield disc(x, y, LAMP_HOLE_MM, Paint("#ffffff", INK, 0.3))
        yield TextShape(x, y - 1.0, 2.8, str(place.index), INK)


def _board_shapes(board: BoardDescription) -> Iterator[Shape]:
    wide, high = board.size
    yield Rectangle(0, 0, wide, high, Paint(PAPER, INK, 0.4))
    for one, other in board.lines:
        ends = (board.spaces[one].position, board.spaces[other].position)
        yield Polyline(ends, Paint(None, "#d9d2bd", 1.6))
    for space in board.spaces.values():
        yield space_outline(space, space.position.x, Paint("#ffffff", SECONDARY_INK, 0.25))
        left, low = space.position.x - space.outline.width / 2, space.position.y - space.outline.height / 2
        size = min(4.0, space.outline.width / 7)
        if space.outline.shape == "rectangle":
            yield TextShape(left + 1, low + 1.2, size, space.id, SECONDARY_INK, "start")
        else:
            yield TextShape(
                space.position.x, low + size * 0.9, min(size, 24 / len(space.id)), space.id, SECONDARY_INK
            )


def _matrix_wires(board: BoardDescription, beside: float = 0.0) -> Iterator[Shape]:
    """Each row as a line from sensor to sensor, each column as a dashed one."""
    at = sensor_positions(board)
    for number, bank in enumerate(board.banks.values()):
        ink = WIRE_COLOURS[number % len(WIRE_COLOURS)]
        felt = [
            (contact, slot) for contact, slot in board.slots_by_contact.items() if contact.bank == bank.id
        ]
        for row in range(len(bank.rows)):
            way = sorted((contact.column, slot) for contact, slot in felt if contact.row == row)
            points: list[Point] = [(at[slot].x - beside, at[slot].y) for _, slot in way]
            yield from _wire_line(points, Paint(None, ink, 0.5))
        for column in range(len(bank.columns)):
            way = sorted((contact.row, slot) for contact, slot in felt if contact.column == column)
            yield from _wire_line(
                [(at[slot].x, at[slot].y) for _, slot in way], Paint(None, ink, 0.35, (2.0, 1.4))
            )


def _wire_line(points: list[Point], paint: Paint) -> Iterator[Shape]:
    if len(points) > 1:
        yield Polyline(tuple(points), paint)


def _chain_wires(board: BoardDescription) -> Iterator[Shape]:
    """The data line from lamp to lamp, with an arrow in the middle of each hop."""
    at = lamp_positions(board)
    for number, one in enumerate(board.chains.values()):
        ink = WIRE_COLOURS[-1 - number % len(WIRE_COLOURS)]
        way = sorted((place.index, lamp) for lamp, place in board.lamps.items() if place.chain == one.id)
        points: list[Point] = [(at[lamp].x, at[lamp].y) for _, lamp in way]
        yield from _wire_line(points, Paint(None, ink, 0.8))
        for (ax, ay), (bx, by) in pairwise(points):
            yield from _arrow((ax, ay), (bx, by), ink)


def _arrow(a: Point, b: Point, ink: str) -> Iterator[Shape]:
    length = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5
    if length < 8:
        return
    dx, dy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    back = (x - 2.6 * dx, y - 2.6 * dy)
    sides = ((back[0] - 1.3 * dy, back[1] + 1.3 * dx), (back[0] + 1.3 * dy, back[1] - 1.3 * dx))
    yield Polyline(((x, y), *sides), Paint(ink), closed=True)


def _sensor_marks(board: BoardDescription) -> Iterator[Shape]:
    for x, y in sensor_positions(board).values():
        yield disc(x, y, 3, Paint("#ffffff", INK, 0.3))
        yield from cross(x, y, 5, Paint(None, INK, 0.25))


def _part_marks(board: BoardDescription) -> Iterator[Shape]:
    yield from _sensor_marks(board)
    for x, y in lamp_positions(board).values():
        yield disc(x, y, LAMP_HOLE_MM, Paint("#fff3c4", INK, 0.3))
    for button in board.buttons.values():
        x, y = button.position
        yield disc(x, y, BUTTON_HOLE_MM, Paint("#ffffff", INK, 0.5))
        yield TextShape(x, y - 0.9, 2.6, button.id, INK)
    for pad in board.pads.values():
        x, y = pad.position
        yield Rectangle(x - 9, y - 9, 18, 18, Paint(None, PURPLE, 0.6, (1.5, 1.0)), 2)
