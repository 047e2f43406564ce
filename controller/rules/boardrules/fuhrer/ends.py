"""How a game ends: the reasons, and who has won by them."""

from __future__ import annotations

from typing import Final

from boardrules.core import Event, Outcome, Seat
from boardrules.fuhrer.actions import HITLER

ALLIES: Final = Seat("allies")
"""The side that wins if Hitler doesn't, whichever seats play it."""

MAX_ROUNDS: Final = 24
"""F21."""

CAPTURE: Final = "capture"
ESCAPED: Final = "escaped"
RESIGNATION: Final = "resignation"
TIME: Final = "time"
SHEET: Final = "sheet"

REASONS: Final = (CAPTURE, ESCAPED, RESIGNATION, TIME, SHEET)


def side_of_seat(seat: Seat) -> str:
    """The side of a seat: `hitler` or `allies`."""
    return HITLER if seat == HITLER else ALLIES


def outcome_of_loss(seat: Seat, reason: str) -> Outcome:
    """The side of `seat` has lost."""
    return Outcome(ALLIES if seat == HITLER else HITLER, reason)


def over_event(outcome: Outcome) -> Event:
    """What everybody is told at the end."""
    return Event("over", (("winner", outcome.winner), ("reason", outcome.reason)))
