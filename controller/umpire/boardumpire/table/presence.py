"""Who answers for a seat: its own screen, the machine that plays it, or people at a board's buttons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from boardrules.core import Seat


class SeatPresence:
    """For which seats of one table no board's buttons speak."""

    def __init__(self) -> None:
        self._machines: set[Seat] = set()
        self._partner_plays: Callable[[], Collection[Seat]] | None = None
        self._screen_open: Callable[[Seat], bool] | None = None

    def add_machine(self, seat: Seat) -> None:
        """From now on the machine plays that seat."""
        self._machines.add(seat)

    def set_partner_source(self, plays: Callable[[], Collection[Seat]]) -> None:
        """`plays` gives the seats that the partner of a lesson plays now."""
        self._partner_plays = plays

    def set_screen_check(self, is_open: Callable[[Seat], bool]) -> None:
        """`is_open` says whether a screen of that seat is open: then the boards' buttons never say yes for
        it."""
        self._screen_open = is_open

    @property
    def machine_seats(self) -> frozenset[Seat]:
        """Seats that the machine plays, or the partner of a lesson: it answers for them itself, and nobody
        does at a board."""
        plays = () if self._partner_plays is None else self._partner_plays()
        return frozenset((*self._machines, *plays))

    def has_screen(self, seat: Seat) -> bool:
        """Whether a screen of that seat is open."""
        return self._screen_open is not None and self._screen_open(seat)


class BoardPresence:
    """For which seats the buttons of one board of a table don't speak."""

    def __init__(self, table: SeatPresence, seats: Iterable[Seat], home: Collection[Seat]) -> None:
        """`seats`: those of the game; `home`: those whose hands act at this board."""
        self._table = table
        self.away = frozenset(seats).difference(home)
        """The seats of other boards."""

    @property
    def absent(self) -> frozenset[Seat]:
        """Seats that the machine plays, or that sit at another board: nobody here does anything for them."""
        return self._table.machine_seats | self.away

    @property
    def machine_seats(self) -> frozenset[Seat]:
        """As `SeatPresence.machine_seats`."""
        return self._table.machine_seats

    def answers_itself(self, seat: Seat) -> bool:
        """Whether nobody at this board answers for that seat: its screen is open, or it is absent."""
        return seat in self.absent or self._table.has_screen(seat)

    def own_answers(self, seats: Iterable[Seat]) -> frozenset[Seat]:
        """Those of the seats for which the board's buttons don't speak."""
        return frozenset(seat for seat in seats if self.answers_itself(seat))

    def why_not_board(self, seats: Iterable[Seat]) -> str:
        """Why the board doesn't answer for these seats, as a reason of `disclosure.press_refused_message`."""
        asked = frozenset(seats)
        if asked and asked <= self.away:
            return "elsewhere"
        return "machine" if asked <= self.absent else "own-screen"
