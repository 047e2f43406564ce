"""What a board file says of wires, resistors, diodes and supplies. All of it may be left out."""

from __future__ import annotations

from boardware.parts import DEFAULT_LAMP_WIRES, DEFAULT_MATRIX_WIRES, BufferedWiring, LampWires, MatrixWires
from boardware.physics.volts import CHIPS, DIODES, FLAT_CABLE_PF_M
from boardware.tomlfile import TomlTable

_REED_KEYS = ("diode", "row_ohm", "pull_down_ohm")
_BUFFERED_KEYS = ("feed_v",)
MATRIX_KEYS = ("switches", *_REED_KEYS, *_BUFFERED_KEYS, "cable_m", "cable_pf")
REED_SWITCHES, BUFFERED_SWITCHES = SWITCH_KINDS = ("reeds", "buffered")
LAMP_KEYS = ("shifter", "supply_v", "feeds", "wire_m", "wire_ohm_m")
PICO_CHIPS = tuple(name for name in CHIPS if name.startswith("rp"))


def matrix_wires(table: TomlTable) -> MatrixWires:
    """Of a bank: `diode`, `row_ohm`, `pull_down_ohm`, and `cable_m` of flat cable or `cable_pf` of any.

    Of one with `switches = "buffered"`: `feed_v` instead of the first three.
    """
    usual = DEFAULT_MATRIX_WIRES
    if table.has("cable_m") and table.has("cable_pf"):
        table.fail("cable_pf", "cable_pf beside cable_m", "one of them")
    cable = usual.cable_pf
    if table.has("cable_m"):
        cable = table.number("cable_m", 0, 10, "m") * FLAT_CABLE_PF_M
    elif table.has("cable_pf"):
        cable = table.number("cable_pf", 0, 10_000, "pF")
    buffered = _read_buffered_wiring(table)
    return MatrixWires(
        table.choice("diode", DIODES) if table.has("diode") else usual.diode_name,
        table.number("row_ohm", 0, 100_000, "Ohm") if table.has("row_ohm") else usual.row_ohm,
        table.number("pull_down_ohm", 100, 1_000_000, "Ohm") if table.has("pull_down_ohm") else None,
        cable,
        buffered,
    )


def _read_buffered_wiring(table: TomlTable) -> BufferedWiring | None:
    """What joins switches with three wires to rows and columns; `None`: they are reeds."""
    buffered = table.has("switches") and table.choice("switches", SWITCH_KINDS) == BUFFERED_SWITCHES
    for key in _REED_KEYS if buffered else _BUFFERED_KEYS:
        if table.has(key):
            table.fail(
                key, f'{key} beside switches = "{BUFFERED_SWITCHES if buffered else REED_SWITCHES}"', "none"
            )
    if not buffered:
        return None
    if not table.flag("diodes"):
        table.refuse_value(
            "diodes", 'true: nothing comes from one row to another where switches = "buffered"'
        )
    return BufferedWiring(
        table.number("feed_v", 1, 24, "V") if table.has("feed_v") else BufferedWiring().supply_v
    )


def lamp_wires(table: TomlTable) -> LampWires:
    """Of a chain: `shifter`, `supply_v`, `feeds`, `wire_m` and `wire_ohm_m`."""
    usual = DEFAULT_LAMP_WIRES
    return LampWires(
        table.flag("shifter") if table.has("shifter") else usual.has_level_shifter,
        table.number("supply_v", 3, 6, "V") if table.has("supply_v") else usual.supply_v,
        table.integer("feeds", 1, 2) if table.has("feeds") else usual.feed_count,
        table.number("wire_m", 0, 100, "m") if table.has("wire_m") else None,
        table.number("wire_ohm_m", 0, 10, "Ohm") if table.has("wire_ohm_m") else usual.wire_ohm_per_m,
    )


def read_pico_chip(table: TomlTable) -> str:
    """Of a Pico: `chip`."""
    return table.choice("chip", PICO_CHIPS) if table.has("chip") else PICO_CHIPS[0]
