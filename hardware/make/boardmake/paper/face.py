"""The printed face of a board and the template that it is drilled by, as shapes in mm of the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boardmake.making.holes import BUTTON_HOLE_MM, LAMP_HOLE_MM, DrillHole, drill_holes, lamp_positions
from boardrules.art import INK, PAPER, SECONDARY_INK, GameArt, PrintLanguage
from boardrules.shapes import Oval, Paint, Polyline, Rectangle, Shape, TextShape, cross, disc
from boardumpire.drawing.geometry import board_geometry
from boardware.parts import BoardDescription, SpacePlace

SHEET_EDGE_MM = 10.0
"""mm of paper around the board on one sheet."""
_MARK_PAINT = Paint(None, "#000000", 0.15)
_HAIR_PAINT = Paint(None, "#000000", 0.1)
_FAINT_PAINT = Paint(None, "#b5b5b5", 0.15)


def face_shapes(
    board: BoardDescription, art: GameArt, words: PrintLanguage, drawing: Sequence[Shape] = ()
) -> Iterator[Shape]:
    """What is printed on a board: what its game draws, or a drawing, with its lamps and buttons."""
    wide, high = board.size
    yield Rectangle(-3, -3, wide + 6, high + 6, Paint(PAPER))
    yield from drawing or art.face(board_geometry(board, words.translate), words)
    for x, y in lamp_positions(board).values():
        yield disc(x, y, LAMP_HOLE_MM, Paint("#ffffff", SECONDARY_INK, 0.2))
    for button in board.buttons.values():
        x, y = button.position
        yield disc(x, y, BUTTON_HOLE_MM, Paint("#ffffff", INK, 0.4))
        said = words.translate(button.id.capitalize())
        yield TextShape(x, y - 0.9, min(2.6, 16 / len(said)), said, INK)
    yield Rectangle(0, 0, wide, high, Paint(None, INK, 0.2))


def drill_template(board: BoardDescription, *, below: bool = False) -> Iterator[Shape]:
    """What is drilled and where sensors lie; as seen from `below`, left and right change places."""
    wide, high = board.size

    def at(x: float) -> float:
        return wide - x if below else x

    yield Rectangle(0, 0, wide, high, Paint(None, INK, 0.2))
    for space in board.spaces.values():
        yield space_outline(space, at(space.position.x), _FAINT_PAINT)
    for hole in drill_holes(board):
        yield from _hole_shapes(hole, at(hole.at.x), hole.at.y)
    side = "from below" if below else "from above"
    told = f"{board.id}: seen {side}. Crosses: sensors. Circles: holes, lamps {LAMP_HOLE_MM:g} mm."
    yield TextShape(3, 1.2, 2.6, told, "#000000", "start")


def space_outline(space: SpacePlace, x: float, paint: Paint) -> Shape:
    """A space's outline around `x` and its own height."""
    y, shape = space.position.y, space.outline
    if shape.shape == "ellipse":
        return Oval(x, y, shape.width, shape.height, paint)
    return Rectangle(x - shape.width / 2, y - shape.height / 2, shape.width, shape.height, paint)


def _hole_shapes(hole: DrillHole, x: float, y: float) -> Iterator[Shape]:
    if hole.diameter:
        yield disc(x, y, hole.diameter, _MARK_PAINT)
    if hole.kind == "sensor":
        yield from cross(x, y, 8.0, _HAIR_PAINT)
        yield TextShape(x + 0.8, y + 2.0, 1.8, hole.id, "#000000", "start")
    elif hole.kind == "button":
        yield from cross(x, y, 4.0, _HAIR_PAINT)
        yield TextShape(x, y + 6.8, 2.2, hole.id, "#000000")
    else:
        yield disc(x, y, 0.4, Paint("#000000"))


def with_corner_marks(shapes: Iterator[Shape], board: BoardDescription) -> Iterator[Shape]:
    """The same with marks at its corners, where the board is cut out."""
    yield from shapes
    wide, high = board.size
    for x, way in ((0.0, -1), (wide, 1)):
        for y, up in ((0.0, -1), (high, 1)):
            yield Polyline(((x + 4 * way, y), (x + 9 * way, y)), _MARK_PAINT)
            yield Polyline(((x, y + 4 * up), (x, y + 9 * up)), _MARK_PAINT)
