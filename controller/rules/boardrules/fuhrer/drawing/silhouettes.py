"""The pieces of the game as silhouettes: the same on a screen and on paper. In a square of 28, y up."""

from __future__ import annotations

from typing import Final

from boardrules.art import BLUE, GREEN, ORANGE, RED
from boardrules.shapes import Paint, Point, Polyline, Shape

Polygon = tuple[Point, ...]

TANK: Final[tuple[Polygon, ...]] = (
    # Turret with its gun, hull, track
    ((-6, 2), (-5, 7), (3, 7), (4.5, 5.4), (13, 5.4), (13, 3.6), (5, 3.6), (5, 2)),
    ((-10, 1), (8.5, 1), (11, -1.5), (-12, -1.5)),
    ((-12.5, -2.8), (11.5, -2.8), (13, -5), (10, -8.6), (-10.5, -8.6), (-13, -5.4)),
)
SPY: Final[tuple[Polygon, ...]] = (
    # Hat: crown and brim; face; coat with its collar up
    ((-5, 6.4), (-3.8, 11.6), (-0.6, 10.8), (3.6, 11.6), (5, 6.4)),
    ((-9.5, 6.2), (9.5, 6.2), (8, 4.4), (-8, 4.4)),
    ((-4.4, 3.4), (4.4, 3.4), (3.6, -1), (0, -3), (-3.6, -1)),
    ((-5.4, 0.6), (-4.4, -1.6), (0, -4.6), (4.4, -1.6), (5.4, 0.6), (10.5, -3.4), (11.5, -11.5),
     (-11.5, -11.5), (-10.5, -3.4)),
)  # fmt: skip
INFANTRY: Final[tuple[Polygon, ...]] = (
    # Helmet, face, shoulders, and the rifle over one of them
    ((-6.4, 5), (-6, 8.6), (-3.4, 11.4), (0, 12.2), (3.4, 11.4), (6, 8.6), (6.4, 5), (7.6, 3.6), (-7.6, 3.6)),
    ((-4.2, 2.6), (4.2, 2.6), (3.4, -1.4), (0, -3.2), (-3.4, -1.4)),
    ((-10.5, -11.5), (-10, -5), (-6.5, -2.6), (-4, -2.4), (0, -5), (4, -2.4), (6.5, -2.6), (10, -5),
     (10.5, -11.5)),
    ((8.6, -1.6), (11.2, 11.4), (12.8, 11), (10.2, -2.6)),
)  # fmt: skip
HITLER: Final[tuple[Polygon, ...]] = (
    # A peaked cap, a face in the dark, shoulders
    ((-7, 6), (-8.4, 8.4), (0, 12), (8.4, 8.4), (7, 6)),
    ((-6.6, 5), (6.6, 5), (8, 2.6), (-4, 2.6)),
    ((-4, 1.8), (4.6, 1.8), (3.6, -2), (0, -4), (-3.2, -2)),
    ((-11, -11.5), (-10.2, -5.6), (-4.4, -2.8), (0, -6), (4.4, -2.8), (10.2, -5.6), (11, -11.5)),
)
HITLER_SIGN: Final = "★"
"""The print of whoever hides, on the screens that know where he is."""
PIECE_COLOURS: Final = {"tank": GREEN, "spy": BLUE, "infantry": ORANGE, "hitler": RED}
SILHOUETTES: Final = {"tank": TANK, "spy": SPY, "infantry": INFANTRY, "hitler": HITLER}


def shapes(name: str, ink: str) -> tuple[Shape, ...]:
    """A silhouette around (0, 0)."""
    return tuple(Polyline(polygon, Paint(ink), closed=True) for polygon in SILHOUETTES[name])


def silhouette_path(name: str) -> str:
    """The same as an SVG path, which counts down."""
    return "".join("M" + " ".join(f"{x:g} {-y:g}" for x, y in polygon) + "Z" for polygon in SILHOUETTES[name])
