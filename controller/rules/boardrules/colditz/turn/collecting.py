"""Equipment and Escape Kits: collected, put together, traded, given up (1.9, 1.10)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from typing import Final

from boardrules.colditz.castle.actions import Command
from boardrules.colditz.castle.plan import SYMBOLS
from boardrules.colditz.deck.cards import KINDS, PARTS
from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.state.command_verb import Rest
from boardrules.colditz.state.facts import BEFORE, MAIN, ColditzFacts, ReadablePosition
from boardrules.colditz.state.moves import pawn_in_transit
from boardrules.colditz.state.position_draft import PositionDraft
from boardrules.colditz.state.rules import ColditzRules
from boardrules.core import Seat

PAIR: Final = 2  # R091
Goods = tuple[int, ...]
"""By kind of Equipment how many."""


def in_rooms(position: ReadablePosition, side: int) -> list[int]:
    """By symbol how many men of a side are in rooms that show it."""
    symbol, where = position.rules.board.symbol, position.where
    counts = [0] * (len(SYMBOLS) + 1)  # the last is for symbol -1: no room
    pawns = position.rules.pawns[side]
    for node in where[pawns[0] : pawns[-1] + 1]:
        counts[symbol[node]] += 1
    return counts


def why_claim(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R091, R094."""
    if len(rest) != 1 or rest[0] not in KINDS or not side:
        return "colditz/unknown-action"
    if pawn_in_transit(facts) >= 0:
        return "colditz/in-transit"
    kind = KINDS.index(rest[0])
    if in_rooms(facts, side)[kind] < PAIR:
        return "colditz/no-pair"
    return None if facts.table.supply[kind] else "colditz/empty-pile"


def do_claim(draft: PositionDraft, side: int, rest: Rest) -> None:
    """R091; both men then go to the Appel area (R092)."""
    kind = KINDS.index(rest[0])
    draft.add_event("take", seat=draft.rules.seats[side], item=rest[0])
    draft.add_gear(side, kind, 1)
    draft.push("muster", side, kind, kind)


def why_kit(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R100 to R103: men in the rooms, and part cards instead of some of them."""
    table = facts.table
    if not side:
        return "colditz/unknown-action"
    if pawn_in_transit(facts) >= 0:
        return "colditz/in-transit"
    if table.kits[side]:
        return "colditz/has-kit"
    if not table.kits_left:
        return "colditz/empty-pile"
    missing = _missing(facts.rules, secrets.hands[side], rest)
    if missing is None:
        return "colditz/kit-cards"
    rooms = in_rooms(facts, side)
    return None if all(rooms[symbol] for symbol in missing) else "colditz/kit-rooms"


def _missing(rules: ColditzRules, hand: tuple[int, ...], rest: Rest) -> list[int] | None:
    """The symbols that men have to be in rooms of beside these cards; `None` if the cards don't serve."""
    cards = rules.cards.cards
    parts = Counter(cards[card].id for card in hand if cards[card].effect == "part")
    if Counter(rest) - parts or tuple(sorted(rest)) != rest:
        return None
    left = set(PARTS)
    for name in rest:
        symbols = set(cards[rules.card[name]].param("symbols"))
        if not symbols <= left:
            return None
        left -= symbols
    return [SYMBOLS.index(symbol) for symbol in PARTS if symbol in left]


def do_kit(draft: PositionDraft, side: int, rest: Rest) -> None:
    """The Kit is taken; the men go to the Appel area (R102), the cards under their deck (R067, R104)."""
    missing = _missing(draft.rules, draft.secrets.hands[side], rest)
    assert missing is not None  # it was allowed
    for name in rest:
        draft.discard_card(side, draft.rules.card[name])
    kits = list(draft.table.kits)
    kits[side] = True
    draft.set_table(kits=tuple(kits), kits_left=draft.table.kits_left - 1)
    draft.add_event("kit", seat=draft.rules.seats[side], cards=list(rest))
    if missing:
        draft.push("muster", side, *missing)


@lru_cache(maxsize=4096)
def kits(rules: ColditzRules, hand: tuple[int, ...]) -> tuple[tuple[Rest, tuple[int, ...]], ...]:
    """The cards of a hand that a Kit could be put together with, and the symbols that rooms have to show."""
    cards = rules.cards.cards
    parts = sorted({cards[card].id for card in hand if cards[card].effect == "part"})
    choices = (chosen for count in range(min(len(parts), PAIR) + 1) for chosen in combinations(parts, count))
    found = ((chosen, _missing(rules, hand, chosen)) for chosen in choices)
    return tuple((chosen, tuple(symbols)) for chosen, symbols in found if symbols is not None)


# Trades


def goods(words: Rest) -> Goods | None:
    """Kinds as counts, if they stand in their order."""
    if list(words) != sorted(words, key=lambda word: KINDS.index(word) if word in KINDS else -1):
        return None
    return tuple(words.count(kind) for kind in KINDS) if all(word in KINDS for word in words) else None


@lru_cache(maxsize=4096)
def read_trade(seats: tuple[Seat, ...], rest: Rest) -> tuple[int, Goods, Goods] | None:
    """With whom, what is given, what is wanted; `None` if the words don't say it."""
    if "for" not in rest or rest[0] not in seats:
        return None
    split = rest.index("for")
    give, want = goods(rest[1:split]), goods(rest[split + 1 :])
    if give is None or want is None or not any(give + want):
        return None
    return seats.index(rest[0]), give, want


OFFERS: Final = 3
"""R093: how many offers one officer makes another in a turn; a trade that is accepted uses up all of both."""


def offers(traded: int, one: int, other: int) -> int:
    """How many offers from one to the other `Turn.traded` counts."""
    return traded >> _place(one, other) & OFFERS


def _place(one: int, other: int) -> int:
    return 2 * (one * 8 + other)


def why_trade(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R093: by any officer in any officer's turn, once a pair and turn; offers are counted, so that no turn
    goes on for ever. Who has a pawn on its way keeps what it may need to get on (R045)."""
    turn = facts.turn
    if not side or not turn.side or turn.phase not in (BEFORE, MAIN):
        return "colditz/trade-when"
    read = read_trade(facts.rules.seats, rest)
    if read is None:
        return "colditz/unknown-action"
    other, give, want = read
    if other in (0, side) or facts.table.out >> other & 1:
        return "colditz/trade-with"
    if turn.side in (side, other) and pawn_in_transit(facts) >= 0:
        return "colditz/in-transit"
    if offers(turn.traded, side, other) >= OFFERS:
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
    draft.set_turn(traded=draft.turn.traded + (1 << _place(side, other)))
    draft.add_event("offer", seat=seats[side], to=seats[other], give=sum(give), want=sum(want))
    whole = {"seat": seats[side], "to": seats[other], "give": gear_by_name(give), "want": gear_by_name(want)}
    draft.add_private_event(tuple(draft.rules.officers), "offered", **whole)
    draft.push("trade", other, side)
    # What is on offer is hidden (R095): it stands in the secrets until it is answered.
    draft.set_secrets(offer=(give, want))


def gear_by_name(what: Goods) -> list[str]:
    """Goods as words."""
    return [kind for kind, count in zip(KINDS, what, strict=True) for _ in range(count)]


def do_accept(draft: PositionDraft, side: int, rest: Rest) -> None:
    """Both exchange (R093)."""
    other = draft.pop().data[0]
    assert draft.secrets.offer is not None  # the window is open
    give, want = draft.secrets.offer
    gear = draft.secrets.gear
    theirs = tuple(a - b + c for a, b, c in zip(gear[other], give, want, strict=True))
    mine = tuple(a + b - c for a, b, c in zip(gear[side], give, want, strict=True))
    draft.set_gear(other, theirs)
    draft.set_gear(side, mine)
    draft.set_secrets(offer=None)
    done = OFFERS << _place(side, other) | OFFERS << _place(other, side)
    draft.set_turn(traded=draft.turn.traded | done)
    seats = draft.rules.seats
    draft.add_event("trade", seat=seats[other], to=seats[side], give=sum(give), want=sum(want))


def do_decline(draft: PositionDraft, side: int, rest: Rest) -> None:
    """Nothing changes hands."""
    draft.pop()
    draft.set_secrets(offer=None)
    draft.add_event("decline", seat=draft.rules.seats[side])


@lru_cache(maxsize=4096)
def simple_trades(
    seats: tuple[Seat, ...], side: int, traded: int, out: int, gear: tuple[Goods, ...]
) -> tuple[Command, ...]:
    """Gifts of one card and exchanges of one for one: those of all trades that are listed."""
    words = []
    for other in range(1, len(seats)):
        if other == side or out >> other & 1 or offers(traded, side, other) >= OFFERS:
            continue
        mine = [kind for kind, count in zip(KINDS, gear[side], strict=True) if count]
        theirs = [kind for kind, count in zip(KINDS, gear[other], strict=True) if count]
        words += [Command(seats[side], "trade", seats[other], kind, "for") for kind in mine]
        words += [Command(seats[side], "trade", seats[other], "for", kind) for kind in theirs]
        words += [
            Command(seats[side], "trade", seats[other], a, "for", b) for a in mine for b in theirs if a != b
        ]
    return tuple(words)


# Giving up


def why_surrender(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R087: what he has."""
    if len(rest) != 1 or rest[0] not in KINDS:
        return "colditz/unknown-action"
    return None if secrets.gear[side][KINDS.index(rest[0])] else "colditz/no-equipment"


def do_surrender(draft: PositionDraft, side: int, rest: Rest) -> None:
    """Back to the supply (A9)."""
    draft.pop()
    draft.add_event("surrender", seat=draft.rules.seats[side], item=rest[0])
    draft.add_gear(side, KINDS.index(rest[0]), -1)
