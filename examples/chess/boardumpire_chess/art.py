"""How a chessboard is printed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boardrules.art import INK, SECONDARY_INK, BoardGeometry, GameArt, PrintLanguage
from boardrules.shapes import Paint, Shape, TextShape

DARK, LIGHT = "#c9b48c", "#f4ecd8"
_NAME_HEIGHT_MM: Final = 3.4


class Chequered(GameArt):
    """Dark and light squares, a1 a dark one, with their names."""

    def face(self, ground: BoardGeometry, language: PrintLanguage) -> Iterator[Shape]:
        """The squares, each with its name."""
        for place in ground.places.values():
            file, rank = ord(place.id[0]) - ord("a"), int(place.id[1:]) - 1
            yield place.outline_shape(Paint(LIGHT if (file + rank) % 2 else DARK, INK, 0.3))
            x, y = place.x - place.width / 2 + 1.8, place.y - place.height / 2 + 2.2
            yield TextShape(x, y, _NAME_HEIGHT_MM, place.name, SECONDARY_INK, "start")
