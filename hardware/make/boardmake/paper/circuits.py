"""One branch of each circuit of a board with all its parts, to be built as it is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boardmake.making.bill import format_ohms, lamp_fuse_a, select_chip
from boardmake.making.power import PI_FUSE_A
from boardmake.paper.pinout import title_with_id
from boardmake.paper.symbols import DRAWING_WIDTH_MM, SymbolPart, SymbolPin, branch_shapes
from boardrules.art import INK
from boardrules.shapes import Paint, Rectangle, Shape, TextShape
from boardware.parts import BoardDescription, BufferedWiring, LampChain, MatrixBank

_BRANCH_SPACING_MM: Final = 40.0
"""mm from branch to branch."""
_GATE_PINS: Final = ((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11))
"""Pins of the four gates of a 74AHCT125 (or 74HCT125): not OE, A, Y."""
_GROUND_PIN: Final = SymbolPin("", "GND")
CircuitBranch = tuple[str, tuple[SymbolPart, ...]]


def draw_circuit(board: BoardDescription) -> tuple[tuple[Shape, ...], float, float]:
    """One branch of each circuit with its parts, and the drawing's size in mm."""
    lines = list(circuit_branches(board))
    high = _BRANCH_SPACING_MM * len(lines) + 8
    shapes: list[Shape] = [Rectangle(0, 0, DRAWING_WIDTH_MM, high, Paint("#ffffff"))]
    for number, (title, parts) in enumerate(lines):
        y = high - 26 - _BRANCH_SPACING_MM * number
        shapes.append(TextShape(8, y + 18, 4.2, title, INK, "start", bold=True))
        shapes += branch_shapes(parts, y)
    return tuple(shapes), DRAWING_WIDTH_MM, high


_GUARD_DIODE = SymbolPart("down diode", "1N5822", (_GROUND_PIN,))


def circuit_branches(board: BoardDescription) -> Iterator[CircuitBranch]:
    """By title the parts of one branch of each circuit, in their order."""
    for bank in board.banks.values():
        yield from _matrix_branch(board, bank)
        if bank.wires.buffered_wiring is not None or bank.pico is not None:
            break  # the others are alike
    for chain in board.chains.values():
        yield from _lamp_branches(board, chain)
        break
    plug = (
        SymbolPart("fuse", f"{PI_FUSE_A:g} A slow"),
        _GUARD_DIODE,
        SymbolPart("pin", "USB plug of the Pi"),
    )
    yield "Supply of the Raspberry Pi", (SymbolPart("rail", "5 V, star point"), *plug)
    for readers in board.reader_banks.values():
        chip = (SymbolPin("supply", "3.3 V"), _GROUND_PIN)
        yield (
            f"A reader of {readers.id}",
            (
                SymbolPart("pin", "clock, data out"),
                SymbolPart("chip", select_chip(readers)[0], chip, "in", "Q"),
                SymbolPart("up resistor", "10 kOhm", (SymbolPin("", "3.3 V"),)),
                SymbolPart("chip", "MFRC522", chip, "SDA", "MISO"), SymbolPart("pin", "data in"),
            ),
        )  # fmt: skip
    if board.pads:
        chip = (SymbolPin("supply", "3.3 V"), _GROUND_PIN)
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
        yield "Buzzer", tuple(_buzzer_parts())


def _matrix_branch(board: BoardDescription, bank: MatrixBank) -> Iterator[CircuitBranch]:
    wires = bank.wires
    if wires.buffered_wiring is not None:
        yield from _buffered_branches(bank.id, wires.buffered_wiring)
        return
    sensor = (board.sensor_design.sensor if board.sensor_design else "reed").split(" ")[0]
    parts = [SymbolPart("pin", "row")]
    if wires.row_ohm:
        parts.append(SymbolPart("resistor", format_ohms(wires.row_ohm)))
    parts.append(SymbolPart("node", "row wire"))
    if bank.has_diodes:
        parts.append(SymbolPart("diode", wires.diode_name))
    parts += [SymbolPart("switch", sensor), SymbolPart("node", "column wire")]
    if wires.pull_down_ohm:
        parts.append(SymbolPart("down resistor", format_ohms(wires.pull_down_ohm), (_GROUND_PIN,)))
    yield f"One space of {title_with_id('matrix', bank.id)}", (*parts, SymbolPart("pin", "column"))


def _buffered_branches(bank: str, buffered: BufferedWiring) -> Iterator[CircuitBranch]:
    """How a row enables its buffers, and what they do with a switch's output."""
    chip = (SymbolPin("20", "3.3 V"), SymbolPin("10, 1, 19", "GND"))
    yield (
        f"A row of matrix {bank}",
        (
            SymbolPart("pin", "row"), SymbolPart("down resistor", "10 kOhm", (_GROUND_PIN,)),
            SymbolPart("chip", "74HC540", chip, "A", "Y"), SymbolPart("rail", "1 and 19 of row's"),
        ),
    )  # fmt: skip
    supplied = (SymbolPin("supply", f"{buffered.supply_v:g} V"), _GROUND_PIN)
    yield (
        f"A space of matrix {bank}",
        (
            SymbolPart("chip", "Hall switch", supplied, "", "out"),
            SymbolPart("up resistor", "10 kOhm", (SymbolPin("", "3.3 V"),)),
            SymbolPart("chip", "74HC540", (SymbolPin("20", "3.3 V"), SymbolPin("10", "GND")), "A", "Y"),
            SymbolPart("node", "column wire"), SymbolPart("pin", "column"),
        ),
    )  # fmt: skip


def _lamp_branches(board: BoardDescription, chain: LampChain) -> Iterator[CircuitBranch]:
    volts = f"{chain.wires.supply_v:g} V"
    after = f"{volts} after the fuse"
    lamp = (SymbolPin("VDD", after), _GROUND_PIN)
    low, in_, out = _GATE_PINS[0]
    shifter = (
        SymbolPart("down resistor", "10 kOhm", (_GROUND_PIN,)),
        SymbolPart(
            "chip", "74AHCT125", (SymbolPin("14", after), SymbolPin(f"7, {low}", "GND")), f"{in_}", f"{out}"
        ),
    )
    yield (
        f"Data of {title_with_id('lamps', chain.id)}",
        (
            SymbolPart("pin", "data"), *(shifter if chain.wires.has_level_shifter else ()),
            SymbolPart("resistor", "330 Ohm"),
            SymbolPart("chip", "lamp 0", lamp, "DIN", "DOUT"),
            SymbolPart("chip", "lamp 1", lamp, "DIN", "DOUT"),
            SymbolPart("more", "..."),
        ),
    )  # fmt: skip
    if chain.wires.has_level_shifter:
        yield _shifter_branch(board, chain, after)
    store = SymbolPart("down capacitor", "1000 uF", (_GROUND_PIN,))
    loads = tuple(SymbolPart("down load", f"lamp {number}", (_GROUND_PIN,)) for number in (0, 1))
    end = (store, SymbolPart("rail", after)) if chain.wires.feed_count == 2 else ()
    fuse = SymbolPart("fuse", f"{lamp_fuse_a(board):g} A slow")
    yield (
        f"Supply of {title_with_id('lamps', chain.id)}",
        (
            SymbolPart("rail", volts),
            fuse,
            SymbolPart("node", after),
            _GUARD_DIODE,
            store,
            *loads,
            SymbolPart("more", "..."),
            *end,
        ),
    )


def _shifter_branch(board: BoardDescription, chain: LampChain, after: str) -> CircuitBranch:
    """What its other pins hang on: gates that are not used are off, and their inputs don't float."""
    used = min(
        4, sum(each.pico == chain.pico and each.wires.has_level_shifter for each in board.chains.values())
    )
    legs = [SymbolPin("7", "GND")]
    if used < 4:
        off = ", ".join(str(gate[0]) for gate in _GATE_PINS[used:])
        still = ", ".join(str(gate[1]) for gate in _GATE_PINS[used:])
        legs = [SymbolPin(off, after), SymbolPin(f"7, {still}", "GND")]
    small = SymbolPart("down capacitor", "100 nF", (_GROUND_PIN,))
    return "Supply of the level shifter", (
        SymbolPart("rail", after),
        small,
        SymbolPart("chip", "74AHCT125", tuple(legs), "14"),
    )


def _buzzer_parts() -> Iterator[SymbolPart]:
    yield SymbolPart("pin", "buzzer")
    yield SymbolPart("resistor", "1 kOhm")
    yield SymbolPart("down resistor", "10 kOhm", (_GROUND_PIN,))
    yield SymbolPart("chip", "2N3904", (SymbolPin("E", "GND"),), "B", "C")
    yield SymbolPart("shunted", "buzzer", (SymbolPin("1N4148", ""),), "-", "+")
    yield SymbolPart("rail", "5 V")
