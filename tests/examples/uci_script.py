"""A chess engine of a few lines: it plays the first legal move by its text, and thinks `+0.7` of each.

It writes down what it is told.

Its arguments: the file for that, and what is wrong with it: `ends` (at once), `dies` (at its first move)
or nothing.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import chess

ANSWERS = """id name Script
option name UCI_LimitStrength type check default false
option name UCI_Elo type spin default 1500 min 1400 max 2000
uciok"""


def main(told: Path, wrong: str = "") -> None:
    board = chess.Board()
    told.write_text(f"pid {os.getpid()}\n")
    if wrong == "ends":
        return
    for line in sys.stdin:
        with told.open("a") as file:
            file.write(line)
        match line.split():
            case ["uci"]:
                print(ANSWERS)
            case ["isready"]:
                print("readyok")
            case ["position", "startpos", *moves]:
                board = chess.Board()
                for move in moves[1:]:
                    board.push_uci(move)
            case ["position", "fen", *words]:
                board = chess.Board(" ".join(words[:6]))
                for move in words[7:]:
                    board.push_uci(move)
            case ["go", *words]:
                if wrong == "dies":
                    return
                only = words[words.index("searchmoves") + 1 :] if "searchmoves" in words else []
                print("info depth 1 score cp 70")
                may = sorted(move.uci() for move in board.legal_moves)
                print("bestmove", next(move for move in may if not only or move in only))
            case ["quit"]:
                return
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
