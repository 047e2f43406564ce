"""Looks some moves ahead in one guess of the other army, where everything is known.

Legality at the root is the rules core's; further down repetition is left aside. It is written for speed in
plain Python: lists, no objects, and the last move ahead is weighed without being made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardrules.players import SearchBudget
from boardrules.stratego.actions import StrategoMove
from boardrules.stratego.board import CAPTURED
from boardrules.stratego.facts import StrategoFacts
from boardrules.stratego.pieces import BOMB, FLAG, SCOUT
from boardrules.stratego.players.piece_values import PieceValues

WIN_WORTH: Final = 1000.0
DELAY_COST: Final = 5.0
Way = tuple[int, int, int, int]
"""A move ahead: the piece, from, to, and whom it attacks (-1: nobody)."""
Look = tuple[float, Way]
"""The same with what it gains at once. Plain rows, as most of what a search makes are these."""
_STANDS: Final = {"attacker": 1, "both": 0, "defender": -1}


class OutOfBudgetError(Exception):
    """The meter has nothing left; what was begun counts for nothing."""


class GuessSearch:
    """One guess, and what may be done in it."""

    def __init__(
        self, facts: StrategoFacts, ranks: bytearray, worth: PieceValues, budget: SearchBudget | None
    ) -> None:
        board = facts.rules.board
        self._arms, self._ranks, self._worth, self._meter = board.arms, ranks, worth, budget
        self._place = [-1 if place == CAPTURED else place for place in facts.places]
        self._on = [-1] * len(board.names)
        for piece, place in enumerate(self._place):
            if place >= 0:
                self._on[place] = piece
        self._owner = [facts.owner(piece) for piece in range(len(ranks))]
        self._movers = [
            [
                piece
                for piece, place in enumerate(self._place)
                if place >= 0 and self._owner[piece] == side and ranks[piece] not in (BOMB, FLAG)
            ]
            for side in (0, 1)
        ]
        self._stands = [[_STANDS[result] for result in row] for row in facts.rules.battles]

    def root(self, moves: Sequence[StrategoMove], side: int, depth: int) -> list[float]:
        """What each of these moves comes to for the side, so many moves deep. Raises `OutOfBudgetError`."""
        self._spend(len(moves))
        found = []
        for move in moves:
            piece, target = self._on[move.at], self._on[move.to]
            look = self._look(piece, move.at, move.to, target)
            if depth == 1 or (target >= 0 and self._ranks[target] == FLAG):
                found.append(look[0])
            else:
                self._make(look[1])
                found.append(look[0] - self._best(1 - side, depth - 1, -2 * WIN_WORTH, 2 * WIN_WORTH))
                self._unmake(look[1])
        return found

    def _best(self, side: int, depth: int, alpha: float, beta: float) -> float:
        """What the side to move gets at best from here on."""
        looks = self._looks(side)
        self._spend(len(looks))
        if not looks:
            return -WIN_WORTH
        if depth == 1:
            return max(looks)[0]
        looks.sort(reverse=True)
        best = -2 * WIN_WORTH
        for look in looks:
            gain = look[0]
            if gain >= WIN_WORTH / 2:
                return gain
            self._make(look[1])
            value = gain - self._best(1 - side, depth - 1, gain - beta, gain - max(alpha, best))
            self._unmake(look[1])
            if value > best:
                best = value
                if best >= beta:
                    return best
        return best * (1 - DELAY_COST / WIN_WORTH) if best > WIN_WORTH / 2 else best

    def _spend(self, count: int) -> None:
        if self._meter is not None and not self._meter.spend(count):
            raise OutOfBudgetError

    def _looks(self, side: int) -> list[Look]:
        """Every move of a side."""
        found: list[Look] = []
        place, on, arms, owner = self._place, self._on, self._arms, self._owner
        squares, ranks = self._worth.squares, self._ranks
        for piece in self._movers[side]:
            at = place[piece]
            if at < 0:
                continue
            worth = squares[piece]
            here = worth[at]
            scout = ranks[piece] == SCOUT
            for arm in arms[at]:
                for to in arm:
                    target = on[to]
                    if target < 0:
                        found.append((worth[to] - here, (piece, at, to, -1)))
                        if scout:
                            continue
                    elif owner[target] != side:
                        found.append(self._look(piece, at, to, target))
                    break
        return found

    def _look(self, piece: int, at: int, to: int, target: int) -> Look:
        worth = self._worth
        here, there = worth.squares[piece][at], worth.squares[piece][to]
        if target < 0:
            return there - here, (piece, at, to, -1)
        stands = self._stands[self._ranks[piece]][self._ranks[target]]
        if self._ranks[target] == FLAG:
            return WIN_WORTH, (piece, at, to, target)
        if stands > 0:
            gain = worth.value[target] + worth.squares[target][to] + there - here - worth.secret[piece]
        elif stands < 0:
            gain = worth.secret[target] - worth.value[piece] - here
        else:
            gain = worth.value[target] + worth.squares[target][to] - worth.value[piece] - here
        return gain, (piece, at, to, target)

    def _make(self, way: Way) -> None:
        piece, at, to, target = way
        stands = 1 if target < 0 else self._stands[self._ranks[piece]][self._ranks[target]]
        self._on[at] = -1
        if stands > 0:
            self._on[to] = piece
            self._place[piece] = to
        else:
            self._place[piece] = -1
        if target >= 0 and stands >= 0:
            self._place[target] = -1
            if stands == 0:
                self._on[to] = -1

    def _unmake(self, way: Way) -> None:
        piece, at, to, target = way
        self._place[piece] = at
        self._on[at] = piece
        self._on[to] = target
        if target >= 0:
            self._place[target] = to
