"""Who answers for a seat: its own screen, the machine that plays it, or people at the board's buttons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from boardrules.core import Seat


class SeatPresence:
    """For which seats of one table the board's buttons don't speak."""

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
        """`is_open` says whether a screen of that seat is open: then the board's buttons never say yes for
        it."""
        self._screen_open = is_open

    @property
    def machine_seats(self) -> frozenset[Seat]:
        """Seats that the machine plays, or the partner of a lesson: it answers for them itself, and nobody
        does at the board."""
        plays = () if self._partner_plays is None else self._partner_plays()
        return frozenset((*self._machines, *plays))

    def is_self_answering(self, seat: Seat) -> bool:
        """Whether nobody at the board answers for that seat: its screen is open, or the machine plays it."""
        return seat in self.machine_seats or (self._screen_open is not None and self._screen_open(seat))

    def self_answering_seats(self, seats: Iterable[Seat]) -> frozenset[Seat]:
        """Those of the seats for which the board's buttons don't speak."""
        return frozenset(seat for seat in seats if self.is_self_answering(seat))

    def board_refusal_reason(self, seats: Iterable[Seat]) -> str:
        """Why the board doesn't answer for these seats, as a reason of `disclosure.press_refused_message`."""
        return "machine" if self.machine_seats.issuperset(seats) else "own-screen"
