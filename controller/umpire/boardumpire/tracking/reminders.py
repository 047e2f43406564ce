"""What people are reminded of, and when: pieces that are up for long, corrections that nobody makes. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from boardumpire.tracking.model import Home
from boardumpire.tracking.questions import TrackerQuestion
from boardumpire.tracking.rules import attacks
from boardumpire.tracking.situation import Situation
from boardware.ports import Micros


class Agenda(NamedTuple):
    """What is reported by itself when, if hands do nothing before."""

    meaning_due: Micros | None
    """When what hands seem to mean is reported."""
    reminders: dict[Home | None, Micros]
    """As `Reminders.due` has them."""
    unconfirmed_due: Micros | None
    """When to say that corrections may be made and not felt."""


class Reminders:
    """Reminds once of each piece, and once of all corrections."""

    def __init__(self) -> None:
        self.last_activity: Micros = 0
        """When hands last did something, or corrections came up."""
        self.made_by_hands = False
        """Whether the corrections are those of something that hands did."""
        self.unconfirmed_reported = False
        """Whether it was said that corrections may be made and not felt."""
        self.given: set[Home | None] = set()
        """The pieces of which people were reminded; `None`: of corrections, however many."""

    def begin_turn(self, up: Iterable[Home], now: Micros) -> None:
        """Corrections are others now; that a piece is missing was said."""
        self.last_activity = now
        self.unconfirmed_reported = False
        self.given.intersection_update(up)

    def due(self, s: Situation, pending: TrackerQuestion | None) -> dict[Home | None, Micros]:
        """When to remind of what: of each piece that a hand holds, and once (`None`) of all corrections."""
        outstanding, timing = s.corrections.outstanding, s.timing
        times: dict[Home | None, Micros] = {None: self.last_activity + timing.remind} if outstanding else {}
        attacked = attacked_piece(s)
        for home, at in s.up.items():
            if home == attacked and home not in outstanding | s.awaiting_answer:
                times[home] = self.last_activity + timing.ask
            elif home not in outstanding | s.awaiting_answer:
                times[home] = at + (timing.away if _is_gone(s, home, pending) else timing.remind)
        if attacked is not None and not s.up and s.tapped is not None and s.tapped.again:
            times[attacked] = s.tapped.at + timing.settle
        return {what: at for what, at in times.items() if what not in self.given}

    def unconfirmed_due(self, s: Situation) -> Micros | None:
        """When to say that corrections may be made and not felt."""
        waits = (
            self.made_by_hands and 0 < len(s.corrections.outstanding) <= 2 and not self.unconfirmed_reported
        )
        return self.last_activity + s.timing.ask if waits else None


def attacked_piece(s: Situation) -> Home | None:
    """The piece that may be attacked by one whose lift was not felt: one of the other side, up alone, or
    touched."""
    asked = attacks.attacked_unfelt(s)
    return None if asked is None else asked.target


def _is_gone(s: Situation, home: Home, pending: TrackerQuestion | None) -> bool:
    """Whether that is a piece which nobody has to take up, and no board that is being cleared: one whose side
    is not to move, or one of two of the mover's."""
    if (pending is not None and home in pending.spaces) or len(s.up) > 2:
        return False
    own = s.own(s.up.keys())
    return home not in own or (len(own) > 1 and not s.position.alike)
