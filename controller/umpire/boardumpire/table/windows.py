"""Windows: what a game asks a seat in somebody else's turn is answered within a limit, or the seat `clock`
closes it: nobody stalls.

Which questions those are is the game's to say: states in which `clock` has an action of its own, and which
delay others (`State.answer_delays_others`). The limit runs whatever the board looks like: it follows public
knowledge alone. A restart begins it anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boardrules.core import CLOCK, Action, Seat, State
from boardumpire.table.answering import is_same_window
from boardumpire.table.match import Match
from boardumpire.table.shared_game import SharedGame
from boardware.ports import MS, SECOND, Micros

ANSWER_SECONDS_OPTION = "answer_seconds"
"""The option of a game that says how long; 0: without limit."""


class AnswerDeadlines:
    """The limit of one game; until it is `enable_limit`, windows stay open."""

    def __init__(self, game: SharedGame, matches: Sequence[Match]) -> None:
        """`matches`: of each board."""
        self._limit: Micros = 0
        self._game = game
        self._matches = matches
        self._of: State | None = None
        """The state that was looked at ..."""
        self._asked: tuple[Seat, ...] = ()
        """... whom it asks at the same time ..."""
        self._closing: Action | None = None
        """... what closes it ..."""
        self._left: Micros = 0
        self._since: Micros | None = None
        """... and since when its limit runs; `None`: it stands."""

    def enable_limit(self) -> None:
        """Windows stay open for as long as the game's option `answer_seconds` says."""
        self._limit = self._game.state.options.get(ANSWER_SECONDS_OPTION, 0) * SECOND

    def step(self, now: Micros) -> None:
        """Let the limit run or stand; close what has been open for so long."""
        state = self._game.state
        if state is not self._of:
            asked = tuple(state.possible_answers())
            if not is_same_window(self._asked, asked):  # who is asked at the same time has the same limit
                self._since, self._left = None, self._limit
            self._of, self._asked = state, asked
            limited = self._limit and state.answer_delays_others()
            self._closing = next(iter(state.legal_actions(CLOCK)), None) if limited else None
        if self._closing is None:
            return
        runs = self._game.is_following_hands
        if runs and self._since is None:
            self._since = now
        elif not runs and self._since is not None:
            self._left, self._since = max(0, self._left - (now - self._since)), None
        due = self.due()
        if due is None or now < due:
            return
        meant = [
            since for match in self._matches if (since := match.tracker.pending_move_since()) is not None
        ]
        if all(since > due for since in meant):  # what hands meant in time is ruled on first; it settles soon
            closing, self._closing = self._closing, None
            self._matches[0].rule_action(closing, (), now)
            if self._game.state is not state:
                self.step(now)  # who was asked at the same time has had as long

    def due(self) -> Micros | None:
        """When it is closed."""
        return None if self._since is None or self._closing is None else self._since + self._left

    def json(self, now: Micros | None = None) -> dict[str, Any] | None:
        """What screens show, as of `now` or of when the limit last started or stopped: `left_ms`, `runs`.
        `None` where nothing is open."""
        if self._closing is None or self._of is None or self._of is not self._game.state:
            return None
        gone = 0 if now is None or self._since is None else now - self._since
        return {"left_ms": max(0, self._left - gone) // MS, "runs": self._since is not None}
