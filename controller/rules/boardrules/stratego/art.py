"""How the boards of Stratego are printed: squares, lakes, the armies' rows, labels for pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import pi, sin
from typing import Final

from boardrules.art import (
    BLUE,
    INK,
    PAPER,
    RED,
    SECONDARY_INK,
    SKY,
    BoardGeometry,
    CutOut,
    DrawnSpace,
    GameArt,
    LegendEntry,
    PrintLanguage,
)
from boardrules.core import Space
from boardrules.shapes import (
    Paint,
    Polyline,
    Rectangle,
    Shape,
    TextShape,
    arc_points,
    disc,
    transformed_shapes,
)
from boardrules.stratego.board import StrategoBoard

ARMY_STYLES: Final = {"red": (RED, "#f3ddd0", "Red"), "blue": (BLUE, "#d3e2ec", "Blue")}
"""By seat its ink, the ground of its rows, and its name."""
_NEUTRAL_TINTS: Final = ("#f4eedd", "#eae2cb")
LABEL_SIZE_MM: Final = (20.0, 24.0)


class StrategoArt(GameArt):
    """One of the printed boards."""

    def __init__(self, board: StrategoBoard, army: Mapping[str, int], names: Mapping[str, str]) -> None:
        self.board, self.army, self.names = board, army, names

    def face(self, ground: BoardGeometry, language: PrintLanguage) -> Iterator[Shape]:
        """Squares in the colours of who sets up there, and water where nobody goes."""
        places = ground.places.values()
        zones = [frozenset(self.board.spaces_of_mask(zone)) for zone in self.board.zones]
        for place in places:
            yield place.outline_shape(Paint(self._square_tint(place, zones), SECONDARY_INK, 0.25))
        for place in places:
            if place.outline == "lake":
                yield from _lake(place)
        yield from _frame(list(places))
        for place in places:
            if place.outline != "lake":
                x, y = place.x - place.width / 2 + 1.8, place.y - place.height / 2 + 2.2
                yield TextShape(x, y, 3.4, place.id, SECONDARY_INK, "start")
        for seat, (ink, _, name) in ARMY_STYLES.items():
            if (at := ground.lamps.get(f"turn-{seat}")) is not None:
                yield disc(*at, 9, Paint(ink))
                yield TextShape(
                    at[0] + 7, at[1] - 1.5, 4.2, language.translate(name), ink, "start", bold=True
                )

    def _square_tint(self, place: DrawnSpace, zones: list[frozenset[Space]]) -> str:
        for (_, tint, _), zone in zip(ARMY_STYLES.values(), zones, strict=True):
            if place.id in zone:
                return tint
        return _NEUTRAL_TINTS[(ord(place.id[0]) + int(place.id[1:])) % 2]

    def legend(self, language: PrintLanguage) -> Iterable[LegendEntry]:
        """Lakes need no words, and the rest is on the screens."""
        return ()

    def cut_outs(self, language: PrintLanguage) -> Iterable[CutOut]:
        """A label for each piece, with its rank in sign and word."""
        for ink, _, seat in ARMY_STYLES.values():
            for sign, count in self.army.items():
                name = language.translate_name("stratego", self.names.get(sign, sign))
                shapes = tuple(_label(sign, name, ink))
                back = (Rectangle(0, 0, *LABEL_SIZE_MM, Paint(ink)),)
                yield CutOut(f"{language.translate(seat)}: {name}", *LABEL_SIZE_MM, count, shapes, back)


def _frame(places: list[DrawnSpace]) -> Iterator[Shape]:
    """A line around all squares."""
    left, low = (
        min(at) for at in ((p.x - p.width / 2 for p in places), (p.y - p.height / 2 for p in places))
    )
    right, high = (
        max(at) for at in ((p.x + p.width / 2 for p in places), (p.y + p.height / 2 for p in places))
    )
    yield Rectangle(left, low, right - left, high - low, Paint(None, INK, 0.9))


def _lake(place: DrawnSpace) -> Iterator[Shape]:
    """Water, with waves that go on in the lake's next square."""
    wide, high = place.width, place.height
    left, low = place.x - wide / 2, place.y - high / 2
    yield Rectangle(left, low, wide, high, Paint(SKY, SKY, 0.3))
    for row in range(4):
        y = low + high * (row + 0.5) / 4
        points = tuple(
            (left + wide * step / 36, y + 1.6 * sin(2 * pi * step / 12 + row * pi)) for step in range(37)
        )
        yield Polyline(points, Paint(None, BLUE, 0.7))


def _label(sign: str, name: str, ink: str) -> Iterator[Shape]:
    """A label: its rank, large, over its name. A bomb and a flag are drawn."""
    wide, high = LABEL_SIZE_MM
    yield Rectangle(0, 0, wide, high, Paint("#ffffff", INK, 0.2))
    yield Rectangle(0.8, 0.8, wide - 1.6, high - 1.6, Paint(PAPER, ink, 0.9), 1.5)
    drawn = {"B": _bomb, "F": _flag}.get(sign)
    if drawn is not None:
        yield from transformed_shapes(drawn(ink), wide / 2, 13.4)
    else:
        yield TextShape(wide / 2, 9.2, 11, sign, ink, bold=True)
    yield TextShape(wide / 2, 3.2, min(3.0, 17 / (0.56 * len(name))), name, INK)


def _bomb(ink: str) -> Iterator[Shape]:
    yield disc(0, -1, 9, Paint(ink))
    yield Polyline(tuple(arc_points(4, 3, 7, 5, 180, 60)), Paint(None, ink, 1.0))
    yield disc(5.9, 5.2, 1.8, Paint(None, ink, 0.6))


def _flag(ink: str) -> Iterator[Shape]:
    yield Polyline(((-3.5, -6), (-3.5, 6.5)), Paint(None, ink, 1.1))
    yield Polyline(((-3.5, 6.2), (5.5, 3.4), (-3.5, 0.6)), Paint(ink, ink, 0.3), closed=True)
