"""How throws begin: what they are for is said here, what they bring stands in `turns`."""

from __future__ import annotations

from typing import Final

from boardrules.colditz.state.facts import CHANCE_SIDE
from boardrules.colditz.state.position_draft import PositionDraft

MOVEMENT_ROLL: Final = "move"
"""What a throw is for, where it isn't for a card."""


def begin_throws(draft: PositionDraft, side: int, purpose: tuple[object, ...]) -> None:
    """Both dice are thrown (R005)."""
    draft.push_task("dice", CHANCE_SIDE, side, purpose, ())
