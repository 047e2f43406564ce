"""Runs the clocks of one game: when they stop, when time is short, when it has run out.

A clock runs while one seat alone is waited for: the seat to move, or the one that is asked. What hands did
counts from the moment at which it was sensed, not from the ruling that comes when they have been still: who
was there in time is in time.
Everything here follows public knowledge. docs/understand/decisions/0007-clocks.md
says why it stops where it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from boardrules.core import CHANCE, CLOCK, NO_SEAT, Seat, State
from boardrules.history import TAKE_BACK
from boardumpire.lamps import policy
from boardumpire.messages import disclosure
from boardumpire.messages.outbox import MessageOutbox
from boardumpire.ruling import clocks
from boardumpire.ruling.clocks import GameClocks
from boardumpire.ruling.umpire import Ruling, seat_that_may_say
from boardumpire.table.match import Match
from boardumpire.table.shared_game import SharedGame
from boardware.ports import MS, SECOND, LampId, Micros

NOTE_INTERVAL_US: Micros = 10 * SECOND
"""How often a running clock is noted down: a power cut gives back no more than this."""
TIME_LEFT_NOTE_PREFIX = "left"
"""The note of what each seat has left: `left red=893000000 ...`."""
CLOCK_TERMS_NOTE_PREFIX = "clock"
"""The note of what was agreed about time: `clock fischer 900000000 10000000`."""


class Timekeeper:
    """The clocks of one game. `waits`: nothing runs until somebody gives a sign, as after a restart."""

    def __init__(
        self,
        game: SharedGame,
        matches: Sequence[Match],
        outbox: MessageOutbox,
        begun: GameClocks,
        *,
        waits: bool,
    ) -> None:
        """`matches`: of each board."""
        self.clocks = begun.after_turn(seat_on_clock(game.state))
        """As of the moment at which one last stopped or started."""
        self._game = game
        self._matches = matches
        self._outbox = outbox
        self._since: Micros | None = None
        """Since when a clock runs; `None`: they stand."""
        self._runs: Seat | None = None
        """Whose clock runs, or ran last."""
        self._waits = waits
        self._noted: tuple[str, Micros] = clocks.to_note(begun), 0
        self._short: tuple[Seat | None, int] = None, -1
        """For whom it was told last that time is short, and in which turn, by its number."""
        self._deferred = False
        """Whether time is up, but for what hands had done before."""
        game.set_observer(self)

    def note_presence(self) -> None:
        """Somebody is there: something was sensed, pressed or said."""
        self._waits = False

    def step(self, now: Micros) -> None:
        """Let the clock run or stand from now on; tell what has become due."""
        runs = self._awaited_seat()
        if runs != self._runs:
            self.stop_clock(now)
        if runs is None:
            self.stop_clock(now)
        elif self._since is None:
            self._since, self._runs = now, runs
            self.clocks = self.clocks.with_answer_limit(runs)
            self._noted = self._noted[0], now
            self._game.note_change()
        self._announce_short_time(now)
        seat = self._seat_out_of_time(now)
        if seat is not None:
            self.stop_clock(now)
            self._matches[0].rule_action(self._game.state.parse(f"time {seat}", CLOCK), (), now)
        elif self._since is None or now >= self._noted[1] + NOTE_INTERVAL_US:
            self.note_time_left(now)

    def _awaited_seat(self) -> Seat | None:
        """The one seat that is waited for; `None` where there is none, or more is waited for."""
        game, seat = self._game, self.clocks.seat_on_turn
        if seat is None or self._waits or game.state.outcome is not None or not game.is_following_hands:
            return None
        for match in self._matches:
            if match.guidance.corrections:
                if match.delaying_seat is None:
                    return None
                seat = match.delaying_seat
        for match in self._matches:
            if match.guidance.question is not None:
                return match.guidance.question.seat
        return seat_that_may_say(game.state, "agree-take-back") or seat

    def stop_clock(self, at: Micros) -> None:
        """The clock stands since `at`, which is no later than now."""
        if self._since is not None:
            self.clocks = self.clocks.after_running(max(0, at - self._since), self._runs)
            self._since = None
            self._deferred = False
            self._game.note_change()

    def on_action_pending(self, at: Micros, now: Micros) -> None:
        """An action that was sensed at the moment `at` is about to be written: what is left is noted before
        it.

        The journal keeps its order, so that a power cut after a ruling was told gives nothing back.
        """
        self.stop_clock(at)
        self.note_time_left(now)

    def on_ruling(self, ruling: Ruling, now: Micros) -> None:
        """A ruling holds: the turn may have gone on, or back, as follows from what the journal holds."""
        self.clocks = clocks_after_events(
            self.clocks, (event.json() for event in ruling.events), self._game.state
        )
        self._noted = clocks.to_note(self.clocks), now

    def _seat_out_of_time(self, now: Micros) -> Seat | None:
        """The seat whose time is up, unless its hands had done something in time that is not judged yet."""
        if self._since is None or self._runs is None:
            return None
        limit = self._since + self.clocks.time_left_for(self._runs)
        if now < limit:
            return None
        meant = [
            since for match in self._matches if (since := match.tracker.pending_move_since()) is not None
        ]
        self._deferred = any(since <= limit for since in meant)
        return None if self._deferred else self._runs

    # What is told

    def clocks_at(self, now: Micros) -> GameClocks:
        """The clocks as they stand at `now`."""
        return (
            self.clocks
            if self._since is None
            else self.clocks.after_running(max(0, now - self._since), self._runs)
        )

    def json(self, now: Micros | None = None) -> dict[str, Any]:
        """What screens show. Without `now`, what was left when a clock last started or stopped."""
        found, terms = self.clocks if now is None else self.clocks_at(now), self.clocks.terms
        return {
            "kind": terms.kind,
            "base_ms": terms.base // MS,
            "extra_ms": terms.extra // MS,
            "short_ms": found.short_time_limit // MS,
            "left_ms": {seat: left // MS for seat, left in found.time_left},
            "runs": None if self._since is None else self._runs,
        }

    def marks(self, awaited: Iterable[Seat], now: Micros) -> Mapping[LampId, str]:
        """What lamps show of clocks."""
        seat = self._runs
        if self._since is None or seat is None:
            return {}
        return policy.clock_lights(seat, short=self._is_short(seat, now), asked=seat in awaited)

    def _is_short(self, seat: Seat, now: Micros) -> bool:
        return self.clocks_at(now).time_left_for(seat) <= self.clocks.short_time_limit

    def _announce_short_time(self, now: Micros) -> None:
        seat, turn = self._runs, (self._runs, len(self.clocks.turn_starts))
        if self._since is not None and seat is not None and self._short != turn and self._is_short(seat, now):
            self._short = turn
            self._game.note_change()
            self._outbox.add(
                now, disclosure.time_short_message(now, seat, self.clocks_at(now).time_left_for(seat))
            )

    def due(self) -> Micros | None:
        """When to be turned next. Once only what is being judged is waited for, the tracker knows."""
        seat = self._runs
        if self._since is None or seat is None:
            return None
        left = self.clocks.time_left_for(seat)
        moments = [self._noted[1] + NOTE_INTERVAL_US]
        if not self._deferred:
            moments.append(self._since + left)
        if self._short != (seat, len(self.clocks.turn_starts)):
            moments.append(self._since + max(0, left - self.clocks.short_time_limit))
        return min(moments)

    # What outlives a power cut

    def note_time_left(self, now: Micros) -> None:
        """Note down what is left, if that has changed."""
        text = clocks.to_note(self.clocks_at(now))
        if text != self._noted[0] and not self._game.pending_writes.is_writing_ruling:
            self._game.note(NO_SEAT, f"{TIME_LEFT_NOTE_PREFIX} {text}", now)
            self._noted = text, now
        elif self._since is not None:
            self._noted = self._noted[0], max(now, self._noted[1])


def clocks_after_events(before: GameClocks, events: Iterable[Mapping[str, Any]], state: State) -> GameClocks:
    """The clocks after an action with these events, which led to `state`."""
    for event in events:
        if event["kind"] == TAKE_BACK and event["seat"] == CHANCE:
            return before.after_turn(seat_on_clock(state))
        if event["kind"] == TAKE_BACK and "to" in event:  # put straight back: the turn goes on, and its time
            return before
        if event["kind"] == TAKE_BACK:
            return before.after_take_back(event["seat"])
    return before if state.outcome is not None else before.after_turn(seat_on_clock(state))


def seat_on_clock(state: State) -> Seat | None:
    """The one seat that is waited for; nobody while armies are set up, which takes as long as it takes, or
    where time ends nothing any more."""
    seats = state.seats_to_act()
    return seats[0] if len(seats) == 1 and state.layout() and state.table_actions(CLOCK) else None
