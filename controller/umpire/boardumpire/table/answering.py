"""Answers of seats that are asked at the same time, and standing ones.

Where a game asks several seats in turn (`State.possible_answers`) each may answer as soon as it is asked:
what it says is kept, and said for it once those before it have answered. So nobody waits for somebody else to
think, and what was kept is never told where an answer before it makes an end of the window. "Pass until I say
otherwise" is such an answer, too. No answer is told before `ANSWER_WINDOW_MIN_US` has gone by, however it was
given: so nobody sees whether it was a standing one. Kept in memory alone: after a power cut seats are asked
anew.
"""

from __future__ import annotations

from boardrules.core import Action, BadText, Seat, State
from boardumpire.errors import SeatError
from boardumpire.messages import announce, disclosure
from boardumpire.table.shared_game import SharedGame
from boardware.ports import SECOND, Micros

ANSWER_WINDOW_MIN_US: Micros = 3 * SECOND
"""How long a window stays open at least."""
PASS_ALWAYS_COMMAND, PASS_ASK_COMMAND = "pass-always", "pass-ask"
"""What a seat says: pass for me until I say otherwise; ask me again."""
PASS_ACTION = "pass"


class EarlyAnswers:
    """What the seats of one game have answered ahead of their turn."""

    def __init__(self, game: SharedGame) -> None:
        self._game = game
        self._of: State | None = None
        """The state that was looked at ..."""
        self._asked: tuple[Seat, ...] = ()
        """... whom it asks ..."""
        self._since: Micros = 0
        """... since when their window is open ..."""
        self._kept: dict[Seat, Action] = {}
        """... and what they have answered."""
        self._passes: set[Seat] = set()

    def update_asked_seats(self, now: Micros) -> None:
        """See whom the game asks now; the rest of a window is no new one."""
        state = self._game.state
        if state is self._of:
            return
        asked = tuple(state.possible_answers())
        if not is_same_window(self._asked, asked):
            self._since = now
            self._kept.clear()
        self._of, self._asked = state, asked

    def pass_commands(self, seat: Seat) -> list[str]:
        """What this seat may say beside its actions."""
        if not self._game.state.may_ever_pass(seat):
            return []
        return [PASS_ASK_COMMAND if seat in self._passes else PASS_ALWAYS_COMMAND]

    def possible_answers(self, seat: Seat) -> list[str]:
        """What a seat may answer ahead of its turn."""
        return [str(action) for action in self._game.state.possible_answers().get(seat, ())]

    def set_standing_pass(self, seat: Seat, word: str) -> None:
        """From now on this seat passes, or is asked. Raises `SeatError` where nothing is passed."""
        if not self._game.state.may_ever_pass(seat):
            raise SeatError(announce.sentence_by_id("answer unasked"))
        self._game.note_change()
        if word == PASS_ALWAYS_COMMAND:
            self._passes.add(seat)
        else:
            self._passes.discard(seat)

    def keep_answer(self, seat: Seat, text: str, now: Micros) -> bool:
        """Keep what a seat answers to what it is asked; whether it is such an answer."""
        self.update_asked_seats(now)
        if seat not in self._asked:
            return False
        try:
            action = self._game.state.parse(text, seat)
        except BadText as error:
            raise SeatError(str(error)) from None
        if action not in self._game.state.possible_answers()[seat]:
            refusal = self._game.state.refusal(action)
            if seat == self._asked[0] and refusal is not None:
                raise SeatError(disclosure.refusal_text(refusal, self._game.state))
            return False
        self._kept[seat] = action
        return True

    def step(self, now: Micros) -> None:
        """Say what was kept of those whose turn it is to answer."""
        self.update_asked_seats(now)
        while (
            self._game.is_following_hands
            and (action := self._ready_action()) is not None
            and now >= self._since + ANSWER_WINDOW_MIN_US
        ):
            self._kept.pop(action.seat, None)
            self._game.rule_action(action, (), now)
            if self._game.state is self._of:
                return  # it is being written
            self.update_asked_seats(now)

    def _ready_action(self) -> Action | None:
        if not self._asked:
            return None
        seat = self._asked[0]
        passes = seat in self._passes and seat not in self._kept
        return self._game.state.parse(PASS_ACTION, seat) if passes else self._kept.get(seat)

    def due(self) -> Micros | None:
        """When something kept is said."""
        return (
            self._since + ANSWER_WINDOW_MIN_US
            if self._game.is_following_hands and self._ready_action() is not None
            else None
        )


def is_same_window(before: tuple[Seat, ...], now: tuple[Seat, ...]) -> bool:
    """Whether those asked now are those of before but the first: one window for all of them."""
    return bool(now) and now == before[1:]
