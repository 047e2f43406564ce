"""A board as an SVG drawing, one user unit a millimetre: to look at, and to print.

It has what people read off the board: names of circles, titles and signs of rooms, what is special about a
circle, drops with their feet, wire, tunnels, arrows from the cells, the round track and whose turn it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from itertools import pairwise
from typing import Final

from boardrules.colditz.castle.actions import SEATS
from boardrules.colditz.castle.board import Board
from boardrules.colditz.castle.check import linked
from boardrules.colditz.castle.labels import RADIUS, SIGN, TITLE, Label, labels, track
from boardrules.colditz.castle.plan import PLACES, Circle, Place

_AREAS: Final = {"inner": "#dcdcdc", "outer": "#efe3c4", "outside": "#cfe3c4"}
_FLOORS: Final = {"inner": "#f3f3f3", "outer": "#faf5e6", "outside": "#eaf4e5"}
_ROOM: Final = "#f6dfc8"
_KINDS: Final = (
    ("target", "#d62728"), ("post", "#222222"), ("searchlight", "#fff15c"), ("walkway", "#b98b5e"),
    ("safe", "#8ab8ff"), ("appel", "#ffffff"), ("door", "#e08a2c"),
    ("inspection", "#c07ad2"), ("car", "#7fbfc0"),
)  # fmt: skip
_SIGNS: Final = {
    "rope": "M-5-2a5 3 0 1 0 10 0a5 3 0 1 0-10 0M-5 1a5 3 0 0 0 10 0M5 1V6",
    "key": "M-6 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0M0 0H7M5 0v3M7 0v2",
    "pass": "M-5-6H5V6H-5ZM-2-3H2M-2 0H2",
    "cutter": "M-5-6 4 5M5-6-4 5M-5 7a2 2 0 1 0 .1 0M5 7a2 2 0 1 0 .1 0",
    "food": "M-6 2a6 5 0 0 1 12 0ZM-7 4H7",
    "documents": "M-6-5H3V7H-6ZM-3-7H6V5",
    "compass": "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0M-2 2 3-3",
    "disguise": "M-6-2H6V0A3 3 0 0 1 0 0A3 3 0 0 1-6 0ZM-2 6q2 2 4 0",
}
"""By what a room shows its sign, around its middle."""
_TITLES: Final = dict(
    zip(PLACES, ("Barracks", "Commander's Office", "Inner cells", "Outer cells"), strict=True)
)
_HALO: Final = 'paint-order="stroke" stroke="#ffffff" stroke-width="3" stroke-linejoin="round"'
_ARROW: Final = (
    '<defs><marker id="tip" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="4" markerHeight="4"'
    ' orient="auto"><path d="M0 0 6 3 0 6Z" fill="#333"/></marker></defs>'
)


def svg(board: Board) -> str:
    """The drawing of a whole board."""
    width, height = board.plan.size
    sheet = f'width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}"'
    plan = board.plan
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {sheet} font-family="sans-serif" text-anchor="middle">',
        f"<title>{escape(plan.title)}</title>",
        _ARROW,
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *_floors(board),
        *_walls(board),
        *_links(board),
        *_crossings(board),
        *_tunnels(board),
        *_arrows(board),
        *(line for name, circle in plan.circles.items() for line in _circle(name, circle, board)),
        *(line for name, place in plan.places.items() for line in _place(name, place)),
        *(line for room, label in labels(board).items() for line in _room(board, room, label)),
        *_feet(board),
        *_track(board),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _text(x: float, y: float, size: float, text: str, more: str = "") -> str:
    """A text around a point."""
    return f'<text x="{x:g}" y="{y + 0.36 * size:g}" font-size="{size:g}" {more}>{escape(text)}</text>'


def _line(board: Board, first: str, second: str, style: str) -> str:
    a, b = board.plan.circles[first], board.plan.circles[second]
    return f'<line x1="{a.x}" y1="{a.y}" x2="{b.x}" y2="{b.y}" {style}/>'


def _floors(board: Board) -> Iterator[str]:
    for circle in board.plan.circles.values():
        fill = _ROOM if circle.room else _FLOORS[circle.area]
        yield f'<rect x="{circle.x - 15}" y="{circle.y - 15}" width="30" height="30" fill="{fill}"/>'


def _walls(board: Board) -> Iterator[str]:
    """Around each room, where circles lie in squares of 30 mm."""
    lies = {(circle.x, circle.y): circle.room for circle in board.plan.circles.values()}
    drawn = []
    for (x, y), room in lies.items():
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)) if room else ():
            if lies.get((x + 30 * dx, y + 30 * dy)) != room:
                mx, my = x + 15 * dx, y + 15 * dy
                drawn.append(f"M{mx - 15 * dy} {my - 15 * dx}L{mx + 15 * dy} {my + 15 * dx}")
    yield f'<path d="{"".join(drawn)}" stroke="#8a5a1d" stroke-width="1.4" stroke-linecap="square"/>'


def _links(board: Board) -> Iterator[str]:
    for first, second in board.plan.links:
        yield _line(board, first, second, 'stroke="#999" stroke-width="4"')


def _crossings(board: Board) -> Iterator[str]:
    for crossing in board.crossings:
        upper, lower = board.names[crossing.upper], board.names[crossing.lower]
        colour = "#1f77b4" if crossing.feet == 30 else "#0b3d91"
        if crossing.feet:
            yield _line(board, upper, lower, f'stroke="{colour}" stroke-width="3" stroke-dasharray="8 3"')
        else:
            yield _line(board, upper, lower, 'stroke="#777" stroke-width="1.5" stroke-dasharray="2 3"')
            yield from _wire(board.plan.circles[upper], board.plan.circles[lower])


def _wire(a: Circle, b: Circle) -> Iterator[str]:
    """Barbs across the way, as wide as a circle."""
    length = math.hypot(b.x - a.x, b.y - a.y)
    along, aside = (b.x - a.x) / length, (b.y - a.y) / length
    x, y = (a.x + b.x) / 2, (a.y + b.y) / 2
    ends = [(x - aside * step, y + along * step) for step in (-12, -6, 0, 6, 12)]
    for one, other in pairwise(ends):
        yield (
            f'<line x1="{one[0]:g}" y1="{one[1]:g}" x2="{other[0]:g}" y2="{other[1]:g}" stroke="#444"'
            ' stroke-width="1"/>'
        )
    for px, py in ends[1:4]:
        yield f'<path d="M{px - 2:g} {py - 2:g}l4 4m-4 0l4-4" stroke="#444" stroke-width="1"/>'


def _feet(board: Board) -> Iterator[str]:
    """How deep a drop is, beside its dashes."""
    for crossing in board.crossings:
        if crossing.feet:
            a, b = (board.plan.circles[board.names[node]] for node in (crossing.upper, crossing.lower))
            length = math.hypot(b.x - a.x, b.y - a.y)
            x = (a.x + b.x) / 2 + 6.5 * abs(b.y - a.y) / length
            y = (a.y + b.y) / 2 - 5.5 * abs(b.x - a.x) / length
            yield _text(x, y, 7, str(crossing.feet), f'font-weight="bold" fill="#0b3d91" {_HALO}')


def _tunnels(board: Board) -> Iterator[str]:
    for first, second in linked(board):
        style = 'stroke="#6b3f1d" stroke-width="6" stroke-opacity="0.5"'
        yield _line(board, board.names[first], board.names[second], style)


def _arrows(board: Board) -> Iterator[str]:
    """From the nearest cell to the circle where who is released may start (R052)."""
    for name, place in board.plan.places.items():
        if place.arrow is not None:
            to = board.plan.circles[place.arrow]
            x, y = min(_cells(place), key=lambda cell: math.dist(cell, (to.x, to.y)))
            share = 1 - (RADIUS + 2) / math.dist((x, y), (to.x, to.y))
            end = f'x2="{x + (to.x - x) * share:g}" y2="{y + (to.y - y) * share:g}"'
            style = 'stroke="#333" stroke-width="2.5" marker-end="url(#tip)"'
            yield f'<line class="arrow {name}" x1="{x}" y1="{y}" {end} {style}/>'


def _circle(name: str, circle: Circle, board: Board) -> Iterator[str]:
    fill = next((colour for kind, colour in _KINDS if kind in circle.kinds), _AREAS[circle.area])
    landing = any(board.names[crossing.lower] == name and crossing.feet for crossing in board.crossings)
    tunnel = next((way for way in board.plan.tunnels.values() if name in way), ())
    stroke = "#6b3f1d" if tunnel else "#ffffff" if landing else "#c96" if circle.room else "#666"
    edge = 4 if name in tunnel[:1] + tunnel[-1:] else 2.5 if tunnel or landing or circle.room else 1
    if landing:
        yield f'<circle cx="{circle.x}" cy="{circle.y}" r="{RADIUS + 2.5}" fill="none" stroke="#666"/>'
    yield (
        f'<circle cx="{circle.x}" cy="{circle.y}" r="{RADIUS}" fill="{fill}" stroke="{stroke}"'
        f' stroke-width="{edge}"><title>{escape(name)}</title></circle>'
    )
    ink = "#fff" if {"post", "target"} & circle.kinds else "#000"
    if "target" in circle.kinds:
        yield f'<circle cx="{circle.x}" cy="{circle.y}" r="8" fill="none" stroke="#fff" stroke-width="1.2"/>'
    up = 0
    for kind, symbol in (("door", "key"), ("inspection", "pass")):
        if kind in circle.kinds:  # what it takes
            up = 3
            yield _sign(symbol, circle.x, circle.y + 4.5, 0.55, "#000")
    shown = name.removeprefix(circle.room or "") or name  # its room's title stands beside it
    yield _text(circle.x, circle.y - up, min(6.0, 33 / len(shown)), shown, f'fill="{ink}"')


def _cells(place: Place) -> Iterator[tuple[int, int]]:
    x, y, row, apart = place.box
    return ((x + number % row * apart, y + number // row * apart) for number in range(place.places))


def _place(name: str, place: Place) -> Iterator[str]:
    for x, y in _cells(place):
        square = f'x="{x - 10}" y="{y - 10}" width="20" height="20"'
        yield f'<rect class="cell" {square} fill="#bbb" stroke="#333"/>'
    x, y, row, apart = place.box
    across = (min(row, place.places) - 1) * apart
    size = min(6.0, (across + 26) / (0.65 * len(_TITLES[name])))
    yield _text(x + across / 2, y - 14, size, _TITLES[name], f'font-weight="bold" {_HALO}')


def _room(board: Board, room: str, label: Label) -> Iterator[str]:
    """Its title, and the sign of what is taken there."""
    yield _text(*label.title, TITLE, board.plan.titles[room], f'font-weight="bold" {_HALO}')
    symbol = board.plan.rooms[room]
    x, y = label.sign
    yield f'<circle class="sign" cx="{x:g}" cy="{y:g}" r="{SIGN}" fill="#fffbe8" stroke="#8a5a1d"/>'
    yield _sign(symbol, x, y, 0.72, "#5a3608")


def _sign(symbol: str, x: float, y: float, scale: float, ink: str) -> str:
    return (
        f'<path d="{_SIGNS[symbol]}" transform="translate({x:g} {y:g}) scale({scale:g})" fill="none"'
        f' stroke="{ink}" stroke-width="1.6"><title>{symbol}</title></path>'
    )


def _track(board: Board) -> Iterator[str]:
    """Along the upper edge the rounds, along the lower one whose turn it is: there the lamps are."""
    for number, x, y in track():
        fill = "#f2c230" if number == 1 else "#ffffff"  # the marker goes down to the eagle (R010)
        yield f'<circle class="round" cx="{x:g}" cy="{y:g}" r="5" fill="{fill}" stroke="#555"/>'
        yield _text(x, y, 4.6, str(number))
    width, height = board.plan.size
    for place, seat in enumerate(SEATS):
        x = width - 280 + 20 * place
        yield f'<circle class="turn" cx="{x}" cy="{height - 25}" r="4" fill="#ffffff" stroke="#555"/>'
        yield _text(x, height - 17.5, 3.8, seat.capitalize(), _HALO)
