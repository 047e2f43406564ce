"""What ends a game, in the order in which it is looked at (E1 to E6), and the readings of `no_move`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from boardrules.core import Event, Outcome
from boardrules.stratego.actions import SEATS

FLAG: Final = "flag"
NO_MOVE_LEFT: Final = "no-move"
QUIET_LIMIT: Final = "quiet-limit"
RESIGNATION: Final = "resignation"
AGREED: Final = "agreed"
TIME: Final = "time"

REASONS: Final = (FLAG, NO_MOVE_LEFT, QUIET_LIMIT, RESIGNATION, AGREED, TIME)


def win_outcome(side: int, reason: str) -> Outcome:
    """The side wins."""
    return Outcome(SEATS[side], reason)


def over_event(outcome: Outcome) -> Event:
    """What everybody is told at the end."""
    return Event("over", (("winner", outcome.winner), ("reason", outcome.reason)))


class SideToMoveLoses:
    """E2, E6 by the booklet: who can neither move nor attack on his turn has lost."""

    def outcome_without_moves(self, side: int, other_moves: Callable[[], bool]) -> Outcome:
        """How it ends when the side to move has no legal action; `other_moves`: whether the other one has
        any, its bans left aside."""
        return win_outcome(1 - side, NO_MOVE_LEFT)

    def outcome_after_loss(self, side: int, has_movers: bool) -> Outcome | None:
        """How it ends, if so, when the side that has just acted lost its attacker: `side` is to move;
        `has_movers`: whether the other one has a piece left that can move at all."""
        return None


class MutualDraw(SideToMoveLoses):
    """Like the booklet, but a draw if the other side couldn't move either, its bans left aside."""

    def outcome_without_moves(self, side: int, other_moves: Callable[[], bool]) -> Outcome:
        """A draw, or as the booklet says."""
        return (
            super().outcome_without_moves(side, other_moves) if other_moves() else Outcome(None, NO_MOVE_LEFT)
        )


class EitherSide(MutualDraw):
    """Besides that, whoever is left without a movable piece by his own action loses at once (E3)."""

    def outcome_after_loss(self, side: int, has_movers: bool) -> Outcome | None:
        """E3."""
        return None if has_movers else win_outcome(side, NO_MOVE_LEFT)


NO_MOVE_RULES: Final = {
    "side_to_move_loses": SideToMoveLoses,
    "mutual_draw": MutualDraw,
    "either_side": EitherSide,
}
