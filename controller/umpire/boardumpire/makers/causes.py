"""Symptom tables: what may be wrong where something is not as it should be, in order.

A table is of one symptom: lamps that are dark, pieces that are not felt. Its causes stand in the order in
which makers meet them (a guess). Each says which signs go with it; a sign that it does not name says nothing
of it. How often the right cause comes first is measured (`tests/makers/test_mistakes.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class FaultCause(NamedTuple):
    """Something that may be wrong."""

    sign_likelihoods: Mapping[str, bool]
    """Which of `SIGNS` are there then, and which are not."""
    description: str
    """What is wrong, as a sentence without its full stop."""
    remedy: str
    """What to do about it."""
    next_test: str
    """What to try or to measure next, and what comes of it if this is the cause."""


CauseTable = Mapping[str, FaultCause]
"""By code."""
SIGNS: Final = (
    *("shines", "shines alone", "lit behind", "jumps", "fades", "first steady", "alike", "wrong"),
    *("robs", "strong", "none", "one way", "most", "one of two", "together", "both sides", "beside"),
    "ring right",
    *("whole", "opens beside", "opens"),
)
"""Those that tell most stand first: the first one that two causes of a table disagree about decides."""


def rank_causes(table: CauseTable, seen: Mapping[str, bool]) -> list[str]:
    """The cause that suits the signs that were looked for, and those that no more of them speak against."""
    against = {
        code: tuple(
            cause.sign_likelihoods.get(sign, seen[sign]) != seen[sign] for sign in SIGNS if sign in seen
        )
        for code, cause in table.items()
    }
    first = min(against, key=against.__getitem__)
    return [first, *(c for c in against if c != first and sum(against[c]) <= sum(against[first]))]


_STRONGER_MAGNET_REMEDY = (
    "Larger magnets, less board or felt between, or reeds of fewer ampere-turns: docs/build/magnets.md says"
    " what fits"
)
_FEED_REMEDY = "Thicker wire for 5 V and ground, or feed the chain at both ends; then say so in `feeds`"
_SAG_TEST = "Measure 5 V to ground farthest from where the chain is fed, all in white: below 4.5 V it sags"

SILENT_PICO_CAUSES: Final[CauseTable] = {
    "pico-unpowered": FaultCause(
        {"shines": False},
        "The Pico has no power",
        "Push its USB cable in at both ends, and try another port of the Pi",
        "Measure VBUS (pin 40) to ground: without power there are 0 V, else 5 V",
    ),
    "cable-charging-only": FaultCause(
        {"shines": True},
        "Its USB cable has power alone, as some that came with chargers, and no wires for data",
        "Take a cable that is known to carry data",
        "Plug the same cable into a telephone and a computer: one for charging alone shows no files. "
        "On the Pi `lsusb` lists no Raspberry Pi Pico",
    ),
    "pico-without-firmware": FaultCause(
        {"shines": False},
        "It runs no firmware of ours",
        "`boardumpire flash` writes it",
        "On the Pi `lsusb` lists a MicroPython board, or an RP2 Boot",
    ),
    "port-not-allowed": FaultCause(
        {"shines": True},
        "This user may not open its port, or another program has it",
        "Stop the service first; the user needs the group `dialout`",
        "On the Pi `lsusb` lists a MicroPython board, and /dev/ttyACM0 is there",
    ),
}
"""A Pico never answers. Signs: its own small lamp `shines`."""

DARK_LAMP_CAUSES: Final[CauseTable] = {
    "chain-cut": FaultCause(
        {"shines alone": False, "lit behind": False},
        "Data does not reach it",
        "Solder the wire from the lamp before it anew",
        "Bridge from DOUT of the lamp before it to its DIN with a wire: it lights up, and those behind it",
    ),
    "lamp-dead": FaultCause(
        {"shines alone": False, "lit behind": False},
        "It is dead, and passes no data on",
        "Change it",
        "Bridge from DOUT of the lamp before it to DIN of the one behind: those behind it light up",
    ),
    "lamp-dark": FaultCause(
        {"shines alone": False, "lit behind": True},
        "Its own diodes are dead",
        "Change it",
        "Light it alone in white: it stays dark",
    ),
    "supply-sags": FaultCause(
        {"shines alone": True},
        "The supply sags: too little of its 5 V arrives while many lamps shine",
        _FEED_REMEDY,
        _SAG_TEST,
    ),
}
"""A lamp is dark. Signs: it `shines alone`; lamps `lit behind` it."""

DARK_CHAIN_CAUSES: Final[CauseTable] = {
    "chain-cut": FaultCause(
        {"lit behind": False},
        "No data, no 5 V or no ground reaches the chain",
        "Look at its fuse, its supply and its ground, then at the data wire: driver's pin, level shifter,"
        " 330 Ohm, DIN of the first lamp (not its DOUT)",
        "Measure 5 V at the first lamp. It is there? Lead data to the second one's DIN instead: those behind"
        " light up if the first is dead",
    ),
    "lamp-dead": DARK_LAMP_CAUSES["lamp-dead"],
}
"""The first lamp of a chain is dark, and all behind it."""

WRONG_COLOUR_CAUSES: Final[CauseTable] = {
    "colours-swapped": FaultCause(
        {"alike": True, "jumps": False, "first steady": True, "fades": False, "wrong": True},
        "These lamps take their colours in another order",
        "",
        "Light the first lamp alone in red: what it shows says what comes first",
    ),
    "shifter-missing": FaultCause(
        {"alike": False, "jumps": True, "first steady": True},
        "Data of 3.3 V is too low for lamps at 5 V",
        "Put a level shifter (74AHCT125 at 5 V) before the first lamp",
        "Feed the lamps 4.5 V for a moment, or through a diode: the colours come right",
    ),
    "ground-missing": FaultCause(
        {"alike": False, "jumps": True, "first steady": False, "fades": False, "wrong": True},
        "The ground of the lamps' supply is not joined with the ground of what sends their data",
        "Join both grounds with a short wire, beside the data wire",
        "Measure from ground at the first lamp to ground at the pin that sends: it should be 0 V and 0 Ohm",
    ),
    "supply-sags": FaultCause(
        {"jumps": False, "first steady": True, "fades": True, "wrong": False},
        "The supply sags: too little of its 5 V arrives at the far end while many lamps shine",
        _FEED_REMEDY,
        _SAG_TEST,
    ),
}
"""Lamps shine, but not as they should. Signs: all `alike`; colours that `jumps` about from blink to blink;
the `first steady` in its colour; in white it `fades` down the chain; red, green or blue alone is `wrong`."""

MANY_UNSENSED_CAUSES: Final[CauseTable] = {
    "magnet-weak": FaultCause(
        {
            "none": False,
            "strong": True,
            "one way": False,
            "together": False,
            "both sides": False,
            "beside": False,
        },
        "The magnets in the pieces are too weak for these reeds, or too far above them",
        _STRONGER_MAGNET_REMEDY,
        "Hold a second magnet on top of the one in a piece's foot, or take the felt off: then it is felt",
    ),
    "piece-weak": FaultCause(
        {"none": False, "strong": True, "one of two": True, "together": False, "most": True},
        "One of the two pieces has a weak magnet, or none, or it is upside down over sensors of one pole",
        "Take another piece, and start again",
        "Hold a steel pin to the foot of both pieces: to a magnet it sticks",
    ),
    "diodes-reversed": FaultCause(
        {"none": True, "strong": False, "one way": False, "both sides": False, "ring right": False},
        "All diodes are the wrong way round",
        "Their ring (the cathode) points to the column. Turn them, or put the rows' plug where the columns' "
        "is and the other way round: not the board file, rows are driven",
        "With a magnet on a square measure by the diode range of a meter, red on the row's pin and black on "
        "the column's: 0.5 to 0.7 V if they are right, nothing if they are reversed, and 0.6 V with the "
        "probes changed over",
    ),
    "magnet-never": FaultCause(
        {"none": True, "strong": True, "one way": False, "both sides": False, "beside": False},
        "No piece has a magnet that closes a reed: it is far too weak or too far up, or there is none",
        _STRONGER_MAGNET_REMEDY,
        "Hold a steel pin to the foot of a piece: where there is a magnet it sticks",
    ),
    "magnet-on-its-side": FaultCause(
        {
            "strong": True,
            "one way": False,
            "most": True,
            "together": False,
            "both sides": True,
            "beside": True,
        },
        "The magnets lie on their side in the feet of the pieces: their poles point sideways",
        "Glue them in flat, one pole up and one down",
        "Push a piece a finger's width aside: it is felt there, and not in the middle",
    ),
    "reeds-off-middle": FaultCause(
        {"strong": True, "one way": False, "most": True, "beside": True},
        "Most of its reeds lie beside the middle of their squares: the template was printed at another scale,"
        " or the face was glued elsewhere",
        "Measure the ruler on template and face: it has 100 mm. Then move the face, or the reeds",
        "Push a piece about on three squares: where it is felt, there the reed lies",
    ),
    "magnet-upside-down": FaultCause(
        {"none": True, "strong": True, "one way": True, "both sides": False},
        "The magnets are upside down: these sensors feel one pole alone",
        "Glue them in the other way up",
        "Hold a loose magnet over a square, one side down and then the other: it is felt one way alone. "
        "Turn a piece upside down over it: it is felt then",
    ),
    "plugs-exchanged": FaultCause(
        {"none": True, "strong": False, "one way": False, "both sides": False, "ring right": True},
        "The plug of its rows is where that of its columns belongs, and the other way round",
        "Change them over; the board file is right",
        "Measure from the pin of row 0 to the wire of column 0: 0 Ohm if they are exchanged",
    ),
    "plug-off": FaultCause(
        {"none": True, "strong": False, "one way": False, "both sides": False, "ring right": True},
        "The plug of its rows, or of its columns, is not in, or wires go by numbers of pins",
        "Look at both plugs. Numbers in the board file are GP or GPIO numbers; `pins.svg` shows their pins",
        "Measure from a row's pin to the reed of a square: 0 Ohm and the row's resistor at most",
    ),
    "reeds-insensitive": FaultCause(
        {"none": False, "strong": True, "one way": False, "together": True, "most": False},
        "Several reeds are less sensitive than others, or lie too deep or off their middle",
        "Bring their ends nearer to the board's face, each in the middle of its space",
        "Try other pieces there: if none is felt on these spaces, and all are on others, it is the reeds",
    ),
    "reeds-dead": FaultCause(
        {"none": False, "strong": False, "one way": False, "both sides": False},
        "Several reeds or their joints are dead",
        "Look at the joints of each",
        "Measure across a reed with a strong magnet on it: 0 Ohm if it closes",
    ),
}
"""Many pieces are not felt. Signs: `none` is felt at all; a `strong` magnet is, at most places tried; it is
felt `one way` up alone; of two pieces that are put there once more, `one of two` is felt; `most` spaces feel
nothing; these lie `together`, in a line or on one part of the board; a piece is felt `beside` the middle, and
on both sides of it (`both sides`); the ring of a diode is on the `ring right` side."""

ONE_UNSENSED_CAUSES: Final[CauseTable] = {
    "diode-reversed": FaultCause(
        {"robs": True, "strong": False},
        "Its diode is the wrong way round",
        "Its ring (the cathode) points to the column",
        "With a magnet on it and on another square of its column, measure from the column's pin to ground "
        "while the other's row is driven: some 1.6 V rather than 2.6 V",
    ),
    "reed-dead": FaultCause(
        {"robs": False, "strong": False},
        "A joint, the reed or its diode lets nothing through",
        "Look at its joints, then at the diode, then at the reed",
        "Measure across the reed with a strong magnet on it: 0 Ohm if it closes. Then across the diode: "
        "0.5 to 0.7 V one way",
    ),
    "reed-insensitive": FaultCause(
        {"robs": False, "strong": True},
        "It is less sensitive than others, or lies too deep or off its middle",
        "Bring its end nearer to the board's face, in the middle of its space",
        "Push a piece about on it: where it is felt, there the reed lies",
    ),
    "magnet-weak": FaultCause(
        {"robs": False, "strong": True},
        "The magnets in the pieces are a little too weak, or too far up: other spaces feel them barely",
        _STRONGER_MAGNET_REMEDY,
        "Push a piece aside on the spaces round it: if it is let go within a few millimetres on several of "
        "them, it is the magnets",
    ),
}
"""A piece is not felt on one space. Signs: it `robs` another of its column; a `strong` magnet is felt."""

CLOSED_COLUMN_CAUSES: Final[CauseTable] = {
    "pulled-up": FaultCause(
        {"whole": True, "opens": False, "opens beside": False},
        "The columns' resistors lead to 3.3 V rather than to ground",
        "Solder them from each column to ground, or leave them out: the chip has its own",
        "Switch off, pull the plug of the columns and measure from one to 3.3 V and to ground: the resistor "
        "is found where it leads to",
    ),
    "diodes-across": FaultCause(
        {"whole": True, "opens beside": True},
        "Each diode lies across its reed, not between the reed and its row",
        "Solder one lead of each diode to the reed and the other to the row's wire",
        "Switch off and measure across a reed by the diode range: 0.5 to 0.7 V one way, without a magnet",
    ),
    "reeds-closed": FaultCause(
        {"whole": True, "opens": True, "opens beside": False},
        "The reeds are closed at rest and open under a magnet (normally closed, NC)",
        "Take reeds that close under a magnet (normally open, form A)",
        "Hold a loose one at a meter: it has 0 Ohm until a magnet comes",
    ),
    "column-high": FaultCause(
        {"whole": False, "opens": False},
        "It touches 3.3 V or a row",
        "Look for solder between its joints",
        "Switch off and measure from it to 3.3 V and to each row: 0 Ohm where it touches",
    ),
}
"""Columns seem closed on the empty board. Signs: the `whole` bank does; something `opens` under pieces,
or `opens beside` them in their column."""
