"""Which ranks the other side's pieces may have, by all that a seat was told, and armies that fit.

Three things are known of a piece: a rank that was told, that it has moved, and how its battles with pieces of
known rank ended. The army is known, so what one piece is another can't be. Beyond that people have habits.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from boardrules.core import NO_SEAT
from boardrules.players import Chance
from boardrules.stratego.actions import SEATS
from boardrules.stratego.board import CAPTURED_SQUARE
from boardrules.stratego.pieces import BOMB, FLAG, IMMOVABLE_RANKS, MINER, SCOUT, SPY, UNKNOWN
from boardrules.stratego.players.behaviour import Behaviour
from boardrules.stratego.players.behaviour_weights import WEIGHTS
from boardrules.stratego.players.setup_habits import flag_neighbour_factor, placement_weights
from boardrules.stratego.views import StrategoView

ANY_RANK_MASK: Final = (1 << FLAG + 1) - 2
"""Every rank, a bit each."""
MOVING_RANKS_MASK: Final = ANY_RANK_MASK & ~(1 << BOMB | 1 << FLAG)
MAX_DEALS: Final = 20
"""How often an army is dealt anew if the last pieces have none of the ranks that are left."""
UNMOVED_LIKELIHOOD: Final = {SPY: 1.5, MINER: 1.5, SCOUT: 0.8}
"""How much likelier such a piece is one that hasn't moved."""


class Beliefs:
    """What a seat may believe of the other army."""

    def __init__(
        self,
        view: StrategoView,
        behaviour: Behaviour | None = None,
        forgot: Container[int] = (),
        *,
        knows_habits: bool = True,
    ) -> None:
        """`behaviour`: what was seen of the other side, where somebody has watched; `forgot`: the standing
        pieces whose ranks were told and are forgotten; `knows_habits`: whether it is known how people set
        up."""
        facts = view.facts
        self.facts: Final = facts
        self.side: Final = SEATS.index(view.seat or NO_SEAT)
        reds, count = facts.revealed.red_count, len(facts.square_by_piece)
        self.enemy_pieces: Final = range(reds, count) if self.side == 0 else range(reds)
        """The other side's pieces, those that fell included."""
        own = view.own_ranks
        self.known_ranks: Final = bytearray(
            own[piece]
            or (
                UNKNOWN
                if piece in forgot and facts.square_by_piece[piece] != CAPTURED_SQUARE
                else facts.revealed.announced_ranks[piece]
            )
            for piece in range(count)
        )
        """By piece its rank, or `UNKNOWN`."""
        self.hidden_pieces: Final = [
            piece for piece in self.enemy_pieces if self.known_ranks[piece] == UNKNOWN
        ]
        self.possible_ranks: Final = {piece: self._ranks_by_movement(piece) for piece in self.hidden_pieces}
        self._restrict_by_battles()
        left = list(facts.rules.sorted_ranks)
        for piece in self.enemy_pieces:
            if self.known_ranks[piece] in left:
                left.remove(self.known_ranks[piece])
        self.remaining_ranks: Final = left
        """The ranks of the hidden ones, the flag first, then bombs: these can't be just anywhere."""
        self.remaining_ranks.sort(key=lambda rank: (rank != FLAG, rank != BOMB, rank))
        self._knows_habits = knows_habits
        self._odds: Final = self._odds_by_habit()
        """By rank and piece how likely it is that such a piece is set up there, and does what it did."""
        if behaviour is not None:
            self._weigh_behaviour(behaviour)

    def _odds_by_habit(self) -> list[list[float]]:
        start = self.facts.revealed.start_squares
        likely = placement_weights(self.facts.rules.board, 1 - self.side)
        found = [[0.0] * len(start) for _ in likely]
        for piece in self.hidden_pieces:
            moved = self.has_moved(piece)
            for rank in range(1, FLAG + 1):
                if self.possible_ranks[piece] >> rank & 1:
                    unmoved = 1.0 if moved else UNMOVED_LIKELIHOOD.get(rank, 1.0)
                    found[rank][piece] = likely[rank][start[piece]] * unmoved if self._knows_habits else 1.0
        return found

    def _weigh_behaviour(self, behaviour: Behaviour) -> None:
        for piece in self.hidden_pieces:
            if self.facts.square_by_piece[piece] != CAPTURED_SQUARE:
                for rank, says in enumerate(
                    behaviour.rank_likelihoods(self.facts, piece, self.enemy_pieces, WEIGHTS)
                ):
                    self._odds[rank][piece] *= says

    def chances(self, piece: int) -> list[float]:
        """By rank how likely a hidden piece has it, by itself: whatever the others are."""
        found = [odds[piece] * self.remaining_ranks.count(rank) for rank, odds in enumerate(self._odds)]
        whole = sum(found)
        return [chance / whole for chance in found] if whole else found

    def has_moved(self, piece: int) -> bool:
        """Whether a standing piece has moved."""
        place = self.facts.square_by_piece[piece]
        return place != CAPTURED_SQUARE and bool(self.facts.reached_squares >> place & 1)

    def _ranks_by_movement(self, piece: int) -> int:
        ranks = MOVING_RANKS_MASK if self.has_moved(piece) else ANY_RANK_MASK
        return ranks & ~(1 << FLAG) if self.facts.square_by_piece[piece] == CAPTURED_SQUARE else ranks

    def _restrict_by_battles(self) -> None:
        """How a battle ended says something where the ranks weren't told."""
        battles = self.facts.rules.battle_table
        for battle in self.facts.revealed.battles:
            attacker, defender = battle.attacker, battle.defender
            if attacker in self.possible_ranks:
                foe = self.known_ranks[defender]
                fits = [rank for rank in range(1, FLAG) if battles[rank][foe] == battle.result]
                self.possible_ranks[attacker] &= MOVING_RANKS_MASK & sum(1 << rank for rank in fits)
            if defender in self.possible_ranks:
                foe = self.known_ranks[attacker]
                fits = [rank for rank in range(1, FLAG + 1) if battles[foe][rank] == battle.result]
                self.possible_ranks[defender] &= sum(1 << rank for rank in fits)

    def deal_ranks(self, chance: Chance) -> bytearray:
        """By piece a rank: those that are known, and an army of the other side that fits, by its habits."""
        for _ in range(MAX_DEALS):
            dealt = self._try_deal(chance, strict=True)
            if dealt is not None:
                return dealt
        found = self._try_deal(chance, strict=False)
        assert found is not None
        return found

    def _try_deal(self, chance: Chance, *, strict: bool) -> bytearray | None:
        ranks, free = bytearray(self.known_ranks), list(self.hidden_pieces)
        start, board = self.facts.revealed.start_squares, self.facts.rules.board
        flag = -1
        for rank in self._dealing_order(chance):
            odds = self._odds[rank]
            weights = [odds[piece] for piece in free]
            if rank == BOMB and flag >= 0 and self._knows_habits:
                weights = [
                    weight * flag_neighbour_factor(board, flag, start[piece], rank)
                    for weight, piece in zip(weights, free, strict=True)
                ]
            whole = sum(weights)
            if whole <= 0:
                if strict:
                    return None
                weights, whole = [1.0] * len(free), float(len(free))
            place = pick_weighted(weights, whole * chance.random())
            piece = free.pop(place)
            ranks[piece] = rank
            if rank == FLAG:
                flag = start[piece]
        return ranks

    def _dealing_order(self, chance: Chance) -> list[int]:
        """The flag and the bombs first; the others in any order, else the last would get what is left."""
        fixed = [rank for rank in self.remaining_ranks if rank in IMMOVABLE_RANKS]
        others = self.remaining_ranks[len(fixed) :]
        return fixed + chance.sample(others, len(others))


def pick_weighted(weights: list[float], left: float) -> int:
    """The place at which the weights up to there come to `left`."""
    for place, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return place
    return max(range(len(weights)), key=weights.__getitem__)
