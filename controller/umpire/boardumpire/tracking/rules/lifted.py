"""Pieces are up, and nothing stands where it does not belong."""

from __future__ import annotations

from boardumpire.tracking.events import (
    BoardFault,
    FaultCode,
    HandIntent,
    TrackerEvent,
)
from boardumpire.tracking.model import Home
from boardumpire.tracking.questions import (
    Adjourn,
    AttackCounting,
    AttackHere,
    AttackWhere,
    InHand,
    MovedHere,
    MovedWhere,
    TrackerQuestion,
    WhoStands,
)
from boardumpire.tracking.rules import attacks
from boardumpire.tracking.rules.moves import UNFINISHED, Outcome, captured, move
from boardumpire.tracking.situation import Situation
from boardumpire.tracking.timing import HOLD


def captures(s: Situation) -> TrackerEvent | None:
    """The mover's piece is in the place of one that it takes, whatever else seems to be up."""
    own = s.own(s.considered)
    taken = captured(s, own)
    return None if taken is None else move(s, own[0], taken)


def waits_for_attack(s: Situation) -> Outcome:
    """Pieces are alike, and an attack waits for its sign, also while another piece is up."""
    return UNFINISHED if attacks.blocking(s) is not None else None


def clears_board(s: Situation) -> Adjourn | None:
    """No piece is left on the board: it is being put away."""
    judged = s.position.judged() - s.position.blind
    if s.was_in_order and len(judged) > 2 and not judged & s.pieces.felt and not s.strays:
        return Adjourn()
    return None


def cleared_by_several(s: Situation) -> Adjourn | None:
    """No piece is left on the board: it is being put away."""
    return clears_board(s) if _more_than_an_attack(s) or len(s.own(s.considered)) != 1 else None


def pieces_down(s: Situation) -> BoardFault | None:
    """More pieces are up than a move or an attack needs: they have fallen over."""
    return BoardFault(FaultCode.PIECES_DOWN, tuple(sorted(s.considered))) if _more_than_an_attack(s) else None


def _more_than_an_attack(s: Situation) -> bool:
    several = len(s.considered)
    return several > 2 or (several == 2 and len(s.own(s.considered)) != 1)


def takes_beside(s: Situation) -> Outcome:
    """The mover's piece and one that it takes are up: the mover's has to come down first."""
    pair = _attack_pair(s)
    if pair is None:
        return None
    takes = s.position.takes.items()
    return UNFINISHED if any(pair[1] in taken for (origin, _), taken in takes if origin == pair[0]) else None


def no_attack(s: Situation) -> BoardFault | None:
    """The mover's piece and one of the other side that it can't attack are up."""
    pair = _attack_pair(s)
    return None if pair is None or pair[1] in s.steps(pair[0]) else BoardFault(FaultCode.NO_ATTACK, pair)


def held_up(s: Situation) -> Outcome:
    """The mover's piece and one that it may attack are up; by the option `hold` that is enough."""
    pair = _attack_pair(s)
    if pair is None:
        return None
    event = move(s, *pair)
    stopped = isinstance(event, HandIntent) and AttackCounting(*pair, s.owner(pair[0])) in s.declined
    return UNFINISHED if s.timing.attack != HOLD or stopped else event


def _attack_pair(s: Situation) -> tuple[Home, Home] | None:
    """The one piece of the mover's and the one of the other side that are up."""
    own = s.own(s.considered)
    if len(s.considered) != 2 or len(own) != 1:
        return None
    (other,) = s.considered - set(own)
    return own[0], other


def touched(s: Situation) -> TrackerQuestion | None:
    """The mover's piece is up, and one that it may attack dipped for a moment."""
    home = _held_alone(s)
    return attacks.attack_of_touch(s) if home is not None and _touched_by(s, home) else None


def moved_unfelt(s: Situation) -> TrackerQuestion | None:
    """The mover's piece is up, and may stand where nothing feels it."""
    return attacks.unfelt_move(s) if _alone_without_touch(s) is not None else None


def attacked_unfelt(s: Situation) -> TrackerQuestion | None:
    """The mover's piece is up, and may have been set on one that it may attack or take."""
    home = _alone_without_touch(s)
    targets = _within_reach(s, home) if home is not None else []
    if home is None or not targets:
        return None
    if len(targets) == 1:
        return AttackHere(home, targets[0], s.owner(home))
    return AttackWhere(home, tuple(targets), s.owner(home))


def in_hand(s: Situation) -> InHand | None:
    """The mover's piece is up, with nothing in its reach that could have hidden it."""
    home = _alone_without_touch(s)
    if home is None or _within_reach(s, home) or attacks.unfelt_move(s) is not None:
        return None
    return _asked_in_hand(s)


def set_upon(s: Situation) -> WhoStands | None:
    """One piece is still up; one that it can't attack was up too, and its place is filled again."""
    if len(s.up) != 1:
        return None
    (home,) = s.up
    space = s.pieces.set_upon.get(home)
    if space is None or s.owner(space) == s.owner(home) or s.steps(home).get(space):
        return None  # an attack that is possible is asked about as one
    return WhoStands(space, home, s.owner(home))


def in_hand_after_no(s: Situation) -> InHand | None:
    """A piece is still up, and its owner has answered that it neither moved nor attacked."""
    asked = any(isinstance(each, AttackHere | AttackWhere | MovedHere | MovedWhere) for each in s.declined)
    return _asked_in_hand(s) if asked and _held_alone(s) not in (None, *s.missing) else None


def _asked_in_hand(s: Situation) -> InHand | None:
    """Where pieces are alike and many move in a turn nobody is asked: one is held all the time."""
    own = s.own(s.up.keys())
    if s.position.alike or len(own) != 1 or len(s.considered) != 1 or s.strays:
        return None
    return InHand(own[0], s.owner(own[0]))


def _held_alone(s: Situation) -> Home | None:
    """The one piece of the mover's that is up, where nothing else is."""
    own = s.own(s.considered)
    return own[0] if len(own) == len(s.considered) == 1 and own == s.own(s.in_hands) else None


def _alone_without_touch(s: Situation) -> Home | None:
    home = _held_alone(s)
    return None if home is None or _touched_by(s, home) or home in s.missing else home


def _touched_by(s: Situation, home: Home) -> bool:
    return s.touch is not None and s.touch.origin == home


def _within_reach(s: Situation, home: Home) -> list[Home]:
    """What the piece of `home` may attack, or takes where it goes."""
    takes = s.position.takes
    return [to for to, attack in s.steps(home).items() if attack or to in takes.get((home, to), ())]
