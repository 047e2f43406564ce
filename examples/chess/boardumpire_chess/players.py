"""Programs that play chess: alpha-beta over python-chess, from a seat's view alone.

A playout of the budget is one position that is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import chess

from boardrules.core import Action, Seat
from boardrules.players import Chance, GamePlayers, Player, PlayerLevel, SearchBudget
from boardumpire_chess.engine_levels import engine_levels
from boardumpire_chess.scores import score_text

VALUES: Final = {
    chess.PAWN: 100,
    chess.KNIGHT: 320,
    chess.BISHOP: 330,
    chess.ROOK: 500,
    chess.QUEEN: 900,
    chess.KING: 0,
}
"""Hundredths of a pawn."""
MATE: Final = 100_000
DEEPEST: Final = 12
"""Moves that a search looks ahead at most."""


class BudgetSpentError(Exception):
    """The budget is spent."""


class ChessPlayer(Player):
    """Looks as deep as its budget goes; at times it does anything instead."""

    __slots__ = ("_assessment", "_errs")

    def __init__(self, level: PlayerLevel) -> None:
        self._errs, self._assessment = float(level.settings["errs"]), ""

    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, meter: SearchBudget) -> Action:
        """The best move that it finds; a pawn that has reached its last rank becomes a queen."""
        facts = view.json()
        self._assessment = ""
        if facts["arranging"]:
            return begin_action(legal)
        if facts["reached"] is not None:
            return next(action for action in legal if str(action) == "queen")
        if chance.random() < self._errs:
            return legal[chance.randrange(len(legal))]
        board = chess.Board(facts["fen"], chess960=facts["chess960"])
        moves = chance.sample(list(board.legal_moves), board.legal_moves.count())  # of equal ones any
        best, value = search(board, moves, meter)
        self._assessment = _assessment_text(value)
        text = f"{chess.square_name(best.from_square)}-{chess.square_name(best.to_square)}"
        return next(action for action in legal if str(action) == text)

    def assessment(self) -> str:
        """By its search; nothing where it did anything."""
        return self._assessment


def begin_action(legal: Sequence[Action]) -> Action:
    """What a program does that is to set a position up: it takes it as it is, if it may."""
    return next((action for action in legal if str(action) in ("white-begins", "black-begins")), legal[0])


def _assessment_text(value: int | None) -> str:
    """A value of the search as chess players write it; a mate alone is `#` or `-#`."""
    if value is not None and abs(value) >= MATE:
        return "#" if value > 0 else "-#"
    return score_text(value)


def best_move(board: chess.Board, moves: list[chess.Move], meter: SearchBudget) -> chess.Move:
    """The best of these moves, as deep as the budget goes; the first of equal ones."""
    return search(board, moves, meter)[0]


def search(board: chess.Board, moves: list[chess.Move], meter: SearchBudget) -> tuple[chess.Move, int | None]:
    """The same with what it is worth to the side to move, in hundredths of a pawn; `None`: it saw too
    little."""
    moves = sorted(moves, key=lambda move: _move_priority(board, move), reverse=True)
    best, worth = moves[0], None
    for depth in range(1, DEEPEST):
        values: dict[chess.Move, int] = {}
        try:
            for move in moves:
                board.push(move)
                try:
                    values[move] = -_search_value(
                        board, depth - 1, -MATE, -max(values.values(), default=-MATE), meter
                    )
                finally:
                    board.pop()
        except BudgetSpentError:
            if moves[0] not in values:
                return best, worth
            found = max(values, key=values.__getitem__)
            return found, values[found]
        moves.sort(key=values.__getitem__, reverse=True)
        best, worth = moves[0], values[moves[0]]
    return best, worth


def _search_value(board: chess.Board, depth: int, low: int, high: int, meter: SearchBudget) -> int:
    """What a position is worth to the side to move. Raises `BudgetSpentError`."""
    if not meter.try_spend():
        raise BudgetSpentError
    moves = sorted(board.legal_moves, key=lambda move: _move_priority(board, move), reverse=True)
    if not moves:
        return -MATE - depth if board.is_check() else 0
    if board.halfmove_clock >= 100 or board.is_insufficient_material():
        return 0
    if depth <= 0:  # a capture may be answered by another one
        low = max(low, _static_value(board))
        moves = [move for move in moves if board.is_capture(move)]
    for move in moves:
        if low >= high:
            break
        board.push(move)
        try:
            low = max(low, -_search_value(board, depth - 1, -high, -low, meter))
        finally:
            board.pop()
    return low


def _move_priority(board: chess.Board, move: chess.Move) -> int:
    """How much a move promises: searches look at such moves first."""
    taken = board.piece_type_at(move.to_square)
    mine = board.piece_type_at(move.from_square)
    gained = 0 if taken is None else 10 * VALUES[taken] - VALUES[mine or chess.PAWN]
    return gained + (VALUES[move.promotion] if move.promotion else 0)


def _static_value(board: chess.Board) -> int:
    """Material, and how near the middle it stands, for the side to move."""
    white = sum(_piece_worth(square, piece) for square, piece in board.piece_map().items())
    return white if board.turn else -white


def _piece_worth(square: chess.Square, piece: chess.Piece) -> int:
    file, rank = chess.square_file(square), chess.square_rank(square)
    middle = 6 - abs(2 * file - 7) // 2 - abs(2 * rank - 7) // 2
    ahead = (rank if piece.color else 7 - rank) * 4 if piece.piece_type == chess.PAWN else 0
    place = -middle if piece.piece_type == chess.KING else middle
    return (VALUES[piece.piece_type] + 4 * place + ahead) * (1 if piece.color else -1)


OWN: Final = (
    PlayerLevel("1", 150, {"errs": 0.25}),
    PlayerLevel("2", 400, {"errs": 0.05}),
    PlayerLevel("3", 2500, {"errs": 0.0}),
)
"""The levels that need no engine."""


def _make(seat: Seat, level: PlayerLevel) -> Player:
    if "elo" in level.settings:
        from boardumpire_chess.engines import EnginePlayer  # it begins a process

        return EnginePlayer(level)
    return ChessPlayer(level)


def players() -> GamePlayers:
    """The own levels and, where there is an engine, its levels above them."""
    return GamePlayers((*OWN, *engine_levels(len(OWN) + 1)), _make)
