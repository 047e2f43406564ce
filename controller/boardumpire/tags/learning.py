"""Armies learnt from tags: a piece is shown to a pad and then stood, or read where it stands. Pure.

When as many pieces as an army has stand in a seat's zone, each known, and nothing has moved there for a
while, that is the seat's set-up. How long it takes, and whether it comes at all, hangs on where pieces stand
and on whether they have tags, never on what they are: a wrong army is refused as one from a phone would be.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from boardrules.core import Seat, Space, State
from boardumpire.tags.standing import Standing
from boardumpire.tags.tag_roster import Label, Roster, armies
from boardware.ports import Micros, Tag


class Armies:
    """What both seats are setting up. `reads(space)`: whether a reader lies under a space."""

    def __init__(
        self, standing: Standing, roster: Roster, patience: Micros, reads: Callable[[Space], bool]
    ) -> None:
        self.shown: dict[Seat, Tag] = {}
        """The piece that each seat has shown to a pad and not stood yet."""
        self._standing = standing
        self._roster = roster
        self._patience = patience
        self._reads = reads
        self._carried: dict[Seat, list[Tag | None]] = {}
        self._moved_at: dict[Seat, Micros] = {}
        self._tried: dict[Seat, str] = {}
        self._zones: tuple[State | None, dict[Seat, frozenset[Space]]] = None, {}

    def zones(self, state: State) -> dict[Seat, frozenset[Space]]:
        """The spaces where each seat may still set up; none once the game has begun."""
        if not state.free_spaces():
            return {}
        if self._zones[0] is not state:
            found = {seat: state.zone(seat) for seat in state.seats}
            self._zones = state, {seat: zone for seat, zone in found.items() if zone}
        return self._zones[1]

    def _seat(self, state: State, space: Space) -> Seat | None:
        return next((seat for seat, zone in self.zones(state).items() if space in zone), None)

    def show(self, tag: Tag) -> Seat | None:
        """A piece was shown to a pad; the seat it belongs to, `None` for a stranger."""
        piece = self._roster.piece(tag)
        if piece is None:
            return None
        self.shown[piece[0]] = tag
        self._standing.forget(tag)
        return piece[0]

    def felt(self, state: State, space: Space, present: bool, at: Micros) -> None:
        """A piece was lifted or stood; called before `Standing` forgets what was lifted."""
        seat = self._seat(state, space)
        if seat is None:
            return
        self._moved_at[seat] = at
        carried = self._carried.setdefault(seat, [])
        if not present:
            carried.append(self._standing.only(space))
            return
        tag = self.shown.pop(seat, None)
        if tag is not None:
            if tag in carried:
                carried.remove(tag)
            elif carried:
                carried.pop()
        elif len(carried) == 1:
            tag = carried.pop()
        elif carried:  # which of them it is nobody can tell, nor of those that are left
            carried[:] = [None] * (len(carried) - 1)
        if tag is not None and not self._reads(space):
            self._standing.known(space, tag)

    def due(self, state: State, felt: Collection[Space]) -> Micros | None:
        """When an army that stands complete counts as set up."""
        times = [
            self._moved_at.get(seat, 0) + self._patience
            for seat in self.zones(state)
            if self._wanted(state, seat, felt) is not None
        ]
        return min(times, default=None)

    def ready(self, state: State, felt: Collection[Space], now: Micros) -> tuple[Seat, str] | None:
        """A set-up that is to be said now, as its seat would write it."""
        for seat in self.zones(state):
            text = self._wanted(state, seat, felt)
            if text is not None and now >= self._moved_at.get(seat, 0) + self._patience:
                self._tried[seat] = text
                return seat, text
        return None

    def _wanted(self, state: State, seat: Seat, felt: Collection[Space]) -> str | None:
        """The set-up that stands complete and was not said yet."""
        zone = self.zones(state)[seat]
        spaces = sorted(space for space in felt if space in zone)
        pieces: dict[Space, Label] = {}
        for space in spaces:
            tag = self._standing.only(space)
            piece = None if tag is None else self._roster.piece(tag)
            if piece is None or piece[0] != seat:
                return None
            pieces[space] = piece[1]
        if len(spaces) != self._size(state, seat):
            return None
        text = state.setup_text(pieces)
        if self._tried.get(seat) == text:
            return None
        return None if state.labels(seat) == pieces else text

    def _size(self, state: State, seat: Seat) -> int:
        army = armies([state.game_id])[state.game_id]
        return sum(count for (owner, _), count in army.items() if owner == seat)
