"""A player that asks a chess engine over UCI, by python-chess. The engine is a process of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.polyglot

from boardrules.core import Action
from boardrules.players import Chance, Player, PlayerLevel, SearchBudget
from boardumpire_chess.engine_levels import BOOK_VARIABLE, ELO_BY_LEVEL, find_book, find_engine
from boardumpire_chess.players import begin_action
from boardumpire_chess.scores import score_text

MEMORY_MB = 16
"""For its table of positions: a Pi has other things to do."""
REPLY_TIMEOUT_S = 10.0
"""So long an engine may take to begin, and longer than its move may take to answer."""


class EngineError(RuntimeError):
    """The engine can't play: which one, and why."""


class Book:
    """An opening book in the format of Polyglot."""

    __slots__ = ("_path", "_reader")

    def __init__(self, path: Path) -> None:
        """Raises `EngineError` for what is no book."""
        self._path = path
        try:
            size = path.stat().st_size
            if size == 0 or size % chess.polyglot.ENTRY_STRUCT.size:
                expected = (
                    f"a Polyglot book, whose entries have {chess.polyglot.ENTRY_STRUCT.size} bytes each"
                )
                raise EngineError(f"{BOOK_VARIABLE}={path}: found {size} bytes; expected {expected}")
            self._reader = chess.polyglot.open_reader(path)
        except OSError as error:
            raise EngineError(f"{BOOK_VARIABLE}={path}: {error.strerror}; expected a Polyglot book") from None

    def move(self, board: chess.Board, chance: Chance) -> chess.Move | None:
        """A move that it has for a position, as often as it says; `None` where it has none."""
        entries = [] if board.chess960 else list(self._reader.find_all(board))
        left = chance.randrange(max(1, sum(entry.weight for entry in entries)))
        for entry in entries:
            left -= entry.weight
            if left < 0:
                return entry.move
        return None

    def close(self) -> None:
        """Close its file."""
        self._reader.close()


class EnginePlayer(Player):
    """Plays what an engine says, at the strength of a level.

    The engine ends with this player: it reads the end of its input, also where the player is killed.
    """

    __slots__ = ("_assessment", "_becomes", "_book", "_engine", "_level", "_path")

    def __init__(self, level: PlayerLevel) -> None:
        """Begin the engine. Raises `EngineError`."""
        path = find_engine()
        if path is None:
            raise EngineError("there is no chess engine; try `sudo apt install stockfish`")
        self._path, self._level, self._assessment = path, level, ""
        book = find_book()
        self._book = None if book is None else Book(book)
        self._becomes: chess.Move | None = None
        """The move of a pawn that it has chosen last, with what the pawn becomes."""
        try:
            self._engine = chess.engine.SimpleEngine.popen_uci(str(path), timeout=REPLY_TIMEOUT_S)
            self._engine.configure(self._engine_options())
        except (chess.engine.EngineError, OSError, TimeoutError) as error:
            raise EngineError(
                f"{path}: {str(error) or 'no answer'}; expected an engine that speaks UCI"
            ) from None

    def _engine_options(self) -> dict[str, str | int | bool | None]:
        """What the engine is told, as far as it has such options."""
        elo, known = int(self._level.settings["elo"]), self._engine.options
        told: dict[str, str | int | bool | None] = {"Threads": 1, "Hash": MEMORY_MB}
        if elo < ELO_BY_LEVEL[-1] and "UCI_Elo" in known:
            low, high = known["UCI_Elo"].min or elo, known["UCI_Elo"].max or elo
            told |= {"UCI_LimitStrength": True, "UCI_Elo": min(max(elo, low), high)}
        elif elo < ELO_BY_LEVEL[-1] and "Skill Level" in known:
            most = known["Skill Level"].max or 20
            told["Skill Level"] = most * ELO_BY_LEVEL.index(elo) // len(ELO_BY_LEVEL)
        return {name: value for name, value in told.items() if name in known}

    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, meter: SearchBudget) -> Action:
        """The engine's move; of a pawn that has reached its last rank, what it becomes."""
        facts = view.json()
        if facts["arranging"]:
            return begin_action(legal)
        board = chess.Board(facts["fen"], chess960=facts["chess960"])
        reached = facts["reached"]
        kept = self._becomes
        same = kept is not None and reached is not None and _move_of_squares(kept, reached)
        if same and kept is not None and kept.promotion is not None and kept in board.legal_moves:
            return _legal_action_of(legal, chess.piece_name(kept.promotion))
        moves = (
            [move for move in board.legal_moves if _move_of_squares(move, reached)]
            if reached is not None
            else None
        )
        limit = chess.engine.Limit(nodes=max(1, meter.remaining), time=self._level.seconds)
        found = None if self._book is None or reached is not None else self._book.move(board, chance)
        self._assessment = ""
        try:
            if found is None:
                played = self._engine.play(board, limit, root_moves=moves, info=chess.engine.INFO_SCORE)
                found, self._assessment = played.move, _score_text(played, board.turn)
        except (chess.engine.EngineError, TimeoutError) as error:
            raise EngineError(f"{self._path}: {str(error) or 'no answer'}") from None
        if found is None:
            raise EngineError(f"{self._path}: no move for {facts['fen']}; expected one")
        self._becomes = found if found.promotion is not None else None
        if reached is not None and found.promotion is not None:
            return _legal_action_of(legal, chess.piece_name(found.promotion))
        return _legal_action_of(
            legal, f"{chess.square_name(found.from_square)}-{chess.square_name(found.to_square)}"
        )

    def assessment(self) -> str:
        """The engine's score; nothing for a move of the book."""
        return self._assessment

    def close(self) -> None:
        """End the engine."""
        if self._book is not None:
            self._book.close()
        with contextlib.suppress(chess.engine.EngineError, TimeoutError):
            self._engine.quit()
        self._engine.close()


def _score_text(played: chess.engine.PlayResult, side: chess.Color) -> str:
    score = played.info.get("score")
    return "" if score is None else score_text(score.pov(side).score(), score.pov(side).mate())


def _legal_action_of(legal: Sequence[Action], text: str) -> Action:
    return next(action for action in legal if str(action) == text)


def _move_of_squares(move: chess.Move, square: str) -> bool:
    """Whether a pawn comes to its last rank there."""
    return move.promotion is not None and chess.square_name(move.to_square) == square
