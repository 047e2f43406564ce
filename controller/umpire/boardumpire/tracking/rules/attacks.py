"""Attacks that wait for the mover's sign. Whose hands lifted the pieces nobody can feel."""

from __future__ import annotations

from boardumpire.tracking.model import NOWHERE, Home
from boardumpire.tracking.questions import (
    AttackCountingQuestion,
    AttackHereQuestion,
    AttackPendingQuestion,
    AttackWhichQuestion,
    MovedHereQuestion,
    MovedWhereQuestion,
    TrackerQuestion,
)
from boardumpire.tracking.situation import Situation
from boardumpire.tracking.timing import ATTACK_BY_HOLD


def pending_attack_question(situation: Situation) -> TrackerQuestion | None:
    """The attack that only a sign of the mover is waiting for: his piece and one that it may attack are up,
    or that one has just been touched with it."""
    if (
        situation.corrections.outstanding
        or situation.corrections.doubtful_occupants
        or situation.signed_attack is not None
    ):
        return None
    if (
        situation.swap_question is not None
        and situation.swap_question.seat in situation.position.seats_to_move
    ):
        return None  # that is asked first: one answer can't be meant for two
    own = _attackers(situation)
    if len(own) != 1:
        return None
    (home,) = own
    targets, seat = situation.attackable_lifted_pieces(home), situation.owner(home)
    if not targets:
        return _question_of_short_touch(situation)
    if len(targets) > 1:
        return AttackWhichQuestion(home, tuple(targets), seat)
    alone = len(situation.lifted_at) == 2 and not situation.stray_candidates
    kind = (
        AttackCountingQuestion
        if situation.timing.attack == ATTACK_BY_HOLD and alone
        else AttackPendingQuestion
    )
    return kind(home, targets[0], seat)


def _attackers(situation: Situation) -> list[Home]:
    """The pieces of the mover that may attack: the one that is up, if no other is.

    Where several move in a turn and are all alike, those that were up together with one that they may attack
    before anything was set down elsewhere: what comes later waits.
    """
    own = situation.movable_pieces(situation.piece_tracker.pieces_in_hand() & situation.pieces_in_hands)
    if (
        not situation.position.has_alike_pieces
        or len(situation.movable_pieces(situation.lifted_at.keys())) == 1
    ):
        return own if own == situation.movable_pieces(situation.pieces_in_hands) else []
    first = min(map(situation.piece_tracker.set_down_time, situation.stray_candidates), default=None)
    return [
        home
        for home in own
        if any(
            first is None or max(situation.lifted_at[home], situation.lifted_at[target]) < first
            for target in situation.attackable_lifted_pieces(home)
        )
    ]


def blocking_attack_question(situation: Situation) -> TrackerQuestion | None:
    """Where pieces are all alike and several are up: the attack that has to be answered before anything else
    is judged."""
    if (
        not situation.position.has_alike_pieces
        or len(situation.movable_pieces(situation.lifted_at.keys())) == 1
    ):
        return None
    question = pending_attack_question(situation)
    return None if question in situation.declined_events else question


def _question_of_short_touch(situation: Situation) -> TrackerQuestion | None:
    """The attack that a short touch may have begun, whose attacker is still in the air."""
    touch = situation.enemy_touch
    if (
        touch is None
        or not _is_only_piece_up(situation, touch.origin)
        or touch.duration > situation.timing.touch
    ):
        return None
    return AttackPendingQuestion(touch.origin, touch.target, situation.owner(touch.origin))


def _is_only_piece_up(situation: Situation, home: Home) -> bool:
    """Whether this piece is up, and nothing else is up or out of place."""
    return situation.considered_pieces == {home} and not situation.stray_candidates


# What `confirm` means while nothing is asked


def implied_question(situation: Situation) -> TrackerQuestion | None:
    """What a yes means while nothing is asked: an attack, or a move, that nothing has felt."""
    return unsensed_attack_question(situation) or (
        None if situation.corrections.outstanding else implied_question_of_lifted(situation)
    )


def implied_question_of_lifted(situation: Situation) -> TrackerQuestion | None:
    """What a yes makes of a piece in the hand: the attack of a touch, or an unfelt move."""
    unfelt = unsensed_move_question(situation)
    return question_of_touch(situation) or (unfelt if isinstance(unfelt, MovedHereQuestion) else None)


def question_of_touch(situation: Situation) -> AttackHereQuestion | None:
    """The attack on the piece that was touched, however long."""
    touch = situation.enemy_touch
    if touch is None or not _is_only_piece_up(situation, touch.origin):
        return None
    return AttackHereQuestion(touch.origin, touch.target, situation.owner(touch.origin))


def unsensed_attack_question(situation: Situation) -> AttackHereQuestion | None:
    """The attack that may wait for its sign though nobody was seen to lift the attacker: a piece of the other
    side is up alone, or was touched, and one of the mover's, felt on its space, may attack it."""
    if (
        situation.corrections.outstanding
        or situation.corrections.doubtful_occupants
        or situation.stray_candidates
        or situation.position.has_alike_pieces
    ):
        return None
    if len(situation.lifted_at) > 1 or situation.movable_pieces(situation.lifted_at.keys()):
        return None
    home = next(
        iter(situation.lifted_at), NOWHERE if situation.enemy_tap is None else situation.enemy_tap.home
    )
    for origin in situation.movable_pieces_felt:
        question = AttackHereQuestion(origin, home, situation.owner(origin))
        if (
            origin not in situation.position.hand_played_places
            and situation.steps(origin).get(home)
            and question not in situation.declined_events
        ):
            return question
    return None


def unsensed_move_question(situation: Situation) -> TrackerQuestion | None:
    """The piece in the hand may stand among others by now, where nothing feels it."""
    own = situation.movable_pieces(situation.lifted_at.keys())
    if len(own) != 1 or situation.stray_candidates:
        return None
    targets, seat = situation.position.unsensed_targets(own[0]), situation.owner(own[0])
    if len(targets) == 1:
        return MovedHereQuestion(own[0], targets[0], seat)
    return MovedWhereQuestion(own[0], tuple(targets), seat) if targets else None
