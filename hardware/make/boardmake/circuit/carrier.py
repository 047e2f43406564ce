"""The carrier: a socket for the board's Pico, and what stands between it and tiles, buttons, lamps and power.

All of it is from the board file: which pin of the Pico is which row and column, how large resistors are,
which buttons there are. What a row's wire passes is its resistor; a column has a place for a resistor to
ground, which stays empty unless the board file names one. Lamp data passes a 74AHCT125 at 5 V and 330 Ohm; 5
V comes through a fuse and is kept by 1000 uF. Parts have leads: they are soldered by hand.
"""

from __future__ import annotations

from typing import Final

from boardmake.circuit import footprints
from boardmake.circuit.errors import NoCarrierError
from boardmake.circuit.layout import (
    BOTTOM_LAYER,
    TOP_LAYER,
    Footprint,
    Layout,
    LayoutPart,
    PrintedText,
    ScrewHole,
    rounded_point,
)
from boardmake.circuit.router import route_layout
from boardware.parts import BoardDescription, LampChain, MatrixBank
from boardware.pico_pins import EDGE_PIN_BY_GPIO

WIDTH_MM, HEIGHT_MM = 99.06, 88.9
GROUND_PINS: Final = (3, 8, 13, 18, 23, 28, 33, 38)
ROWS_MAX = COLUMNS_MAX = 10
DATA_RESISTOR_OHM: Final = 330
POWER_TRACK_WIDTH_MM: Final = 3.0
EDGE_Y, NAME_Y = HEIGHT_MM - 3.81, HEIGHT_MM - 1.14
"""Where the pins at the lower edge are, and their names."""
POWER_Y: Final = 76.2
TEST_POINTS: Final = {
    "TP1": ("5V-IN", 66.04, 68.58),
    "TP2": ("+5V", 74.93, 68.58),
    "TP3": ("GND", 83.82, 68.58),
    "TP4": ("LAMP3V3", 66.04, 76.2),
    "TP5": ("LAMP5V", 74.93, 76.2),
    "TP6": ("DATA", 83.82, 76.2),
}
"""By name: a net to measure at, and where."""
ROWS_REF, COLUMNS_REF, BUTTONS_REF, BUZZER_REF, LAMPS_REF, POWER_IN_REF, POWER_OUT_REF = (
    "J1",
    "J2",
    "J3",
    "J4",
    "J5",
    "J6",
    "J7",
)
PICO_REF = "U1"
"""References of what other things are plugged into."""
PART_VALUES: Final = {
    "R41": f"{DATA_RESISTOR_OHM} Ohm",
    "R42": "1 kOhm",
    "R43": "10 kOhm",
    "R44": "10 kOhm",
    "C1": "1000 uF 10 V",
    "C2": "100 nF",
    "D1": "1N4148",
    "Q1": "2N3904",
    "U2": "74AHCT125",
}
"""What parts are that are the same on every carrier."""


def bank_and_chain(board: BoardDescription) -> tuple[MatrixBank, LampChain]:
    """The one matrix and the one chain of a board on one Pico. Raises `NoCarrierError`."""
    if len(board.picos) != 1 or len(board.banks) != 1 or len(board.chains) != 1:
        raise NoCarrierError(
            f"{board.id}: {len(board.picos)} Picos, {len(board.banks)} banks and {len(board.chains)} chains;"
            " try a board on one Pico, with one bank and one chain"
        )
    (bank,), (chain,) = board.banks.values(), board.chains.values()
    if len(bank.rows) > ROWS_MAX or len(bank.columns) > COLUMNS_MAX:
        raise NoCarrierError(
            f"{board.id}: {len(bank.rows)} rows and {len(bank.columns)} columns;"
            f" a carrier has room for {ROWS_MAX} and {COLUMNS_MAX}"
        )
    if not bank.has_diodes:
        raise NoCarrierError(f"{board.id}: bank {bank.id} has no diodes; tiles have one at each reed")
    if board.reader_banks or any(pad.pico for pad in board.pads.values()):
        raise NoCarrierError(f"{board.id}: readers of tags on the Pico; a carrier has no place for them")
    return bank, chain


def carrier_layout(board: BoardDescription) -> Layout:
    """The carrier of a board, all tracks laid. Raises `NoCarrierError`, `UnroutableNetError`."""
    bank, chain = bank_and_chain(board)
    made = Layout(f"carrier-{board.id}", f"Boardumpire carrier: {board.name}", WIDTH_MM, HEIGHT_MM)
    maker = _CarrierBuilder(board, made)
    maker.add_pico(bank, chain)
    maker.add_matrix(bank)
    maker.add_lamp_driver()
    maker.add_power()
    maker.add_buttons()
    if board.buzzer is not None:
        maker.add_buzzer()
    maker.test_points()
    for spot in ((12.7, 6.35), (5.08, 67.31), (93.98, 5.08), (93.98, 74.93)):
        made.holes.append(ScrewHole(rounded_point(*spot), 3.2))
    made.texts.append(PrintedText(made.title, rounded_point(45.72, 57.785)))
    wide = dict.fromkeys(("GND", "+5V", "BUZZ"), 0.4)
    powered = frozenset(("F1.2", "C1.1", f"{POWER_OUT_REF}.1"))
    grounded = frozenset((f"{POWER_IN_REF}.2", "C1.2", f"{POWER_OUT_REF}.2"))
    route_layout(made, wide, (powered, grounded, frozenset((f"{POWER_IN_REF}.1", "F1.1"))))
    return made


class _CarrierBuilder:
    """One in the making."""

    def __init__(self, board: BoardDescription, made: Layout) -> None:
        self.board = board
        self.made = made

    def add_part(
        self, ref: str, value: str, footprint: Footprint, x: float, y: float, nets: dict[str, str],
        turn: int = 0, *, fitted: bool = True,
    ) -> None:  # fmt: skip
        self.made.parts.append(LayoutPart(ref, value, footprint, x, y, nets, turn, fitted))

    def add_pico(self, bank: MatrixBank, chain: LampChain) -> None:
        """The Pico, with the net of each pin."""
        nets = {str(pin): "GND" for pin in GROUND_PINS}
        nets |= {str(EDGE_PIN_BY_GPIO[gpio]): f"GPROW{number + 1}" for number, gpio in enumerate(bank.rows)}
        nets |= {str(EDGE_PIN_BY_GPIO[gpio]): f"COL{number + 1}" for number, gpio in enumerate(bank.columns)}
        assert chain.gpio is not None  # it hangs on a Pico
        nets[str(EDGE_PIN_BY_GPIO[chain.gpio])] = "LAMP3V3"
        for button in self.board.buttons.values():
            nets[str(EDGE_PIN_BY_GPIO[button.gpio])] = _button_net(button.id)
        if self.board.buzzer is not None:
            nets[str(EDGE_PIN_BY_GPIO[self.board.buzzer.gpio])] = "BUZZGP"
        self.add_part(PICO_REF, "Raspberry Pi Pico", footprints.pico(), 45.72, 27.94, nets)

    def add_matrix(self, bank: MatrixBank) -> None:
        """A resistor in each row, a place for one at each column, and the pins for both."""
        for number in range(len(bank.rows)):
            nets = {"1": f"ROW{number + 1}", "2": f"GPROW{number + 1}"}
            value = f"{bank.wires.row_ohm:g} Ohm"
            self.add_part(f"R{number + 1}", value, footprints.resistor(), 25.4, 6.35 + 3.81 * number, nets)
        ohm = bank.wires.pull_down_ohm
        for number in range(len(bank.columns)):
            nets = {"1": f"COL{number + 1}", "2": "GND"}
            value, y = ("none" if ohm is None else f"{ohm:g} Ohm"), 20.32 + 3.81 * number
            self.add_part(
                f"R{number + 21}", value, footprints.resistor(), 12.7, y, nets, fitted=ohm is not None
            )
        rows = {str(number + 1): f"ROW{number + 1}" for number in range(len(bank.rows))}
        columns = {str(number + 1): f"COL{number + 1}" for number in range(len(bank.columns))}
        self.add_part(ROWS_REF, "rows", footprints.pin_header(len(rows)), 3.81, 5.08, rows)
        self.add_part(COLUMNS_REF, "columns", footprints.pin_header(len(columns)), 3.81, 34.29, columns)
        self.made.texts += [
            PrintedText("rows", rounded_point(5.08, 4.81 + 2.54 * len(rows))),
            PrintedText("columns", rounded_point(5.08, 34.02 + 2.54 * len(columns))),
        ]

    def add_lamp_driver(self) -> None:
        """The level shifter, its capacitor, the resistor in the data, and the pins for the first lamp."""
        nets = {"1": "GND", "2": "LAMP3V3", "3": "LAMP5V", "7": "GND", "14": "+5V"}
        nets |= {"4": "+5V", "10": "+5V", "13": "+5V", "5": "GND", "9": "GND", "12": "GND"}
        self.add_part("U2", PART_VALUES["U2"], footprints.dip14(), 76.2, 22.86, nets)
        small = footprints.radial_part("C5.08", 5.08, 2.6, 0.9)
        self.add_part("C2", PART_VALUES["C2"], small, 76.2, 7.62, {"1": "+5V", "2": "GND"})
        still = {"1": "LAMP3V3", "2": "GND"}  # lamps are sent nothing while there is no Pico
        self.add_part("R44", PART_VALUES["R44"], footprints.resistor(), 64.77, 41.91, still)
        data = {"1": "LAMP5V", "2": "DATA"}
        self.add_part("R41", PART_VALUES["R41"], footprints.resistor(), 86.36, 36.83, data)
        self.add_part(
            LAMPS_REF, "lamps", footprints.pin_header(2), 90.17, EDGE_Y, {"1": "DATA", "2": "GND"}, 90
        )
        self.made.texts.append(PrintedText("data GND", rounded_point(91.44, NAME_Y)))

    def add_power(self) -> None:
        """From the supply through the fuse to the tiles."""
        amps = self.board.current_limit_ma / 1000
        fit = f"fuse {1.25 * amps:.2g} to {1.5 * amps:.2g} A, slow"
        large = footprints.radial_part("C-large", 5.08, 10.0, 0.9)
        self.add_part(
            POWER_IN_REF, "5 V in", footprints.screw_terminal(), 17.78, 82.55, {"1": "5V-IN", "2": "GND"}
        )
        self.add_part("F1", fit, footprints.radial_part("Fuse", 5.08, 8.5, 1.0), 27.94, POWER_Y - 5.08,
                   {"1": "5V-IN", "2": "+5V"})  # fmt: skip
        self.add_part("C1", PART_VALUES["C1"], large, 38.1, POWER_Y, {"1": "+5V", "2": "GND"})
        self.add_part(POWER_OUT_REF, "5 V to the tiles", footprints.screw_terminal(), 50.8, 82.55,
                   {"1": "+5V", "2": "GND"})  # fmt: skip
        for x in (17.78, 50.8):
            self.made.texts += [
                PrintedText(sign, rounded_point(x + dx, 77.5)) for sign, dx in (("+", -2.54), ("-", 2.54))
            ]
        fuse_y = POWER_Y - 5.08
        self.made.add_track(
            "5V-IN", TOP_LAYER, POWER_TRACK_WIDTH_MM, (15.24, 82.55), (15.24, fuse_y), (25.4, fuse_y)
        )
        self.made.add_track(
            "+5V",
            TOP_LAYER,
            POWER_TRACK_WIDTH_MM,
            (30.48, fuse_y),
            (35.56, POWER_Y),
            (35.56, 82.55),
            (48.26, 82.55),
        )
        self.made.add_track(
            "GND", BOTTOM_LAYER, POWER_TRACK_WIDTH_MM, (20.32, 82.55), (40.64, 82.55), (40.64, POWER_Y)
        )
        self.made.add_track(
            "GND", BOTTOM_LAYER, POWER_TRACK_WIDTH_MM, (40.64, POWER_Y), (53.34, POWER_Y), (53.34, 82.55)
        )

    def test_points(self) -> None:
        """A pad for a meter at each voltage and each stage of lamp data."""
        for name, (net, x, y) in TEST_POINTS.items():
            self.made.parts.append(
                LayoutPart(name, net, footprints.test_point(), x, y, {"1": net}, is_bought=False)
            )
            self.made.texts.append(PrintedText(net, rounded_point(x, y + 1.8)))

    def add_buttons(self) -> None:
        """A pin for each, and one of ground."""
        nets = {str(number): _button_net(name) for number, name in enumerate(self.board.buttons, 1)}
        nets[str(len(nets) + 1)] = "GND"
        self.add_part(BUTTONS_REF, "buttons", footprints.pin_header(len(nets)), 60.96, EDGE_Y, nets, 90)
        self.made.texts.append(
            PrintedText(" ".join((*self.board.buttons, "GND")), rounded_point(66.04, NAME_Y))
        )

    def add_buzzer(self) -> None:
        """A transistor that switches it, silent until the Pico runs."""
        resistor = footprints.resistor()
        self.add_part("R42", PART_VALUES["R42"], resistor, 64.77, 46.99, {"1": "BUZZGP", "2": "BASE"})
        self.add_part("R43", PART_VALUES["R43"], resistor, 64.77, 52.07, {"1": "GND", "2": "BASE"})
        nets = {"1": "GND", "2": "BASE", "3": "BUZZ"}
        self.add_part("Q1", PART_VALUES["Q1"], footprints.transistor(), 77.47, 50.8, nets)
        self.add_part("D1", PART_VALUES["D1"], footprints.diode(), 88.9, 53.34, {"1": "+5V", "2": "BUZZ"})
        self.add_part(
            BUZZER_REF, "buzzer", footprints.pin_header(2), 80.01, EDGE_Y, {"1": "+5V", "2": "BUZZ"}, 90
        )
        self.made.texts.append(PrintedText("+ buzzer", rounded_point(81.28, NAME_Y)))


def _button_net(name: str) -> str:
    return f"BUTTON-{name}"
