"""Set-ups: drawn by people's habits, or anyhow."""

from __future__ import annotations

from typing import Final

from boardrules.players import Chance
from boardrules.stratego.actions import SEATS, Setup
from boardrules.stratego.pieces import BOMB, FLAG, RANKS, SIGNS
from boardrules.stratego.players.beliefs import picked
from boardrules.stratego.players.habits import habit, near_flag
from boardrules.stratego.rules import Rules
from boardrules.stratego.setup import draw_setup

TRIES: Final = 30
"""How often an army is drawn anew to cover its flag."""


def sheltered(rules: Rules, seat: str, chance: Chance, *, by_habit: bool) -> Setup:
    """An army whose flag no Scout takes at once: a piece of its own stands before it.

    Drawn anew up to `TRIES` times, as a set-up mask may leave no such place.
    """
    for _ in range(TRIES):
        found = set_up(rules, seat, chance, by_habit=by_habit)
        if _covered(rules, found):
            break
    return found


def _covered(rules: Rules, setup: Setup) -> bool:
    at = {rules.board.squares[square]: rank for square, rank in setup.pieces}
    flag = next(square for square, rank in at.items() if rank == "F")
    step = -rules.board.size if setup.seat == SEATS[1] else rules.board.size
    before = range(flag + step, len(rules.board.names) if step > 0 else -1, step)
    return any(square in at for square in before)


def set_up(rules: Rules, seat: str, chance: Chance, *, by_habit: bool) -> Setup:
    """An army of a seat that the rules take."""
    if not by_habit:
        return draw_setup(rules, seat, chance)
    side, board = SEATS.index(seat), rules.board
    weights = habit(board, side)
    free = [square for square in range(len(board.names)) if rules.mask[side] >> square & 1]
    army = sorted((RANKS[sign] for sign in rules.army for _ in range(rules.army[sign])), reverse=True)
    flag, pieces = -1, []
    for rank in army:  # the flag first, then bombs, then by strength
        odds = [weights[rank][square] for square in free]
        if rank == BOMB and flag >= 0:
            odds = [
                odd * near_flag(board, flag, square, rank) for odd, square in zip(odds, free, strict=True)
            ]
        square = free.pop(picked(odds, sum(odds) * chance.random()))
        if rank == FLAG:
            flag = square
        pieces.append((board.names[square], SIGNS[rank]))
    return Setup(seat, pieces)
