"""How one Pico of a board is wired: what its `pins.py` says, and a hash by which both ends compare it."""

from __future__ import annotations

from binascii import crc32
from functools import cached_property
from typing import NamedTuple

from boardware.parts import BoardDescription, LampChain, MatrixBank, ReaderAt, ReaderBank, SensorAt, TagPad
from boardware.ports import LampId, ReaderId, SlotId
from boardware.readers import spi_number, uart_number


class _PlanFields(NamedTuple):
    board: BoardDescription
    pico: str


class PicoPlan(_PlanFields):
    """One Pico of a board. Banks, chains and buttons keep the order of the board file."""

    @property
    def banks(self) -> tuple[MatrixBank, ...]:
        """Its banks; contacts are numbered through them, row by row."""
        return tuple(bank for bank in self.board.banks.values() if bank.pico == self.pico)

    @property
    def chains(self) -> tuple[LampChain, ...]:
        """Its chains of lamps, numbered from 0."""
        return tuple(chain for chain in self.board.chains.values() if chain.pico == self.pico)

    @property
    def buttons(self) -> tuple[str, ...]:
        """Its buttons, numbered from 0."""
        return tuple(id_ for id_, button in self.board.buttons.items() if button.pico == self.pico)

    @property
    def reader_banks(self) -> tuple[ReaderBank, ...]:
        """Its banks of readers; readers are numbered through them, then come the pads."""
        return tuple(bank for bank in self.board.reader_banks.values() if bank.pico == self.pico)

    @property
    def pads(self) -> tuple[TagPad, ...]:
        """Its pads."""
        return tuple(pad for pad in self.board.pads.values() if pad.pico == self.pico)

    @cached_property
    def reader_ids(self) -> tuple[ReaderId, ...]:
        """The name of every reader: the slot over it, else its bank and number, or the pad."""
        banks = [
            self.board.slots_by_reader.get(ReaderAt(bank.id, number), f"{bank.id}:{number}")
            for bank in self.reader_banks
            for number in range(bank.count)
        ]
        return (*banks, *(pad.id for pad in self.pads))

    @property
    def has_buzzer(self) -> bool:
        """Whether the buzzer hangs on it."""
        return self.board.buzzer is not None and self.board.buzzer.pico == self.pico

    @cached_property
    def contact_slots(self) -> tuple[SlotId | None, ...]:
        """The slot of every contact, `None` where nothing stands."""
        return tuple(
            self.board.slots_by_contact.get(SensorAt(bank.id, row, column))
            for bank in self.banks
            for row in range(len(bank.rows))
            for column in range(len(bank.columns))
        )

    @cached_property
    def lamp_addresses(self) -> dict[LampId, tuple[int, int]]:
        """Of each lamp that this Pico drives the number of its chain and its index there."""
        numbers = {chain.id: number for number, chain in enumerate(self.chains)}
        return {
            lamp: (numbers[at.chain], at.index)
            for lamp, at in self.board.lamps.items()
            if at.chain in numbers
        }

    @property
    def _wiring_source(self) -> str:
        """The wiring as MicroPython reads it."""
        every = sum(chain.length for chain in self.board.chains.values())
        banks = [
            (bank.id, bank.rows, bank.columns[0], len(bank.columns), bank.has_diodes, bank.settle_us)
            for bank in self.banks
        ]
        chains = [
            (
                one.id,
                one.gpio,
                one.length,
                one.colour_order,
                self.board.current_limit_ma * one.length // every,
            )
            for one in self.chains
        ]
        buttons = [self.board.buttons[name].gpio for name in self.buttons]
        buzzer = self.board.buzzer.gpio if self.has_buzzer and self.board.buzzer else None
        listed = "".join(f"    {bank!r},\n" for bank in banks)
        lamps = "".join(f"    {chain!r},\n" for chain in chains)
        # As a formatter of Python would write it: one of these files ships.
        listed, lamps = listed.replace("'", '"'), lamps.replace("'", '"')
        pads = [(uart_number(pad.uart), *pad.uart) for pad in self.pads if pad.uart is not None]
        return (
            f"BANKS = [\n{listed}]\nCHAINS = [\n{lamps}]\nBUTTONS = {buttons!r}\nBUZZER = {buzzer!r}\n"
            f"READERS = {self._reader_source()}\nPADS = {pads!r}\n"
        )

    def _reader_source(self) -> str:
        if not self.reader_banks:
            return "[]"
        numbers = {slot: contact for contact, slot in enumerate(self.contact_slots) if slot is not None}
        lines = []
        for bank in self.reader_banks:
            slots = [
                self.board.slots_by_reader.get(ReaderAt(bank.id, number)) for number in range(bank.count)
            ]
            contacts = [None if slot is None else numbers.get(slot) for slot in slots]
            facts = (
                spi_number(bank.spi),
                *bank.spi,
                bank.select_method,
                bank.enable_pin,
                bank.select_pins,
                contacts,
            )
            lines.append(f"    {facts!r},\n")
        return "[\n" + "".join(lines).replace("'", '"') + "]"

    @property
    def wiring_hash(self) -> int:
        """Of the wiring. Both ends compare it: a board file that was changed wants the Pico flashed."""
        return crc32(self._wiring_source.encode())

    def pins_source(self) -> str:
        """`pins.py` for this Pico."""
        return (
            f'"""How Pico {self.pico} of board {self.board.id} is wired. Made from the board file."""\n\n'
            f'BOARD = "{self.board.id}"\nPICO = "{self.pico}"\nPLAN = {self.wiring_hash}\n'
            "# (bank, pins of its rows, first pin of its columns, how many, diodes, microseconds to settle)\n"
            "# (chain, its pin, its length, order of its colours, what it may draw in mA)\n"
            "# readers: (SPI, clock, data out, data in, how one is selected, enable, other pins, contacts)\n"
            "# pads: (UART, out, in)\n"
            f"{self._wiring_source}"
        )


def plans_by_pico(board: BoardDescription) -> dict[str, PicoPlan]:
    """The Picos of a board, in the order of the file."""
    return {pico: PicoPlan(board, pico) for pico in board.picos}
