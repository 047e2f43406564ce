"""The boards: squares, lakes, zones, and every straight move on them, worked out once.

A square is a number, `file + width * rank` from 0 at a1; a set of squares is an int with a bit a square.
Moves are interned: there is one `StrategoMove` object for a seat, an origin and a target.
"""

from __future__ import annotations

import copyreg
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from boardrules.core import BadText, Seat, Space
from boardrules.stratego.actions import SEATS, StrategoMove

CAPTURED_SQUARE: Final = 255

Mask = int
"""A set of squares, a bit a square."""


WalkMoves = Mapping[Mask, tuple[StrategoMove, ...]]
"""The one-step moves from a square: own pieces beside it -> the moves that are left (Q09, Q10)."""


class ScoutRay(NamedTuple):
    """One of the four ways that a Scout sees from a square, for one seat (Q23)."""

    is_rising: bool
    """Whether square numbers grow along it: then the nearest piece is the lowest bit, else the highest."""
    squares: Mask
    """Its squares."""
    moves_by_stop: Sequence[tuple[Mask, tuple[StrategoMove, ...], tuple[StrategoMove, ...]]]
    """By how many bits there are up to the nearest piece (0: none): its square, the moves up to it, and those
    before it."""

    def moves(self, pieces: Mask, own: Mask) -> tuple[StrategoMove, ...]:
        """The moves past empty squares, and onto the first piece unless it is an own one."""
        hit = pieces & self.squares
        stop, up_to, before = self.moves_by_stop[(hit & -hit if self.is_rising else hit).bit_length()]
        return before if own & stop else up_to


Rays = tuple[tuple[ScoutRay, ...], ...]
Walks = tuple[tuple[Mask, WalkMoves], ...]


class StrategoBoard:
    """One printed board and all that follows from it."""

    def __init__(self, name: str, size: int, lakes: Iterable[str], rows: int) -> None:
        self.name = name
        self.size = size
        self.names = tuple(
            Space(f"{chr(97 + square % size)}{square // size + 1}") for square in range(size * size)
        )
        self.squares: dict[str, int] = {text: square for square, text in enumerate(self.names)}
        self.lakes = self.mask_of_names(lakes)
        self.zones = (
            self.mask_of_names(self.names[: size * rows]),
            self.mask_of_names(self.names[size * (size - rows) :]),
        )
        self.squares_by_direction = tuple(
            tuple(self._direction_squares(square)) for square in range(size * size)
        )
        self.neighbours = tuple(sum(1 << arm[0] for arm in arms if arm) for arms in self.squares_by_direction)
        self._moves: dict[tuple[int, int, int], StrategoMove] = {}
        self._walks: list[Walks | None] = [None, None]
        self._sides: list[Rays | None] = [None, None]

    def walk_moves(self, side: int) -> Walks:
        """By square: the squares beside it, and the one-step moves of that side by which of them are own.

        Made when a move is first asked for: armies are set up without.
        """
        walks = self._walks[side]
        if walks is None:
            squares = range(self.size * self.size)
            walks = self._walks[side] = tuple(self._make_walk_moves(side, square) for square in squares)
        return walks

    def scout_rays(self, side: int) -> Rays:
        """By square: the ways that a Scout of that side sees, north, east, south, west.

        Made when a move is first asked for: most of a board's moves are these, and no army needs them.
        """
        rays = self._sides[side]
        if rays is None:
            squares = range(self.size * self.size)
            rays = self._sides[side] = tuple(tuple(self._make_scout_rays(side, square)) for square in squares)
        return rays

    def mask_of_names(self, names: Iterable[str]) -> Mask:
        """The set of the named squares."""
        return sum(1 << self.squares[text] for text in set(names))

    def spaces_of_mask(self, mask: Mask) -> Iterator[Space]:
        """The names of the squares of a set, from a1 on."""
        return (text for square, text in enumerate(self.names) if mask >> square & 1)

    def rotated_mask(self, mask: Mask) -> Mask:
        """The set as the other player would call it: the board turned by 180 degrees."""
        last = len(self.names) - 1
        return sum(1 << last - square for square in range(last + 1) if mask >> square & 1)

    def move(self, side: int, origin: int, target: int) -> StrategoMove:
        """The one move object of that seat between these squares, in whatever direction they lie."""
        move = self._moves.get((side, origin, target))
        if move is None:
            move = self._moves[side, origin, target] = self._make_move(side, origin, target)
        return move

    def named_move(self, seat: Seat, origin: str, target: str) -> StrategoMove:
        """The move object by the names of seat and squares. Raises `BadText` for others."""
        for text in (origin, target):
            if text not in self.squares:
                raise BadText(f"{text!r} is no square; try {self.names[0]} to {self.names[-1]}")
        if seat not in SEATS:
            raise BadText(f"{seat!r} has no moves; try one of {', '.join(SEATS)}")
        return self.move(SEATS.index(seat), self.squares[origin], self.squares[target])

    def _direction_squares(self, square: int) -> Iterator[tuple[int, ...]]:
        """The squares before a lake or the edge, nearest first: north, east, south, west."""
        x, y = square % self.size, square // self.size
        for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            arm = []
            nx, ny = x + dx, y + dy
            while 0 <= nx < self.size and 0 <= ny < self.size and not self.lakes >> nx + self.size * ny & 1:
                arm.append(nx + self.size * ny)
                nx, ny = nx + dx, ny + dy
            yield tuple(arm) if not self.lakes >> square & 1 else ()

    def _make_walk_moves(self, side: int, square: int) -> tuple[Mask, WalkMoves]:
        steps = [self.move(side, square, arm[0]) for arm in self.squares_by_direction[square] if arm]
        walk = {0: tuple(steps)}
        for step in steps:
            for own, left in list(walk.items()):
                walk[own | step.target_mask] = tuple([move for move in left if move is not step])
        return self.neighbours[square], walk

    def _make_scout_rays(self, side: int, square: int) -> Iterator[ScoutRay]:
        for arm in self.squares_by_direction[square]:
            if arm:
                moves = tuple(self.move(side, square, target) for target in arm)
                stops = [(0, moves, moves)] * (max(arm) + 2)
                for count, move in enumerate(moves):
                    stops[move.target_square + 1] = (move.target_mask, moves[: count + 1], moves[:count])
                yield ScoutRay(arm[0] > square, sum(move.target_mask for move in moves), tuple(stops))

    def squares_between(self, origin: int, target: int) -> tuple[int, ...]:
        """The squares strictly between two squares of one file or rank, lakes included."""
        step = self._step_towards(origin, target)
        return tuple(range(origin + step, target, step)) if step else ()

    def _step_towards(self, origin: int, target: int) -> int:
        """What to add to go from a square to the next one towards another; 0 unless in one line."""
        if origin == target:
            return 0
        sign = 1 if target > origin else -1
        if origin % self.size == target % self.size:
            return sign * self.size
        return sign if origin // self.size == target // self.size else 0

    def _crossed_borders(self, origin: int, target: int, step: int) -> int:
        """I12: the borders that a way crosses. One is named by the lower of its two squares and whether the
        way goes up or sideways: every bit of 2 * `step` from the first on, as many as there are steps."""
        apart = 2 * step
        crossed = abs(target - origin) // step
        every = ((1 << apart * crossed) - 1) // ((1 << apart) - 1)
        return every << 2 * min(origin, target) + (step == self.size)

    def _make_move(self, side: int, origin: int, target: int) -> StrategoMove:
        step = self._step_towards(origin, target)
        names = self.names
        move = StrategoMove()
        move.seat = SEATS[side]
        move.board = self.name
        move.side = side
        move.key = (self.name, side, origin, target)
        move.origin, move.target = names[origin], names[target]
        move.origin_square, move.target_square = origin, target
        move.origin_byte, move.target_byte = bytes((origin,)), bytes((target,))
        move.target_mask = 1 << target
        move.move_mask = 1 << origin | 1 << target
        move.target_neighbours = self.neighbours[target]
        move.is_long = abs(target - origin) not in (1, self.size) if step else True
        move.crossed_borders = self._crossed_borders(origin, target, abs(step)) if step else 0
        move.single_turn = (move,)
        move.quiet_events = ()
        return move


_BOARD_LAYOUTS: Final = {
    "8x8": (8, ("c4", "c5", "f4", "f5"), 3),  # B1, B2, B4
    "10x10": (10, ("c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"), 4),  # V1
}
_boards_by_name: dict[str, StrategoBoard] = {}


def board_by_name(name: str) -> StrategoBoard:
    """The board of that name, made when it is first asked for."""
    if name not in _boards_by_name:
        _boards_by_name[name] = StrategoBoard(name, *_BOARD_LAYOUTS[name])
    return _boards_by_name[name]


def _interned_move(name: str, side: int, at: int, to: int) -> StrategoMove:
    return board_by_name(name).move(side, at, to)


copyreg.pickle(StrategoMove, lambda move: (_interned_move, move.key))
