"""What a word of the game is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from boardrules.colditz.deck.hidden import Secrets
from boardrules.colditz.state.draft import Draft
from boardrules.colditz.state.facts import Facts

Rest = tuple[str, ...]
"""The words after the first."""


class Verb(NamedTuple):
    """One word: when it is in place, why it is refused, what it does."""

    at: tuple[str, ...]
    """The phases and the open tasks in which it is in place."""
    why: Callable[[Facts, Secrets, int, Rest], str | None]
    do: Callable[[Draft, int, Rest], None]


def alone(facts: Facts, secrets: Secrets, side: int, rest: Rest) -> str | None:
    """A word that stands alone and is always allowed in its place."""
    return "colditz/unknown-action" if rest else None
