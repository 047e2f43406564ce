"""What a yes or a no to a question of the tracker changes, and the move that comes of it."""

from __future__ import annotations

from boardumpire.tracking.board_state import BoardState
from boardumpire.tracking.events import HandIntent, TrackerEvent, UnconfirmedCorrection
from boardumpire.tracking.questions import (
    AttackCounting,
    AttackHere,
    AttackPending,
    CameFrom,
    InHand,
    MovedHere,
    SamePlaces,
    ThatPiece,
    TrackerQuestion,
    WhoStands,
)
from boardumpire.tracking.rules import attacks
from boardumpire.tracking.rules.moves import move
from boardumpire.tracking.situation import MAX_ASKED, Situation


def affirm(asked: TrackerQuestion, board: BoardState, s: Situation) -> TrackerEvent | None:
    """What comes of a yes: the move that was asked about, or what has to be known before it."""
    match asked:
        case AttackPending(origin, target) | AttackCounting(origin, target):
            board.signs.given = origin, target
            return move(s, origin, target)
        case AttackHere(origin, target) | CameFrom(origin, target) | MovedHere(origin, target):
            if origin in s.certain and target in board.pieces.felt:
                board.pieces.set_upon[origin] = target  # and what seemed to be it is the other one
            return HandIntent(origin, target)
        case ThatPiece(origin, target):
            board.doubts.pairs.clear()
            return HandIntent(origin, target)
        case SamePlaces(homes):
            board.doubts.pairs = {pair for pair in board.doubts.pairs if not pair <= set(homes)}
        case WhoStands(space, other):
            late = space not in board.corrections.claimed
            _settle_who_stands(board, asked)
            between = board.pieces.straddled_space(other, board.position) == space
            if board.pieces.strays.get(other) == frozenset() and not between:
                board.corrections.require({other})
                board.turn.battle = None
                if late:
                    board.doubt_arrivals(board.set_down_late((other,), s.declined), s.last_activity)
    return None


def deny(asked: TrackerQuestion, board: BoardState, s: Situation) -> TrackerEvent | None:
    """What comes of a no."""
    pieces, corrections, turn = board.pieces, board.corrections, board.turn
    match asked:
        case AttackPending() | AttackCounting():
            board.signs.given = None
        case AttackHere(home, target) | CameFrom(home, target) | MovedHere(home, target):
            if turn.mislaid[:2] == (home, target):
                turn.mislaid = (home, *turn.mislaid[2:])
        case InHand(home):
            turn.lost = home
            turn.missing.add(home)
            near = board.position.quiet_targets(home, pieces.felt)
            return UnconfirmedCorrection((home, *near[:MAX_ASKED]))
        case ThatPiece(origin, target, other):
            if attacks.blocking(s) is not None:
                pieces.exclude_piece(target, origin)
            elif board.position.alike:
                return HandIntent(other, target)
            else:
                corrections.outstanding |= pieces.differing_spaces()
        case SamePlaces(homes):  # they come up, and go where they belong; until then it stays doubtful
            doubtful = board.doubts.connected(homes)
            corrections.exchange.update(pieces.felt & doubtful)
            corrections.require(pieces.up.keys() & doubtful)
            corrections.require(space for space in pieces.strays if pieces.strays[space] & doubtful)
        case WhoStands(space, other):
            _settle_who_stands(board, asked)
            corrections.exchange.add(space)
            corrections.settle_for(other)
    return None


def _settle_who_stands(board: BoardState, asked: WhoStands) -> None:
    board.corrections.settle_who_stands(asked.space)
    board.pieces.set_upon.pop(asked.other, None)
    if board.turn.arrived.pop(asked.space, None) is not None:
        board.settled_arrivals.add(asked.space)
