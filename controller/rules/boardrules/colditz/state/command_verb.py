"""What a word of the game is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.state.facts import ColditzFacts
from boardrules.colditz.state.position_draft import PositionDraft

Rest = tuple[str, ...]
"""The words after the first."""


class CommandVerb(NamedTuple):
    """One word: when it is in place, why it is refused, what it does."""

    phases_and_tasks: tuple[str, ...]
    """The phases and the open tasks in which it is in place."""
    refusal_code: Callable[[ColditzFacts, HiddenCards, int, Rest], str | None]
    carry_out: Callable[[PositionDraft, int, Rest], None]


def refuse_arguments(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """A word that stands alone and is always allowed in its place."""
    return "colditz/unknown-action" if rest else None
