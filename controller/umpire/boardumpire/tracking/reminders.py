"""What people are reminded of, and when: pieces that are up for long, corrections that nobody makes. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from boardumpire.tracking.model import Home
from boardumpire.tracking.questions import TrackerQuestion
from boardumpire.tracking.rules import attacks
from boardumpire.tracking.situation import Situation
from boardware.ports import Micros


class ReportSchedule(NamedTuple):
    """What is reported by itself when, if hands do nothing before."""

    meaning_due: Micros | None
    """When what hands seem to mean is reported."""
    reminders: dict[Home | None, Micros]
    """As `Reminders.due_times` has them."""
    unconfirmed_due: Micros | None
    """When to say that corrections may be made and not felt."""


class Reminders:
    """Reminds once of each piece, and once of all corrections."""

    def __init__(self) -> None:
        self.last_activity: Micros = 0
        """When hands last did something, or corrections came up."""
        self.has_hand_made_corrections = False
        """Whether the corrections are those of something that hands did."""
        self.unconfirmed_reported = False
        """Whether it was said that corrections may be made and not felt."""
        self.given_reminders: set[Home | None] = set()
        """The pieces of which people were reminded; `None`: of corrections, however many."""

    def begin_turn(self, up: Iterable[Home], now: Micros) -> None:
        """Corrections are others now; that a piece is missing was said."""
        self.last_activity = now
        self.unconfirmed_reported = False
        self.given_reminders.intersection_update(up)

    def due_times(self, situation: Situation, pending: TrackerQuestion | None) -> dict[Home | None, Micros]:
        """When to remind of what: of each piece that a hand holds, and once (`None`) of all corrections."""
        outstanding, timing = situation.corrections.outstanding, situation.timing
        times: dict[Home | None, Micros] = {None: self.last_activity + timing.remind} if outstanding else {}
        attacked = attacked_piece(situation)
        for home, at in situation.lifted_at.items():
            if home == attacked and home not in outstanding | situation.places_awaiting_answer:
                times[home] = self.last_activity + timing.ask
            elif home not in outstanding | situation.places_awaiting_answer:
                times[home] = at + (timing.away if _is_gone(situation, home, pending) else timing.remind)
        if (
            attacked is not None
            and not situation.lifted_at
            and situation.enemy_tap is not None
            and situation.enemy_tap.is_second_in_row
        ):
            times[attacked] = situation.enemy_tap.at + timing.settle
        return {what: at for what, at in times.items() if what not in self.given_reminders}

    def unconfirmed_due(self, situation: Situation) -> Micros | None:
        """When to say that corrections may be made and not felt."""
        waits = (
            self.has_hand_made_corrections
            and 0 < len(situation.corrections.outstanding) <= 2
            and not self.unconfirmed_reported
        )
        return self.last_activity + situation.timing.ask if waits else None


def attacked_piece(situation: Situation) -> Home | None:
    """The piece that may be attacked by one whose lift was not felt: one of the other side, up alone, or
    touched."""
    asked = attacks.unsensed_attack_question(situation)
    return None if asked is None else asked.target


def _is_gone(situation: Situation, home: Home, pending: TrackerQuestion | None) -> bool:
    """Whether that is a piece which nobody has to take up, and no board that is being cleared: one whose side
    is not to move, or one of two of the mover's."""
    if (pending is not None and home in pending.spaces) or len(situation.lifted_at) > 2:
        return False
    own = situation.movable_pieces(situation.lifted_at.keys())
    return home not in own or (len(own) > 1 and not situation.position.has_alike_pieces)
