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
from boardmake.circuit.layout import BOTTOM, TOP, Footprint, Layout, LayoutPart, PrintedText, ScrewHole, at

LEAST_PITCH, MOST_PITCH = 38.0, 50.0
EDGE_IN: Final = 2.0
"""From the edge to the middle of its holes: the bit of wire between two tiles spans twice that."""
LETTER_IN: Final = 3.6
"""From the edge to the middle of a hole's name."""
FIDUCIAL: Final = (-15.0, -14.0)
"""From the middle of a square, where neither side has copper."""
LINK_IN: Final = 3.7
"""From the edge to what joins two rows of lamps."""
BUS: Final = 3.6
"""From a lamp's middle to those of its two buses."""
ROW_AT: Final = -8.0
COLUMN_AT: Final = 8.0
GROUND_AT, POWER_AT = -11.0, -7.0
CAPACITOR_AT: Final = -6.5
"""From a lamp's middle."""
FLAT_NEAR, FLAT_FAR = footprints.FLAT_NEAR_MM / 2**0.5, footprints.FLAT_FAR_MM / 2**0.5
DIODE: Final = (-footprints.ON_END_MM, -4.6)
SIGNAL, BUS_WIDTH, TRUNK_WIDTH = 0.3, 1.5, 3.0
LAMP_SHARE: Final = 1 / 3
"""Of a square, from its middle to its lamp, as the printed face has it (`making.holes`) ..."""
LAMP_FROM_TOP: Final = 7.5
"""... but not nearer to the upper edge than this."""

REED, LAMP, DIODE_REF, CAPACITOR = "S", "L", "D", "C"
VALUES: Final = {REED: "reed", LAMP: "WS2812B", DIODE_REF: "1N4148W", CAPACITOR: "100 nF"}
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
    return round(pitch * LAMP_SHARE, 3), round(min(pitch * LAMP_SHARE, pitch / 2 - LAMP_FROM_TOP), 3)


def ref(kind: str, column: int, row: int) -> str:
    """The name of a part of a square: `S23` is the reed in the second column of the third row."""
    return f"{kind}{column + 1}{row + 1}"


def layout(plan: TilePlan) -> Layout:
    """The tile. Raises `ValueError` for one that can't be made."""
    if not LEAST_PITCH <= plan.pitch <= MOST_PITCH:
        raise ValueError(f"squares of {plan.pitch:g} mm; expected {LEAST_PITCH:g} to {MOST_PITCH:g}")
    if plan.rows % 2 or not 2 <= plan.rows <= 8 or not 2 <= plan.columns <= 8:
        raise ValueError(
            f"a tile of {plan.columns} x {plan.rows}; expected 2 to 8 columns and 2, 4, 6 or 8 rows"
        )
    board = Layout(plan.name, f"Boardumpire {plan.columns} x {plan.rows}, {plan.pitch:g} mm", *plan.size)
    maker = _Tile(plan, board)
    for row in range(plan.rows):
        for column in range(plan.columns):
            maker.square(column, row)
    maker.rows()
    maker.columns()
    maker.turns()
    maker.screws()
    maker.fiducials()
    return board


class _Tile:
    """One in the making."""

    def __init__(self, plan: TilePlan, board: Layout) -> None:
        self.plan = plan
        self.board = board
        self.lamp = lamp_offset(plan.pitch)

    def spot(self, column: int, row: int, dx: float = 0.0, dy: float = 0.0) -> tuple[float, float]:
        """A place by its offset from the middle of a square."""
        pitch = self.plan.pitch
        return (column + 0.5) * pitch + dx, (self.plan.rows - row - 0.5) * pitch - dy

    def place(
        self, ref: str, value: str, footprint: Footprint, spot: tuple[float, float], turn: int,
        nets: dict[str, str], *, bought: bool = True,
    ) -> None:  # fmt: skip
        x, y = at(*spot)
        self.board.parts.append(LayoutPart(ref, value, footprint, x, y, nets, turn, bought=bought))

    def run(
        self, net: str, layer: str, width: float, square: tuple[int, int], *offsets: tuple[float, float]
    ) -> None:
        self.board.run(net, layer, width, *(self.spot(*square, *offset) for offset in offsets))

    # -- a square ------------------------------------------------------------------------------------------

    def square(self, column: int, row: int) -> None:
        """What is soldered there, and the short tracks between."""
        self._reed(column, row)
        self._lamp(column, row)
        spot = self.spot(column, row, 10.0, 3.0)
        self.board.words.append(PrintedText(f"{column + 1}{row + 1}", at(*spot), 1.5))

    def _reed(self, column: int, row: int) -> None:
        square, felt, wire = (column, row), f"REED{column + 1}{row + 1}", f"COL{column + 1}"
        self.place(
            ref(REED, *square), VALUES[REED], footprints.reed(), self.spot(*square), 0,
            {"1": felt, "2": wire, "3": felt, "4": wire},
        )  # fmt: skip
        self.place(
            ref(DIODE_REF, *square), VALUES[DIODE_REF], footprints.diode_smd(),
            self.spot(*square, *DIODE), 270, {"1": felt, "2": f"ROW{row + 1}"},
        )  # fmt: skip
        end, near, far = footprints.ON_END_MM, FLAT_NEAR, FLAT_FAR
        cathode, anode = DIODE[1] + 1.65, DIODE[1] - 1.65
        self.run(felt, TOP, SIGNAL, square, (-end, cathode), (-end, 0), (near, -near))
        self.run(f"ROW{row + 1}", TOP, SIGNAL, square, (-end, anode), (-end, ROW_AT))
        self.run(wire, BOTTOM, SIGNAL, square, (end, 0), (COLUMN_AT, 0))
        self.run(wire, BOTTOM, SIGNAL, square, (far, -far), (COLUMN_AT, -far))

    def _lamp(self, column: int, row: int) -> None:
        square, (x, y) = (column, row), self.lamp
        way = 1 if row % 2 == 0 else -1
        before, behind = self.data(row, column), self.data(row, column + 1)
        din, dout = (before, behind) if way > 0 else (behind, before)
        self.place(
            ref(LAMP, *square), VALUES[LAMP], footprints.lamp(),
            self.spot(*square, x, y), 180 if way > 0 else 0, {"1": "+5V", "2": dout, "3": "GND", "4": din},
        )  # fmt: skip
        self.run("+5V", TOP, 0.5, square, (x + 2.45 * way, y - 1.6 * way), (x + 2.45 * way, y - BUS * way))
        self.run("GND", TOP, 0.5, square, (x - 2.45 * way, y + 1.6 * way), (x - 2.45 * way, y + BUS * way))
        for side in (
            -1,
            1,
        ):  # to the left and to the right: from the pad to the middle line between the buses
            net, level = (before if side < 0 else behind), y + 1.6 * side
            self.run(
                net,
                TOP,
                SIGNAL,
                square,
                (x + 2.45 * side, level),
                (x + 4.0 * side, level),
                (x + 4.0 * side, y),
            )
        upper, lower = ("GND", "+5V") if way > 0 else ("+5V", "GND")
        spot = self.spot(*square, x + CAPACITOR_AT, y)
        nets = {"1": upper, "2": lower}
        self.place(ref(CAPACITOR, *square), VALUES[CAPACITOR], footprints.capacitor_smd(), spot, 0, nets)
        for net, sign in ((upper, 1), (lower, -1)):
            self.run(net, TOP, 0.5, square, (x + CAPACITOR_AT, y + sign), (x + CAPACITOR_AT, y + BUS * sign))

    # -- what runs through ---------------------------------------------------------------------------------

    def data(self, row: int, place: int) -> str:
        """The net of lamp data left of a square, counted from 0; the last one leaves at the right."""
        return f"DATA{row + 1}-{place}"

    def across(self, row: int, dy: float, *offsets: float) -> list[tuple[float, float]]:
        """Points at one height from the left holes to the right ones, through these in each square."""
        columns, half = self.plan.columns, self.plan.pitch / 2
        between = [self.spot(column, row, dx, dy) for column in range(columns) for dx in sorted(offsets)]
        first = self.spot(0, row, EDGE_IN - half, dy)
        return [first, *between, self.spot(columns - 1, row, half - EDGE_IN, dy)]

    def rows(self) -> None:
        """Rows, buses and lamp data, from edge to edge."""
        half, (x, y) = self.plan.pitch / 2, self.lamp
        for row in range(self.plan.rows):
            upper, lower = ("GND", "+5V") if row % 2 == 0 else ("+5V", "GND")
            self.board.run(f"ROW{row + 1}", TOP, SIGNAL, *self.across(row, ROW_AT, -footprints.ON_END_MM))
            for net, sign in ((upper, 1), (lower, -1)):
                trunk = GROUND_AT if net == "GND" else POWER_AT
                lamp = 2.45 * (1 if (net == "+5V") == (row % 2 == 0) else -1)
                offsets = (trunk - 0.7, trunk + 0.7, x + CAPACITOR_AT, x + lamp)
                self.board.run(net, TOP, BUS_WIDTH, *self.across(row, y + BUS * sign, *offsets))
                for column in range(self.plan.columns):
                    for dx in (-0.7, 0.7):
                        self.board.via(net, *self.spot(column, row, trunk + dx, y + BUS * sign), 0.8, 0.4)
            self._data_row(row)
            for side, place in (("W", 0), ("E", self.plan.columns)):
                edge = EDGE_IN - half if side == "W" else half - EDGE_IN
                column = 0 if side == "W" else self.plan.columns - 1
                heights = {"R": ROW_AT, "D": y, "V" if lower == "+5V" else "G": y - BUS}
                heights["G" if upper == "GND" else "V"] = y + BUS
                nets = {"R": f"ROW{row + 1}", "D": self.data(row, place), "V": "+5V", "G": "GND"}
                hole = {name: (0.0, -dy) for name, dy in sorted(heights.items())}
                spot = self.spot(column, row, edge, 0.0)
                footprint = footprints.edge(f"Edge-{side}{'even' if row % 2 == 0 else 'odd'}", hole)
                self.place(f"{side}{row + 1}", "edge", footprint, spot, 0, nets, bought=False)
                self._edge(f"{side}{row + 1}", self.spot(column, row, edge, 0.0))
                beside = LETTER_IN - half if side == "W" else half - LETTER_IN
                for name, dy in heights.items():
                    self._letter(name, self.spot(column, row, beside, dy))

    def _data_row(self, row: int) -> None:
        half, (x, y) = self.plan.pitch / 2, self.lamp
        last = self.plan.columns - 1
        for place in range(self.plan.columns + 1):
            start, end = self.spot(0, row, EDGE_IN - half, y), self.spot(last, row, half - EDGE_IN, y)
            if place:
                start = self.spot(place - 1, row, x + 4.0, y)
            if place <= last:
                end = self.spot(place, row, x - 4.0, y)
            self.board.run(self.data(row, place), TOP, SIGNAL, start, end)

    def columns(self) -> None:
        """Columns and the trunks of 5 V and ground, from the lower edge to the upper one."""
        top, half, y = self.plan.rows - 1, self.plan.pitch / 2, self.lamp[1]
        for column in range(self.plan.columns):
            ends = [(0, EDGE_IN - half), (top, half - EDGE_IN)]
            stubs = [(row, dy) for row in range(top + 1) for dy in (-FLAT_FAR, 0.0)]
            self._up(f"COL{column + 1}", SIGNAL, column, COLUMN_AT, [ends[0], *stubs, ends[1]])
            for net, dx in (("GND", GROUND_AT), ("+5V", POWER_AT)):
                buses = [
                    (row, y + BUS * (1 if (net == "GND") == (row % 2 == 0) else -1)) for row in range(top + 1)
                ]
                self._up(net, TRUNK_WIDTH, column, dx, [ends[0], *buses, ends[1]])
            for side, row in (("N", top), ("S", 0)):
                holes = {"C": (COLUMN_AT, 0.0), "V": (POWER_AT, 0.0), "G": (GROUND_AT, 0.0)}
                nets = {"C": f"COL{column + 1}", "V": "+5V", "G": "GND"}
                if column == 0:
                    holes["D"] = (LINK_IN - half, 0.0)
                    nets["D"] = self.data(row, 0)
                footprint = footprints.edge(f"Edge-{side}{column + 1}", holes)
                spot = self.spot(column, row, 0.0, half - EDGE_IN if side == "N" else EDGE_IN - half)
                self.place(f"{side}{column + 1}", "edge", footprint, spot, 0, nets, bought=False)
                self._edge(f"{side}{column + 1}", spot)
                above = half - LETTER_IN if side == "N" else LETTER_IN - half
                for name, (dx, _) in holes.items():
                    if name != "D":
                        self._letter(name, self.spot(column, row, dx, above))
                    else:  # above and below it are names of the holes at the left edge
                        self._letter(name, (spot[0] + dx + 1.8, spot[1]))

    def _letter(self, name: str, spot: tuple[float, float]) -> None:
        """Print the name of a hole beside it."""
        self.board.words.append(PrintedText(name, at(*spot)))

    def _edge(self, name: str, spot: tuple[float, float]) -> None:
        """Print the name of a group of holes, as the list of wires has it."""
        self.board.words.append(PrintedText(name, at(*spot)))

    def _up(self, net: str, width: float, column: int, dx: float, heights: list[tuple[int, float]]) -> None:
        self.board.run(net, BOTTOM, width, *(self.spot(column, row, dx, dy) for row, dy in heights))

    # -- where the chain turns -----------------------------------------------------------------------------

    def turns(self) -> None:
        """Jumpers between rows at the left and right edge, and the ways to the tiles above and below."""
        half, last, top, y = self.plan.pitch / 2, self.plan.columns - 1, self.plan.rows - 1, self.lamp[1]
        for row in range(top):
            right = row % 2 == 0
            column, sign = (last, 1) if right else (0, -1)
            place = self.plan.columns if right else 0
            edge, link = sign * (half - EDGE_IN), sign * (half - LINK_IN)
            spot = self.spot(column, row, link, half)
            nets = {"1": self.data(row + 1, place), "2": self.data(row, place)}
            name = f"{'JE' if right else 'JW'}{row + 1}{row + 2}"
            self.place(name, "jumper", footprints.jumper(), spot, 0, nets, bought=False)
            square = (column, row)
            self.run(nets["2"], BOTTOM, SIGNAL, square, (edge, y), (link, y), (link, half - 1.0))
            square = (column, row + 1)
            self.run(nets["1"], BOTTOM, SIGNAL, square, (edge, y), (link, y), (link, 1.0 - half))
        link, edge = LINK_IN - half, EDGE_IN - half
        self.run(self.data(top, 0), BOTTOM, SIGNAL, (0, top), (edge, y), (link, y), (link, half - EDGE_IN))
        self.run(self.data(0, 0), BOTTOM, SIGNAL, (0, 0), (edge, y), (link, y), (link, EDGE_IN - half))

    def fiducials(self) -> None:
        """Three in an angle: so a tile that is turned is noticed."""
        spots = ((0, 0), (self.plan.columns - 1, 0), (0, self.plan.rows - 1))
        for number, square in enumerate(spots, 1):
            x, y = at(*self.spot(*square, *FIDUCIAL))
            self.board.parts.append(
                LayoutPart(
                    f"FID{number}", "fiducial", footprints.fiducial(), x, y, {}, bought=False, drawn=False
                )
            )

    def screws(self) -> None:
        """Holes for screws of 3 mm, where four squares meet."""
        columns, rows, pitch = *self.plan[:2], self.plan.pitch
        for column, row in sorted(_corners(columns, rows)):
            self.board.holes.append(ScrewHole(at(column * pitch, row * pitch), 3.2))
        self.board.words.append(PrintedText(self.board.title, at(*self.spot(1, 0, -2.0, -12.0))))


def _corners(columns: int, rows: int) -> Iterator[tuple[int, int]]:
    yield from {(column, row) for column in (1, columns - 1) for row in (1, rows - 1)}
