"""A foot cut through its middle, as an SVG picture at five times its size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boardmake.bases.description import TAG_MM, PieceBase

SCALE: Final = 5.0
MARGIN: Final = 3.0
_FOOT, _MAGNET, _TAG, _AIR = "#c9ced6", "#b3202c", "#2456a6", "#ffffff"


def svg(base: PieceBase) -> str:
    """The picture: the foot grey, its magnet red, its tag blue, what is empty white."""
    return "\n".join(_lines(base)) + "\n"


def _lines(base: PieceBase) -> Iterator[str]:
    across, high = base.across + 2 * MARGIN, base.height + 2 * MARGIN
    box = f"{-across / 2:g} {-MARGIN:g} {across:g} {high:g}"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{across * SCALE:g}"'
        f' height="{high * SCALE:g}" font-family="sans-serif" font-size="2" text-anchor="middle">'
    )
    yield f"<title>{base.id}, cut through its middle</title>"
    yield _box(base, 0, 0, base.across, base.height, _FOOT)
    if base.magnet is not None:
        wide, deep = base.magnet_pocket
        yield _box(base, 0, 0, wide, deep, _AIR)
        yield _box(base, 0, 0, base.magnet.diameter_mm, base.magnet.height_mm, _MAGNET)
    if base.tag is not None:
        wide, deep = base.tag_pocket
        below = base.height - deep if base.tag.above else 0.0
        yield _box(base, base.tag.aside, below, wide, deep, _AIR)
        yield _box(base, base.tag.aside, below, base.tag.across, TAG_MM, _TAG)
    if base.slot is not None:
        yield _box(base, 0, base.height - base.slot.depth, base.slot.length, base.slot.depth, _AIR)
    if base.bare:
        yield f'<text x="0" y="{base.height / 2 + 0.7:g}">no magnet</text>'
    yield "</svg>"


def _box(base: PieceBase, middle: float, above: float, wide: float, high: float, fill: str) -> str:
    """A rectangle by its middle and how far it is above the foot's lower face."""
    left, upper = middle - wide / 2, base.height - above - high
    return f'<rect x="{left:g}" y="{upper:g}" width="{wide:g}" height="{high:g}" fill="{fill}"/>'
