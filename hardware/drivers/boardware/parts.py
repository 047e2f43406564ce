"""What a board consists of: spaces, slots, sensors, lamps, banks, chains, buttons, a buzzer.

`description` reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import dist, inf
from typing import NamedTuple

from boardware.physics.design import SensorDesign
from boardware.ports import LampId, SlotId

HEADER = "header"
"""Stands for a Pico where all of a board hangs on the header of a satellite (`header_pico`)."""


class BoardPoint(NamedTuple):
    """A point in mm from the lower left corner of the board, as the first seat sees it."""

    x: float
    y: float


class SensorAt(NamedTuple):
    """A contact of a reed matrix; row and column count from 0."""

    bank: str
    row: int
    column: int


class ReaderAt(NamedTuple):
    """A reader of a bank; the number counts from 0."""

    bank: str
    number: int


@dataclass(frozen=True, slots=True)
class LampAt:
    """A lamp of a chain; the index counts from 0 at the end that data enters."""

    chain: str
    index: int


@dataclass(frozen=True, slots=True)
class Outline:
    """The printed shape of a space, around its position."""

    id: str
    shape: str
    """`rectangle` or `ellipse`."""
    width: float
    """mm"""
    height: float
    """mm"""


@dataclass(frozen=True, slots=True)
class Slot:
    """Room for one piece."""

    id: SlotId
    """The name of its space; `space/2`, `space/3` ... for the further slots of a space."""
    position: BoardPoint
    sensor: SensorAt | None
    """`None`: nothing feels it."""
    reader: ReaderAt | None = None
    """What reads the tag of a piece there; `None`: nothing does."""


@dataclass(frozen=True, slots=True)
class SpacePlace:
    """A space as it lies on the board."""

    id: str
    name: str
    position: BoardPoint
    outline: Outline
    slots: tuple[Slot, ...]
    """At least one."""
    lamp: BoardPoint | None = None
    """Where its lamp shines through the face, if the file says so
    (`boardmake.making.holes.lamp_positions`)."""


class BufferedWiring(NamedTuple):
    """How switches with three wires are joined to rows and columns.

    All have their supply all the time. Each row has inverting buffers that lead what its switches say to the
    columns while the row is driven high, and nothing otherwise. So pins do what they do over reeds.
    """

    supply_v: float = 5.0
    """The supply of the switches."""


class MatrixWires(NamedTuple):
    """What the wires of a reed matrix are made of."""

    diode_name: str = "1N4148"
    """A name in `physics.volts.DIODES`; of a bank without diodes it says nothing."""
    row_ohm: float = 470
    """The resistor in series with each row."""
    pull_down_ohm: float | None = None
    """The resistor from each column to ground, beside the chip's own pull-down; `None`: there is none."""
    cable_pf: float = 200
    """What a row's or a column's cable has to all others."""
    buffered_wiring: BufferedWiring | None = None
    """Of switches with three wires; then there are no diodes and no row resistors. `None`: reeds."""


class LampWires(NamedTuple):
    """How a chain of lamps gets its data and its current."""

    has_level_shifter: bool = True
    """Whether a level shifter (74AHCT125) stands before the first lamp."""
    supply_v: float = 5.0
    """V where the chain is fed."""
    feed_count: int = 1
    """1: fed at its beginning. 2: at both ends."""
    wire_m: float | None = None
    """Of its supply wire; `None`: as far as its lamps lie from each other."""
    wire_ohm_per_m: float = 0.035
    """A metre of that wire, each way: copper of 0.5 mm2."""


DEFAULT_MATRIX_WIRES = MatrixWires()
DEFAULT_LAMP_WIRES = LampWires()
"""What a board file that says nothing of its wires has."""


@dataclass(frozen=True, slots=True)
class MatrixBank:
    """A reed matrix. A row is driven high, a diode leads from it through each closed reed to the column."""

    id: str
    rows: tuple[int, ...]
    """BCM numbers, driven."""
    columns: tuple[int, ...]
    """BCM numbers, read, pulled down."""
    has_diodes: bool
    """Without a diode at every reed, three closed corners of a rectangle make the fourth look closed."""
    settle_us: int
    """How long a row is driven before its columns are read."""
    pico: str | None = None
    """The Pico whose pins these are; `None`: the Pi's own header."""
    wires: MatrixWires = DEFAULT_MATRIX_WIRES


@dataclass(frozen=True, slots=True)
class LampChain:
    """A chain of WS2812 lamps."""

    id: str
    length: int
    colour_order: str
    """Of the colours on the wire: `GRB`."""
    drive_methods: tuple[str, ...]
    """The ways it may be driven: `spi` (GPIO10), `pwm` (GPIO18), or `pico` alone."""
    claimed_gpios: tuple[int, ...]
    """BCM numbers that nothing else may use."""
    pico: str | None = None
    """The Pico that drives it."""
    gpio: int | None = None
    """The pin of that Pico where its data leaves."""
    wires: LampWires = DEFAULT_LAMP_WIRES


@dataclass(frozen=True, slots=True)
class Button:
    """A button between a pin and ground; the pin is pulled up."""

    id: str
    gpio: int
    """BCM number, or the number of the Pico's pin."""
    position: BoardPoint
    pico: str | None = None
    """The Pico whose pin it is; `None`: the Pi's own header."""


@dataclass(frozen=True, slots=True)
class Buzzer:
    """A buzzer with a tone of its own, behind a transistor: it sounds while its pin is high."""

    gpio: int
    """BCM number, or the number of the Pico's pin."""
    pico: str | None = None
    """The Pico whose pin it is; `None`: the Pi's own header."""


@dataclass(frozen=True, slots=True)
class Pico:
    """A Raspberry Pi Pico under the board, on a USB cable."""

    id: str
    usb_serial_number: str | None
    """The serial number that it tells over USB, where the board file names it."""
    chip: str = "rp2040"
    """A name in `physics.volts.CHIPS`."""


@dataclass(frozen=True, slots=True)
class ReaderBank:
    """A bank of MFRC522 on one SPI bus, a chip select each."""

    id: str
    count: int
    pico: str
    spi: tuple[int, int, int]
    """Pins of the Pico: clock, data out, data in."""
    select_method: str
    """`shift`: a chain of 74HC595 on the same clock and data. `demux`: 74HC138 or 74HC154."""
    enable_pin: int
    """The pin that is low while the chosen chip is selected."""
    select_pins: tuple[int, ...]
    """`shift`: the latch. `demux`: the pins that give a chip's number, the lowest bit first."""


@dataclass(frozen=True, slots=True)
class TagPad:
    """A PN532 on a serial line, to show pieces to. A named lamp of the same id belongs to it."""

    id: str
    position: BoardPoint
    pico: str | None = None
    """The Pico whose serial line it hangs on; `None`: one of the Pi, which the configuration names."""
    uart: tuple[int, int] | None = None
    """Pins of that Pico: out, in."""


@dataclass(frozen=True)
class BoardDescription:
    """One board. All mappings keep the order of the file."""

    id: str
    name: str
    size: BoardPoint
    """Width and height in mm."""
    games: tuple[str, ...]
    """Ids of the games it carries."""
    spaces: Mapping[str, SpacePlace]
    lamps: Mapping[LampId, LampAt]
    """Of spaces (by the space's name) and named lamps (`turn-red`)."""
    named_lamps: Mapping[LampId, BoardPoint]
    """The lamps that belong to no space."""
    banks: Mapping[str, MatrixBank]
    chains: Mapping[str, LampChain]
    buttons: Mapping[str, Button]
    current_limit_ma: int
    """What all lamps together may draw."""
    buzzer: Buzzer | None = None
    picos: Mapping[str, Pico] = field(default_factory=dict)
    """The Picos under the board; none where all hangs on the Pi's own header."""
    reader_banks: Mapping[str, ReaderBank] = field(default_factory=dict)
    pads: Mapping[str, TagPad] = field(default_factory=dict)
    lines: tuple[tuple[str, str], ...] = ()
    """Pairs of spaces between which a line is printed."""
    sensor_design: SensorDesign | None = None
    """Its sensors and magnets; `None`: its file doesn't say."""
    place: str = ""
    """Where several boards are in use, which of them it is: two may be of one file."""

    @cached_property
    def space_names(self) -> Mapping[str, str]:
        """What people call the spaces that they don't call by their ids."""
        return {id_: space.name for id_, space in self.spaces.items() if space.name != id_}

    @cached_property
    def slots(self) -> Mapping[SlotId, Slot]:
        """Every slot of every space, in the order of the file."""
        return {slot.id: slot for space in self.spaces.values() for slot in space.slots}

    @cached_property
    def slots_by_contact(self) -> Mapping[SensorAt, SlotId]:
        """Which slot a contact feels."""
        return {slot.sensor: slot.id for slot in self.slots.values() if slot.sensor is not None}

    @cached_property
    def pitch_mm(self) -> float:
        """How near each other the two nearest contacts lie; infinite where there is but one."""
        places = [self.slots[slot].position for slot in self.slots_by_contact.values()]
        return min((dist(one, other) for one, other in combinations(places, 2)), default=inf)

    @cached_property
    def slots_by_reader(self) -> Mapping[ReaderAt, SlotId]:
        """Which slot a reader reads."""
        return {slot.reader: slot.id for slot in self.slots.values() if slot.reader is not None}
