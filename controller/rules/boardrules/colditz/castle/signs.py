"""The signs of the castle: what is taken in a room, and what a circle is. Around (0, 0), 14 mm wide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from boardrules.shapes import Oval, Paint, Polyline, Rectangle, Shape, arc_points, disc


def _line_paint(ink: str) -> Paint:
    return Paint(None, ink, 1.6)


def _rope(ink: str) -> Iterator[Shape]:
    yield Oval(0, 1.5, 10, 6, _line_paint(ink))
    yield Polyline(tuple(arc_points(0, -1, 10, 8, 180, 360)), _line_paint(ink))
    yield Polyline(((5, -1), (5, -6)), _line_paint(ink))


def _key(ink: str) -> Iterator[Shape]:
    yield disc(-3.5, 0, 6, _line_paint(ink))
    yield Polyline(((-0.5, 0), (7, 0)), _line_paint(ink))
    yield Polyline(((4.5, 0), (4.5, -3)), _line_paint(ink))
    yield Polyline(((7, 0), (7, -2.4)), _line_paint(ink))


def _pass(ink: str) -> Iterator[Shape]:
    yield Rectangle(-5, -6, 10, 12, _line_paint(ink))
    yield Polyline(((-2.2, 2.5), (2.2, 2.5)), _line_paint(ink))
    yield Polyline(((-2.2, -0.8), (2.2, -0.8)), _line_paint(ink))


def _cutter(ink: str) -> Iterator[Shape]:
    yield Polyline(((-5, 6), (3.2, -3.6)), _line_paint(ink))
    yield Polyline(((5, 6), (-3.2, -3.6)), _line_paint(ink))
    yield disc(-4.4, -5.2, 4, _line_paint(ink))
    yield disc(4.4, -5.2, 4, _line_paint(ink))


def _food(ink: str) -> Iterator[Shape]:
    yield Polyline(tuple(arc_points(0, -2, 12, 12, 0, 180)), _line_paint(ink), closed=True)
    yield Polyline(((-7, -4.4), (7, -4.4)), _line_paint(ink))


def _documents(ink: str) -> Iterator[Shape]:
    yield Rectangle(-6, -7, 9, 12, _line_paint(ink))
    yield Polyline(((-3, 7), (6, 7), (6, -5)), _line_paint(ink))


def _compass(ink: str) -> Iterator[Shape]:
    yield disc(0, 0, 12, _line_paint(ink))
    yield Polyline(((-2.2, -2.6), (2.6, 2.8)), _line_paint(ink))


def _disguise(ink: str) -> Iterator[Shape]:
    for side in (-3.4, 3.4):
        yield Oval(side, 1.2, 5.2, 4, _line_paint(ink))
    yield Polyline(((-0.8, 1.6), (0.8, 1.6)), _line_paint(ink))
    yield Polyline(tuple(arc_points(0, -3.2, 7, 4.6, 200, 340)), _line_paint(ink))


SIGNS: Final[Mapping[str, Callable[[str], Iterator[Shape]]]] = {
    "rope": _rope, "key": _key, "pass": _pass, "cutter": _cutter,
    "food": _food, "documents": _documents, "compass": _compass, "disguise": _disguise,
}  # fmt: skip
"""By what a room shows its sign, in a colour."""
