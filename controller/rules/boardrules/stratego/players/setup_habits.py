"""Where people like to stand which piece, on any board: the learnt table, brought onto its zone."""

from __future__ import annotations

from typing import Final

from boardrules.stratego.board import StrategoBoard
from boardrules.stratego.pieces import BOMB, RANKS
from boardrules.stratego.players.setup_counts import BESIDE_FLAG, SQUARES

_ROWS, _EDGES = 4, 5
Habit = tuple[tuple[float, ...], ...]
"""By rank and square how likely people stand it there; nothing outside the zone."""
_made: Final[dict[tuple[str, int], Habit]] = {}


def habit(board: StrategoBoard, side: int) -> Habit:
    """How a side's army stands."""
    key = board.name, side
    if key not in _made:
        _made[key] = _habit(board, side)
    return _made[key]


def _habit(board: StrategoBoard, side: int) -> Habit:
    size, zone = board.size, board.zones[side]
    rows = zone.bit_count() // size
    found: list[tuple[float, ...]] = [()] * (len(RANKS) + 1)
    for sign, rank in RANKS.items():
        table = SQUARES[sign]
        weights = [0.0] * (size * size)
        for square in range(size * size):
            if zone >> square & 1:
                y, x = divmod(square, size)
                row, edge = (size - 1 - y if side else y), min(x, size - 1 - x)
                weights[square] = _read(table, row, rows, edge, size // 2)
        found[rank] = tuple(weights)
    return tuple(found)


def _read(table: tuple[tuple[int, ...], ...], row: int, rows: int, edge: int, edges: int) -> float:
    """What the table says of a square: the back row and the edge stay what they are; where the board is
    smaller, its innermost square stands for two."""
    wanted = range(row, row + 1) if row < rows - 1 else range(row, _ROWS)
    across = range(edge, edge + 1) if edge < edges - 1 else range(edge, _EDGES)
    cells = [table[y][x] for y in wanted for x in across]
    return sum(cells) / len(cells) + 1.0


def near_flag(board: StrategoBoard, flag: int, square: int, rank: int) -> float:
    """How much likelier a piece stands on a square as the flag is where it is."""
    return BESIDE_FLAG if rank == BOMB and board.beside[flag] >> square & 1 else 1.0
