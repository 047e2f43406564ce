"""What is hidden of a position: hands, Equipment, the order of the decks. What is public is in `facts`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple


class Deck(NamedTuple):
    """A deck: the shuffled part, whose order nobody knows, above the cards that were put under it (R067).

    Drawing from the shuffled part by chance is the same as having shuffled it: so there is no order to keep.
    """

    shuffled: tuple[tuple[int, int], ...]
    """Card and how many of it ..."""
    bottom_cards: tuple[int, ...] = ()
    """... and the cards below, in order."""

    @property
    def size(self) -> int:
        """How many cards there are."""
        return sum(count for _, count in self.shuffled) + len(self.bottom_cards)

    def possible_tops(self) -> tuple[tuple[int, int], ...]:
        """The cards that may be on top, each with its weight."""
        return self.shuffled or tuple((card, 1) for card in self.bottom_cards[:1])

    def after_draw(self, card: int) -> Deck:
        """The deck after that card was drawn."""
        if not self.shuffled:
            return Deck((), self.bottom_cards[1:])
        rest = []
        for pair in self.shuffled:
            if pair[0] != card:
                rest.append(pair)
            elif pair[1] > 1:
                rest.append((card, pair[1] - 1))
        return Deck(tuple(rest), self.bottom_cards)

    def after_discard(self, card: int) -> Deck:
        """The deck after that card was put under it."""
        return Deck(self.shuffled, (*self.bottom_cards, card))

    def __repr__(self) -> str:
        return "<deck>"


@dataclass(slots=True, unsafe_hash=True, repr=False)
class HiddenCards:
    """The hidden part. Its `repr` tells nothing."""

    hands: Final[tuple[tuple[int, ...], ...]]
    """By side its cards, sorted."""
    gear: Final[tuple[tuple[int, ...], ...]]
    """By side how many cards it holds of each kind of Equipment."""
    decks: Final[tuple[Deck, Deck, Deck]]
    """Opportunity, Security, parts of Kits (with six players)."""
    offer: Final[tuple[tuple[int, ...], tuple[int, ...]] | None] = None
    """While a trade waits for its answer, what is given and wanted of each kind."""

    def __repr__(self) -> str:
        return "<hidden cards>"
