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
    UNTOLD_ORIGIN,
    ChooseStart,
    HitlerTurn,
    MovePiece,
    Origins,
    PlacePiece,
    Recapture,
    SpyQuestion,
    interned_action,
)
from boardrules.fuhrer.bounded_cache import BoundedCache
from boardrules.fuhrer.ends import MAX_ROUNDS
from boardrules.fuhrer.maps import Cities, CityMap, city_numbers
from boardrules.fuhrer.movement import (
    CACHE_SIZE_PER_CITY,
    LINKS_PER_TURN,
    TICKETS,
    Marks,
    TrappedWhereFlagged,
)


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
        self.word_actions = {
            (seat, text): actions.word_action(board, seat, text)
            for seat in seats
            for text in actions.GAME_WORDS
        }
        """By seat and text the actions of one word."""
        self.place_actions = tuple(
            tuple(interned_action(PlacePiece, board, seat, piece, city) for city in cities)
            for piece, seat in enumerate(owners)
        )
        """By Allied piece all the ways to set it up (F03)."""
        tank = owners[TANK]
        stay, roll = self.word_actions[tank, actions.STAY], self.word_actions[tank, actions.ROLL]
        self.tank_choices = ((stay, roll), (stay, self.word_actions[tank, actions.LIBERATE], roll))
        """By whether it may liberate what the Tank may say before it rolls (X5)."""
        self.die_faces = actions.die_faces(board)
        self.moves_by_die = BoundedCache(self._make_moves, len(PIECES) * len(board.ids))
        """By piece and city: by die (0 to 3) the moves, staying first (F06)."""
        self.spy_questions = BoundedCache(self._make_questions, CACHE_SIZE_PER_CITY * len(board.ids))
        """By city of the Spy and what it has named: what it may ask; it may stop at any time (F09, G5)."""

        # Hitler
        self.start_actions = tuple(interned_action(ChooseStart, board, HITLER, city) for city in cities)
        most = 1 if one_flight else min(TICKETS, self.flight.max_flights)
        told = tuple(city_numbers(board.airports)) if tell_origin else (UNTOLD_ORIGIN,)
        self.origins = tuple(
            tuple(_flight_combinations(told, min(most, left))) for left in range(TICKETS + 1)
        )
        """By tickets left the flights that a turn may take, none first (X17, X18)."""
        self.flights = tuple(
            tuple(tuple(way for way in ways if way and self._in_reach(city, way)) for city in cities)
            for ways in self.origins
        )
        """By tickets left and city the flights that a turn from there may take."""
        self.all_hitler_turns = {
            origins: tuple(interned_action(HitlerTurn, board, HITLER, city, origins) for city in cities)
            for origins in self.origins[-1]
        }
        """By flights all of Hitler's turns."""
        self.hitler_turns = BoundedCache(self._make_turns, CACHE_SIZE_PER_CITY * len(board.ids))
        """By flights and a set of cities: the turns that end in one of them."""
        self.hitler_walks = BoundedCache(self._make_walks, CACHE_SIZE_PER_CITY * len(board.ids))
        """By mark and city of Hitler, and the flags within `FAR`: what he may do without a flight."""

        # What everybody hears
        self.roll_events = tuple(
            tuple((Event("rolled", (("piece", piece), ("die", face))),) for face in (0, 1, 2, 3))
            for piece in PIECES
        )
        """By piece and die the events of a roll."""
        self.answer_events = tuple(
            tuple(Event("answer", (("at", city), ("thing", text))) for text in (actions.NO, actions.YES))
            for city in board.ids
        )
        """By city, and whether Hitler is there, his answer (F10)."""
        self.calendar_events = tuple(
            Event("calendar", (("round", number),)) for number in range(MAX_ROUNDS + 1)
        )
        self.hitler_moved_events = tuple(
            Event("moved", (("round", number),)) for number in range(MAX_ROUNDS + 1)
        )
        self.token_events = tuple(Event("token", (("at", city),)) for city in board.ids)

    def _make_moves(self, key: tuple[int, int]) -> tuple[tuple[Action, ...], ...]:
        piece, city = key
        seat, board = self.owners[piece], self.board
        stay = self.word_actions[seat, actions.STAY]
        return tuple(
            (
                stay,
                *(
                    interned_action(MovePiece, board, seat, city, to)
                    for to in city_numbers(cities ^ 1 << city)
                ),
            )
            for cities in board.cities_within[city]
        )

    def _make_questions(self, key: tuple[int, tuple[int, ...]]) -> tuple[Action, ...]:
        city, asked = key
        seat, board = self.owners[SPY], self.board
        near = [other for other in city_numbers(board.neighbours[city]) if other not in asked]
        pairs = tuple(combinations(near, 2)) if self.both_first else ()
        return (
            *(interned_action(SpyQuestion, board, seat, other) for other in near),
            *(interned_action(SpyQuestion, board, seat, *pair) for pair in pairs),
            self.word_actions[seat, actions.DONE],
        )

    def _make_turns(self, key: tuple[Origins, Cities]) -> tuple[Action, ...]:
        origins, ends = key
        return tuple([go for go in self.all_hitler_turns[origins] if go.city_mask & ends])

    def _make_walks(self, key: tuple[Marks, int, Cities]) -> tuple[Action, ...]:
        mark, city, flags = key
        bit = 1 << city
        stuck = self.trap.trapped_marks(mark, flags)  # F18, G27
        legal = self.hitler_turns[(), bit if stuck else self.flight.walk_end_cities(bit, flags)]
        return (*legal, interned_action(Recapture, self.board, HITLER)) if flags & bit else legal  # F17

    def _in_reach(self, city: int, origins: Origins) -> bool:
        """Whether a walk from `city` may come to an airport where these flights begin, flags aside."""
        links = min(LINKS_PER_TURN, max(0, self.flight.max_links(len(origins))))
        first = self.board.airports if origins[0] == UNTOLD_ORIGIN else 1 << origins[0]
        return bool(self.board.cities_within[city][links] & first)


def _flight_combinations(told: tuple[int, ...], most: int) -> Iterator[Origins]:
    for flights in range(most + 1):
        yield from product(told, repeat=flights)
