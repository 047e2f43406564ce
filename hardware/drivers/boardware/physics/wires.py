"""What a board file says of wires, resistors, diodes and supplies. All of it may be left out."""

from __future__ import annotations

from boardware.parts import USUAL_LAMPS, USUAL_MATRIX, BufferedWiring, LampWires, MatrixWires
from boardware.physics.volts import CHIPS, DIODES, FLAT_PF_M
from boardware.tomlfile import TomlTable

_OF_REEDS = ("diode", "row_ohm", "pull_down_ohm")
_OF_BUFFERED = ("feed_v",)
MATRIX_KEYS = ("switches", *_OF_REEDS, *_OF_BUFFERED, "cable_m", "cable_pf")
REEDS, BUFFERED = SWITCHES = ("reeds", "buffered")
LAMP_KEYS = ("shifter", "supply_v", "feeds", "wire_m", "wire_ohm_m")
PICO_CHIPS = tuple(name for name in CHIPS if name.startswith("rp"))


def matrix_wires(table: TomlTable) -> MatrixWires:
    """Of a bank: `diode`, `row_ohm`, `pull_down_ohm`, and `cable_m` of flat cable or `cable_pf` of any.

    Of one with `switches = "buffered"`: `feed_v` instead of the first three.
    """
    usual = USUAL_MATRIX
    if table.has("cable_m") and table.has("cable_pf"):
        table.fail("cable_pf", "cable_pf beside cable_m", "one of them")
    cable = usual.cable_pf
    if table.has("cable_m"):
        cable = table.number("cable_m", 0, 10, "m") * FLAT_PF_M
    elif table.has("cable_pf"):
        cable = table.number("cable_pf", 0, 10_000, "pF")
    buffered = _buffered(table)
    return MatrixWires(
        table.choice("diode", DIODES) if table.has("diode") else usual.diode,
        table.number("row_ohm", 0, 100_000, "Ohm") if table.has("row_ohm") else usual.row_ohm,
        table.number("pull_down_ohm", 100, 1_000_000, "Ohm") if table.has("pull_down_ohm") else None,
        cable,
        buffered,
    )


def _buffered(table: TomlTable) -> BufferedWiring | None:
    """What joins switches with three wires to rows and columns; `None`: they are reeds."""
    buffered = table.has("switches") and table.choice("switches", SWITCHES) == BUFFERED
    for key in _OF_REEDS if buffered else _OF_BUFFERED:
        if table.has(key):
            table.fail(key, f'{key} beside switches = "{BUFFERED if buffered else REEDS}"', "none")
    if not buffered:
        return None
    if not table.flag("diodes"):
        table.wrong("diodes", 'true: nothing comes from one row to another where switches = "buffered"')
    return BufferedWiring(
        table.number("feed_v", 1, 24, "V") if table.has("feed_v") else BufferedWiring().volts
    )


def lamp_wires(table: TomlTable) -> LampWires:
    """Of a chain: `shifter`, `supply_v`, `feeds`, `wire_m` and `wire_ohm_m`."""
    usual = USUAL_LAMPS
    return LampWires(
        table.flag("shifter") if table.has("shifter") else usual.shifter,
        table.number("supply_v", 3, 6, "V") if table.has("supply_v") else usual.supply,
        table.integer("feeds", 1, 2) if table.has("feeds") else usual.feeds,
        table.number("wire_m", 0, 100, "m") if table.has("wire_m") else None,
        table.number("wire_ohm_m", 0, 10, "Ohm") if table.has("wire_ohm_m") else usual.ohm_m,
    )


def chip(table: TomlTable) -> str:
    """Of a Pico: `chip`."""
    return table.choice("chip", PICO_CHIPS) if table.has("chip") else PICO_CHIPS[0]
