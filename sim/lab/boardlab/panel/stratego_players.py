"""Players of Stratego to measure by: each has one idea, and none looks further than its own next move.

They share no code with the players that a game brings, so what they do is not what those expect. They are
frozen: with another player here, figures that were measured before can't be compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from boardrules.core import NO_SEAT, Action, Seat
from boardrules.players import Chance, Player, SearchBudget
from boardrules.stratego.actions import SEATS, StrategoMove, StrategoSetup
from boardrules.stratego.board import CAPTURED_SQUARE
from boardrules.stratego.pieces import BOMB, FLAG, MARSHAL, MINER, RANK_SIGNS, SCOUT, SPY, UNKNOWN
from boardrules.stratego.rules import StrategoRules
from boardrules.stratego.setup import SetupView
from boardrules.stratego.views import StrategoView

_GENERAL: Final = 9
_RANK_WORTH: Final = {SPY: 8.0, SCOUT: 2.0, MINER: 5.0, _GENERAL: 14.0, MARSHAL: 20.0, BOMB: 4.0, FLAG: 500.0}
"""Other ranks are worth their number."""


def _rank_worth(rank: int) -> float:
    return _RANK_WORTH.get(rank, float(rank))


class Position:
    """A position as one seat sees it."""

    def __init__(self, view: StrategoView) -> None:
        facts, self.side = view.facts, SEATS.index(view.seat or NO_SEAT)
        self.facts, self.rules = facts, facts.rules
        self.size = facts.rules.board.size
        self.mine: dict[int, int] = {}
        """By square the rank of a piece of its own ..."""
        self.theirs: dict[int, int] = {}
        """... and of the other side's, as far as it was told."""
        self.pool = list(facts.rules.sorted_ranks)
        """The ranks of the other side that weren't told yet."""
        for piece, square in enumerate(facts.square_by_piece):
            if facts.owner_side(piece) != self.side:
                told = facts.revealed.announced_ranks[piece]
                if told in self.pool:
                    self.pool.remove(told)
                if square != CAPTURED_SQUARE:
                    self.theirs[square] = told
            elif square != CAPTURED_SQUARE:
                self.mine[square] = view.own_ranks[piece]

    def row_from_home(self, square: int) -> int:
        """Its row, counted from the player's own edge."""
        row = square // self.size
        return self.size - 1 - row if self.side else row

    def distance(self, one: int, other: int) -> int:
        """The steps between two squares of an empty board."""
        return abs(one // self.size - other // self.size) + abs(one % self.size - other % self.size)

    def neighbours(self, square: int) -> Iterable[int]:
        """The squares next to one."""
        return (arm[0] for arm in self.rules.board.squares_by_direction[square] if arm)

    def has_moved(self, square: int) -> bool:
        """Whether the piece on a square has moved."""
        return bool(self.facts.reached_squares >> square & 1)

    def possible_ranks(self, square: int) -> list[int]:
        """The ranks that a piece of the other side may have, each as often as it is left."""
        if self.theirs[square] != UNKNOWN:
            return [self.theirs[square]]
        return [rank for rank in self.pool if not (self.has_moved(square) and rank in (BOMB, FLAG))]

    def expected_battle_gain(self, rank: int, square: int) -> float:
        """What an attack brings on average."""
        ranks, gain = self.possible_ranks(square), 0.0
        for other in ranks:
            result = self.rules.battle_table[rank][other]
            gain += _rank_worth(other) * (result != "defender") - _rank_worth(rank) * (result != "attacker")
        return gain / max(1, len(ranks))

    def loss_probability(self, rank: int, square: int) -> float:
        """How likely a piece would lose to the one on a square, if that attacked."""
        ranks = [other for other in self.possible_ranks(square) if other not in (BOMB, FLAG)]
        if not ranks:
            return 0.0
        return sum(self.rules.battle_table[other][rank] == "attacker" for other in ranks) / len(ranks)


def place_army(
    rules: StrategoRules, seat: Seat, chance: Chance, flag_row: int = 0, files: Sequence[int] = ()
) -> StrategoSetup:
    """An army with its Flag in a row, on one of these files (none: any), Bombs beside it, the others anyhow.

    Where the set-up mask leaves no such square, the Flag is on any that it leaves.
    """
    board, side = rules.board, SEATS.index(seat)
    last = len(board.names) - 1
    free = [square for square in range(last + 1) if rules.setup_masks[side] >> square & 1]
    own = {square: (last - square if side else square) for square in free}
    wanted = [
        square
        for square in free
        if own[square] // board.size == flag_row and (not files or own[square] % board.size in files)
    ]
    flag = wanted[chance.randrange(len(wanted))] if wanted else free[0]
    found = {flag: FLAG}
    near = [arm[0] for arm in board.squares_by_direction[flag] if arm and arm[0] in own]
    left = sorted((rank for rank in rules.sorted_ranks if rank != FLAG), key=lambda rank: rank != BOMB)
    for rank in left:
        open_squares = [square for square in (near if rank == BOMB else free) if square not in found]
        open_squares = open_squares or [square for square in free if square not in found]
        found[open_squares[chance.randrange(len(open_squares))]] = rank
    return StrategoSetup(seat, [(board.names[square], RANK_SIGNS[rank]) for square, rank in found.items()])


class OneMove(Player):
    """Weighs each move by what it brings at once, and by who stands beside it then."""

    __slots__ = ("_stood",)

    def __init__(self) -> None:
        self._stood: dict[bytes, int] = {}

    def observe_view(self, view: Any) -> None:
        """Count how often each position has stood."""
        if isinstance(view, StrategoView):
            places = view.facts.square_by_piece
            self._stood[places] = self._stood.get(places, 0) + 1

    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, meter: SearchBudget) -> Action:
        """The move of the highest worth."""
        if isinstance(view, SetupView):
            return self.make_army(view.rules, view.seat or NO_SEAT, chance)
        seen = Position(view)
        moves = [move for move in legal if isinstance(move, StrategoMove)]
        scored = [
            (self.move_worth(seen, move) - self.repetition_cost(seen, move) + 0.2 * chance.random(), place)
            for place, move in enumerate(moves)
        ]
        return moves[max(scored)[1]]

    def make_army(self, rules: StrategoRules, seat: Seat, chance: Chance) -> StrategoSetup:
        """Its set-up."""
        return place_army(rules, seat, chance)

    def repetition_cost(self, seen: Position, move: StrategoMove) -> float:
        """What it costs to come to a position that has stood before."""
        return 0.5 * self._stood.get(
            seen.facts.square_by_piece.replace(move.origin_byte, move.target_byte), 0
        )

    def move_worth(self, seen: Position, move: StrategoMove) -> float:
        """How good a move is."""
        rank = seen.mine[move.origin_square]
        flees = max(
            (self.danger_cost(seen, rank, near) for near in seen.neighbours(move.origin_square)), default=0.0
        )
        if move.target_square in seen.theirs:
            return self.attack_worth(seen, rank, move.target_square) + 0.5 * flees
        near = [square for square in seen.neighbours(move.target_square) if square in seen.theirs]
        risk = max((self.danger_cost(seen, rank, square) for square in near), default=0.0)
        threat = max((0.3 * seen.expected_battle_gain(rank, square) for square in near), default=0.0)
        return flees - risk + max(0.0, threat) + self.advance_worth(seen, rank, move)

    def attack_worth(self, seen: Position, rank: int, square: int) -> float:
        """What an attack is worth: on average over all ranks, and a little for what is learnt."""
        return seen.expected_battle_gain(rank, square) + (0.8 if seen.theirs[square] == UNKNOWN else 0.0)

    def danger_cost(self, seen: Position, rank: int, square: int) -> float:
        """What a piece risks beside a square."""
        if square not in seen.theirs or (seen.theirs[square] == UNKNOWN and not seen.has_moved(square)):
            return 0.0
        return 0.7 * seen.loss_probability(rank, square) * _rank_worth(rank)

    def advance_worth(self, seen: Position, rank: int, move: StrategoMove) -> float:
        """What it is worth to go on."""
        step = seen.row_from_home(move.target_square) - seen.row_from_home(move.origin_square)
        return step * (-0.1 if rank == SPY else 0.05 if rank == MARSHAL else 0.15)


class Runner(OneMove):
    """Runs at the corners of the other side's back row, through whatever stands in the way."""

    __slots__ = ()

    def move_worth(self, seen: Position, move: StrategoMove) -> float:
        """Nearer to a corner, and onto whoever may be there."""
        size, last = seen.size, seen.size * seen.size - 1
        corners = (0, size - 1) if seen.side else (last, last - size + 1)
        rank = seen.mine[move.origin_square]
        if move.target_square in seen.theirs:
            known = seen.theirs[move.target_square]
            beaten = known != UNKNOWN and seen.rules.battle_table[rank][known] != "attacker"
            return -9.0 if beaten else 6.0 + 3.0 * (move.target_square in corners)
        before, after = (
            min(seen.distance(square, corner) for corner in corners)
            for square in (move.origin_square, move.target_square)
        )
        return (before - after) + 1.0 / (1 + after)


class Waiter(OneMove):
    """Stays in its zone, and takes what it knows that it beats."""

    __slots__ = ()

    def attack_worth(self, seen: Position, rank: int, square: int) -> float:
        """Only for certain."""
        sure = seen.expected_battle_gain(rank, square) > 0 and all(
            seen.rules.battle_table[rank][other] == "attacker" for other in seen.possible_ranks(square)
        )
        return 8.0 if sure else -8.0

    def advance_worth(self, seen: Position, rank: int, move: StrategoMove) -> float:
        """Beyond its zone it doesn't go."""
        rows = seen.rules.board.zones[0].bit_count() // seen.size
        return -2.0 if seen.row_from_home(move.target_square) >= rows else 0.0


class Cautious(OneMove):
    """Scouts find out, and Miners try who never moved; the strong attack only whom they know."""

    __slots__ = ()

    def attack_worth(self, seen: Position, rank: int, square: int) -> float:
        """What is hidden is for the weak alone."""
        gain = seen.expected_battle_gain(rank, square)
        if seen.theirs[square] != UNKNOWN:
            return gain
        tries = rank == SCOUT or (rank == MINER and not seen.has_moved(square))
        return gain + 4.0 if tries else gain - 6.0

    def danger_cost(self, seen: Position, rank: int, square: int) -> float:
        """It goes out of the way of who is hidden, too."""
        return (1.5 if rank >= _GENERAL and rank <= MARSHAL else 1.0) * super().danger_cost(
            seen, rank, square
        )


class Gambler(OneMove):
    """Attacks whenever it can, the strongest first; else goes to the nearest piece."""

    __slots__ = ()

    def move_worth(self, seen: Position, move: StrategoMove) -> float:
        """An attack before all."""
        rank = seen.mine[move.origin_square]
        if move.target_square in seen.theirs:
            known = seen.theirs[move.target_square]
            beaten = known != UNKNOWN and seen.rules.battle_table[rank][known] != "attacker"
            return -20.0 if beaten else 20.0 + rank
        before, after = (
            min(seen.distance(square, foe) for foe in seen.theirs)
            for square in (move.origin_square, move.target_square)
        )
        return (before - after) + (0.0 if rank == SPY else 0.1 * rank)


class Shuttle(OneMove):
    """Goes back and forth with whatever may, and attacks only if it must."""

    __slots__ = ()

    def repetition_cost(self, seen: Position, move: StrategoMove) -> float:
        """It likes what has been."""
        return -super().repetition_cost(seen, move)

    def move_worth(self, seen: Position, move: StrategoMove) -> float:
        """Anything quiet."""
        return -10.0 if move.target_square in seen.theirs else -0.5 * seen.row_from_home(move.target_square)


class OpenFlag(OneMove):
    """Its Flag stands in the front row, where nobody looks for it."""

    __slots__ = ()

    def make_army(self, rules: StrategoRules, seat: Seat, chance: Chance) -> StrategoSetup:
        """A Flag at the front, Bombs beside it."""
        rows = rules.board.zones[0].bit_count() // rules.board.size
        return place_army(rules, seat, chance, rows - 1)
