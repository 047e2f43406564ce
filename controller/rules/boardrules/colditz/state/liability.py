"""Who can be arrested, and who is exempt from Appel and search (1.7, 1.8)."""

from __future__ import annotations

from boardrules.colditz.castle.board import OUTSIDE
from boardrules.colditz.state.facts import ReadablePosition


def is_liable(position: ReadablePosition, pawn: int) -> bool:
    """Whether a guard that gets to him may arrest the man `pawn` (R081 to R085)."""
    grid, node = position.rules.board, position.node_by_pawn[pawn]
    here = 1 << node
    if here & (grid.safe | grid.appel):  # R077, A5
        return False
    if here & grid.in_tunnels and position.table.tunnels[grid.tunnel_of[node]] < 2:  # R084
        return False
    if position.table.immune_men >> pawn & 1:  # R085
        return False
    return bool(
        grid.area[node]  # R082
        or here & grid.posts  # R082, R089
        or position.turn.refusers >> pawn & 1  # R083
        or position.table.equipment_counts[position.rules.owner[pawn]]  # R081
    )


def may_refuse(position: ReadablePosition, pawn: int) -> bool:
    """Whether the officer of this man may refuse an Appel for him (R071, R072, R075 to R077)."""
    grid, node = position.rules.board, position.node_by_pawn[pawn]
    if node >= grid.node_count:
        return False
    return not 1 << node & (grid.outside | grid.in_tunnels | grid.safe | grid.appel)


def is_in_appel_area(position: ReadablePosition, pawn: int) -> bool:
    """Whether this man stands in the Appel area and so always obeys (R071)."""
    return bool(1 << position.node_by_pawn[pawn] & position.rules.board.appel)


def is_searched(position: ReadablePosition, pawn: int) -> bool:
    """Whether a General Search can find this man at all (R074)."""
    return may_refuse(position, pawn) and not position.table.immune_men >> pawn & 1


def are_men_outside(position: ReadablePosition) -> bool:
    """Whether a prisoner is Outside (R144)."""
    grid = position.rules.board
    return any(
        position.node_by_pawn[pawn] < grid.node_count and grid.area[position.node_by_pawn[pawn]] == OUTSIDE
        for side in position.rules.officers
        for pawn in position.rules.pawns[side]
    )
