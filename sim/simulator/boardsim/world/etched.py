"""A board as its circuit boards make it: found from their copper and the wires between, not from its file.

The board file says which pins of the Pico the firmware uses, and where squares, named lamps and buttons
are. All else follows current through the nets: from a pin through its resistor, a diode and a reed to another
pin; from the pin of the lamps through the level shifter from lamp to lamp. What is soldered otherwise than it
should be makes another board. Copper of which no such board can be made, two wires that are one for instance,
is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import dist
from pathlib import Path
from typing import Final, NamedTuple

from boardmake.circuit import carrier, tile
from boardmake.circuit.assembly import CARRIER_UNIT, Assembly, AssemblyPin
from boardmake.circuit.errors import CircuitError
from boardmake.circuit.netlist import Netlist, load_netlist
from boardsim.world.copper import SolderedDiode
from boardsim.world.world import REED, ContactBounce, World
from boardware.parts import BoardDescription, LampAt, LampChain, MatrixBank, SensorAt
from boardware.physics.design import DEFAULT_DESIGN
from boardware.physics.sensors import SensorKind
from boardware.pico_pins import EDGE_PIN_BY_GPIO
from boardware.ports import LampId, SlotId

SHIFTER: Final = "U2"
_ON_END_REED_PADS, _FLAT_REED_PADS = ("1", "2"), ("3", "4")
"""The pads between which a reed is soldered."""
_VDD, _DOUT, _VSS, _DIN = "1", "2", "3", "4"
_LAMP_PIN_NAMES: Final = {_VDD: "VDD", _DOUT: "DOUT", _VSS: "VSS", _DIN: "DIN"}
_CATHODE, _ANODE = "1", "2"
_SQUARE_FOOTPRINTS: Final = ("Reed", "SOD-123", "WS2812B", "C0805")
"""The places of parts of a square."""
_SQUARE_TOLERANCE_MM: Final = 1.0
_OHM: Final = re.compile(r"([0-9.]+) (k?)Ohm")


class EtchedError(CircuitError):
    """Copper of which no board can be made: what was found."""


class EtchedBoard(NamedTuple):
    """A board as it was soldered."""

    board: BoardDescription
    diodes: Mapping[SlotId, SolderedDiode]
    """Those that are not as they should be."""
    lamps_alive: int
    """How many lamps of the chain hear what is sent."""
    dead_buttons: frozenset[str]
    """Buttons that close nothing."""

    def world(self, *, seed: int = 0, bounce: ContactBounce | None = REED) -> World:
        """It on the bench."""
        world = World(self.board, seed=seed, bounce=bounce)
        for slot, diode in self.diodes.items():
            world.copper.set_diode(slot, diode)
        for chain in self.board.chains:
            world.copper.set_alive(chain, self.lamps_alive)
        for button in self.dead_buttons:
            world.jam(button, False, world.now)
        return world


def read(board: BoardDescription, folder: Path) -> EtchedBoard:
    """The board that the files in a folder make, as `boardumpire make circuits` writes them.

    Raises `CircuitError`, `OSError`.
    """
    return trace_etched_board(*load_netlist(board, folder))


def trace_etched_board(assembly: Assembly, nets: Netlist) -> EtchedBoard:
    """The board that these nets make. Raises `EtchedError`."""
    return _NetTracer(assembly, nets).follow()


class _NetTracer:
    """Goes along the nets."""

    def __init__(self, assembly: Assembly, nets: Netlist) -> None:
        self.assembly = assembly
        self.file = assembly.board
        self.nets = nets
        self.roles: dict[AssemblyPin, str] = {}
        """What each net is: a net can't be two things."""
        self.ground = self.claim(nets.net_of(AssemblyPin(CARRIER_UNIT, carrier.POWER_IN_REF, "2")), "ground")
        self.power = self.claim(self._behind_fuse(), "5 V")

    def net(self, part: str, pad: str, unit: str = CARRIER_UNIT) -> AssemblyPin:
        """The net of a pad."""
        return self.nets.net_of(AssemblyPin(unit, part, pad))

    def gpio(self, gpio: int) -> AssemblyPin:
        """The net of a pin of the Pico."""
        return self.net(carrier.PICO_REF, str(EDGE_PIN_BY_GPIO[gpio]))

    def claim(self, net: AssemblyPin, role: str) -> AssemblyPin:
        """Say what a net is. Raises `EtchedError` if it is something else already."""
        known = self.roles.setdefault(net, role)
        if known != role:
            raise EtchedError(f"{known} and {role} are one net")
        return net

    def _behind_fuse(self) -> AssemblyPin:
        come, ends = self.net(carrier.POWER_IN_REF, "1"), [self.net("F1", "1"), self.net("F1", "2")]
        if come not in ends:
            raise EtchedError("5 V does not reach the fuse")
        return ends[1 - ends.index(come)]

    def follow(self) -> EtchedBoard:
        """All of the board."""
        self._check_values()
        self._check_part_between("C1", self.power, self.ground, "5 V and ground", poled=True)
        if not any(self.net(carrier.PICO_REF, str(pin)) == self.ground for pin in carrier.GROUND_PINS):
            raise EtchedError("the Pico has no ground")
        bank, wires = self._bank()
        sensors, diodes = self._reeds(bank, wires)
        lamps, alive = self._lamps(self.assembly.chain)
        spaces = {
            id_: replace(
                space,
                slots=tuple(replace(slot, sensor=sensors.get(slot.id)) for slot in space.slots),
            )
            for id_, space in self.file.spaces.items()
        }
        board = replace(self.file, spaces=spaces, lamps=lamps, banks={bank.id: bank})
        self._check_buzzer()
        return EtchedBoard(board, diodes, alive, frozenset(self._find_dead_buttons()))

    def _check_values(self) -> None:
        """Whether every part is what it should be, where another one is not followed."""
        for unit, circuit in sorted(self.nets.units.items()):
            for ref, part in sorted(circuit.parts.items()):
                wanted = (
                    carrier.PART_VALUES.get(ref)
                    if unit == CARRIER_UNIT
                    else tile.PART_VALUES.get(ref[0])
                    if part.footprint in _SQUARE_FOOTPRINTS
                    else None
                )
                if wanted is not None and part.value != wanted:
                    raise EtchedError(f"{unit} {ref} is {part.value[:40]!r}; expected {wanted!r}")

    def _check_part_between(
        self, ref: str, one: AssemblyPin, other: AssemblyPin, between: str, *, poled: bool = False
    ) -> None:
        """Whether a part of the carrier lies between two nets; `poled`: its pad 1 at the first."""
        found = (self.net(ref, "1"), self.net(ref, "2"))
        if found == (one, other) or (not poled and found == (other, one)):
            return
        if found == (other, one):
            raise EtchedError(f"{ref} is turned")
        raise EtchedError(f"{ref} is not between {between}")

    # -- the matrix ----------------------------------------------------------------------------------------

    def _bank(self) -> tuple[MatrixBank, Mapping[AssemblyPin, tuple[str, int]]]:
        """The bank with the resistors that are there; and the nets of its wires, each a row or a column."""
        bank = self.assembly.bank
        found: dict[AssemblyPin, tuple[str, int]] = {}
        rows, downs = [], []
        for number, gpio in enumerate(bank.rows):
            pin = self.gpio(gpio)
            found[self.claim(pin, f"row {number + 1}")] = ("row", number)
            for other, ohm in self._resistors(pin):
                found[self.claim(other, f"row {number + 1}")] = ("row", number)
                rows.append(ohm)
        for number, gpio in enumerate(bank.columns):
            pin = self.gpio(gpio)
            found[self.claim(pin, f"column {number + 1}")] = ("column", number)
            downs += [ohm for other, ohm in self._resistors(pin, empty=True) if other == self.ground]
        wires = bank.wires._replace(
            row_ohm=_common_resistance(rows, "rows") or bank.wires.row_ohm,
            pull_down_ohm=_common_resistance(downs, "columns"),
        )
        return replace(bank, wires=wires), found

    def _resistors(
        self, net: AssemblyPin, *, empty: bool = False
    ) -> Iterator[tuple[AssemblyPin, float | None]]:
        """What lies behind the resistors of the carrier at a net; `empty`: places without one, too."""
        for pin in sorted(self.nets.pins_of_net(net)):
            part = self.nets.units[pin.unit].parts.get(pin.part) if pin.unit == CARRIER_UNIT else None
            if part is None or not part.footprint.startswith("R"):
                continue
            ohm = _ohm(part.value)
            if ohm is not None or empty:
                yield self.net(pin.part, "2" if pin.pad == "1" else "1"), ohm

    def _reeds(
        self, bank: MatrixBank, wires: Mapping[AssemblyPin, tuple[str, int]]
    ) -> tuple[dict[SlotId, SensorAt], dict[SlotId, SolderedDiode]]:
        """Of each slot the contact that it is felt at, and odd diodes. One that leads nowhere has neither."""
        sensing = self.file.sensor_design or DEFAULT_DESIGN
        pads = _FLAT_REED_PADS if sensing.part.kind is SensorKind.FLAT else _ON_END_REED_PADS
        sensors: dict[SlotId, SensorAt] = {}
        diodes: dict[SlotId, SolderedDiode] = {}
        taken: dict[SensorAt, SlotId] = {}
        for unit, ref, slot in self._squares():
            ends = [self.net(tile.REED_REF + ref, pad, unit) for pad in pads]
            diode = [self.net(tile.DIODE_REF + ref, pad, unit) for pad in (_ANODE, _CATHODE)]
            if ends[0] == ends[1]:
                raise EtchedError(f"the reed of {slot} is bridged")
            if diode[0] != diode[1]:  # else what is between is a wire's net
                self._claim_between(slot, ends, diode, wires)
                if set(diode) <= set(wires):
                    raise EtchedError(f"the diode of {slot} joins two wires without a reed")
            way = _trace_contact(ends, diode, wires)
            if way is None:
                continue
            row, column, kind = way
            at = SensorAt(bank.id, row, column)
            if at in taken:
                raise EtchedError(
                    f"{slot} and {taken[at]} are one contact: row {row + 1}, column {column + 1}"
                )
            taken[at] = slot
            sensors[slot] = at
            if kind is not SolderedDiode.FINE:
                diodes[slot] = kind
        return sensors, diodes

    def _claim_between(
        self,
        slot: SlotId,
        ends: Sequence[AssemblyPin],
        diode: Sequence[AssemblyPin],
        wires: Mapping[AssemblyPin, tuple[str, int]],
    ) -> None:
        """Say what the nets of a reed and its diode are, beside those of wires."""
        for net in sorted({*ends, *diode} - wires.keys()):
            joins = net in ends and net in diode
            self.claim(net, f"what is between reed and diode of {slot}" if joins else "a wire that is cut")

    def _squares(self) -> Iterator[tuple[str, str, SlotId]]:
        """Unit, number and slot of each square: of the slot in whose middle its reed lies."""
        middles = {slot.id: slot.position for slot in self.file.slots.values()}
        for mounted in self.assembly.tiles:
            for part in self.nets.units[mounted.unit].parts.values():
                if part.footprint != "Reed":
                    continue
                at = (mounted.corner.x + part.at.x, mounted.corner.y + part.at.y)
                slot = min(middles, key=lambda id_: dist(middles[id_], at))
                if dist(middles[slot], at) > _SQUARE_TOLERANCE_MM:
                    raise EtchedError(f"{mounted.unit} {part.ref}: no square has its middle above it")
                yield mounted.unit, part.ref.removeprefix(tile.REED_REF), slot

    # -- lamps ---------------------------------------------------------------------------------------------

    def _lamps(self, chain: LampChain) -> tuple[dict[LampId, LampAt], int]:
        """Every lamp with its place in the chain as data finds it, and how many data reaches."""
        names: dict[tuple[str, str], LampId] = {
            (unit, tile.LAMP_REF + ref): slot for unit, ref, slot in self._squares()
        }
        names |= {(f"lamp {lamp}", ""): lamp for lamp in self.assembly.lamps_off_tiles}
        heard: dict[AssemblyPin, list[tuple[str, str]]] = {}
        for lamp in names:
            heard.setdefault(self._lamp(lamp, _DIN), []).append(lamp)
            self.claim(self._lamp(lamp, _DIN), "lamp data")
        order: list[tuple[str, str]] = []
        data = self._lamp_data_net(chain)
        while data is not None and (found := heard.get(data)):
            if len(found) > 1:
                raise EtchedError(f"the data of {' and '.join(names[each] for each in found)} is one net")
            lamp = found[0]
            if lamp in order or self._lamp(lamp, _VDD) != self.power or self._lamp(lamp, _VSS) != self.ground:
                break
            order.append(lamp)
            data = self._lamp(lamp, _DOUT)
        rest = sorted((lamp for lamp in names if lamp not in order), key=lambda lamp: names[lamp])
        places = {names[lamp]: LampAt(chain.id, number) for number, lamp in enumerate((*order, *rest))}
        return {lamp: places[lamp] for lamp in self.file.lamps}, len(order)

    def _lamp(self, lamp: tuple[str, str], pad: str) -> AssemblyPin:
        unit, part = lamp
        return self.net(part, pad, unit) if part else self.net("", _LAMP_PIN_NAMES[pad], unit)

    def _lamp_data_net(self, chain: LampChain) -> AssemblyPin | None:
        """The net of the data behind level shifter and resistor; `None`: it does not come so far."""
        assert chain.gpio is not None  # it hangs on a Pico
        pico = self.claim(self.gpio(chain.gpio), "lamp data from the Pico")
        self._check_part_between("R44", pico, self.ground, "lamp data from the Pico and ground")
        at = {pad: self.net(SHIFTER, pad) for pad in ("1", "2", "3", "7", "14")}
        fed = at["14"] == self.power and at["7"] == self.ground and at["1"] == self.ground
        if not fed or at["2"] != self.gpio(chain.gpio):
            return None
        self.claim(at["3"], "lamp data at 5 V")
        return next((other for other, _ in self._resistors(at["3"])), None)

    # -- buttons and buzzer --------------------------------------------------------------------------------

    def _find_dead_buttons(self) -> Iterator[str]:
        """The buttons that close nothing."""
        for button in self.file.buttons.values():
            pin = self.claim(self.gpio(button.gpio), f"button {button.id}")
            one, other = (self.net("", pad, f"button {button.id}") for pad in ("1", "2"))
            if one != pin or other != self.ground:
                if one in self.roles and one != pin:
                    raise EtchedError(f"button {button.id} is at {self.roles[one]}")
                yield button.id

    def _check_buzzer(self) -> None:
        """Whether the transistor switches the buzzer. Raises `EtchedError`: players go by its sounds."""
        buzzer = self.file.buzzer
        if buzzer is None:
            return
        base = [other for other, _ in self._resistors(self.gpio(buzzer.gpio))]
        minus = self.net("", "-", "buzzer")
        if (
            base != [self.net("Q1", "2")]
            or self.net("Q1", "1") != self.ground
            or self.net("Q1", "3") != minus
            or self.net("", "+", "buzzer") != self.power
            or minus in (self.power, self.ground)
        ):
            raise EtchedError("the buzzer is not switched by its pin")
        self._check_part_between("D1", self.power, minus, "5 V and the buzzer", poled=True)
        self._check_part_between("R43", self.net("Q1", "2"), self.ground, "the base of Q1 and ground")


def _trace_contact(
    reed: Sequence[AssemblyPin], diode: Sequence[AssemblyPin], wires: Mapping[AssemblyPin, tuple[str, int]]
) -> tuple[int, int, SolderedDiode] | None:
    """Row, column and diode of a way through a reed and a diode; `None`: it leads nowhere."""
    for here, there in (reed, reed[::-1]):
        for entry in range(2):  # by the anode, by the cathode
            if diode[1 - entry] != here or there not in wires or diode[entry] not in wires:
                continue
            (one, number), (other, another) = wires[diode[entry]], wires[there]
            if {one, other} != {"row", "column"}:
                continue
            row, column = (number, another) if one == "row" else (another, number)
            if diode[0] == diode[1]:
                return row, column, SolderedDiode.SHORTED
            forward = (one == "row") == (entry == 0)
            return row, column, SolderedDiode.FINE if forward else SolderedDiode.REVERSED
    return None


def _ohm(value: str) -> float | None:
    """Of a resistor's value; `None`: none is soldered there."""
    found = _OHM.fullmatch(value)
    return float(found[1]) * (1000 if found[2] else 1) if found else None


def _common_resistance(ohms: Sequence[float | None], where: str) -> float | None:
    """The value that all resistors have."""
    if len(set(ohms)) > 1:
        raise EtchedError(f"the resistors of {where} differ")
    return ohms[0] if ohms else None
