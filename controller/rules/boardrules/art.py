"""What a game prints: the face of its board, a legend, and what is cut out of paper.

A game's package offers an `GameArt` (`GamePackage.art`). The board's own outlines, its lamp windows and the
edge are drawn by whoever makes the sheet. One style for all games: the colours below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from boardrules.core import Space
from boardrules.shapes import Oval, Paint, Point, Polyline, Rectangle, Shape, TextShape

INK: Final = "#1d1d1b"
PAPER: Final = "#f7f3e8"
"""The ground of every face."""
LAND: Final = "#e9e0c9"
SECONDARY_INK: Final = "#8b8471"
"""Lines that matter less."""
# Okabe and Ito, "Color Universal Design" (2008): told apart with every kind of colour vision.
BLUE: Final = "#0072b2"
SKY: Final = "#56b4e9"
ORANGE: Final = "#e69f00"
RED: Final = "#d55e00"
GREEN: Final = "#009e73"
YELLOW: Final = "#f0e442"
PURPLE: Final = "#cc79a7"


class DrawnSpace(NamedTuple):
    """A space as it lies on a board."""

    id: Space
    name: str
    """What people call it in the language that is printed."""
    x: float
    y: float
    outline: str
    """The id of its outline."""
    shape: str
    """`rectangle` or `ellipse`."""
    width: float
    height: float
    slots: tuple[Point, ...] = ()
    """Where its pieces stand, if there are several."""

    def outline_shape(self, paint: Paint) -> Oval | Rectangle:
        """Its outline."""
        if self.shape == "ellipse":
            return Oval(self.x, self.y, self.width, self.height, paint)
        return Rectangle(self.x - self.width / 2, self.y - self.height / 2, self.width, self.height, paint)


class BoardGeometry(NamedTuple):
    """A board as far as a game may draw on it. Lengths in mm, from its lower left corner."""

    width: float
    height: float
    places: Mapping[Space, DrawnSpace]
    lines: tuple[tuple[Space, Space], ...]
    """Pairs of spaces that a line joins."""
    lamps: Mapping[str, Point]
    """The lamps that belong to no space."""
    buttons: Mapping[str, Point]


class PrintLanguage(NamedTuple):
    """A language to print in."""

    code: str
    translate: Callable[[str], str]
    """An English sentence or name of a catalogue in that language."""
    months: tuple[str, ...]
    """Twelve, as a calendar heads them."""
    wrap_text: Callable[[str, float, float], tuple[str, ...]]
    """A text in lines, of a font of so many mm and at most so many mm long."""
    translate_name: Callable[[str, str], str]
    """A name in a context (`PieceAppearance.context`), as `translate` otherwise."""


class LegendEntry(NamedTuple):
    """One line of a legend."""

    sample: tuple[Shape, ...]
    """Drawn in 20 x 12 mm, around (0, 0)."""
    text: str


class CutOut(NamedTuple):
    """A piece of paper that is cut out, so many times."""

    name: str
    width: float
    height: float
    copies: int
    shapes: tuple[Shape, ...]
    """From its lower left corner."""
    back: tuple[Shape, ...] = ()
    """What is on its back, if anything."""


def text_block(
    language: PrintLanguage, text: str, x: float, y: float, size: float, width: float
) -> tuple[TextShape, ...]:
    """A text in lines around `x`, the first one's baseline at `y`."""
    said = language.wrap_text(text, size, width)
    return tuple(TextShape(x, y - 1.35 * size * number, size, line) for number, line in enumerate(said))


class GameArt:
    """What is drawn of a game; as it stands, of one that says nothing: outlines, lines and names."""

    def face(self, ground: BoardGeometry, language: PrintLanguage) -> Iterator[Shape]:
        """The printed face, from below to above."""
        yield from line_shapes(ground, Paint(None, SECONDARY_INK, 1.2))
        for place in ground.places.values():
            yield place.outline_shape(Paint(SKY if place.outline == "lake" else "#ffffff", INK, 0.4))
        yield from space_name_shapes(ground.places.values())

    def screen(self, ground: BoardGeometry, language: PrintLanguage) -> Iterable[Shape]:
        """The picture that a screen shows under lamps and pieces; nothing: the screen draws plain spaces."""
        return ()

    def legend(self, language: PrintLanguage) -> Iterable[LegendEntry]:
        """What the signs on the face mean."""
        return ()

    def cut_outs(self, language: PrintLanguage) -> Iterable[CutOut]:
        """Cards, tickets and markers to cut out."""
        return ()


def line_shapes(ground: BoardGeometry, paint: Paint) -> Iterator[Shape]:
    """The lines that a board file has, from middle to middle."""
    for one, other in ground.lines:
        a, b = ground.places[one], ground.places[other]
        yield Polyline(((a.x, a.y), (b.x, b.y)), paint)


def space_name_shapes(places: Iterable[DrawnSpace], size: float = 3.2) -> Iterator[Shape]:
    """What spaces are called, small, at the lower left inside each."""
    for place in places:
        if place.shape == "rectangle":
            x, y = place.x - place.width / 2 + 1.5, place.y - place.height / 2 + 1.8
            yield TextShape(x, y, size, place.name, SECONDARY_INK, "start")
        else:
            y = place.y - place.height / 2 - size
            yield TextShape(place.x, y, size, place.name, INK, halo=PAPER)
