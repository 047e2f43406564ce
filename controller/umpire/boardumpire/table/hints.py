"""A good move, for who plays against the machine and asks for one: asked for here, found by the service.

Everybody hears of it and sees it on the board, so there are hints only in games that hide nothing; and only
where the machine plays, as against another person they would be help from outside.
"""

from __future__ import annotations

from typing import Final

from boardrules.core import Seat, State
from boardumpire.errors import SeatError
from boardumpire.messages import announce, disclosure
from boardumpire.messages.outbox import BoardOutbox
from boardumpire.table.match import Match
from boardumpire.table.presence import BoardPresence
from boardware.ports import Micros

HINT_COMMAND: Final = "hint"
"""What a seat says to ask for one."""


class HintRequests:
    """Who at one board has asked for a hint."""

    def __init__(self, match: Match, outbox: BoardOutbox, presence: BoardPresence) -> None:
        self._match = match
        self._outbox = outbox
        self._presence = presence
        self._asked: Seat | None = None
        self._sought_for: State | None = None
        """The state for which a hint is worked out."""

    def may_ask(self, seat: Seat) -> bool:
        """Whether that seat may have a hint now."""
        state, machines = self._match.state, self._presence.machine_seats
        return (
            state.outcome is None
            and bool(machines)
            and seat not in machines
            and seat in state.seats_to_act()
            and state.view(seat).open_state() is not None
        )

    def ask(self, seat: Seat, now: Micros) -> None:
        """Ask for one, before everybody. Raises `SeatError` where there is none now, or one is worked out."""
        if not self.may_ask(seat):
            raise SeatError(announce.sentence_by_id("answer no-hint"))
        if self._sought_for is self._match.state:
            raise SeatError(announce.sentence_by_id("answer thinking"))
        self._asked, self._sought_for = seat, self._match.state
        self._outbox.add(now, disclosure.hint_asked_message(now, seat))

    def take(self) -> Seat | None:
        """Who has asked since this was called last."""
        asked, self._asked = self._asked, None
        return asked

    def finish(self) -> None:
        """The hint was given, or none could be found: another one may be asked for."""
        self._sought_for = None
