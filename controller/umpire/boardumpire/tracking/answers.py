"""What a yes or a no to a question of the tracker changes, and the move that comes of it."""

from __future__ import annotations

from boardumpire.tracking.board_state import BoardState
from boardumpire.tracking.events import HandIntent, TrackerEvent, UnconfirmedCorrection
from boardumpire.tracking.questions import (
    AttackCountingQuestion,
    AttackHereQuestion,
    AttackPendingQuestion,
    CameFromQuestion,
    InHandQuestion,
    MovedHereQuestion,
    SamePlacesQuestion,
    ThatPieceQuestion,
    TrackerQuestion,
    WhoStandsQuestion,
)
from boardumpire.tracking.rules import attacks
from boardumpire.tracking.rules.moves import judge_move
from boardumpire.tracking.situation import QUESTION_CANDIDATES_MAX, Situation


def apply_yes(asked: TrackerQuestion, board: BoardState, situation: Situation) -> TrackerEvent | None:
    """What comes of a yes: the move that was asked about, or what has to be known before it."""
    match asked:
        case AttackPendingQuestion(origin, target) | AttackCountingQuestion(origin, target):
            board.attack_confirmation.signed_attack = origin, target
            return judge_move(situation, origin, target)
        case (
            AttackHereQuestion(origin, target)
            | CameFromQuestion(origin, target)
            | MovedHereQuestion(origin, target)
        ):
            if origin in situation.certain_places and target in board.piece_tracker.felt_places:
                board.piece_tracker.possible_landings[origin] = (
                    target  # and what seemed to be it is the other one
                )
            return HandIntent(origin, target)
        case ThatPieceQuestion(origin, target):
            board.swap_doubts.swapped_pairs.clear()
            return HandIntent(origin, target)
        case SamePlacesQuestion(homes):
            board.swap_doubts.swapped_pairs = {
                pair for pair in board.swap_doubts.swapped_pairs if not pair <= set(homes)
            }
        case WhoStandsQuestion(space, other):
            late = space not in board.corrections.doubtful_occupants
            _settle_who_stands(board, asked)
            between = board.piece_tracker.straddled_space(other, board.position) == space
            if board.piece_tracker.stray_candidates.get(other) == frozenset() and not between:
                board.corrections.require_correction({other})
                board.turn_memory.last_battle = None
                if late:
                    board.doubt_arrivals(
                        board.doubtful_arrivals((other,), situation.declined_events), situation.last_activity
                    )
    return None


def apply_no(asked: TrackerQuestion, board: BoardState, situation: Situation) -> TrackerEvent | None:
    """What comes of a no."""
    pieces, corrections, turn = board.piece_tracker, board.corrections, board.turn_memory
    match asked:
        case AttackPendingQuestion() | AttackCountingQuestion():
            board.attack_confirmation.signed_attack = None
        case (
            AttackHereQuestion(home, target)
            | CameFromQuestion(home, target)
            | MovedHereQuestion(home, target)
        ):
            if turn.mislaid_candidates[:2] == (home, target):
                turn.mislaid_candidates = (home, *turn.mislaid_candidates[2:])
        case InHandQuestion(home):
            turn.lost_piece = home
            turn.missing_pieces.add(home)
            near = board.position.quiet_targets(home, pieces.felt_places)
            return UnconfirmedCorrection((home, *near[:QUESTION_CANDIDATES_MAX]))
        case ThatPieceQuestion(origin, target, other):
            if attacks.blocking_attack_question(situation) is not None:
                pieces.exclude_piece(target, origin)
            elif board.position.has_alike_pieces:
                return HandIntent(other, target)
            else:
                corrections.outstanding |= pieces.differing_spaces()
        case SamePlacesQuestion(
            homes
        ):  # they come up, and go where they belong; until then it stays doubtful
            doubtful = board.swap_doubts.connected_pieces(homes)
            unfelt = board.position.hand_played_places  # nobody can feel that a piece comes up there
            board.swap_doubts.swapped_pairs -= {
                pair for pair in board.swap_doubts.swapped_pairs if pair <= unfelt & doubtful
            }
            corrections.wrong_piece_spaces.update((pieces.felt_places & doubtful) - unfelt)
            corrections.require_correction(pieces.lifted_at.keys() & doubtful)
            corrections.require_correction(
                space for space in pieces.stray_candidates if pieces.stray_candidates[space] & doubtful
            )
        case WhoStandsQuestion(space, other):
            _settle_who_stands(board, asked)
            if space not in board.position.hand_played_places:
                corrections.wrong_piece_spaces.add(space)
            corrections.settle_doubts_about(other)
    return None


def _settle_who_stands(board: BoardState, asked: WhoStandsQuestion) -> None:
    board.corrections.settle_who_stands(asked.space)
    board.piece_tracker.possible_landings.pop(asked.other, None)
    if board.turn_memory.latest_arrivals.pop(asked.space, None) is not None:
        board.settled_arrivals.add(asked.space)
