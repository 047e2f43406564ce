"""How a map is drawn: land, cities, airports and railways; on paper the calendar and what is cut out, too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import atan2, dist, hypot
from typing import Final, NamedTuple

from boardrules.art import (
    GREEN,
    INK,
    LAND,
    ORANGE,
    PAPER,
    RED,
    SECONDARY_INK,
    BoardGeometry,
    CutOut,
    DrawnSpace,
    GameArt,
    LegendEntry,
    PrintLanguage,
)
from boardrules.core import Space
from boardrules.fuhrer.drawing import land, silhouettes
from boardrules.fuhrer.drawing.germany import CITY_SIZES, LARGE, METROPOLIS, TOWN
from boardrules.fuhrer.ends import MAX_ROUNDS
from boardrules.fuhrer.maps import CityMap
from boardrules.fuhrer.movement import TICKETS
from boardrules.fuhrer.sentences import TEXTS
from boardrules.shapes import (
    Paint,
    Point,
    Polyline,
    Rectangle,
    Shape,
    TextShape,
    disc,
    square,
    transformed_shapes,
)

FIRST_MONTH: Final = 5
"""F21: the first of twelve months, two rounds each, is May 1944."""
_YEAR: Final = 1944
RAIL: Final = "#3d3a35"
_FLAG_COPIES: Final = 14
"""To cut out; more than are ever up in most games (estimate)."""
_LETTER_WIDTH_RATIO: Final = 0.66
"""Of its height, what a bold letter takes in the fonts that there are: some are wider than others."""
_PIECE_RING_MM: Final = 28.0
"""mm: a ring where each of several pieces stands."""
_SHEET_SIZE_MM: Final = (92.0, 250.0)
"""mm"""
_CITY_CLEARANCE_MM: Final = 3.0
"""mm that a way keeps off a city that it doesn't lead to."""


_NAME_HEIGHTS_MM: Final = {METROPOLIS: 7.4, LARGE: 6.2, TOWN: 5.2}
"""mm that a city's name is high on paper, by how large the city is ..."""
_SCREEN_NAME_HEIGHTS_MM: Final = {METROPOLIS: 15.0, LARGE: 13.5, TOWN: 12.2}
"""... and on a screen, which shows a board of 0.8 m in 700 pixels: no letter is under 11 there."""


class _CityStyle(NamedTuple):
    """How cities are drawn."""

    fill: str
    ring: str
    airport: str
    centre: str
    """Of the sign in the middle."""


_PAPER_STYLE: Final = _CityStyle("#ffffff", INK, ORANGE, "#d9d4c4")
_SCREEN_STYLE: Final = _CityStyle("#f9f5e9", INK, "#c2620a", "#b9b09a")
"""Light, with thin rims: pieces are what is seen first."""


class MapArt(GameArt):
    """A map, its calendar along the upper edge, seats, die and tickets along the lower one."""

    def __init__(self, board: CityMap | None = None) -> None:
        """`board`: the map that is played on; it says where its cities lie on the earth."""
        self._degrees = {} if board is None else dict(zip(board.ids, board.degrees, strict=True))

    def face(self, ground: BoardGeometry, language: PrintLanguage) -> Iterator[Shape]:
        """From the land up to the names."""
        yield from self._map(ground, language, _PAPER_STYLE, _NAME_HEIGHTS_MM)
        yield from _panel_behind(list(ground.buttons.values()), 12)
        yield from _panel_behind(_lower_edge_lamps(ground), 17)
        yield from _cartouche(language.translate(TEXTS["print title"]))
        yield from _calendar(ground, language)
        yield from _lamps(ground, language)

    def screen(self, ground: BoardGeometry, language: PrintLanguage) -> Iterator[Shape]:
        """The same map under lamps and pieces that glow and move."""
        yield from self._map(ground, language, _SCREEN_STYLE, _SCREEN_NAME_HEIGHTS_MM)
        yield from _panel_behind(_lower_edge_lamps(ground), 17)
        yield from (box for _, box, _ in _month_boxes(ground))

    def _map(
        self, ground: BoardGeometry, words: PrintLanguage, look: _CityStyle, heights: Mapping[int, float]
    ) -> Iterator[Shape]:
        at = land.fit_projection(ground, self._degrees)
        if at is None:
            yield from _land_patch(ground)
        else:
            yield from land.land_shapes(ground, at, words, names=4.4 * heights[TOWN] / _NAME_HEIGHTS_MM[TOWN])
        yield from _rails([bent_way(ground, one, other) for one, other in ground.lines])
        for place in ground.places.values():
            yield from _city(place, look)
        yield from _names(ground, heights)

    def legend(self, language: PrintLanguage) -> Iterable[LegendEntry]:
        """What is on the map and beside it."""
        city = DrawnSpace(Space(""), "", 0, 0, "city", "ellipse", 9, 9)
        airport = city._replace(outline="airport", width=10, height=10)
        lamp = disc(0, 0, 5, Paint("#ffffff", INK, 0.4))
        road = tuple(_rails([((-9, -2), (9, 2))]))
        samples: Mapping[str, tuple[Shape, ...]] = {
            "print city": tuple(_city(city, _PAPER_STYLE, 0.25)),
            "print airport": tuple(_city(airport, _PAPER_STYLE, 0.25)),
            "print way": road,
            "print calendar": (
                *transformed_shapes((lamp,), 0, -2),
                TextShape(0, 2.4, 3.4, language.months[FIRST_MONTH - 1], INK),
            ),
            "print turn": (disc(0, 0, 8, Paint(silhouettes.PIECE_COLOURS["spy"])), lamp),
            "print die": (*transformed_shapes((lamp,), 0, 2), TextShape(0, -4.6, 3.4, "2", INK)),
            "print ticket": (Rectangle(-7, -4, 14, 8, Paint("#ffffff", ORANGE, 0.8), 1), lamp),
            "print flag": tuple(transformed_shapes(_flag(), 0, -1, 0.5)),
            "print token": tuple(transformed_shapes(_token(), 0, 0, 0.5)),
        }
        return [LegendEntry(sample, language.translate(TEXTS[id_])) for id_, sample in samples.items()]

    def cut_outs(self, language: PrintLanguage) -> Iterable[CutOut]:
        """Tickets, flags, the token, names for the pieces, and Hitler's sheet for who plays on paper."""
        ticket = language.translate(TEXTS["print a ticket"])
        shapes = (
            Rectangle(0, 0, 60, 30, Paint("#ffffff", INK, 0.2)),
            Rectangle(2, 2, 56, 26, Paint(PAPER, ORANGE, 1.2), 2),
            *transformed_shapes(_plane(ORANGE), 15, 15, 1.1), TextShape(38, 13.4, 6, ticket, INK, bold=True),
        )  # fmt: skip
        yield CutOut(ticket, 60, 30, TICKETS, shapes)
        flag = (Rectangle(0, 0, 18, 22, Paint("#ffffff", INK, 0.2)), *transformed_shapes(_flag(), 9, 10, 0.9))
        yield CutOut(language.translate(TEXTS["print a flag"]), 18, 22, _FLAG_COPIES, flag)
        token = (disc(13, 13, 26, Paint("#ffffff", INK, 0.2)), *transformed_shapes(_token(), 13, 13))
        yield CutOut(language.translate(TEXTS["print a token"]), 26, 26, 1, token)
        for piece in ("tank", "spy", "infantry"):
            name = language.translate(TEXTS[f"piece {piece}"])
            label = (
                disc(13, 13, 26, Paint("#ffffff", INK, 0.2)),
                disc(13, 13, 23, Paint(PAPER, silhouettes.PIECE_COLOURS[piece], 1.4)),
                *transformed_shapes(
                    silhouettes.shapes(piece, silhouettes.PIECE_COLOURS[piece]), 13, 15, 0.52
                ),
                TextShape(13, 4.6, min(3.2, 13 / (0.56 * len(name))), name, INK, bold=True),
            )
            yield CutOut(name, 26, 26, 1, label)
        yield CutOut(
            language.translate(TEXTS["seat hitler"]), *_SHEET_SIZE_MM, 1, tuple(_sheet_shapes(language))
        )


def _sheet_shapes(words: PrintLanguage) -> Iterator[Shape]:
    """A line for each round: its number, its month, room for a city, and a box for each ticket."""
    wide, high = _SHEET_SIZE_MM
    yield Rectangle(0, 0, wide, high, Paint("#ffffff", INK, 0.2))
    yield TextShape(wide / 2, high - 9, 6, words.translate(TEXTS["seat hitler"]), INK, bold=True)
    step = (high - 16) / MAX_ROUNDS
    for number in range(MAX_ROUNDS):
        y = high - 14 - step * (number + 1)
        month = FIRST_MONTH - 1 + number // 2
        yield Rectangle(
            4, y, wide - 8, step, Paint("#ffffff" if number // 2 % 2 else PAPER, SECONDARY_INK, 0.3)
        )
        yield TextShape(12, y + step / 2 - 1.4, 4, str(number + 1), INK, "end")
        if number % 2 == 0:
            name = words.months[month % 12].capitalize()
            yield TextShape(15, y + step / 2 - 1.2, 3.4, f"{name} {_YEAR + month // 12}", INK, "start")
        for ticket in range(TICKETS):
            yield Rectangle(wide - 11 - 7 * ticket, y + step / 2 - 2, 4, 4, Paint("#ffffff", ORANGE, 0.5))


def _land_patch(ground: BoardGeometry) -> Iterator[Shape]:
    """Where there is no outline of the land: all that lies near a city, as one patch."""
    places = list(ground.places.values())
    yield Rectangle(0, 0, ground.width, ground.height, Paint("#dfe7e6"))
    for paint in (Paint("#cdbd97"), Paint(LAND)):
        more = 3.0 if paint.fill != LAND else 0.0
        for place in places:
            yield disc(place.x, place.y, 84 + more, paint)
        for one, other in ground.lines:
            a, b = ground.places[one], ground.places[other]
            yield Polyline(((a.x, a.y), (b.x, b.y)), Paint(None, paint.fill, 76 + more))
        yield from _enclosed_areas(ground, paint)


def _enclosed_areas(ground: BoardGeometry, paint: Paint) -> Iterator[Shape]:
    """What ways lie around: no water inside a country."""
    places = ground.places
    beside: dict[Space, list[Space]] = {}
    for one, other in ground.lines:
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)
    for one, near in beside.items():
        near.sort(key=lambda id_: atan2(places[id_].y - places[one].y, places[id_].x - places[one].x))
    seen: set[tuple[Space, Space]] = set()
    for start in ((one, other) for one, near in beside.items() for other in near):
        edge, way = start, []
        while edge not in seen:
            seen.add(edge)
            way.append((places[edge[0]].x, places[edge[0]].y))
            around = beside[edge[1]]  # on to the next way to the left
            edge = (edge[1], around[around.index(edge[0]) - 1])
        if sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise([*way, *way[:1]])) > 0:
            yield Polyline(tuple(way), paint, closed=True)


def bent_way(ground: BoardGeometry, one: Space, other: Space) -> tuple[Point, ...]:
    """The way between two cities: straight, or bent around a city that lies on it."""
    a, b = ground.places[one], ground.places[other]
    length = dist((a.x, a.y), (b.x, b.y))
    along = ((b.x - a.x) / length, (b.y - a.y) / length)
    for place in ground.places.values():
        if place.id in (one, other):
            continue
        far = (place.x - a.x) * along[0] + (place.y - a.y) * along[1]
        aside = (place.y - a.y) * along[0] - (place.x - a.x) * along[1]
        need = max(place.width, place.height) / 2 + _CITY_CLEARANCE_MM
        if 0 < far < length and abs(aside) < need:
            off = aside - (need if aside > 0 else -need)  # to the side on which the way passes already
            via = (a.x + along[0] * far - along[1] * off, a.y + along[1] * far + along[0] * off)
            return _curve((a.x, a.y), via, (b.x, b.y), far / length)
    return (a.x, a.y), (b.x, b.y)


def _curve(first: Point, via: Point, last: Point, share: float) -> tuple[Point, ...]:
    """A curve of the second order from the first to the last point, through `via` at that share of it."""
    rest = 1 - share
    control = tuple(
        (through - rest**2 * begin - share**2 * end) / (2 * share * rest)
        for begin, through, end in zip(first, via, last, strict=True)
    )
    points = []
    for step in range(21):
        t = step / 20
        points.append(
            tuple(
                (1 - t) ** 2 * begin + 2 * t * (1 - t) * middle + t**2 * end
                for begin, middle, end in zip(first, control, last, strict=True)
            )
        )
    return tuple((x, y) for x, y in points)


def _rails(ways: Sequence[tuple[Point, ...]]) -> Iterator[Shape]:
    """Railway lines: black and white in turn."""
    for paint in (
        Paint(None, "#fbf8ef", 4.6),
        Paint(None, RAIL, 3.0),
        Paint(None, "#ffffff", 1.7, (5.0, 5.0)),
    ):
        for way in ways:
            yield Polyline(way, paint)


def _city(place: DrawnSpace, look: _CityStyle, scale: float = 1.0) -> Iterator[Shape]:
    """A city; a larger one has a stronger ring and sign, an airport a second ring and a plane."""
    size, airport = CITY_SIZES.get(place.id, TOWN), place.outline == "airport"
    ring = 1.8 if airport or size == METROPOLIS else 1.0
    yield place.outline_shape(Paint(look.fill, look.airport if airport else look.ring, ring * scale))
    if size >= LARGE:
        yield disc(place.x, place.y, place.width - 5 * scale, Paint(None, look.ring, 0.5 * scale))
    if size == METROPOLIS:
        yield square(place.x, place.y, 8.5 * scale, Paint(look.centre), 1)
    if not airport:
        yield disc(place.x, place.y, (1.6 + 1.8 * size) * scale, Paint(look.fill, look.centre, 1.4 * scale))
    for x, y in place.slots:
        yield disc(x, y, _PIECE_RING_MM, Paint(None, SECONDARY_INK, 0.4, (2.0, 1.6)))
    if airport:
        yield disc(place.x, place.y, place.width - 7 * scale, Paint(None, look.airport, 0.7 * scale))
        yield from transformed_shapes(_plane(look.airport), place.x, place.y - 10.5 * scale, 0.62 * scale)


def _names(ground: BoardGeometry, heights: Mapping[int, float]) -> Iterator[Shape]:
    """Each city's name below it, above or beside, where it covers least; the largest cities choose first."""
    taken: list[tuple[float, float, float, float]] = []
    for place in sorted(ground.places.values(), key=lambda place: -CITY_SIZES.get(place.id, TOWN)):
        size = heights[CITY_SIZES.get(place.id, TOWN)]
        best = min(
            _name_positions(place, size),
            key=lambda seat: _overlap_mm(place, seat[1], ground, taken) + seat[2],
        )
        left, low, right, high = best[1]
        taken.append((left - size / 4, low, right + size / 4, high))
        yield best[0]


_TextBox = tuple[float, float, float, float]
"""left, low, right, high"""


def _name_positions(place: DrawnSpace, size: float) -> Iterator[tuple[TextShape, _TextBox, float]]:
    """Where a name may stand, what it covers there, and how little that place is liked."""
    off = max(place.width, place.height) / 2
    wide, high = _LETTER_WIDTH_RATIO * size * len(place.name), 0.77 * size
    for dy, dislike in ((-off - 0.93 * size, 0.0), (off + 1.8, 2.0)):
        for dx in (0.0, -wide / 3, wide / 3):
            x, y = place.x + dx, place.y + dy
            text = TextShape(x, y, size, place.name, INK, bold=True, halo=LAND)
            yield text, (x - wide / 2, y - 1, x + wide / 2, y + high), dislike + abs(dx) / 8
    for way, anchor in ((1, "start"), (-1, "end")):
        x, y = place.x + way * (off + 1.8), place.y - 0.36 * size
        text = TextShape(x, y, size, place.name, INK, anchor, bold=True, halo=LAND)
        ends = sorted((x, x + way * wide))
        yield text, (ends[0], y - 1, ends[1], y + high), 3.0


def _overlap_mm(place: DrawnSpace, room: _TextBox, ground: BoardGeometry, taken: list[_TextBox]) -> float:
    """How much a name would lie over other cities and names, roughly in mm."""
    left, low, right, high = room
    over = 20 * (max(0.0, 3 - left) + max(0.0, right - ground.width + 3))  # off the board
    for other in ground.places.values():
        dx = max(left - other.x, 0.0, other.x - right)
        dy = max(low - other.y, 0.0, other.y - high)
        if other.id != place.id:
            over += 4 * max(0.0, other.width / 2 + 2 - hypot(dx, dy))
    for a, b, c, d in taken:
        over += 8 * min(max(0.0, min(right, c) - max(left, a)), max(0.0, min(high, d) - max(low, b)))
    return over


def _cartouche(title: str) -> Iterator[Shape]:
    """The name of the game in a frame."""
    wide = 0.62 * 8 * len(title)
    yield Rectangle(14, 27, wide + 12, 18, Paint(PAPER, INK, 0.9), 2)
    yield Rectangle(15.6, 28.6, wide + 8.8, 14.8, Paint(None, SECONDARY_INK, 0.5), 1)
    yield TextShape(20 + wide / 2, 33, 8, title, INK, bold=True)


def _lower_edge_lamps(ground: BoardGeometry) -> list[Point]:
    """The lamps along the lower edge."""
    return [at for lamp, at in ground.lamps.items() if not lamp.startswith("round-")]


def _panel_behind(points: Sequence[Point], margin_mm: float) -> Iterator[Shape]:
    """Paper under a row of lamps or buttons."""
    if points:
        left, right = min(x for x, _ in points) - margin_mm, max(x for x, _ in points) + margin_mm
        yield Rectangle(
            left, min(y for _, y in points) - 13, right - left, 24, Paint(PAPER, SECONDARY_INK, 0.4), 3
        )


def _month_boxes(ground: BoardGeometry) -> Iterator[tuple[int, Rectangle, tuple[Point, Point]]]:
    """By number of the month (F21), from 0, the box around its two rounds, and where their lamps are."""
    rounds = [ground.lamps.get(f"round-{number}") for number in range(1, MAX_ROUNDS + 1)]
    for month, (one, other) in enumerate(_round_pairs(rounds)):
        if one is not None and other is not None:
            left, right = min(one[0], other[0]) - 7.6, max(one[0], other[0]) + 7.6
            tint = "#ffffff" if month % 2 else PAPER
            yield (
                month,
                Rectangle(left, one[1] - 9, right - left, 21, Paint(tint, SECONDARY_INK, 0.4), 2),
                (one, other),
            )


def _calendar(ground: BoardGeometry, words: PrintLanguage) -> Iterator[Shape]:
    """A month over each two rounds, and the year where it begins."""
    for month, box, (one, other) in _month_boxes(ground):
        yield box
        number = FIRST_MONTH - 1 + month
        name = words.months[number % 12].capitalize()
        if month == 0 or number % 12 == 0:
            name += f" {_YEAR + number // 12}"
        middle = box.x + box.width / 2
        yield TextShape(middle, one[1] + 5.6, min(4.6, 32 / (0.56 * len(name))), name, INK, bold=True)
        for at, count in ((one, 2 * month + 1), (other, 2 * month + 2)):
            yield TextShape(at[0], at[1] - 7.4, 3, str(count), SECONDARY_INK)


def _round_pairs(rounds: Sequence[Point | None]) -> Iterator[tuple[Point | None, Point | None]]:
    return ((one, other) for number, (one, other) in enumerate(pairwise(rounds)) if number % 2 == 0)


def _lamps(ground: BoardGeometry, words: PrintLanguage) -> Iterator[Shape]:
    """Whose turn it is, the die, and the tickets that are left."""
    for seat, ink in silhouettes.PIECE_COLOURS.items():
        if (at := ground.lamps.get(f"turn-{seat}")) is not None:
            name = words.translate(TEXTS[f"seat {seat}"])
            yield disc(*at, 11, Paint(ink))
            yield TextShape(at[0], at[1] - 10.2, min(3.8, 30 / (0.56 * len(name))), name, INK, bold=True)
    for number in range(1, 4):
        if (at := ground.lamps.get(f"die-{number}")) is not None:
            yield Rectangle(at[0] - 6.5, at[1] - 6.5, 13, 13, Paint("#ffffff", INK, 0.7), 2)
            yield TextShape(at[0], at[1] - 11, 3.8, str(number), INK, bold=True)
    for number in range(1, TICKETS + 1):
        if (at := ground.lamps.get(f"ticket-{number}")) is not None:
            yield Rectangle(at[0] - 10, at[1] - 6, 20, 12, Paint("#ffffff", ORANGE, 0.9), 1.5)
            said = words.translate(TEXTS["print a ticket"])
            yield TextShape(at[0], at[1] - 11, min(3.8, 30 / (0.56 * len(said))), said, INK, bold=True)


def _plane(ink: str) -> Iterator[Shape]:
    """Seen from above, its nose up, 14 mm across."""
    yield Polyline(((0, 7), (1, 5), (1, -6), (0, -7), (-1, -6), (-1, 5)), Paint(ink, ink, 0.3), closed=True)
    yield Polyline(
        ((0, 3), (7, -0.6), (7, -2), (0, 0), (-7, -2), (-7, -0.6)), Paint(ink, ink, 0.3), closed=True
    )
    yield Polyline(((0, -4.6), (3, -6.2), (3, -7), (-3, -7), (-3, -6.2)), Paint(ink, ink, 0.3), closed=True)


def _flag() -> Iterator[Shape]:
    yield Polyline(((-5, -8), (-5, 9)), Paint(None, INK, 1.0))
    yield Rectangle(-5, 1, 12, 8, Paint(GREEN, INK, 0.4))
    yield Rectangle(-5, 3.9, 12, 2.2, Paint("#ffffff"))


def _token() -> Iterator[Shape]:
    yield disc(0, 0, 22, Paint(RED, INK, 0.5))
    yield disc(0, 0, 16, Paint(None, "#ffffff", 1.2))
    yield TextShape(0, -2.3, 6.6, "2", "#ffffff", bold=True)
