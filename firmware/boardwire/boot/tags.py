"""Builds what reads tags on a Pico from `pins.py`."""

import clock
import machine
import pins

from boardwire.pn532 import UartPad
from boardwire.rfid import Bus, DemuxSelect, Readers, ShiftSelect
from boardwire.tagging import Bank, Tagging

BAUD = 4_000_000
"""An MFRC522 takes 10 MHz, long wires don't."""


def tagging(now: int) -> Tagging:
    """Banks, then pads."""
    banks = []
    for spi_id, sck, mosi, miso, select, enable, others, contacts in pins.READERS:
        spi = machine.SPI(
            spi_id, baudrate=BAUD, sck=machine.Pin(sck), mosi=machine.Pin(mosi), miso=machine.Pin(miso)
        )
        enabled = machine.Pin(enable, machine.Pin.OUT, value=1)
        outs = [machine.Pin(gpio, machine.Pin.OUT) for gpio in others]
        chosen: ShiftSelect | DemuxSelect
        if select == "shift":
            chosen = ShiftSelect(spi, outs[0], enabled, len(contacts))
        else:
            chosen = DemuxSelect(outs, enabled)
        banks.append(Bank(Readers(Bus(spi, chosen), len(contacts), now, clock.now), contacts))
    pads = []
    for uart_id, tx, rx in pins.PADS:
        uart = machine.UART(uart_id, baudrate=115200, tx=machine.Pin(tx), rx=machine.Pin(rx), rxbuf=256)
        pads.append(UartPad(uart, now))
    return Tagging(banks, pads)
