"""The land under a map's cities: coast, rivers, borders and mountains, moved so that they fit the cities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import dist
from typing import Final, NamedTuple

from boardrules.art import LAND, BoardGeometry, PrintLanguage
from boardrules.core import Space
from boardrules.fuhrer.drawing import germany
from boardrules.fuhrer.drawing.germany import Outline
from boardrules.fuhrer.sentences import TEXTS
from boardrules.shapes import Paint, Point, Polyline, Shape, TextShape

SEA: Final = "#c3dae3"
SHALLOWS: Final = ("#cde2e9", "#d9e9ee")
"""The sea near the coast, in two steps."""
ABROAD: Final = "#f1ecdd"
COAST: Final = "#8fa9b3"
RIVER: Final = "#86b4c8"
WATER_INK: Final = "#3f7690"
BORDER: Final = "#a58a62"
_BLEED_MM: Final = 3.0
"""mm beyond the edge of the board."""
_MIN_STEP_MM: Final = 1.0
"""mm between two points of a line, at least."""
_MIN_CITIES: Final = 3
"""Fewer cities don't say where the land lies."""
_REGION_DEGREES: Final = (5.0, 46.4, 16.5, 55.7)
"""What there are outlines of: degrees west, south, east and north."""


class MapProjection:
    """From degrees to mm of a board. Cities of a board are moved apart, and the land goes with them."""

    def __init__(self, ground: BoardGeometry, degrees: Mapping[Space, Point]) -> None:
        """`degrees`: by city where it lies on the earth. Raises `KeyError` for one that isn't there."""
        self._known = [(east_north, ground.places[city]) for city, east_north in degrees.items()]
        self._x = _least_squares_line([(at[0], place.x) for at, place in self._known])
        self._y = _least_squares_line([(at[1], place.y) for at, place in self._known])
        self._moved = [
            (
                *self._linear_position(*at),
                place.x - self._linear_position(*at)[0],
                place.y - self._linear_position(*at)[1],
            )
            for at, place in self._known
        ]

    def _linear_position(self, east: float, north: float) -> Point:
        return self._x[0] + self._x[1] * east, self._y[0] + self._y[1] * north

    def to_board(self, east: float, north: float) -> Point:
        """Where a point of the earth is on the board: cities as the board has them, the rest by them."""
        x, y = self._linear_position(east, north)
        weights, dx, dy = 0.0, 0.0, 0.0
        for there_x, there_y, off_x, off_y in self._moved:
            near = 1.0 / ((x - there_x) ** 2 + (y - there_y) ** 2 + 1.0) ** 1.5
            weights, dx, dy = weights + near, dx + near * off_x, dy + near * off_y
        return x + dx / weights, y + dy / weights

    def project_outline(self, outline: Iterable[Point]) -> tuple[Point, ...]:
        """A line of points, without those that nobody would see."""
        there = [self.to_board(*point) for point in outline]
        kept = there[:1]
        for point in there[1:-1]:
            if dist(point, kept[-1]) > _MIN_STEP_MM:
                kept.append(point)
        return (*kept, there[-1])


def _least_squares_line(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The straight line through pairs with the least squares: at 0, and a step."""
    count = len(pairs)
    mean_a, mean_b = sum(a for a, _ in pairs) / count, sum(b for _, b in pairs) / count
    spread = sum((a - mean_a) ** 2 for a, _ in pairs)
    step = sum((a - mean_a) * (b - mean_b) for a, b in pairs) / spread
    return mean_b - step * mean_a, step


def fit_projection(ground: BoardGeometry, degrees: Mapping[Space, Point]) -> MapProjection | None:
    """How the land lies under these cities; `None` where there is no outline of it."""
    west, south, east, north = _REGION_DEGREES
    if len(degrees) < _MIN_CITIES or not degrees.keys() <= ground.places.keys():
        return None
    if not all(west <= lon <= east and south <= lat <= north for lon, lat in degrees.values()):
        return None
    if len({lon for lon, _ in degrees.values()}) == 1 or len({lat for _, lat in degrees.values()}) == 1:
        return None
    return MapProjection(ground, degrees)


class MapFrame(NamedTuple):
    """What of a drawing is shown."""

    left: float
    low: float
    right: float
    high: float


def visible_frame(ground: BoardGeometry) -> MapFrame:
    """The board with the little that is cut off."""
    return MapFrame(-_BLEED_MM, -_BLEED_MM, ground.width + _BLEED_MM, ground.height + _BLEED_MM)


# Outlines of the country and of all land; each piece of coast is smoothed by itself, so that they still meet.

COAST_PIECES: Final = (germany.LOW_COUNTRIES, germany.NORTH_SEA, germany.JUTLAND, germany.BALTIC)
REICH_PIECES: Final = (
    germany.NORTH_SEA,
    germany.DENMARK_BORDER,
    germany.BALTIC,
    germany.SOUTH_BORDER,
    germany.WEST_BORDER,
)


def mainland_outline() -> Outline:
    """All land but islands, as one outline that ends far outside the map."""
    return (*_join_smoothed(COAST_PIECES), (19.0, 44.0), (2.0, 44.0))


def reich_outline() -> Outline:
    """The Reich but for its islands."""
    return _join_smoothed(REICH_PIECES)


def _join_smoothed(pieces: Iterable[Outline]) -> Outline:
    return tuple(point for piece in pieces for point in smooth(piece))


def smooth(line: Sequence[Point], *, closed: bool = False) -> tuple[Point, ...]:
    """The line with its corners cut twice (Chaikin 1974); the ends of an open one stay."""
    points = list(line)
    for _ in range(2):
        pairs = list(pairwise([*points, points[0]] if closed else points))
        cut = [
            (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
            for a, b in pairs
            for share in (0.25, 0.75)
        ]
        points = cut if closed else [points[0], *cut[1:-1], points[-1]]
    return tuple(points)


def land_shapes(
    ground: BoardGeometry, at: MapProjection, words: PrintLanguage, *, names: float
) -> Iterator[Shape]:
    """The whole country. `names`: mm that names of rivers and seas are high."""
    seen = visible_frame(ground)
    sheet = ((seen.left, seen.low), (seen.right, seen.low), (seen.right, seen.high), (seen.left, seen.high))
    yield Polyline(sheet, Paint(SEA), closed=True)
    islands = [(ours, at.project_outline(smooth(outline, closed=True))) for ours, outline in germany.ISLANDS]
    shores = [at.project_outline(mainland_outline()), *(outline for _, outline in islands)]
    for tint, wide in zip(SHALLOWS, (22.0, 11.0), strict=True):
        yield from (
            Polyline(part, Paint(None, tint, wide))
            for shore in shores
            for part in visible_runs([*shore, shore[0]], seen)
        )
    yield from _clipped_area(shores[0], Paint(ABROAD), seen)
    yield from _clipped_area(at.project_outline(reich_outline()), Paint(LAND), seen)
    for ours, outline in islands:
        yield from _clipped_area(outline, Paint(LAND if ours else ABROAD), seen)
    for shore in shores:
        yield from (
            Polyline(part, Paint(None, COAST, 0.7)) for part in visible_runs([*shore, shore[0]], seen)
        )
    yield from _borders(at, seen)
    yield from _mountains(at, seen)
    for lake in germany.LAKES:
        yield from _clipped_area(at.project_outline(smooth(lake, closed=True)), Paint(SEA, COAST, 0.6), seen)
    for wide, course in (*germany.STREAMS.values(), *germany.RIVERS.values()):
        yield from (
            Polyline(part, Paint(None, RIVER, wide))
            for part in visible_runs(at.project_outline(smooth(course)), seen)
        )
    yield from _water_name_shapes(at, seen, words, names)


def _borders(at: MapProjection, seen: MapFrame) -> Iterator[Shape]:
    for border in (germany.DENMARK_BORDER, germany.WEST_BORDER, germany.SOUTH_BORDER, germany.PROTECTORATE):
        for part in visible_runs(at.project_outline(smooth(border)), seen):
            yield Polyline(part, Paint(None, "#dccfae", 3.4))
            yield Polyline(part, Paint(None, BORDER, 0.8, (4.0, 1.6, 1.0, 1.6)))
    others = (
        germany.LUXEMBOURG,
        germany.BELGIUM,
        germany.DUTCH_SOUTH,
        germany.SWISS_WEST,
        germany.SWISS_SOUTH,
    )
    for border in others:
        for part in visible_runs(at.project_outline(smooth(border)), seen):
            yield Polyline(part, Paint(None, BORDER, 0.5, (2.4, 1.8)))


def _mountains(at: MapProjection, seen: MapFrame) -> Iterator[Shape]:
    """Peaks with the sun from the left."""
    for east, north, high in germany.MOUNTAINS:
        x, y = at.to_board(east, north)
        if not (seen.left < x - high and x + high < seen.right and seen.low < y < seen.high - high):
            continue
        top, half = (x, y + high), high * 0.8
        yield Polyline(((x - half, y), top, (x + half, y)), Paint("#d9c9a0"), closed=True)
        shadow = ((x + half, y), top, (x + high * 0.1, y + high * 0.45), (x + high * 0.22, y))
        yield Polyline(shadow, Paint("#bda878"), closed=True)
        yield Polyline(((x - half, y), top, (x + half, y)), Paint(None, "#a8935f", 0.4))


_RIVER_NAME_DEGREES: Final = {
    "rhine": (5.85, 51.72),
    "elbe": (12.5, 52.72),
    "oder": (14.92, 52.72),
    "danube": (12.95, 48.98),
    "main": (10.62, 50.2),
    "weser": (8.62, 52.42),
}
"""Beside which point of its course each name stands: degrees."""
_SEA_NAME_DEGREES: Final = {"north sea": (6.9, 54.6), "baltic": (13.3, 54.98)}


def _water_name_shapes(
    at: MapProjection, seen: MapFrame, words: PrintLanguage, size: float
) -> Iterator[Shape]:
    for name, (east, north) in _SEA_NAME_DEGREES.items():
        x, y = at.to_board(east, north)
        if seen.left + 40 < x < seen.right - 40 and seen.low < y < seen.high:
            yield TextShape(x, y, size * 1.9, words.translate(TEXTS[f"print {name}"]), WATER_INK)
    for name, (east, north) in _RIVER_NAME_DEGREES.items():
        x, y = at.to_board(east, north)
        if seen.left + 10 < x < seen.right - 10 and seen.low < y < seen.high:
            yield TextShape(x, y, size, words.translate(TEXTS[f"print {name}"]), WATER_INK, halo=LAND)


# What of a line or an area is on the board


def _clipped_area(outline: Sequence[Point], paint: Paint, seen: MapFrame) -> Iterator[Shape]:
    points = clip_area(outline, seen)
    if len(points) > 2:
        yield Polyline(points, paint, closed=True)


def clip_area(outline: Sequence[Point], seen: MapFrame) -> tuple[Point, ...]:
    """The part of an area that is shown (Sutherland and Hodgman 1974)."""
    points = list(outline)
    for axis, edge, way in ((0, seen.left, 1), (0, seen.right, -1), (1, seen.low, 1), (1, seen.high, -1)):
        kept: list[Point] = []
        for one, other in pairwise([*points[-1:], *points]):
            inside, was = (other[axis] - edge) * way >= 0, (one[axis] - edge) * way >= 0
            if inside != was:
                kept.append(_edge_crossing(one, other, axis, edge))
            if inside:
                kept.append(other)
        points = kept
    return tuple(points)


def visible_runs(line: Sequence[Point], seen: MapFrame) -> Iterator[tuple[Point, ...]]:
    """The parts of a line that are shown."""
    run: list[Point] = []
    for one, other in pairwise(line):
        part = _clip_segment(one, other, seen)
        if part is None:
            if len(run) > 1:
                yield tuple(run)
            run = []
            continue
        if not run or run[-1] != part[0]:
            if len(run) > 1:
                yield tuple(run)
            run = [part[0]]
        run.append(part[1])
    if len(run) > 1:
        yield tuple(run)


def _clip_segment(one: Point, other: Point, seen: MapFrame) -> tuple[Point, Point] | None:
    for axis, edge, way in ((0, seen.left, 1), (0, seen.right, -1), (1, seen.low, 1), (1, seen.high, -1)):
        outside = [(point[axis] - edge) * way < 0 for point in (one, other)]
        if all(outside):
            return None
        if outside[0]:
            one = _edge_crossing(one, other, axis, edge)
        elif outside[1]:
            other = _edge_crossing(one, other, axis, edge)
    return one, other


def _edge_crossing(one: Point, other: Point, axis: int, edge: float) -> Point:
    share = (edge - one[axis]) / (other[axis] - one[axis])
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share
