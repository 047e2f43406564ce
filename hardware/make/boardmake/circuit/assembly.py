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
from boardmake.circuit.footprints import FLAT_FAR_MM, FLAT_NEAR_MM, ON_END_MM
from boardmake.circuit.tile import LEAST_PITCH, MOST_PITCH, TilePlan, lamp_offset
from boardmake.making.holes import lamps
from boardmake.physics import leads
from boardware.parts import BoardDescription, BoardPoint, LampChain, MatrixBank
from boardware.physics.sensors import PARTS, SensorKind
from boardware.physics.verdict import Grade

CARRIER: Final = "carrier"
USUAL_SIDE: Final = 2
"""Squares a tile has in a row or column: so it is 100 mm wide at most, up to which makers of circuit boards
are cheap. Where the number is odd, one tile has three."""
_THROUGH: Final = (("D", "lamp data"), ("V", "5 V"), ("G", "GND"))
_BESIDE: Final = 1.0
"""So far a square may lie off its place, in mm, ..."""
_WINDOW: Final = 2.0
"""... and a window off its lamp: of its 6 mm so much is left that a lamp of 5 mm shows."""
FLAT_ASIDE: Final = (FLAT_NEAR_MM + 10.0, FLAT_FAR_MM - 7.0)
"""Where the middle of a flat reed may be: the glass of 14 mm, and a lead bent at each end."""
_FLAT_TURN: Final = -45


class AssemblyPin(NamedTuple):
    """A pad of a part of a unit: of the carrier, a tile, or something that hangs on wires."""

    unit: str
    part: str
    pad: str

    def __str__(self) -> str:
        return f"{self.unit} {self.part}.{self.pad}" if self.part else f"{self.unit} {self.pad}"


class AssemblyWire(NamedTuple):
    """A piece of wire between two pins, and what it carries."""

    one: AssemblyPin
    other: AssemblyPin
    carries: str


class TileAt(NamedTuple):
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
        self.bank, self.chain = carrier.suited(board)
        self.columns, self.rows = len(self.bank.columns), len(self.bank.rows)
        self.pitch, self.corner = _grid(board, self.bank)
        _check_lamps(board, self.bank, self.chain)
        _check_windows(board, self.pitch)
        _check_sensors(board)
        self.tiles = tuple(self._tiles())

    def _tiles(self) -> Iterator[TileAt]:
        row = 0
        for high, rows in enumerate(_cut(self.rows)):
            column = 0
            for wide, columns in enumerate(_cut(self.columns)):
                corner = BoardPoint(self.corner.x + column * self.pitch, self.corner.y + row * self.pitch)
                plan = TilePlan(columns, rows, self.pitch)
                yield TileAt(f"tile {wide + 1},{high + 1}", plan, column, row, corner)
                column += columns
            row += rows

    @property
    def plans(self) -> Mapping[TilePlan, int]:
        """Which tiles are needed, and how many of each."""
        found: dict[TilePlan, int] = {}
        for tile in self.tiles:
            found[tile.plan] = found.get(tile.plan, 0) + 1
        return found

    def _at(self, column: int, row: int) -> tuple[TileAt, int, int]:
        """The tile of a square, and the square's column and row in it, from 1."""
        for tile in self.tiles:
            if 0 <= column - tile.column < tile.plan.columns and 0 <= row - tile.row < tile.plan.rows:
                return tile, column - tile.column + 1, row - tile.row + 1
        raise AssertionError("tiles cover the board")

    def _side(self, side: str, column: int, row: int, pad: str) -> AssemblyPin:
        tile, x, y = self._at(column, row)
        return AssemblyPin(tile.unit, f"{side}{y if side in 'WE' else x}", pad)

    @cached_property
    def jumpers(self) -> tuple[tuple[str, str], ...]:
        """Tile and name of each jumper that a drop of solder closes, in the order of the chain."""
        closed = []
        for row in range(self.rows - 1):
            right = row % 2 == 0
            tile, _, place = self._at(self.columns - 1 if right else 0, row)
            if place < tile.plan.rows:
                closed.append((tile.unit, f"J{'E' if right else 'W'}{place}{place + 1}"))
        return tuple(closed)

    @cached_property
    def wires(self) -> tuple[AssemblyWire, ...]:
        """All of them, in the order in which they are soldered."""
        return (*self._between(), *self._to_carrier(), *self._lamps_beside(), *self._buttons_and_buzzer())

    def _between(self) -> Iterator[AssemblyWire]:
        """From tile to tile."""
        for tile in self.tiles:
            if tile.column:
                for row in range(tile.row, tile.row + tile.plan.rows):
                    for pad, carries in (("R", f"row {row + 1}"), *_THROUGH):
                        yield AssemblyWire(
                            self._side("E", tile.column - 1, row, pad),
                            self._side("W", tile.column, row, pad),
                            carries,
                        )
            if tile.row:
                for column in range(tile.column, tile.column + tile.plan.columns):
                    pads = [("C", f"column {column + 1}"), ("V", "5 V"), ("G", "GND")]
                    pads += [("D", "lamp data")] if column == 0 else []
                    for pad, carries in pads:
                        yield AssemblyWire(
                            self._side("N", column, tile.row - 1, pad),
                            self._side("S", column, tile.row, pad),
                            carries,
                        )

    def _to_carrier(self) -> Iterator[AssemblyWire]:
        for row in range(self.rows):
            yield AssemblyWire(
                AssemblyPin(CARRIER, carrier.ROWS, str(row + 1)),
                self._side("W", 0, row, "R"),
                f"row {row + 1}",
            )
        for column in range(self.columns):
            yield AssemblyWire(
                AssemblyPin(CARRIER, carrier.COLUMNS, str(column + 1)),
                self._side("S", column, 0, "C"),
                f"column {column + 1}",
            )
        yield AssemblyWire(AssemblyPin(CARRIER, carrier.LAMPS, "1"), self._side("W", 0, 0, "D"), "lamp data")
        yield AssemblyWire(AssemblyPin(CARRIER, carrier.LAMPS, "2"), self._side("W", 0, 0, "G"), "GND")
        yield AssemblyWire(AssemblyPin(CARRIER, carrier.POWER_OUT, "1"), self._side("S", 0, 0, "V"), "5 V")
        yield AssemblyWire(AssemblyPin(CARRIER, carrier.POWER_OUT, "2"), self._side("S", 0, 0, "G"), "GND")

    def _lamps_beside(self) -> Iterator[AssemblyWire]:
        """To the lamps behind the last square, one after the other."""
        top = self.rows - 1
        data, power, ground = (self._side("W", 0, top, pad) for pad in ("D", "V", "G"))
        for lamp in self.lamps_beside:
            unit = f"lamp {lamp}"
            yield AssemblyWire(data, AssemblyPin(unit, "", "DIN"), "lamp data")
            yield AssemblyWire(power, AssemblyPin(unit, "", "VDD"), "5 V")
            yield AssemblyWire(ground, AssemblyPin(unit, "", "VSS"), "GND")
            data, power, ground = (AssemblyPin(unit, "", pad) for pad in ("DOUT", "VDD", "VSS"))

    @cached_property
    def lamps_beside(self) -> tuple[str, ...]:
        """The lamps that are on no tile, in the order of the chain."""
        squares = self.columns * self.rows
        beside = [(place.index, lamp) for lamp, place in self.board.lamps.items() if place.index >= squares]
        return tuple(lamp for _, lamp in sorted(beside))

    @property
    def beside(self) -> Iterator[AssemblyPin]:
        """The pins of what hangs on wires: lamps that are on no tile, buttons, the buzzer."""
        for lamp in self.lamps_beside:
            yield from (AssemblyPin(f"lamp {lamp}", "", pad) for pad in ("DIN", "DOUT", "VDD", "VSS"))
        for button in self.board.buttons:
            yield from (AssemblyPin(f"button {button}", "", pad) for pad in "12")
        if self.board.buzzer is not None:
            yield from (AssemblyPin("buzzer", "", pad) for pad in "+-")

    def _buttons_and_buzzer(self) -> Iterator[AssemblyWire]:
        ground = AssemblyPin(CARRIER, carrier.BUTTONS, str(len(self.board.buttons) + 1))
        for number, button in enumerate(self.board.buttons, 1):
            unit = f"button {button}"
            yield AssemblyWire(
                AssemblyPin(CARRIER, carrier.BUTTONS, str(number)), AssemblyPin(unit, "", "1"), unit
            )
            yield AssemblyWire(ground, AssemblyPin(unit, "", "2"), "GND")
        if self.board.buzzer is not None:
            yield AssemblyWire(
                AssemblyPin(CARRIER, carrier.BUZZER, "1"), AssemblyPin("buzzer", "", "+"), "5 V"
            )
            yield AssemblyWire(
                AssemblyPin(CARRIER, carrier.BUZZER, "2"), AssemblyPin("buzzer", "", "-"), "buzzer"
            )


def _cut(count: int) -> list[int]:
    """Squares in a line, two or more, cut into tiles."""
    return [USUAL_SIDE] * (count // USUAL_SIDE - count % 2) + [USUAL_SIDE + 1] * (count % 2)


def _grid(board: BoardDescription, bank: MatrixBank) -> tuple[float, BoardPoint]:
    """The pitch of a board's squares and their lower left corner."""
    pitch = round(board.pitch_mm, 3)
    files, ranks = (_lines((slot.position[axis] for slot in board.slots.values()), pitch) for axis in (0, 1))
    if len(board.slots) != files * ranks:
        raise NoTilesError(f"{board.id}: {len(board.slots)} places for pieces lie in no grid; tiles make one")
    if not LEAST_PITCH <= pitch <= MOST_PITCH:
        raise NoTilesError(
            f"{board.id}: squares of {pitch:g} mm; tiles have {LEAST_PITCH:g} to {MOST_PITCH:g}"
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
        if max(abs(place.x - slot.position.x), abs(place.y - slot.position.y)) > _BESIDE:
            raise NoTilesError(
                f"{board.id}: {slot.id} is row {slot.sensor.row}, column {slot.sensor.column}"
                f" and lies at {slot.position.x:g}, {slot.position.y:g} mm; tiles have it at"
                f" {place.x:g}, {place.y:g}"
            )
    return pitch, BoardPoint(left, lower)


def _lines(places: Iterable[float], pitch: float) -> int:
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
    windows = lamps(board)
    for slot in board.slots.values():
        lamp = BoardPoint(slot.position.x + right, slot.position.y + up)
        if dist(windows[slot.id], lamp) > _WINDOW:
            raise NoTilesError(
                f"{board.id}: the lamp of {slot.id} shines through the face at {windows[slot.id].x:g},"
                f" {windows[slot.id].y:g} mm; tiles have it at {lamp.x:g}, {lamp.y:g} (lamp_at)"
            )


def _check_sensors(board: BoardDescription) -> None:
    """Whether the board's sensors fit the holes of a tile."""
    sensing = board.sensing
    if sensing is None:
        return
    kind = PARTS[sensing.sensor].kind
    if kind is SensorKind.ON_END:
        for mm, what in ((sensing.bent, "bent_mm"), (sensing.back, "back_mm")):
            if mm and abs(mm - ON_END_MM) > _BESIDE:
                raise NoTilesError(
                    f"{board.id}: {what} = {mm:g}; pads of tiles are {ON_END_MM:g} mm beside the hole"
                )
        for refused in leads.verdicts(board):
            if refused.grade is Grade.REFUSED:
                raise NoTilesError(f"{board.id}: {refused.text}")
        return
    if kind is not SensorKind.FLAT:
        raise NoTilesError(f"{board.id}: {sensing.sensor}; tiles are made for reeds, on end or flat")
    least, most = FLAT_ASIDE
    if not least <= sensing.aside <= most or (sensing.turn - _FLAT_TURN) % 360:
        raise NoTilesError(
            f"{board.id}: flat reeds {sensing.aside:g} mm aside, turned by {sensing.turn:g} degrees;"
            f" tiles have them {least:g} to {most:g} mm aside, turned by {_FLAT_TURN}"
        )
