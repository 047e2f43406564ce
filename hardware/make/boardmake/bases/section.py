"""A foot cut through its middle, as an SVG picture at five times its size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boardmake.bases.description import TAG_THICKNESS_MM, PieceBase

PICTURE_SCALE: Final = 5.0
MARGIN_MM: Final = 3.0
_FOOT_COLOUR, _MAGNET_COLOUR, _TAG_COLOUR, _AIR_COLOUR = "#c9ced6", "#b3202c", "#2456a6", "#ffffff"


def section_svg(base: PieceBase) -> str:
    """The picture: the foot grey, its magnet red, its tag blue, what is empty white."""
    return "\n".join(_svg_lines(base)) + "\n"


def _svg_lines(base: PieceBase) -> Iterator[str]:
    across, high = base.diameter_mm + 2 * MARGIN_MM, base.height_mm + 2 * MARGIN_MM
    box = f"{-across / 2:g} {-MARGIN_MM:g} {across:g} {high:g}"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{across * PICTURE_SCALE:g}"'
        f' height="{high * PICTURE_SCALE:g}" font-family="sans-serif" font-size="2" text-anchor="middle">'
    )
    yield f"<title>{base.id}, cut through its middle</title>"
    yield _rectangle(base, 0, 0, base.diameter_mm, base.height_mm, _FOOT_COLOUR)
    if base.magnet is not None:
        wide, deep = base.magnet_pocket
        yield _rectangle(base, 0, 0, wide, deep, _AIR_COLOUR)
        yield _rectangle(base, 0, 0, base.magnet.diameter_mm, base.magnet.height_mm, _MAGNET_COLOUR)
    if base.tag is not None:
        wide, deep = base.tag_pocket
        below = base.height_mm - deep if base.tag.opens_upwards else 0.0
        yield _rectangle(base, base.tag.offset_mm, below, wide, deep, _AIR_COLOUR)
        yield _rectangle(base, base.tag.offset_mm, below, base.tag.diameter_mm, TAG_THICKNESS_MM, _TAG_COLOUR)
    if base.slot is not None:
        yield _rectangle(
            base, 0, base.height_mm - base.slot.depth, base.slot.length, base.slot.depth, _AIR_COLOUR
        )
    if base.forbids_magnet:
        yield f'<text x="0" y="{base.height_mm / 2 + 0.7:g}">no magnet</text>'
    yield "</svg>"


def _rectangle(base: PieceBase, middle: float, above: float, wide: float, high: float, fill: str) -> str:
    """A rectangle by its middle and how far it is above the foot's lower face."""
    left, upper = middle - wide / 2, base.height_mm - above - high
    return f'<rect x="{left:g}" y="{upper:g}" width="{wide:g}" height="{high:g}" fill="{fill}"/>'
