"""Drawings of what hangs on which pin, and of one branch of each circuit with all its parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from boardrules.art import BLUE, GREEN, INK, ORANGE, PAPER, PURPLE, RED, SOFT
from boardrules.shapes import Box, Paint, Shape, Text, Way, disc
from boardware.header import PHYSICAL as HEADER
from boardware.making.bill import fuse_of, ohms_said, selector
from boardware.parts import Board, Fed
from boardware.pico_pins import PHYSICAL as PICO
from boardware.wiring import uses

_HEADER_RAILS: Final = {
    **dict.fromkeys((1, 17), "3.3 V"), **dict.fromkeys((2, 4), "5 V"),
    **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "GND"),
}  # fmt: skip
_PICO_RAILS: Final = {
    40: "VBUS", 39: "VSYS", 37: "3V3_EN", 36: "3V3", 35: "ADC_VREF", 30: "RUN",
    **dict.fromkeys((3, 8, 13, 18, 23, 28, 33, 38), "GND"),
}  # fmt: skip
_KINDS: Final = (
    ("row", RED), ("column", BLUE), ("data of", ORANGE), ("button", GREEN), ("buzzer", PURPLE), ("", INK),
)  # fmt: skip
_STEP: Final = 6.0


class _Pin(NamedTuple):
    number: int
    name: str
    use: str


def pinout(board: Board, pico: str | None) -> tuple[tuple[Shape, ...], float, float]:
    """The header, or one Pico, from above with what goes to each pin; and the drawing's size in mm."""
    numbers, prefix, rails = (HEADER, "GPIO", _HEADER_RAILS) if pico is None else (PICO, "GP", _PICO_RAILS)
    used = {numbers[gpio]: what.replace("`", "") for gpio, what in uses(board, pico)}
    named = {pin: f"{prefix}{gpio}" for gpio, pin in numbers.items()}
    pins = {
        number: _Pin(number, rails.get(number, named.get(number, "")), used.get(number, ""))
        for number in range(1, 41)
    }
    left, right = _sides(pins, header=pico is None)
    title = "Raspberry Pi, 40-pin header" if pico is None else f"Raspberry Pi Pico {pico}"
    wide, high = 240.0, 20 * _STEP + 32
    return tuple(_drawn(title, left, right, wide, high)), wide, high


def _sides(pins: Mapping[int, _Pin], *, header: bool) -> tuple[list[_Pin], list[_Pin]]:
    """From above: of the header odd pins left and even ones right; of a Pico, its USB above, 1 to 20 down
    and 40 to 21."""
    if header:
        return [pins[n] for n in range(1, 41, 2)], [pins[n] for n in range(2, 41, 2)]
    return [pins[n] for n in range(1, 21)], [pins[n] for n in range(40, 20, -1)]


def _drawn(title: str, left: list[_Pin], right: list[_Pin], wide: float, high: float) -> Iterator[Shape]:
    yield Box(0, 0, wide, high, Paint("#ffffff"))
    yield Text(wide / 2, high - 10, 6, title, INK, bold=True)
    middle, top = wide / 2, high - 20
    yield Box(middle - 24, top - 20 * _STEP - 2, 48, 20 * _STEP + 4, Paint(PAPER, INK, 0.6), 2)
    for side, pins in ((-1, left), (1, right)):
        for place, pin in enumerate(pins):
            x, y = middle + side * 24, top - (place + 0.5) * _STEP
            anchor, inner = ("end", "start") if side < 0 else ("start", "end")
            ink = _ink(pin)
            yield Text(
                x - side * 2,
                y - 1.1,
                3.0,
                f"{pin.number}  {pin.name}".strip() if side < 0 else f"{pin.name}  {pin.number}".strip(),
                INK if pin.name else SOFT,
                inner,
            )
            yield disc(x, y, 2.4, Paint(ink if pin.use else "#ffffff", INK, 0.3))
            if pin.use:
                yield Way(((x + side * 1.4, y), (x + side * 8, y)), Paint(None, ink, 0.8))
                yield Text(x + side * 9.5, y - 1.1, 3.0, pin.use, ink, anchor)


def _ink(pin: _Pin) -> str:
    return next(ink for start, ink in _KINDS if pin.use.startswith(start))


def circuit(board: Board) -> tuple[tuple[Shape, ...], float, float]:
    """One branch of each circuit with its parts, and the drawing's size in mm."""
    lines = list(_branches(board))
    wide, step = 240.0, 34.0
    high = step * len(lines) + 8
    shapes: list[Shape] = [Box(0, 0, wide, high, Paint("#ffffff"))]
    for number, (title, parts) in enumerate(lines):
        y = high - 26 - step * number
        shapes.append(Text(8, y + 14, 4.2, title, INK, "start", bold=True))
        shapes += _branch(parts, y)
    return tuple(shapes), wide, high


def _branches(board: Board) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    """Title, and the parts in their order as (kind, text)."""
    for bank in board.banks.values():
        wires = bank.wires
        if wires.fed is not None:
            yield from _fed(bank.id, wires.fed)
            break
        diode = (("diode", wires.diode),) if bank.diodes else ()
        resistor = (("resistor", ohms_said(wires.row_ohm)),) if wires.row_ohm else ()
        sensor = (board.sensing.sensor if board.sensing else "reed").split(" ")[0]
        pull = (("ground", f"{ohms_said(wires.pull_down_ohm)} to ground"),) if wires.pull_down_ohm else ()
        parts = (
            ("pin", "row"), *resistor, ("node", "row wire"), *diode, ("switch", sensor),
            ("node", "column wire"), *pull, ("pin", "column"),
        )  # fmt: skip
        yield f"One space of matrix {bank.id}", parts
        if bank.pico is not None:
            break  # the others are alike
    for chain in board.chains.values():
        shift = (("box", "74AHCT125"),) if chain.wires.shifter else ()
        parts = (
            ("pin", "data"),
            *shift,
            ("resistor", "330 Ohm"),
            ("box", "lamp 0"),
            ("box", "lamp 1"),
            ("more", "..."),
        )
        yield f"Data of lamps {chain.id}", parts
        fed = (("rail", f"{chain.wires.supply:g} V"), ("fuse", f"{fuse_of(board):g} A slow"),
               ("ground", "1000 uF"), ("box", "lamp 0"), ("box", "lamp 1"), ("more", "..."))  # fmt: skip
        both = (("rail", f"{chain.wires.supply:g} V"),) if chain.wires.feeds == 2 else ()
        yield f"Supply of lamps {chain.id}", (*fed, *both)
        break
    for readers in board.reader_banks.values():
        parts = (
            ("pin", "clock, data out"), ("box", selector(readers)[0]), ("node", "10 kOhm to 3.3 V"),
            ("box", "MFRC522"), ("pin", "data in"),
        )  # fmt: skip
        yield f"A reader of {readers.id}", parts
    if board.pads:
        yield "A pad", (("pin", "serial out"), ("box", "RX, PN532, TX"), ("pin", "serial in"))
    if board.buttons:
        yield "A button", (("pin", "button"), ("switch", "button"), ("earth", "GND"))
    if board.buzzer:
        parts = (
            ("pin", "buzzer"), ("resistor", "1 kOhm"), ("ground", "10 kOhm"), ("box", "NPN base"),
            ("box", "collector"), ("node", "1N4148 across:"), ("box", "buzzer"), ("rail", "5 V"),
        )  # fmt: skip
        yield "Buzzer", parts


def _fed(bank: str, fed: Fed) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    """How a row feeds its switches, and what their outputs do."""
    feeds = (
        ("pin", "row"), ("resistor", "10 kOhm"), ("box", "NPN base"), ("box", "collector"),
        ("resistor", "1 kOhm"), ("node", f"10 kOhm to {fed.volts:g} V"), ("box", "P-MOSFET"),
        ("rail", "row's supply"),
    )  # fmt: skip
    yield f"A row of matrix {bank}", feeds
    reads = (
        ("rail", "row's supply"), ("box", "Hall switch"), ("node", f"{ohms_said(fed.pull_up_ohm)} to 3.3 V"),
        ("box", "74HC540"), ("pin", "column"),
    )  # fmt: skip
    yield f"A column of matrix {bank}", reads


def _branch(parts: tuple[tuple[str, str], ...], y: float) -> Iterator[Shape]:
    step = min(34.0, 220 / len(parts))
    line = Paint(None, INK, 0.6)
    yield Way(((10 + step / 2, y), (10 + step * (len(parts) - 0.5), y)), line)
    for number, (kind, text) in enumerate(parts):
        x = 10 + step * (number + 0.5)
        yield from _part(kind, text, x, y)


def _part(kind: str, text: str, x: float, y: float) -> Iterator[Shape]:
    line, white = Paint(None, INK, 0.6), Paint("#ffffff", INK, 0.6)
    below = y - 9.0
    match kind:
        case "resistor" | "fuse":
            yield Box(x - 6, y - 2.2, 12, 4.4, white)
            if kind == "fuse":
                yield Way(((x - 6, y), (x + 6, y)), line)
        case "diode":
            yield Way(((x - 3, y + 3), (x - 3, y - 3), (x + 3, y)), Paint(INK, INK, 0.4), closed=True)
            yield Way(((x + 3, y + 3), (x + 3, y - 3)), Paint(None, INK, 0.9))
        case "switch":
            yield Box(x - 5, y - 1, 10, 2, Paint("#ffffff"))
            yield Way(((x - 5, y), (x + 4, y + 4)), line)
            yield disc(x - 5, y, 1.4, Paint(INK))
            yield disc(x + 5, y, 1.4, Paint(INK))
        case "node":
            yield disc(x, y, 1.8, Paint(INK))
            yield Way(((x, y), (x, y - 5)), line)
        case "ground":
            yield Way(((x, y), (x, y - 4)), line)
            for row, half in enumerate((4.0, 2.6, 1.2)):
                yield Way(((x - half, y - 4 - row), (x + half, y - 4 - row)), line)
        case "earth":
            for row, half in enumerate((4.0, 2.6, 1.2)):
                yield Way(((x - half, y - row), (x + half, y - row)), line)
        case "more":
            yield Box(x - 4, y - 2, 10, 4, Paint("#ffffff"))
        case "box":
            yield Box(x - 10, y - 5, 20, 10, white, 1)
            yield Text(x, y - 0.9, min(3.0, 19 / (0.56 * len(text))), text, INK)
            return
        case _:
            yield disc(x, y, 3.4, Paint("#ffffff" if kind == "pin" else RED, INK, 0.7))
    yield Text(x, below - 2.4, 3.2, text, INK)
