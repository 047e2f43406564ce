"""The tables of causes for banks of switches with three wires, whose rows have buffers.

They have no diodes. Each switch has a resistor to 3.3 V, and a buffer of its row inverts what it says.
So what helps over reeds may do harm here: these tables stand in for those of the same names in `causes`.
"""

from __future__ import annotations

from typing import Final

from boardumpire.makers import causes
from boardumpire.makers.causes import CauseTable, FaultCause

_STRONGER_MAGNET_REMEDY = (
    "Larger magnets, or less board or felt between: docs/build/magnets.md says what fits"
)
_MAGNET_CAUSE_CODES = (
    *("magnet-weak", "magnet-never", "magnet-on-its-side", "reeds-off-middle", "magnet-upside-down"),
    "piece-weak",
)

CLOSED_COLUMN_CAUSES: Final[CauseTable] = {
    "pulled-down": FaultCause(
        {"whole": True, "opens": False},
        "The switches' resistors lead to ground rather than to 3.3 V, or there are none: so each buffer "
        "says that its switch is closed",
        "Solder one from each switch's output to 3.3 V; one to ground goes away",
        "Take all pieces off and measure from a switch's output to ground: 3.3 V if it is right, 0 V if not",
    ),
    "buffer-straight": FaultCause(
        {"whole": True, "opens": True},
        "The rows' buffers don't invert: they pass on what they are given (a 74HC541)",
        "Put 74HC540 there",
        "Join a row's pin to 3.3 V with its wire off the header and measure before and behind its buffer: "
        "of one that inverts one is at 3.3 V and the other at 0 V",
    ),
    "column-high": causes.CLOSED_COLUMN_CAUSES["column-high"],
}
"""Columns seem closed on the empty board. Signs: the `whole` bank does; something `opens` under a piece."""

MANY_UNSENSED_CAUSES: Final[CauseTable] = {
    **{code: causes.MANY_UNSENSED_CAUSES[code] for code in _MAGNET_CAUSE_CODES},
    "magnet-weak": causes.MANY_UNSENSED_CAUSES["magnet-weak"]._replace(
        description="The magnets in the pieces are too weak for these switches, or too far above them",
        remedy=_STRONGER_MAGNET_REMEDY,
    ),
    "magnet-never": causes.MANY_UNSENSED_CAUSES["magnet-never"]._replace(
        description="No piece has a magnet that closes a switch: it is far too weak or too far up, or there"
        " is none",
        remedy=_STRONGER_MAGNET_REMEDY,
    ),
    "buffers-off": FaultCause(
        {"none": True, "strong": False, "one way": False, "both sides": False},
        "The rows' buffers, or the inverter that enables them, have no supply",
        "3.3 V to pin 20 and ground to pin 10 of each 74HC540; of the inverter pins 1 and 19 to ground, too",
        "Join a row's pin to 3.3 V with its wire off the header: pins 1 and 19 of its buffers go to 0 V",
    ),
    "switches-unfed": FaultCause(
        {"none": True, "strong": False, "one way": False, "both sides": False},
        "The switches have no supply, or no ground",
        "Look at the wires that lead both to them",
        "Measure at a switch, from its ground to its supply: what the board file says as feed_v",
    ),
    "plug-off": FaultCause(
        {"none": True, "strong": False, "one way": False, "both sides": False},
        "The plug of its rows, or of its columns, is not in",
        "Look at both plugs",
        "Switch off and measure from a column's pin to an output of a row's buffers: 0 Ohm",
    ),
    "reeds-insensitive": causes.MANY_UNSENSED_CAUSES["reeds-insensitive"]._replace(
        description="Several switches are less sensitive than others, or lie too deep or off their middle",
        remedy="Bring them nearer to the board's face, each in the middle of its space",
        next_test="Try other pieces there: if none is felt on these spaces, and all are on others, it is the "
        "switches",
    ),
    "reeds-dead": causes.MANY_UNSENSED_CAUSES["reeds-dead"]._replace(
        description="Several switches or their joints are dead",
        remedy="Look at the three joints of each",
        next_test="Measure at a switch: its supply, its ground, and 0 V at its output with a strong magnet on"
        " it",
    ),
}
"""Many pieces are not felt. Signs: those of `causes.MANY_UNSENSED_CAUSES`."""

ONE_UNSENSED_CAUSES: Final[CauseTable] = {
    "reed-dead": causes.ONE_UNSENSED_CAUSES["reed-dead"]._replace(
        description="A joint or the switch is dead, or the switch is the wrong way round",
        remedy="Look at its three joints, and which leg is which; then change it",
        next_test="Measure at it: its supply, its ground, and 0 V at its output with a strong magnet on it",
    ),
    "reed-insensitive": causes.ONE_UNSENSED_CAUSES["reed-insensitive"]._replace(
        remedy="Bring it nearer to the board's face, in the middle of its space",
        next_test="Push a piece about on it: where it is felt, there the switch lies",
    ),
    "magnet-weak": causes.ONE_UNSENSED_CAUSES["magnet-weak"]._replace(remedy=_STRONGER_MAGNET_REMEDY),
}
"""A piece is not felt on one space. Signs: those of `causes.ONE_UNSENSED_CAUSES`."""
