"""A circuit board as an SVG picture: copper above in red, below in blue, holes white, parts outlined."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from boardmake.circuit.layout import BOTTOM_LAYER, TOP_LAYER, Layout, LayoutPart

MARGIN_MM: Final = 2.0
_COPPER_COLOURS: Final = {TOP_LAYER: "#b3202c", BOTTOM_LAYER: "#2456a6"}
_PAD_COLOUR, _BOARD_COLOUR, _PRINT_COLOUR = "#c9a227", "#eef3ea", "#222222"


def layout_svg(layout: Layout) -> str:
    """The picture, a unit a millimetre, seen from above."""
    return "\n".join(_svg_lines(layout)) + "\n"


def _svg_lines(layout: Layout) -> Iterator[str]:
    width, height = layout.width, layout.height
    whole = f"{width + 2 * MARGIN_MM:g} {height + 2 * MARGIN_MM:g}"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN_MM:g} {-MARGIN_MM:g} {whole}"'
        f' width="{width + 2 * MARGIN_MM:g}mm" height="{height + 2 * MARGIN_MM:g}mm"'
        ' font-family="sans-serif">'
    )
    yield f"<title>{escape(layout.title)}</title>"
    edge = f'fill="{_BOARD_COLOUR}" stroke="{_PRINT_COLOUR}" stroke-width="0.2"'
    yield f'<rect width="{width:g}" height="{height:g}" {edge}/>'
    for y in layout.scores:
        dashes = f'stroke="{_PRINT_COLOUR}" stroke-width="0.2" stroke-dasharray="2 1"'
        yield f'<path d="M0 {y:g}H{width:g}" {dashes}/>'
    for layer in (BOTTOM_LAYER, TOP_LAYER):
        yield f'<g stroke="{_COPPER_COLOURS[layer]}" stroke-linecap="round" opacity="0.8">'
        for track in layout.tracks:
            if track.layer == layer:
                (x1, y1), (x2, y2) = track.start, track.end
                yield f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" stroke-width="{track.width:g}"/>'
        yield "</g>"
    for pad in layout.placed_pads():
        fill = _PAD_COLOUR if TOP_LAYER in pad.layers else _COPPER_COLOURS[BOTTOM_LAYER]
        if pad.is_round:
            yield f'<circle cx="{pad.at.x:g}" cy="{pad.at.y:g}" r="{pad.width / 2:g}" fill="{fill}"/>'
        else:
            x, y = pad.at.x - pad.width / 2, pad.at.y - pad.height / 2
            yield (f'<rect x="{x:g}" y="{y:g}" width="{pad.width:g}" height="{pad.height:g}" fill="{fill}"/>')
    yield '<g fill="#ffffff">'
    for pad in layout.placed_pads():
        if pad.drill:
            yield _hole_svg(pad.at.x, pad.at.y, pad.drill)
    for via in layout.vias:
        yield f'<circle cx="{via.at.x:g}" cy="{via.at.y:g}" r="{via.size / 2:g}" fill="{_PAD_COLOUR}"/>'
        yield _hole_svg(via.at.x, via.at.y, via.drill)
    for hole in layout.holes:
        yield _hole_svg(hole.at.x, hole.at.y, hole.diameter)
    yield "</g>"
    for part in layout.parts:
        yield from _part_svg(part)
    for words in layout.texts:
        yield _text_svg(words.text, words.at.x, words.at.y, words.size)
    yield "</svg>"


def _hole_svg(x: float, y: float, diameter: float) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{diameter / 2:g}"/>'


def _part_svg(part: LayoutPart) -> Iterator[str]:
    for x, y, diameter in part.footprint.holes:
        at = part.board_position(x, y)
        yield (
            f'<circle cx="{at.x:g}" cy="{at.y:g}" r="{diameter / 2:g}" fill="#ffffff"'
            f' stroke="{_PRINT_COLOUR}" stroke-width="0.1"/>'
        )
    left, upper, right, lower = part.footprint.body
    corners = [
        part.board_position(x, y) for x, y in ((left, upper), (right, upper), (right, lower), (left, lower))
    ]
    if part.footprint.has_outline:
        way = "L".join(f"{x:g} {y:g}" for x, y in corners)
        dashed = "" if part.is_fitted else ' stroke-dasharray="0.6 0.6"'
        yield f'<path d="M{way}Z" fill="none" stroke="{_PRINT_COLOUR}" stroke-width="0.15"{dashed}/>'
    if part.footprint.orientation_mark is not None:
        at = part.board_position(*part.footprint.orientation_mark)
        yield f'<circle cx="{at.x:g}" cy="{at.y:g}" r="0.3" fill="{_PRINT_COLOUR}"/>'
    label = part.footprint.label_position
    if part.is_bought and label is not None:
        yield _text_svg(part.ref, *part.board_position(*label), 1.0)
    elif part.is_bought:
        middle = sum(at.x for at in corners) / 4, sum(at.y for at in corners) / 4
        yield _text_svg(part.ref, *middle, 1.2)


def _text_svg(text: str, x: float, y: float, size: float) -> str:
    return (
        f'<text x="{x:g}" y="{y + size * 0.35:g}" font-size="{size:g}" text-anchor="middle"'
        f' fill="{_PRINT_COLOUR}">{escape(text)}</text>'
    )
