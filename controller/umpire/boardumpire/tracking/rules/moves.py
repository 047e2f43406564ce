"""Moves that hands made, and what may stand against them. Used by all other rules."""

from __future__ import annotations

from typing import Final

from boardumpire.tracking.events import (
    BoardFault,
    FaultCode,
    HandIntent,
    TrackerEvent,
)
from boardumpire.tracking.model import Home, Place
from boardumpire.tracking.questions import MovedHereQuestion, SamePlacesQuestion, ThatPieceQuestion
from boardumpire.tracking.situation import Situation


class UnfinishedGesture:
    """A rule applies, and nothing comes of it yet: hands have more to do. No later rule is asked."""


UNFINISHED_GESTURE: Final = UnfinishedGesture()
RuleResult = TrackerEvent | UnfinishedGesture | None
"""What a rule says; `None`: it does not apply."""


def judge_move(situation: Situation, origin: Home, target: Place) -> TrackerEvent:
    """The move, or what stands against it: another piece was touched, or it is in doubt who is who."""
    if situation.must_move_piece not in (None, origin):
        return BoardFault(FaultCode.TOUCH_MOVE, (origin, target))
    for pair in sorted(situation.doubtful_pairs, key=sorted):
        if origin in pair:
            (other,) = pair - {origin}
            return ThatPieceQuestion(origin, target, other, situation.owner(origin))
        if target in pair:  # nobody is attacked before it is known who that is
            return SamePlacesQuestion(tuple(sorted(pair)), situation.owner(target))
    return HandIntent(origin, target)


def judge_second_set_down(situation: Situation, origin: Home, target: Place) -> TrackerEvent | None:
    """The piece seemed to be set down on `target`, where it may not go. Now it has come to stand where it
    may, and what stands on `target` stands still: that was another piece, set down by somebody else."""
    others = situation.stray_candidates.keys() - {target}
    if situation.lifted_at.keys() != {origin} or target not in situation.stray_candidates or len(others) != 1:
        return None
    (space,) = others
    later = situation.piece_tracker.set_down_time(space) > situation.piece_tracker.set_down_time(target)
    illegal = target not in situation.steps(origin) or situation.refused_move == (origin, target)
    if not (later and illegal and situation.can_move_quietly(origin, space)):
        return None
    if situation.position.is_apart(space, target):
        return judge_move(situation, origin, space)
    # One piece between the two is felt on both.
    return MovedHereQuestion(origin, space, situation.owner(origin))


def capture_place(situation: Situation, own: list[Home]) -> Place | None:
    """Where the one piece of the mover's that is up has taken another, as it seems: that was up too, and
    something was set down in its place."""
    upon = situation.piece_tracker.possible_landings.get(own[0]) if len(own) == 1 else None
    return upon if upon is not None and situation.position.is_capture(own[0], upon) else None
