"""What a maker reads of one board, as Markdown: its wiring pin by pin, its parts and cost, its power."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from boardmake.making.bill import (
    TRANSISTOR_TEXT,
    TYPES_CHECKED,
    bill_items,
    format_ohms,
    lamp_fuse_a,
    matrix_wire_lengths_m,
    select_chip,
)
from boardmake.making.holes import lamp_positions
from boardmake.making.power import (
    PI_FUSE_A,
    PI_SUPPLY_MA,
    SUPPLY_LOAD_SHARE,
    fuse_range_a,
    min_supply_a,
    power_loads,
    supply_wires,
    supply_with_pi_a,
)
from boardware.parts import BoardDescription, LampChain, MatrixBank, SensorAt
from boardware.physics.volts import SUPPLY_TOLERANCE_SHARE
from boardware.wiring import pin_table


def wiring_page(board: BoardDescription) -> str:
    """All wires of a board."""
    lines = [
        f"# Wiring of {board.name}",
        "",
        f"Made from the board file `{board.id}` by `boardumpire make paper`. Nobody has built this board.",
        "",
        "## Pins",
        "",
        pin_table(board).rstrip(),
        "",
        *(line for bank in board.banks.values() for line in _bank_section(board, bank)),
        *(line for chain in board.chains.values() for line in _chain_section(board, chain)),
        *_buzzer_section(board),
        *_reader_section(board),
        *_pad_section(board),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _bank_section(board: BoardDescription, bank: MatrixBank) -> Iterator[str]:
    yield from (
        f"## Matrix `{bank.id}`{f' of Pico `{bank.pico}`' if bank.pico else ''}",
        "",
        _matrix_description(bank),
        "",
    )
    shown = range(len(bank.columns))
    yield from markdown_table(
        ["row", *(f"column {number}" for number in shown), "wire"],
        (
            [
                str(row),
                *(board.slots_by_contact.get(SensorAt(bank.id, row, column), "-") for column in shown),
                f"{matrix_wire_lengths_m(board)[f'{bank.id} row {row}']:.2f} m",
            ]
            for row in range(len(bank.rows))
        ),
    )
    lengths = (f"{matrix_wire_lengths_m(board)[f'{bank.id} column {number}']:.2f}" for number in shown)
    yield from ("", f"Column wires, in m: {', '.join(lengths)}.", "")


def _matrix_description(bank: MatrixBank) -> str:
    """What lies between a row's pin and a column's, in its order."""
    wires = bank.wires
    if wires.buffered_wiring is not None:
        return (
            f"Each switch gets {wires.buffered_wiring.supply_v:g} V and ground all the time. Its output, with"
            " 10 kOhm to 3.3 V → an input of its row's 74HC540 (at 3.3 V), eight columns each → the output"
            " there → column wire → pin of the column. Pin of the row, with 10 kOhm to ground → one gate of"
            " another 74HC540, as inverter → both enables (pins 1 and 19) of the row's 74HC540. Unused inputs"
            " go to 3.3 V."
        )
    pull = f" From each column {format_ohms(wires.pull_down_ohm)} to ground." if wires.pull_down_ohm else ""
    diode = f"{wires.diode_name} (its line to the sensor)" if bank.has_diodes else "a wire"
    return (
        f"Pin of the row → {format_ohms(wires.row_ohm)} → row wire → at each space {diode} → the sensor →"
        f" column wire → pin of the column.{pull}"
    )


def _chain_section(board: BoardDescription, chain: LampChain) -> Iterator[str]:
    begins = "a gate of the level shifter (74AHCT125) → 330 Ohm"
    way = begins if chain.wires.has_level_shifter else "330 Ohm"
    fed = "at both ends" if chain.wires.feed_count == 2 else "at its beginning"
    yield from (
        f"## Lamps `{chain.id}`{f' of Pico `{chain.pico}`' if chain.pico else ''}",
        "",
        f"- **Data**: data pin → {way} → DIN of lamp 0. DOUT of each lamp → DIN of the next.",
        f"- **Supply**: {chain.wires.supply_v:g} V {fed}, through the fuse of {lamp_fuse_a(board):g} A that"
        " all chains share. 1000 uF from behind the fuse to ground.",
        "- **Ground**: join the grounds of supply, lamps, shifter and computer.",
        *(_LEVEL_SHIFTER_LINES if chain.wires.has_level_shifter else ()),
        "",
    )
    at = lamp_positions(board)
    order = sorted((place.index, lamp) for lamp, place in board.lamps.items() if place.chain == chain.id)
    rows = ([str(index), lamp, f"{at[lamp].x:g}", f"{at[lamp].y:g}"] for index, lamp in order)
    yield from markdown_table(["lamp", "at", "mm right", "mm up"], rows)
    yield ""


_LEVEL_SHIFTER_LINES = (
    "- **Level shifter**: pin 14 to the lamps' 5 V, pin 7 to ground, 100 nF between them. Its gates are pins"
    " 2 (in), 3 (out), 1 (OE); 5, 6, 4; 9, 8, 10; 12, 11, 13. OE of a used gate to ground; of an unused gate"
    " the input to ground and OE to 5 V.",
    "- **Quiet start**: 10 kOhm from each data pin to ground keep lamps still while no program drives them.",
)


def _buzzer_section(board: BoardDescription) -> Iterator[str]:
    if board.buzzer is None:
        return
    yield from (
        "## Buzzer",
        "",
        f"Pin → 1 kOhm → base of the transistor ({TRANSISTOR_TEXT}). 10 kOhm from base to ground; emitter to"
        " ground; collector to the buzzer's minus, the buzzer's plus to the lamps' 5 V. A 1N4148 across the"
        " buzzer, its line to plus.",
        "",
    )


def _reader_section(board: BoardDescription) -> Iterator[str]:
    for bank in board.reader_banks.values():
        over = {at.number: slot for at, slot in board.slots_by_reader.items() if at.bank == bank.id}
        named, outputs = select_chip(bank)
        yield from (
            f"## Readers `{bank.id}` of Pico `{bank.pico}`",
            "",
            f"All MFRC522 share clock, data out and data in. Their chip selects come from {named},"
            f" {outputs} from each: 0 to {outputs - 1} from the first. 10 kOhm from each select to 3.3 V.",
            "",
        )
        rows = (
            [str(number), f"{number // outputs}", f"{number % outputs}", over.get(number, "-")]
            for number in range(bank.count)
        )
        yield from markdown_table(["reader", named, "output", "under"], rows)
        yield ""


def _pad_section(board: BoardDescription) -> Iterator[str]:
    if not board.pads:
        return
    yield from (
        "## Pads",
        "",
        "A PN532 each, its switches set to HSU. TX goes to RX and RX to TX, ground to ground.",
        "",
    )
    rows = (
        [
            pad.id,
            f"{pad.position.x:g}",
            f"{pad.position.y:g}",
            f"Pico `{pad.pico}`, GP{pad.uart[0]} to its RX, GP{pad.uart[1]} to its TX, 3V3 to its supply"
            if pad.uart is not None
            else "a USB adapter of its own, 3.3 V, or a UART of the header whose pins are free",
        ]
        for pad in board.pads.values()
    )
    yield from markdown_table(["pad", "mm right", "mm up", "serial line"], rows)
    yield ""


def further_needs(board: BoardDescription) -> Iterator[str]:
    """What the list of parts leaves out: it has no price, or any kind will do."""
    felt = " (counted in `gap_mm`)" if board.slots_by_contact else ""
    yield f"1 mm of felt under the pieces{felt}"
    if board.chains:
        yield "a piece of stripboard for the level shifter, fuses and diodes"
    if board.reader_banks:
        yield "an antenna of at most 40 x 40 mm for each reader"
    yield "a connector that fits the supply (with screw terminals)"
    yield "solder, hot glue, and glue for the face"
    yield "pieces, or feet or discs that hold the magnets"


def parts_page(board: BoardDescription, pieces: int = 0) -> str:
    """The list of parts with what they cost."""
    listed = list(bill_items(board, pieces))
    rows = (
        [
            f"{item.quantity:g}{f' {item.unit}' if item.unit else ''}",
            item.part,
            item.value,
            f"{item.unit_price_eur:.2f}" if item.unit_price_eur is not None else "",
            f"{item.cost_eur:.2f}" if item.unit_price_eur is not None else "",
            item.note,
            item.type_number,
        ]
        for item in listed
    )
    total = sum(item.cost_eur for item in listed)
    lines = [
        f"# Parts of {board.name}",
        "",
        "Parts of any manufacturer will do. **All prices are estimates**, in EUR, for small quantities;"
        " nobody has bought a board by this list. A *lamp* is an LED. Type numbers were looked up in"
        f" {TYPES_CHECKED}.",
        "",
        *markdown_table(["count", "part", "value", "each", "cost", "what for", "such as"], rows),
        "",
        f"All of it: some {round(total, -1):.0f} EUR (estimate), without board, printing, tools and pieces.",
        "",
        f"Also needed: {'; '.join(further_needs(board))}.",
    ]
    return "\n".join(lines) + "\n"


PI_POWER_TEXT: Final = """\
## The Raspberry Pi

- **Star point**: a pair of wires for the lamps and one for the Pi begin at the supply, each with its own
  fuse, and meet nowhere else but at ground.
- **The Pi's branch**: a slow fuse of {fuse:g} A, 0.3 m of 1 mm2, a USB plug with screw terminals (USB-C for
  Pi 4 and 5, micro-USB for others). Not the header's pins: the Pi's own guard is behind its socket.
- **Turned round**: behind each fuse a 1N5822 from ground to 5 V, its line at 5 V. It blows the fuse before
  anything else is hurt. Measure before you plug the Pi in.
- **Back-feeding**: never plug in the Pi's own supply beside this one. The header's 5 V and a Pico's VBUS
  don't touch the lamps' 5 V; grounds are joined.
- **Pi 4**: its maker asks for 3 A; take a supply of {pi_4:g} A. **Pi 5**: leave it its own supply of 5 A,
  without this branch, and join grounds alone. Others: as above."""


def power_page(board: BoardDescription) -> str:
    """What is drawn, which supply and fuse that needs, and what the wires leave."""
    low, high = fuse_range_a(board)
    listed = list(power_loads(board))
    whole = sum(load.current_ma for load in listed)
    lines = [
        f"# Power of {board.name}",
        "",
        "At 5 V, with the lamps at the board file's limit: the software dims what would draw more.",
        "",
        *markdown_table(
            ["what", "mA", ""], ([load.consumer, f"{load.current_ma:g}", load.note] for load in listed)
        ),
        "",
        f"Together {whole:g} mA. Take a supply of 5 V and **{min_supply_a(board):g} A**: that leaves a fifth"
        f" to spare ({100 * SUPPLY_LOAD_SHARE:.0f} % load at most).",
        f"Put a slow fuse of {lamp_fuse_a(board):g} A into the lamps' supply"
        f" ({low:.2g} to {high:.2g} A will do, by estimate).",
        "",
        PI_POWER_TEXT.format(fuse=PI_FUSE_A, pi_4=supply_with_pi_a(board, PI_SUPPLY_MA["Pi 4"])),
        "",
        "Supply wires of the lamps. Volts left are those of the weakest lamp if all current is drawn there,"
        f" the supply is {100 * SUPPLY_TOLERANCE_SHARE:.0f} % low, and fuse and 0.5 m of 1 mm2 lie before."
        " WS2812B need 4.5 V.",
        "",
        *markdown_table(
            ["chain", "mA", "m", "wire of the file, mm2", "at least, mm2", "or a track of", "V left"],
            (
                [
                    feed.chain, f"{feed.current_ma:.0f}", f"{feed.length_m:.1f}", f"{feed.mm2:.2f}",
                    f"{feed.min_mm2:.2f}", f"{feed.track_width_mm:.2f} mm", f"{feed.weakest_lamp_v:.2f}",
                ]
                for feed in supply_wires(board)
            ),
        ),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table of Markdown."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
