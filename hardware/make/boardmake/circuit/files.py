"""Circuit boards as files of KiCad 6: the board, and the project with the rules it has to keep."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from boardmake.circuit import schematic
from boardmake.circuit.layout import (
    EDGE_GAP,
    HEAD_MM,
    LEAST_DRILL,
    LEAST_GAP,
    LEAST_LETTER,
    LEAST_LINE,
    LEAST_RING,
    LEAST_TRACK,
    SILK_GAP,
    FootprintPad,
    Layout,
    LayoutPart,
    LayoutPoint,
    PrintedText,
)

GENERATED: Final = "(generator boardumpire)"
"""In the first line of what no other program has saved since."""
ORIGIN: Final = (20.0, 20.0)
"""Where the upper left corner lies on the sheet, in mm."""
_LAYERS: Final = (
    *((0, "F.Cu", "signal"), (31, "B.Cu", "signal"), (34, "B.Paste", "user"), (35, "F.Paste", "user")),
    *((36, "B.SilkS", "user"), (37, "F.SilkS", "user"), (38, "B.Mask", "user"), (39, "F.Mask", "user")),
    *((44, "Edge.Cuts", "user"), (46, "B.CrtYd", "user"), (47, "F.CrtYd", "user")),
    *((48, "B.Fab", "user"), (49, "F.Fab", "user")),
)
_MARGIN: Final = 0.25


def board(layout: Layout) -> str:
    """The text of a `.kicad_pcb`."""
    return "\n".join(_Writer(layout).lines()) + "\n"


def project(layout: Layout) -> str:
    """The text of a `.kicad_pro`: the design rules."""
    rules = {
        "min_clearance": LEAST_GAP,
        "min_copper_edge_clearance": EDGE_GAP,
        "min_hole_clearance": LEAST_GAP,
        "min_hole_to_hole": 0.5,
        "min_through_hole_diameter": LEAST_DRILL,
        "min_track_width": LEAST_TRACK,
        "min_via_annular_width": LEAST_RING,
        "min_via_diameter": 0.6,
        "min_silk_clearance": SILK_GAP,
        "solder_mask_clearance": 0.05,
        "solder_mask_min_width": 0.1,
    }
    net_class = {
        "name": "Default",
        "clearance": LEAST_GAP,
        "track_width": LEAST_TRACK,
        "via_diameter": 0.7,
        "via_drill": 0.35,
    }
    # Parts are drawn by ourselves: there is no library to compare them with.
    severities = {"lib_footprint_issues": "ignore", "missing_courtyard": "error"}
    return json.dumps(
        {
            "erc": {"rule_severities": {"lib_symbol_issues": "ignore"}},
            "board": {"design_settings": {"rules": rules, "rule_severities": severities}},
            "meta": {"filename": f"{layout.name}.kicad_pro", "version": 1},
            "net_settings": {"classes": [net_class], "meta": {"version": 2}},
        },
        indent=2,
    ) + "\n"  # fmt: skip


def _text(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _num(value: float) -> str:
    return f"{round(value, 4) + 0.0:g}"


class _Writer:
    """One board on its way into text."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        lone = [
            schematic.unconnected(part.ref, pad.name)
            for part in layout.parts
            if part.drawn
            for pad in part.footprint.pads
            if not part.nets.get(pad.name)
        ]
        self._nets = {"": 0, **{net: number for number, net in enumerate((*layout.nets(), *lone), 1)}}
        self._count = 0

    def _stamp(self) -> str:
        """Names what has no other name; the same board has the same ones."""
        self._count += 1
        return f"(tstamp {uuid5(NAMESPACE_URL, f'boardumpire {self._layout.name} {self._count}')})"

    def _at(self, x: float, y: float) -> str:
        return f"{_num(x + ORIGIN[0])} {_num(y + ORIGIN[1])}"

    def lines(self) -> Iterator[str]:
        """The file."""
        yield f"(kicad_pcb (version 20211014) {GENERATED}"
        yield "  (general (thickness 1.6))"
        yield '  (paper "A3")'
        yield f"  (title_block (title {_text(self._layout.title)}))"
        yield "  (layers"
        for number, name, kind in _LAYERS:
            yield f"    ({number} {_text(name)} {kind})"
        yield "  )"
        yield f"  (setup (pad_to_mask_clearance 0.05) (aux_axis_origin {self._at(0, self._layout.height)}))"
        for net, number in self._nets.items():
            yield f"  (net {number} {_text(net)})"
        for part in self._layout.parts:
            yield from self._part(part)
        for number, hole in enumerate(self._layout.holes, 1):
            yield from self._screw(number, hole.at.x, hole.at.y, hole.diameter)
        yield from self._outline()
        for words in self._layout.words:
            yield self._words(words)
        for track in self._layout.tracks:
            yield (
                f"  (segment (start {self._at(*track.start)}) (end {self._at(*track.end)})"
                f" (width {_num(track.width)}) (layer {_text(track.layer)})"
                f" (net {self._nets[track.net]}) {self._stamp()})"
            )
        for via in self._layout.vias:
            yield (
                f"  (via (at {self._at(*via.at)}) (size {_num(via.size)}) (drill {_num(via.drill)})"
                f' (layers "F.Cu" "B.Cu") (net {self._nets[via.net]}) {self._stamp()})'
            )
        yield ")"

    def _outline(self) -> Iterator[str]:
        width, height = self._layout.width, self._layout.height
        corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height), (0.0, 0.0)]
        for start, end in itertools.pairwise(corners):
            yield (
                f"  (gr_line (start {self._at(*start)}) (end {self._at(*end)})"
                f' (layer "Edge.Cuts") (width 0.1) {self._stamp()})'
            )

    def _words(self, words: PrintedText) -> str:
        mirror = " (justify mirror)" if words.layer.startswith("B") else ""
        size = _num(words.size)
        return (
            f"  (gr_text {_text(words.text)} (at {self._at(*words.at)}) (layer {_text(words.layer)})"
            f" {self._stamp()} (effects (font (size {size} {size}) (thickness {LEAST_LINE})){mirror}))"
        )

    def _part(self, part: LayoutPart) -> Iterator[str]:
        footprint = part.footprint
        turn = f" {part.turn}" if part.turn else ""
        yield f'  (footprint {_text("boardumpire:" + footprint.name)} (layer "F.Cu") {self._stamp()}'
        yield f"    (at {self._at(part.x, part.y)}{turn})"
        yield f"    (descr {_text(footprint.about)})"
        kind = "smd" if footprint.smd else "through_hole"
        left_out = " exclude_from_pos_files exclude_from_bom" if not part.bought or not part.fitted else ""
        yield f"    (attr {kind}{'' if part.drawn else ' board_only'}{left_out})"
        if part.drawn:
            yield f'    (path "/{schematic.identity(self._layout, part.ref)}")'
        _left, upper, _right, lower = footprint.body
        above = footprint.label or LayoutPoint(0.0, 0.0 if footprint.inside else upper - 1.2)
        printed = footprint.outline or footprint.label is not None
        yield self._field("reference", part.ref, "F.SilkS" if printed else "F.Fab", part, above)
        yield self._field("value", part.value, "F.Fab", part, LayoutPoint(0.0, lower + 1.2))
        if footprint.outline:
            yield from self._box(footprint.body, "F.SilkS", LEAST_LINE, footprint.smd)
        yield from self._box(_courtyard(part), "F.CrtYd" if not _below(part) else "B.CrtYd", 0.05)
        yield from self._box(footprint.body, "F.Fab", 0.1)
        if footprint.mark is not None:
            x, y = footprint.mark
            yield (
                f"    (fp_circle (center {_num(x)} {_num(y)}) (end {_num(x + 0.2)} {_num(y)})"
                f' (layer "F.SilkS") (width {LEAST_LINE}) (fill none) {self._stamp()})'
            )
        for pad in footprint.pads:
            yield self._pad(part, pad)
        for x, y, diameter in footprint.holes:
            yield self._bare(x, y, diameter)
        yield "  )"

    def _screw(self, number: int, x: float, y: float, diameter: float) -> Iterator[str]:
        yield f'  (footprint "boardumpire:Screw" (layer "F.Cu") {self._stamp()}'
        yield f"    (at {self._at(x, y)})"
        yield "    (attr board_only exclude_from_pos_files exclude_from_bom)"
        yield from (
            f'    (fp_text {kind} {_text(text)} (at 0 0) (layer "F.Fab") {self._stamp()}'
            " (effects (font (size 1 1) (thickness 0.15))))"
            for kind, text in (("reference", f"H{number}"), ("value", f"{diameter:g} mm"))
        )
        half = HEAD_MM / 2
        yield from self._box((-half, -half, half, half), "F.CrtYd", 0.05)
        yield self._bare(0.0, 0.0, diameter)
        yield "  )"

    def _field(self, kind: str, text: str, layer: str, part: LayoutPart, spot: LayoutPoint) -> str:
        size = f"{LEAST_LETTER:g} {LEAST_LETTER:g}"
        turn = f" {part.turn}" if part.turn in (90, 270) else ""
        return (
            f"    (fp_text {kind} {_text(text)} (at {_num(spot.x)} {_num(spot.y)}{turn})"
            f" (layer {_text(layer)}) {self._stamp()}"
            f" (effects (font (size {size}) (thickness {LEAST_LINE}))))"
        )

    def _box(
        self, box: tuple[float, float, float, float], layer: str, width: float, sides: bool = False
    ) -> Iterator[str]:
        """Four lines; of a part whose pads stick out at both sides, the upper and lower one alone."""
        left, upper, right, lower = box
        corners = [(left, upper), (right, upper), (right, lower), (left, lower), (left, upper)]
        for number, (start, end) in enumerate(itertools.pairwise(corners)):
            if sides and number % 2:
                continue
            yield (
                f"    (fp_line (start {_num(start[0])} {_num(start[1])}) (end {_num(end[0])} {_num(end[1])})"
                f" (layer {_text(layer)}) (width {_num(width)}) {self._stamp()})"
            )

    def _pad(self, part: LayoutPart, pad: FootprintPad) -> str:
        net = part.nets.get(pad.name, "") or (schematic.unconnected(part.ref, pad.name) if part.drawn else "")
        turn = f" {part.turn}" if part.turn else ""
        if pad.drill:
            kind, shape = "thru_hole", "circle" if pad.round else "rect"
            layers = f' (drill {_num(pad.drill)}) (layers "*.Cu" "*.Mask")'
        else:
            side = pad.layer[0]
            kind, shape = "smd", "circle" if pad.disc else "rect"
            paste = f' "{side}.Paste"' if part.bought else ""
            layers = f' (layers "{side}.Cu"{paste} "{side}.Mask")'
        bare = f" (solder_mask_margin {_num(pad.bare)})" if pad.bare else ""
        joined = f" (net {self._nets[net]} {_text(net)})" if net else ""
        return (
            f"    (pad {_text(pad.name)} {kind} {shape} (at {_num(pad.x)} {_num(pad.y)}{turn})"
            f" (size {_num(pad.width)} {_num(pad.height)}){layers}{joined}{bare} {self._stamp()})"
        )

    def _bare(self, x: float, y: float, diameter: float) -> str:
        size = _num(diameter)
        return (
            f'    (pad "" np_thru_hole circle (at {_num(x)} {_num(y)}) (size {size} {size})'
            f' (drill {size}) (layers "*.Cu" "*.Mask") {self._stamp()})'
        )


def _below(part: LayoutPart) -> bool:
    return all(not pad.drill and pad.layer.startswith("B") for pad in part.footprint.pads)


def _courtyard(part: LayoutPart) -> tuple[float, float, float, float]:
    """The room that a part takes, pads and all."""
    if part.footprint.room is not None:
        return part.footprint.room
    pads, (left, upper, right, lower) = part.footprint.pads, part.footprint.body
    return (
        min(left, *(pad.x - pad.width / 2 for pad in pads)) - _MARGIN,
        min(upper, *(pad.y - pad.height / 2 for pad in pads)) - _MARGIN,
        max(right, *(pad.x + pad.width / 2 for pad in pads)) + _MARGIN,
        max(lower, *(pad.y + pad.height / 2 for pad in pads)) + _MARGIN,
    )
