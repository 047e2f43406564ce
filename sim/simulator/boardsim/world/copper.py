"""What is on the bench: contacts, diodes, a buzzer and lamps in one flat buffer; how current runs there.

The buffer is a `bytearray`, or an mmap-ed file where the world lives in another process; both ends run this
same code. What a process does to its own pins (which wire it drives, which pull it asked for) is not in the
buffer: on a power cut it is gone, as on the real header.

The model of a matrix. A wire (row or column) is driven high, driven low, or floating with a pull up, a pull
down or none. A closed reed links its row and its column. With a fine diode current flows one way only, from
the row to the column, with a reversed one the other way; where the diode is absent (a wire bridge) or
shorted it flows both ways; a broken diode is an open circuit. A wire that is cut, at the end where its pin
is, reaches none of its reeds. What the wires come to is worked out in volts, from the resistors, diodes and
cables that the board file names (`levels`). Below 1.2 V a pin reads 0, above 1.8 V it reads 1, between them
what it read before, as usual parts do. A column that nothing drives any more loses its charge while the next
row settles, or shows a ghost of the row before.

Most boards are sound: every closed contact is high and every open one low. Where also no diode is odd and
no wire cut, a single row that is driven decides what columns read, and nothing is worked out.
"""

from __future__ import annotations

import hashlib
import mmap
from collections.abc import Callable, Iterable, Mapping
from itertools import chain as chain_
from pathlib import Path

from boardmake.physics import electrics
from boardsim.world.buffers import BufferedBankWires
from boardsim.world.levels import BankWires
from boardsim.world.levels import SolderedDiode as SolderedDiode
from boardsim.world.strips import LampStrip
from boardware.parts import BoardDescription, MatrixBank
from boardware.physics.volts import USUAL_TOLERANCE
from boardware.ports import LampId, SlotId

RGB = tuple[int, int, int]
DARK: RGB = (0, 0, 0)

_MAGIC = b"boardsim copper 1\n"
_HEADER = 64
_FAULTY_FLAG_OFFSET = 63
"""Where the header says whether any diode is other than fine, or any wire cut."""


class CopperError(ValueError):
    """A world file that does not fit: it names the file and what was expected."""


class ReedGrid:
    """The matrix of one bank. Wires are numbered: rows first, then columns."""

    def __init__(self, cells: Cells, base: int, wiring: BankWires) -> None:
        rows, columns = wiring.rows, wiring.columns
        self._cells = cells
        self.base = base
        """Where this bank's reeds begin in the buffer, row by row; its diodes follow them, then its cuts."""
        self.rows = rows
        self.columns = columns
        self.drive: list[int | None] = [None] * (rows + columns)
        self.pull: list[int | None] = [None] * (rows + columns)
        self._end = base + 2 * rows * columns + rows + columns
        self._lone_row = -1
        """The row driven high, if there is just one and the wires carry a full one: with fine diodes it alone
        decides what columns read."""
        self._wiring = wiring
        self._easy = wiring.reads_cleanly
        self._seen: object = None
        """The pattern that was last worked out: what is driven and pulled, and all of this bank's cells."""
        self._volts = [0.0] * (rows + columns)
        self._reads = [0] * (rows + columns)

    def set_drive(self, wire: int, level: int | None) -> None:
        """Drive `wire` high or low; `None` lets it float."""
        self.drive[wire] = level
        driven_columns = self.columns - self.drive[self.rows :].count(None)
        lone = self._easy and self.drive[: self.rows].count(1) == 1 and not driven_columns
        self._lone_row = self.drive.index(1) if lone else -1

    def level(self, wire: int) -> int:
        """What an input on `wire` reads, 0 or 1, once it has settled as long as the board file says."""
        driven = self.drive[wire]
        if driven is not None:
            return driven
        cells = self._cells
        if self._lone_row >= 0 and wire >= self.rows and not cells[_FAULTY_FLAG_OFFSET]:
            if cells[self.base + self._lone_row * self.columns + wire - self.rows]:
                return 1
            return self.pull[wire] or 0
        self._settle()
        return self._reads[wire]

    def volts(self, wire: int) -> float:
        """What `wire` stands at, as `level` takes it."""
        self._settle()
        return self._volts[wire]

    def discharge_columns(self) -> None:
        """Nothing has been driven for so long that all columns have lost their charge."""
        if self._seen is None:
            return
        self._seen = None
        self._volts = [0.0] * len(self._volts)
        self._reads = self._wiring.pin_levels(self._reads, self._volts)

    def _settle(self) -> None:
        """Work out what a pattern comes to, once, from what the one before it left."""
        cells = bytes(self._cells[self.base : self._end])
        seen = (tuple(self.drive), tuple(self.pull), cells)
        if seen == self._seen:
            return
        self._seen = seen
        target = self._wiring.settled_volts(*seen)
        self._volts = self._wiring.volts_after(self._volts, target)
        self._reads = self._wiring.pin_levels(self._reads, self._volts)


Cells = bytearray | mmap.mmap


class Copper:
    """All that is soldered on one board.

    Reeds and buttons are set by the world, the buzzer and the lamps by those who stand in for pins and wires.
    """

    def __init__(self, board: BoardDescription, cells: Cells | None = None) -> None:
        self.board = board
        self._banks: dict[str, int] = {}
        self._chains: dict[str, int] = {}
        self._wirings: dict[str, BankWires] = {}
        self._grids: list[ReedGrid] = []
        at = _HEADER
        for bank in board.banks.values():
            self._banks[bank.id] = at
            rows, columns = len(bank.rows), len(bank.columns)
            at += 2 * rows * columns + rows + columns
        self._buttons = {name: at + number for number, name in enumerate(board.buttons)}
        at += len(self._buttons)
        self._buzzer = at
        at += 1
        self.on_buzzer_switched: Callable[[bool], None] = lambda on: None
        """Called when this process switches the buzzer: whether it sounds now."""
        for chain in board.chains.values():
            self._chains[chain.id] = at
            at += 6 + 3 * chain.length
        strips = {chain.id: LampStrip(board, chain) for chain in board.chains.values()}
        self._closed_at_rest: set[SlotId] = set()
        self._white: set[str] = set()
        self._weak = {chain: strip for chain, strip in strips.items() if not strip.sound}
        """Chains whose data or supply may not do."""
        self.size = at
        if cells is None:
            cells = bytearray(at)
            self.format(cells)
        self.cells: Cells = cells
        self._reeds = {
            slot: self._banks[sensor.bank]
            + sensor.row * len(board.banks[sensor.bank].columns)
            + sensor.column
            for sensor, slot in board.slots_by_contact.items()
        }

    # -- the file ------------------------------------------------------------------------------------------

    def _header(self) -> bytes:
        plan = repr(
            (
                [(bank.id, bank.rows, bank.columns) for bank in self.board.banks.values()],
                sorted(self._buttons),
                [(chain.id, chain.length) for chain in self.board.chains.values()],
            )
        )
        return _MAGIC + hashlib.sha256(plan.encode()).digest()

    def format(self, cells: Cells) -> None:
        """Write a fresh header and, on boards built without diodes, bridges in their place."""
        header = self._header()
        cells[: len(header)] = header
        for bank in self.board.banks.values():
            if not bank.has_diodes:
                count = len(bank.rows) * len(bank.columns)
                diodes = self._banks[bank.id] + count
                cells[diodes : diodes + count] = bytes([SolderedDiode.ABSENT]) * count
                cells[_FAULTY_FLAG_OFFSET] = 1

    @classmethod
    def create_file(cls, path: str | Path, board: BoardDescription) -> Copper:
        """A fresh board in a file that other processes may attach to."""
        blank = cls(board)
        Path(path).write_bytes(bytes(blank.cells))
        return cls.attach(path, board)

    @classmethod
    def attach(cls, path: str | Path, board: BoardDescription) -> Copper:
        """The board in the file `path`, shared with whoever else has it open. Raises `CopperError`."""
        expected = cls(board)
        with open(path, "r+b") as file:
            found = file.read(len(expected._header()))
            if found != expected._header():
                known = found.startswith(_MAGIC)
                what = f"a world of another board than {board.id}" if known else "no world of this format"
                wanted = f"{_MAGIC.decode().strip()!r} for {board.id}"
                raise CopperError(f"{path}: {what}; expected {wanted}")
            file.seek(0, 2)
            if file.tell() != expected.size:
                raise CopperError(f"{path}: {file.tell()} bytes; expected {expected.size} for {board.id}")
            return cls(board, mmap.mmap(file.fileno(), expected.size))

    def close(self) -> None:
        """Let go of the file, if there is one. Closing twice is allowed."""
        if isinstance(self.cells, mmap.mmap):
            self.cells.close()

    # -- reeds, diodes, buttons ----------------------------------------------------------------------------

    def grid(self, bank: str) -> ReedGrid:
        """The matrix of a bank, with wires of its own: one a process that drives it."""
        if bank not in self._wirings:
            found = self.board.banks[bank]
            self._wirings[bank] = self._wiring(found)
        grid = ReedGrid(self.cells, self._banks[bank], self._wirings[bank])
        self._grids.append(grid)
        return grid

    def _wiring(self, bank: MatrixBank) -> BankWires:
        matrix, buffered = electrics.matrix_circuit(self.board, bank), bank.wires.buffered_wiring
        if buffered is None:
            return BankWires(matrix, bank.settle_us)
        return BufferedBankWires(matrix, bank.settle_us, buffered, self.board.sensor_design)

    def pull_up(self, bank: str, ohm: float) -> None:
        """Solder resistors from the columns of a bank to 3.3 V. For this process, before it has a `grid`."""
        found = self.board.banks[bank]
        matrix = electrics.matrix_circuit(self.board, found)._replace(pull_down_ohm=ohm)
        self._wirings[bank] = BankWires(matrix, found.settle_us, USUAL_TOLERANCE.supply_v)

    def hold_columns_at(self, bank: str, level: int) -> None:
        """Spoil what all buffers of a bank lead to its columns. For this process, before a `grid`.

        1: the switches' resistors lead to ground, so buffers say that all are closed.
        0: the buffers are off, and the chip's own pull-downs are all that its pins feel.
        """
        found = self.board.banks[bank]
        buffered = found.wires.buffered_wiring
        if buffered is None:
            raise ValueError(f"bank {bank}: it has no buffers; try one with switches of three wires")
        matrix, settle = electrics.matrix_circuit(self.board, found), found.settle_us
        self._wirings[bank] = BufferedBankWires(matrix, settle, buffered, self.board.sensor_design, level)

    def close_at_rest(self, bank: str) -> None:
        """Solder reeds to a bank that are closed until a magnet comes. For this process."""
        for slot, place in self.board.slots.items():
            if place.sensor is not None and place.sensor.bank == bank:
                self._closed_at_rest.add(slot)
                self.set_closed(slot, False)

    def lift_ground(self, chain: str) -> None:
        """Take away the wire that joins the ground of a chain with that of its driver. For this process."""
        self._weak[chain] = LampStrip(self.board, self.board.chains[chain], grounded=False)

    def discharge_columns(self) -> None:
        """Nobody has scanned for a while: the columns of all grids of this process have lost their charge."""
        for grid in self._grids:
            grid.discharge_columns()

    def has_reed(self, slot: SlotId) -> bool:
        """Whether a reed lies under `slot`."""
        return slot in self._reeds

    def closed(self, slot: SlotId) -> bool:
        """Whether the reed under `slot` is closed at this moment."""
        return bool(self.cells[self._reeds[slot]])

    def set_closed(self, slot: SlotId, closed: bool) -> None:
        """Close or open the reed under `slot`; of one that is closed at rest it is the other way round."""
        self.cells[self._reeds[slot]] = closed != (slot in self._closed_at_rest)

    def diode(self, slot: SlotId) -> SolderedDiode:
        """What is soldered where the diode of `slot` belongs."""
        return SolderedDiode(self.cells[self._diode_at(slot)])

    def set_diode(self, slot: SlotId, diode: SolderedDiode) -> None:
        """Solder `diode` at `slot`."""
        self.cells[self._diode_at(slot)] = diode
        self._update_faulty_flag()

    def cut(self, bank: str, wire: int, cut: bool = True) -> None:
        """Cut a wire of a bank's matrix (rows first, then columns) at its pin, or mend it."""
        self.cells[self._cut_at(bank, wire)] = cut
        self._update_faulty_flag()

    def is_cut(self, bank: str, wire: int) -> bool:
        """Whether a wire of a bank's matrix is cut."""
        return bool(self.cells[self._cut_at(bank, wire)])

    def _cut_at(self, bank: str, wire: int) -> int:
        plan = self.board.banks[bank]
        rows, columns = len(plan.rows), len(plan.columns)
        if not 0 <= wire < rows + columns:
            raise ValueError(f"bank {bank}: wire {wire}; it has {rows} rows and {columns} columns")
        return self._banks[bank] + 2 * rows * columns + wire

    def _update_faulty_flag(self) -> None:
        """Note in the header whether the matrix is as it should be: then reading it is quick."""
        diodes = any(self.diode(each) is not SolderedDiode.FINE for each in self._reeds)
        cuts = any(
            self.is_cut(bank.id, wire)
            for bank in self.board.banks.values()
            for wire in range(len(bank.rows) + len(bank.columns))
        )
        self.cells[_FAULTY_FLAG_OFFSET] = diodes or cuts

    def _diode_at(self, slot: SlotId) -> int:
        sensor = self.board.slots[slot].sensor
        if sensor is None:
            raise KeyError(slot)
        bank = self.board.banks[sensor.bank]
        return self._reeds[slot] + len(bank.rows) * len(bank.columns)

    def is_button_down(self, button: str) -> bool:
        """Whether a button's contact is closed at this moment."""
        return bool(self.cells[self._buttons[button]])

    def set_down(self, button: str, down: bool) -> None:
        """Close or open a button's contact."""
        self.cells[self._buttons[button]] = down

    # -- the buzzer ----------------------------------------------------------------------------------------

    def buzzing(self) -> bool:
        """Whether the buzzer sounds at this moment."""
        return bool(self.cells[self._buzzer])

    def set_buzzing(self, on: bool) -> None:
        """Let the buzzer sound, or be silent."""
        if on != self.buzzing():
            self.cells[self._buzzer] = on
            self.on_buzzer_switched(on)

    # -- lamps ---------------------------------------------------------------------------------------------

    def set_chain(self, chain: str, colours: Iterable[RGB]) -> None:
        """What a whole chain shows from now on, lamp 0 first, and count the frame."""
        self.set_frame(chain, bytes(chain_.from_iterable(colours)))

    def set_frame(self, chain: str, data: bytes) -> None:
        """The same as red, green and blue of one lamp after the other.

        Where data or supply don't do by the board file, lamps show what they make of it (`strips`).
        """
        at = self._chains[chain]
        length = self.board.chains[chain].length
        if len(data) != 3 * length:
            raise ValueError(f"chain {chain}: {len(data) // 3} colours; it has {length} lamps")
        frames = (self.frame_count(chain) + 1) & 0xFFFFFFFF
        if chain in self._white:
            data = self._shown_by_four(chain, data)
        strip = self._weak.get(chain)
        if strip is not None:
            data = strip.shown_frame(data, bytes(self.cells[at + 4 : at + 4 + len(data)]), frames)
        self.cells[at : at + 4 + len(data)] = frames.to_bytes(4, "little") + data

    def add_white(self, chain: str) -> None:
        """The lamps of a chain have a white channel (RGBW): each takes four bytes of what it is sent."""
        self._white.add(chain)

    def _shown_by_four(self, chain: str, data: bytes) -> bytes:
        """What lamps with a white channel make of three bytes a lamp. The last quarter hears nothing."""
        order = ["RGB".index(colour) for colour in self.board.chains[chain].colour_order]
        wire = bytes(data[at + colour] for at in range(0, len(data), 3) for colour in order)
        shown = bytearray(len(data))
        for lamp in range(len(wire) // 4):
            *three, white = wire[4 * lamp : 4 * lamp + 4]
            for colour, level in zip(order, three, strict=True):
                shown[3 * lamp + colour] = min(255, level + white)
        return bytes(shown)

    def frame_count(self, chain: str) -> int:
        """How many frames the chain has been sent."""
        at = self._chains[chain]
        return int.from_bytes(self.cells[at : at + 4], "little")

    def shown_colours(self, chain: str) -> list[RGB]:
        """What a whole chain shows, lamp 0 first. Data does not pass a dead lamp."""
        length, alive = self.board.chains[chain].length, self.lamps_alive(chain)
        at = self._chains[chain] + 4
        data = self.cells[at : at + 3 * alive]
        shown = [(data[i], data[i + 1], data[i + 2]) for i in range(0, len(data), 3)]
        return shown + [DARK] * (length - alive)

    def lamps_alive(self, chain: str) -> int:
        """How many lamps at the beginning of a chain still hear what it is sent."""
        at, length = self._chains[chain], self.board.chains[chain].length
        return length - int.from_bytes(self.cells[at + 4 + 3 * length : at + 6 + 3 * length], "little")

    def set_alive(self, chain: str, lamps: int) -> None:
        """Let the first lamp after so many be dead: it and all behind it stay dark."""
        at, length = self._chains[chain], self.board.chains[chain].length
        if not 0 <= lamps <= length:
            raise ValueError(f"chain {chain}: {lamps} lamps alive; it has {length}")
        self.cells[at + 4 + 3 * length : at + 6 + 3 * length] = (length - lamps).to_bytes(2, "little")

    def lamps(self) -> Mapping[LampId, RGB]:
        """What every lamp of the board shows, by what it lights."""
        shown = {name: self.shown_colours(name) for name in self._chains}
        return {lamp: shown[place.chain][place.index] for lamp, place in self.board.lamps.items()}
