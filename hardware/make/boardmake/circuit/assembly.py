"""How tiles and a carrier become a board: which tiles, which wires between them, which jumpers are closed.

All of it follows from the board file. A board that tiles can't make is refused with what differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from math import dist
from typing import Final, NamedTuple

from boardmake.circuit import carrier
from boardmake.circuit.errors import NoTilesError
from boardmake.circuit.footprints import FLAT_FAR_PAD_MM, FLAT_NEAR_PAD_MM, ON_END_PAD_MM
from boardmake.circuit.tile import PITCH_MAX_MM, PITCH_MIN_MM, TilePlan, lamp_offset
from boardmake.making.holes import lamp_positions
from boardmake.physics import leads
from boardware.parts import BoardDescription, BoardPoint, LampChain, MatrixBank
from boardware.physics.sensors import SENSOR_PARTS, SensorKind
from boardware.physics.verdict import Grade

CARRIER_UNIT: Final = "carrier"
USUAL_SIDE: Final = 2
"""Squares a tile has in a row or column: so it is 100 mm wide at most, up to which makers of circuit boards
are cheap. Where the number is odd, one tile has three."""
_THROUGH_PADS: Final = (("D", "lamp data"), ("V", "5 V"), ("G", "GND"))
_SQUARE_TOLERANCE_MM: Final = 1.0
"""So far a square may lie off its place, in mm, ..."""
_WINDOW_TOLERANCE_MM: Final = 2.0
"""... and a window off its lamp: of its 6 mm so much is left that a lamp of 5 mm shows."""
FLAT_ASIDE_RANGE_MM: Final = (FLAT_NEAR_PAD_MM + 10.0, FLAT_FAR_PAD_MM - 7.0)
"""Where the middle of a flat reed may be: the glass of 14 mm, and a lead bent at each end."""
_FLAT_TURN_DEG: Final = -45


class AssemblyPin(NamedTuple):
    """A pad of a part of a unit: of the carrier, a tile, or something that hangs on wires."""

    unit: str
    part: str
    pad: str

    def __str__(self) -> str:
        return f"{self.unit} {self.part}.{self.pad}" if self.part else f"{self.unit} {self.pad}"


class AssemblyWire(NamedTuple):
    """A piece of wire between two pins, and what it carries."""

    start: AssemblyPin
    end: AssemblyPin
    signal: str


class PlacedTile(NamedTuple):
    """A tile where it lies."""

    unit: str
    plan: TilePlan
    column: int
    """Of its left squares, from 0 at the left."""
    row: int
    """Of its lower squares, from 0 at the lower edge."""
    corner: BoardPoint
    """Its lower left corner on the board, in mm."""


class Assembly:
    """A board made of tiles and a carrier. Raises `NoTilesError`, `NoCarrierError`."""

    def __init__(self, board: BoardDescription) -> None:
        self.board = board
        self.bank, self.chain = carrier.bank_and_chain(board)
        self.columns, self.rows = len(self.bank.columns), len(self.bank.rows)
        self.pitch, self.corner = _pitch_and_corner(board, self.bank)
        _check_lamps(board, self.bank, self.chain)
        _check_windows(board, self.pitch)
        _check_sensors(board)
        self.tiles = tuple(self._place_tiles())

    def _place_tiles(self) -> Iterator[PlacedTile]:
        row = 0
        for high, rows in enumerate(_tile_lengths(self.rows)):
            column = 0
            for wide, columns in enumerate(_tile_lengths(self.columns)):
                corner = BoardPoint(self.corner.x + column * self.pitch, self.corner.y + row * self.pitch)
                plan = TilePlan(columns, rows, self.pitch)
                yield PlacedTile(f"tile {wide + 1},{high + 1}", plan, column, row, corner)
                column += columns
            row += rows

    @property
    def tile_counts(self) -> Mapping[TilePlan, int]:
        """Which tiles are needed, and how many of each."""
        found: dict[TilePlan, int] = {}
        for tile in self.tiles:
            found[tile.plan] = found.get(tile.plan, 0) + 1
        return found

    def _tile_of_square(self, column: int, row: int) -> tuple[PlacedTile, int, int]:
        """The tile of a square, and the square's column and row in it, from 1."""
        for tile in self.tiles:
            if 0 <= column - tile.column < tile.plan.columns and 0 <= row - tile.row < tile.plan.rows:
                return tile, column - tile.column + 1, row - tile.row + 1
        raise AssertionError("tiles cover the board")

    def _edge_pin(self, side: str, column: int, row: int, pad: str) -> AssemblyPin:
        tile, x, y = self._tile_of_square(column, row)
        return AssemblyPin(tile.unit, f"{side}{y if side in 'WE' else x}", pad)

    @cached_property
    def closed_jumpers(self) -> tuple[tuple[str, str], ...]:
        """Tile and name of each jumper that a drop of solder closes, in the order of the chain."""
        closed = []
        for row in range(self.rows - 1):
            right = row % 2 == 0
            tile, _, place = self._tile_of_square(self.columns - 1 if right else 0, row)
            if place < tile.plan.rows:
                closed.append((tile.unit, f"J{'E' if right else 'W'}{place}{place + 1}"))
        return tuple(closed)

    @cached_property
    def wires(self) -> tuple[AssemblyWire, ...]:
        """All of them, in the order in which they are soldered."""
        return (
            *self._wires_between_tiles(),
            *self._wires_to_carrier(),
            *self._wires_to_lamps(),
            *self._wires_to_console(),
        )

    def _wires_between_tiles(self) -> Iterator[AssemblyWire]:
        """From tile to tile."""
        for tile in self.tiles:
            if tile.column:
                for row in range(tile.row, tile.row + tile.plan.rows):
                    for pad, carries in (("R", f"row {row + 1}"), *_THROUGH_PADS):
                        yield AssemblyWire(
                            self._edge_pin("E", tile.column - 1, row, pad),
                            self._edge_pin("W", tile.column, row, pad),
                            carries,
                        )
            if tile.row:
                for column in range(tile.column, tile.column + tile.plan.columns):
                    pads = [("C", f"column {column + 1}"), ("V", "5 V"), ("G", "GND")]
                    pads += [("D", "lamp data")] if column == 0 else []
                    for pad, carries in pads:
                        yield AssemblyWire(
                            self._edge_pin("N", column, tile.row - 1, pad),
                            self._edge_pin("S", column, tile.row, pad),
                            carries,
                        )

    def _wires_to_carrier(self) -> Iterator[AssemblyWire]:
        for row in range(self.rows):
            yield AssemblyWire(
                AssemblyPin(CARRIER_UNIT, carrier.ROWS_REF, str(row + 1)),
                self._edge_pin("W", 0, row, "R"),
                f"row {row + 1}",
            )
        for column in range(self.columns):
            yield AssemblyWire(
                AssemblyPin(CARRIER_UNIT, carrier.COLUMNS_REF, str(column + 1)),
                self._edge_pin("S", column, 0, "C"),
                f"column {column + 1}",
            )
        yield AssemblyWire(
            AssemblyPin(CARRIER_UNIT, carrier.LAMPS_REF, "1"), self._edge_pin("W", 0, 0, "D"), "lamp data"
        )
        yield AssemblyWire(
            AssemblyPin(CARRIER_UNIT, carrier.LAMPS_REF, "2"), self._edge_pin("W", 0, 0, "G"), "GND"
        )
        yield AssemblyWire(
            AssemblyPin(CARRIER_UNIT, carrier.POWER_OUT_REF, "1"), self._edge_pin("S", 0, 0, "V"), "5 V"
        )
        yield AssemblyWire(
            AssemblyPin(CARRIER_UNIT, carrier.POWER_OUT_REF, "2"), self._edge_pin("S", 0, 0, "G"), "GND"
        )

    def _wires_to_lamps(self) -> Iterator[AssemblyWire]:
        """To the lamps behind the last square, one after the other."""
        top = self.rows - 1
        data, power, ground = (self._edge_pin("W", 0, top, pad) for pad in ("D", "V", "G"))
        for lamp in self.lamps_off_tiles:
            unit = f"lamp {lamp}"
            yield AssemblyWire(data, AssemblyPin(unit, "", "DIN"), "lamp data")
            yield AssemblyWire(power, AssemblyPin(unit, "", "VDD"), "5 V")
            yield AssemblyWire(ground, AssemblyPin(unit, "", "VSS"), "GND")
            data, power, ground = (AssemblyPin(unit, "", pad) for pad in ("DOUT", "VDD", "VSS"))

    @cached_property
    def lamps_off_tiles(self) -> tuple[str, ...]:
        """The lamps that are on no tile, in the order of the chain."""
        squares = self.columns * self.rows
        beside = [(place.index, lamp) for lamp, place in self.board.lamps.items() if place.index >= squares]
        return tuple(lamp for _, lamp in sorted(beside))

    @property
    def pins_off_tiles(self) -> Iterator[AssemblyPin]:
        """The pins of what hangs on wires: lamps that are on no tile, buttons, the buzzer."""
        for lamp in self.lamps_off_tiles:
            yield from (AssemblyPin(f"lamp {lamp}", "", pad) for pad in ("DIN", "DOUT", "VDD", "VSS"))
        for button in self.board.buttons:
            yield from (AssemblyPin(f"button {button}", "", pad) for pad in "12")
        if self.board.buzzer is not None:
            yield from (AssemblyPin("buzzer", "", pad) for pad in "+-")

    def _wires_to_console(self) -> Iterator[AssemblyWire]:
        ground = AssemblyPin(CARRIER_UNIT, carrier.BUTTONS_REF, str(len(self.board.buttons) + 1))
        for number, button in enumerate(self.board.buttons, 1):
            unit = f"button {button}"
            yield AssemblyWire(
                AssemblyPin(CARRIER_UNIT, carrier.BUTTONS_REF, str(number)), AssemblyPin(unit, "", "1"), unit
            )
            yield AssemblyWire(ground, AssemblyPin(unit, "", "2"), "GND")
        if self.board.buzzer is not None:
            yield AssemblyWire(
                AssemblyPin(CARRIER_UNIT, carrier.BUZZER_REF, "1"), AssemblyPin("buzzer", "", "+"), "5 V"
            )
            yield AssemblyWire(
                AssemblyPin(CARRIER_UNIT, carrier.BUZZER_REF, "2"), AssemblyPin("buzzer", "", "-"), "buzzer"
            )


def _tile_lengths(count: int) -> list[int]:
    """Squares in a line, two or more, cut into tiles."""
    return [USUAL_SIDE] * (count // USUAL_SIDE - count % 2) + [USUAL_SIDE + 1] * (count % 2)


def _pitch_and_corner(board: BoardDescription, bank: MatrixBank) -> tuple[float, BoardPoint]:
    """The pitch of a board's squares and their lower left corner."""
    pitch = round(board.pitch_mm, 3)
    files, ranks = (
        _count_lines((slot.position[axis] for slot in board.slots.values()), pitch) for axis in (0, 1)
    )
    if len(board.slots) != files * ranks:
        raise NoTilesError(f"{board.id}: {len(board.slots)} places for pieces lie in no grid; tiles make one")
    if not PITCH_MIN_MM <= pitch <= PITCH_MAX_MM:
        raise NoTilesError(
            f"{board.id}: squares of {pitch:g} mm; tiles have {PITCH_MIN_MM:g} to {PITCH_MAX_MM:g}"
        )
    if ranks % 2 or files < 2:
        raise NoTilesError(f"{board.id}: {files} columns, {ranks} rows; tiles make an even number of rows")
    columns, rows = len(bank.columns), len(bank.rows)
    if (columns, rows) != (files, ranks):
        raise NoTilesError(
            f"{board.id}: {files} x {ranks} squares on {columns} columns and {rows} rows of bank {bank.id};"
            f" tiles have {files} columns and {ranks} rows, a column below each file"
        )
    left = min(slot.position.x for slot in board.slots.values()) - pitch / 2
    lower = min(slot.position.y for slot in board.slots.values()) - pitch / 2
    for slot in board.slots.values():
        if slot.sensor is None:
            raise NoTilesError(f"{board.id}: nothing feels {slot.id}; tiles have a reed under each square")
        place = BoardPoint(left + (slot.sensor.column + 0.5) * pitch, lower + (slot.sensor.row + 0.5) * pitch)
        if max(abs(place.x - slot.position.x), abs(place.y - slot.position.y)) > _SQUARE_TOLERANCE_MM:
            raise NoTilesError(
                f"{board.id}: {slot.id} is row {slot.sensor.row}, column {slot.sensor.column}"
                f" and lies at {slot.position.x:g}, {slot.position.y:g} mm; tiles have it at"
                f" {place.x:g}, {place.y:g}"
            )
    return pitch, BoardPoint(left, lower)


def _count_lines(places: Iterable[float], pitch: float) -> int:
    """On how many lines places lie: those of one line differ by less than a quarter of the pitch."""
    return 1 + sum(after - before > pitch / 4 for before, after in pairwise(sorted(places)))


def _check_lamps(board: BoardDescription, bank: MatrixBank, chain: LampChain) -> None:
    """Whether the chain runs to and fro from the lower left square, lamps without a square behind it."""
    columns = len(bank.columns)
    for slot in board.slots.values():
        assert slot.sensor is not None
        row, column = slot.sensor.row, slot.sensor.column
        expected = row * columns + (column if row % 2 == 0 else columns - 1 - column)
        lamp = board.lamps.get(slot.id)
        if lamp is None or lamp.index != expected:
            found = "no lamp" if lamp is None else f"lamp {lamp.index}"
            raise NoTilesError(
                f"{board.id}: {slot.id} has {found}; in the chain of tiles it is lamp {expected}"
            )
    if chain.length != len(board.lamps):
        raise NoTilesError(
            f"{board.id}: {chain.length} lamps in chain {chain.id}, {len(board.lamps)} of them somewhere;"
            " give each a place"
        )


def _check_windows(board: BoardDescription, pitch: float) -> None:
    """Whether the windows of the printed face lie above the lamps."""
    right, up = lamp_offset(pitch)
    windows = lamp_positions(board)
    for slot in board.slots.values():
        lamp = BoardPoint(slot.position.x + right, slot.position.y + up)
        if dist(windows[slot.id], lamp) > _WINDOW_TOLERANCE_MM:
            raise NoTilesError(
                f"{board.id}: the lamp of {slot.id} shines through the face at {windows[slot.id].x:g},"
                f" {windows[slot.id].y:g} mm; tiles have it at {lamp.x:g}, {lamp.y:g} (lamp_at)"
            )


def _check_sensors(board: BoardDescription) -> None:
    """Whether the board's sensors fit the holes of a tile."""
    sensing = board.sensor_design
    if sensing is None:
        return
    kind = SENSOR_PARTS[sensing.sensor].kind
    if kind is SensorKind.ON_END:
        for mm, what in ((sensing.bent_mm, "bent_mm"), (sensing.back_mm, "back_mm")):
            if mm and abs(mm - ON_END_PAD_MM) > _SQUARE_TOLERANCE_MM:
                raise NoTilesError(
                    f"{board.id}: {what} = {mm:g}; pads of tiles are {ON_END_PAD_MM:g} mm beside the hole"
                )
        for refused in leads.verdicts(board):
            if refused.grade is Grade.REFUSED:
                raise NoTilesError(f"{board.id}: {refused.text}")
        return
    if kind is not SensorKind.FLAT:
        raise NoTilesError(f"{board.id}: {sensing.sensor}; tiles are made for reeds, on end or flat")
    least, most = FLAT_ASIDE_RANGE_MM
    if not least <= sensing.aside_mm <= most or (sensing.turn_deg - _FLAT_TURN_DEG) % 360:
        raise NoTilesError(
            f"{board.id}: flat reeds {sensing.aside_mm:g} mm aside, turned by {sensing.turn_deg:g} degrees;"
            f" tiles have them {least:g} to {most:g} mm aside, turned by {_FLAT_TURN_DEG}"
        )
