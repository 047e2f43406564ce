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
    AdjournQuestion,
    AttackCountingQuestion,
    AttackHereQuestion,
    AttackWhereQuestion,
    InHandQuestion,
    MovedHereQuestion,
    MovedWhereQuestion,
    TrackerQuestion,
    WhoStandsQuestion,
)
from boardumpire.tracking.rules import attacks
from boardumpire.tracking.rules.moves import UNFINISHED_GESTURE, RuleResult, capture_place, judge_move
from boardumpire.tracking.situation import Situation
from boardumpire.tracking.timing import ATTACK_BY_HOLD


def detect_capture(situation: Situation) -> TrackerEvent | None:
    """The mover's piece is in the place of one that it takes, whatever else seems to be up."""
    own = situation.movable_pieces(situation.considered_pieces)
    taken = capture_place(situation, own)
    return None if taken is None else judge_move(situation, own[0], taken)


def wait_for_attack_sign(situation: Situation) -> RuleResult:
    """Pieces are alike, and an attack waits for its sign, also while another piece is up."""
    return UNFINISHED_GESTURE if attacks.blocking_attack_question(situation) is not None else None


def detect_cleared_board(situation: Situation) -> AdjournQuestion | None:
    """No piece is left on the board: it is being put away."""
    judged = situation.position.judged_places() - situation.position.hand_played_places
    if (
        situation.was_in_order
        and len(judged) > 2
        and not judged & situation.piece_tracker.felt_places
        and not situation.stray_candidates
    ):
        return AdjournQuestion()
    return None


def detect_clearing_by_several(situation: Situation) -> AdjournQuestion | None:
    """No piece is left on the board: it is being put away."""
    return (
        detect_cleared_board(situation)
        if _has_more_than_attack(situation) or len(situation.movable_pieces(situation.considered_pieces)) != 1
        else None
    )


def detect_fallen_pieces(situation: Situation) -> BoardFault | None:
    """More pieces are up than a move or an attack needs: they have fallen over."""
    return (
        BoardFault(FaultCode.PIECES_DOWN, tuple(sorted(situation.considered_pieces)))
        if _has_more_than_attack(situation)
        else None
    )


def _has_more_than_attack(situation: Situation) -> bool:
    pieces = situation.considered_pieces
    if len(pieces) != 2 or len(situation.movable_pieces(pieces)) != 1:
        return len(pieces) > 1
    return len({situation.position.side_of(situation.owner(home)) for home in pieces}) == 1


def wait_for_capturing_piece(situation: Situation) -> RuleResult:
    """The mover's piece and one that it takes are up: the mover's has to come down first."""
    pair = _attack_pair(situation)
    if pair is None:
        return None
    takes = situation.position.captures_by_step.items()
    return (
        UNFINISHED_GESTURE
        if any(pair[1] in taken for (origin, _), taken in takes if origin == pair[0])
        else None
    )


def detect_impossible_attack(situation: Situation) -> BoardFault | None:
    """The mover's piece and one of the other side that it can't attack are up."""
    pair = _attack_pair(situation)
    return (
        None if pair is None or pair[1] in situation.steps(pair[0]) else BoardFault(FaultCode.NO_ATTACK, pair)
    )


def detect_held_attack(situation: Situation) -> RuleResult:
    """The mover's piece and one that it may attack are up; by the option `hold` that is enough."""
    pair = _attack_pair(situation)
    if pair is None:
        return None
    event = judge_move(situation, *pair)
    stopped = (
        isinstance(event, HandIntent)
        and AttackCountingQuestion(*pair, situation.owner(pair[0])) in situation.declined_events
    )
    return UNFINISHED_GESTURE if situation.timing.attack != ATTACK_BY_HOLD or stopped else event


def _attack_pair(situation: Situation) -> tuple[Home, Home] | None:
    """The one piece of the mover's and the one of the other side that are up."""
    if len(situation.considered_pieces) != 2 or _has_more_than_attack(situation):
        return None
    (own,) = situation.movable_pieces(situation.considered_pieces)
    (other,) = situation.considered_pieces - {own}
    return own, other


def ask_about_touched_target(situation: Situation) -> TrackerQuestion | None:
    """The mover's piece is up, and one that it may attack dipped for a moment."""
    home = _only_held_piece(situation)
    return (
        attacks.question_of_touch(situation)
        if home is not None and _has_touched_target(situation, home)
        else None
    )


def ask_about_unsensed_move(situation: Situation) -> TrackerQuestion | None:
    """The mover's piece is up, and may stand where nothing feels it."""
    return (
        attacks.unsensed_move_question(situation) if _only_held_without_touch(situation) is not None else None
    )


def ask_about_unsensed_attack(situation: Situation) -> TrackerQuestion | None:
    """The mover's piece is up, and may have been set on one that it may attack or take."""
    home = _only_held_without_touch(situation)
    targets = _reachable_targets(situation, home) if home is not None else []
    if home is None or not targets:
        return None
    if len(targets) == 1:
        return AttackHereQuestion(home, targets[0], situation.owner(home))
    return AttackWhereQuestion(home, tuple(targets), situation.owner(home))


def ask_whether_in_hand(situation: Situation) -> InHandQuestion | None:
    """The mover's piece is up, with nothing in its reach that could have hidden it."""
    home = _only_held_without_touch(situation)
    if (
        home is None
        or _reachable_targets(situation, home)
        or attacks.unsensed_move_question(situation) is not None
    ):
        return None
    return _in_hand_question(situation)


def ask_who_refilled_place(situation: Situation) -> WhoStandsQuestion | None:
    """One piece is still up; one that it can't attack was up too, and its place is filled again."""
    if len(situation.lifted_at) != 1:
        return None
    (home,) = situation.lifted_at
    space = situation.piece_tracker.possible_landings.get(home)
    if space is None or situation.owner(space) == situation.owner(home) or situation.steps(home).get(space):
        return None  # an attack that is possible is asked about as one
    return WhoStandsQuestion(space, home, situation.owner(home))


def ask_in_hand_again(situation: Situation) -> InHandQuestion | None:
    """A piece is still up, and its owner has answered that it neither moved nor attacked."""
    asked = any(
        isinstance(each, AttackHereQuestion | AttackWhereQuestion | MovedHereQuestion | MovedWhereQuestion)
        for each in situation.declined_events
    )
    return (
        _in_hand_question(situation)
        if asked and _only_held_piece(situation) not in (None, *situation.missing_pieces)
        else None
    )


def _in_hand_question(situation: Situation) -> InHandQuestion | None:
    """Where pieces are alike and many move in a turn nobody is asked: one is held all the time."""
    own = situation.movable_pieces(situation.lifted_at.keys())
    if (
        situation.position.has_alike_pieces
        or len(own) != 1
        or len(situation.considered_pieces) != 1
        or situation.stray_candidates
    ):
        return None
    return InHandQuestion(own[0], situation.owner(own[0]))


def _only_held_piece(situation: Situation) -> Home | None:
    """The one piece of the mover's that is up, where nothing else is."""
    own = situation.movable_pieces(situation.considered_pieces)
    return (
        own[0]
        if len(own) == len(situation.considered_pieces) == 1
        and own == situation.movable_pieces(situation.pieces_in_hands)
        else None
    )


def _only_held_without_touch(situation: Situation) -> Home | None:
    home = _only_held_piece(situation)
    return (
        None
        if home is None or _has_touched_target(situation, home) or home in situation.missing_pieces
        else home
    )


def _has_touched_target(situation: Situation, home: Home) -> bool:
    return situation.enemy_touch is not None and situation.enemy_touch.origin == home


def _reachable_targets(situation: Situation, home: Home) -> list[Home]:
    """What the piece of `home` may attack, or takes where it goes."""
    takes = situation.position.captures_by_step
    return [to for to, attack in situation.steps(home).items() if attack or to in takes.get((home, to), ())]
