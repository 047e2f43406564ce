"""Attacks that wait for the mover's sign. Whose hands lifted the pieces nobody can feel."""

from __future__ import annotations

from boardumpire.tracking.model import NOWHERE, Home
from boardumpire.tracking.questions import (
    AttackCounting,
    AttackHere,
    AttackPending,
    AttackWhich,
    MovedHere,
    MovedWhere,
    TrackerQuestion,
)
from boardumpire.tracking.situation import Situation
from boardumpire.tracking.timing import HOLD


def pending(s: Situation) -> TrackerQuestion | None:
    """The attack that only a sign of the mover is waiting for: his piece and one that it may attack are up,
    or that one has just been touched with it."""
    if s.corrections.outstanding or s.corrections.claimed or s.signed is not None:
        return None
    if s.doubt is not None and s.doubt.seat in s.position.movers:
        return None  # that is asked first: one answer can't be meant for two
    own = _attackers(s)
    if len(own) != 1:
        return None
    (home,) = own
    targets, seat = s.targets(home), s.owner(home)
    if not targets:
        return _touched(s)
    if len(targets) > 1:
        return AttackWhich(home, tuple(targets), seat)
    alone = len(s.up) == 2 and not s.strays
    kind = AttackCounting if s.timing.attack == HOLD and alone else AttackPending
    return kind(home, targets[0], seat)


def _attackers(s: Situation) -> list[Home]:
    """The pieces of the mover that may attack: the one that is up, if no other is.

    Where several move in a turn and are all alike, those that were up together with one that they may attack
    before anything was set down elsewhere: what comes later waits.
    """
    own = s.own(s.pieces.loose_pieces() & s.in_hands)
    if not s.position.alike or len(s.own(s.up.keys())) == 1:
        return own if own == s.own(s.in_hands) else []
    first = min(map(s.pieces.set_down_at, s.strays), default=None)
    return [
        home
        for home in own
        if any(first is None or max(s.up[home], s.up[target]) < first for target in s.targets(home))
    ]


def blocking(s: Situation) -> TrackerQuestion | None:
    """Where pieces are all alike and several are up: the attack that has to be answered before anything else
    is judged."""
    if not s.position.alike or len(s.own(s.up.keys())) == 1:
        return None
    question = pending(s)
    return None if question in s.declined else question


def _touched(s: Situation) -> TrackerQuestion | None:
    """The attack that a short touch may have begun, whose attacker is still in the air."""
    touch = s.touch
    if touch is None or not _alone(s, touch.origin) or touch.duration > s.timing.touch:
        return None
    return AttackPending(touch.origin, touch.target, s.owner(touch.origin))


def _alone(s: Situation, home: Home) -> bool:
    """Whether this piece is up, and nothing else is up or out of place."""
    return s.considered == {home} and not s.strays


# What `confirm` means while nothing is asked


def implied(s: Situation) -> TrackerQuestion | None:
    """What a yes means while nothing is asked: an attack, or a move, that nothing has felt."""
    return attacked_unfelt(s) or (None if s.corrections.outstanding else implied_of_lifted(s))


def implied_of_lifted(s: Situation) -> TrackerQuestion | None:
    """What a yes makes of a piece in the hand: the attack of a touch, or an unfelt move."""
    unfelt = unfelt_move(s)
    return attack_of_touch(s) or (unfelt if isinstance(unfelt, MovedHere) else None)


def attack_of_touch(s: Situation) -> AttackHere | None:
    """The attack on the piece that was touched, however long."""
    touch = s.touch
    if touch is None or not _alone(s, touch.origin):
        return None
    return AttackHere(touch.origin, touch.target, s.owner(touch.origin))


def attacked_unfelt(s: Situation) -> AttackHere | None:
    """The attack that may wait for its sign though nobody was seen to lift the attacker: a piece of the other
    side is up alone, or was touched, and one of the mover's, felt on its space, may attack it."""
    if s.corrections.outstanding or s.corrections.claimed or s.strays or s.position.alike:
        return None
    if len(s.up) > 1 or s.own(s.up.keys()):
        return None
    home = next(iter(s.up), NOWHERE if s.tapped is None else s.tapped.home)
    for origin in s.own_felt:
        question = AttackHere(origin, home, s.owner(origin))
        if origin not in s.position.blind and s.steps(origin).get(home) and question not in s.declined:
            return question
    return None


def unfelt_move(s: Situation) -> TrackerQuestion | None:
    """The piece in the hand may stand among others by now, where nothing feels it."""
    own = s.own(s.up.keys())
    if len(own) != 1 or s.strays:
        return None
    targets, seat = s.position.unfelt(own[0]), s.owner(own[0])
    if len(targets) == 1:
        return MovedHere(own[0], targets[0], seat)
    return MovedWhere(own[0], tuple(targets), seat) if targets else None
