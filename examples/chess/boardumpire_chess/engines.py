"""A player that asks a chess engine over UCI, by python-chess. The engine is a process of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import chess
import chess.engine

from boardrules.core import Action
from boardrules.players import Chance, Player, PlayerLevel, SearchBudget
from boardumpire_chess.engine_levels import ELO_BY_LEVEL, find_engine

MEMORY_MB = 16
"""For its table of positions: a Pi has other things to do."""
REPLY_TIMEOUT_S = 10.0
"""So long an engine may take to begin, and longer than its move may take to answer."""


class EngineError(RuntimeError):
    """The engine can't play: which one, and why."""


class EnginePlayer(Player):
    """Plays what an engine says, at the strength of a level.

    The engine ends with this player: it reads the end of its input, also where the player is killed.
    """

    __slots__ = ("_becomes", "_engine", "_level", "_path")

    def __init__(self, level: PlayerLevel) -> None:
        """Begin the engine. Raises `EngineError`."""
        path = find_engine()
        if path is None:
            raise EngineError("there is no chess engine; try `sudo apt install stockfish`")
        self._path, self._level = path, level
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
        try:
            found = self._engine.play(board, limit, root_moves=moves).move
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

    def close(self) -> None:
        """End the engine."""
        with contextlib.suppress(chess.engine.EngineError, TimeoutError):
            self._engine.quit()
        self._engine.close()


def _legal_action_of(legal: Sequence[Action], text: str) -> Action:
    return next(action for action in legal if str(action) == text)


def _move_of_squares(move: chess.Move, square: str) -> bool:
    """Whether a pawn comes to its last rank there."""
    return move.promotion is not None and chess.square_name(move.to_square) == square
