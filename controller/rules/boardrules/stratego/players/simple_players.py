"""Players to measure by: any legal move, an eager one, and one that looks a single move ahead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from boardrules.core import NO_SEAT, Action, Seat
from boardrules.players import Chance, Player, SearchBudget
from boardrules.stratego.actions import SEATS, StrategoMove
from boardrules.stratego.pieces import UNKNOWN
from boardrules.stratego.players.beliefs import Beliefs
from boardrules.stratego.players.piece_values import RANK_WORTH
from boardrules.stratego.setup import SetupView, draw_setup

ATTACK_PROBABILITY: Final = 0.4
"""How often the simple player attacks if it can; as often as the simulated people do."""
STEP_FORWARD_WORTH: Final = 0.1


class RandomMover(Player):
    """Any set-up there is, and any move."""

    __slots__ = ()

    def __init__(self, seat: Seat) -> None:
        pass

    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, budget: SearchBudget) -> Action:
        """Each alike."""
        if isinstance(view, SetupView):
            return draw_setup(view.rules, view.seat or NO_SEAT, chance)
        return self._choose_move(view, [move for move in legal if isinstance(move, StrategoMove)], chance)

    def _choose_move(self, view: Any, moves: list[StrategoMove], chance: Chance) -> StrategoMove:
        return moves[chance.randrange(len(moves))]


class AttackingMover(RandomMover):
    """The same, but it attacks now and then if it can."""

    __slots__ = ()

    def _choose_move(self, view: Any, moves: list[StrategoMove], chance: Chance) -> StrategoMove:
        attacks = [move for move in moves if view.facts.enemy_squares & move.target_mask]
        found = attacks if attacks and chance.random() < ATTACK_PROBABILITY else moves
        return found[chance.randrange(len(found))]


class GreedyMover(RandomMover):
    """Takes what a battle brings on average over all ranks that the other piece may have; goes forward."""

    __slots__ = ()

    def _choose_move(self, view: Any, moves: list[StrategoMove], chance: Chance) -> StrategoMove:
        facts, beliefs = view.facts, Beliefs(view)
        side, size = SEATS.index(view.seat or NO_SEAT), facts.rules.board.size
        scored = []
        for place, move in enumerate(moves):
            rows = (move.target_square // size - move.origin_square // size) * (1 - 2 * side)
            gain = STEP_FORWARD_WORTH * rows
            if facts.enemy_squares & move.target_mask:
                attacker = view.own_ranks[facts.piece_on(move.origin_square)]
                gain = self._mean_battle_gain(beliefs, attacker, facts.piece_on(move.target_square))
            scored.append((gain + 0.01 * chance.random(), place))
        return moves[max(scored)[1]]

    @staticmethod
    def _mean_battle_gain(beliefs: Beliefs, attacker: int, target: int) -> float:
        """What an attack brings on average."""
        rules, known = beliefs.facts.rules, beliefs.known_ranks[target]
        may_be = beliefs.possible_ranks.get(target, 0)
        ranks = [
            rank
            for rank in (rules.sorted_ranks if known == UNKNOWN else [known])
            if known != UNKNOWN or may_be >> rank & 1
        ]
        gain = 0.0
        for rank in ranks:
            result = rules.battle_table[attacker][rank]
            gain += (RANK_WORTH[rank] if result != "defender" else 0.0) - (
                RANK_WORTH[attacker] if result != "attacker" else 0.0
            )
        return gain / max(len(ranks), 1)
