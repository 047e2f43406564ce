"""Where people like to stand which piece, on any board: the learnt table, brought onto its zone."""

from __future__ import annotations

from typing import Final

from boardrules.stratego.board import StrategoBoard
from boardrules.stratego.pieces import BOMB, RANK_BY_SIGN
from boardrules.stratego.players.setup_counts import BOMB_BESIDE_FLAG_FACTOR, COUNTS_BY_RANK

_TABLE_ROWS, _TABLE_FILES = 4, 5
PlacementWeights = tuple[tuple[float, ...], ...]
"""By rank and square how likely people stand it there; nothing outside the zone."""
_weights_by_board: Final[dict[tuple[str, int], PlacementWeights]] = {}


def placement_weights(board: StrategoBoard, side: int) -> PlacementWeights:
    """How a side's army stands."""
    key = board.name, side
    if key not in _weights_by_board:
        _weights_by_board[key] = _compute_weights(board, side)
    return _weights_by_board[key]


def _compute_weights(board: StrategoBoard, side: int) -> PlacementWeights:
    size, zone = board.size, board.zones[side]
    rows = zone.bit_count() // size
    found: list[tuple[float, ...]] = [()] * (len(RANK_BY_SIGN) + 1)
    for sign, rank in RANK_BY_SIGN.items():
        table = COUNTS_BY_RANK[sign]
        weights = [0.0] * (size * size)
        for square in range(size * size):
            if zone >> square & 1:
                y, x = divmod(square, size)
                row, edge = (size - 1 - y if side else y), min(x, size - 1 - x)
                weights[square] = _table_count(table, row, rows, edge, size // 2)
        found[rank] = tuple(weights)
    return tuple(found)


def _table_count(table: tuple[tuple[int, ...], ...], row: int, rows: int, edge: int, edges: int) -> float:
    """What the table says of a square: the back row and the edge stay what they are; where the board is
    smaller, its innermost square stands for two."""
    wanted = range(row, row + 1) if row < rows - 1 else range(row, _TABLE_ROWS)
    across = range(edge, edge + 1) if edge < edges - 1 else range(edge, _TABLE_FILES)
    cells = [table[y][x] for y in wanted for x in across]
    return sum(cells) / len(cells) + 1.0


def flag_neighbour_factor(board: StrategoBoard, flag: int, square: int, rank: int) -> float:
    """How much likelier a piece stands on a square as the flag is where it is."""
    return BOMB_BESIDE_FLAG_FACTOR if rank == BOMB and board.neighbours[flag] >> square & 1 else 1.0
