"""The picture of a board that a screen shows under lamps and pieces, drawn as the printed face is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardrules import registry, svg
from boardrules.art import BoardGeometry, DrawnSpace
from boardrules.shapes import Point
from boardumpire.drawing.geometry import board_geometry, print_language
from boardware.parts import BoardDescription


def board_svg(
    board: BoardDescription, game: str, options: Mapping[str, Any], language: str, *, turned: bool = False
) -> str:
    """The picture as SVG, a user unit a millimetre; nothing where the game has none.

    `turned`: as it is seen from the far side, its names upright all the same.
    """
    words = print_language(language, game)
    there = board_geometry(board, words.translate)
    shapes = list(
        registry.package(game).art(options).screen(rotate_geometry(there) if turned else there, words)
    )
    return svg.svg(shapes, *board.size) if shapes else ""


def rotate_geometry(there: BoardGeometry) -> BoardGeometry:
    """A board as it is seen from the far side."""

    def at(point: Point) -> Point:
        return there.width - point[0], there.height - point[1]

    def place(one: DrawnSpace) -> DrawnSpace:
        x, y = at((one.x, one.y))
        return one._replace(x=x, y=y, slots=tuple(map(at, one.slots)))

    return there._replace(
        places={id_: place(one) for id_, one in there.places.items()},
        lamps={id_: at(point) for id_, point in there.lamps.items()},
        buttons={id_: at(point) for id_, point in there.buttons.items()},
    )
