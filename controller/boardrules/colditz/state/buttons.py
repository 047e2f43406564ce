"""What the buttons of a board say in this game, for players without a phone: all of it is public."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boardrules.colditz.castle.actions import Word
from boardrules.colditz.state.facts import CHANCE_SIDE, MAIN, Facts
from boardrules.colditz.state.moves import takeable
from boardrules.core import Action

BY_BUTTON: Final[Mapping[str, Mapping[str, str]]] = {
    "deploy": {"turn": "ready"},
    "before": {"choose": "roll"},
    "main": {"turn": "end"},
    "again": {"choose": "roll", "turn": "stay"},
    "offer": {"choose": "draw", "turn": "skip"},
    "answer": {"turn": "pass"},
    "trade": {"turn": "decline"},
    "appel": {"turn": "obey"},
    "markers": {"turn": "keep"},
}
"""By phase or open task: `turn` goes on without, `choose` throws or draws. Nothing here needs a card."""


def pressed(facts: Facts) -> Mapping[str, Action]:
    """By button what a short press of it says for whoever is to act."""
    turn = facts.turn
    side = facts.tasks[-1].side if facts.tasks else turn.side
    if facts.table.outcome is not None or side == CHANCE_SIDE:
        return {}
    words = BY_BUTTON.get(facts.tasks[-1].kind if facts.tasks else turn.phase, {})
    return {button: Word(facts.rules.seats[side], head) for button, head in words.items()}


def pointed(facts: Facts) -> tuple[tuple[str, Action], ...]:
    """The markers that the Security Officer may take, each by its upper circle (R117, R122)."""
    grid, turn = facts.rules.board, facts.turn
    asked = facts.tasks[-1].data[0] if facts.tasks and facts.tasks[-1].kind == "markers" else 0
    over = takeable(facts) if turn.phase == MAIN and not facts.tasks else []
    found = []
    for number, (crossing, side) in enumerate(zip(grid.crossings, facts.table.markers, strict=True)):
        if side and (side == asked or number in over):
            found.append(
                (grid.names[crossing.upper], Word(facts.rules.seats[0], "unmark", grid.crossing_name(number)))
            )
    return tuple(found)
