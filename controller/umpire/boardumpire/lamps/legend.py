"""The legend: what each light of a board means, and how it looks.

Here stand the marks that every game has; a game brings its own (`GamePackage.marks`). This is the one place
where a mark gets its colour and pattern. Drivers and Picos are told how a lamp looks and not what it means:
a line changed here needs no new firmware.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boardrules import registry
from boardrules.marks import Mark, mark_name, sweep_position
from boardumpire.errors import BoardumpireError
from boardware.ports import LampId, Light
from boardwire import lights

COLOURS: Final = {
    "green": 0x0F0,
    "red": 0xF00,
    "white": 0xFFF,
    "blue": 0x00F,
    "amber": 0xF70,
    "cyan": 0x0FF,
    "magenta": 0xF0F,
}
"""By name three hexadecimal digits: red, green, blue."""

PATTERNS: Final = {
    "steady": lights.STEADY,
    "dim steady": lights.DIM,
    "slow pulse": lights.PULSE,
    "blink": lights.BLINK,
    "alternate": lights.ALTERNATE,
    "three flashes": lights.FLASHES,
    "sweep": lights.SWEEP,
}

# The order is the order that people read.
SHARED_MARKS: Final[dict[str, Mark]] = {
    "may-go": Mark("green", "steady", "a piece may move here"),
    "may-attack": Mark("red", "steady", "a piece may attack or arrest here"),
    "lifted": Mark("white", "slow pulse", "the piece was lifted from here"),
    "may-leave": Mark("green", "blink", "the piece was lifted from here, and may leave the board"),
    "put": Mark("blue", "blink", "put a piece here"),
    "take": Mark("amber", "blink", "take the piece off here"),
    "attack-waits": Mark(
        "red",
        "alternate",
        "an attack is waiting: its owner confirms it, or taps the piece on its own square",
    ),
    "attack-counts": Mark("red", "blink", "attack coming: put a piece back to stop it"),
    "refused": Mark("red", "three flashes", "this is not allowed"),
    "attacker-stands": Mark("green", "sweep", "the attacker won", "this side won"),
    "defender-stands": Mark("red", "sweep", "the defender won", "this side resigned"),
    "both-fall": Mark("amber", "sweep", "both pieces leave the board", "a draw"),
    "asks": Mark("white", "alternate", "waiting for an answer"),
    "clock-runs": Mark("cyan", "steady", "this side's clock is running"),
    "time-short": Mark("amber", "slow pulse", "this side is short of time"),
    # Who examines a board has lamps shine; that means nothing.
    "plain-red": Mark("red", "steady", ""),
    "plain-green": Mark("green", "steady", ""),
    "plain-blue": Mark("blue", "steady", ""),
    "plain-white": Mark("white", "steady", ""),
    "plain-blink": Mark("red", "blink", ""),
}


class LegendError(BoardumpireError):
    """A game brings a mark that nobody can show, or one of the board's."""


class Legend:
    """Marks by name, and the light of each."""

    def __init__(self, game: str = "") -> None:
        """The marks that every game has, and those of a game. Raises `LegendError`."""
        own = registry.package(game).marks() if game else {}
        self.marks: Mapping[str, Mark] = {**SHARED_MARKS, **own}
        for name, mark in own.items():
            for found, known in ((mark.colour, COLOURS), (mark.pattern, PATTERNS)):
                if found not in known:
                    raise LegendError(
                        f"game {game}: mark {name} has {found!r}, expected one of {', '.join(known)}"
                    )
            if name in SHARED_MARKS:
                raise LegendError(f"game {game}: mark {name} is one that every game has")
        self._lights: dict[str, Light] = {}

    def to_lights(self, marks: Mapping[LampId, str]) -> dict[LampId, Light]:
        """How these marks look; one that is none is left out: nobody could say what it means."""
        known = self._lights
        for mark in marks.values():
            if mark not in known and (name := mark_name(mark)) in self.marks:
                known[mark] = Light(mark, _light_code(self.marks[name], sweep_position(mark)))
        return {lamp: known[mark] for lamp, mark in marks.items() if mark in known}


def _light_code(mark: Mark, place: int) -> int:
    pattern = PATTERNS[mark.pattern]
    if pattern == lights.SWEEP:
        pattern += min(place, lights.MAX_SWEEP_PLACE)
    return COLOURS[mark.colour] << 4 | pattern


BOARD_LEGEND: Final = Legend()
"""For a board without a game."""
