"""Set-ups: drawn by people's habits, or anyhow."""

from __future__ import annotations

from boardrules.players import Chance
from boardrules.stratego.actions import SEATS, Setup
from boardrules.stratego.pieces import BOMB, FLAG, RANKS, SIGNS
from boardrules.stratego.players.beliefs import picked
from boardrules.stratego.players.habits import habit, near_flag
from boardrules.stratego.rules import Rules
from boardrules.stratego.setup import draw_setup


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
