"""What is printed, as plain shapes: a game draws its face in them, and a sheet of paper takes them.

Lengths are mm, from the lower left corner: x right, y up. Colours are `#rrggbb`. What comes later lies above.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import cos, pi, sin
from typing import NamedTuple

Point = tuple[float, float]


class Paint(NamedTuple):
    """How a shape is filled and drawn."""

    fill: str | None = None
    stroke: str | None = None
    width: float = 0.3
    """Of the stroke, in mm."""
    dash: tuple[float, ...] = ()
    """mm of ink and of nothing, in turn."""


class Oval(NamedTuple):
    """An ellipse around its middle."""

    x: float
    y: float
    width: float
    height: float
    paint: Paint


class Rectangle(NamedTuple):
    """A rectangle from its lower left corner."""

    x: float
    y: float
    width: float
    height: float
    paint: Paint
    corner_radius: float = 0.0
    """Radius of its corners."""


class Polyline(NamedTuple):
    """Straight lines from point to point."""

    points: tuple[Point, ...]
    paint: Paint
    closed: bool = False


class TextShape(NamedTuple):
    """A line of text. `y` is its baseline."""

    x: float
    y: float
    size: float
    """mm of the font; capitals are 0.69 of it high."""
    text: str
    ink: str = "#1d1d1b"
    anchor: str = "middle"
    """`start`, `middle` or `end`: what of it is at `x`."""
    bold: bool = False
    halo: str | None = None
    """The colour of an edge around its letters, for texts over lines."""
    rotation_degrees: float = 0.0
    """Degrees to the left, around (x, y)."""


Shape = Oval | Rectangle | Polyline | TextShape


def disc(x: float, y: float, diameter: float, paint: Paint) -> Oval:
    """A circle of that diameter."""
    return Oval(x, y, diameter, diameter, paint)


def square(x: float, y: float, side: float, paint: Paint, round: float = 0.0) -> Rectangle:
    """A square around its middle."""
    return Rectangle(x - side / 2, y - side / 2, side, side, paint, round)


def cross(x: float, y: float, size: float, paint: Paint) -> tuple[Polyline, Polyline]:
    """Two lines that meet in a point."""
    half = size / 2
    return Polyline(((x - half, y), (x + half, y)), paint), Polyline(((x, y - half), (x, y + half)), paint)


def arc_points(x: float, y: float, across: float, up: float, first: float, last: float) -> Iterator[Point]:
    """Points along an ellipse, from one angle in degrees to the other, at most 6 degrees apart."""
    steps = max(2, int(abs(last - first) / 6) + 1)
    for step in range(steps + 1):
        angle = (first + (last - first) * step / steps) * pi / 180
        yield x + across / 2 * cos(angle), y + up / 2 * sin(angle)


def transformed_shapes(shapes: Iterable[Shape], dx: float, dy: float, scale: float = 1.0) -> Iterator[Shape]:
    """The shapes elsewhere: their origin at (dx, dy), and so many times as large."""
    for shape in shapes:
        match shape:
            case Oval(x, y, across, up, paint):
                yield Oval(
                    dx + x * scale, dy + y * scale, across * scale, up * scale, _scaled_paint(paint, scale)
                )
            case Rectangle(x, y, width, height, paint, corner):
                yield Rectangle(
                    dx + x * scale,
                    dy + y * scale,
                    width * scale,
                    height * scale,
                    _scaled_paint(paint, scale),
                    corner * scale,
                )
            case Polyline(points, paint, closed):
                there = tuple((dx + x * scale, dy + y * scale) for x, y in points)
                yield Polyline(there, _scaled_paint(paint, scale), closed)
            case TextShape():
                yield shape._replace(x=dx + shape.x * scale, y=dy + shape.y * scale, size=shape.size * scale)


def _scaled_paint(paint: Paint, scale: float) -> Paint:
    if scale == 1:
        return paint
    return paint._replace(width=paint.width * scale, dash=tuple(part * scale for part in paint.dash))
