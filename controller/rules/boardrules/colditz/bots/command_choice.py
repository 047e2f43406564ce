"""What a seat may say and play in one choice."""

from __future__ import annotations

from collections.abc import Sequence

from boardrules.colditz.castle.actions import Command, PawnStep
from boardrules.colditz.deck.cards import Card
from boardrules.colditz.views import ColditzView
from boardrules.core import Action


class CommandChoice:
    """A view, and its legal actions by kind."""

    def __init__(self, view: ColditzView, legal: Sequence[Action]) -> None:
        self.view, self.legal, self.facts = view, legal, view.facts
        self.rules, self.board = view.facts.rules, view.facts.rules.board
        self.commands = [action for action in legal if isinstance(action, Command)]
        self.steps = [action for action in legal if isinstance(action, PawnStep)]

    def matching_command(self, head: str, *rest: str) -> list[Action]:
        """The first word that begins like this, if there is one."""
        for word in self.commands:
            if word.head == head and word.rest[: len(rest)] == rest:
                return [word]
        return []

    def card_plays(self, *effects: str) -> list[tuple[Command, Card]]:
        """The words that play a card with one of these effects, and the cards."""
        found = []
        for word in self.commands:
            if word.head == "play":
                card = self.rules.cards.cards[self.rules.card_numbers[word.rest[0]]]
                if card.effect in effects:
                    found.append((word, card))
        return found
