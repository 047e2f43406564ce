"""Where Hitler may come in a turn, and so where he may be: exact, from what everybody knows.

One and the same code says what Hitler may do and where he may be: a turn takes a set of marks to the set of
all marks it can end at. For the first the set holds him alone, for the second all that public knowledge
leaves.

A *mark* is a city, and with `trapped=entered` also whether the flag lay there when he entered: then it is the
city's number plus the number of cities.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from boardrules.fuhrer.actions import UNTOLD_ORIGIN, Origins
from boardrules.fuhrer.bounded_cache import BoundedCache
from boardrules.fuhrer.maps import Cities, CityMap, city_numbers

Marks = int
"""A set of marks, a bit a mark."""
LINKS_PER_TURN: Final = 3
"""F14."""
TICKETS: Final = 2
"""F19."""
CACHE_SIZE_PER_CITY: Final = 200
"""How much is remembered for each city of a map."""
MAX_BARRING_DISTANCE: Final = 2
"""How many links away a flag may lie and still bar a walk: with the third the walk is over."""


class PublicTurn(NamedTuple):
    """What everybody knows of a turn of Hitler."""

    flags: Cities
    """The liberated cities when he moved."""
    origins: Origins = ()
    """X17, X18: his flights."""
    recaptured_city: int = -1
    """The city whose re-capture he announced."""


class FlightCountsAsMove:
    """`flight=move`: a flight is one of his three moves."""

    max_flights = 2

    def __init__(self, board: CityMap) -> None:
        self.board = board
        self._walks = BoundedCache(self._compute_walk, CACHE_SIZE_PER_CITY * len(board.ids))
        """By city, and by the flags that are near enough to matter, where a walk from it may end."""

    def max_links(self, flights: int) -> int:
        """How many links a turn with so many flights may have."""
        return LINKS_PER_TURN - flights

    def end_cities(self, start: Cities, flags: Cities, origins: Origins) -> Cities:
        """Where a route from a city of `start` may end that takes exactly these flights (X12).

        A city of `flags` can only be the last one of a route (F16); those of `start` are not asked.
        """
        if not origins:
            return self.walk_end_cities(start, flags)
        board, unflagged = self.board, ~flags
        near = board.with_neighbours
        # All routes at once, as sets of cities: one row for each number of flights taken so far. A city with
        # a flag ends a route (F16): it is in `end_cities`, and not in `going`.
        going, ends = [start] + [0] * len(origins), [start] + [0] * len(origins)
        """By flights taken: where he may stand and go on, and where the route may be."""
        for step in range(self.max_links(len(origins)) + 1):
            for flown in range(len(ends)):
                if step and going[flown]:
                    walked = near(going[flown])
                    ends[flown] |= walked
                    going[flown] |= walked & unflagged
                if flown:
                    airport = origins[flown - 1]
                    landed = board.landing_airports(
                        going[flown - 1] & (-1 if airport == UNTOLD_ORIGIN else 1 << airport)
                    )
                    ends[flown] |= landed
                    going[flown] |= landed & unflagged
        return ends[-1]

    def walk_end_cities(self, start: Cities, flags: Cities) -> Cities:
        """`end_cities` without a flight: most asked for, and for one city again and again."""
        if start & (start - 1) or not start:
            return self._compute_walk((start, flags))
        # From one city only the flags nearby matter: the same few walks are asked for again and again.
        city = start.bit_length() - 1
        return self._walks[start, flags & self.board.cities_within[city][MAX_BARRING_DISTANCE]]

    def _compute_walk(self, key: tuple[Cities, Cities]) -> Cities:
        start, flags = key
        near = self.board.with_neighbours
        one = near(start)
        two = one | near(one & ~flags)
        return two | near(two & ~flags)


class FlightIsFree(FlightCountsAsMove):
    """`flight=free`: a flight costs no move."""

    def max_links(self, flights: int) -> int:
        """All three, however often he flies."""
        return LINKS_PER_TURN


class FlightTakesTurn(FlightCountsAsMove):
    """`flight=turn`: a flight is the whole turn, from the airport where it begins."""

    max_flights = 1

    def max_links(self, flights: int) -> int:
        """None beside a flight."""
        return 0 if flights else LINKS_PER_TURN


class TrappedWhereFlagged:
    """`trapped=flagged`: he can't leave a city that bears a flag (F18)."""

    def __init__(self, flight: FlightCountsAsMove) -> None:
        self.flight = flight
        self.board = flight.board

    def cities_of_marks(self, marks: Marks) -> Cities:
        """The cities of marks."""
        return marks

    def marks_of_cities(self, cities: Cities) -> Marks:
        """Every mark of these cities."""
        return cities

    def trapped_marks(self, marks: Marks, flags: Cities) -> Marks:
        """The marks from which he can only stay."""
        return marks & flags

    def marks_after_turn(self, marks: Marks, turn: PublicTurn) -> Marks:
        """Where a turn of which this is known may have taken him."""
        flags, origins, recaptured = turn
        if recaptured >= 0:
            return marks & 1 << recaptured
        stuck = marks & flags
        if origins:
            return self.flight.end_cities(marks ^ stuck, flags, origins)
        return stuck | self.flight.walk_end_cities(marks ^ stuck, flags)

    def own_mark_after_turn(self, mark: Marks, city: int, turn: PublicTurn) -> Marks:
        """The mark of Hitler himself after a turn from `mark` that ended in `city`."""
        return 1 << city


class TrappedWhereEntered(TrappedWhereFlagged):
    """`trapped=entered`: only a city that bore its flag when he entered holds him."""

    def __init__(self, flight: FlightCountsAsMove) -> None:
        super().__init__(flight)
        self.count = len(self.board.ids)

    def cities_of_marks(self, marks: Marks) -> Cities:
        """The cities of marks."""
        return (marks | marks >> self.count) & self.board.all_cities

    def marks_of_cities(self, cities: Cities) -> Marks:
        """Every mark of these cities."""
        return cities | cities << self.count

    def trapped_marks(self, marks: Marks, flags: Cities) -> Marks:
        """The marks from which he can only stay."""
        return marks >> self.count << self.count

    def marks_after_turn(self, marks: Marks, turn: PublicTurn) -> Marks:
        """Where a turn of which this is known may have taken him."""
        if turn.recaptured_city >= 0:
            bit = 1 << turn.recaptured_city
            return bit if self.cities_of_marks(marks) & bit else 0
        # From each city by itself: whether he was caught depends on where his own turn began.
        found = 0 if turn.origins else marks
        for city in city_numbers(marks & self.board.all_cities):
            ends = self.flight.end_cities(1 << city, turn.flags, turn.origins)
            if not turn.origins:
                ends &= ~(1 << city)  # X12: ending where he began without a ticket is staying
            caught = ends & turn.flags
            found |= ends ^ caught | caught << self.count
        return found

    def own_mark_after_turn(self, mark: Marks, city: int, turn: PublicTurn) -> Marks:
        """The mark of Hitler himself after a turn from `mark` that ended in `city`."""
        bit = 1 << city
        if turn.recaptured_city >= 0:
            return bit
        if not turn.origins and self.cities_of_marks(mark) == bit:
            return mark
        return bit << self.count if turn.flags & bit else bit


FLIGHT_RULES: Final = {"move": FlightCountsAsMove, "turn": FlightTakesTurn, "free": FlightIsFree}
TRAP_RULES: Final = {"flagged": TrappedWhereFlagged, "entered": TrappedWhereEntered}
