"""The tables of causes for banks whose rows feed switches with three wires.

They have no diodes. Their columns are pulled up to 3.3 V, and an inverter reads each. So what helps over
reeds may do harm here: these tables stand in for those of the same names in `causes`. All numbers are
estimates.
"""

from __future__ import annotations

from typing import Final

from boardumpire.makers import causes
from boardumpire.makers.causes import Cause, Table

_LARGER = "Larger magnets, or less board or felt between: docs/makers/magnets.md says what fits"
_MAGNETS = ("magnet-weak", "magnet-never", "magnet-on-its-side", "magnet-upside-down")

CLOSED: Final[Table] = {
    "pulled-down": Cause(
        0.7,
        {"whole": 0.9},
        "The columns' resistors lead to ground rather than to 3.3 V, or there are none: so each inverter "
        "says that a switch is closed",
        "Solder one from each column to 3.3 V, before its inverter; the one to ground goes away",
        "Take all pieces off and measure from a column, before its inverter, to ground: 3.3 V if it is "
        "right, 0 V if not",
    ),
    "inverter-absent": Cause(
        0.25,
        {"whole": 0.9},
        "The columns are not inverted: their chip is one that passes on what it is given (a 74HC541), or "
        "there is none",
        "Put a 74HC540 there",
        "Measure before and behind the chip: of an inverter one is at 3.3 V and the other at 0 V",
    ),
    "column-low": Cause(
        0.5,
        {"whole": 0.05},
        "It touches ground before its inverter, its resistor to 3.3 V is missing, a switch of it is shorted, "
        "or its pin touches 3.3 V",
        "Look at its resistor, and for solder between its joints",
        "Measure from it, before its inverter, to ground: 3.3 V if the fault is behind that, 0 V if before",
    ),
}
"""Columns seem closed on the empty board. Signs: the `whole` bank does."""

UNFELT: Final[Table] = {
    **{code: causes.UNFELT[code] for code in _MAGNETS},
    "magnet-weak": causes.UNFELT["magnet-weak"]._replace(
        what="The magnets in the pieces are too weak for these switches, or too far above them", mend=_LARGER
    ),
    "magnet-never": causes.UNFELT["magnet-never"]._replace(
        what="No piece has a magnet that closes a switch: it is far too weak or too far up, or there is none",
        mend=_LARGER,
    ),
    "inverter-off": Cause(
        0.12,
        {"none": 0.98, "strong": 0.02, "one way": 0.01, "aside": 0.02},
        "The inverters of its columns have no supply, or are not enabled",
        "3.3 V to pin 20, ground to pin 10, and both enables (pins 1 and 19 of a 74HC540) to ground",
        "Measure at the chip, from pin 10: 3.3 V at pin 20, 0 V at pins 1 and 19",
    ),
    "rows-unfed": Cause(
        0.12,
        {"none": 0.98, "strong": 0.02, "one way": 0.01, "aside": 0.02},
        "Its rows pass no supply on to their switches, or the switches have no ground",
        "Look at the transistors of a row: which leg is which, and where their supply comes from",
        "Join a row's pin to 3.3 V with its wire off the header: the supply of that row's switches comes on",
    ),
    "plug-off": Cause(
        0.1,
        {"none": 0.98, "strong": 0.02, "one way": 0.01, "aside": 0.02},
        "The plug of its rows, or of its columns, is not in",
        "Look at both plugs",
        "Switch off and measure from a column's pin to the output of its inverter: 0 Ohm",
    ),
    "reeds-insensitive": causes.UNFELT["reeds-insensitive"]._replace(
        what="Several switches are less sensitive than others, or lie too deep or off their middle",
        mend="Bring them nearer to the board's face, each in the middle of its space",
        tell="Try other pieces there: if none is felt on these spaces, and all are on others, it is the "
        "switches",
    ),
    "reeds-dead": causes.UNFELT["reeds-dead"]._replace(
        what="Several switches or their joints are dead",
        mend="Look at the three joints of each",
        tell="Measure at a switch while its row is fed: its supply, its ground, and 0 V at its output with a "
        "strong magnet on it",
    ),
}
"""Many pieces are not felt. Signs: those of `causes.UNFELT`."""

ONE: Final[Table] = {
    "reed-dead": causes.ONE["reed-dead"]._replace(
        what="A joint or the switch is dead, or the switch is the wrong way round",
        mend="Look at its three joints, and which leg is which; then change it",
        tell="Measure at it while its row is fed: its supply, its ground, and 0 V at its output with a "
        "strong magnet on it",
    ),
    "reed-insensitive": causes.ONE["reed-insensitive"]._replace(
        mend="Bring it nearer to the board's face, in the middle of its space",
        tell="Push a piece about on it: where it is felt, there the switch lies",
    ),
    "magnet-weak": causes.ONE["magnet-weak"]._replace(mend=_LARGER),
}
"""A piece is not felt on one space. Signs: those of `causes.ONE`."""
