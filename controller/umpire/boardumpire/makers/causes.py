"""How likely causes are, given what was seen: Bayes' rule over small tables.

A table is of one thing that is not as it should be: lamps that are dark, pieces that are not felt. It says of
each cause how often makers meet it, and how likely each sign then is. Signs are taken as independent, and
those that nobody looked for say nothing. All the numbers are estimates: what counts is which cause comes
first, and that is measured (`tests/makers/test_mistakes.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class FaultCause(NamedTuple):
    """Something that may be wrong."""

    prior: float
    """How often it is met, against the others of its table."""
    signs: Mapping[str, float]
    """How likely each sign is then."""
    what: str
    """What is wrong, as a sentence without its full stop."""
    mend: str
    """What to do about it."""
    tell: str
    """What to try or to measure next, and what comes of it if this is the cause."""


Table = Mapping[str, FaultCause]
"""By code."""


class RankedCause(NamedTuple):
    """A cause, and how likely it is among those of its table."""

    code: str
    share: float
    cause: FaultCause


def ranked(table: Table, signs: Mapping[str, bool]) -> list[RankedCause]:
    """The causes of a table, the likeliest first; of `signs` those that were looked for."""
    weights = {}
    for code, cause in table.items():
        weight = cause.prior
        for sign, seen in signs.items():
            weight *= cause.signs[sign] if seen else 1 - cause.signs[sign]
        weights[code] = weight
    whole = sum(weights.values())
    found = [RankedCause(code, weight / whole, table[code]) for code, weight in weights.items()]
    return sorted(found, key=lambda each: -each.share)


_LARGER = (
    "Larger magnets, less board or felt between, or reeds of fewer ampere-turns: docs/build/magnets.md says"
    " what fits"
)
_FEED = "Thicker wire for 5 V and ground, or feed the chain at both ends; then say so in `feeds`"
_FAR = "Measure 5 V to ground farthest from where the chain is fed, all in white: below 4.5 V it sags"

SILENT: Final[Table] = {
    "pico-unpowered": FaultCause(
        0.4,
        {"shines": 0.03},
        "The Pico has no power",
        "Push its USB cable in at both ends, and try another port of the Pi",
        "Measure VBUS (pin 40) to ground: without power there are 0 V, else 5 V",
    ),
    "cable-charging-only": FaultCause(
        0.3,
        {"shines": 0.97},
        "Its USB cable has power alone, as some that came with chargers, and no wires for data",
        "Take a cable that is known to carry data",
        "Plug the same cable into a telephone and a computer: one for charging alone shows no files. "
        "On the Pi `lsusb` lists no Raspberry Pi Pico",
    ),
    "pico-without-firmware": FaultCause(
        0.15,
        {"shines": 0.05},
        "It runs no firmware of ours",
        "`boardumpire flash` writes it",
        "On the Pi `lsusb` lists a MicroPython board, or an RP2 Boot",
    ),
    "port-not-allowed": FaultCause(
        0.1,
        {"shines": 0.9},
        "This user may not open its port, or another program has it",
        "Stop the service first; the user needs the group `dialout`",
        "On the Pi `lsusb` lists a MicroPython board, and /dev/ttyACM0 is there",
    ),
}
"""A Pico never answers. Signs: its own small lamp `shines`."""

DARK: Final[Table] = {
    "chain-cut": FaultCause(
        0.5,
        {"shines alone": 0.02, "lit behind": 0.02},
        "Data does not reach it",
        "Solder the wire from the lamp before it anew",
        "Bridge from DOUT of the lamp before it to its DIN with a wire: it lights up, and those behind it",
    ),
    "lamp-dead": FaultCause(
        0.2,
        {"shines alone": 0.02, "lit behind": 0.02},
        "It is dead, and passes no data on",
        "Change it",
        "Bridge from DOUT of the lamp before it to DIN of the one behind: those behind it light up",
    ),
    "lamp-dark": FaultCause(
        0.15,
        {"shines alone": 0.02, "lit behind": 0.97},
        "Its own diodes are dead",
        "Change it",
        "Light it alone in white: it stays dark",
    ),
    "supply-sags": FaultCause(
        0.15,
        {"shines alone": 0.97, "lit behind": 0.2},
        "The supply sags: too little of its 5 V arrives while many lamps shine",
        _FEED,
        _FAR,
    ),
}
"""A lamp is dark. Signs: it `shines alone`; lamps `lit behind` it."""

COLOURS: Final[Table] = {
    "colours-swapped": FaultCause(
        0.4,
        {"alike": 0.98, "jumps": 0.01, "first steady": 0.95, "fades": 0.03, "wrong": 0.97},
        "These lamps take their colours in another order",
        "",
        "Light the first lamp alone in red: what it shows says what comes first",
    ),
    "shifter-missing": FaultCause(
        0.25,
        {"alike": 0.1, "jumps": 0.93, "first steady": 0.85, "fades": 0.2, "wrong": 0.7},
        "Data of 3.3 V is too low for lamps at 5 V",
        "Put a level shifter (74AHCT125 at 5 V) before the first lamp",
        "Feed the lamps 4.5 V for a moment, or through a diode: the colours come right",
    ),
    "ground-missing": FaultCause(
        0.2,
        {"alike": 0.03, "jumps": 0.97, "first steady": 0.03, "fades": 0.1, "wrong": 0.8},
        "The ground of the lamps' supply is not joined with the ground of what sends their data",
        "Join both grounds with a short wire, beside the data wire",
        "Measure from ground at the first lamp to ground at the pin that sends: it should be 0 V and 0 Ohm",
    ),
    "supply-sags": FaultCause(
        0.15,
        {"alike": 0.3, "jumps": 0.02, "first steady": 0.95, "fades": 0.95, "wrong": 0.1},
        "The supply sags: too little of its 5 V arrives at the far end while many lamps shine",
        _FEED,
        _FAR,
    ),
}
"""Lamps shine, but not as they should. Signs: all `alike`; colours that `jumps` about from blink to blink;
the `first steady` in its colour; in white it `fades` down the chain; red, green or blue alone is `wrong`."""

UNFELT: Final[Table] = {
    "magnet-weak": FaultCause(
        0.3,
        {"none": 0.03, "strong": 0.97, "one way": 0.02, "aside": 0.1},
        "The magnets in the pieces are too weak for these reeds, or too far above them",
        _LARGER,
        "Hold a second magnet on top of the one in a piece's foot, or take the felt off: then it is felt",
    ),
    "magnet-never": FaultCause(
        0.2,
        {"none": 0.97, "strong": 0.97, "one way": 0.02, "aside": 0.03},
        "No piece has a magnet that closes a reed: it is far too weak or too far up, or there is none",
        _LARGER,
        "Hold a steel pin to the foot of a piece: where there is a magnet it sticks",
    ),
    "magnet-on-its-side": FaultCause(
        0.12,
        {"none": 0.4, "strong": 0.97, "one way": 0.02, "aside": 0.95},
        "The magnets lie on their side in the feet of the pieces: their poles point sideways",
        "Glue them in flat, one pole up and one down",
        "Push a piece a finger's width aside: it is felt there, and not in the middle",
    ),
    "magnet-upside-down": FaultCause(
        0.08,
        {"none": 0.95, "strong": 0.97, "one way": 0.97, "aside": 0.02},
        "The magnets are upside down: these sensors feel one pole alone",
        "Glue them in the other way up",
        "Hold a loose magnet over a square, one side down and then the other: it is felt one way alone. "
        "Turn a piece upside down over it: it is felt then",
    ),
    "diodes-reversed": FaultCause(
        0.2,
        {"none": 0.98, "strong": 0.02, "one way": 0.01, "aside": 0.02},
        "All diodes are the wrong way round",
        "Their ring (the cathode) points to the column. Turn them, or put the rows' plug where the columns' "
        "is and the other way round: not the board file, rows are driven",
        "With a magnet on a square measure by the diode range of a meter, red on the row's pin and black on "
        "the column's: 0.5 to 0.7 V if they are right, nothing if they are reversed, and 0.6 V with the "
        "probes changed over",
    ),
    "plug-off": FaultCause(
        0.1,
        {"none": 0.98, "strong": 0.02, "one way": 0.01, "aside": 0.02},
        "The plug of its rows, or of its columns, is not in",
        "Look at both plugs",
        "Measure from a row's pin to the reed of a square: 0 Ohm and the row's resistor at most",
    ),
    "reeds-insensitive": FaultCause(
        0.05,
        {"none": 0.02, "strong": 0.95, "one way": 0.02, "aside": 0.2},
        "Several reeds are less sensitive than others, or lie too deep or off their middle",
        "Bring their ends nearer to the board's face, each in the middle of its space",
        "Try other pieces there: if none is felt on these spaces, and all are on others, it is the reeds",
    ),
    "reeds-dead": FaultCause(
        0.05,
        {"none": 0.02, "strong": 0.1, "one way": 0.02, "aside": 0.02},
        "Several reeds or their joints are dead",
        "Look at the joints of each",
        "Measure across a reed with a strong magnet on it: 0 Ohm if it closes",
    ),
}
"""Many pieces are not felt. Signs: `none` is felt at all; a `strong` magnet is, at most places tried; it is
felt `one way` up alone; a piece is felt `aside` of the middle."""

ONE: Final[Table] = {
    "diode-reversed": FaultCause(
        0.2,
        {"robs": 0.95, "strong": 0.05},
        "Its diode is the wrong way round",
        "Its ring (the cathode) points to the column",
        "With a magnet on it and on another square of its column, measure from the column's pin to ground "
        "while the other's row is driven: some 1.6 V rather than 2.6 V",
    ),
    "reed-dead": FaultCause(
        0.55,
        {"robs": 0.02, "strong": 0.04},
        "A joint, the reed or its diode lets nothing through",
        "Look at its joints, then at the diode, then at the reed",
        "Measure across the reed with a strong magnet on it: 0 Ohm if it closes. Then across the diode: "
        "0.5 to 0.7 V one way",
    ),
    "reed-insensitive": FaultCause(
        0.25,
        {"robs": 0.02, "strong": 0.96},
        "It is less sensitive than others, or lies too deep or off its middle",
        "Bring its end nearer to the board's face, in the middle of its space",
        "Push a piece about on it: where it is felt, there the reed lies",
    ),
    "magnet-weak": FaultCause(
        0.15,
        {"robs": 0.02, "strong": 0.96},
        "The magnets in the pieces are a little too weak, or too far up: other spaces feel them barely",
        _LARGER,
        "Push a piece aside on the spaces round it: if it is let go within a few millimetres on several of "
        "them, it is the magnets",
    ),
}
"""A piece is not felt on one space. Signs: it `robs` another of its column; a `strong` magnet is felt."""

CLOSED: Final[Table] = {
    "pulled-up": FaultCause(
        0.9,
        {"whole": 0.9, "opens": 0.02},
        "The columns' resistors lead to 3.3 V rather than to ground",
        "Solder them from each column to ground, or leave them out: the chip has its own",
        "Switch off, pull the plug of the columns and measure from one to 3.3 V and to ground: the resistor "
        "is found where it leads to",
    ),
    "reeds-closed": FaultCause(
        0.2,
        {"whole": 0.97, "opens": 0.97},
        "The reeds are closed at rest and open under a magnet (normally closed, NC)",
        "Take reeds that close under a magnet (normally open, form A)",
        "Hold a loose one at a meter: it has 0 Ohm until a magnet comes",
    ),
    "column-high": FaultCause(
        0.5,
        {"whole": 0.05, "opens": 0.02},
        "It touches 3.3 V or a row",
        "Look for solder between its joints",
        "Switch off and measure from it to 3.3 V and to each row: 0 Ohm where it touches",
    ),
}
"""Columns seem closed on the empty board. Signs: the `whole` bank does; something `opens` under a piece."""
