"""Which chess engine plays, and at which levels: a program that speaks UCI, such as Stockfish."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from boardrules.players import PlayerLevel

ENGINE_VARIABLE: Final = "BOARDUMPIRE_CHESS_ENGINE"
"""The environment variable that names the engine; empty: none plays."""
BOOK_VARIABLE: Final = "BOARDUMPIRE_CHESS_BOOK"
"""The environment variable that names an opening book in the format of Polyglot, by which engines begin."""
KNOWN_ENGINES: Final = ("stockfish", "/usr/games/stockfish", "/usr/local/bin/stockfish")
"""What is looked for where it names none. Debian has games in a folder of their own."""
ELO_BY_LEVEL: Final = (1350, 1500, 1700, 1900, 2100, 2400, 2850)
"""The strengths of the levels by the engine's own scale; the last plays as well as it can.

Stockfish's scale is from 1350 to 2850 (its option UCI_Elo in release 15).
"""
NODE_LIMIT: Final = 400_000
"""Positions that it looks at for one move: about a second on a Raspberry Pi 4 (an estimate)."""


def find_engine() -> Path | None:
    """The engine that plays; `None` if there is none."""
    named = os.environ.get(ENGINE_VARIABLE)
    for name in KNOWN_ENGINES if named is None else (named,):
        found = shutil.which(name) if name else None
        if found is not None:
            return Path(found)
    return None


def find_book() -> Path | None:
    """The opening book; `None` if none is named."""
    named = os.environ.get(BOOK_VARIABLE)
    return Path(named) if named else None


def engine_levels(first: int) -> tuple[PlayerLevel, ...]:
    """Its levels, numbered from `first` on; none where there is no engine."""
    if find_engine() is None:
        return ()
    return tuple(
        PlayerLevel(str(first + at), NODE_LIMIT, {"elo": elo}) for at, elo in enumerate(ELO_BY_LEVEL)
    )
