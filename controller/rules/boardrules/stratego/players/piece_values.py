"""What pieces and squares are worth in one guess of the other army, as each side sees it.

Numbers are in points of which a Scout has three. Squares are worth something for coming nearer: to the flag
that the guess has, to pieces that one beats, away from those that beat it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from boardrules.stratego.board import CAPTURED_SQUARE, StrategoBoard
from boardrules.stratego.facts import StrategoFacts
from boardrules.stratego.pieces import BOMB, FLAG, MARSHAL, MINER, SCOUT, SPY, UNKNOWN

RANK_WORTH: Final = (0.0, 6.0, 3.0, 6.0, 5.0, 7.0, 9.0, 12.0, 16.0, 22.0, 30.0, 6.0, 200.0)
SECRECY_WORTH: Final = (0.0, 2.0, 0.2, 0.5, 0.2, 0.3, 0.4, 0.6, 1.0, 1.6, 2.5, 0.8, 0.0)
"""By rank what it is worth that the other side doesn't know it."""
STEP_TO_FLAG_WORTH: Final = 0.3  # For each step nearer to the other flag ...
GUESSED_FLAG_STEP_WORTH: Final = 0.06
"""... and to one's own, as the other side sees it, which doesn't know where that is."""
BESIDE_FLAG_WORTH: Final = 4.0
"""What being beside one's own flag is worth to the other side, though it may not know that."""
HUNTING_SHARE: Final = 0.35
"""What being beside a piece that one beats is worth, as a part of that piece."""
FLEEING_SHARE: Final = 0.25
"""The same for a piece that beats one."""
UNREACHABLE_STEPS: Final = 99
MAX_FLAG_STEPS: Final = 20
MAX_HUNT_STEPS: Final = 6
"""From further away than so many steps a piece neither hunts nor fears."""


class _SquareNearness(NamedTuple):
    """How near squares are to one square."""

    steps: list[int]
    hunt: list[float]
    """By square how much of a prey on the one square counts there ..."""
    fear: list[float]
    """... and of who is to be feared."""


_nearness_by_board: Final[dict[str, tuple[_SquareNearness, ...]]] = {}


def nearness_by_square(board: StrategoBoard) -> tuple[_SquareNearness, ...]:
    """By square how near all squares are to it, past lakes."""
    if board.name not in _nearness_by_board:
        _nearness_by_board[board.name] = tuple(
            _nearness_of_steps(steps_from(board, square, 0)) for square in range(len(board.names))
        )
    return _nearness_by_board[board.name]


def _nearness_of_steps(far: list[int]) -> _SquareNearness:
    return _SquareNearness(
        far,
        [1 / (1 + step) if step <= MAX_HUNT_STEPS else 0.0 for step in far],
        [-1 / (1 + step) ** 2 if step <= MAX_HUNT_STEPS else 0.0 for step in far],
    )


def steps_from(board: StrategoBoard, start: int, walls: int) -> list[int]:
    """By square how many steps it is from `start`, past lakes and walls; `UNREACHABLE_STEPS` where there is
    no way."""
    found = [UNREACHABLE_STEPS] * len(board.names)
    found[start], rim, far = 0, [start], 0
    while rim:
        far += 1
        beyond = []
        for square in rim:
            for arm in board.squares_by_direction[square]:
                if arm and found[arm[0]] == UNREACHABLE_STEPS and not walls >> arm[0] & 1:
                    found[arm[0]] = far
                    beyond.append(arm[0])
        rim = beyond
    return found


class PieceValues:
    """All these numbers for a guess: by piece, and by piece and square."""

    def __init__(
        self, facts: StrategoFacts, ranks: bytearray, side: int, known: bytearray, bold: float
    ) -> None:
        """`known`: the ranks that the player's side knows; `bold`: how much it wants to get on."""
        self._facts, self._ranks, self._side = facts, ranks, side
        self._told = facts.revealed.announced_ranks
        self._board = facts.rules.board
        places = facts.square_by_piece
        self._standing = [piece for piece, place in enumerate(places) if place != CAPTURED_SQUARE]
        self._foe = [facts.owner_side(piece) != side for piece in range(len(places))]
        self.piece_values: Final = self._compute_values()
        self.secrecy_values: Final = [
            0.0 if self._told[piece] != UNKNOWN else SECRECY_WORTH[rank] for piece, rank in enumerate(ranks)
        ]
        """By piece what its side loses by its rank being told."""
        blank = [0.0] * len(self._board.names)
        self.square_values: Final = [blank] * len(places)
        """By piece and square what it is worth to stand there."""
        made: dict[tuple[bool, int], list[float]] = {}
        self._marches: dict[tuple[int, int], list[int]] = {}
        for piece in self._standing:
            rank, foe = ranks[piece], self._foe[piece]
            if rank in (BOMB, FLAG):
                continue
            if (foe, rank) not in made:
                made[foe, rank] = self._square_values_for(rank, foe, known, bold)
            self.square_values[piece] = made[foe, rank]

    def balance(self) -> float:
        """What the side has standing that can move, less what the other one has."""
        return sum(
            [
                -self.piece_values[piece] if self._foe[piece] else self.piece_values[piece]
                for piece in self._standing
                if self._ranks[piece] not in (BOMB, FLAG)
            ]
        )

    def _compute_values(self) -> list[float]:
        """By piece: a Spy is worth as much as the Marshal that it is for; who beats all, more."""
        ranks = self._ranks
        standing = {(self._foe[piece], ranks[piece]) for piece in self._standing}
        found = []
        for piece, rank in enumerate(ranks):
            foe, value = self._foe[piece], RANK_WORTH[rank]
            if rank == SPY and (not foe, MARSHAL) not in standing:
                value = 1.5
            elif rank == MINER and (not foe, BOMB) not in standing:
                value = 4.0
            elif rank not in (BOMB, FLAG, SCOUT, MINER, SPY):
                stronger = any((not foe, other) in standing for other in range(rank, MARSHAL + 1))
                value += 0.0 if stronger else 8.0
            found.append(value)
        return found

    def _square_values_for(self, rank: int, foe: bool, known: bytearray, bold: float) -> list[float]:
        """By square what a piece of that rank has of standing there."""
        facts, board, ranks = self._facts, self._board, self._ranks
        battles, places, close = facts.rules.battle_table, facts.square_by_piece, nearness_by_square(board)
        flag, walls = -1, 0
        drawn: list[tuple[float, list[float]]] = []
        for piece in self._standing:
            if self._foe[piece] == foe:
                continue
            other, place = ranks[piece], places[piece]
            if other == FLAG:
                flag = place
                continue
            if other == BOMB and rank != MINER:
                walls |= 1 << place
            if foe and self._told[piece] == UNKNOWN:
                continue  # what the other side doesn't know of ours can't draw it
            if battles[rank][other] == "attacker":
                drawn.append((HUNTING_SHARE * self.piece_values[piece], close[place].hunt))
            elif other != BOMB and (known[piece] != UNKNOWN or facts.reached_squares >> place & 1):
                drawn.append((FLEEING_SHARE * RANK_WORTH[rank], close[place].fear))
        want = (GUESSED_FLAG_STEP_WORTH if foe else STEP_TO_FLAG_WORTH * bold) * (0.3 if rank == SPY else 1.0)
        found = [-want * step for step in self._steps_to_flag(flag, 0 if foe else walls)]
        if foe and flag >= 0:
            drawn.append((BESIDE_FLAG_WORTH * bold, [-share for share in close[flag].fear]))
        for gain, shares in drawn:
            found = [value + gain * share for value, share in zip(found, shares, strict=True)]
        return found

    def _steps_to_flag(self, flag: int, walls: int) -> list[int]:
        """By square how many steps it is to a flag, at most `MAX_FLAG_STEPS`."""
        if flag < 0:
            return [0] * len(self._board.names)
        if (flag, walls) not in self._marches:
            far = (
                steps_from(self._board, flag, walls) if walls else nearness_by_square(self._board)[flag].steps
            )
            self._marches[flag, walls] = [min(step, MAX_FLAG_STEPS) for step in far]
        return self._marches[flag, walls]
