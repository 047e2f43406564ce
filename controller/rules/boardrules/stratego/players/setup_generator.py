"""Set-ups: drawn by people's habits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from boardrules.core import Seat
from boardrules.players import Chance
from boardrules.stratego.actions import SEATS, StrategoSetup
from boardrules.stratego.pieces import BOMB, FLAG, RANK_BY_SIGN, RANK_SIGNS
from boardrules.stratego.players.beliefs import pick_weighted
from boardrules.stratego.players.setup_habits import flag_neighbour_factor, placement_weights
from boardrules.stratego.players.setup_heuristics import SetupZone
from boardrules.stratego.rules import StrategoRules

FLAG_EVENNESS: Final = 0.1
"""By which power of people's habit a file is drawn for the Flag; its row is drawn by habit. They put four of
ten Flags in a corner: whoever ran there would win too often."""
MAX_DRAWS: Final = 60
"""How often at most it is drawn anew to make sense: about one in three does ..."""
MAX_DRAWS_CONSTRAINED: Final = 12
"""... and how often where that may be impossible."""
SuitabilityTest = Callable[[int, int], bool]
"""Whether a piece of a rank should stand on a square."""


def generate_setup(
    rules: StrategoRules,
    seat: Seat,
    chance: Chance,
    kept: Mapping[str, str],
    fits: SuitabilityTest,
) -> StrategoSetup:
    """An army of a seat that the rules take, drawn by people's habits.

    It has the pieces that are `kept` (square -> rank), which the rules take, and stands the others only where
    that `fits`, as long as there is such a square.
    """
    side, board = SEATS.index(seat), rules.board
    weights = placement_weights(board, side)
    free = [square for square in board.spaces_of_mask(rules.setup_masks[side]) if square not in kept]
    pieces = list(kept.items())
    flag = next((board.squares[square] for square, sign in pieces if sign == "F"), -1)
    for rank in _ranks_to_place(rules, kept):  # the flag first, then bombs, then by strength
        squares = [board.squares[square] for square in free]
        odds = [weights[rank][square] for square in squares]
        if rank == FLAG:
            odds = _evened(odds, [square // board.size for square in squares])
        elif rank == BOMB and flag >= 0:
            odds = [
                odd * flag_neighbour_factor(board, flag, square, rank)
                for odd, square in zip(odds, squares, strict=True)
            ]
        fitting = [odd * fits(rank, square) for odd, square in zip(odds, squares, strict=True)]
        odds = fitting if any(fitting) else odds
        place = free.pop(pick_weighted(odds, sum(odds) * chance.random()))
        if rank == FLAG:
            flag = board.squares[place]
        pieces.append((place, RANK_SIGNS[rank]))
    return StrategoSetup(seat, pieces)


def _evened(odds: Sequence[float], rows: Sequence[int]) -> list[float]:
    """The same for each row, but nearly alike within it."""
    even = [odd**FLAG_EVENNESS for odd in odds]
    share = {
        row: sum(odd for odd, its in zip(odds, rows, strict=True) if its == row)
        / sum(odd for odd, its in zip(even, rows, strict=True) if its == row)
        for row in set(rows)
    }
    return [odd * share[row] for odd, row in zip(even, rows, strict=True)]


def _ranks_to_place(rules: StrategoRules, kept: Mapping[str, str]) -> list[int]:
    """The ranks that are still to stand, the highest first."""
    left = list(rules.sorted_ranks)
    for sign in kept.values():
        left.remove(RANK_BY_SIGN[sign])
    return left[::-1]


def sensible_setup(
    rules: StrategoRules, seat: Seat, chance: Chance, kept: Mapping[str, str] = {}
) -> StrategoSetup:
    """An army that a club player would not laugh at (`setup_heuristics`), with the pieces that are `kept`.

    Where a set-up mask, or what is kept, leaves no such army, it is the least foolish of those drawn.
    """
    ground = SetupZone(rules, seat)
    found: list[tuple[int, StrategoSetup]] = []
    masked = rules.options["setup_mask"] != "whole"
    while len(found) < (MAX_DRAWS_CONSTRAINED if kept or masked else MAX_DRAWS):
        setup = generate_setup(rules, seat, chance, kept, ground.is_sensible)
        follies = len(ground.find_follies(dict(setup.pieces)))
        if not follies:
            return setup
        found.append((follies, setup))
    return min(found, key=lambda each: each[0])[1]
