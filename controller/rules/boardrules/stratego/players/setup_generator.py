"""Set-ups: drawn by people's habits, or anyhow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from boardrules.core import Seat
from boardrules.players import Chance
from boardrules.stratego.actions import SEATS, StrategoSetup
from boardrules.stratego.pieces import BOMB, FLAG, RANKS, SIGNS
from boardrules.stratego.players.beliefs import pick_weighted
from boardrules.stratego.players.setup_habits import habit, near_flag
from boardrules.stratego.players.setup_heuristics import SetupZone
from boardrules.stratego.rules import StrategoRules
from boardrules.stratego.setup import draw_setup

MAX_SHELTER_DRAWS: Final = 30
MAX_DRAWS: Final = 60
"""How often at most it is drawn anew to make sense: about one in three does ..."""
MAX_DRAWS_CONSTRAINED: Final = 12
"""... and how often where that may be impossible."""
Fits = Callable[[int, int], bool]
"""Whether a piece of a rank should stand on a square."""


def has_sheltered_flag(rules: StrategoRules, seat: Seat, chance: Chance, *, by_habit: bool) -> StrategoSetup:
    """An army whose flag no Scout takes at once: a piece of its own stands before it.

    Drawn anew up to `MAX_SHELTER_DRAWS` times, as a set-up mask may leave no such place.
    """
    for _ in range(MAX_SHELTER_DRAWS):
        found = set_up(rules, seat, chance, by_habit=by_habit)
        if _covered(rules, found):
            break
    return found


def _covered(rules: StrategoRules, setup: StrategoSetup) -> bool:
    at = {rules.board.squares[square]: rank for square, rank in setup.pieces}
    flag = next(square for square, rank in at.items() if rank == "F")
    step = -rules.board.size if setup.seat == SEATS[1] else rules.board.size
    before = range(flag + step, len(rules.board.names) if step > 0 else -1, step)
    return any(square in at for square in before)


def set_up(
    rules: StrategoRules,
    seat: Seat,
    chance: Chance,
    *,
    by_habit: bool,
    kept: Mapping[str, str] = {},
    fits: Fits = lambda rank, square: True,
) -> StrategoSetup:
    """An army of a seat that the rules take.

    By habit it has the pieces that are `kept` (square -> rank), which the rules take, and stands the others
    only where that `fits`, as long as there is such a square.
    """
    if not by_habit:
        return draw_setup(rules, seat, chance)
    side, board = SEATS.index(seat), rules.board
    weights = habit(board, side)
    free = [square for square in board.spaces(rules.mask[side]) if square not in kept]
    pieces = list(kept.items())
    flag = next((board.squares[square] for square, sign in pieces if sign == "F"), -1)
    for rank in _missing(rules, kept):  # the flag first, then bombs, then by strength
        squares = [board.squares[square] for square in free]
        odds = [weights[rank][square] for square in squares]
        if rank == BOMB and flag >= 0:
            odds = [
                odd * near_flag(board, flag, square, rank) for odd, square in zip(odds, squares, strict=True)
            ]
        fitting = [odd * fits(rank, square) for odd, square in zip(odds, squares, strict=True)]
        odds = fitting if any(fitting) else odds
        place = free.pop(pick_weighted(odds, sum(odds) * chance.random()))
        if rank == FLAG:
            flag = board.squares[place]
        pieces.append((place, SIGNS[rank]))
    return StrategoSetup(seat, pieces)


def _missing(rules: StrategoRules, kept: Mapping[str, str]) -> list[int]:
    """The ranks that are still to stand, the highest first."""
    left = list(rules.roster)
    for sign in kept.values():
        left.remove(RANKS[sign])
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
        setup = set_up(rules, seat, chance, by_habit=True, kept=kept, fits=ground.fits)
        follies = len(ground.follies(dict(setup.pieces)))
        if not follies:
            return setup
        found.append((follies, setup))
    return min(found, key=lambda each: each[0])[1]
