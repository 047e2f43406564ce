"""The legend: one meaning a mark, the same in every game, on every board.

A mark has a colour and a pattern; the pattern is the second channel for those who can't tell colours
apart. This file is in the MicroPython subset: both ends of the wire read it.
"""

# Patterns, each a function of time only; `strip` draws them.
STEADY = "steady"
DIM = "dim steady"
PULSE = "slow pulse"
BLINK = "blink"
ALTERNATE = "alternate"
FLASHES = "three flashes"
SWEEP = "sweep"

# Colours as (red, green, blue), 0 to 255, at full brightness.
COLOURS = {
    "green": (0, 255, 0),
    "red": (255, 0, 0),
    "white": (255, 255, 255),
    "blue": (0, 0, 255),
    "amber": (255, 120, 0),
    "cyan": (0, 255, 255),
    "magenta": (255, 0, 255),
}

# A sweep runs over several lamps one after the other: its mark carries its place, `attacker-stands+0`,
# `attacker-stands+1` ...
# name: (colour, pattern, what it means). The order is the order of the legend that people read.
LEGEND = {
    "may-go": ("green", STEADY, "a piece may move here"),
    "may-attack": ("red", STEADY, "a piece may attack or arrest here"),
    "lifted": ("white", PULSE, "the piece was lifted from here"),
    "put": ("blue", BLINK, "put a piece here"),
    "take": ("amber", BLINK, "take the piece off here"),
    "attack-waits": (
        "red",
        ALTERNATE,
        "an attack is waiting: its owner confirms it, or taps the piece on its own square",
    ),
    "attack-counts": ("red", BLINK, "an attack is about to happen: put a piece back to stop it"),
    "refused": ("red", FLASHES, "this is not allowed"),
    "attacker-stands": ("green", SWEEP, "the attacker won; at the end of the game: this side won"),
    "defender-stands": ("red", SWEEP, "the defender won; at the end of the game: this side resigned"),
    "both-fall": ("amber", SWEEP, "both pieces leave the board; at the end of the game: a draw"),
    "held": ("cyan", DIM, "held by the Allies"),
    "token": ("magenta", PULSE, "where Hitler was two rounds ago"),
    "held-token": ("magenta", STEADY, "held by the Allies, and where Hitler was two rounds ago"),
    "asks": ("white", ALTERNATE, "waiting for an answer about this space, or from this side"),
    "clock-runs": ("cyan", STEADY, "this side's clock is running"),
    "time-short": ("amber", PULSE, "this side is short of time"),
    "turn-red": ("red", DIM, "it is Red's turn"),
    "turn-blue": ("blue", DIM, "it is Blue's turn"),
    "to-move": ("white", DIM, "it is this piece's or this side's turn"),
    "is-here": ("magenta", BLINK, "yes, Hitler is here"),
    "not-here": ("green", PULSE, "no, Hitler is not here"),
    "was-not-here": ("green", DIM, "no, in an earlier round Hitler was not here"),
    "rising": ("cyan", BLINK, "the Allies are about to hold this"),
    "falling": ("cyan", PULSE, "the Allies are about to lose this"),
    "way-out": ("magenta", DIM, "there is an Escape Attempt marker here, or an open tunnel ends here"),
    "detected": ("red", PULSE, "a tunnel that was detected ends here: guards may enter"),
    "past": ("amber", DIM, "this round is over"),
    "now": ("amber", STEADY, "this round is being played"),
    "ticket": ("blue", STEADY, "this ticket is still left"),
    "die": ("white", STEADY, "as many lights as the die shows, or as points are left"),
}


def split(mark: str) -> tuple[str, int]:
    """A mark as (name, place in its sweep): `both-fall+1` is ("both-fall", 1)."""
    name, plus, place = mark.partition("+")
    return name, int(place) if plus else 0


def colour(mark: str) -> tuple[int, int, int]:
    """The (red, green, blue) of a mark at full brightness."""
    return COLOURS[LEGEND[split(mark)[0]][0]]


def pattern(mark: str) -> str:
    """The pattern of a mark."""
    return LEGEND[split(mark)[0]][1]


def words(mark: str) -> str:
    """What a person sees: `green steady`."""
    entry = LEGEND[split(mark)[0]]
    return entry[0] + " " + entry[1]
