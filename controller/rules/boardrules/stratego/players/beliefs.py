"""Which ranks the other side's pieces may have, by all that a seat was told, and armies that fit.

Three things are known of a piece: a rank that was told, that it has moved, and how its battles with pieces of
known rank ended. The army is known, so what one piece is another can't be. Beyond that people have habits.
"""

from __future__ import annotations

from typing import Final

from boardrules.core import NO_SEAT
from boardrules.players import Chance
from boardrules.stratego.actions import SEATS
from boardrules.stratego.board import CAPTURED
from boardrules.stratego.pieces import BOMB, FLAG, IMMOVABLE, MINER, SCOUT, SPY, UNKNOWN
from boardrules.stratego.players.setup_habits import habit, near_flag
from boardrules.stratego.views import StrategoView

ANY: Final = (1 << FLAG + 1) - 2
"""Every rank, a bit each."""
MOVING: Final = ANY & ~(1 << BOMB | 1 << FLAG)
MAX_DEALS: Final = 20
"""How often an army is dealt anew if the last pieces have none of the ranks that are left."""
UNMOVED_LIKELIHOOD: Final = {SPY: 1.5, MINER: 1.5, SCOUT: 0.8}
"""How much likelier such a piece is one that hasn't moved."""


class Beliefs:
    """What a seat may believe of the other army."""

    def __init__(self, view: StrategoView) -> None:
        facts = view.facts
        self.facts: Final = facts
        self.side: Final = SEATS.index(view.seat or NO_SEAT)
        reds, count = facts.revealed.reds, len(facts.places)
        self.foes: Final = range(reds, count) if self.side == 0 else range(reds)
        """The other side's pieces, those that fell included."""
        own = view.own
        self.known: Final = bytearray(own[piece] or facts.revealed.told[piece] for piece in range(count))
        """By piece its rank, or `UNKNOWN`."""
        self.hidden: Final = [piece for piece in self.foes if self.known[piece] == UNKNOWN]
        self.may_be: Final = {piece: self._by_moves(piece) for piece in self.hidden}
        self._by_battles()
        left = list(facts.rules.roster)
        for piece in self.foes:
            if self.known[piece] in left:
                left.remove(self.known[piece])
        self.left: Final = left
        """The ranks of the hidden ones, the flag first, then bombs: these can't be just anywhere."""
        self.left.sort(key=lambda rank: (rank != FLAG, rank != BOMB, rank))
        self._habit: Final = habit(facts.rules.board, 1 - self.side)

    def moved(self, piece: int) -> bool:
        """Whether a standing piece has moved."""
        place = self.facts.places[piece]
        return place != CAPTURED and bool(self.facts.reached >> place & 1)

    def _by_moves(self, piece: int) -> int:
        ranks = MOVING if self.moved(piece) else ANY
        return ranks & ~(1 << FLAG) if self.facts.places[piece] == CAPTURED else ranks

    def _by_battles(self) -> None:
        """How a battle ended says something where the ranks weren't told."""
        battles = self.facts.rules.battles
        for battle in self.facts.revealed.battles:
            attacker, defender = battle.attacker, battle.defender
            if attacker in self.may_be:
                foe = self.known[defender]
                fits = [rank for rank in range(1, FLAG) if battles[rank][foe] == battle.result]
                self.may_be[attacker] &= MOVING & sum(1 << rank for rank in fits)
            if defender in self.may_be:
                foe = self.known[attacker]
                fits = [rank for rank in range(1, FLAG + 1) if battles[foe][rank] == battle.result]
                self.may_be[defender] &= sum(1 << rank for rank in fits)

    def deal(self, chance: Chance) -> bytearray:
        """By piece a rank: those that are known, and an army of the other side that fits, by its habits."""
        for _ in range(MAX_DEALS):
            dealt = self._dealt(chance, strict=True)
            if dealt is not None:
                return dealt
        found = self._dealt(chance, strict=False)
        assert found is not None
        return found

    def _dealt(self, chance: Chance, *, strict: bool) -> bytearray | None:
        ranks, free = bytearray(self.known), list(self.hidden)
        start, board = self.facts.revealed.start, self.facts.rules.board
        flag = -1
        for rank in self._order(chance):
            weights = []
            for piece in free:
                weight = self._habit[rank][start[piece]] if self.may_be[piece] >> rank & 1 else 0.0
                if weight and rank == BOMB and flag >= 0:
                    weight *= near_flag(board, flag, start[piece], rank)
                if weight and rank in UNMOVED_LIKELIHOOD and not self.moved(piece):
                    weight *= UNMOVED_LIKELIHOOD[rank]
                weights.append(weight)
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

    def _order(self, chance: Chance) -> list[int]:
        """The flag and the bombs first; the others in any order, else the last would get what is left."""
        fixed = [rank for rank in self.left if rank in IMMOVABLE]
        others = self.left[len(fixed) :]
        return fixed + chance.sample(others, len(others))


def pick_weighted(weights: list[float], left: float) -> int:
    """The place at which the weights up to there come to `left`."""
    for place, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return place
    return max(range(len(weights)), key=weights.__getitem__)
