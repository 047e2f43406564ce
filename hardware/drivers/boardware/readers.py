"""Readers of tags in a board file: banks of MFRC522, and pads."""

from __future__ import annotations

from boardware.measures import checked_id, read_position
from boardware.parts import BoardPoint, ReaderBank, TagPad
from boardware.pico_pins import PicoPins
from boardware.tomlfile import TomlTable, is_integer

BANK_READERS_MAX = 64
"""In a bank: as many as a chain of eight 74HC595 selects, and as the wire has numbers for twice."""
_SPI_EXPECTED = "[clock, data out, data in] of SPI0 or SPI1: GP pins"
_SPI_PIN_CHOICES = (
    ((2, 6, 18, 22), (3, 7, 19), (0, 4, 16, 20)),
    ((10, 14, 26), (11, 15, 27), (8, 12, 28)),
)
"""Of each SPI of an RP2040 the pins of its clock, its data out and its data in (data sheet, 1.4.3)."""
_UART_PIN_CHOICES = (((0, 12, 16, 28), (1, 13, 17)), ((4, 8, 20), (5, 9, 21)))
"""Of each UART the pins for out and in."""


def spi_number(pins: tuple[int, int, int]) -> int:
    """Which SPI of an RP2040 has these pins."""
    return next(
        number
        for number, one in enumerate(_SPI_PIN_CHOICES)
        if all(pin in ways for pin, ways in zip(pins, one, strict=True))
    )


def uart_number(pins: tuple[int, int]) -> int:
    """Which UART of an RP2040 has these pins."""
    return next(
        number for number, (out, into) in enumerate(_UART_PIN_CHOICES) if pins[0] in out and pins[1] in into
    )


def reader_bank(id_: str, table: TomlTable, pico: PicoPins | None) -> ReaderBank:
    """`[readers.ID]`: a bank on a Pico, one chip select a reader. Refuses the file where it is wrong."""
    if pico is None:
        table.read_any("pico", "the Pico that its readers hang on")
        raise AssertionError("a Pico that is named is there")
    table.refuse_unknown_keys("count", "pico", "spi", "select", "enable", "latch", "address")
    count = table.integer("count", 1, BANK_READERS_MAX, "readers")
    spi = _claim_pins(table, "spi", pico, f"SPI of readers {id_}", _SPI_EXPECTED)
    if len(spi) != 3 or not any(
        all(p in ways for p, ways in zip(spi, one, strict=True)) for one in _SPI_PIN_CHOICES
    ):
        table.refuse_value("spi", _SPI_EXPECTED)
    select = table.text("select", "shift or demux")
    if select not in ("shift", "demux"):
        table.refuse_value("select", "shift or demux")
    enable = pico.claim_one_pin(table, "enable", f"enable of readers {id_}")
    if select == "shift":
        pins: tuple[int, ...] = (pico.claim_one_pin(table, "latch", f"latch of readers {id_}"),)
    else:
        pins = _claim_pins(
            table, "address", pico, f"address of readers {id_}", "a list of pins, lowest bit first"
        )
        if count > 1 << len(pins):
            table.refuse_value("address", f"enough pins to number {count} readers")
    if table.has("latch" if select == "demux" else "address"):
        table.refuse_value("select", "demux with address, shift with latch")
    return ReaderBank(
        checked_id(table, None, id_), count, pico.id, (spi[0], spi[1], spi[2]), select, enable, pins
    )


def _claim_pins(table: TomlTable, key: str, pico: PicoPins, owner: str, expected: str) -> tuple[int, ...]:
    gpios = table.list(key, expected)
    if not all(is_integer(gpio) for gpio in gpios):
        table.refuse_value(key, expected)
    for gpio in gpios:
        pico.claim_pin(table, key, gpio, owner)
    return tuple(gpios)


def pad(id_: str, table: TomlTable, pico: PicoPins | None, size: BoardPoint) -> TagPad:
    """`[pads.ID]`: a PN532 on a serial line of a Pico, or of the Pi. Refuses the file where it is wrong."""
    table.refuse_unknown_keys("at", "pico", "uart")
    uart = None
    if pico is not None:
        expected = "[out, in] of UART0 or UART1: GP pins"
        gpios = _claim_pins(table, "uart", pico, f"pad {id_}", expected)
        if len(gpios) != 2 or not any(
            gpios[0] in out and gpios[1] in into for out, into in _UART_PIN_CHOICES
        ):
            table.refuse_value("uart", expected)
        uart = (gpios[0], gpios[1])
    elif table.has("uart"):
        table.fail("uart", "uart of a pad that hangs on no Pico", "pico, or no such key")
    return TagPad(checked_id(table, None, id_), read_position(table, size), pico.id if pico else None, uart)
