"""Clocks: how much time each seat has left, and what a turn costs or gives. Pure, in integer microseconds.

Three ways to count, and none: *fischer* gives so much more after each turn; *bronstein* gives back what a
turn took, at most so much; *turn* is the same limit for every turn. The value knows turns and spans;
when a clock runs is the timekeeper's to say (`timekeeper`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from boardrules.core import Seat
from boardware.ports import SECOND, Micros

NONE, FISCHER, BRONSTEIN, TURN = "none", "fischer", "bronstein", "turn"
KINDS = (NONE, FISCHER, BRONSTEIN, TURN)

SHORT_TIME_US: Micros = 30 * SECOND
"""From here on a seat's time is short ..."""
SHORT_TIME_DIVISOR = 4
"""... but never before three quarters of the whole are gone: a turn of 20 s is short at 5."""


class ClockTerms(NamedTuple):
    """What is agreed about time before a game begins."""

    kind: str = NONE
    base: Micros = 0
    """What each seat has at first; of `turn` what it has each turn."""
    extra: Micros = 0
    """What a turn gives (`fischer`), or gives back at most (`bronstein`)."""

    @property
    def has_limit(self) -> bool:
        """Whether there is a limit at all."""
        return self.kind != NONE

    def __str__(self) -> str:
        return f"{self.kind} {self.base} {self.extra}"


def parse_terms(text: str) -> ClockTerms:
    """What `str` of terms wrote. Raises `ValueError`: what was found, what was expected."""
    words = text.split()
    spans = [word for word in words[1:] if re.fullmatch(r"[0-9]{1,18}", word)]
    if len(words) != 3 or words[0] not in KINDS[1:] or len(spans) != 2 or not int(spans[0]):
        kinds = ", ".join(KINDS[1:])
        raise ValueError(f"found {text!r}, expected one of {kinds} and two spans in microseconds")
    return ClockTerms(words[0], int(spans[0]), int(spans[1]))


class TurnStart(NamedTuple):
    """How a turn began, so that it can be taken back."""

    seat: Seat | None
    time_left: tuple[tuple[Seat, Micros], ...]


class GameClocks(NamedTuple):
    """What every seat has left, and whose turn it is."""

    terms: ClockTerms
    time_left: tuple[tuple[Seat, Micros], ...]
    seat_on_turn: Seat | None = None
    """The one seat that is waited for; `None` where there is none, or more than one."""
    turn_time_spent: Micros = 0
    """What this turn has taken so far."""
    turn_starts: tuple[TurnStart, ...] = ()
    """How the turns that stand began, this one last."""

    def time_left_for(self, seat: Seat) -> Micros:
        """What a seat has left."""
        return dict(self.time_left)[seat]

    @property
    def short_time_limit(self) -> Micros:
        """From how much on a seat's time is short."""
        return min(SHORT_TIME_US, self.terms.base // SHORT_TIME_DIVISOR)

    def after_running(self, span: Micros, seat: Seat | None = None) -> GameClocks:
        """After the clock of `seat_on_turn`, or of a `seat` that is asked, has run for a span; not below
        nothing."""
        seat = seat or self.seat_on_turn
        if seat is None:
            return self
        taken = min(span, self.time_left_for(seat))
        spent = self.turn_time_spent + taken if seat == self.seat_on_turn else self.turn_time_spent
        return self._replace(time_left=self._time_left_changed(seat, -taken), turn_time_spent=spent)

    def with_answer_limit(self, seat: Seat) -> GameClocks:
        """As a seat is asked: where each turn has its own limit, so has an answer outside of it."""
        if seat == self.seat_on_turn or self.terms.kind != TURN:
            return self
        return self._replace(
            time_left=self._time_left_changed(seat, self.terms.base - self.time_left_for(seat))
        )

    def after_turn(self, seat: Seat | None) -> GameClocks:
        """After the turn went to `seat`: the one that had it gets what its turn earned."""
        if seat == self.seat_on_turn:
            return self
        clocks = self
        if self.seat_on_turn is not None:
            clocks = self._replace(time_left=self._time_left_changed(self.seat_on_turn, self._turn_bonus()))
        if seat is not None and self.terms.kind == TURN:
            clocks = clocks._replace(
                time_left=clocks._time_left_changed(seat, self.terms.base - clocks.time_left_for(seat))
            )
        return clocks._replace(
            seat_on_turn=seat,
            turn_time_spent=0,
            turn_starts=(*self.turn_starts, TurnStart(seat, clocks.time_left)),
        )

    def after_take_back(self, seat: Seat) -> GameClocks:
        """After the last turn of `seat` was taken back: everybody has what they had when it began."""
        starts = self.turn_starts
        while len(starts) > 1 and starts[-1].seat != seat:
            starts = starts[:-1]
        if not starts or starts[-1].seat != seat:
            return self
        return self._replace(
            time_left=starts[-1].time_left, seat_on_turn=seat, turn_time_spent=0, turn_starts=starts
        )

    def with_noted_times(self, left: Mapping[Seat, Micros], spent: Micros) -> GameClocks:
        """As it was noted down: what each seat had left, and what the turn had taken."""
        now = self._replace(
            time_left=tuple((seat, left.get(seat, old)) for seat, old in self.time_left),
            turn_time_spent=spent,
        )
        if not self.turn_starts:
            return now
        began = (
            now.time_left if self.seat_on_turn is None else now._time_left_changed(self.seat_on_turn, spent)
        )
        return now._replace(
            turn_starts=(*self.turn_starts[:-1], self.turn_starts[-1]._replace(time_left=began))
        )

    def _turn_bonus(self) -> Micros:
        match self.terms.kind:
            case "fischer":
                return self.terms.extra
            case "bronstein":
                return min(self.terms.extra, self.turn_time_spent)
        return 0

    def _time_left_changed(self, seat: Seat, by: Micros) -> tuple[tuple[Seat, Micros], ...]:
        return tuple((each, left + by if each == seat else left) for each, left in self.time_left)


def begin_clocks(terms: ClockTerms, seats: Iterable[Seat]) -> GameClocks:
    """The clocks before the first turn."""
    return GameClocks(terms, tuple((seat, terms.base) for seat in seats))


def to_note(clocks: GameClocks) -> str:
    """What each seat has left, as the journal notes it: `red=893000000 blue=900000000 spent=7000000`."""
    return " ".join(
        [*(f"{seat}={left}" for seat, left in clocks.time_left), f"spent={clocks.turn_time_spent}"]
    )


def from_note(clocks: GameClocks, text: str) -> GameClocks:
    """The clocks as `written` noted them. Raises `ValueError`: what was found, what was expected."""
    spans: dict[str, Micros] = {}
    for word in text.split():
        name, _, span = word.partition("=")
        if not re.fullmatch(r"[0-9]{1,18}", span):
            raise ValueError(f"found {word[:40]!r}, expected a seat or spent, =, and a span in microseconds")
        spans[name] = int(span)
    expected = [*(seat for seat, _ in clocks.time_left), "spent"]
    if list(spans) != expected:
        raise ValueError(f"found {', '.join(spans) or 'nothing'}, expected {', '.join(expected)}")
    spent = spans.pop("spent")
    return clocks.with_noted_times({Seat(seat): left for seat, left in spans.items()}, spent)
