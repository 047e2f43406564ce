"""Games played on from a guess by a quick policy, in which each side knows only what it was told.

A search of a few moves sees no plan. Whoever plays a guess on with each of its best moves sees where they
lead: a piece that is walked into hidden ones, a Flag that is left alone.
"""

from __future__ import annotations

from math import tanh
from typing import Final

from boardrules.players import Chance
from boardrules.stratego.actions import StrategoMove
from boardrules.stratego.board import CAPTURED_SQUARE
from boardrules.stratego.facts import StrategoFacts
from boardrules.stratego.pieces import BOMB, FLAG, IMMOVABLE_RANKS, SCOUT, UNKNOWN
from boardrules.stratego.players.hidden_battles import WINNING_LEAD
from boardrules.stratego.players.piece_values import RANK_WORTH, nearness_by_square

MAX_TURNS: Final = 40
"""After so many turns of both sides material decides."""
FLAG_PRIZE: Final = 60.0
"""What a Flag counts in the mean of what a hidden piece may be."""
STEP_WORTH: Final = 0.7
"""What it is worth to come a step nearer to the piece that a side goes for ..."""
APPROACH_SHARES: Final = (0.0, 0.3, 1.0, 1.0, 1.0, 1.0, 1.0, 0.9, 0.8, 0.7, 0.4, 0.0, 0.0)
"""... by rank as a part of that."""
RANDOM_SPREAD: Final = 1.5
"""How far apart moves may be between which chance decides."""
KNOWN_DANGER: Final = 0.8
"""What being beside a piece that is known to win costs, as a part of the piece's worth ..."""
HIDDEN_DANGER: Final = 0.7
"""... beside a hidden one that has moved, times how likely it wins ..."""
STILL_DANGER: Final = 0.3
"""... and beside one that never moved, as a part of that."""
RESCUE_SHARE: Final = 0.5
"""What getting away counts for a piece that attacks."""
LOST_ATTACK_COST: Final = 9.0
"""What keeps a piece off one that is known to win, beside its worth."""
_SIGNS: Final = {"attacker": 1, "both": 0, "defender": -1}
_Move = tuple[int, int, int]
"""A move: the piece, from, to."""


class QuickGames:
    """One guess, and games played from it."""

    def __init__(self, facts: StrategoFacts, ranks: bytearray, side: int) -> None:
        """`ranks`: by piece, as guessed; `side`: who moves first, and whose share is counted."""
        self._side, self._ranks = side, [int(rank) for rank in list(ranks)]
        self._arms = facts.rules.board.squares_by_direction
        self._steps = [each.steps for each in nearness_by_square(facts.rules.board)]
        self._owner = [facts.owner_side(piece) for piece in range(len(self._ranks))]
        self._stands = [[_SIGNS[result] for result in row] for row in facts.rules.battle_table]
        self._prizes = [*RANK_WORTH[:FLAG], FLAG_PRIZE]
        places = [-1 if place == CAPTURED_SQUARE else place for place in facts.square_by_piece]
        self._first_places = places
        self._first_known = [rank != UNKNOWN for rank in facts.revealed.announced_ranks]
        self._first_moved = [place >= 0 and bool(facts.reached_squares >> place & 1) for place in places]
        self._movers = [
            [
                piece
                for piece, place in enumerate(places)
                if place >= 0 and self._owner[piece] == each and self._ranks[piece] not in IMMOVABLE_RANKS
            ]
            for each in (0, 1)
        ]
        self._place, self._known, self._moved = places, self._first_known, self._first_moved
        self._on: list[int] = []
        self._gains: list[list[list[float]]] = [[], []]
        """By side, rank and whether the hidden piece has moved what an attack on it brings on average ..."""
        self._risks: list[list[float]] = [[], []]
        """... and by side and rank what it costs to be beside one that has."""

    def play(self, first: StrategoMove, chance: Chance) -> float:
        """A game that begins with this move: 1 if it is won, 0 if it is lost, between if material decides."""
        self._place, self._known = self._first_places[:], self._first_known[:]
        self._moved = self._first_moved[:]
        self._on = [-1] * len(self._arms)
        for piece, place in enumerate(self._place):
            if place >= 0:
                self._on[place] = piece
        self._learn()
        side = self._side
        if self._make_move((self._on[first.origin_square], first.origin_square, first.target_square)):
            return 1.0
        goals = [-1, -1]
        for _ in range(MAX_TURNS):
            side = 1 - side
            if not self._is_goal(goals[side], side):
                goals[side] = self._draw_goal(side, chance)
            move = self._choose_move(side, self._steps[goals[side]], chance)
            if move[0] < 0:
                return float(side != self._side)
            if self._make_move(move):
                return float(side == self._side)
        return 0.5 + 0.5 * tanh(self._balance() / WINNING_LEAD)

    def _balance(self) -> float:
        found = 0.0
        for piece, place in enumerate(self._place):
            if place >= 0 and self._ranks[piece] not in IMMOVABLE_RANKS:
                prize = self._prizes[self._ranks[piece]]
                found += prize if self._owner[piece] == self._side else -prize
        return found

    def _is_goal(self, square: int, side: int) -> bool:
        """Whether a hidden piece of the other side that never moved stands there."""
        piece = self._on[square] if square >= 0 else -1
        return piece >= 0 and self._owner[piece] != side and not self._known[piece] and not self._moved[piece]

    def _draw_goal(self, side: int, chance: Chance) -> int:
        """A square to go for: of a piece that may be the Flag, else of any."""
        standing = [
            place for piece, place in enumerate(self._place) if place >= 0 and self._owner[piece] != side
        ]
        found = [place for place in standing if self._is_goal(place, side)] or standing
        return found[int(chance.random() * len(found))]

    def _choose_move(self, side: int, steps: list[int], chance: Chance) -> _Move:
        """The best move of a side by what it knows; no piece (-1): it has none."""
        on, owner, best, chosen = self._on, self._owner, -9999.0, (-1, -1, -1)
        for piece in self._movers[side]:
            at = self._place[piece]
            if at < 0:
                continue
            rank = self._ranks[piece]
            danger, step_worth = self._danger(side, rank, at), STEP_WORTH * APPROACH_SHARES[rank]
            for arm in self._arms[at]:
                for to in arm:
                    other = on[to]
                    if other < 0:
                        worth = danger - self._danger(side, rank, to) + step_worth * (steps[at] - steps[to])
                    elif owner[other] != side:
                        worth = self._attack_worth(side, rank, other) + RESCUE_SHARE * danger
                    else:
                        break
                    worth += RANDOM_SPREAD * chance.random()
                    if worth > best:
                        best, chosen = worth, (piece, at, to)
                    if other >= 0 or rank != SCOUT:
                        break
        return chosen

    def _attack_worth(self, side: int, rank: int, other: int) -> float:
        if not self._known[other]:
            return self._gains[side][rank][int(self._moved[other])]
        sign, prize = self._stands[rank][self._ranks[other]], self._prizes[self._ranks[other]]
        if sign < 0:
            return -self._prizes[rank] - LOST_ATTACK_COST
        return prize if sign > 0 else prize - self._prizes[rank]

    def _danger(self, side: int, rank: int, square: int) -> float:
        """What a piece of that rank risks on a square."""
        most = 0.0
        for arm in self._arms[square]:
            other = self._on[arm[0]] if arm else -1
            if other >= 0 and self._owner[other] != side:
                if self._known[other]:
                    theirs = self._ranks[other]
                    wins = theirs not in IMMOVABLE_RANKS and self._stands[theirs][rank] > 0
                    cost = KNOWN_DANGER * self._prizes[rank] if wins else 0.0
                else:
                    cost = self._risks[side][rank] * (1.0 if self._moved[other] else STILL_DANGER)
                most = max(most, cost)
        return most

    def _make_move(self, move: _Move) -> bool:
        """Whether it takes the Flag."""
        piece, at, to = move
        other = self._on[to]
        self._on[at] = -1
        self._moved[piece] = True
        if other >= 0:
            if self._ranks[other] == FLAG:
                return True
            sign = self._stands[self._ranks[piece]][self._ranks[other]]
            self._known[piece] = self._known[other] = True
            if sign >= 0:
                self._place[other] = self._on[to] = -1
            if sign <= 0:
                self._place[piece] = -1
            self._learn()
            if sign <= 0:
                return False
        self._on[to] = piece
        self._place[piece] = to
        return False

    def _learn(self) -> None:
        """What each side now expects of the hidden pieces of the other one."""
        for side in (0, 1):
            counts = [0] * (FLAG + 1)
            for piece, place in enumerate(self._place):
                if place >= 0 and self._owner[piece] != side and not self._known[piece]:
                    counts[self._ranks[piece]] += 1
            hidden = [(rank, count) for rank, count in enumerate(counts) if count]
            moving = [(rank, count) for rank, count in hidden if rank not in IMMOVABLE_RANKS]
            self._gains[side] = [
                [self._mean_gain(rank, hidden), self._mean_gain(rank, moving)] for rank in range(BOMB)
            ]
            self._risks[side] = [self._hidden_risk(rank, moving) for rank in range(BOMB)]

    def _mean_gain(self, rank: int, others: list[tuple[int, int]]) -> float:
        gain, whole, own = 0.0, 0, self._prizes[rank]
        for other, count in others:
            sign = self._stands[rank][other]
            whole += count
            gain += count * ((self._prizes[other] if sign >= 0 else 0.0) - (own if sign <= 0 else 0.0))
        return gain / whole if whole else 0.0

    def _hidden_risk(self, rank: int, others: list[tuple[int, int]]) -> float:
        whole = sum([count for _, count in others])
        wins = sum([count for other, count in others if self._stands[other][rank] > 0])
        return HIDDEN_DANGER * self._prizes[rank] * wins / whole if whole else 0.0
