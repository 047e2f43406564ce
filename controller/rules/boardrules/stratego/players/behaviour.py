"""What the other side's hidden pieces have done so far: who stood beside whom and stayed, fled or came.

A piece is described by numbers (`features`). `behaviour_weights` says how each of them speaks for a rank.
"""

from __future__ import annotations

from math import exp, log1p
from typing import Final

from boardrules.stratego.board import CAPTURED_SQUARE
from boardrules.stratego.facts import StrategoFacts
from boardrules.stratego.pieces import IMMOVABLE_RANKS, UNKNOWN

STAYED, FLED, CAME, STOOD = range(4)
"""Beside a piece that could attack it, it was left where it was; it went away; it came there. `STOOD` is the
first for a piece that never moved."""
_KINDS: Final = 5
"""What it was beside: a piece known as Marshal or General, as one of the middle, as a weak one or a Spy; a
hidden one that has moved; one that hasn't."""
_STRONG, _MIDDLE = 9, 5
MAX_COUNT: Final = 6
"""After so many times the same makes no difference."""
COUNTED_FEATURE_COUNT: Final = 4 * _KINDS
FEATURE_COUNT: Final = COUNTED_FEATURE_COUNT + 8
MAX_LOG_ODDS: Final = 2.5
"""How much all of it says at most for or against a rank, as a power of e."""


class Behaviour:
    """What was seen of one side in one game, from view to view."""

    def __init__(self) -> None:
        self._before: StrategoFacts | None = None
        self._counts: dict[int, list[int]] = {}
        self._moves: dict[int, int] = {}

    def observe_facts(self, facts: StrategoFacts, side: int) -> None:
        """The position has changed. `side` watches; what the other side has just done counts."""
        before, self._before = self._before, facts
        if before is None or facts.ply != before.ply + 1 or facts.side != side or facts.last_move is None:
            return
        move = facts.last_move
        for piece in range(len(facts.square_by_piece)):
            here, now = before.square_by_piece[piece], facts.square_by_piece[piece]
            if facts.owner_side(piece) == side or here == CAPTURED_SQUARE or now == CAPTURED_SQUARE:
                continue
            if facts.revealed.announced_ranks[piece] != UNKNOWN:
                continue
            if here == now:
                moved = before.reached_squares >> here & 1
                self._add_count(
                    piece, STAYED if moved else STOOD, self._neighbouring_kinds(before, here, side)
                )
            elif now == move.target_square:
                self._moves[piece] = self._moves.get(piece, 0) + 1
                old, new = (
                    self._neighbouring_kinds(before, here, side),
                    self._neighbouring_kinds(before, now, side),
                )
                self._add_count(piece, FLED, old)
                self._add_count(piece, CAME, new)

    def _add_count(self, piece: int, what: int, kinds: list[int]) -> None:
        for kind in kinds:
            self._counts.setdefault(piece, [0] * COUNTED_FEATURE_COUNT)[what * _KINDS + kind] += 1

    @staticmethod
    def _neighbouring_kinds(facts: StrategoFacts, square: int, side: int) -> list[int]:
        """Which kinds of pieces of the watching side are beside a square."""
        near = facts.rules.board.neighbours[square] & (
            facts.own_squares if facts.side == side else facts.enemy_squares
        )
        found = []
        while near:
            low = near & -near
            near ^= low
            place = low.bit_length() - 1
            rank = facts.revealed.announced_ranks[facts.piece_on(place)]
            if rank == UNKNOWN:
                found.append(3 if facts.reached_squares >> place & 1 else 4)
            elif rank not in IMMOVABLE_RANKS:
                found.append(0 if rank >= _STRONG else 1 if rank >= _MIDDLE else 2)
        return found

    def features(self, facts: StrategoFacts, piece: int, foes: range) -> list[float]:
        """A standing hidden piece in numbers of about 0 to 2."""
        place, board = facts.square_by_piece[piece], facts.rules.board
        moved = bool(facts.reached_squares >> place & 1)
        standing = [
            facts.square_by_piece[foe] for foe in foes if facts.square_by_piece[foe] != CAPTURED_SQUARE
        ]
        share = sum(facts.reached_squares >> square & 1 for square in standing) / len(standing)
        late = log1p(facts.ply) / 3
        start = facts.revealed.start_squares[piece]
        rows = abs(place // board.size - start // board.size) / board.size
        zone = board.zones[facts.owner_side(piece)].bit_count() // board.size
        row = start // board.size
        front = (row if facts.owner_side(piece) == 0 else board.size - 1 - row) / (zone - 1)
        found = [
            1.0,
            float(moved),
            0.0 if moved else late,
            0.0 if moved else 2 * share,
            0.0 if moved else front * late,
            2 * rows,
            log1p(min(self._moves.get(piece, 0), 2 * MAX_COUNT)),
            2 * share if moved else 0.0,
        ]
        counts = self._counts.get(piece)
        return found + (
            [log1p(min(count, MAX_COUNT)) for count in counts] if counts else [0.0] * COUNTED_FEATURE_COUNT
        )

    def rank_likelihoods(
        self, facts: StrategoFacts, piece: int, foes: range, weights: tuple[tuple[float, ...], ...]
    ) -> list[float]:
        """By rank how much likelier a piece that behaves so has it."""
        features = self.features(facts, piece, foes)
        used = [(number, value) for number, value in enumerate(features) if value]
        return [
            exp(max(-MAX_LOG_ODDS, min(MAX_LOG_ODDS, sum([row[number] * value for number, value in used]))))
            if row
            else 1.0
            for row in weights
        ]
