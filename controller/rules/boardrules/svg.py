"""Shapes as SVG, a user unit a millimetre."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from boardrules.shapes import Oval, Paint, Polyline, Rectangle, Shape, TextShape

FONTS = "'Noto Sans', 'DejaVu Sans', sans-serif"


def svg(shapes: Iterable[Shape], width: float, height: float, title: str = "") -> str:
    """A drawing of so many millimetres, as a file of its own."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_format_number(width)}mm"'
        f' height="{_format_number(height)}mm"'
        f' viewBox="0 0 {_format_number(width)} {_format_number(height)}" font-family="{FONTS}">',
        *([f"<title>{escape(title)}</title>"] if title else []),
        *(_shape(shape, height) for shape in shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _shape(shape: Shape, height: float) -> str:
    """One shape. SVG counts down from the upper edge."""
    match shape:
        case Oval(x, y, across, up, paint):
            size = (
                f'r="{_format_number(across / 2)}"'
                if across == up
                else f'rx="{_format_number(across / 2)}" ry="{_format_number(up / 2)}"'
            )
            kind = "circle" if across == up else "ellipse"
            return (
                f'<{kind} cx="{_format_number(x)}" cy="{_format_number(height - y)}" {size}{_paint(paint)}/>'
            )
        case Rectangle(x, y, wide, high, paint, corner):
            rounded = f' rx="{_format_number(corner)}"' if corner else ""
            at = f'x="{_format_number(x)}" y="{_format_number(height - y - high)}"'
            return (
                f'<rect {at} width="{_format_number(wide)}"'
                f' height="{_format_number(high)}"{rounded}{_paint(paint)}/>'
            )
        case Polyline(points, paint, closed):
            way = "L".join(f"{_format_number(x)} {_format_number(height - y)}" for x, y in points)
            return f'<path d="M{way}{"Z" if closed else ""}"{_paint(paint)}/>'
        case TextShape():
            return "".join(_text(shape, height))


def _text(shape: TextShape, height: float) -> Iterator[str]:
    x, y = _format_number(shape.x), _format_number(height - shape.y)
    yield f'<text x="{x}" y="{y}" font-size="{_format_number(shape.size)}" fill="{shape.ink}"'
    if shape.anchor != "start":
        yield f' text-anchor="{shape.anchor}"'
    if shape.bold:
        yield ' font-weight="bold"'
    if shape.halo:
        wide = _format_number(shape.size * 0.3)
        yield f' paint-order="stroke" stroke="{shape.halo}" stroke-width="{wide}" stroke-linejoin="round"'
    if shape.rotation_degrees:
        yield f' transform="rotate({_format_number(-shape.rotation_degrees)} {x} {y})"'
    yield f">{escape(shape.text, quote=False)}</text>"


def _paint(paint: Paint) -> str:
    told = f' fill="{paint.fill or "none"}"'
    if paint.stroke:
        told += f' stroke="{paint.stroke}" stroke-width="{_format_number(paint.width)}"'
    if paint.dash:
        told += f' stroke-dasharray="{" ".join(map(_format_number, paint.dash))}"'
    return told


def _format_number(value: float) -> str:
    """A hundredth of a millimetre is enough."""
    return f"{round(value, 2):g}" if abs(value) < 1000 else f"{value:.2f}".rstrip("0").rstrip(".")
