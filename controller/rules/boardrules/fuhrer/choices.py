"""What each seat may do, and what is said of it: listed once for all games by one set of rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from boardrules.core import Action, Event, Seat
from boardrules.fuhrer import actions
from boardrules.fuhrer.actions import (
    HITLER,
    PIECES,
    SPY,
    TANK,
    UNTOLD,
    ChooseStart,
    HitlerTurn,
    MovePiece,
    Origins,
    PlacePiece,
    Recapture,
    SpyQuestion,
    allied_action,
)
from boardrules.fuhrer.bounded_cache import BoundedCache
from boardrules.fuhrer.ends import ROUNDS
from boardrules.fuhrer.maps import Cities, CityMap, numbers
from boardrules.fuhrer.movement import KNOWN, LINKS_PER_TURN, TICKETS, Marks, TrappedWhereFlagged


class ActionLists:
    """The lists of actions and of events. What is kept for later is in memos, never in a position."""

    def __init__(
        self,
        trap: TrappedWhereFlagged,
        owners: tuple[Seat, ...],
        seats: tuple[Seat, ...],
        tell_origin: bool,
        one_flight: bool,
        both_first: bool,
    ) -> None:
        self.trap = trap
        self.flight = trap.flight
        self.board: CityMap = trap.board
        self.owners = owners
        self.both_first = both_first
        board, cities = self.board, range(len(self.board.ids))

        # The Allies
        self.words = {
            (seat, text): actions.word(board, seat, text) for seat in seats for text in actions.WORDS
        }
        """By seat and text the actions of one word."""
        self.places = tuple(
            tuple(allied_action(PlacePiece, board, seat, piece, city) for city in cities)
            for piece, seat in enumerate(owners)
        )
        """By Allied piece all the ways to set it up (F03)."""
        tank = owners[TANK]
        stay, roll = self.words[tank, actions.STAY], self.words[tank, actions.ROLL]
        self.tank_words = ((stay, roll), (stay, self.words[tank, actions.LIBERATE], roll))
        """By whether it may liberate what the Tank may say before it rolls (X5)."""
        self.faces = actions.faces(board)
        self.moves = BoundedCache(self._moves, len(PIECES) * len(board.ids))
        """By piece and city: by die (0 to 3) the moves, staying first (F06)."""
        self.asks = BoundedCache(self._asks, KNOWN * len(board.ids))
        """By city of the Spy and what it has named: what it may ask; it may stop at any time (F09, G5)."""

        # Hitler
        self.hides = tuple(allied_action(ChooseStart, board, HITLER, city) for city in cities)
        most = 1 if one_flight else min(TICKETS, self.flight.most)
        told = tuple(numbers(board.airports)) if tell_origin else (UNTOLD,)
        self.origins = tuple(tuple(_origins(told, min(most, left))) for left in range(TICKETS + 1))
        """By tickets left the flights that a turn may take, none first (X17, X18)."""
        self.flights = tuple(
            tuple(tuple(way for way in ways if way and self._in_reach(city, way)) for city in cities)
            for ways in self.origins
        )
        """By tickets left and city the flights that a turn from there may take."""
        self.every_go = {
            origins: tuple(allied_action(HitlerTurn, board, HITLER, city, origins) for city in cities)
            for origins in self.origins[-1]
        }
        """By flights all of Hitler's turns."""
        self.goes = BoundedCache(self._goes, KNOWN * len(board.ids))
        """By flights and a set of cities: the turns that end in one of them."""
        self.walks = BoundedCache(self._walks, KNOWN * len(board.ids))
        """By mark and city of Hitler, and the flags within `FAR`: what he may do without a flight."""

        # What everybody hears
        self.rolled = tuple(
            tuple((Event("rolled", (("piece", piece), ("die", face))),) for face in (0, 1, 2, 3))
            for piece in PIECES
        )
        """By piece and die the events of a roll."""
        self.answered = tuple(
            tuple(Event("answer", (("at", city), ("thing", text))) for text in (actions.NO, actions.YES))
            for city in board.ids
        )
        """By city, and whether Hitler is there, his answer (F10)."""
        self.calendar = tuple(Event("calendar", (("round", number),)) for number in range(ROUNDS + 1))
        self.turned = tuple(Event("moved", (("round", number),)) for number in range(ROUNDS + 1))
        self.tokens = tuple(Event("token", (("at", city),)) for city in board.ids)

    def _moves(self, key: tuple[int, int]) -> tuple[tuple[Action, ...], ...]:
        piece, city = key
        seat, board = self.owners[piece], self.board
        stay = self.words[seat, actions.STAY]
        return tuple(
            (stay, *(allied_action(MovePiece, board, seat, city, to) for to in numbers(cities ^ 1 << city)))
            for cities in board.within[city]
        )

    def _asks(self, key: tuple[int, tuple[int, ...]]) -> tuple[Action, ...]:
        city, asked = key
        seat, board = self.owners[SPY], self.board
        near = [other for other in numbers(board.beside[city]) if other not in asked]
        pairs = tuple(combinations(near, 2)) if self.both_first else ()
        return (
            *(allied_action(SpyQuestion, board, seat, other) for other in near),
            *(allied_action(SpyQuestion, board, seat, *pair) for pair in pairs),
            self.words[seat, actions.DONE],
        )

    def _goes(self, key: tuple[Origins, Cities]) -> tuple[Action, ...]:
        origins, ends = key
        return tuple([go for go in self.every_go[origins] if go.bit & ends])

    def _walks(self, key: tuple[Marks, int, Cities]) -> tuple[Action, ...]:
        mark, city, flags = key
        bit = 1 << city
        stuck = self.trap.stuck(mark, flags)  # F18, G27
        legal = self.goes[(), bit if stuck else self.flight.walk(bit, flags)]
        return (*legal, allied_action(Recapture, self.board, HITLER)) if flags & bit else legal  # F17

    def _in_reach(self, city: int, origins: Origins) -> bool:
        """Whether a walk from `city` may come to an airport where these flights begin, flags aside."""
        links = min(LINKS_PER_TURN, max(0, self.flight.links(len(origins))))
        first = self.board.airports if origins[0] == UNTOLD else 1 << origins[0]
        return bool(self.board.within[city][links] & first)


def _origins(told: tuple[int, ...], most: int) -> Iterator[Origins]:
    for flights in range(most + 1):
        yield from product(told, repeat=flights)
