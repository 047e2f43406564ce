"""Circuit boards as files of KiCad 6: the board, and the project with the rules it has to keep."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from boardmake.circuit import panel, schematic
from boardmake.circuit.layout import (
    DRILL_MIN_MM,
    EDGE_GAP_MM,
    GAP_MIN_MM,
    HEAD_MM,
    LEAST_LETTER,
    LEAST_LINE,
    RING_WIDTH_MIN_MM,
    SILK_GAP,
    TRACK_WIDTH_MIN_MM,
    FootprintPad,
    Layout,
    LayoutPart,
    LayoutPoint,
    PrintedText,
)

GENERATED: Final = "(generator boardumpire)"
"""In the first line of what no other program has saved since."""
SHEET_ORIGIN_MM: Final = (20.0, 20.0)
"""Where the upper left corner lies on the sheet, in mm."""
_KICAD_LAYERS: Final = (
    *((0, "F.Cu", "signal"), (31, "B.Cu", "signal"), (34, "B.Paste", "user"), (35, "F.Paste", "user")),
    *((36, "B.SilkS", "user"), (37, "F.SilkS", "user"), (38, "B.Mask", "user"), (39, "F.Mask", "user")),
    *((41, panel.SCORE_LAYER, "user"), (44, "Edge.Cuts", "user")),
    *((46, "B.CrtYd", "user"), (47, "F.CrtYd", "user")),
    *((48, "B.Fab", "user"), (49, "F.Fab", "user")),
)
_COURTYARD_MARGIN_MM: Final = 0.25


def kicad_board(layout: Layout) -> str:
    """The text of a `.kicad_pcb`."""
    return "\n".join(_BoardWriter(layout).board_lines()) + "\n"


def kicad_project(layout: Layout) -> str:
    """The text of a `.kicad_pro`: the design rules."""
    rules = {
        "min_clearance": GAP_MIN_MM,
        "min_copper_edge_clearance": EDGE_GAP_MM,
        "min_hole_clearance": GAP_MIN_MM,
        "min_hole_to_hole": 0.5,
        "min_through_hole_diameter": DRILL_MIN_MM,
        "min_track_width": TRACK_WIDTH_MIN_MM,
        "min_via_annular_width": RING_WIDTH_MIN_MM,
        "min_via_diameter": 0.6,
        "min_silk_clearance": SILK_GAP,
        "solder_mask_clearance": 0.05,
        "solder_mask_min_width": 0.1,
    }
    net_class = {
        "name": "Default",
        "clearance": GAP_MIN_MM,
        "track_width": TRACK_WIDTH_MIN_MM,
        "via_diameter": 0.7,
        "via_drill": 0.35,
    }
    # Parts are drawn by ourselves: there is no library to compare them with.
    severities = {"lib_footprint_issues": "ignore", "missing_courtyard": "error"}
    electrical = {"lib_symbol_issues": "ignore", "footprint_link_issues": "ignore"}
    return json.dumps(
        {
            "erc": {"rule_severities": electrical},
            "board": {"design_settings": {"rules": rules, "rule_severities": severities}},
            "meta": {"filename": f"{layout.name}.kicad_pro", "version": 1},
            "net_settings": {"classes": [net_class], "meta": {"version": 2}},
        },
        indent=2,
    ) + "\n"  # fmt: skip


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _number_text(value: float) -> str:
    return f"{round(value, 4) + 0.0:g}"


class _BoardWriter:
    """One board on its way into text."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        lone = [
            schematic.no_connect_net(part, pad.name)
            for part in layout.parts
            if part.drawn
            for pad in part.footprint.pads
            if not part.nets.get(pad.name)
        ]
        self._nets = {"": 0, **{net: number for number, net in enumerate((*layout.net_names(), *lone), 1)}}
        self._count = 0

    def _next_timestamp(self) -> str:
        """Names what has no other name; the same board has the same ones."""
        self._count += 1
        return f"(tstamp {uuid5(NAMESPACE_URL, f'boardumpire {self._layout.name} {self._count}')})"

    def _sheet_position(self, x: float, y: float) -> str:
        return f"{_number_text(x + SHEET_ORIGIN_MM[0])} {_number_text(y + SHEET_ORIGIN_MM[1])}"

    def board_lines(self) -> Iterator[str]:
        """The file."""
        yield f"(kicad_pcb (version 20211014) {GENERATED}"
        yield "  (general (thickness 1.6))"
        yield '  (paper "A3")'
        yield f"  (title_block (title {_quoted(self._layout.title)}))"
        yield "  (layers"
        for number, name, kind in _KICAD_LAYERS:
            yield f"    ({number} {_quoted(name)} {kind})"
        yield "  )"
        yield (
            "  (setup (pad_to_mask_clearance 0.05) (aux_axis_origin"
            f" {self._sheet_position(0, self._layout.height)}))"
        )
        for net, number in self._nets.items():
            yield f"  (net {number} {_quoted(net)})"
        for part in self._layout.parts:
            yield from self._part_lines(part)
        for number, hole in enumerate(self._layout.holes, 1):
            yield from self._screw_lines(number, hole.at.x, hole.at.y, hole.diameter)
        yield from self._outline_lines()
        for words in self._layout.texts:
            yield self._text_line(words)
        for track in self._layout.tracks:
            yield (
                f"  (segment (start {self._sheet_position(*track.start)}) (end"
                f" {self._sheet_position(*track.end)})"
                f" (width {_number_text(track.width)}) (layer {_quoted(track.layer)})"
                f" (net {self._nets[track.net]}) {self._next_timestamp()})"
            )
        for via in self._layout.vias:
            yield (
                f"  (via (at {self._sheet_position(*via.at)}) (size {_number_text(via.size)}) (drill"
                f" {_number_text(via.drill)})"
                f' (layers "F.Cu" "B.Cu") (net {self._nets[via.net]}) {self._next_timestamp()})'
            )
        yield ")"

    def _outline_lines(self) -> Iterator[str]:
        width, height = self._layout.width, self._layout.height
        corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height), (0.0, 0.0)]
        lines = [(*ends, "Edge.Cuts") for ends in itertools.pairwise(corners)]
        lines += [((0.0, y), (width, y), panel.SCORE_LAYER) for y in self._layout.scores]
        for start, end, layer in lines:
            yield (
                f"  (gr_line (start {self._sheet_position(*start)}) (end {self._sheet_position(*end)})"
                f' (layer "{layer}") (width 0.1) {self._next_timestamp()})'
            )

    def _text_line(self, words: PrintedText) -> str:
        mirror = " (justify mirror)" if words.layer.startswith("B") else ""
        size = _number_text(words.size)
        return (
            f"  (gr_text {_quoted(words.text)} (at {self._sheet_position(*words.at)}) (layer"
            f" {_quoted(words.layer)})"
            f" {self._next_timestamp()} (effects (font (size {size} {size}) (thickness"
            f" {LEAST_LINE})){mirror}))"
        )

    def _part_lines(self, part: LayoutPart) -> Iterator[str]:
        footprint = part.footprint
        turn = f" {part.turn}" if part.turn else ""
        yield (
            f'  (footprint {_quoted("boardumpire:" + footprint.name)} (layer "F.Cu") {self._next_timestamp()}'
        )
        yield f"    (at {self._sheet_position(part.x, part.y)}{turn})"
        yield f"    (descr {_quoted(footprint.description)})"
        kind = "smd" if footprint.is_smd else "through_hole"
        left_out = (
            " exclude_from_pos_files exclude_from_bom" if not part.is_bought or not part.is_fitted else ""
        )
        yield f"    (attr {kind}{'' if part.drawn else ' board_only'}{left_out})"
        if part.drawn:
            yield f'    (path "/{schematic.part_uuid(self._layout, part.ref)}")'
        _left, upper, _right, lower = footprint.body
        above = footprint.label_position or LayoutPoint(
            0.0, 0.0 if footprint.is_label_inside else upper - 1.2
        )
        printed = footprint.has_outline or footprint.label_position is not None
        yield self._field_line("reference", part.ref, "F.SilkS" if printed else "F.Fab", part, above)
        yield self._field_line("value", part.value, "F.Fab", part, LayoutPoint(0.0, lower + 1.2))
        if footprint.has_outline:
            yield from self._box_lines(footprint.body, "F.SilkS", LEAST_LINE, footprint.is_smd)
        yield from self._box_lines(_courtyard(part), "F.CrtYd" if not _is_below(part) else "B.CrtYd", 0.05)
        yield from self._box_lines(footprint.body, "F.Fab", 0.1)
        if footprint.orientation_mark is not None:
            x, y = footprint.orientation_mark
            yield (
                f"    (fp_circle (center {_number_text(x)} {_number_text(y)}) (end {_number_text(x + 0.2)}"
                f" {_number_text(y)})"
                f' (layer "F.SilkS") (width {LEAST_LINE}) (fill none) {self._next_timestamp()})'
            )
        for pad in footprint.pads:
            yield self._pad_line(part, pad)
        for x, y, diameter in footprint.holes:
            yield self._bare_hole_line(x, y, diameter)
        yield "  )"

    def _screw_lines(self, number: int, x: float, y: float, diameter: float) -> Iterator[str]:
        yield f'  (footprint "boardumpire:Screw" (layer "F.Cu") {self._next_timestamp()}'
        yield f"    (at {self._sheet_position(x, y)})"
        yield "    (attr board_only exclude_from_pos_files exclude_from_bom)"
        yield from (
            f'    (fp_text {kind} {_quoted(text)} (at 0 0) (layer "F.Fab") {self._next_timestamp()}'
            " (effects (font (size 1 1) (thickness 0.15))))"
            for kind, text in (("reference", f"H{number}"), ("value", f"{diameter:g} mm"))
        )
        half = HEAD_MM / 2
        yield from self._box_lines((-half, -half, half, half), "F.CrtYd", 0.05)
        yield self._bare_hole_line(0.0, 0.0, diameter)
        yield "  )"

    def _field_line(self, kind: str, text: str, layer: str, part: LayoutPart, spot: LayoutPoint) -> str:
        size = f"{LEAST_LETTER:g} {LEAST_LETTER:g}"
        turn = f" {part.turn}" if part.turn in (90, 270) else ""
        return (
            f"    (fp_text {kind} {_quoted(text)} (at {_number_text(spot.x)} {_number_text(spot.y)}{turn})"
            f" (layer {_quoted(layer)}) {self._next_timestamp()}"
            f" (effects (font (size {size}) (thickness {LEAST_LINE}))))"
        )

    def _box_lines(
        self, box: tuple[float, float, float, float], layer: str, width: float, sides: bool = False
    ) -> Iterator[str]:
        """Four lines; of a part whose pads stick out at both sides, the upper and lower one alone."""
        left, upper, right, lower = box
        corners = [(left, upper), (right, upper), (right, lower), (left, lower), (left, upper)]
        for number, (start, end) in enumerate(itertools.pairwise(corners)):
            if sides and number % 2:
                continue
            yield (
                f"    (fp_line (start {_number_text(start[0])} {_number_text(start[1])}) (end"
                f" {_number_text(end[0])} {_number_text(end[1])})"
                f" (layer {_quoted(layer)}) (width {_number_text(width)}) {self._next_timestamp()})"
            )

    def _pad_line(self, part: LayoutPart, pad: FootprintPad) -> str:
        net = part.nets.get(pad.name, "") or (schematic.no_connect_net(part, pad.name) if part.drawn else "")
        turn = f" {part.turn}" if part.turn else ""
        if pad.drill:
            kind, shape = "thru_hole", "circle" if pad.is_round else "rect"
            layers = f' (drill {_number_text(pad.drill)}) (layers "*.Cu" "*.Mask")'
        else:
            side = pad.layer[0]
            kind, shape = "smd", "circle" if pad.disc else "rect"
            paste = f' "{side}.Paste"' if part.is_bought else ""
            layers = f' (layers "{side}.Cu"{paste} "{side}.Mask")'
        bare = f" (solder_mask_margin {_number_text(pad.bare)})" if pad.bare else ""
        joined = f" (net {self._nets[net]} {_quoted(net)})" if net else ""
        return (
            f"    (pad {_quoted(pad.name)} {kind} {shape} (at {_number_text(pad.x)}"
            f" {_number_text(pad.y)}{turn})"
            f" (size {_number_text(pad.width)} {_number_text(pad.height)}){layers}{joined}{bare}"
            f" {self._next_timestamp()})"
        )

    def _bare_hole_line(self, x: float, y: float, diameter: float) -> str:
        size = _number_text(diameter)
        return (
            f'    (pad "" np_thru_hole circle (at {_number_text(x)} {_number_text(y)}) (size {size} {size})'
            f' (drill {size}) (layers "*.Cu" "*.Mask") {self._next_timestamp()})'
        )


def _is_below(part: LayoutPart) -> bool:
    return all(not pad.drill and pad.layer.startswith("B") for pad in part.footprint.pads)


def _courtyard(part: LayoutPart) -> tuple[float, float, float, float]:
    """The room that a part takes, pads and all."""
    if part.footprint.courtyard is not None:
        return part.footprint.courtyard
    pads, (left, upper, right, lower) = part.footprint.pads, part.footprint.body
    return (
        min(left, *(pad.x - pad.width / 2 for pad in pads)) - _COURTYARD_MARGIN_MM,
        min(upper, *(pad.y - pad.height / 2 for pad in pads)) - _COURTYARD_MARGIN_MM,
        max(right, *(pad.x + pad.width / 2 for pad in pads)) + _COURTYARD_MARGIN_MM,
        max(lower, *(pad.y + pad.height / 2 for pad in pads)) + _COURTYARD_MARGIN_MM,
    )
