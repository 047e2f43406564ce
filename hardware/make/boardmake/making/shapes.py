"""Outlines of spaces as convex polygons, and whether two of them touch. Lengths in mm."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, dist, hypot, pi, sin

from boardware.parts import BoardPoint, SpacePlace

Polygon = tuple[tuple[float, float], ...]
_ELLIPSE_CORNERS = 48
"""Of an ellipse: it is drawn 0.2 % too small."""


def outline_polygon(space: SpacePlace) -> Polygon:
    """The corners of a space's outline."""
    x, y = space.position
    half_x, half_y = space.outline.width / 2, space.outline.height / 2
    if space.outline.shape == "ellipse":
        angles = (2 * pi * number / _ELLIPSE_CORNERS for number in range(_ELLIPSE_CORNERS))
        return tuple((x + half_x * cos(angle), y + half_y * sin(angle)) for angle in angles)
    return (
        (x - half_x, y - half_y),
        (x + half_x, y - half_y),
        (x + half_x, y + half_y),
        (x - half_x, y + half_y),
    )


def overlap_mm(one: Polygon, other: Polygon) -> float:
    """How far two convex shapes reach into each other, in mm: 0 where a straight line parts them."""
    least = float("inf")
    for shape in (one, other):
        for number, (x, y) in enumerate(shape):
            after_x, after_y = shape[(number + 1) % len(shape)]
            length = hypot(after_x - x, after_y - y)
            if length == 0:
                continue
            normal = ((after_y - y) / length, (x - after_x) / length)
            low, high = _projection(one, normal)
            other_low, other_high = _projection(other, normal)
            least = min(least, high - other_low, other_high - low)
            if least <= 0:
                return 0.0
    return least


def _projection(shape: Polygon, along: tuple[float, float]) -> tuple[float, float]:
    ends = [x * along[0] + y * along[1] for x, y in shape]
    return min(ends), max(ends)


def is_inside(point: BoardPoint, shape: Polygon) -> bool:
    """Whether a point lies in a convex shape whose corners go round to the left."""
    return all(
        (bx - ax) * (point.y - ay) - (by - ay) * (point.x - ax) >= 0
        for (ax, ay), (bx, by) in zip(shape, (*shape[1:], shape[0]), strict=True)
    )


def bounding_radius(shape: Sequence[tuple[float, float]], middle: BoardPoint) -> float:
    """The radius of the circle around `middle` that holds a shape."""
    return max(dist(corner, middle) for corner in shape)
