"""One branch of each circuit of a board with all its parts, to be built as it is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boardmake.making.bill import fuse_of, ohms_said, selector
from boardmake.making.power import PI_FUSE_A
from boardmake.paper.pinout import titled
from boardmake.paper.symbols import WIDE, SymbolPart, SymbolPin, branch
from boardrules.art import INK
from boardrules.shapes import Paint, Rectangle, Shape, TextShape
from boardware.parts import BoardDescription, BufferedWiring, LampChain, MatrixBank

_STEP: Final = 40.0
"""mm from branch to branch."""
_GATES: Final = ((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11))
"""Pins of the four gates of a 74AHCT125 (or 74HCT125): not OE, A, Y."""
_GROUND: Final = SymbolPin("", "GND")
Branch = tuple[str, tuple[SymbolPart, ...]]


def circuit(board: BoardDescription) -> tuple[tuple[Shape, ...], float, float]:
    """One branch of each circuit with its parts, and the drawing's size in mm."""
    lines = list(branches(board))
    high = _STEP * len(lines) + 8
    shapes: list[Shape] = [Rectangle(0, 0, WIDE, high, Paint("#ffffff"))]
    for number, (title, parts) in enumerate(lines):
        y = high - 26 - _STEP * number
        shapes.append(TextShape(8, y + 18, 4.2, title, INK, "start", bold=True))
        shapes += branch(parts, y)
    return tuple(shapes), WIDE, high


_GUARD = SymbolPart("down diode", "1N5822", (_GROUND,))


def branches(board: BoardDescription) -> Iterator[Branch]:
    """By title the parts of one branch of each circuit, in their order."""
    for bank in board.banks.values():
        yield from _matrix(board, bank)
        if bank.wires.buffered is not None or bank.pico is not None:
            break  # the others are alike
    for chain in board.chains.values():
        yield from _lamps(board, chain)
        break
    plug = (SymbolPart("fuse", f"{PI_FUSE_A:g} A slow"), _GUARD, SymbolPart("pin", "USB plug of the Pi"))
    yield "Supply of the Raspberry Pi", (SymbolPart("rail", "5 V, star point"), *plug)
    for readers in board.reader_banks.values():
        chip = (SymbolPin("supply", "3.3 V"), _GROUND)
        yield (
            f"A reader of {readers.id}",
            (
                SymbolPart("pin", "clock, data out"),
                SymbolPart("chip", selector(readers)[0], chip, "in", "Q"),
                SymbolPart("up resistor", "10 kOhm", (SymbolPin("", "3.3 V"),)),
                SymbolPart("chip", "MFRC522", chip, "SDA", "MISO"), SymbolPart("pin", "data in"),
            ),
        )  # fmt: skip
    if board.pads:
        chip = (SymbolPin("supply", "3.3 V"), _GROUND)
        yield (
            "A pad",
            (
                SymbolPart("pin", "serial out"),
                SymbolPart("chip", "PN532", chip, "RX", "TX"),
                SymbolPart("pin", "serial in"),
            ),
        )
    if board.buttons:
        yield (
            "A button",
            (SymbolPart("pin", "button"), SymbolPart("switch", "button"), SymbolPart("earth", "GND")),
        )
    if board.buzzer:
        yield "Buzzer", tuple(_buzzer())


def _matrix(board: BoardDescription, bank: MatrixBank) -> Iterator[Branch]:
    wires = bank.wires
    if wires.buffered is not None:
        yield from _buffered(bank.id, wires.buffered)
        return
    sensor = (board.sensing.sensor if board.sensing else "reed").split(" ")[0]
    parts = [SymbolPart("pin", "row")]
    if wires.row_ohm:
        parts.append(SymbolPart("resistor", ohms_said(wires.row_ohm)))
    parts.append(SymbolPart("node", "row wire"))
    if bank.diodes:
        parts.append(SymbolPart("diode", wires.diode))
    parts += [SymbolPart("switch", sensor), SymbolPart("node", "column wire")]
    if wires.pull_down_ohm:
        parts.append(SymbolPart("down resistor", ohms_said(wires.pull_down_ohm), (_GROUND,)))
    yield f"One space of {titled('matrix', bank.id)}", (*parts, SymbolPart("pin", "column"))


def _buffered(bank: str, buffered: BufferedWiring) -> Iterator[Branch]:
    """How a row enables its buffers, and what they do with a switch's output."""
    chip = (SymbolPin("20", "3.3 V"), SymbolPin("10, 1, 19", "GND"))
    yield (
        f"A row of matrix {bank}",
        (
            SymbolPart("pin", "row"), SymbolPart("down resistor", "10 kOhm", (_GROUND,)),
            SymbolPart("chip", "74HC540", chip, "A", "Y"), SymbolPart("rail", "1 and 19 of row's"),
        ),
    )  # fmt: skip
    supplied = (SymbolPin("supply", f"{buffered.volts:g} V"), _GROUND)
    yield (
        f"A space of matrix {bank}",
        (
            SymbolPart("chip", "Hall switch", supplied, "", "out"),
            SymbolPart("up resistor", "10 kOhm", (SymbolPin("", "3.3 V"),)),
            SymbolPart("chip", "74HC540", (SymbolPin("20", "3.3 V"), SymbolPin("10", "GND")), "A", "Y"),
            SymbolPart("node", "column wire"), SymbolPart("pin", "column"),
        ),
    )  # fmt: skip


def _lamps(board: BoardDescription, chain: LampChain) -> Iterator[Branch]:
    volts = f"{chain.wires.supply:g} V"
    after = f"{volts} after the fuse"
    lamp = (SymbolPin("VDD", after), _GROUND)
    low, in_, out = _GATES[0]
    shifter = (
        SymbolPart("down resistor", "10 kOhm", (_GROUND,)),
        SymbolPart(
            "chip", "74AHCT125", (SymbolPin("14", after), SymbolPin(f"7, {low}", "GND")), f"{in_}", f"{out}"
        ),
    )
    yield (
        f"Data of {titled('lamps', chain.id)}",
        (
            SymbolPart("pin", "data"), *(shifter if chain.wires.shifter else ()),
            SymbolPart("resistor", "330 Ohm"),
            SymbolPart("chip", "lamp 0", lamp, "DIN", "DOUT"),
            SymbolPart("chip", "lamp 1", lamp, "DIN", "DOUT"),
            SymbolPart("more", "..."),
        ),
    )  # fmt: skip
    if chain.wires.shifter:
        yield _shifter(board, chain, after)
    store = SymbolPart("down capacitor", "1000 uF", (_GROUND,))
    loads = tuple(SymbolPart("down load", f"lamp {number}", (_GROUND,)) for number in (0, 1))
    end = (store, SymbolPart("rail", after)) if chain.wires.feeds == 2 else ()
    fuse = SymbolPart("fuse", f"{fuse_of(board):g} A slow")
    yield (
        f"Supply of {titled('lamps', chain.id)}",
        (
            SymbolPart("rail", volts),
            fuse,
            SymbolPart("node", after),
            _GUARD,
            store,
            *loads,
            SymbolPart("more", "..."),
            *end,
        ),
    )


def _shifter(board: BoardDescription, chain: LampChain, after: str) -> Branch:
    """What its other pins hang on: gates that are not used are off, and their inputs don't float."""
    used = min(4, sum(each.pico == chain.pico and each.wires.shifter for each in board.chains.values()))
    legs = [SymbolPin("7", "GND")]
    if used < 4:
        off = ", ".join(str(gate[0]) for gate in _GATES[used:])
        still = ", ".join(str(gate[1]) for gate in _GATES[used:])
        legs = [SymbolPin(off, after), SymbolPin(f"7, {still}", "GND")]
    small = SymbolPart("down capacitor", "100 nF", (_GROUND,))
    return "Supply of the level shifter", (
        SymbolPart("rail", after),
        small,
        SymbolPart("chip", "74AHCT125", tuple(legs), "14"),
    )


def _buzzer() -> Iterator[SymbolPart]:
    yield SymbolPart("pin", "buzzer")
    yield SymbolPart("resistor", "1 kOhm")
    yield SymbolPart("down resistor", "10 kOhm", (_GROUND,))
    yield SymbolPart("chip", "2N3904", (SymbolPin("E", "GND"),), "B", "C")
    yield SymbolPart("shunted", "buzzer", (SymbolPin("1N4148", ""),), "-", "+")
    yield SymbolPart("rail", "5 V")
