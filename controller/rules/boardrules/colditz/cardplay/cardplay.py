"""Playing cards, answering them, discarding them (1.6)."""

from __future__ import annotations

from boardrules.colditz.cardplay.effect_table import EFFECTS
from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.moving.step_effects import complete_arrest
from boardrules.colditz.state.answer_windows import Arrest, PlayedCard, open_answer_window
from boardrules.colditz.state.command_verb import Rest
from boardrules.colditz.state.facts import ColditzFacts
from boardrules.colditz.state.moves import pawn_in_transit
from boardrules.colditz.state.position_draft import PositionDraft
from boardrules.colditz.state.rules import HAND_LIMIT


def card_in_hand(facts: ColditzFacts, secrets: HiddenCards, side: int, name: str) -> int:
    """The card of that name in a hand, or -1."""
    cards = facts.rules.cards.cards
    return next((card for card in secrets.hands[side] if cards[card].id == name), -1)


def why_not_play(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R065, R066."""
    if not facts.tasks and pawn_in_transit(facts) >= 0:  # first, so that the code says nothing of the hand
        return "colditz/in-transit"
    number = card_in_hand(facts, secrets, side, rest[0]) if rest else -1
    if number < 0:
        return "colditz/no-such-card"
    card = facts.rules.cards.cards[number]
    effect = EFFECTS[card.effect]
    if facts.tasks:
        fits = effect.is_answer and effect.can_answer(facts, side, card, facts.tasks[-1].data[0])
        return None if fits and len(rest) == 1 else "colditz/card-when"
    if effect.is_answer:
        return "colditz/card-when"
    if effect.playable_phases is not None and facts.turn.phase not in effect.playable_phases:
        return "colditz/appel-when"
    return None if rest[1:] in effect.possible_aims(facts, side, card) else "colditz/card-target"


def do_play(draft: PositionDraft, side: int, rest: Rest) -> None:
    """The card is used; unless somebody answers, it does what it says (R067, R068)."""
    rules = draft.rules
    number = next(n for n in draft.secrets.hands[side] if rules.cards.cards[n].id == rest[0])
    card = rules.cards.cards[number]
    effect = EFFECTS[card.effect]
    draft.add_event("play", seat=rules.seats[side], card=card.id, aim=list(rest[1:]))
    draft.discard_card(side, number)
    if draft.tasks:
        effect.apply_answer(draft, side, card, draft.pop_task().data[0])
        return
    asked = effect.interrupters(draft, side, rest[1:])
    event = PlayedCard(side, number, card.effect, card.deck, asked[0] if asked else -1, rest[1:])
    if not open_answer_window(draft, asked, event):
        carry_out_event(draft, event)


def do_pass(draft: PositionDraft, side: int, rest: Rest) -> None:
    """Nobody answers: the next one is asked, and after the last one it happens (R068)."""
    event, others = draft.pop_task().data
    if others:
        draft.push_task("answer", others[0], event, others[1:])
    else:
        carry_out_event(draft, event)


def carry_out_event(draft: PositionDraft, event: Arrest | PlayedCard) -> None:
    """What was to come."""
    if isinstance(event, Arrest):
        complete_arrest(draft, event.guard, event.man)
    else:
        EFFECTS[event.effect].play(draft, event.side, draft.rules.cards.cards[event.card_number], event.aim)


def why_not_discard(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R063: only what is too many."""
    if facts.table.hand_sizes[side] <= HAND_LIMIT:
        return "colditz/hand-fits"
    number = card_in_hand(facts, secrets, side, rest[0]) if len(rest) == 1 else -1
    return None if number >= 0 and facts.rules.counts_against_limit(number) else "colditz/no-such-card"


def do_discard(draft: PositionDraft, side: int, rest: Rest) -> None:
    """Face down under the deck (R067)."""
    number = next(n for n in draft.secrets.hands[side] if draft.rules.cards.cards[n].id == rest[0])
    draft.discard_card(side, number)
    draft.add_event("discard", seat=draft.rules.seats[side])
    draft.add_private_event((side,), "discarded", seat=draft.rules.seats[side], card=rest[0])
