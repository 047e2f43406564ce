"""The wiring of a board as a table, made from its board file: `python -m boardware.wiring BOARD`."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from boardware.description import load_board
from boardware.errors import BoardFileError
from boardware.header import HEADER_PIN_BY_GPIO, MOSI_GPIO, PWM_GPIO
from boardware.parts import BoardDescription, MatrixBank
from boardware.pico_pins import EDGE_PIN_BY_GPIO as PICO_PHYSICAL


def pin_table(board: BoardDescription) -> str:
    """A Markdown table of the pins that the board uses: of the header in its order, then of each Pico."""
    tables = []
    rows = sorted((HEADER_PIN_BY_GPIO[gpio], gpio, what) for gpio, what in pin_uses(board, None))
    if rows:
        lines = ["| header pin | GPIO | goes to |", "|---:|---:|---|"]
        tables.append(lines + [f"| {pin} | {gpio} | {what} |" for pin, gpio, what in rows])
    for pico in board.picos:
        lines = [f"| pin of Pico `{pico}` | GP | goes to |", "|---:|---:|---|"]
        used = sorted((PICO_PHYSICAL[gpio], gpio, what) for gpio, what in pin_uses(board, pico))
        tables.append(lines + [f"| {pin} | {gpio} | {what} |" for pin, gpio, what in used])
    return "\n\n".join("\n".join(lines) for lines in tables) + "\n"


def pin_uses(board: BoardDescription, pico: str | None) -> Iterator[tuple[int, str]]:
    """What hangs on which GPIO of the header, or of a Pico."""
    for bank in board.banks.values():
        if bank.pico != pico:
            continue
        for number, gpio in enumerate(bank.rows):
            yield gpio, f"row {number} of `{bank.id}`{_slot_range_text(board, bank, row=number)}"
        for number, gpio in enumerate(bank.columns):
            yield gpio, f"column {number} of `{bank.id}`{_slot_range_text(board, bank, column=number)}"
    yield from _reader_pin_uses(board, pico)
    for button in board.buttons.values():
        if button.pico == pico:
            yield button.gpio, f"button `{button.id}`, its other side to ground"
    if board.buzzer is not None and board.buzzer.pico == pico:
        yield board.buzzer.gpio, "buzzer, through a transistor"
    for chain in board.chains.values():
        if chain.pico != pico:
            continue
        if chain.gpio is not None:
            yield chain.gpio, f"data of lamps `{chain.id}`"
        if "spi" in chain.drive_methods:
            yield MOSI_GPIO, f"data of lamps `{chain.id}` by SPI"
        if "pwm" in chain.drive_methods:
            yield PWM_GPIO, f"data of lamps `{chain.id}` by PWM"
        for gpio in chain.claimed_gpios:
            if gpio not in (MOSI_GPIO, PWM_GPIO):
                yield gpio, "taken by SPI: leave open"


def _reader_pin_uses(board: BoardDescription, pico: str | None) -> Iterator[tuple[int, str]]:
    for bank in board.reader_banks.values():
        if bank.pico != pico:
            continue
        also = " and their 74HC595" if bank.select_method == "shift" else ""
        for gpio, what, whose in zip(
            bank.spi, ("clock", "data out", "data in"), (also, also, ""), strict=True
        ):
            yield gpio, f"SPI {what} of readers `{bank.id}`{whose}"
        named = "latch" if bank.select_method == "shift" else "address"
        yield bank.enable_pin, f"enable of readers `{bank.id}`, low while one is selected"
        for place, gpio in enumerate(bank.select_pins):
            number = f" bit {place}" if bank.select_method == "demux" else ""
            yield gpio, f"{named}{number} of readers `{bank.id}`"
    for pad in board.pads.values():
        if pad.pico == pico and pad.uart is not None:
            yield pad.uart[0], f"RX of pad `{pad.id}`"
            yield pad.uart[1], f"TX of pad `{pad.id}`"


def _slot_range_text(
    board: BoardDescription, bank: MatrixBank, row: int | None = None, column: int | None = None
) -> str:
    """The first and the last slot on that row or column."""
    on_it = [
        slot
        for at, slot in sorted(board.slots_by_contact.items())
        if at.bank == bank.id and row in (None, at.row) and column in (None, at.column)
    ]
    return f": {on_it[0]} to {on_it[-1]}" if on_it else ""


def main(arguments: list[str]) -> int:
    """Print the table of the board named by the one argument. Returns the exit status."""
    try:
        (name,) = arguments
        print(pin_table(load_board(name)), end="")
    except ValueError:
        print(
            "usage: python -m boardware.wiring BOARD (a shipped name, or the path of a file)", file=sys.stderr
        )
        return 2
    except BoardFileError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
