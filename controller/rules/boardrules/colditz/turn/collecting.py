"""Equipment and Escape Kits: collected, put together, traded, given up (1.9, 1.10)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from typing import Final

from boardrules.colditz.castle.actions import Command
from boardrules.colditz.castle.plan import SYMBOLS
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS, KIT_PARTS
from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.state.command_verb import Rest
from boardrules.colditz.state.facts import AFTER_ROLL, BEFORE_ROLL, ColditzFacts, ReadablePosition
from boardrules.colditz.state.moves import pawn_in_transit
from boardrules.colditz.state.position_draft import PositionDraft
from boardrules.colditz.state.rules import ColditzRules
from boardrules.core import Seat

PAIR_SIZE: Final = 2  # R091
Goods = tuple[int, ...]
"""By kind of Equipment how many."""


def men_by_room_symbol(position: ReadablePosition, side: int) -> list[int]:
    """By symbol how many men of a side are in rooms that show it."""
    symbol, where = position.rules.board.symbol, position.node_by_pawn
    counts = [0] * (len(SYMBOLS) + 1)  # the last is for symbol -1: no room
    pawns = position.rules.pawns[side]
    for node in where[pawns[0] : pawns[-1] + 1]:
        counts[symbol[node]] += 1
    return counts


def why_not_claim(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R091, R094."""
    if len(rest) != 1 or rest[0] not in EQUIPMENT_KINDS or not side:
        return "colditz/unknown-action"
    if pawn_in_transit(facts) >= 0:
        return "colditz/in-transit"
    kind = EQUIPMENT_KINDS.index(rest[0])
    if men_by_room_symbol(facts, side)[kind] < PAIR_SIZE:
        return "colditz/no-pair"
    return None if facts.table.supply[kind] else "colditz/empty-pile"


def do_claim(draft: PositionDraft, side: int, rest: Rest) -> None:
    """R091; both men then go to the Appel area (R092)."""
    kind = EQUIPMENT_KINDS.index(rest[0])
    draft.add_event("take", seat=draft.rules.seats[side], item=rest[0])
    draft.add_gear(side, kind, 1)
    draft.push_task("muster", side, kind, kind)


def why_not_kit(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R100 to R103: men in the rooms, and part cards instead of some of them."""
    table = facts.table
    if not side:
        return "colditz/unknown-action"
    if pawn_in_transit(facts) >= 0:
        return "colditz/in-transit"
    if table.has_kit[side]:
        return "colditz/has-kit"
    if not table.kits_left:
        return "colditz/empty-pile"
    missing = _missing_kit_symbols(facts.rules, secrets.hands[side], rest)
    if missing is None:
        return "colditz/kit-cards"
    rooms = men_by_room_symbol(facts, side)
    return None if all(rooms[symbol] for symbol in missing) else "colditz/kit-rooms"


def _missing_kit_symbols(rules: ColditzRules, hand: tuple[int, ...], rest: Rest) -> list[int] | None:
    """The symbols that men have to be in rooms of beside these cards; `None` if the cards don't serve."""
    cards = rules.cards.cards
    parts = Counter(cards[card].id for card in hand if cards[card].effect == "part")
    if Counter(rest) - parts or tuple(sorted(rest)) != rest:
        return None
    left = set(KIT_PARTS)
    for name in rest:
        symbols = set(cards[rules.card_numbers[name]].param("symbols"))
        if not symbols <= left:
            return None
        left -= symbols
    return [SYMBOLS.index(symbol) for symbol in KIT_PARTS if symbol in left]


def do_assemble_kit(draft: PositionDraft, side: int, rest: Rest) -> None:
    """The Kit is taken; the men go to the Appel area (R102), the cards under their deck (R067, R104)."""
    missing = _missing_kit_symbols(draft.rules, draft.secrets.hands[side], rest)
    assert missing is not None  # it was allowed
    for name in rest:
        draft.discard_card(side, draft.rules.card_numbers[name])
    kits = list(draft.table.has_kit)
    kits[side] = True
    draft.change_table(has_kit=tuple(kits), kits_left=draft.table.kits_left - 1)
    draft.add_event("kit", seat=draft.rules.seats[side], cards=list(rest))
    if missing:
        draft.push_task("muster", side, *missing)


@lru_cache(maxsize=4096)
def possible_kits(rules: ColditzRules, hand: tuple[int, ...]) -> tuple[tuple[Rest, tuple[int, ...]], ...]:
    """The cards of a hand that a Kit could be put together with, and the symbols that rooms have to show."""
    cards = rules.cards.cards
    parts = sorted({cards[card].id for card in hand if cards[card].effect == "part"})
    choices = (
        chosen for count in range(min(len(parts), PAIR_SIZE) + 1) for chosen in combinations(parts, count)
    )
    found = ((chosen, _missing_kit_symbols(rules, hand, chosen)) for chosen in choices)
    return tuple((chosen, tuple(symbols)) for chosen, symbols in found if symbols is not None)


# Trades


def goods_of_words(words: Rest) -> Goods | None:
    """Kinds as counts, if they stand in their order."""
    if list(words) != sorted(
        words, key=lambda word: EQUIPMENT_KINDS.index(word) if word in EQUIPMENT_KINDS else -1
    ):
        return None
    return (
        tuple(words.count(kind) for kind in EQUIPMENT_KINDS)
        if all(word in EQUIPMENT_KINDS for word in words)
        else None
    )


@lru_cache(maxsize=4096)
def read_trade(seats: tuple[Seat, ...], rest: Rest) -> tuple[int, Goods, Goods] | None:
    """With whom, what is given, what is wanted; `None` if the words don't say it."""
    if "for" not in rest or rest[0] not in seats:
        return None
    split = rest.index("for")
    give, want = goods_of_words(rest[1:split]), goods_of_words(rest[split + 1 :])
    if give is None or want is None or not any(give + want):
        return None
    return seats.index(rest[0]), give, want


MAX_OFFERS: Final = 3
"""R093: how many offers one officer makes another in a turn; a trade that is accepted uses up all of both."""


def offer_count(traded: int, one: int, other: int) -> int:
    """How many offers from one to the other `Turn.trade_offers` counts."""
    return traded >> _offer_bit_shift(one, other) & MAX_OFFERS


def _offer_bit_shift(one: int, other: int) -> int:
    return 2 * (one * 8 + other)


def why_not_trade(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R093: by any officer in any officer's turn, once a pair and turn; offers are counted, so that no turn
    goes on for ever. Who has a pawn on its way keeps what it may need to get on (R045)."""
    turn = facts.turn
    if not side or not turn.side or turn.phase not in (BEFORE_ROLL, AFTER_ROLL):
        return "colditz/trade-when"
    read = read_trade(facts.rules.seats, rest)
    if read is None:
        return "colditz/unknown-action"
    other, give, want = read
    if other in (0, side) or facts.table.left_sides >> other & 1:
        return "colditz/trade-with"
    if turn.side in (side, other) and pawn_in_transit(facts) >= 0:
        return "colditz/in-transit"
    if offer_count(turn.trade_offers, side, other) >= MAX_OFFERS:
        return "colditz/traded"
    mine, others = secrets.gear[side], secrets.gear[other]
    enough = all(a >= b for a, b in zip(mine + others, give + want, strict=True))
    return None if enough else "colditz/trade-goods"


def do_trade(draft: PositionDraft, side: int, rest: Rest) -> None:
    """The other one is asked; how much is public, which kinds isn't (R095, G20)."""
    read = read_trade(draft.rules.seats, rest)
    assert read is not None  # it was allowed
    other, give, want = read
    seats = draft.rules.seats
    draft.change_turn(trade_offers=draft.turn.trade_offers + (1 << _offer_bit_shift(side, other)))
    draft.add_event("offer", seat=seats[side], to=seats[other], give=sum(give), want=sum(want))
    whole = {
        "seat": seats[side],
        "to": seats[other],
        "give": goods_as_words(give),
        "want": goods_as_words(want),
    }
    draft.add_private_event(tuple(draft.rules.officers), "offered", **whole)
    draft.push_task("trade", other, side)
    # What is on offer is hidden (R095): it stands in the secrets until it is answered.
    draft.change_secrets(offer=(give, want))


def goods_as_words(what: Goods) -> list[str]:
    """Goods as words."""
    return [kind for kind, count in zip(EQUIPMENT_KINDS, what, strict=True) for _ in range(count)]


def do_accept(draft: PositionDraft, side: int, rest: Rest) -> None:
    """Both exchange (R093)."""
    other = draft.pop_task().data[0]
    assert draft.secrets.offer is not None  # the window is open
    give, want = draft.secrets.offer
    gear = draft.secrets.gear
    theirs = tuple(a - b + c for a, b, c in zip(gear[other], give, want, strict=True))
    mine = tuple(a + b - c for a, b, c in zip(gear[side], give, want, strict=True))
    draft.set_gear(other, theirs)
    draft.set_gear(side, mine)
    draft.change_secrets(offer=None)
    done = MAX_OFFERS << _offer_bit_shift(side, other) | MAX_OFFERS << _offer_bit_shift(other, side)
    draft.change_turn(trade_offers=draft.turn.trade_offers | done)
    seats = draft.rules.seats
    draft.add_event("trade", seat=seats[other], to=seats[side], give=sum(give), want=sum(want))


def do_decline(draft: PositionDraft, side: int, rest: Rest) -> None:
    """Nothing changes hands."""
    draft.pop_task()
    draft.change_secrets(offer=None)
    draft.add_event("decline", seat=draft.rules.seats[side])


@lru_cache(maxsize=4096)
def simple_trades(
    seats: tuple[Seat, ...], side: int, traded: int, out: int, gear: tuple[Goods, ...]
) -> tuple[Command, ...]:
    """Gifts of one card and exchanges of one for one: those of all trades that are listed."""
    words = []
    for other in range(1, len(seats)):
        if other == side or out >> other & 1 or offer_count(traded, side, other) >= MAX_OFFERS:
            continue
        mine = [kind for kind, count in zip(EQUIPMENT_KINDS, gear[side], strict=True) if count]
        theirs = [kind for kind, count in zip(EQUIPMENT_KINDS, gear[other], strict=True) if count]
        words += [Command(seats[side], "trade", seats[other], kind, "for") for kind in mine]
        words += [Command(seats[side], "trade", seats[other], "for", kind) for kind in theirs]
        words += [
            Command(seats[side], "trade", seats[other], a, "for", b) for a in mine for b in theirs if a != b
        ]
    return tuple(words)


# Giving up


def why_not_surrender(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R087: what he has."""
    if len(rest) != 1 or rest[0] not in EQUIPMENT_KINDS:
        return "colditz/unknown-action"
    return None if secrets.gear[side][EQUIPMENT_KINDS.index(rest[0])] else "colditz/no-equipment"


def do_surrender(draft: PositionDraft, side: int, rest: Rest) -> None:
    """Back to the supply (A9)."""
    draft.pop_task()
    draft.add_event("surrender", seat=draft.rules.seats[side], item=rest[0])
    draft.add_gear(side, EQUIPMENT_KINDS.index(rest[0]), -1)
