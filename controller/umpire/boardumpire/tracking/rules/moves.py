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
from boardumpire.tracking.questions import MovedHere, SamePlaces, ThatPiece
from boardumpire.tracking.situation import Situation


class Unfinished:
    """A rule applies, and nothing comes of it yet: hands have more to do. No later rule is asked."""


UNFINISHED: Final = Unfinished()
Outcome = TrackerEvent | Unfinished | None
"""What a rule says; `None`: it does not apply."""


def move(s: Situation, origin: Home, target: Place) -> TrackerEvent:
    """The move, or what stands against it: another piece was touched, or it is in doubt who is who."""
    if s.must_move not in (None, origin):
        return BoardFault(FaultCode.TOUCH_MOVE, (origin, target))
    for pair in sorted(s.doubtful_pairs, key=sorted):
        if origin in pair:
            (other,) = pair - {origin}
            return ThatPiece(origin, target, other, s.owner(origin))
        if target in pair:  # nobody is attacked before it is known who that is
            return SamePlaces(tuple(sorted(pair)), s.owner(target))
    return HandIntent(origin, target)


def moved_after_all(s: Situation, origin: Home, target: Place) -> TrackerEvent | None:
    """The piece seemed to be set down on `target`, where it may not go. Now it has come to stand where it
    may, and what stands on `target` stands still: that was another piece, set down by somebody else."""
    others = s.strays.keys() - {target}
    if s.up.keys() != {origin} or target not in s.strays or len(others) != 1:
        return None
    (space,) = others
    later = s.pieces.set_down_at(space) > s.pieces.set_down_at(target)
    illegal = target not in s.steps(origin) or s.refused == (origin, target)
    if not (later and illegal and s.may_go(origin, space)):
        return None
    if s.position.apart(space, target):
        return move(s, origin, space)
    # One piece between the two is felt on both.
    return MovedHere(origin, space, s.owner(origin))


def captured(s: Situation, own: list[Home]) -> Place | None:
    """Where the one piece of the mover's that is up has taken another, as it seems: that was up too, and
    something was set down in its place."""
    upon = s.pieces.set_upon.get(own[0]) if len(own) == 1 else None
    return upon if upon is not None and s.position.captures(own[0], upon) else None
