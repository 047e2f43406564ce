"""Looks some moves ahead in one guess of the other army, where everything is known.

Legality at the root is the rules core's; further down repetition is left aside. It is written for speed in
plain Python: lists, no objects, and the last move ahead is weighed without being made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardrules.players import SearchBudget
from boardrules.stratego.actions import StrategoMove
from boardrules.stratego.board import CAPTURED_SQUARE
from boardrules.stratego.facts import StrategoFacts
from boardrules.stratego.pieces import BOMB, FLAG, SCOUT
from boardrules.stratego.players.hidden_battles import NOT_HIDDEN, HiddenGains, without_pieces
from boardrules.stratego.players.piece_values import PieceValues

WIN_WORTH: Final = 300.0
"""What a Flag is worth: a classic army. Were it more, the Marshal would go for any piece that may be one."""
DELAY_COST: Final = 5.0
HIDDEN_STEP_SHARE: Final = 0.5
"""How much it counts to come to the square of a hidden piece: who attacks it may fall."""
SearchMove = tuple[int, int, int, int]
"""A move ahead: the piece, from, to, and whom it attacks (-1: nobody)."""
ScoredMove = tuple[float, SearchMove]
"""The same with what it gains at once. Plain rows, as most of what a search makes are these."""
_SURVIVOR_SIGNS: Final = {"attacker": 1, "both": 0, "defender": -1}


class OutOfBudgetError(Exception):
    """The meter has nothing left; what was begun counts for nothing."""


class GuessSearch:
    """One guess, and what may be done in it."""

    def __init__(
        self,
        facts: StrategoFacts,
        ranks: bytearray,
        worth: PieceValues,
        budget: SearchBudget | None,
        hidden: HiddenGains | None = None,
    ) -> None:
        """`hidden`: what attacks on hidden pieces bring after the first move; without it, what the guess
        says."""
        board = facts.rules.board
        self._arms, self._ranks, self._worth, self._meter = board.squares_by_direction, ranks, worth, budget
        self._place = [-1 if place == CAPTURED_SQUARE else place for place in facts.square_by_piece]
        self._on = [-1] * len(board.names)
        for piece, place in enumerate(self._place):
            if place >= 0:
                self._on[place] = piece
        self._owner = [facts.owner_side(piece) for piece in range(len(ranks))]
        self._movers = [
            [
                piece
                for piece, place in enumerate(self._place)
                if place >= 0 and self._owner[piece] == side and ranks[piece] not in (BOMB, FLAG)
            ]
            for side in (0, 1)
        ]
        self._hidden = hidden
        self._stands = [[_SURVIVOR_SIGNS[result] for result in row] for row in facts.rules.battle_table]

    def root_values(self, moves: Sequence[StrategoMove], side: int, depth: int) -> list[float]:
        """What each of these moves comes to for the side, so many moves deep. Raises `OutOfBudgetError`."""
        self._spend_budget(len(moves))
        found = []
        for move in moves:
            piece, target = self._on[move.origin_square], self._on[move.target_square]
            look = self._score_move(piece, move.origin_square, move.target_square, target)
            if depth == 1 or (target >= 0 and self._ranks[target] == FLAG):
                found.append(look[0])
            else:
                before = self._hidden
                if target >= 0 and before is not None:
                    self._hidden = without_pieces(before, (piece, target))
                self._make_move(look[1])
                found.append(look[0] - self._best_value(1 - side, depth - 1, -2 * WIN_WORTH, 2 * WIN_WORTH))
                self._unmake_move(look[1])
                self._hidden = before
        return found

    def _best_value(self, side: int, depth: int, alpha: float, beta: float) -> float:
        """What the side to move gets at best from here on."""
        looks = self._scored_moves(side)
        self._spend_budget(len(looks))
        if not looks:
            return -WIN_WORTH
        looks.sort(reverse=True)
        if depth == 1:
            return self._quiet_value(looks, side)
        best = -2 * WIN_WORTH
        for look in looks:
            gain = look[0]
            if gain >= WIN_WORTH / 2:
                return gain
            self._make_move(look[1])
            value = gain - self._best_value(1 - side, depth - 1, gain - beta, gain - max(alpha, best))
            self._unmake_move(look[1])
            if value > best:
                best = value
                if best >= beta:
                    return best
        return best * (1 - DELAY_COST / WIN_WORTH) if best > WIN_WORTH / 2 else best

    def _quiet_value(self, looks: list[ScoredMove], side: int) -> float:
        """The best of these (the highest gain first) once whoever took a piece may be taken on its square."""
        best = -2 * WIN_WORTH
        for gain, way in looks:
            if gain <= best or gain >= WIN_WORTH / 2:
                return max(gain, best)
            taken = way[3] >= 0 and self._stands[self._ranks[way[0]]][self._ranks[way[3]]] > 0
            best = max(best, gain - self._recapture_gain(way, 1 - side) if taken else gain)
        return best

    def _recapture_gain(self, way: SearchMove, side: int) -> float:
        """What a side gains by taking the piece that this way brings to its square; a Scout's long way is
        left aside."""
        piece, _, to, _ = way
        ranks, prize, most = self._ranks, self._worth.piece_values[piece], 0.0
        for arm in self._arms[to]:
            if arm:
                other = self._on[arm[0]]
                if other >= 0 and self._owner[other] == side and ranks[other] not in (BOMB, FLAG):
                    stands = self._stands[ranks[other]][ranks[piece]]
                    if stands >= 0:
                        own = self._worth.piece_values if stands == 0 else self._worth.secrecy_values
                        most = max(most, prize - own[other])
        return most

    def _spend_budget(self, count: int) -> None:
        if self._meter is not None and not self._meter.try_spend(count):
            raise OutOfBudgetError

    def _scored_moves(self, side: int) -> list[ScoredMove]:
        """Every move of a side."""
        found: list[ScoredMove] = []
        place, on, arms, owner = self._place, self._on, self._arms, self._owner
        squares, told, ranks = self._worth.square_values, self._worth.secrecy_values, self._ranks
        for piece in self._movers[side]:
            at = place[piece]
            if at < 0:
                continue
            worth = squares[piece]
            here = worth[at]
            scout = ranks[piece] == SCOUT
            gains = self._hidden[ranks[piece]] if self._hidden is not None else None
            for arm in arms[at]:
                for to in arm:
                    target = on[to]
                    if target < 0:
                        found.append((worth[to] - here, (piece, at, to, -1)))
                        if scout:
                            continue
                    elif owner[target] != side:
                        gain = gains[target] if gains is not None else NOT_HIDDEN
                        if gain != NOT_HIDDEN:
                            gain += HIDDEN_STEP_SHARE * (worth[to] - here) - told[piece]
                            found.append((gain, (piece, at, to, target)))
                            break
                        found.append(self._score_move(piece, at, to, target))
                    break
        return found

    def _score_move(self, piece: int, at: int, to: int, target: int) -> ScoredMove:
        worth = self._worth
        here, there = worth.square_values[piece][at], worth.square_values[piece][to]
        if target < 0:
            return there - here, (piece, at, to, -1)
        stands = self._stands[self._ranks[piece]][self._ranks[target]]
        if self._ranks[target] == FLAG:
            return WIN_WORTH, (piece, at, to, target)
        if stands > 0:
            gain = (
                worth.piece_values[target]
                + worth.square_values[target][to]
                + there
                - here
                - worth.secrecy_values[piece]
            )
        elif stands < 0:
            gain = worth.secrecy_values[target] - worth.piece_values[piece] - here
        else:
            gain = (
                worth.piece_values[target]
                + worth.square_values[target][to]
                - worth.piece_values[piece]
                - here
            )
        return gain, (piece, at, to, target)

    def _make_move(self, way: SearchMove) -> None:
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

    def _unmake_move(self, way: SearchMove) -> None:
        piece, at, to, target = way
        self._place[piece] = at
        self._on[at] = piece
        self._on[to] = target
        if target >= 0:
            self._place[target] = to
