"""What a seat can't tell from the real game: cards dealt anew among what it doesn't see.

A view says how many cards a hand, a deck and a pile hold, and not which were put under a deck: of those only
a card that was just played is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from boardrules.colditz.deck.hidden_cards import Deck, HiddenCards
from boardrules.colditz.play import ColditzState
from boardrules.colditz.state.answer_windows import PlayedCard
from boardrules.colditz.state.facts import ColditzFacts
from boardrules.colditz.state.rules import OPPORTUNITY_DECK, PARTS_PILE, SECURITY_DECK
from boardrules.colditz.views import ColditzView, SeatKnowledge
from boardrules.core import View
from boardrules.players import Chance

_Goods = tuple[int, ...]


def resample(view: View, chance: Chance) -> ColditzState:
    """A state that the seat of a view can't tell from the real one; each deal is as likely.

    Raises `ValueError` for a view of nobody's, and of a game that is over.
    """
    if view.seat is None or not isinstance(view, ColditzView) or view.outcome is not None:
        raise ValueError("expected the view of a seat whose game goes on")
    facts, own = view.facts, view.own_knowledge
    hands, decks = _deal_hands(facts, facts.rules.seats.index(view.seat), own.hand, chance)
    gear = _deal_gear(facts, chance) if own.gear is None else own.gear
    return ColditzState(facts, HiddenCards(hands, gear, decks, _offer(facts, own, gear, chance)))


def _deal_hands(
    facts: ColditzFacts, side: int, hand: tuple[int, ...], chance: Chance
) -> tuple[tuple[tuple[int, ...], ...], tuple[Deck, Deck, Deck]]:
    """By side its cards, and the decks with what is left; `hand` is that of `side`."""
    rules, table = facts.rules, facts.table
    events = [task.data[0] for task in facts.tasks if task.kind == "answer"]
    played = [event.card_number for event in events if isinstance(event, PlayedCard)]
    copies = Counter({number: card.copies for number, card in enumerate(rules.cards.cards)})
    unseen: list[list[int]] = [[], [], []]
    for card in sorted((copies - Counter(hand) - Counter(played)).elements()):
        unseen[rules.deck_of(card)].append(card)
    piles = [chance.sample(pile, len(pile)) for pile in unseen]
    hands = []
    for other in rules.sides:
        cards = list(hand)
        if other != side:
            drawn = OPPORTUNITY_DECK if other else SECURITY_DECK
            cards = [piles[drawn].pop() for _ in range(table.hand_sizes[other])]
            cards += [piles[PARTS_PILE].pop() for _ in range(table.part_counts[other])]
        hands.append(tuple(sorted(cards)))
    first, second, third = (
        Deck(_counted(pile), tuple(card for card in played if rules.deck_of(card) == which))
        for which, pile in enumerate(piles)
    )
    return tuple(hands), (first, second, third)


def _counted(cards: Iterable[int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(Counter(cards).items()))


def _deal_gear(facts: ColditzFacts, chance: Chance) -> tuple[_Goods, ...]:
    """By side how many cards of each kind of Equipment it holds."""
    rules, table = facts.rules, facts.table
    held = [
        kind
        for kind, (whole, left) in enumerate(zip(rules.cards.supply, table.supply, strict=True))
        for _ in range(whole - left)
    ]
    held = chance.sample(held, len(held))
    found = []
    for side in rules.sides:
        own = [held.pop() for _ in range(table.equipment_counts[side])]
        found.append(tuple(own.count(kind) for kind in range(len(table.supply))))
    return tuple(found)


def _offer(
    facts: ColditzFacts, own: SeatKnowledge, gear: Sequence[_Goods], chance: Chance
) -> tuple[_Goods, _Goods] | None:
    """What is on offer: as the seat knows it, else a gift or an exchange of one card for one."""
    task = facts.tasks[-1] if facts.tasks else None
    if own.offer is not None or task is None or task.kind != "trade":
        return own.offer
    none = (0,) * len(gear[0])
    given, wanted = (
        [tuple(int(kind == one) for kind in range(len(none))) for one, count in enumerate(goods) if count]
        for goods in (gear[task.data[0]], gear[task.side])
    )
    offers = [(give, none) for give in given] + [(none, want) for want in wanted]
    offers += [(give, want) for give in given for want in wanted if give != want]
    return offers[chance.randrange(len(offers))]
