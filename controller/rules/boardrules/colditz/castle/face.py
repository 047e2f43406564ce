"""The printed face of a castle: to look at, and to print. Lengths in mm, from the lower left corner.

It has what people read off the board: names of circles, titles and signs of rooms, what is special about a
circle, drops with their feet, wire, tunnels, arrows from the cells, the round track and whose turn it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from boardrules.art import BLUE, GREEN, INK, ORANGE, PAPER, PURPLE, RED, SECONDARY_INK, SKY, YELLOW
from boardrules.colditz.castle.actions import SEATS
from boardrules.colditz.castle.board import CastleBoard
from boardrules.colditz.castle.check import tunnel_links
from boardrules.colditz.castle.labels import (
    CIRCLE_RADIUS_MM,
    SIGN_RADIUS_MM,
    TITLE_HEIGHT_MM,
    RoomLabel,
    room_labels,
    track_positions,
)
from boardrules.colditz.castle.plan import PLACES, CastleArea, Circle
from boardrules.colditz.castle.signs import SIGNS
from boardrules.shapes import Paint, Polyline, Rectangle, Shape, TextShape, disc, square, transformed_shapes

Translate = Callable[[str], str]

STONE: Final = "#6f6250"
EARTH: Final = "#7a4a1e"
ROOF: Final = "#d9b9a0"
ROOF_EDGE: Final = "#bb9277"
TILE_SIZE_MM: Final = 7.5
"""mm that a tile is wide, and a row of them high."""
_AREA_COLOURS: Final = {"inner": "#d5d5d2", "outer": "#ead9b0", "outside": "#bfd8b4"}
_FLOOR_COLOURS: Final = {"inner": "#efefec", "outer": "#f6eed6", "outside": "#e3eedb"}
_ROOM_COLOUR: Final = "#f3e0cf"
KIND_COLOURS: Final = {
    "target": RED, "post": INK, "searchlight": YELLOW, "walkway": "#b79a78", "safe": SKY, "appel": "#ffffff",
    "door": ORANGE, "inspection": PURPLE, "car": GREEN,
}  # fmt: skip
"""By what a circle is its colour; the first that fits. What is special has a sign or a ring besides."""
_AREA_TITLES: Final = dict(
    zip(PLACES, ("Barracks", "Commander's Office", "Inner cells", "Outer cells"), strict=True)
)
_SEAT_TITLES: Final = ("Security Officer", "American", "British", "Dutch", "French", "Polish")
_HALO_COLOUR: Final = "#ffffff"


def face_shapes(board: CastleBoard, say: Translate = str) -> Iterator[Shape]:
    """All that is printed of a board."""
    return _FaceDrawing(board, say).shapes()


class _FaceDrawing:
    """A castle that is drawn. Its plan counts down from the upper edge, paper counts up."""

    def __init__(self, board: CastleBoard, say: Translate) -> None:
        self.board, self.plan, self.say = board, board.plan, say
        self.width, self.height = map(float, board.plan.size)

    def shapes(self) -> Iterator[Shape]:
        """From below to above."""
        plan = self.plan
        yield from self._floors()
        yield from self._towers()
        yield from self._walls()
        for first, second in plan.links:
            yield self._line_between(first, second, Paint(None, SECONDARY_INK, 3.2))
        yield from self._crossings()
        for one, other in tunnel_links(self.board):
            ends = (self.board.space_names[one], self.board.space_names[other])
            yield self._line_between(*ends, Paint(None, EARTH, 5.0, (2.5, 2.0)))
        yield from self._arrows()
        for name, circle in plan.circles.items():
            yield from self._circle(name, circle)
        for name, place in plan.places.items():
            yield from self._place(name, place)
        for room, label in room_labels(self.board).items():
            yield from self._room_title_shapes(room, label)
        yield from self._drop_depth_labels()
        yield from self._track_shapes()

    def _flip_y(self, y: float) -> float:
        return self.height - y

    def _line_between(self, first: str, second: str, paint: Paint) -> Polyline:
        a, b = self.plan.circles[first], self.plan.circles[second]
        return Polyline(((a.x, self._flip_y(a.y)), (b.x, self._flip_y(b.y))), paint)

    def _floors(self) -> Iterator[Shape]:
        yield Rectangle(0, 0, self.width, self.height, Paint(PAPER))
        left, low, right, high = self._inner_bounds()
        yield from self._roofs(left, low, right, high)
        for circle in self.plan.circles.values():
            fill = _ROOM_COLOUR if circle.room else _FLOOR_COLOURS[circle.area]
            yield square(circle.x, self._flip_y(circle.y), 30, Paint(fill, fill, 0.2))

    def _roofs(self, left: float, low: float, right: float, high: float) -> Iterator[Shape]:
        """Tiles over all that nobody walks on, within the curtain wall with its merlons."""
        yield Rectangle(left, low, right - left, high - low, Paint(ROOF, STONE, 3.2))
        rows = int((high - low) / TILE_SIZE_MM)
        for row in range(1, rows):
            y, off = low + row * TILE_SIZE_MM, TILE_SIZE_MM / 2 if row % 2 else 0.0
            yield Polyline(
                ((left + 2 + off, y), (right - 2, y)), Paint(None, ROOF_EDGE, 0.7, (TILE_SIZE_MM - 1, 1))
            )
            yield Polyline(
                ((left + 2 + off, y - 1.6), (right - 2, y - 1.6)),
                Paint(None, ROOF_EDGE, 2.4, (0.6, TILE_SIZE_MM - 0.6)),
            )
        edge = ((left, low), (right, low), (right, high), (left, high))
        yield Polyline(edge, Paint(None, STONE, 5.4, (4.0, 4.0)), closed=True)
        yield Polyline(edge, Paint(None, "#cfc8b6", 1.6), closed=True)

    def _inner_bounds(self) -> tuple[float, float, float, float]:
        """Left, low, right and high edge of the inner courtyard with its rooms and cells."""
        inner = [circle for circle in self.plan.circles.values() if circle.area == "inner"]
        spots = [(each.x, each.y) for each in inner] + list(cell_positions(self.plan.places["innercells"]))
        left, right = min(x for x, _ in spots) - 15, max(x for x, _ in spots) + 15
        low = self._flip_y(max(y for _, y in spots) + 15)
        high = self._flip_y(min(y for _, y in spots) - 15)
        return left, low, right, high

    def _towers(self) -> Iterator[Shape]:
        """One at each corner of the curtain wall."""
        left, low, right, high = self._inner_bounds()
        for x, y in ((left, low), (right, low), (left, high), (right, high)):
            yield disc(x, y, 26, Paint("#e4dfd2", STONE, 2.4))
            yield disc(x, y, 26, Paint(None, STONE, 4.6, (3.4, 3.4)))
            yield disc(x, y, 19, Paint(ROOF, STONE, 0.8))
            for part in range(8):
                angle = part * math.pi / 4
                rim = (x + 9.5 * math.cos(angle), y + 9.5 * math.sin(angle))
                yield Polyline(((x, y), rim), Paint(None, ROOF_EDGE, 0.7))
            yield disc(x, y, 2.4, Paint(STONE))

    def _walls(self) -> Iterator[Shape]:
        """Around each room and each area, where circles lie in squares of 30 mm; areas with battlements."""
        lies = {(circle.x, circle.y): circle for circle in self.plan.circles.values()}
        for (x, y), circle in lies.items():
            for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                other = lies.get((x + 30 * dx, y + 30 * dy))
                mx, my = x + 15 * dx, self._flip_y(y + 15 * dy)
                ends = ((mx - 15 * dy, my - 15 * dx), (mx + 15 * dy, my + 15 * dx))
                if circle.room and (other is None or other.room != circle.room):
                    yield Polyline(ends, Paint(None, STONE, 1.4))
                elif circle.area == "inner" and other is not None and other.area != "inner":
                    yield Polyline(ends, Paint(None, STONE, 2.6, (4.0, 2.0)))

    def _crossings(self) -> Iterator[Shape]:
        for crossing in self.board.crossings:
            upper, lower = self.board.space_names[crossing.upper], self.board.space_names[crossing.lower]
            if crossing.feet:
                wide = 2.4 if crossing.feet == 30 else 3.6
                yield self._line_between(upper, lower, Paint(None, BLUE, wide, (6.0, 2.6)))
            else:
                yield self._line_between(upper, lower, Paint(None, SECONDARY_INK, 1.2, (1.6, 2.4)))
                yield from self._wire(self.plan.circles[upper], self.plan.circles[lower])

    def _wire(self, a: Circle, b: Circle) -> Iterator[Shape]:
        """Barbs across the way, as wide as a circle."""
        length = math.hypot(b.x - a.x, b.y - a.y)
        along, aside = (b.x - a.x) / length, -(b.y - a.y) / length
        x, y = (a.x + b.x) / 2, self._flip_y((a.y + b.y) / 2)
        ends = [(x - aside * step, y + along * step) for step in (-12, -6, 0, 6, 12)]
        for one, other in pairwise(ends):
            yield Polyline((one, other), Paint(None, INK, 0.9))
        for px, py in ends[1:4]:
            yield Polyline(((px - 2, py - 2), (px + 2, py + 2)), Paint(None, INK, 0.9))
            yield Polyline(((px - 2, py + 2), (px + 2, py - 2)), Paint(None, INK, 0.9))

    def _drop_depth_labels(self) -> Iterator[Shape]:
        """How deep a drop is, beside its dashes."""
        for crossing in self.board.crossings:
            if crossing.feet:
                names = self.board.space_names[crossing.upper], self.board.space_names[crossing.lower]
                a, b = (self.plan.circles[name] for name in names)
                length = math.hypot(b.x - a.x, b.y - a.y)
                x = (a.x + b.x) / 2 + 6.5 * abs(b.y - a.y) / length
                y = (a.y + b.y) / 2 - 5.5 * abs(b.x - a.x) / length
                yield self._text_at(x, y, 7, str(crossing.feet), BLUE, bold=True, halo=_HALO_COLOUR)

    def _text_at(
        self, x: float, y: float, size: float, text: str, ink: str = INK, *, bold: bool = False,
        halo: str | None = None,
    ) -> TextShape:  # fmt: skip
        """A text around a point of the plan."""
        return TextShape(x, self._flip_y(y) - 0.36 * size, size, text, ink, bold=bold, halo=halo)

    def _arrows(self) -> Iterator[Shape]:
        """From the nearest cell to the circle where who is released may start (R052)."""
        for place in self.plan.places.values():
            if place.arrow is not None:
                to = self.plan.circles[place.arrow]
                x, y = min(cell_positions(place), key=lambda cell: math.dist(cell, (to.x, to.y)))
                far = math.dist((x, y), (to.x, to.y))
                share = 1 - (CIRCLE_RADIUS_MM + 2) / far
                tip = (x + (to.x - x) * share, self._flip_y(y + (to.y - y) * share))
                dx, dy = (to.x - x) / far, -(to.y - y) / far
                yield Polyline(((x, self._flip_y(y)), tip), Paint(None, INK, 2.2))
                back = (tip[0] - 6 * dx, tip[1] - 6 * dy)
                sides = ((back[0] - 3 * dy, back[1] + 3 * dx), (back[0] + 3 * dy, back[1] - 3 * dx))
                yield Polyline((tip, *sides), Paint(INK, INK, 0.8), closed=True)

    def _circle(self, name: str, circle: Circle) -> Iterator[Shape]:
        x, y = float(circle.x), self._flip_y(circle.y)
        fill = next(
            (ink for kind, ink in KIND_COLOURS.items() if kind in circle.kinds), _AREA_COLOURS[circle.area]
        )
        names = self.board.space_names
        landing = any(names[each.lower] == name and each.feet for each in self.board.crossings)
        tunnel = next((way for way in self.plan.tunnels.values() if name in way), ())
        if landing:
            yield disc(x, y, 2 * CIRCLE_RADIUS_MM + 5, Paint("#ffffff", BLUE, 0.8))
        if tunnel:
            yield disc(
                x, y, 2 * CIRCLE_RADIUS_MM + (3.6 if name in tunnel[:1] + tunnel[-1:] else 1.6), Paint(EARTH)
            )
        yield disc(x, y, 2 * CIRCLE_RADIUS_MM, Paint(fill, STONE if circle.room else INK, 0.7))
        yield from transformed_shapes(kind_sign(circle.kinds), x, y)
        lifted = {"door", "inspection"} & circle.kinds
        ink = "#ffffff" if {"post", "target"} & circle.kinds else INK
        shown = name.removeprefix(circle.room or "") or name  # its room's title stands beside it
        up = -3.0 if lifted else 0.0
        yield self._text_at(circle.x, circle.y + up, min(6.0, 30 / len(shown)), shown, ink)

    def _place(self, name: str, place: CastleArea) -> Iterator[Shape]:
        for x, y in cell_positions(place):
            yield square(x, self._flip_y(y), 20, Paint("#c9c4b8", INK, 0.6), 1.0)
        x, y, row, apart = place.slot_grid
        across = (min(row, place.capacity) - 1) * apart
        said = self.say(_AREA_TITLES[name])
        size = min(6.0, (across + 26) / (0.62 * len(said)))
        yield self._text_at(x + across / 2, y - 14.5, size, said, bold=True, halo=_HALO_COLOUR)

    def _room_title_shapes(self, room: str, label: RoomLabel) -> Iterator[Shape]:
        """Its title, and the sign of what is taken there."""
        title = self.say(self.plan.titles[room])
        size = min(TITLE_HEIGHT_MM, TITLE_HEIGHT_MM * 1.25 * len(self.plan.titles[room]) / len(title))
        yield self._text_at(*label.title_position, size, title, bold=True, halo=_HALO_COLOUR)
        x, y = label.sign_position[0], self._flip_y(label.sign_position[1])
        yield disc(x, y, 2 * SIGN_RADIUS_MM, Paint("#fffbe8", STONE, 1.0))
        yield from transformed_shapes(SIGNS[self.plan.rooms[room]](EARTH), x, y, 0.72)

    def _track_shapes(self) -> Iterator[Shape]:
        """Along the upper edge the rounds, along the lower one whose turn it is: there the lamps are."""
        for number, x, y in track_positions():
            fill = YELLOW if number == 1 else "#ffffff"  # the marker goes down to the eagle (R010)
            yield disc(x, self._flip_y(y), 12.6, Paint(fill, SECONDARY_INK, 0.4))
            yield TextShape(x, self._flip_y(y) - 5.9, 2.6, str(number), INK)
        for place, seat in enumerate(_SEAT_TITLES):
            x = self.width - 280 + 20 * place
            yield disc(x, 25, 9, Paint("#ffffff", SECONDARY_INK, 0.4))
            yield TextShape(x, 31.5 if place % 2 else 16.6, 3.0, self.say(seat), INK, halo=_HALO_COLOUR)


def kind_sign(kinds: frozenset[str]) -> Iterator[Shape]:
    """What a circle around (0, 0) is, told by more than its colour."""
    if "target" in kinds:
        yield disc(0, 0, 17, Paint(None, "#ffffff", 1.2))
    if "safe" in kinds:
        yield disc(0, 0, 18.5, Paint(None, INK, 0.5))
    if "searchlight" in kinds:
        for dx, dy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            yield Polyline(((5 * dx, 5 * dy), (7 * dx, 7 * dy)), Paint(None, INK, 0.8))
    if "walkway" in kinds:
        for step in (-1, 1):
            yield Polyline(((-7, 6 * step), (7, 6 * step)), Paint(None, INK, 0.7, (1.6, 1.4)))
    for kind, symbol in (("door", "key"), ("inspection", "pass")):
        if kind in kinds:  # what it takes
            yield from transformed_shapes(SIGNS[symbol](INK), 0, -4.3, 0.5)
    if "car" in kinds:
        yield Rectangle(-6, -7.4, 12, 2.6, Paint(INK), 0.8)
        yield Rectangle(-3, -5.6, 6, 2.4, Paint(INK), 0.8)
        for step in (-3, 3):
            yield disc(step, -7.4, 2.2, Paint("#ffffff", INK, 0.5))


def cell_positions(place: CastleArea) -> Iterator[tuple[int, int]]:
    """Where pawns stand in cells, Barracks or the Commander's Office, as the plan counts."""
    x, y, row, apart = place.slot_grid
    return ((x + number % row * apart, y + number // row * apart) for number in range(place.capacity))


assert len(_SEAT_TITLES) == len(SEATS)
