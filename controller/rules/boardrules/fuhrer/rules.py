"""What is fixed for a whole game: the map, the seats and how the options make the rules."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from boardrules.core import Seat
from boardrules.fuhrer.actions import HITLER, PIECES
from boardrules.fuhrer.choices import ActionLists
from boardrules.fuhrer.ends import ALLIES
from boardrules.fuhrer.liberation import LIBERATIONS
from boardrules.fuhrer.maps import map_of
from boardrules.fuhrer.movement import FLIGHTS, TRAPS

_SPLITS: Final = {
    "tank_spy": (Seat("tank-spy"), Seat("tank-spy"), Seat("infantry")),
    "tank_infantry": (Seat("tank-infantry"), Seat("spy"), Seat("tank-infantry")),
    "spy_infantry": (Seat("tank"), Seat("spy-infantry"), Seat("spy-infantry")),
}

GAME_ID: Final = "fall-of-the-fuhrer"


class FuhrerRules:
    """The rules as the options make them. Equal for equal options."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options: Mapping[str, Any] = MappingProxyType(options)
        self.key = tuple(options.items())
        """What makes rules equal."""
        self.board = map_of(options["map"])
        self.owners = _owners(options)
        """By Allied piece the seat that acts for it (G18)."""
        self.seats: tuple[Seat, ...] = (HITLER, *dict.fromkeys(self.owners))
        self.waits = tuple((seat,) for seat in self.owners)
        """By Allied piece whom the game waits for."""
        self.paper = options["sheet"] == "paper"
        """H3: whether Hitler keeps his sheet on paper."""
        self.hitler_too = options["first_round"] == "hitler_too"
        self.apart = options["start_cities"] == "different"
        self.must_roll = options["tank_roll"] == "always"
        self.at_once = options["recapture"] == "at_once"
        self.tell_origin = options["flight_tells"] == "origin"
        self.both_first = options["spy_questions"] == "both_first"
        self.flight = FLIGHTS[options["flight"]](self.board)
        self.trap = TRAPS[options["trapped"]](self.flight)
        self.spots = tuple(self.trap.of(1 << city) for city in range(len(self.board.ids)))
        """By city its marks."""
        self.liberation = LIBERATIONS[options["liberation"]]()
        self.choices = ActionLists(
            self.trap,
            self.owners,
            self.seats,
            self.tell_origin,
            options["one_flight_a_turn"],
            self.both_first,
        )
        """What each seat may do."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FuhrerRules) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"<rules of {GAME_ID}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return rules_of, (dict(self.options),)


def _owners(options: Mapping[str, Any]) -> tuple[Seat, ...]:
    if options["players"] == 3:
        return _SPLITS[options["allied_split"]]
    return tuple(Seat(piece) if options["players"] == 4 else ALLIES for piece in PIECES)


_latest: list[FuhrerRules] = []  # most games begin by the rules of the one before


def rules_of(options: dict[str, Any]) -> FuhrerRules:
    """The rules that these options, all of them, make."""
    if not _latest or _latest[0].key != tuple(options.items()):
        _latest[:] = [FuhrerRules(options)]
    return _latest[0]
