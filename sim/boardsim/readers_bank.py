"""A bank of simulated MFRC522 on one SPI bus, behind 74HC595 or a demultiplexer: what pins and bytes do."""

from __future__ import annotations

from collections.abc import Sequence

from boardsim.readers_mfrc522 import SimMfrc522
from boardware.parts import ReaderBank
from boardware.ports import Micros


class SimBank:
    """The chips of a bank and what selects them. All levels are those of the controller's pins."""

    def __init__(self, bank: ReaderBank, chips: Sequence[SimMfrc522]) -> None:
        self.bank = bank
        self.chips = chips
        self.frames = 0
        """How many times a chip was selected, for those who count."""
        self._levels = dict.fromkeys((bank.enable, *bank.pins), 0)
        self._levels[bank.enable] = 1  # pulled up until somebody drives it
        self._shifting = [1] * len(chips)
        self._latched = [1] * len(chips)
        self._chosen: tuple[SimMfrc522, ...] = ()

    def pin(self, gpio: int, level: int) -> None:
        """A pin of the controller changes."""
        if gpio not in self._levels:
            return
        before, self._levels[gpio] = self._levels[gpio], level
        if self.bank.select == "shift" and gpio == self.bank.pins[0] and level and not before:
            self._latched = list(self._shifting)
        chosen = tuple(self._selected())
        if chosen != self._chosen:
            self._chosen = chosen
            for chip in chosen:
                self.frames += 1
                chip.select()

    def transfer(self, data: bytes, at: Micros, byte_us: float) -> bytes:
        """Bytes each way, from `at` on."""
        back = bytearray()
        for place, byte in enumerate(data):
            moment = at + int(place * byte_us)
            answers = [chip.transfer(byte, moment) for chip in self._chosen]
            if self.bank.select == "shift":
                for bit in range(7, -1, -1):
                    self._shifting.insert(0, byte >> bit & 1)
                del self._shifting[len(self.chips) :]
            if len(answers) > 1:
                raise ValueError("two chips are selected at once: they fight over MISO")
            back.append(answers[0] if answers else 0xFF)
        return bytes(back)

    def _selected(self) -> list[SimMfrc522]:
        if self._levels[self.bank.enable]:
            return []
        if self.bank.select == "shift":
            return [chip for chip, level in zip(self.chips, self._latched, strict=True) if not level]
        number = sum(self._levels[gpio] << place for place, gpio in enumerate(self.bank.pins))
        return [self.chips[number]] if number < len(self.chips) else []


class Spent:
    """A clock that begins at a moment and goes on by what is spent."""

    def __init__(self) -> None:
        self.now: Micros = 0


ACCESS_US = 20
"""What a call into `machine.SPI` and the pins around it take MicroPython on an RP2040 (an estimate)."""
BYTE_US = 2.0
"""A byte at 4 MHz."""


class BankSpi:
    """A `machine.SPI` of the same process."""

    def __init__(self, bank: SimBank, clock: Spent) -> None:
        self._bank = bank
        self._clock = clock

    def write(self, data: bytes) -> None:
        """Send, and don't care what comes back."""
        self._bank.transfer(data, self._clock.now, BYTE_US)
        self._clock.now += ACCESS_US + int(len(data) * BYTE_US)

    def write_readinto(self, data: bytes, into: bytearray) -> None:
        """Send, and keep what comes back."""
        into[:] = self._bank.transfer(bytes(data), self._clock.now, BYTE_US)
        self._clock.now += ACCESS_US + int(len(data) * BYTE_US)


class BankPin:
    """A `machine.Pin` of the same process."""

    def __init__(self, bank: SimBank, gpio: int) -> None:
        self._bank = bank
        self._gpio = gpio

    def value(self, level: int) -> None:
        """Drive it."""
        self._bank.pin(self._gpio, level)
