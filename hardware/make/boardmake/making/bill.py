"""The parts of a board: how many of each, with values that any shop has. Prices are estimates in EUR.

They are what small quantities cost in European shops, to the nearest that is worth saying; nobody has bought
a whole board by this list. What is drilled, printed and glued is named without a price.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import ceil, dist
from typing import Final, NamedTuple

from boardmake.making.holes import sensor_positions
from boardmake.making.power import PI_FUSE_A, fuse_range_a, min_supply_a
from boardmake.physics.electrics import chain_length_m
from boardware.parts import BoardDescription, ReaderBank
from boardware.physics.design import DEFAULT_DESIGN
from boardware.physics.volts import SUPPLY_TOLERANCE_SHARE

SPARE_FACTOR: Final = 1.1
"""Times as many of what breaks or gets lost."""
FUSE_SIZES_A: Final = (0.5, 0.63, 0.8, 1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0)
"""A: the series of IEC 60127."""
PRICES_EUR: Final[Mapping[str, float]] = {
    "Raspberry Pi": 20.0, "microSD card": 7.0, "Pico": 4.5, "Pico 2": 5.5, "USB cable": 2.5,
    "USB hub": 10.0, "reed": 0.25, "hall": 0.5, "tmr": 1.2, "diode": 0.03, "resistor": 0.02,
    "lamp": 0.2, "shifter": 0.6, "capacitor 100 nF": 0.05, "capacitor 1000 uF": 0.4, "fuse": 0.8,
    "supply": 2.5, "button": 0.8, "buzzer": 1.2, "transistor": 0.1, "buffer": 0.6, "MFRC522": 2.2,
    "74HC595": 0.4, "74HC138": 0.5, "74HC154": 1.5, "USB adapter": 3.0, "PN532": 6.0,
    "magnet": 0.25, "plug": 1.5, "guard": 0.2, "wire": 0.25, "regulator": 0.5, "tag": 0.3,
}  # fmt: skip
"""EUR a piece; wire a metre, a supply for each A."""


TYPES_CHECKED: Final = "November 2026"
TYPE_NUMBERS: Final[Mapping[str, str]] = {
    "RP2040": "SC0915; with pins SC0917",
    "RP2350": "SC1631, stepping A3 or A4",
    "glass, 14 mm, 15-20 AT": "RRE SM-1322; of 12.7 mm Littelfuse MDSR-7-15-20",
    "1N4148": "Vishay 1N4148-TAP",
    "WS2812B, with 100 nF each": "on round boards of 10 mm with their 100 nF, by the hundred; the bare"
    " chip is Worldsemi WS2812B-B/T, LCSC C2761795",
    "74AHCT125, at 5 V": "TI SN74AHCT125N, DigiKey 296-4655-5-ND",
    "74HC540, at 3.3 V": "TI SN74HC540N",
    "74HC595": "TI SN74HC595N",
    "NPN, 2N3904 or alike": "onsemi 2N3904BU, DigiKey 2N3904FS-ND",
    "8x3 N42, neodymium": "supermagnete S-08-03-N (N45)",
}
"""By value a part that is sold, as its maker, shops and public boards name it. Any other will do."""

TRANSISTOR_TEXT: Final = "NPN, 2N3904 or alike"
"""As the carrier of the circuit boards takes it: emitter, base, collector. A BC547 is the other way round."""


class BillItem(NamedTuple):
    """A line of the list."""

    part: str
    value: str
    """Generic: what to ask a shop for."""
    quantity: float
    """Pieces, or metres where `unit` says so."""
    unit_price_eur: float | None
    """EUR, estimated; `None`: what one has, or prints."""
    note: str = ""
    unit: str = ""

    @property
    def type_number(self) -> str:
        """A part to ask for; empty where any will do."""
        return TYPE_NUMBERS.get(self.value, "")

    @property
    def cost_eur(self) -> float:
        """EUR, estimated."""
        return self.quantity * (self.unit_price_eur or 0.0)


def bill_items(board: BoardDescription, pieces: int = 0) -> Iterator[BillItem]:
    """All parts of a board, for games with at most so many pieces."""
    yield from _computer_items(board)
    yield from _sensor_items(board, pieces)
    yield from _lamp_items(board)
    yield from _console_items(board)
    yield from _reader_items(board, pieces)
    yield from _wire_items(board)


def total_cost_eur(board: BoardDescription, pieces: int = 0) -> float:
    """EUR for all of it, estimated."""
    return sum(item.cost_eur for item in bill_items(board, pieces))


def _computer_items(board: BoardDescription) -> Iterator[BillItem]:
    yield BillItem(
        "Raspberry Pi", "3A+, 3B+, 4, 5 or Zero 2 W", 1, PRICES_EUR["Raspberry Pi"], "the table's computer"
    )
    yield BillItem("microSD card", "16 GB", 1, PRICES_EUR["microSD card"])
    picos = [pico.chip for pico in board.picos.values()]
    for chip in sorted(set(picos)):
        name = "Pico" if chip == "rp2040" else "Pico 2"
        yield BillItem(f"Raspberry Pi {name}", chip.upper(), picos.count(chip), PRICES_EUR[name])
    if picos:
        note = "a Zero 2 W takes it with a micro-B OTG adapter"
        yield BillItem("USB cable", "A to micro-B, data", len(picos), PRICES_EUR["USB cable"], note)
    if len(picos) > 1:
        note = "a Pi with a port for each Pico needs none"
        yield BillItem("USB hub", "with a supply of its own", 1, PRICES_EUR["USB hub"], note)
    amperes, note = (
        min_supply_a(board),
        f"{100 * SUPPLY_TOLERANCE_SHARE:.0f} % or better; power.md: with a Pi 4 or 5",
    )
    yield BillItem("supply", f"5 V, {amperes:g} A", 1, PRICES_EUR["supply"] * amperes, note)
    note = "in the Pi's branch"
    yield BillItem("fuse", f"{PI_FUSE_A:g} A, slow, with holder", 1, PRICES_EUR["fuse"], note)
    yield BillItem("plug", "USB, for the Pi, with screw terminals", 1, PRICES_EUR["plug"], note)
    note = "behind each fuse, against a supply that is turned round"
    yield BillItem("guard diode", "1N5822", 2 if board.chains else 1, PRICES_EUR["guard"], note)


def _sensor_items(board: BoardDescription, pieces: int) -> Iterator[BillItem]:
    design, felt = board.sensor_design or DEFAULT_DESIGN, len(board.slots_by_contact)
    kind = "reed" if design.part.is_reed else design.part.kind.value
    if felt:
        value = design.sensor.replace("reed on end", "glass, 14 mm,").replace("reed flat", "glass, 14 mm,")
        part = "reed" if design.part.is_reed else "switch"
        yield BillItem(part, value, ceil(felt * SPARE_FACTOR), PRICES_EUR[kind], f"{felt}, the rest spare")
    yield from _matrix_items(board)
    if pieces:
        note = "one in each piece's foot"
        yield BillItem(
            "magnet",
            f"{design.magnet_disc}, neodymium",
            ceil(pieces * SPARE_FACTOR),
            PRICES_EUR["magnet"],
            note,
        )


def _matrix_items(board: BoardDescription) -> Iterator[BillItem]:
    """What stands between pins and sensors."""
    with_diodes = {
        id_ for id_, bank in board.banks.items() if bank.has_diodes and bank.wires.buffered_wiring is None
    }
    for name in sorted({board.banks[id_].wires.diode_name for id_ in with_diodes}):
        count = sum(
            at.bank in with_diodes and board.banks[at.bank].wires.diode_name == name
            for at in board.slots_by_contact
        )
        yield BillItem("diode", name, ceil(count * SPARE_FACTOR), PRICES_EUR["diode"], "one at each sensor")
    ohms: dict[tuple[float, str], int] = {}

    def resistors(ohm: float | None, what: str, count: int) -> None:
        if ohm:
            ohms[ohm, what] = ohms.get((ohm, what), 0) + count

    for bank in board.banks.values():
        wires, rows, columns = bank.wires, len(bank.rows), len(bank.columns)
        if wires.buffered_wiring is None:
            resistors(wires.row_ohm, "in series with each row", rows)
            resistors(wires.pull_down_ohm, "from each column to ground", columns)
            continue
        chips = rows * ceil(columns / 8) + ceil(rows / 8)
        note = "a row of up to eight columns each, and one that inverts eight rows"
        yield BillItem("buffer", "74HC540, at 3.3 V", chips, PRICES_EUR["buffer"], note)
        yield BillItem("capacitor", "100 nF", chips, PRICES_EUR["capacitor 100 nF"], "at each buffer")
        resistors(
            10_000, "from each switch to 3.3 V", sum(at.bank == bank.id for at in board.slots_by_contact)
        )
        resistors(10_000, "from each row to ground", rows)
    for (ohm, what), count in ohms.items():
        yield BillItem("resistor", format_ohms(ohm), count, PRICES_EUR["resistor"], what)


def _lamp_items(board: BoardDescription) -> Iterator[BillItem]:
    if not board.chains:
        return
    count = sum(chain.length for chain in board.chains.values())
    yield BillItem(
        "lamp",
        "WS2812B, with 100 nF each",
        ceil(count * 1.05),
        PRICES_EUR["lamp"],
        f"{count}, the rest spare",
    )
    shifters = level_shifter_count(board)
    if shifters:
        yield BillItem(
            "level shifter", "74AHCT125, at 5 V", shifters, PRICES_EUR["shifter"], "four chains each"
        )
        yield BillItem(
            "capacitor", "100 nF", shifters, PRICES_EUR["capacitor 100 nF"], "at each level shifter"
        )
        note, driven = (
            "from each data pin to ground",
            sum(chain.wires.has_level_shifter for chain in board.chains.values()),
        )
        yield BillItem("resistor", format_ohms(10_000), driven, PRICES_EUR["resistor"], note)
    chains = len(board.chains)
    yield BillItem(
        "resistor", format_ohms(330), chains, PRICES_EUR["resistor"], "before each chain's first lamp"
    )
    feeds = sum(chain.wires.feed_count for chain in board.chains.values())
    yield BillItem(
        "capacitor", "1000 uF, 10 V", feeds, PRICES_EUR["capacitor 1000 uF"], "where each chain is fed"
    )
    yield BillItem(
        "fuse", f"{lamp_fuse_a(board):g} A, slow, with holder", 1, PRICES_EUR["fuse"], "in the lamps' supply"
    )


def lamp_fuse_a(board: BoardDescription) -> float:
    """The fuse of the lamps' supply, in A: the nearest of the series that holds."""
    low, _ = fuse_range_a(board)
    return next((size for size in FUSE_SIZES_A if size >= low - 1e-9), FUSE_SIZES_A[-1])


def level_shifter_count(board: BoardDescription) -> int:
    """How many level shifters: four chains of one Pico, or of the header, share one."""
    found: dict[str | None, int] = {}
    for chain in board.chains.values():
        if chain.wires.has_level_shifter:
            found[chain.pico] = found.get(chain.pico, 0) + 1
    return sum(ceil(count / 4) for count in found.values())


def _console_items(board: BoardDescription) -> Iterator[BillItem]:
    if board.buttons:
        yield BillItem("button", "12 mm, closes while pressed", len(board.buttons), PRICES_EUR["button"])
    if board.buzzer:
        yield BillItem("buzzer", "active, 5 V", 1, PRICES_EUR["buzzer"])
        yield BillItem("transistor", TRANSISTOR_TEXT, 1, PRICES_EUR["transistor"], "switches the buzzer")
        yield BillItem("diode", "1N4148", 1, PRICES_EUR["diode"], "across the buzzer")
        yield BillItem("resistor", format_ohms(1000), 1, PRICES_EUR["resistor"], "to the transistor's base")
        yield BillItem("resistor", format_ohms(10_000), 1, PRICES_EUR["resistor"], "from the base to ground")


def _reader_items(board: BoardDescription, pieces: int) -> Iterator[BillItem]:
    for bank in board.reader_banks.values():
        yield BillItem(
            "reader", "MFRC522 board, 13.56 MHz", bank.count, PRICES_EUR["MFRC522"], f"readers `{bank.id}`"
        )
        chip, outputs = select_chip(bank)
        selectors = ceil(bank.count / outputs)
        yield BillItem("selector", chip, selectors, PRICES_EUR[chip], "chip selects of the readers")
        note = "beside each reader and selector"
        yield BillItem("capacitor", "100 nF", bank.count + selectors, PRICES_EUR["capacitor 100 nF"], note)
        yield BillItem("regulator", "3.3 V, 500 mA", 1, PRICES_EUR["regulator"], "supply of the readers")
        note = "selects stay high while nothing drives them"
        yield BillItem("resistor", format_ohms(10_000), bank.count, PRICES_EUR["resistor"], note)
    if pieces and (board.pads or board.reader_banks):
        tags = ceil(pieces * SPARE_FACTOR)
        yield BillItem(
            "tag", "ISO 14443 A, disc of 25 mm", tags, PRICES_EUR["tag"], "one in each piece's foot"
        )
    if board.pads:
        yield BillItem("pad", "PN532 board, switched to HSU", len(board.pads), PRICES_EUR["PN532"])
    own = sum(pad.uart is None for pad in board.pads.values())
    if own:
        yield BillItem(
            "USB adapter", "serial, 3.3 V", own, PRICES_EUR["USB adapter"], "a serial line for each pad"
        )


def select_chip(bank: ReaderBank) -> tuple[str, int]:
    """What makes chip selects for a bank of readers, and how many one has."""
    if bank.select_method == "shift":
        return "74HC595", 8
    return ("74HC154", 16) if len(bank.select_pins) > 3 else ("74HC138", 8)


def _wire_items(board: BoardDescription) -> Iterator[BillItem]:
    lengths = matrix_wire_lengths_m(board)
    if lengths:
        # From the last sensor, or from a button, to its pin: half the board (estimate).
        leads = len(lengths) + 2 * len(board.buttons) + 3 * bool(board.buzzer)
        metres = sum(lengths.values()) + leads * max(board.size) / 2000
        note = "rows and columns to their pins, buttons, buzzer"
        yield BillItem("wire", "0.14 mm2, stranded", ceil(metres * 1.2), PRICES_EUR["wire"], note, "m")
    yield from _reader_wire_items(board)
    supply = sum(chain_length_m(board, chain) for chain in board.chains.values())
    if supply:
        note = "supply and ground of the lamps, both ways"
        yield BillItem(
            "wire", "1 mm2, two colours", 2, 2 * PRICES_EUR["wire"], "from the supply, power.md", "m"
        )
        yield BillItem("wire", "0.5 mm2, two colours", ceil(2 * supply * 1.2), PRICES_EUR["wire"], note, "m")
        yield BillItem(
            "wire",
            "0.14 mm2, stranded",
            ceil(supply * 1.2),
            PRICES_EUR["wire"],
            "data, from lamp to lamp",
            "m",
        )
    wide, high = (side / 10 for side in board.size)
    gap = (board.sensor_design or DEFAULT_DESIGN).gap_mm
    thick = 3 if gap < 5 else 4 if gap < 7 else gap - 2  # then the face, and 1 mm of felt
    sheet = f"{wide:g} x {high:g} cm, plywood {thick:g} mm or stiff cardboard"
    yield BillItem("board", sheet, 1, None, "drilled")
    yield BillItem("face", f"printed, {wide:g} x {high:g} cm", 1, None, "face.pdf, or its tiles")


def _reader_wire_items(board: BoardDescription) -> Iterator[BillItem]:
    """A bus from reader to reader, a select for each, four wires for a pad. Half the board to the pins."""
    half = max(board.size) / 2000
    buses = 0.0
    for bank in board.reader_banks.values():
        at = sorted((at.number, slot) for at, slot in board.slots_by_reader.items() if at.bank == bank.id)
        spots = [board.slots[slot].position for _, slot in at]
        buses += half + sum(dist(one, two) for one, two in pairwise(spots)) / 1000
    signals = 3 * buses + half * sum(bank.count for bank in board.reader_banks.values())
    signals += 4 * half * len(board.pads)
    if signals:
        note = "clock, data and selects of the readers" if buses else "the pads' four wires"
        yield BillItem("wire", "0.14 mm2, stranded", ceil(signals * 1.2), PRICES_EUR["wire"], note, "m")
    if buses:
        note = "3.3 V and ground of the readers"
        yield BillItem("wire", "0.5 mm2, two colours", ceil(2 * buses * 1.2), PRICES_EUR["wire"], note, "m")


def matrix_wire_lengths_m(board: BoardDescription) -> Mapping[str, float]:
    """By row and column of each bank how long its wire is from the first sensor to the last, in m."""
    at = sensor_positions(board)
    found: dict[str, float] = {}
    for bank in board.banks.values():
        for what, count, other in (("row", len(bank.rows), 1), ("column", len(bank.columns), 0)):
            for number in range(count):
                way = sorted(
                    ((contact.row, contact.column)[other], slot)
                    for contact, slot in board.slots_by_contact.items()
                    if contact.bank == bank.id and (contact.column, contact.row)[other] == number
                )
                spots = [at[slot] for _, slot in way]
                found[f"{bank.id} {what} {number}"] = (
                    sum(dist(one, two) for one, two in pairwise(spots)) / 1000
                )
    return found


def format_ohms(ohm: float) -> str:
    """`470 Ohm`, `22 kOhm`."""
    return f"{ohm / 1000:g} kOhm" if ohm >= 1000 else f"{ohm:g} Ohm"
