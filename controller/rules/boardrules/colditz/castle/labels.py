"""Where titles of rooms and their signs are printed: beside circles and each other, on nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

from boardrules.colditz.castle.board import CastleBoard

CIRCLE_RADIUS_MM: Final = 11
TITLE_HEIGHT_MM: Final = 5.4
SIGN_RADIUS_MM: Final = 7.2
TRACK_ROUNDS: Final = 50
"""The round track, as long as the longest game that the rulebook recommends (R010)."""
TRACK_LAYOUT: Final = (50.0, 15.0, 25)
"""The round track: mm from the left edge to its first lamp, from lamp to lamp, lamps in a row."""
TRACK_MARGIN_MM: Final = 8.0


class RoomLabel(NamedTuple):
    """A room's title and sign, by their middles in mm from the left and the upper edge."""

    title_position: tuple[float, float]
    sign_position: tuple[float, float]


def track_positions() -> Iterator[tuple[int, float, float]]:
    """By round its place on the track: mm from the left and from the upper edge."""
    first, step, row = TRACK_LAYOUT
    for number in range(TRACK_ROUNDS):
        yield number + 1, first + number % row * step, TRACK_MARGIN_MM + number // row * step


def room_labels(board: CastleBoard) -> dict[str, RoomLabel]:
    """By room where its title and its sign go, as near to its circles as there is room."""
    return _LabelPlacer(board).place_labels()


class _LabelPlacer:
    """What is taken already, as discs and boxes."""

    def __init__(self, board: CastleBoard) -> None:
        self._board = board
        plan = board.plan
        self._discs: list[tuple[float, float, float]] = [
            (circle.x, circle.y, CIRCLE_RADIUS_MM) for circle in plan.circles.values()
        ]
        for place in plan.places.values():
            x, y, row, apart = place.slot_grid
            self._discs += [(x + n % row * apart, y + n // row * apart, 13.0) for n in range(place.capacity)]
        self._discs += [(x, y, 6.0) for _, x, y in track_positions()]

    def place_labels(self) -> dict[str, RoomLabel]:
        """Titles first: they need the most room."""
        rooms = {room: self._circle_positions(room) for room in self._board.rooms}
        titles = {room: self._place_title(room, spots) for room, spots in rooms.items()}
        return {room: RoomLabel(titles[room], self._place_sign(spots)) for room, spots in rooms.items()}

    def _circle_positions(self, room: str) -> list[tuple[float, float]]:
        circles = self._board.plan.circles.values()
        return [(float(circle.x), float(circle.y)) for circle in circles if circle.room == room]

    def _place_title(self, room: str, spots: list[tuple[float, float]]) -> tuple[float, float]:
        half = 0.29 * TITLE_HEIGHT_MM * len(self._board.plan.titles[room]) + 1
        rows = sorted({y for _, y in spots})
        ways: list[tuple[float, float]] = []
        for y in (rows[0] - 15, rows[-1] + 15, *(y + 15 for y in rows[:-1])):
            row = [x for x, at in spots if abs(at - y) < 16]
            ways += [((min(row) + max(row)) / 2 + 5 * shift, y) for shift in (0, -1, 1, -2, 2, -3, 3)]
        at = min(ways, key=lambda way: (round(self._overlap(way[0], way[1], half), 1), ways.index(way)))
        steps = max(1, math.ceil(half / 4))
        self._discs += [
            (at[0] + half * n / steps, at[1], TITLE_HEIGHT_MM / 2 + 0.6) for n in range(-steps, steps + 1)
        ]
        return at

    def _overlap(self, x: float, y: float, half: float) -> float:
        """How far a box of that width goes over what is there."""
        over = 0.0
        for cx, cy, radius in self._discs:
            apart = math.hypot(max(0.0, abs(cx - x) - half), max(0.0, abs(cy - y) - TITLE_HEIGHT_MM / 2))
            over += max(0.0, radius - apart)
        return over + (1000 if not half < x < self._board.plan.size[0] - half else 0)

    def _place_sign(self, spots: list[tuple[float, float]]) -> tuple[float, float]:
        middle = (sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots))
        far = max(math.dist(spot, middle) for spot in spots)
        near = [disc for disc in self._discs if math.dist(disc[:2], middle) < far + 50]

        def cost(at: tuple[float, float]) -> float:
            over = sum(max(0.0, radius + SIGN_RADIUS_MM - math.dist((x, y), at)) for x, y, radius in near)
            return 20 * over + min(math.dist(spot, at) for spot in spots) + math.dist(middle, at) / 4

        steps = range(-round(far / 3) - 5, round(far / 3) + 6)
        at = min(((middle[0] + 3 * dx, middle[1] + 3 * dy) for dx in steps for dy in steps), key=cost)
        self._discs.append((*at, SIGN_RADIUS_MM))
        return at
