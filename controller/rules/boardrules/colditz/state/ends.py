"""How a game ends (1.13, 1.14)."""

from __future__ import annotations

from typing import Final

from boardrules.colditz.castle.actions import SECURITY
from boardrules.colditz.state.facts import ReadablePosition
from boardrules.core import Outcome, joined_seats

ESCAPES: Final = "escapes"
COMMON_TARGET: Final = "common-target"
ROUNDS: Final = "rounds"
NOBODY_LEFT: Final = "nobody-left"

REASONS: Final = (ESCAPES, COMMON_TARGET, ROUNDS, NOBODY_LEFT)
"""Why a game ends: two escapes of a nation, the common target, no rounds left, no officer left."""

ESCAPES_TO_WIN: Final = 2  # R145


def escape_outcome(position: ReadablePosition) -> Outcome | None:
    """R145 or R152: who has won, once the round is over."""
    rules, table = position.rules, position.table
    if rules.common_target is not None:
        if sum(table.escape_counts) >= rules.common_target:
            return Outcome(joined_seats([rules.seats[side] for side in rules.officers]), COMMON_TARGET)
    else:
        winners = [
            rules.seats[side] for side in rules.officers if table.escape_counts[side] >= ESCAPES_TO_WIN
        ]
        if winners:
            return Outcome(joined_seats(winners), ESCAPES)
    return None


def round_outcome(position: ReadablePosition) -> Outcome | None:
    """R145 or R152, then R146: what the end of a round brings."""
    return escape_outcome(position) or (Outcome(SECURITY, ROUNDS) if position.table.round == 1 else None)


def deserted_outcome(position: ReadablePosition) -> Outcome | None:
    """G18: no Escape Officer is left, so nothing more happens in this round; who had won it has (R145)."""
    left = [side for side in position.rules.officers if not position.table.left_sides >> side & 1]
    return None if left else escape_outcome(position) or Outcome(SECURITY, NOBODY_LEFT)
