"""A box for a board: the board is its lid, walls with finger joints hold it, the Pi is screwed to its floor.

All follows from the board file. The same shapes are written as a source for OpenSCAD, which shows the box
closed or taken apart, as outlines for a laser cutter, and as a cross-section with its measures. In mm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Final, NamedTuple

from boardmake.making.holes import drill_holes
from boardmake.making.spots import BoardNotPlanned
from boardmake.physics.leads import JOINT_MM, REED_SIZES, STRAIGHT_MIN_MM, USUAL_REED
from boardware.parts import BoardDescription, BoardPoint
from boardware.physics.design import DEFAULT_DESIGN
from boardware.physics.sensors import SensorKind

CLEARANCE_MM: Final = 0.5
"""Between the board and the walls."""
FLAT_MM: Final = 5.0
"""How far a sensor that lies flat, and its wires, reach below the board."""
AIR_MM: Final = 8.0
"""From what hangs lowest to the Pi's plugs."""
PI_MM: Final = 35.0
"""A Raspberry Pi on standoffs of 5 mm, with plugs on its header (estimate; 16 mm without, by its drawing)."""
PI_HOLES: Final = (58.0, 49.0)
PI_SIZE: Final = (85.0, 56.0)
"""Raspberry Pi 3 to 5, their mechanical drawings; holes of 2.7 mm."""
PI_AT: Final = 20.0
"""From the inner corner to the Pi."""
GLAND_MM: Final = 12.5
"""Hole of a cable gland PG7 or M12."""
GLANDS: Final = (40.0, 70.0)
"""From the outer corner to each: the supply's cable, and one more."""
FINGER_MM: Final = 12.0
BATTEN_MM, BATTEN_LEAST = 10.0, 30.0
"""Width and height of the battens that the board lies on, and how long one is at least."""
GAP_MM: Final = 4.0
"""Between two parts on the cutter's sheet."""
_COLOURS: Final = {
    "board": "#d8c49a",
    "wall": "#b98d5a",
    "sensor": "#b3202c",
    "pi": "#2b7a3d",
    "batten": "#8a6a45",
}

Ring = tuple[BoardPoint, ...]


class CutPart(NamedTuple):
    """A part of sheet: its outline and its holes, from its lower left corner."""

    name: str
    outline: Ring
    holes: tuple[tuple[float, float, float], ...] = ()
    """x, y, diameter of each."""


@dataclass(frozen=True)
class BoardBox:
    """The box of a board."""

    board: BoardDescription
    plate: float = 5.0
    """Thickness of the board with its face."""
    sheet: float = 4.0
    """Thickness of walls and floor."""
    kerf: float = 0.15
    """What the laser takes away: fingers are so much wider."""

    @property
    def hanging_depth_mm(self) -> float:
        """How far reeds and their wires reach below the upper side of the board."""
        design = self.board.sensor_design or DEFAULT_DESIGN
        if design.part.kind is not SensorKind.ON_END:
            return self.plate + FLAT_MM
        return design.gap_mm + REED_SIZES[USUAL_REED].glass_length + 2 * (STRAIGHT_MIN_MM + JOINT_MM)

    @property
    def depth_mm(self) -> float:
        """From the upper side of the board to the floor."""
        return float(ceil(self.hanging_depth_mm + AIR_MM + PI_MM))

    @property
    def inner_size_mm(self) -> BoardPoint:
        """Between the walls."""
        return BoardPoint(self.board.size.x + 2 * CLEARANCE_MM, self.board.size.y + 2 * CLEARANCE_MM)

    @property
    def outer_size_mm(self) -> BoardPoint:
        """Over all."""
        return BoardPoint(self.inner_size_mm.x + 2 * self.sheet, self.inner_size_mm.y + 2 * self.sheet)

    @property
    def wall_height_mm(self) -> float:
        """Of the walls: the floor lies between them."""
        return self.depth_mm + self.sheet

    def batten_positions(self) -> tuple[tuple[float, float, float, float], ...]:
        """Where the board lies on battens along the walls, clear of its holes: left, front, width, depth.

        Raises `BoardNotPlanned` where too little of the edge is free.
        """
        wide, long = self.inner_size_mm
        found = []
        for across, length, along in ((0, wide, 1), (1, long, 0)):
            for near in (True, False):
                far = (wide, long)[along]
                busy = sorted(
                    (
                        h.at[across] + CLEARANCE_MM - h.diameter / 2 - BATTEN_MM,
                        h.at[across] + CLEARANCE_MM + h.diameter / 2 + BATTEN_MM,
                    )
                    for h in drill_holes(self.board)
                    if (h.at[along] + CLEARANCE_MM if near else far - CLEARANCE_MM - h.at[along])
                    - h.diameter / 2
                    < BATTEN_MM + 1
                )
                start = 0.0 if across == 0 else BATTEN_MM  # those at the sides lie between the others
                for low, top in (*busy, (length - start, length)):
                    if low - start >= BATTEN_LEAST:
                        edge = 0.0 if near else far - BATTEN_MM
                        spot = (start, edge, low - start, BATTEN_MM)
                        found.append(spot if across == 0 else (spot[1], spot[0], spot[3], spot[2]))
                    start = max(start, top)
        if len({(x > 0, y > 0, w > d) for x, y, w, d in found}) < 3:
            raise BoardNotPlanned(
                f"{self.board.id}: holes along the whole edge; a box needs free places of 30 mm"
            )
        return tuple(found)

    def finger_joints(self, odd: bool) -> Iterator[tuple[float, float]]:
        """From where to where a wall reaches into a corner: the parts between are the other wall's."""
        count = max(3, int(self.wall_height_mm / FINGER_MM)) | 1
        for number in range(int(odd), count, 2):
            low, top = number * self.wall_height_mm / count, (number + 1) * self.wall_height_mm / count
            yield max(0.0, low - self.kerf / 2), min(self.wall_height_mm, top + self.kerf / 2)

    def wall_outline(
        self, name: str, length: float, odd: bool, *bored: tuple[float, float, float]
    ) -> CutPart:
        """One wall, with fingers at both ends."""
        steps: list[BoardPoint] = []
        before = 0.0
        for low, top in self.finger_joints(odd):
            if low > before:
                steps += [BoardPoint(self.sheet, before), BoardPoint(self.sheet, low)]
            steps += [BoardPoint(0.0, low), BoardPoint(0.0, top)]
            before = top
        if before < self.wall_height_mm:
            steps += [BoardPoint(self.sheet, before), BoardPoint(self.sheet, self.wall_height_mm)]
        right = [BoardPoint(length - x, y) for x, y in steps]
        return CutPart(name, tuple(right + steps[::-1]), bored)

    def cut_parts(self) -> tuple[CutPart, ...]:
        """All that is cut: four walls and the floor. Raises `BoardNotPlanned`."""
        wide, long = self.outer_size_mm
        glands = tuple((x, self.sheet + PI_MM / 2, GLAND_MM) for x in GLANDS)
        left, low = (PI_AT + (a - b) / 2 for a, b in zip(PI_SIZE, PI_HOLES, strict=True))
        pi = tuple((left + x, low + y, 2.7) for x in (0.0, PI_HOLES[0]) for y in (0.0, PI_HOLES[1]))
        inset = BATTEN_MM / 2
        x, y = self.inner_size_mm
        screws = tuple((at_x, at_y, 3.2) for at_x in (inset, x - inset) for at_y in (inset, y / 2, y - inset))
        floor = (BoardPoint(0, 0), BoardPoint(x, 0), BoardPoint(x, y), BoardPoint(0, y))
        return (
            self.wall_outline("front", wide, False),
            self.wall_outline("back", wide, False, *glands),
            self.wall_outline("left", long, True),
            self.wall_outline("right", long, True),
            CutPart("floor", floor, (*pi, *screws)),
        )


def laser_cut_svg(box: BoardBox) -> str:
    """Outlines for a laser cutter at true size, one part below the other: red lines are cut."""
    body, at = [], GAP_MM
    parts = box.cut_parts()
    across = max(max(x for x, _ in part.outline) for part in parts) + 2 * GAP_MM
    for part in parts:
        high = max(y for _, y in part.outline)
        points = " ".join(f"{x + GAP_MM:g},{high - y + at:g}" for x, y in part.outline)
        body.append(f'<g id="{part.name}"><polygon points="{points}"/>')
        body += [
            f'<circle cx="{x + GAP_MM:g}" cy="{high - y + at:g}" r="{d / 2:g}"/>' for x, y, d in part.holes
        ]
        body.append("</g>")
        at += high + GAP_MM
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across:g} {at:g}" width="{across:g}mm"'
        f' height="{at:g}mm" fill="none" stroke="#ff0000" stroke-width="0.1">'
    )
    title = f"<title>Box of {box.board.id}: sheet of {box.sheet:g} mm, kerf {box.kerf:g} mm</title>"
    return "\n".join([head, title, *body, "</svg>"]) + "\n"


def box_scad(box: BoardBox) -> str:
    """A source for OpenSCAD; `explode` takes the box apart."""
    front, back, left, right, floor = box.cut_parts()
    (wide, long), sheet = box.outer_size_mm, box.sheet
    under = box.depth_mm - box.plate
    lines = [
        f"// Box of {box.board.id}: made by `boardumpire make box`. Lengths in mm.",
        "explode = 0; // try 60",
        'part = "all"; // or front, back, left, right, floor, board, battens, frame',
        "$fn = 48;",
    ]
    for part in (front, back, left, right, floor):
        points = ", ".join(f"[{px:g}, {py:g}]" for px, py in part.outline)
        bored = " ".join(f"translate([{px:g}, {py:g}]) circle(d = {d:g});" for px, py, d in part.holes)
        lines.append(
            f"module {part.name}() {{ linear_extrude({sheet:g})"
            f" difference() {{ polygon([{points}]); {bored} }} }}"
        )
    laid = " ".join(
        f"translate([{left:g}, {low:g}, 0]) cube([{across:g}, {deep:g}, {BATTEN_MM:g}]);"
        for left, low, across, deep in box.batten_positions()
    )
    (x, y), thick = box.inner_size_mm, BATTEN_MM
    lines.append(f"module battens() {{ {laid} }}")
    lines.append(  # glued to the walls, for the floor's screws
        f"module frame() {{ difference() {{ cube([{x:g}, {y:g}, {thick:g}]);"
        f" translate([{thick:g}, {thick:g}, -1])"
        f" cube([{x - 2 * thick:g}, {y - 2 * thick:g}, {thick + 2:g}]); }} }}"
    )
    stood = {
        "front": f"translate([0, {sheet:g} - explode, 0]) rotate([90, 0, 0]) front();",
        "back": f"translate([0, {long:g} + explode, 0]) rotate([90, 0, 0]) back();",
        "left": "translate([-explode, 0, 0]) rotate([90, 0, 90]) left();",
        "right": f"translate([{wide - sheet:g} + explode, 0, 0]) rotate([90, 0, 90]) right();",
        "floor": f"translate([{sheet:g}, {sheet:g}, -explode]) floor();",
        "board": (
            f"translate([{sheet + CLEARANCE_MM:g}, {sheet + CLEARANCE_MM:g}, {sheet + under:g} + explode])"
            f" cube([{box.board.size.x:g}, {box.board.size.y:g}, {box.plate:g}]);"
        ),
        "battens": f"translate([{sheet:g}, {sheet:g}, {sheet + under - BATTEN_MM:g}]) battens();",
    }
    stood["frame"] = f"translate([{sheet:g}, {sheet:g}, {sheet:g}]) frame();"
    lines += [f'if (part == "all" || part == "{name}") {place}' for name, place in stood.items()]
    return "\n".join(lines) + "\n"


def box_parts(box: BoardBox) -> str:
    """All that a box takes beside its board, and how it is put together, as Markdown."""
    (wide, long), (x, y), sheet = box.outer_size_mm, box.inner_size_mm, box.sheet
    laid = sorted((max(across, deep) for _, _, across, deep in box.batten_positions()), reverse=True)
    floor = box.cut_parts()[-1]
    screws = sum(diameter > 3 for _, _, diameter in floor.holes)
    metres = (sum(laid) + 2 * (x + y)) / 1000
    rows = [
        (
            2,
            f"wall, sheet of {sheet:g} mm",
            f"{wide:g} x {box.wall_height_mm:g}",
            "front; back, with two holes",
        ),
        (2, f"wall, sheet of {sheet:g} mm", f"{long:g} x {box.wall_height_mm:g}", "left, right"),
        (1, f"floor, sheet of {sheet:g} mm", f"{x:g} x {y:g}", "lies between the walls"),
        (2, f"batten, {BATTEN_MM:g} x {BATTEN_MM:g}", f"{x:g}", "frame on the floor: front, back"),
        (2, f"batten, {BATTEN_MM:g} x {BATTEN_MM:g}", f"{y - 2 * BATTEN_MM:g}", "frame: left, right"),
        *(
            (laid.count(each), f"batten, {BATTEN_MM:g} x {BATTEN_MM:g}", f"{each:g}", "under the board")
            for each in dict.fromkeys(laid)
        ),
        (screws, "wood screw, countersunk", "3 x 12", "from below through the floor into the frame"),
        (4, "screw M2.5 with nut and a spacer of 5 mm", "M2.5 x 16", "the Raspberry Pi on the floor"),
        (2, f"cable gland for a hole of {GLAND_MM:g} mm", "M12 or PG7", "supply; network, or a pad's cable"),
        (4, "rubber foot, glued on", "", "below the corners of the floor"),
        (1, "ribbon", "100", "lifts the board"),
        (1, "wood glue; foam tape", "", "walls and battens; Pico and stripboard"),
    ]
    lines = [
        f"# Box of {box.board.id}",
        "",
        f"{wide:g} x {long:g} x {box.wall_height_mm:g} mm. In all {metres:.1f} m of batten. Lengths in mm.",
        "",
        "| count | part | size | for |",
        "|---:|---|---|---|",
        *(f"| {' | '.join(map(str, row))} |" for row in rows),
        "",
        "1. Glue the four walls together at their fingers, and the frame to them, its lower side"
        f" {sheet:g} mm above their lower edges.",
        "2. Glue the other battens to the walls where `box.scad` shows them, their upper sides"
        f" {box.plate:g} mm below the upper edges: so thick is the board with its face.",
        "3. Screw the Pi to the floor, at its four holes. A Pico, the level shifter and the fuses on their"
        " stripboard go beside it, on foam tape.",
        "4. Lead the supply's cable through a gland. Leave each wire from the board to the floor 20 cm.",
        "5. Screw the floor into the frame. The board lies on its battens, not glued: a ribbon below one edge"
        " lifts it.",
    ]
    return "\n".join(lines) + "\n"


def section_svg(box: BoardBox) -> str:
    """The box cut near its left edge, three times as large, with its measures."""
    sheet, batten, depth, high = box.sheet, BATTEN_MM, box.depth_mm, box.wall_height_mm
    shown = max(160.0, PI_AT + PI_SIZE[0] + 40)
    under = depth - box.plate
    rects = [
        ("wall", 0.0, 0.0, sheet, high),
        ("wall", sheet, 0.0, shown - sheet, sheet),
        ("batten", sheet, sheet + under - batten, batten, batten),
        ("batten", sheet, sheet, batten, batten),
        ("board", sheet + CLEARANCE_MM, sheet + under, shown - sheet - CLEARANCE_MM, box.plate),
        ("pi", sheet + PI_AT, sheet + 5, PI_SIZE[0], PI_MM - 5),
    ]
    first = min((h.at.x for h in drill_holes(box.board) if h.kind == "sensor"), default=20.0)
    top = high - (
        (box.board.sensor_design or DEFAULT_DESIGN).gap_mm
        if box.hanging_depth_mm > box.plate + FLAT_MM
        else box.plate
    )
    rects.append(
        (
            "sensor",
            sheet + CLEARANCE_MM + first - 1.2,
            high - box.hanging_depth_mm,
            2.4,
            top - (high - box.hanging_depth_mm),
        )
    )
    measures = (
        (f"{high:g} over all", shown + 4, 0.0, high),
        (f"{depth:g} inside", shown + 16, sheet, high),
        (f"{box.hanging_depth_mm:g} reeds and wires", shown + 28, high - box.hanging_depth_mm, high),
        (f"{PI_MM:g} Raspberry Pi", shown + 40, sheet, sheet + PI_MM),
    )
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -6 {shown + 60:g} {high + 12:g}"'
        f' width="{3 * (shown + 60):g}" height="{3 * (high + 12):g}" font-family="sans-serif" font-size="4">',
        f"<title>Box of {box.board.id}, cut through</title>",
    ]
    lines += [
        f'<rect x="{x:g}" y="{high - y - up:g}" width="{across:g}" height="{up:g}" fill="{_COLOURS[kind]}"/>'
        for kind, x, y, across, up in rects
    ]
    for text, x, low, top in measures:
        lines.append(f'<path d="M{x:g} {high - low:g}V{high - top:g}" stroke="#222222" stroke-width="0.4"/>')
        middle = high - (low + top) / 2
        lines.append(
            f'<text x="{x + 4:g}" y="{middle:g}" transform="rotate(-90 {x + 4:g} {middle:g})"'
            f' text-anchor="middle">{text}</text>'
        )
    return "\n".join([*lines, "</svg>"]) + "\n"
