"""What is settled before hands are judged: who stands where, what tags say, corrections, doubts, answers."""

from __future__ import annotations

from boardumpire.tracking.events import BoardFault, TakeBackWithdrawn, TrackerEvent
from boardumpire.tracking.questions import (
    AdjournQuestion,
    MovedHereQuestion,
    SamePlacesQuestion,
    WhoStandsQuestion,
)
from boardumpire.tracking.rules.lifted import detect_cleared_board
from boardumpire.tracking.rules.moves import judge_move, judge_second_set_down
from boardumpire.tracking.situation import Situation


def detect_earlier_move(situation: Situation) -> TrackerEvent | None:
    """Pieces are alike: the one that belongs there had moved before another took its place."""
    space, other = min(situation.corrections.doubtful_occupants.items())
    if (
        situation.position.has_alike_pieces
        and other in situation.stray_candidates
        and situation.movable_pieces(situation.lifted_at.keys())
    ):
        return judge_move(situation, space, other)
    return None


def ask_who_stands(situation: Situation) -> WhoStandsQuestion:
    """A piece came to stand where a correction waits, or where another belongs; it may be the wrong one."""
    space, other = min(situation.corrections.doubtful_occupants.items())
    return WhoStandsQuestion(space, other, situation.owner(space))


def report_tag_fault(situation: Situation) -> BoardFault | None:
    """A tag says that another piece stands there, or that a piece lies on its side."""
    return situation.identity_fault


def detect_mistaken_refusal(situation: Situation) -> TrackerEvent | None:
    """A move was refused, and the mover's piece then stands where it may go: the refused one was another."""
    return (
        judge_second_set_down(situation, *situation.refused_move)
        if situation.refused_move is not None
        else None
    )


def detect_clearing_while_correcting(situation: Situation) -> AdjournQuestion | None:
    """No piece is left on the board: it is being put away."""
    return detect_cleared_board(situation) if situation.refused_move is None else None


def report_signed_attack(situation: Situation) -> TrackerEvent | None:
    """The mover has given the sign: nothing that others do meanwhile delays the attack."""
    return None if situation.signed_attack is None else judge_move(situation, *situation.signed_attack)


def ask_same_places(situation: Situation) -> SamePlacesQuestion | None:
    """Two pieces of one side were up together, and all stand again."""
    return situation.swap_question


def ask_about_mislaid_piece(situation: Situation) -> MovedHereQuestion | None:
    """The space of a missing piece is played by hand now: it may stand there, or where it could have gone."""
    if len(situation.mislaid_candidates) < 2:
        return None
    home, target, *_ = situation.mislaid_candidates
    return MovedHereQuestion(home, target, situation.owner(home))


def detect_withdrawn_take_back(situation: Situation) -> TakeBackWithdrawn | None:
    """The piece that was put back to ask for a take-back stands again where it had moved."""
    return (
        TakeBackWithdrawn(*situation.position.last_quiet_move)
        if situation.take_back_shown and situation.position.last_quiet_move
        else None
    )
