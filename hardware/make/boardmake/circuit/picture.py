"""A circuit board as an SVG picture: copper above in red, below in blue, holes white, parts outlined."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from boardmake.circuit.layout import BOTTOM, TOP, Layout, LayoutPart

MARGIN: Final = 2.0
_COPPER: Final = {TOP: "#b3202c", BOTTOM: "#2456a6"}
_PAD, _BOARD, _PRINT = "#c9a227", "#eef3ea", "#222222"


def svg(layout: Layout) -> str:
    """The picture, a unit a millimetre, seen from above."""
    return "\n".join(_lines(layout)) + "\n"


def _lines(layout: Layout) -> Iterator[str]:
    width, height = layout.width, layout.height
    whole = f"{width + 2 * MARGIN:g} {height + 2 * MARGIN:g}"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN:g} {-MARGIN:g} {whole}"'
        f' width="{width + 2 * MARGIN:g}mm" height="{height + 2 * MARGIN:g}mm" font-family="sans-serif">'
    )
    yield f"<title>{escape(layout.title)}</title>"
    edge = f'fill="{_BOARD}" stroke="{_PRINT}" stroke-width="0.2"'
    yield f'<rect width="{width:g}" height="{height:g}" {edge}/>'
    for layer in (BOTTOM, TOP):
        yield f'<g stroke="{_COPPER[layer]}" stroke-linecap="round" opacity="0.8">'
        for track in layout.tracks:
            if track.layer == layer:
                (x1, y1), (x2, y2) = track.start, track.end
                yield f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" stroke-width="{track.width:g}"/>'
        yield "</g>"
    for pad in layout.pads():
        fill = _PAD if TOP in pad.layers else _COPPER[BOTTOM]
        if pad.round:
            yield f'<circle cx="{pad.at.x:g}" cy="{pad.at.y:g}" r="{pad.width / 2:g}" fill="{fill}"/>'
        else:
            x, y = pad.at.x - pad.width / 2, pad.at.y - pad.height / 2
            yield (f'<rect x="{x:g}" y="{y:g}" width="{pad.width:g}" height="{pad.height:g}" fill="{fill}"/>')
    yield '<g fill="#ffffff">'
    for pad in layout.pads():
        if pad.drill:
            yield _hole(pad.at.x, pad.at.y, pad.drill)
    for via in layout.vias:
        yield f'<circle cx="{via.at.x:g}" cy="{via.at.y:g}" r="{via.size / 2:g}" fill="{_PAD}"/>'
        yield _hole(via.at.x, via.at.y, via.drill)
    for hole in layout.holes:
        yield _hole(hole.at.x, hole.at.y, hole.diameter)
    yield "</g>"
    for part in layout.parts:
        yield from _part(part)
    for words in layout.words:
        yield _words(words.text, words.at.x, words.at.y, words.size)
    yield "</svg>"


def _hole(x: float, y: float, diameter: float) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{diameter / 2:g}"/>'


def _part(part: LayoutPart) -> Iterator[str]:
    for x, y, diameter in part.footprint.holes:
        at = part.place(x, y)
        yield (
            f'<circle cx="{at.x:g}" cy="{at.y:g}" r="{diameter / 2:g}" fill="#ffffff"'
            f' stroke="{_PRINT}" stroke-width="0.1"/>'
        )
    left, upper, right, lower = part.footprint.body
    corners = [part.place(x, y) for x, y in ((left, upper), (right, upper), (right, lower), (left, lower))]
    if part.footprint.outline:
        way = "L".join(f"{x:g} {y:g}" for x, y in corners)
        dashed = "" if part.fitted else ' stroke-dasharray="0.6 0.6"'
        yield f'<path d="M{way}Z" fill="none" stroke="{_PRINT}" stroke-width="0.15"{dashed}/>'
    if part.footprint.mark is not None:
        at = part.place(*part.footprint.mark)
        yield f'<circle cx="{at.x:g}" cy="{at.y:g}" r="0.3" fill="{_PRINT}"/>'
    label = part.footprint.label
    if part.bought and label is not None:
        yield _words(part.ref, *part.place(*label), 1.0)
    elif part.bought:
        middle = sum(at.x for at in corners) / 4, sum(at.y for at in corners) / 4
        yield _words(part.ref, *middle, 1.2)


def _words(text: str, x: float, y: float, size: float) -> str:
    return (
        f'<text x="{x:g}" y="{y + size * 0.35:g}" font-size="{size:g}" text-anchor="middle"'
        f' fill="{_PRINT}">{escape(text)}</text>'
    )
