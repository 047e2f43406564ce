"""The board as text, drawn from the JSON of a view: it can't show more than the seat may know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardrules.stratego.actions import SEATS
from boardrules.stratego.board import StrategoBoard


def board_text(json: Mapping[str, Any], board: StrategoBoard) -> str:
    """Rows from the top one down: `r` and `b` with a rank are pieces, `?` is a rank that isn't known."""
    files = "    " + "".join([f"{chr(97 + file):<4}" for file in range(board.size)])
    lines = [_heading(json), "", files.rstrip()]
    for row in range(board.size, 0, -1):
        cells = [_cell(json, board, f"{chr(97 + file)}{row}") for file in range(board.size)]
        lines.append(f"{row:>2}  " + "".join([f"{cell:<4}" for cell in cells]) + str(row))
    lines += [files.rstrip(), ""]
    for seat in SEATS:
        if json["captured"][seat]:
            lines.append(f"captured from {seat}: {' '.join(json['captured'][seat])}")
    if json["offer"] is not None:
        lines.append(f"{json['offer']['seat']} offers a {json['offer']['thing']}")
    return "\n".join(lines).rstrip()


def _heading(json: Mapping[str, Any]) -> str:
    if "outcome" in json:
        winner = json["outcome"]["winner"]
        return f"{json['game']}: {f'{winner} wins' if winner else 'a draw'}, {json['outcome']['reason']}"
    if json["phase"] == "setup":
        return f"{json['game']}: {' and '.join(json['to_act'])} to set up"
    return f"{json['game']}: turn {json['turn']}, {json['to_act'][0]} to move"


def _cell(json: Mapping[str, Any], board: StrategoBoard, name: str) -> str:
    piece = json["board"].get(name)
    if piece is not None:
        return f"{piece['seat'][0]}{piece['rank']}"
    return "~" if board.lakes >> board.squares[name] & 1 else "."
