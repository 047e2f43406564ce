"""Shapes as SVG, a user unit a millimetre."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from boardrules.shapes import Oval, Paint, Polyline, Rectangle, Shape, TextShape

FONTS = "'Noto Sans', 'DejaVu Sans', sans-serif"


def svg(shapes: Iterable[Shape], width: float, height: float, title: str = "") -> str:
    """A drawing of so many millimetres, as a file of its own."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}mm" height="{_n(height)}mm"'
        f' viewBox="0 0 {_n(width)} {_n(height)}" font-family="{FONTS}">',
        *([f"<title>{escape(title)}</title>"] if title else []),
        *(_shape(shape, height) for shape in shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _shape(shape: Shape, height: float) -> str:
    """One shape. SVG counts down from the upper edge."""
    match shape:
        case Oval(x, y, across, up, paint):
            size = f'r="{_n(across / 2)}"' if across == up else f'rx="{_n(across / 2)}" ry="{_n(up / 2)}"'
            kind = "circle" if across == up else "ellipse"
            return f'<{kind} cx="{_n(x)}" cy="{_n(height - y)}" {size}{_paint(paint)}/>'
        case Rectangle(x, y, wide, high, paint, corner):
            rounded = f' rx="{_n(corner)}"' if corner else ""
            at = f'x="{_n(x)}" y="{_n(height - y - high)}"'
            return f'<rect {at} width="{_n(wide)}" height="{_n(high)}"{rounded}{_paint(paint)}/>'
        case Polyline(points, paint, closed):
            way = "L".join(f"{_n(x)} {_n(height - y)}" for x, y in points)
            return f'<path d="M{way}{"Z" if closed else ""}"{_paint(paint)}/>'
        case TextShape():
            return "".join(_text(shape, height))


def _text(shape: TextShape, height: float) -> Iterator[str]:
    x, y = _n(shape.x), _n(height - shape.y)
    yield f'<text x="{x}" y="{y}" font-size="{_n(shape.size)}" fill="{shape.ink}"'
    if shape.anchor != "start":
        yield f' text-anchor="{shape.anchor}"'
    if shape.bold:
        yield ' font-weight="bold"'
    if shape.halo:
        wide = _n(shape.size * 0.3)
        yield f' paint-order="stroke" stroke="{shape.halo}" stroke-width="{wide}" stroke-linejoin="round"'
    if shape.turn:
        yield f' transform="rotate({_n(-shape.turn)} {x} {y})"'
    yield f">{escape(shape.text, quote=False)}</text>"


def _paint(paint: Paint) -> str:
    told = f' fill="{paint.fill or "none"}"'
    if paint.stroke:
        told += f' stroke="{paint.stroke}" stroke-width="{_n(paint.width)}"'
    if paint.dash:
        told += f' stroke-dasharray="{" ".join(map(_n, paint.dash))}"'
    return told


def _n(value: float) -> str:
    """A hundredth of a millimetre is enough."""
    return f"{round(value, 2):g}" if abs(value) < 1000 else f"{value:.2f}".rstrip("0").rstrip(".")
