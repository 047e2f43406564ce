"""What is settled before hands are judged: who stands where, what tags say, corrections, doubts, answers."""

from __future__ import annotations

from boardumpire.tracking.events import BoardFault, TakeBackWithdrawn, TrackerEvent
from boardumpire.tracking.questions import Adjourn, MovedHere, SamePlaces, WhoStands
from boardumpire.tracking.rules.lifted import clears_board
from boardumpire.tracking.rules.moves import move, moved_after_all
from boardumpire.tracking.situation import Situation


def moved_before(s: Situation) -> TrackerEvent | None:
    """Pieces are alike: the one that belongs there had moved before another took its place."""
    space, other = min(s.corrections.claimed.items())
    if s.position.alike and other in s.strays and s.own(s.up.keys()):
        return move(s, space, other)
    return None


def who_stands(s: Situation) -> WhoStands:
    """A piece came to stand where a correction waits, or where another belongs; it may be the wrong one."""
    space, other = min(s.corrections.claimed.items())
    return WhoStands(space, other, s.owner(space))


def wrong_by_tag(s: Situation) -> BoardFault | None:
    """A tag says that another piece stands there, or that a piece lies on its side."""
    return s.identity_fault


def refused_by_mistake(s: Situation) -> TrackerEvent | None:
    """A move was refused, and the mover's piece then stands where it may go: the refused one was another."""
    return moved_after_all(s, *s.refused) if s.refused is not None else None


def clears_while_correcting(s: Situation) -> Adjourn | None:
    """No piece is left on the board: it is being put away."""
    return clears_board(s) if s.refused is None else None


def signed_attack(s: Situation) -> TrackerEvent | None:
    """The mover has given the sign: nothing that others do meanwhile delays the attack."""
    return None if s.signed is None else move(s, *s.signed)


def same_places(s: Situation) -> SamePlaces | None:
    """Two pieces of one side were up together, and all stand again."""
    return s.doubt


def mislaid(s: Situation) -> MovedHere | None:
    """The space of a missing piece is played by hand now: it may stand there, or where it could have gone."""
    if len(s.mislaid) < 2:
        return None
    home, target, *_ = s.mislaid
    return MovedHere(home, target, s.owner(home))


def take_back_withdrawn(s: Situation) -> TakeBackWithdrawn | None:
    """The piece that was put back to ask for a take-back stands again where it had moved."""
    return TakeBackWithdrawn(*s.position.last) if s.take_back_shown and s.position.last else None
