"""What is fixed for a whole game: the map, the seats and how the options make the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from types import MappingProxyType
from typing import Any

from boardrules.core import Action, Event, Seat
from boardrules.fuhrer import actions
from boardrules.fuhrer.actions import (
    HITLER,
    PIECES,
    SPY,
    TANK,
    UNTOLD,
    Ask,
    Go,
    Hide,
    Move,
    Origins,
    Place,
    Word,
    order,
)
from boardrules.fuhrer.facts import ROUNDS, TICKETS
from boardrules.fuhrer.keeper import Umpire
from boardrules.fuhrer.liberation import LIBERATIONS
from boardrules.fuhrer.maps import Cities, map_of, numbers
from boardrules.fuhrer.paper import Paper
from boardrules.fuhrer.reach import FLIGHTS, KNOWN, LINKS, TRAPS

_SPLITS = {
    "tank_spy": ("tank-spy", "tank-spy", "infantry"),
    "tank_infantry": ("tank-infantry", "spy", "tank-infantry"),
    "spy_infantry": ("tank", "spy-infantry", "spy-infantry"),
}
_KEEPERS = {"umpire": Umpire, "paper": Paper}

GAME_ID = "fall-of-the-fuhrer"


class Rules:
    """The rules as the options make them. Equal for equal options."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options: Mapping[str, Any] = MappingProxyType(options)
        self._key = tuple(options.items())
        self.board = board = map_of(options["map"])
        cities = range(len(board.ids))
        self.owners = _owners(options)
        """By Allied piece the seat that acts for it (G18)."""
        allied = dict.fromkeys(self.owners)
        self.seats: tuple[Seat, ...] = (HITLER, *allied)
        self.waits = tuple((seat,) for seat in self.owners)
        self.hitler_too = options["first_round"] == "hitler_too"
        self.apart = options["start_cities"] == "different"
        self.must_roll = options["tank_roll"] == "always"
        self.at_once = options["recapture"] == "at_once"
        self.tell_origin = options["flight_tells"] == "origin"
        self.both_first = options["spy_questions"] == "both_first"
        self.flight = FLIGHTS[options["flight"]](board)
        self.trap = TRAPS[options["trapped"]](self.flight)
        self.spots = tuple(self.trap.of(1 << city) for city in cities)
        """By city its marks."""
        self.liberation = LIBERATIONS[options["liberation"]]()
        self.keeper = _KEEPERS[options["sheet"]]()
        most = 1 if options["one_flight_a_turn"] else min(TICKETS, self.flight.most)
        self.origins = tuple(tuple(self._origins(min(most, left))) for left in range(TICKETS + 1))
        """By tickets left the flights that a turn may take, none first (X17, X18)."""
        self.flights = tuple(
            tuple(tuple(way for way in origins if way and self._in_reach(city, way)) for city in cities)
            for origins in self.origins
        )
        """By tickets left and city the flights that a turn from there may take."""
        self.known: list[dict[Cities, tuple[Action, ...]]] = [{} for _ in range(2 * len(board.ids) + 1)]
        """By where Hitler is, and the flags around, what he may do without a flight (`keeper`)."""
        self.faces = actions.faces(board)
        self.rolled = tuple(
            tuple((Event("rolled", (("piece", piece), ("die", face))),) for face in (0, 1, 2, 3))
            for piece in PIECES
        )
        """By piece and die the events of a roll."""
        self.answered = tuple(
            tuple(Event("answer", (("at", city), ("thing", text))) for text in (actions.NO, actions.YES))
            for city in board.ids
        )
        """By city, and whether Hitler is there, what everybody hears (F10)."""
        self.calendar = tuple(Event("calendar", (("round", number),)) for number in range(ROUNDS + 1))
        self.turned = tuple(Event("moved", (("round", number),)) for number in range(ROUNDS + 1))
        self.tokens = tuple(Event("token", (("at", city),)) for city in board.ids)
        self.words = {
            (seat, text): actions.word(board, seat, text) for seat in self.seats for text in actions.WORDS
        }
        self.places = tuple(
            tuple(order(Place, board, seat, piece, city) for city in cities)
            for piece, seat in enumerate(self.owners)
        )
        """By Allied piece all the ways to set it up (F03)."""
        self.hides = tuple(order(Hide, board, HITLER, city) for city in cities)
        self.moves: list[list[tuple[tuple[Action, ...], ...] | None]] = [
            [None] * len(board.ids) for _ in PIECES
        ]
        """By piece, city and die the moves, staying first; made when first asked for (`ways`)."""
        self._asks: dict[tuple[int, tuple[int, ...]], tuple[Action, ...]] = {}
        said = ((actions.STAY, actions.ROLL), (actions.STAY, actions.LIBERATE, actions.ROLL))
        self._tank_words = tuple(
            tuple(self.words[self.owners[TANK], word] for word in words) for words in said
        )
        self._every = {
            origins: tuple(order(Go, board, HITLER, city, origins) for city in cities)
            for origins in self.origins[-1]
        }
        """By flights all of Hitler's turns."""
        self._goes: dict[tuple[Origins, Cities], tuple[Action, ...]] = {}

    def ways(self, piece: int, city: int) -> tuple[tuple[Action, ...], ...]:
        """By die (0 to 3) what a piece may do in a city (F06)."""
        made = self.moves[piece][city]
        if made is None:
            seat, board = self.owners[piece], self.board
            stay = self.words[seat, actions.STAY]
            within = board.within[city]
            made = self.moves[piece][city] = tuple(
                (stay, *(order(Move, board, seat, city, to) for to in numbers(cities ^ 1 << city)))
                for cities in within
            )
        return made

    def asks(self, city: int, asked: tuple[int, ...]) -> tuple[Action, ...]:
        """What the Spy in a city may ask once it has named `asked`; it may stop at any time (F09, G5)."""
        made = self._asks.get((city, asked))
        if made is None:
            seat, board = self.owners[SPY], self.board
            near = [other for other in numbers(board.beside[city]) if other not in asked]
            pairs = tuple(combinations(near, 2)) if self.both_first else ()
            made = self._asks[city, asked] = (
                *(order(Ask, board, seat, other) for other in near),
                *(order(Ask, board, seat, *pair) for pair in pairs),
                self.words[seat, actions.DONE],
            )
        return made

    def goes(self, origins: Origins, ends: Cities) -> tuple[Action, ...]:
        """Hitler's turns with these flights that end in a city of `ends`."""
        made = self._goes.get((origins, ends))
        if made is None:
            if len(self._goes) > KNOWN * len(self.board.ids):
                self._goes.clear()
            made = self._goes[origins, ends] = tuple([go for go in self._every[origins] if go.bit & ends])
        return made

    def tank_words(self, city: int, flags: Cities) -> tuple[Word, ...]:
        """What the Tank may say before it rolls (X5)."""
        return self._tank_words[self.liberation.declared and not flags >> city & 1]

    def _in_reach(self, city: int, origins: Origins) -> bool:
        """Whether a walk from `city` may come to an airport where these flights begin, flags aside."""
        links = min(LINKS, max(0, self.flight.links(len(origins))))
        first = self.board.airports if origins[0] == UNTOLD else 1 << origins[0]
        return bool(self.board.within[city][links] & first)

    def _origins(self, most: int) -> Iterator[Origins]:
        told = tuple(numbers(self.board.airports)) if self.tell_origin else (UNTOLD,)
        for flights in range(most + 1):
            yield from product(told, repeat=flights)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"<rules of {GAME_ID}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return rules_of, (dict(self.options),)


def _owners(options: Mapping[str, Any]) -> tuple[Seat, ...]:
    if options["players"] == 3:
        return _SPLITS[options["allied_split"]]
    return PIECES if options["players"] == 4 else ("allies",) * len(PIECES)


_latest: list[Rules] = []  # most games begin by the rules of the one before


def rules_of(options: dict[str, Any]) -> Rules:
    """The rules that these options, all of them, make."""
    if not _latest or _latest[0]._key != tuple(options.items()):
        _latest[:] = [Rules(options)]
    return _latest[0]
