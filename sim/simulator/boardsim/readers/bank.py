"""A bank of simulated MFRC522 on one SPI bus, behind 74HC595 or a demultiplexer: what pins and bytes do."""

from __future__ import annotations

from collections.abc import Sequence

from boardsim.readers.mfrc522 import SimMfrc522
from boardware.parts import ReaderBank
from boardware.ports import Micros


class SimBank:
    """The chips of a bank and what selects them. All levels are those of the controller's pins."""

    def __init__(self, bank: ReaderBank, chips: Sequence[SimMfrc522]) -> None:
        self.bank = bank
        self.chips = chips
        self._enable = bank.enable_pin
        self._shifts = bank.select_method == "shift"
        self._levels = dict.fromkeys((bank.enable_pin, *bank.select_pins), 0)
        self._levels[bank.enable_pin] = 1  # pulled up until somebody drives it
        self._mask = (1 << len(chips)) - 1
        self._shifted = self._mask
        """The bits in the chain of registers; the lowest is the output of chip 0."""
        self._low = tuple(chips[:1]) if bank.select_method == "demux" else ()
        """The chips that are selected whenever `enable_pin` is low."""
        self._chosen: tuple[SimMfrc522, ...] = ()

    def set_pin(self, gpio: int, level: int) -> None:
        """A pin of the controller changes."""
        before = self._levels.get(gpio, level)
        if before == level:
            return
        self._levels[gpio] = level
        if gpio == self._enable:
            self._choose()
        elif not self._shifts:
            number = sum(self._levels[pin] << place for place, pin in enumerate(self.bank.select_pins))
            self._low = (self.chips[number],) if number < len(self.chips) else ()
            self._choose()
        elif level:
            low = ~self._shifted & self._mask
            self._low = tuple(chip for number, chip in enumerate(self.chips) if low >> number & 1)
            self._choose()

    def _choose(self) -> None:
        chosen = () if self._levels[self._enable] else self._low
        if chosen is not self._chosen:
            for chip in chosen:
                if chip not in self._chosen:
                    chip.select()
        self._chosen = chosen

    def transfer(self, data: bytes, at: Micros, byte_us: float) -> bytes:
        """Bytes each way, from `at` on."""
        if self._shifts:
            self._shifted = (self._shifted << 8 * len(data) | int.from_bytes(data, "big")) & self._mask
        if len(self._chosen) > 1:
            raise ValueError("two chips are selected at once: they fight over MISO")
        if not self._chosen:
            return b"\xff" * len(data)
        (chip,) = self._chosen
        return chip.transfer(data, at, byte_us)


class ManualClock:
    """A clock that begins at a moment and goes on by what is spent."""

    def __init__(self) -> None:
        self.now: Micros = 0


SPI_CALL_US = 20
"""What a call into `machine.SPI` and the pins around it take MicroPython on an RP2040 (an estimate)."""
BYTE_US = 2.0
"""A byte at 4 MHz."""


class BankSpi:
    """A `machine.SPI` of the same process."""

    def __init__(self, bank: SimBank, clock: ManualClock) -> None:
        self._bank = bank
        self._clock = clock

    def write(self, data: bytes) -> None:
        """Send, and don't care what comes back."""
        self._bank.transfer(data, self._clock.now, BYTE_US)
        self._clock.now += SPI_CALL_US + int(len(data) * BYTE_US)

    def write_readinto(self, data: bytes, into: bytearray) -> None:
        """Send, and keep what comes back."""
        into[:] = self._bank.transfer(bytes(data), self._clock.now, BYTE_US)
        self._clock.now += SPI_CALL_US + int(len(data) * BYTE_US)


class BankPin:
    """A `machine.Pin` of the same process."""

    def __init__(self, bank: SimBank, gpio: int) -> None:
        self._bank = bank
        self._gpio = gpio

    def value(self, level: int) -> None:
        """Drive it."""
        self._bank.set_pin(self._gpio, level)
