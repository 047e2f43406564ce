"""The nets of a whole board: the copper of its carrier and tiles, and the wires and solder between them.

All is read from files: the circuit boards as KiCad has them, and the list of wires that is soldered by.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from boardmake.circuit import copper
from boardmake.circuit.assembly import CARRIER_UNIT, Assembly, AssemblyPin, AssemblyWire
from boardmake.circuit.copper import Circuit
from boardmake.circuit.errors import CircuitFileError
from boardware.parts import BoardDescription

SOLDER_SIGNAL: Final = "drop of solder"
_CSV_HEADER: Final = ("from", "to", "carries")


class Netlist:
    """Which pins are one net. A pin that nothing is joined to is a net of its own."""

    def __init__(self, units: Mapping[str, Circuit], wires: Iterable[AssemblyWire]) -> None:
        """`units`: each circuit board of the whole by its name, tiles once for each place."""
        self.units = units
        self._leads: dict[AssemblyPin, AssemblyPin] = {}
        for unit, circuit in units.items():
            for net in circuit.nets:
                first, *others = (AssemblyPin(unit, part, pad) for part, pad in sorted(net))
                self._leads.setdefault(first, first)
                for pin in others:
                    self._join(first, pin)
        for wire in wires:
            self._join(wire.start, wire.end)
        self._pins: dict[AssemblyPin, set[AssemblyPin]] = {}
        for pin in self._leads:
            self._pins.setdefault(self.net_of(pin), set()).add(pin)

    def net_of(self, pin: AssemblyPin) -> AssemblyPin:
        """What names the net of a pin: one of its pins."""
        while (lead := self._leads.get(pin, pin)) != pin:
            pin = lead
        return pin

    def _join(self, one: AssemblyPin, other: AssemblyPin) -> None:
        a, b = self.net_of(one), self.net_of(other)
        for pin in (one, other):
            self._leads.setdefault(pin, pin)
        if a != b:
            self._leads[max(a, b)] = min(a, b)

    def pins_of_net(self, pin: AssemblyPin) -> frozenset[AssemblyPin]:
        """All pins of the net of a pin."""
        return frozenset(self._pins.get(self.net_of(pin), {pin}))


def load_netlist(board: BoardDescription, folder: Path) -> tuple[Assembly, Netlist]:
    """The netlist of a board from the files in a folder, as `making.make_circuits` writes them.

    Raises `NoTilesError`, `NoCarrierError`, `CircuitFileError`, `OSError`.
    """
    assembly = Assembly(board)
    names = {tile.unit: tile.plan.name for tile in assembly.tiles}
    names[CARRIER_UNIT] = f"carrier-{board.id}"
    read = {
        name: copper.read_circuit(folder / name / f"{name}.kicad_pcb") for name in sorted(set(names.values()))
    }
    units = {unit: read[name] for unit, name in names.items()}
    wires = parse_wires(folder / f"{board.id}-wires.csv", {*_pins_of_units(units), *assembly.pins_off_tiles})
    return assembly, Netlist(units, wires)


def _pins_of_units(units: Mapping[str, Circuit]) -> Iterator[AssemblyPin]:
    for unit, circuit in units.items():
        yield from (AssemblyPin(unit, part, pad) for net in circuit.nets for part, pad in net)


def wires_csv(assembly: Assembly) -> str:
    """The list of wires and drops of solder, as `parse_wires` reads it."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(_CSV_HEADER)
    for unit, jumper in assembly.closed_jumpers:
        table.writerow((AssemblyPin(unit, jumper, "1"), AssemblyPin(unit, jumper, "2"), SOLDER_SIGNAL))
    table.writerows(assembly.wires)
    return out.getvalue()


def parse_wires(path: Path, pins: Container[AssemblyPin] | None = None) -> list[AssemblyWire]:
    """The wires of a list, which join `pins` alone. Raises `CircuitFileError`, `OSError`."""
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    if not rows or tuple(rows[0]) != _CSV_HEADER:
        raise CircuitFileError(f"{path}:1: try {','.join(_CSV_HEADER)}")
    wires = []
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(_CSV_HEADER):
            raise CircuitFileError(f"{path}:{number}: {len(row)} fields; try {len(_CSV_HEADER)}")
        try:
            wire = AssemblyWire(parse_pin(row[0]), parse_pin(row[1]), row[2])
            for end in (wire.start, wire.end):
                if pins is not None and end not in pins:
                    raise ValueError(f"{end}; try a pin of this board")
            wires.append(wire)
        except ValueError as error:
            raise CircuitFileError(f"{path}:{number}: {error}") from None
    return wires


def parse_pin(text: str) -> AssemblyPin:
    """The pin that a text names: `tile 1,2 W3.R`, `button confirm 1`. Raises `ValueError`."""
    unit, _, pad = text.rpartition(" ")
    if not unit or not pad:
        raise ValueError(f"{text!r}; try a unit and a pin of it")
    part, dot, name = pad.rpartition(".")
    return AssemblyPin(unit, part, name) if dot else AssemblyPin(unit, "", pad)
