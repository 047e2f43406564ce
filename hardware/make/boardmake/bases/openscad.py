"""A foot as a source for OpenSCAD, which makes of it what a printer takes.

A foot stands as it is printed, its lower face down; only the ceilings of pockets hang free. Two sources are
made of one with a magnet: one groove in the ceiling of the magnet's pocket says that its north pole points
down, two grooves that its south pole does. The magnet hides them: a mark that stayed visible would be a mark
on the piece for life, and its opponent could learn which piece it is. A foot that must not carry a magnet has
a cross in its lower face.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boardmake.bases.description import GROOVE_DEPTH_MM, GROOVE_RIM_MM, PieceBase

CIRCLE_FACETS: Final = 96
CROSS_SIZE_MM: Final = (0.6, 1.2)
"""How deep a cross goes into the lower face, and how wide its lines are."""
_CUT_OVERLAP_MM: Final = 0.1
"""By how much what is taken away sticks out, so that no skin is left."""
GROOVE_SIDES_BY_POLE: Final = {"north": (1,), "south": (1, -1)}
"""The pole that points down, and on which sides of the pocket's middle a groove says so."""


def openscad_sources(base: PieceBase) -> Iterator[tuple[str, str]]:
    """Name and text of each source of a foot."""
    if base.magnet is None:
        yield base.id, openscad_source(base)
        return
    for pole in GROOVE_SIDES_BY_POLE:
        yield f"{base.id}-{pole}", openscad_source(base, pole)


def openscad_source(base: PieceBase, pole: str | None = None) -> str:
    """The source of a foot; `pole` points down."""
    return "\n".join(_source_lines(base, pole)) + "\n"


def _source_lines(base: PieceBase, pole: str | None) -> Iterator[str]:
    yield f"// {base.id}: made by `boardumpire make bases`. Lengths in mm."
    if base.forbids_magnet:
        yield "// NO MAGNET: a sensor must never feel it."
    if base.magnet is not None:
        yield f"// Magnet {base.magnet.diameter_mm:g} x {base.magnet.height_mm:g}, its {pole} pole down."
    if base.tag is not None:
        yield f"// Tag of {base.tag.diameter_mm:g} mm, {'above' if base.tag.opens_upwards else 'below'}."
    yield f"$fn = {CIRCLE_FACETS};"
    yield "difference() {"
    yield f"  cylinder(d = {base.diameter_mm:g}, h = {base.height_mm:g});"
    if base.magnet is not None:
        wide, deep = base.magnet_pocket
        yield f"  // the magnet\n  {_pocket_below(0, wide, deep)}"
        yield from (
            f"  // {pole} pole down\n  {_groove_solid(base, side)}"
            for side in GROOVE_SIDES_BY_POLE[pole or ""]
        )
    if base.tag is not None:
        wide, deep = base.tag_pocket
        taken = (
            _pocket_above(base, base.tag.offset_mm, wide, deep)
            if base.tag.opens_upwards
            else _pocket_below(base.tag.offset_mm, wide, deep)
        )
        yield f"  // the tag\n  {taken}"
    if base.slot is not None:
        length, width, depth = base.slot
        yield (
            f"  // the face\n  translate([{-length / 2:g}, {-width / 2:g}, {base.height_mm - depth:g}])"
            f" cube([{length:g}, {width:g}, {depth + _CUT_OVERLAP_MM:g}]);"
        )
    if base.forbids_magnet:
        yield "  // no magnet"
        yield from (f"  {_cross_bar(base, turn)}" for turn in (45, -45))
    yield "}"


def _pocket_below(aside: float, wide: float, deep: float) -> str:
    return (
        f"translate([{aside:g}, 0, {-_CUT_OVERLAP_MM:g}]) cylinder(d = {wide:g}, h ="
        f" {deep + _CUT_OVERLAP_MM:g});"
    )


def _pocket_above(base: PieceBase, aside: float, wide: float, deep: float) -> str:
    return (
        f"translate([{aside:g}, 0, {base.height_mm - deep:g}]) cylinder(d = {wide:g}, h ="
        f" {deep + _CUT_OVERLAP_MM:g});"
    )


def _groove_solid(base: PieceBase, side: int) -> str:
    """One groove beside the middle of the pocket's ceiling, so that it is never below the slot for a face."""
    wide, deep = base.magnet_pocket
    near, far = base.groove_span
    low = near if side > 0 else -far
    return (
        f"intersection() {{ translate([0, 0, {deep - _CUT_OVERLAP_MM:g}])"
        f" cylinder(d = {wide - 2 * GROOVE_RIM_MM:g}, h = {GROOVE_DEPTH_MM + _CUT_OVERLAP_MM:g});"
        f" translate([{-wide / 2:g}, {low:g}, 0])"
        f" cube([{wide:g}, {far - near:g}, {deep + GROOVE_DEPTH_MM + 1:g}]); }}"
    )


def _cross_bar(base: PieceBase, turn: int) -> str:
    deep, wide = CROSS_SIZE_MM
    length = 0.6 * base.diameter_mm
    return (
        f"rotate({turn}) translate([{-length / 2:g}, {-wide / 2:g}, {-_CUT_OVERLAP_MM:g}])"
        f" cube([{length:g}, {wide:g}, {deep + _CUT_OVERLAP_MM:g}]);"
    )
