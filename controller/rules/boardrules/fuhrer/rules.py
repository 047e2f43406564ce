"""What is fixed for a whole game: the map, the seats and how the options make the rules."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from boardrules.core import Seat
from boardrules.fuhrer.actions import HITLER, PIECES
from boardrules.fuhrer.choices import ActionLists
from boardrules.fuhrer.ends import ALLIES
from boardrules.fuhrer.liberation import LIBERATION_RULES
from boardrules.fuhrer.maps import map_by_text
from boardrules.fuhrer.movement import FLIGHT_RULES, TRAP_RULES

_OWNERS_BY_SPLIT: Final = {
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
        self.board = map_by_text(options["map"])
        self.owners = _piece_owners(options)
        """By Allied piece the seat that acts for it (G18)."""
        self.seats: tuple[Seat, ...] = (HITLER, *dict.fromkeys(self.owners))
        self.seats_by_piece = tuple((seat,) for seat in self.owners)
        """By Allied piece whom the game waits for."""
        self.is_paper_sheet = options["sheet"] == "paper"
        """H3: whether Hitler keeps his sheet on paper."""
        self.hitler_moves_first = options["first_round"] == "hitler_too"
        self.needs_different_starts = options["start_cities"] == "different"
        self.must_roll = options["tank_roll"] == "always"
        self.recaptures_at_once = options["recapture"] == "at_once"
        self.tells_origin = options["flight_tells"] == "origin"
        self.asks_both_first = options["spy_questions"] == "both_first"
        self.flight_rule = FLIGHT_RULES[options["flight"]](self.board)
        self.trap_rule = TRAP_RULES[options["trapped"]](self.flight_rule)
        self.marks_by_city = tuple(
            self.trap_rule.marks_of_cities(1 << city) for city in range(len(self.board.ids))
        )
        """By city its marks."""
        self.liberation = LIBERATION_RULES[options["liberation"]]()
        self.choices = ActionLists(
            self.trap_rule,
            self.owners,
            self.seats,
            self.tells_origin,
            options["one_flight_a_turn"],
            self.asks_both_first,
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


def _piece_owners(options: Mapping[str, Any]) -> tuple[Seat, ...]:
    if options["players"] == 3:
        return _OWNERS_BY_SPLIT[options["allied_split"]]
    return tuple(Seat(piece) if options["players"] == 4 else ALLIES for piece in PIECES)


_latest_rules: list[FuhrerRules] = []  # most games begin by the rules of the one before


def rules_of(options: dict[str, Any]) -> FuhrerRules:
    """The rules that these options, all of them, make."""
    if not _latest_rules or _latest_rules[0].key != tuple(options.items()):
        _latest_rules[:] = [FuhrerRules(options)]
    return _latest_rules[0]
