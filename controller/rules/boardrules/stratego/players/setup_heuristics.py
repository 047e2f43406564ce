"""What makes a set-up a foolish one, as club players see it: no rule, only sense.

A zone has as many rows as the board gives a side; row 0 is the one at the player's own edge.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from boardrules.core import Seat
from boardrules.stratego.actions import SEATS
from boardrules.stratego.pieces import BOMB, FLAG, IMMOVABLE_RANKS, MARSHAL, MINER, RANK_BY_SIGN, SCOUT, SPY
from boardrules.stratego.rules import StrategoRules

_GENERAL: Final = 9
_SPREAD_RANKS: Final = (SCOUT, MINER)
"""Ranks of which a player wants some early and some late."""


class SetupZone:
    """Where one side of a game sets up, with the army that it has."""

    def __init__(self, rules: StrategoRules, seat: Seat) -> None:
        board = self.board = rules.board
        self.side, self._counts = (
            SEATS.index(seat),
            {rank: rules.sorted_ranks.count(rank) for rank in RANK_BY_SIGN.values()},
        )
        self.front_row = board.zones[self.side].bit_count() // board.size - 1
        """The row that meets the enemy first."""
        self._ahead = -board.size if self.side else board.size

    def row_of(self, square: int) -> int:
        """Its row, counted from the player's own edge."""
        row = square // self.board.size
        return self.board.size - 1 - row if self.side else row

    def is_sensible(self, rank: int, square: int) -> bool:
        """Whether such a piece makes any sense there, wherever the others are."""
        row = self.row_of(square)
        if rank in (MARSHAL, _GENERAL):
            return row > 0
        early = rank in (FLAG, SPY) or (rank == BOMB and self.max_front_bombs == 0)
        return row < self.front_row or not (early or (rank == MINER and self._counts[MINER] == 1))

    @property
    def max_front_bombs(self) -> int:
        """How many Bombs may stand in the front row: a third of them."""
        return self._counts[BOMB] // 3

    def find_follies(self, setup: Mapping[str, str]) -> tuple[str, ...]:
        """What is foolish about a whole set-up (square -> rank), a word each; nothing if it will do."""
        at = {self.board.squares[square]: RANK_BY_SIGN[rank] for square, rank in setup.items()}
        return tuple(self._each_folly(at))

    def _each_folly(self, at: Mapping[int, int]) -> Iterator[str]:
        flag = next(square for square, rank in at.items() if rank == FLAG)
        if any(not self.is_sensible(rank, square) for square, rank in at.items()):
            yield "misplaced"
        if not any(square in at for square in self._squares_ahead(flag)):
            yield "flag in a Scout's sight"
        if not any(self.board.neighbours[flag] >> square & 1 for square in at):
            yield "flag alone"
        if self._has_walled_piece(at):
            yield "walled in"
        bombs = sorted(
            square for square, rank in at.items() if rank == BOMB and self.row_of(square) == self.front_row
        )
        if len(bombs) > self.max_front_bombs or any(b - a == 1 for a, b in itertools.pairwise(bombs)):
            yield "bombs in front"
        for rank in _SPREAD_RANKS:
            if not self._is_spread([self.row_of(square) for square, found in at.items() if found == rank]):
                yield f"all of {rank} together"
        if self._is_one_sided(at):
            yield "one side bare"

    def _squares_ahead(self, square: int) -> range:
        """The squares from there to the enemy's edge."""
        end = len(self.board.names) if self._ahead > 0 else -1
        return range(square + self._ahead, end, self._ahead)

    def _has_walled_piece(self, at: Mapping[int, int]) -> bool:
        """Whether a piece that moves can never come out, however the others make way for it."""
        walls = sum(1 << square for square, rank in at.items() if rank in IMMOVABLE_RANKS)
        free = (1 << len(self.board.names)) - 1 & ~walls & ~self.board.lakes
        reached = free & ~self.board.zones[self.side]
        new = reached
        while new:
            beside = 0
            for square, mask in enumerate(self.board.neighbours):
                if new >> square & 1:
                    beside |= mask
            new = beside & free & ~reached
            reached |= new
        return any(rank not in IMMOVABLE_RANKS and not reached >> square & 1 for square, rank in at.items())

    def _is_spread(self, rows: Sequence[int]) -> bool:
        """Whether some of these pieces are early and some late: of eight at least two in either half."""
        early = sum(2 * row > self.front_row for row in rows)
        least = len(rows) // 4
        return len(rows) < 2 or (
            any(row < self.front_row for row in rows)
            and any(row > 0 for row in rows)
            and least <= early <= len(rows) - least
        )

    def _is_one_sided(self, at: Mapping[int, int]) -> bool:
        """Whether hardly any piece that moves is left or right of the middle, or no strong one."""
        size = self.board.size
        moving = {square: rank for square, rank in at.items() if rank not in IMMOVABLE_RANKS}
        left = [square for square in moving if 2 * (square % size) < size]
        strongest = sorted(moving, key=lambda square: -moving[square])[: max(2, len(moving) // 5)]
        few = 4 * min(len(left), len(moving) - len(left)) < len(moving)
        return few or (len(moving) > size and len({square in left for square in strongest}) < 2)
