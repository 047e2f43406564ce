"""A tile: squares in a grid, each with a reed, a diode, a lamp, a capacitor. It joins others on all sides.

Rows of squares count from 0 at the lower edge, as ranks do; columns from 0 at the left. The chain of lamps
runs to the right through even rows and to the left through odd ones, so that a board of tiles has the same
order as a board without: a tile has an even number of rows. Where the chain turns, at the left and right edge
of the whole board, a drop of solder joins two rows.

Each square is laid out alike, from its middle: the reed in the middle, the lamp in the upper right corner,
above and below it a bus of 5 V and ground, the wire of the row below, that of the column on the right and on
the other side of the board. Offsets here are upwards, as the board file's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from boardmake.circuit import footprints
from boardmake.circuit.layout import (
    BOTTOM_LAYER,
    TOP_LAYER,
    Footprint,
    Layout,
    LayoutPart,
    PrintedText,
    ScrewHole,
    rounded_point,
)

PITCH_MIN_MM, PITCH_MAX_MM = 38.0, 50.0
HOLE_INSET_MM: Final = 2.0
"""From the edge to the middle of its holes: the bit of wire between two tiles spans twice that."""
LETTER_INSET_MM: Final = 3.6
"""From the edge to the middle of a hole's name."""
FIDUCIAL: Final = (-15.0, -14.0)
"""From the middle of a square, where neither side has copper."""
LINK_INSET_MM: Final = 3.7
"""From the edge to what joins two rows of lamps."""
BUS_OFFSET_MM: Final = 3.6
"""From a lamp's middle to those of its two buses."""
ROW_OFFSET_MM: Final = -8.0
COLUMN_OFFSET_MM: Final = 8.0
GROUND_OFFSET_MM, POWER_OFFSET_MM = -11.0, -7.0
CAPACITOR_OFFSET_MM: Final = -6.5
"""From a lamp's middle."""
FLAT_NEAR_OFFSET_MM, FLAT_FAR_OFFSET_MM = (
    footprints.FLAT_NEAR_PAD_MM / 2**0.5,
    footprints.FLAT_FAR_PAD_MM / 2**0.5,
)
DIODE_OFFSET_MM: Final = (-footprints.ON_END_PAD_MM, -4.6)
SIGNAL_WIDTH_MM, BUS_WIDTH_MM, TRUNK_WIDTH_MM = 0.3, 1.5, 3.0
LAMP_OFFSET_SHARE: Final = 1 / 3
"""Of a square, from its middle to its lamp, as the printed face has it (`making.holes`) ..."""
LAMP_TOP_GAP_MM: Final = 7.5
"""... but not nearer to the upper edge than this."""

REED_REF, LAMP_REF, DIODE_REF, CAPACITOR_REF = "S", "L", "D", "C"
PART_VALUES: Final = {REED_REF: "reed", LAMP_REF: "WS2812B", DIODE_REF: "1N4148W", CAPACITOR_REF: "100 nF"}
"""What the parts of a square are."""


class TilePlan(NamedTuple):
    """Which tile."""

    columns: int = 4
    rows: int = 4
    pitch: float = 45.0
    """From square to square, in mm."""

    @property
    def name(self) -> str:
        """Of its files."""
        return f"tile-{self.columns}x{self.rows}-{self.pitch:g}mm"

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return self.columns * self.pitch, self.rows * self.pitch


def lamp_offset(pitch: float) -> tuple[float, float]:
    """Where the lamp of a square lies from its middle: to the right and upwards."""
    return round(pitch * LAMP_OFFSET_SHARE, 3), round(
        min(pitch * LAMP_OFFSET_SHARE, pitch / 2 - LAMP_TOP_GAP_MM), 3
    )


def part_reference(kind: str, column: int, row: int) -> str:
    """The name of a part of a square: `S23` is the reed in the second column of the third row."""
    return f"{kind}{column + 1}{row + 1}"


def tile_layout(plan: TilePlan) -> Layout:
    """The tile. Raises `ValueError` for one that can't be made."""
    if not PITCH_MIN_MM <= plan.pitch <= PITCH_MAX_MM:
        raise ValueError(f"squares of {plan.pitch:g} mm; try {PITCH_MIN_MM:g} to {PITCH_MAX_MM:g}")
    if plan.rows % 2 or not 2 <= plan.rows <= 8 or not 2 <= plan.columns <= 8:
        raise ValueError(f"a tile of {plan.columns} x {plan.rows}; try 2 to 8 columns and 2, 4, 6 or 8 rows")
    board = Layout(plan.name, f"Boardumpire {plan.columns} x {plan.rows}, {plan.pitch:g} mm", *plan.size)
    maker = _TileBuilder(plan, board)
    for row in range(plan.rows):
        for column in range(plan.columns):
            maker.add_square(column, row)
    maker.add_rows()
    maker.add_columns()
    maker.add_chain_turns()
    maker.add_screws()
    maker.fiducials()
    return board


class _TileBuilder:
    """One in the making."""

    def __init__(self, plan: TilePlan, board: Layout) -> None:
        self.plan = plan
        self.board = board
        self.lamp = lamp_offset(plan.pitch)

    def square_point(self, column: int, row: int, dx: float = 0.0, dy: float = 0.0) -> tuple[float, float]:
        """A place by its offset from the middle of a square."""
        pitch = self.plan.pitch
        return (column + 0.5) * pitch + dx, (self.plan.rows - row - 0.5) * pitch - dy

    def add_part(
        self, ref: str, value: str, footprint: Footprint, spot: tuple[float, float], turn: int,
        nets: dict[str, str], *, bought: bool = True,
    ) -> None:  # fmt: skip
        x, y = rounded_point(*spot)
        self.board.parts.append(LayoutPart(ref, value, footprint, x, y, nets, turn, is_bought=bought))

    def add_track(
        self, net: str, layer: str, width: float, square: tuple[int, int], *offsets: tuple[float, float]
    ) -> None:
        self.board.add_track(net, layer, width, *(self.square_point(*square, *offset) for offset in offsets))

    # -- a square ------------------------------------------------------------------------------------------

    def add_square(self, column: int, row: int) -> None:
        """What is soldered there, and the short tracks between."""
        self._add_reed(column, row)
        self._add_lamp(column, row)
        spot = self.square_point(column, row, 10.0, 3.0)
        self.board.texts.append(PrintedText(f"{column + 1}{row + 1}", rounded_point(*spot), 1.5))

    def _add_reed(self, column: int, row: int) -> None:
        square, felt, wire = (column, row), f"REED{column + 1}{row + 1}", f"COL{column + 1}"
        self.add_part(
            part_reference(REED_REF, *square),
            PART_VALUES[REED_REF],
            footprints.reed(),
            self.square_point(*square),
            0,
            {"1": felt, "2": wire, "3": felt, "4": wire},
        )
        self.add_part(
            part_reference(DIODE_REF, *square), PART_VALUES[DIODE_REF], footprints.diode_smd(),
            self.square_point(*square, *DIODE_OFFSET_MM), 270, {"1": felt, "2": f"ROW{row + 1}"},
        )  # fmt: skip
        end, near, far = footprints.ON_END_PAD_MM, FLAT_NEAR_OFFSET_MM, FLAT_FAR_OFFSET_MM
        cathode, anode = DIODE_OFFSET_MM[1] + 1.65, DIODE_OFFSET_MM[1] - 1.65
        self.add_track(felt, TOP_LAYER, SIGNAL_WIDTH_MM, square, (-end, cathode), (-end, 0), (near, -near))
        self.add_track(
            f"ROW{row + 1}", TOP_LAYER, SIGNAL_WIDTH_MM, square, (-end, anode), (-end, ROW_OFFSET_MM)
        )
        self.add_track(wire, BOTTOM_LAYER, SIGNAL_WIDTH_MM, square, (end, 0), (COLUMN_OFFSET_MM, 0))
        self.add_track(wire, BOTTOM_LAYER, SIGNAL_WIDTH_MM, square, (far, -far), (COLUMN_OFFSET_MM, -far))

    def _add_lamp(self, column: int, row: int) -> None:
        square, (x, y) = (column, row), self.lamp
        way = 1 if row % 2 == 0 else -1
        before, behind = self.data_net(row, column), self.data_net(row, column + 1)
        din, dout = (before, behind) if way > 0 else (behind, before)
        self.add_part(
            part_reference(LAMP_REF, *square),
            PART_VALUES[LAMP_REF],
            footprints.lamp(),
            self.square_point(*square, x, y),
            180 if way > 0 else 0,
            {"1": "+5V", "2": dout, "3": "GND", "4": din},
        )
        self.add_track(
            "+5V",
            TOP_LAYER,
            0.5,
            square,
            (x + 2.45 * way, y - 1.6 * way),
            (x + 2.45 * way, y - BUS_OFFSET_MM * way),
        )
        self.add_track(
            "GND",
            TOP_LAYER,
            0.5,
            square,
            (x - 2.45 * way, y + 1.6 * way),
            (x - 2.45 * way, y + BUS_OFFSET_MM * way),
        )
        for side in (
            -1,
            1,
        ):  # to the left and to the right: from the pad to the middle line between the buses
            net, level = (before if side < 0 else behind), y + 1.6 * side
            self.add_track(
                net,
                TOP_LAYER,
                SIGNAL_WIDTH_MM,
                square,
                (x + 2.45 * side, level),
                (x + 4.0 * side, level),
                (x + 4.0 * side, y),
            )
        upper, lower = ("GND", "+5V") if way > 0 else ("+5V", "GND")
        spot = self.square_point(*square, x + CAPACITOR_OFFSET_MM, y)
        nets = {"1": upper, "2": lower}
        self.add_part(
            part_reference(CAPACITOR_REF, *square),
            PART_VALUES[CAPACITOR_REF],
            footprints.capacitor_smd(),
            spot,
            0,
            nets,
        )
        for net, sign in ((upper, 1), (lower, -1)):
            self.add_track(
                net,
                TOP_LAYER,
                0.5,
                square,
                (x + CAPACITOR_OFFSET_MM, y + sign),
                (x + CAPACITOR_OFFSET_MM, y + BUS_OFFSET_MM * sign),
            )

    # -- what runs through ---------------------------------------------------------------------------------

    def data_net(self, row: int, place: int) -> str:
        """The net of lamp data left of a square, counted from 0; the last one leaves at the right."""
        return f"DATA{row + 1}-{place}"

    def row_points(self, row: int, dy: float, *offsets: float) -> list[tuple[float, float]]:
        """Points at one height from the left holes to the right ones, through these in each square."""
        columns, half = self.plan.columns, self.plan.pitch / 2
        between = [
            self.square_point(column, row, dx, dy) for column in range(columns) for dx in sorted(offsets)
        ]
        first = self.square_point(0, row, HOLE_INSET_MM - half, dy)
        return [first, *between, self.square_point(columns - 1, row, half - HOLE_INSET_MM, dy)]

    def add_rows(self) -> None:
        """Rows, buses and lamp data, from edge to edge."""
        half, (x, y) = self.plan.pitch / 2, self.lamp
        for row in range(self.plan.rows):
            upper, lower = ("GND", "+5V") if row % 2 == 0 else ("+5V", "GND")
            self.board.add_track(
                f"ROW{row + 1}",
                TOP_LAYER,
                SIGNAL_WIDTH_MM,
                *self.row_points(row, ROW_OFFSET_MM, -footprints.ON_END_PAD_MM),
            )
            for net, sign in ((upper, 1), (lower, -1)):
                trunk = GROUND_OFFSET_MM if net == "GND" else POWER_OFFSET_MM
                lamp = 2.45 * (1 if (net == "+5V") == (row % 2 == 0) else -1)
                offsets = (trunk - 0.7, trunk + 0.7, x + CAPACITOR_OFFSET_MM, x + lamp)
                self.board.add_track(
                    net, TOP_LAYER, BUS_WIDTH_MM, *self.row_points(row, y + BUS_OFFSET_MM * sign, *offsets)
                )
                for column in range(self.plan.columns):
                    for dx in (-0.7, 0.7):
                        self.board.add_via(
                            net,
                            *self.square_point(column, row, trunk + dx, y + BUS_OFFSET_MM * sign),
                            0.8,
                            0.4,
                        )
            self._add_data_row(row)
            for side, place in (("W", 0), ("E", self.plan.columns)):
                edge = HOLE_INSET_MM - half if side == "W" else half - HOLE_INSET_MM
                column = 0 if side == "W" else self.plan.columns - 1
                heights = {"R": ROW_OFFSET_MM, "D": y, "V" if lower == "+5V" else "G": y - BUS_OFFSET_MM}
                heights["G" if upper == "GND" else "V"] = y + BUS_OFFSET_MM
                nets = {"R": f"ROW{row + 1}", "D": self.data_net(row, place), "V": "+5V", "G": "GND"}
                hole = {name: (0.0, -dy) for name, dy in sorted(heights.items())}
                spot = self.square_point(column, row, edge, 0.0)
                footprint = footprints.edge_holes(f"Edge-{side}{'even' if row % 2 == 0 else 'odd'}", hole)
                self.add_part(f"{side}{row + 1}", "edge", footprint, spot, 0, nets, bought=False)
                self._print_group_name(f"{side}{row + 1}", self.square_point(column, row, edge, 0.0))
                beside = LETTER_INSET_MM - half if side == "W" else half - LETTER_INSET_MM
                for name, dy in heights.items():
                    self._print_hole_name(name, self.square_point(column, row, beside, dy))

    def _add_data_row(self, row: int) -> None:
        half, (x, y) = self.plan.pitch / 2, self.lamp
        last = self.plan.columns - 1
        for place in range(self.plan.columns + 1):
            start, end = (
                self.square_point(0, row, HOLE_INSET_MM - half, y),
                self.square_point(last, row, half - HOLE_INSET_MM, y),
            )
            if place:
                start = self.square_point(place - 1, row, x + 4.0, y)
            if place <= last:
                end = self.square_point(place, row, x - 4.0, y)
            self.board.add_track(self.data_net(row, place), TOP_LAYER, SIGNAL_WIDTH_MM, start, end)

    def add_columns(self) -> None:
        """Columns and the trunks of 5 V and ground, from the lower edge to the upper one."""
        top, half, y = self.plan.rows - 1, self.plan.pitch / 2, self.lamp[1]
        for column in range(self.plan.columns):
            ends = [(0, HOLE_INSET_MM - half), (top, half - HOLE_INSET_MM)]
            stubs = [(row, dy) for row in range(top + 1) for dy in (-FLAT_FAR_OFFSET_MM, 0.0)]
            self._add_vertical_track(
                f"COL{column + 1}", SIGNAL_WIDTH_MM, column, COLUMN_OFFSET_MM, [ends[0], *stubs, ends[1]]
            )
            for net, dx in (("GND", GROUND_OFFSET_MM), ("+5V", POWER_OFFSET_MM)):
                buses = [
                    (row, y + BUS_OFFSET_MM * (1 if (net == "GND") == (row % 2 == 0) else -1))
                    for row in range(top + 1)
                ]
                self._add_vertical_track(net, TRUNK_WIDTH_MM, column, dx, [ends[0], *buses, ends[1]])
            for side, row in (("N", top), ("S", 0)):
                holes = {
                    "C": (COLUMN_OFFSET_MM, 0.0),
                    "V": (POWER_OFFSET_MM, 0.0),
                    "G": (GROUND_OFFSET_MM, 0.0),
                }
                nets = {"C": f"COL{column + 1}", "V": "+5V", "G": "GND"}
                if column == 0:
                    holes["D"] = (LINK_INSET_MM - half, 0.0)
                    nets["D"] = self.data_net(row, 0)
                footprint = footprints.edge_holes(f"Edge-{side}{column + 1}", holes)
                spot = self.square_point(
                    column, row, 0.0, half - HOLE_INSET_MM if side == "N" else HOLE_INSET_MM - half
                )
                self.add_part(f"{side}{column + 1}", "edge", footprint, spot, 0, nets, bought=False)
                self._print_group_name(f"{side}{column + 1}", spot)
                above = half - LETTER_INSET_MM if side == "N" else LETTER_INSET_MM - half
                for name, (dx, _) in holes.items():
                    if name != "D":
                        self._print_hole_name(name, self.square_point(column, row, dx, above))
                    else:  # above and below it are names of the holes at the left edge
                        self._print_hole_name(name, (spot[0] + dx + 1.8, spot[1]))

    def _print_hole_name(self, name: str, spot: tuple[float, float]) -> None:
        """Print the name of a hole beside it."""
        self.board.texts.append(PrintedText(name, rounded_point(*spot)))

    def _print_group_name(self, name: str, spot: tuple[float, float]) -> None:
        """Print the name of a group of holes, as the list of wires has it."""
        self.board.texts.append(PrintedText(name, rounded_point(*spot)))

    def _add_vertical_track(
        self, net: str, width: float, column: int, dx: float, heights: list[tuple[int, float]]
    ) -> None:
        self.board.add_track(
            net, BOTTOM_LAYER, width, *(self.square_point(column, row, dx, dy) for row, dy in heights)
        )

    # -- where the chain turns -----------------------------------------------------------------------------

    def add_chain_turns(self) -> None:
        """Jumpers between rows at the left and right edge, and the ways to the tiles above and below."""
        half, last, top, y = self.plan.pitch / 2, self.plan.columns - 1, self.plan.rows - 1, self.lamp[1]
        for row in range(top):
            right = row % 2 == 0
            column, sign = (last, 1) if right else (0, -1)
            place = self.plan.columns if right else 0
            edge, link = sign * (half - HOLE_INSET_MM), sign * (half - LINK_INSET_MM)
            spot = self.square_point(column, row, link, half)
            nets = {"1": self.data_net(row + 1, place), "2": self.data_net(row, place)}
            name = f"{'JE' if right else 'JW'}{row + 1}{row + 2}"
            self.add_part(name, "jumper", footprints.jumper(), spot, 0, nets, bought=False)
            square = (column, row)
            self.add_track(
                nets["2"], BOTTOM_LAYER, SIGNAL_WIDTH_MM, square, (edge, y), (link, y), (link, half - 1.0)
            )
            square = (column, row + 1)
            self.add_track(
                nets["1"], BOTTOM_LAYER, SIGNAL_WIDTH_MM, square, (edge, y), (link, y), (link, 1.0 - half)
            )
        link, edge = LINK_INSET_MM - half, HOLE_INSET_MM - half
        self.add_track(
            self.data_net(top, 0),
            BOTTOM_LAYER,
            SIGNAL_WIDTH_MM,
            (0, top),
            (edge, y),
            (link, y),
            (link, half - HOLE_INSET_MM),
        )
        self.add_track(
            self.data_net(0, 0),
            BOTTOM_LAYER,
            SIGNAL_WIDTH_MM,
            (0, 0),
            (edge, y),
            (link, y),
            (link, HOLE_INSET_MM - half),
        )

    def fiducials(self) -> None:
        """Three in an angle: so a tile that is turned is noticed."""
        spots = ((0, 0), (self.plan.columns - 1, 0), (0, self.plan.rows - 1))
        for number, square in enumerate(spots, 1):
            x, y = rounded_point(*self.square_point(*square, *FIDUCIAL))
            self.board.parts.append(
                LayoutPart(
                    f"FID{number}", "fiducial", footprints.fiducial(), x, y, {}, is_bought=False, drawn=False
                )
            )

    def add_screws(self) -> None:
        """Holes for screws of 3 mm, where four squares meet."""
        columns, rows, pitch = *self.plan[:2], self.plan.pitch
        for column, row in sorted(_screw_corners(columns, rows)):
            self.board.holes.append(ScrewHole(rounded_point(column * pitch, row * pitch), 3.2))
        self.board.texts.append(
            PrintedText(self.board.title, rounded_point(*self.square_point(1, 0, -2.0, -12.0)))
        )


def _screw_corners(columns: int, rows: int) -> Iterator[tuple[int, int]]:
    yield from {(column, row) for column in (1, columns - 1) for row in (1, rows - 1)}
