"""Readers and pads at the pins of an emulated Pico: a byte takes as long as the firmware's rate says."""

from __future__ import annotations

from functools import partial

from boardsim.pico.bench import PicoBench
from boardsim.pico.chip import EmulatedChip
from boardsim.readers.pn532 import BYTE_US, PicoLine
from boardware.pico_plan import PicoPlan
from boardware.ports import Micros
from boardware.readers import spi_number, uart_number


def attach_readers(chip: EmulatedChip, bench: PicoBench, plan: PicoPlan, born: Micros = 0) -> None:
    """Solder the readers and pads of a plan to that chip, which got power at `born` in the world's time."""
    for bank in plan.reader_banks:
        chip.attach_spi(spi_number(bank.spi), partial(_transfer_byte, bench, bank.spi[0], born))
        for gpio in (bank.enable_pin, *bank.select_pins):
            chip.watch(gpio, lambda gpio, high, at: bench.drive_pin(gpio, high))
    for pad in plan.pads:
        if pad.uart is not None and pad.uart[0] in bench.lines:
            _Line(chip, uart_number(pad.uart), bench.lines[pad.uart[0]], born)


def _transfer_byte(bench: PicoBench, gpio: int, born: Micros, byte: int, at: Micros, nanos: float) -> int:
    return bench.transfer_spi(gpio, born + at, round(nanos), bytes([byte]))[0]


class _Line:
    """A serial line between the chip and a pad."""

    def __init__(self, chip: EmulatedChip, number: int, pad: PicoLine, born: Micros) -> None:
        self._chip = chip
        self._number = number
        self._born = born
        pad.on_bytes_sent = self._schedule_bytes
        chip.attach_uart(number, lambda byte, at: pad.receive(bytes([byte]), born + at))

    def _schedule_bytes(self, at: Micros, data: bytes) -> None:
        """The last of these bytes has come at that moment."""
        for place, byte in enumerate(data):
            moment = at - (len(data) - 1 - place) * BYTE_US
            self._chip.receive(self._number, byte, moment - self._born)
