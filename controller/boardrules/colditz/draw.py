"""A board as an SVG drawing, one user unit a millimetre: to look at, and to print."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from boardrules.colditz.board import Board
from boardrules.colditz.check import linked
from boardrules.colditz.plan import Circle, Place

RADIUS = 11
"""mm."""
_AREAS = {"inner": "#d9d9d9", "outer": "#efe3c4", "outside": "#cfe3c4"}
_KINDS = (
    ("target", "#d62728"), ("post", "#222222"), ("searchlight", "#fff15c"), ("walkway", "#b98b5e"),
    ("safe", "#8ab8ff"), ("appel", "#f4f4f4"), ("door", "#e08a2c"),
    ("inspection", "#b05cc4"), ("car", "#4f8a8b"),
)  # fmt: skip


def svg(board: Board) -> str:
    """The drawing of a whole board."""
    width, height = board.plan.size
    sheet = f'width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {sheet} font-family="sans-serif" text-anchor="middle">',
        f"<title>{escape(board.plan.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *_links(board),
        *_crossings(board),
        *_tunnels(board),
        *(line for name, circle in board.plan.circles.items() for line in _circle(name, circle, board)),
        *(line for name, place in board.plan.places.items() for line in _place(name, place)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _line(board: Board, first: str, second: str, style: str) -> str:
    a, b = board.plan.circles[first], board.plan.circles[second]
    return f'<line x1="{a.x}" y1="{a.y}" x2="{b.x}" y2="{b.y}" {style}/>'


def _links(board: Board) -> Iterator[str]:
    for first, second in board.plan.links:
        yield _line(board, first, second, 'stroke="#999" stroke-width="4"')


def _crossings(board: Board) -> Iterator[str]:
    for crossing in board.crossings:
        upper, lower = board.names[crossing.upper], board.names[crossing.lower]
        colour = "#555" if not crossing.feet else "#1f77b4" if crossing.feet == 30 else "#0b3d91"
        dashes = "2 3" if not crossing.feet else "8 3"
        yield _line(board, upper, lower, f'stroke="{colour}" stroke-width="3" stroke-dasharray="{dashes}"')
        a, b = board.plan.circles[upper], board.plan.circles[lower]
        label = str(crossing.feet) if crossing.feet else "wire"
        x, y = (a.x + b.x) / 2, (a.y + b.y) / 2 + 2
        yield f'<text x="{x}" y="{y}" font-size="6" fill="{colour}">{label}</text>'


def _tunnels(board: Board) -> Iterator[str]:
    for first, second in linked(board):
        style = 'stroke="#6b3f1d" stroke-width="6" stroke-opacity="0.5"'
        yield _line(board, board.names[first], board.names[second], style)


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
    yield f'<text x="{circle.x}" y="{circle.y + 2}" font-size="5.2" fill="{ink}">{escape(name)}</text>'


def _place(name: str, place: Place) -> Iterator[str]:
    x, y, row, apart = place.box
    for number in range(place.places):
        left, top = x + number % row * apart, y + number // row * apart
        yield f'<rect x="{left - 10}" y="{top - 10}" width="20" height="20" fill="#bbb" stroke="#333"/>'
    yield f'<text x="{x + (row - 1) * apart / 2}" y="{y - 12}" font-size="7">{name}</text>'
