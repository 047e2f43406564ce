"""Answers of seats that are asked at the same time, and standing ones.

Where a game asks several seats in turn (`State.asked`) each may answer as soon as it is asked: what it says
is kept, and said for it once those before it have answered. So nobody waits for somebody else to think, and
what was kept is never told where an answer before it makes an end of the window. "Pass until I say
otherwise" is such an answer, too. No answer is told before `LEAST` has gone by, however it was given: so
nobody sees whether it was a standing one. Kept in memory alone: after a power cut seats are asked anew.
"""

from __future__ import annotations

from boardrules.core import Action, BadText, Seat, State
from boardumpire.errors import SeatError
from boardumpire.messages import announce, disclosure
from boardumpire.table.match import Match
from boardware.ports import SECOND, Micros

LEAST: Micros = 3 * SECOND
"""How long a window stays open at least."""
ALWAYS, ASK = "pass-always", "pass-ask"
"""What a seat says: pass for me until I say otherwise; ask me again."""
PASS = "pass"


class EarlyAnswers:
    """What the seats of one match have answered ahead of their turn."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._of: State | None = None
        """The state that was looked at ..."""
        self._asked: tuple[Seat, ...] = ()
        """... whom it asks ..."""
        self._since: Micros = 0
        """... since when their window is open ..."""
        self._kept: dict[Seat, Action] = {}
        """... and what they have answered."""
        self._passes: set[Seat] = set()

    def look(self, now: Micros) -> None:
        """See whom the game asks now; the rest of a window is no new one."""
        state = self._match.state
        if state is self._of:
            return
        asked = tuple(state.asked())
        if not continues(self._asked, asked):
            self._since = now
            self._kept.clear()
        self._of, self._asked = state, asked

    def says(self, seat: Seat) -> list[str]:
        """What this seat may say beside its actions."""
        if not self._match.state.may_pass(seat):
            return []
        return [ASK if seat in self._passes else ALWAYS]

    def answers(self, seat: Seat) -> list[str]:
        """What a seat may answer ahead of its turn."""
        return [str(action) for action in self._match.state.asked().get(seat, ())]

    def standing(self, seat: Seat, word: str) -> None:
        """From now on this seat passes, or is asked. Raises `SeatError` where nothing is passed."""
        if not self._match.state.may_pass(seat):
            raise SeatError(announce.sentence_of("answer unasked"))
        self._match.changed()
        if word == ALWAYS:
            self._passes.add(seat)
        else:
            self._passes.discard(seat)

    def take(self, seat: Seat, text: str, now: Micros) -> bool:
        """Keep what a seat answers to what it is asked; whether it is such an answer."""
        self.look(now)
        if seat not in self._asked:
            return False
        try:
            action = self._match.state.parse(text, seat)
        except BadText as error:
            raise SeatError(str(error)) from None
        if action not in self._match.state.asked()[seat]:
            refusal = self._match.state.refusal(action)
            if seat == self._asked[0] and refusal is not None:
                raise SeatError(disclosure.refusal_text(refusal, self._match.state))
            return False
        self._kept[seat] = action
        return True

    def step(self, now: Micros) -> None:
        """Say what was kept of those whose turn it is to answer."""
        self.look(now)
        while self._match.judging and (action := self._ready()) is not None and now >= self._since + LEAST:
            self._kept.pop(action.seat, None)
            self._match.rule(action, (), now)
            if self._match.state is self._of:
                return  # it is being written
            self.look(now)

    def _ready(self) -> Action | None:
        if not self._asked:
            return None
        seat = self._asked[0]
        passes = seat in self._passes and seat not in self._kept
        return self._match.state.parse(PASS, seat) if passes else self._kept.get(seat)

    def due(self) -> Micros | None:
        """When something kept is said."""
        return self._since + LEAST if self._match.judging and self._ready() is not None else None


def continues(before: tuple[Seat, ...], now: tuple[Seat, ...]) -> bool:
    """Whether those asked now are those of before but the first: one window for all of them."""
    return bool(now) and now == before[1:]
