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

SHORT_US: Micros = 30 * SECOND
"""From here on a seat's time is short ..."""
SHORT_DIVISOR = 4
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
    left: tuple[tuple[Seat, Micros], ...]


class GameClocks(NamedTuple):
    """What every seat has left, and whose turn it is."""

    terms: ClockTerms
    left: tuple[tuple[Seat, Micros], ...]
    turn: Seat | None = None
    """The one seat that is waited for; `None` where there is none, or more than one."""
    spent: Micros = 0
    """What this turn has taken so far."""
    starts: tuple[TurnStart, ...] = ()
    """How the turns that stand began, this one last."""

    def left_for(self, seat: Seat) -> Micros:
        """What a seat has left."""
        return dict(self.left)[seat]

    @property
    def short(self) -> Micros:
        """From how much on a seat's time is short."""
        return min(SHORT_US, self.terms.base // SHORT_DIVISOR)

    def after_running(self, span: Micros, seat: Seat | None = None) -> GameClocks:
        """After the clock of `turn`, or of a `seat` that is asked, has run for a span; not below nothing."""
        seat = seat or self.turn
        if seat is None:
            return self
        taken = min(span, self.left_for(seat))
        spent = self.spent + taken if seat == self.turn else self.spent
        return self._replace(left=self._changed(seat, -taken), spent=spent)

    def with_question(self, seat: Seat) -> GameClocks:
        """As a seat is asked: where each turn has its own limit, so has an answer outside of it."""
        if seat == self.turn or self.terms.kind != TURN:
            return self
        return self._replace(left=self._changed(seat, self.terms.base - self.left_for(seat)))

    def after_turn(self, seat: Seat | None) -> GameClocks:
        """After the turn went to `seat`: the one that had it gets what its turn earned."""
        if seat == self.turn:
            return self
        clocks = self
        if self.turn is not None:
            clocks = self._replace(left=self._changed(self.turn, self._turn_bonus()))
        if seat is not None and self.terms.kind == TURN:
            clocks = clocks._replace(left=clocks._changed(seat, self.terms.base - clocks.left_for(seat)))
        return clocks._replace(turn=seat, spent=0, starts=(*self.starts, TurnStart(seat, clocks.left)))

    def after_take_back(self, seat: Seat) -> GameClocks:
        """After the last turn of `seat` was taken back: everybody has what they had when it began."""
        starts = self.starts
        while len(starts) > 1 and starts[-1].seat != seat:
            starts = starts[:-1]
        if not starts or starts[-1].seat != seat:
            return self
        return self._replace(left=starts[-1].left, turn=seat, spent=0, starts=starts)

    def with_noted(self, left: Mapping[Seat, Micros], spent: Micros) -> GameClocks:
        """As it was noted down: what each seat had left, and what the turn had taken."""
        now = self._replace(left=tuple((seat, left.get(seat, old)) for seat, old in self.left), spent=spent)
        if not self.starts:
            return now
        began = now.left if self.turn is None else now._changed(self.turn, spent)
        return now._replace(starts=(*self.starts[:-1], self.starts[-1]._replace(left=began)))

    def _turn_bonus(self) -> Micros:
        match self.terms.kind:
            case "fischer":
                return self.terms.extra
            case "bronstein":
                return min(self.terms.extra, self.spent)
        return 0

    def _changed(self, seat: Seat, by: Micros) -> tuple[tuple[Seat, Micros], ...]:
        return tuple((each, left + by if each == seat else left) for each, left in self.left)


def begin_clocks(terms: ClockTerms, seats: Iterable[Seat]) -> GameClocks:
    """The clocks before the first turn."""
    return GameClocks(terms, tuple((seat, terms.base) for seat in seats))


def to_note(clocks: GameClocks) -> str:
    """What each seat has left, as the journal notes it: `red=893000000 blue=900000000 spent=7000000`."""
    return " ".join([*(f"{seat}={left}" for seat, left in clocks.left), f"spent={clocks.spent}"])


def from_note(clocks: GameClocks, text: str) -> GameClocks:
    """The clocks as `written` noted them. Raises `ValueError`: what was found, what was expected."""
    spans: dict[str, Micros] = {}
    for word in text.split():
        name, _, span = word.partition("=")
        if not re.fullmatch(r"[0-9]{1,18}", span):
            raise ValueError(f"found {word[:40]!r}, expected a seat or spent, =, and a span in microseconds")
        spans[name] = int(span)
    expected = [*(seat for seat, _ in clocks.left), "spent"]
    if list(spans) != expected:
        raise ValueError(f"found {', '.join(spans) or 'nothing'}, expected {', '.join(expected)}")
    spent = spans.pop("spent")
    return clocks.with_noted({Seat(seat): left for seat, left in spans.items()}, spent)
