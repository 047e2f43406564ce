"""One branch of each circuit of a board with all its parts, to be built as it is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boardrules.art import INK
from boardrules.shapes import Box, Paint, Shape, Text
from boardumpire.printing.pinout import titled
from boardumpire.printing.symbols import WIDE, Leg, Part, branch
from boardware.making.bill import fuse_of, ohms_said, selector
from boardware.parts import Bank, Board, Buffered, Chain

_STEP: Final = 40.0
"""mm from branch to branch."""
_GATES: Final = ((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11))
"""Pins of the four gates of a 74AHCT125 (or 74HCT125): not OE, A, Y."""
_GROUND: Final = Leg("", "GND")
Branch = tuple[str, tuple[Part, ...]]


def circuit(board: Board) -> tuple[tuple[Shape, ...], float, float]:
    """One branch of each circuit with its parts, and the drawing's size in mm."""
    lines = list(branches(board))
    high = _STEP * len(lines) + 8
    shapes: list[Shape] = [Box(0, 0, WIDE, high, Paint("#ffffff"))]
    for number, (title, parts) in enumerate(lines):
        y = high - 26 - _STEP * number
        shapes.append(Text(8, y + 18, 4.2, title, INK, "start", bold=True))
        shapes += branch(parts, y)
    return tuple(shapes), WIDE, high


def branches(board: Board) -> Iterator[Branch]:
    """By title the parts of one branch of each circuit, in their order."""
    for bank in board.banks.values():
        yield from _matrix(board, bank)
        if bank.wires.buffered is not None or bank.pico is not None:
            break  # the others are alike
    for chain in board.chains.values():
        yield from _lamps(board, chain)
        break
    for readers in board.reader_banks.values():
        chip = (Leg("supply", "3.3 V"), _GROUND)
        yield (
            f"A reader of {readers.id}",
            (
                Part("pin", "clock, data out"), Part("chip", selector(readers)[0], chip, "in", "Q"),
                Part("up resistor", "10 kOhm", (Leg("", "3.3 V"),)),
                Part("chip", "MFRC522", chip, "SDA", "MISO"), Part("pin", "data in"),
            ),
        )  # fmt: skip
    if board.pads:
        chip = (Leg("supply", "3.3 V"), _GROUND)
        yield (
            "A pad",
            (Part("pin", "serial out"), Part("chip", "PN532", chip, "RX", "TX"), Part("pin", "serial in")),
        )
    if board.buttons:
        yield "A button", (Part("pin", "button"), Part("switch", "button"), Part("earth", "GND"))
    if board.buzzer:
        yield "Buzzer", tuple(_buzzer())


def _matrix(board: Board, bank: Bank) -> Iterator[Branch]:
    wires = bank.wires
    if wires.buffered is not None:
        yield from _buffered(bank.id, wires.buffered)
        return
    sensor = (board.sensing.sensor if board.sensing else "reed").split(" ")[0]
    parts = [Part("pin", "row")]
    if wires.row_ohm:
        parts.append(Part("resistor", ohms_said(wires.row_ohm)))
    parts.append(Part("node", "row wire"))
    if bank.diodes:
        parts.append(Part("diode", wires.diode))
    parts += [Part("switch", sensor), Part("node", "column wire")]
    if wires.pull_down_ohm:
        parts.append(Part("down resistor", ohms_said(wires.pull_down_ohm), (_GROUND,)))
    yield f"One space of {titled('matrix', bank.id)}", (*parts, Part("pin", "column"))


def _buffered(bank: str, buffered: Buffered) -> Iterator[Branch]:
    """How a row enables its buffers, and what they do with a switch's output."""
    chip = (Leg("20", "3.3 V"), Leg("10, 1, 19", "GND"))
    yield (
        f"A row of matrix {bank}",
        (
            Part("pin", "row"), Part("down resistor", "10 kOhm", (_GROUND,)),
            Part("chip", "74HC540", chip, "A", "Y"), Part("rail", "1 and 19 of row's"),
        ),
    )  # fmt: skip
    supplied = (Leg("supply", f"{buffered.volts:g} V"), _GROUND)
    yield (
        f"A space of matrix {bank}",
        (
            Part("chip", "Hall switch", supplied, "", "out"),
            Part("up resistor", "10 kOhm", (Leg("", "3.3 V"),)),
            Part("chip", "74HC540", (Leg("20", "3.3 V"), Leg("10", "GND")), "A", "Y"),
            Part("node", "column wire"), Part("pin", "column"),
        ),
    )  # fmt: skip


def _lamps(board: Board, chain: Chain) -> Iterator[Branch]:
    volts = f"{chain.wires.supply:g} V"
    after = f"{volts} after the fuse"
    lamp = (Leg("VDD", after), _GROUND)
    low, in_, out = _GATES[0]
    shifter = (
        Part("down resistor", "10 kOhm", (_GROUND,)),
        Part("chip", "74AHCT125", (Leg("14", after), Leg(f"7, {low}", "GND")), f"{in_}", f"{out}"),
    )
    yield (
        f"Data of {titled('lamps', chain.id)}",
        (
            Part("pin", "data"), *(shifter if chain.wires.shifter else ()), Part("resistor", "330 Ohm"),
            Part("chip", "lamp 0", lamp, "DIN", "DOUT"), Part("chip", "lamp 1", lamp, "DIN", "DOUT"),
            Part("more", "..."),
        ),
    )  # fmt: skip
    if chain.wires.shifter:
        yield _shifter(board, chain, after)
    store = Part("down capacitor", "1000 uF", (_GROUND,))
    loads = tuple(Part("down load", f"lamp {number}", (_GROUND,)) for number in (0, 1))
    end = (store, Part("rail", after)) if chain.wires.feeds == 2 else ()
    fuse = Part("fuse", f"{fuse_of(board):g} A slow")
    yield (
        f"Supply of {titled('lamps', chain.id)}",
        (Part("rail", volts), fuse, Part("node", after), store, *loads, Part("more", "..."), *end),
    )


def _shifter(board: Board, chain: Chain, after: str) -> Branch:
    """What its other pins hang on: gates that are not used are off, and their inputs don't float."""
    used = min(4, sum(each.pico == chain.pico and each.wires.shifter for each in board.chains.values()))
    legs = [Leg("7", "GND")]
    if used < 4:
        off = ", ".join(str(gate[0]) for gate in _GATES[used:])
        still = ", ".join(str(gate[1]) for gate in _GATES[used:])
        legs = [Leg(off, after), Leg(f"7, {still}", "GND")]
    small = Part("down capacitor", "100 nF", (_GROUND,))
    return "Supply of the level shifter", (
        Part("rail", after),
        small,
        Part("chip", "74AHCT125", tuple(legs), "14"),
    )


def _buzzer() -> Iterator[Part]:
    yield Part("pin", "buzzer")
    yield Part("resistor", "1 kOhm")
    yield Part("down resistor", "10 kOhm", (_GROUND,))
    yield Part("chip", "2N3904", (Leg("E", "GND"),), "B", "C")
    yield Part("shunted", "buzzer", (Leg("1N4148", ""),), "-", "+")
    yield Part("rail", "5 V")
