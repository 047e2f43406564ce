"""Which chess engine plays, and at which levels: a program that speaks UCI, such as Stockfish."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from boardrules.players import PlayerLevel

VARIABLE: Final = "BOARDUMPIRE_CHESS_ENGINE"
"""The environment variable that names the engine; empty: none plays."""
KNOWN: Final = ("stockfish", "/usr/games/stockfish", "/usr/local/bin/stockfish")
"""What is looked for where it names none. Debian has games in a folder of their own."""
ELOS: Final = (1350, 1500, 1700, 1900, 2100, 2400, 2850)
"""The strengths of the levels by the engine's own scale; the last plays as well as it can.

Stockfish's scale is from 1350 to 2850 (its option UCI_Elo in release 15).
"""
NODES: Final = 400_000
"""Positions that it looks at for one move: about a second on a Raspberry Pi 4 (an estimate)."""


def engine() -> Path | None:
    """The engine that plays; `None` if there is none."""
    named = os.environ.get(VARIABLE)
    for name in KNOWN if named is None else (named,):
        found = shutil.which(name) if name else None
        if found is not None:
            return Path(found)
    return None


def levels(first: int) -> tuple[PlayerLevel, ...]:
    """Its levels, numbered from `first` on; none where there is no engine."""
    if engine() is None:
        return ()
    return tuple(PlayerLevel(str(first + at), NODES, {"elo": elo}) for at, elo in enumerate(ELOS))
