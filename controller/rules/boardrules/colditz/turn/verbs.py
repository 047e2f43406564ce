"""Every word of the game: when it is in place, why it is refused, what it does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boardrules.colditz.cardplay import cardplay
from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.moving import appel
from boardrules.colditz.moving.arrest import clear_rooms, take_marker
from boardrules.colditz.moving.step_effects import guard_takes_marker
from boardrules.colditz.moving.walking import guards_posted, pawn_at, posts_wanted
from boardrules.colditz.state import throws
from boardrules.colditz.state.command_verb import CommandVerb, Rest, why_arguments
from boardrules.colditz.state.facts import BEFORE, CHANCE_SIDE, DEPLOY, MAIN, SEARCHED, ColditzFacts
from boardrules.colditz.state.liability import may_refuse
from boardrules.colditz.state.moves import pawn_in_transit, takeable_markers
from boardrules.colditz.state.position_draft import PositionDraft
from boardrules.colditz.state.rules import HAND_LIMIT
from boardrules.colditz.turn import collecting, turns

# Throws, draws, the turn


def do_roll(draft: PositionDraft, side: int, rest: Rest) -> None:
    """The movement roll, or another throw after a double (R030, R035)."""
    if draft.tasks:
        turns.ask_for_another_roll(draft, True)
    else:
        throws.begin_throws(draft, side, (throws.MOVE,))


def do_stay(draft: PositionDraft, side: int, rest: Rest) -> None:
    """No further throw (R035)."""
    turns.ask_for_another_roll(draft, False)


def do_draw(draft: PositionDraft, side: int, rest: Rest) -> None:
    """R060."""
    turns.draw(draft, True)


def do_skip(draft: PositionDraft, side: int, rest: Rest) -> None:
    """No card."""
    turns.draw(draft, False)


def why_end(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R045, R063."""
    if pawn_in_transit(facts) >= 0:
        return "colditz/in-transit"
    return (
        "colditz/hand-full"
        if facts.table.hands[side] > HAND_LIMIT
        else why_arguments(facts, secrets, side, rest)
    )


def do_end(draft: PositionDraft, side: int, rest: Rest) -> None:
    """G21."""
    turns.end_turn(draft)


def why_ready(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R019."""
    inner, least, _ = posts_wanted(facts)
    inside, out = guards_posted(facts)
    return None if inside == inner and out >= least and not rest else "colditz/posts-first"


def do_ready(draft: PositionDraft, side: int, rest: Rest) -> None:
    """The guards stand; the first officer begins (R021)."""
    draft.add_event("ready")
    turns.begin_turn(draft, draft.rules.next_officer(0, draft.table.out))


# Chance


def why_dice(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """Two dice, the lower one first (R005)."""
    right = (
        len(rest) == 2 and rest[0] <= rest[1] and all(die in ("1", "2", "3", "4", "5", "6") for die in rest)
    )
    return None if right else "colditz/chance"


def do_dice(draft: PositionDraft, side: int, rest: Rest) -> None:
    """What they show."""
    turns.apply_throw(draft, (int(rest[0]), int(rest[1])))


def why_deal(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """A card that may be on top of the deck, to whom it is due."""
    to, which = facts.tasks[-1].data
    cards = facts.rules.cards.cards
    tops = [cards[card].id for card, _ in secrets.decks[which].tops()]
    return (
        None if len(rest) == 2 and rest[0] == facts.rules.seats[to] and rest[1] in tops else "colditz/chance"
    )


def do_deal(draft: PositionDraft, side: int, rest: Rest) -> None:
    """Into the hand."""
    turns.finish_deal(draft, draft.rules.card[rest[1]])


def why_value(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """A value of a Do or Die card that was not turned up yet."""
    return None if len(rest) == 1 and rest[0] in map(str, facts.table.values) else "colditz/chance"


def do_value(draft: PositionDraft, side: int, rest: Rest) -> None:
    """So many throws."""
    who = draft.pop().data[0]
    values = list(draft.table.values)
    values.remove(int(rest[0]))
    draft.set_table(values=tuple(values))
    draft.add_event("value", seat=draft.rules.seats[who], value=int(rest[0]))
    throws.begin_throws(draft, who, ("dare", int(rest[0])))


def why_dare(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """`do_or_die`: his card is still face down, the man isn't in Solitary."""
    grid = facts.rules.board
    if not side or not facts.table.dares >> side & 1 or len(rest) != 1:
        return "colditz/no-do-or-die"
    node = grid.node.get(rest[0], grid.barracks)
    return None if node < grid.nodes and pawn_at(facts, side, node) >= 0 else "colditz/no-piece"


def do_dare(draft: PositionDraft, side: int, rest: Rest) -> None:
    """The card is turned up."""
    man = pawn_at(draft, side, draft.rules.board.node[rest[0]])
    draft.set_table(dares=draft.table.dares & ~(1 << side))
    draft.set_turn(daring_man=man)
    draft.add_event("dare", seat=draft.rules.seats[side], at=rest[0])
    draft.push("value", CHANCE_SIDE, side)


# Appel, search, markers


def read_answer(facts: ColditzFacts, side: int, head: str, rest: Rest) -> tuple[int, tuple[int, ...]] | str:
    """Refusers and circles of an answer to an Appel, or the code of what is wrong with it."""
    grid, diagram = facts.rules.board, facts.rules.diagram[side - 1]
    names, at = (rest, ()) if head == "refuse" and "at" not in rest else ((), rest)
    if head == "refuse" and "at" in rest:
        names, at = rest[: rest.index("at")], rest[rest.index("at") + 1 :]
    refusers = 0
    for name in names:
        pawn = pawn_at(facts, side, grid.node.get(name, -1))
        if pawn < 0 or not may_refuse(facts, pawn) or refusers >> pawn & 1:
            return "colditz/not-refusable"
        refusers |= 1 << pawn
    if head == "refuse" and not refusers:
        return "colditz/not-refusable"
    men = appel.obeying_men(facts, side, refusers)
    if not at:
        return refusers, appel.default_circles(facts, side, men)
    circles = tuple(sorted({grid.node.get(name, -1) for name in at}))
    if len(circles) != len(men) or len(at) != len(men) or not set(circles) <= set(diagram):
        return "colditz/diagram"
    return refusers, circles


def why_obey(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R071."""
    read = read_answer(facts, side, "obey", rest)
    return read if isinstance(read, str) else None


def why_refuse(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R072."""
    read = read_answer(facts, side, "refuse", rest)
    return read if isinstance(read, str) else None


def do_obey(draft: PositionDraft, side: int, rest: Rest) -> None:
    """The men line up."""
    _answer(draft, side, "obey", rest)


def do_refuse(draft: PositionDraft, side: int, rest: Rest) -> None:
    """Some men stay away (R083)."""
    _answer(draft, side, "refuse", rest)


def _answer(draft: PositionDraft, side: int, head: str, rest: Rest) -> None:
    read = read_answer(draft.to_facts(), side, head, rest)
    assert not isinstance(read, str)  # it was allowed
    appel.record_answer(draft, *read)


def why_search(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R073: if men refused, instead of moving guards."""
    if side or not facts.turn.refusers:
        return "colditz/no-refusers"
    return "colditz/moved" if facts.turn.moved else why_arguments(facts, secrets, side, rest)


def do_search(draft: PositionDraft, side: int, rest: Rest) -> None:
    """R074."""
    appel.search(draft)


def why_unmark(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R117: the marker that the guard passes over. R122: markers of the colour that escaped."""
    number = facts.rules.board.crossing_named(rest[0]) if len(rest) == 1 else -1
    if number < 0 or side or not facts.table.markers[number]:
        return "colditz/marker-there"
    if facts.tasks:
        return None if facts.table.markers[number] == facts.tasks[-1].data[0] else "colditz/marker-there"
    return None if number in takeable_markers(facts) else "colditz/marker-there"


def do_unmark(draft: PositionDraft, side: int, rest: Rest) -> None:
    """It is taken off."""
    number = draft.rules.board.crossing_named(rest[0])
    if not draft.tasks:
        guard_takes_marker(draft, number)
        return
    take_marker(draft, number)
    clear_rooms(draft)
    if draft.tasks[-1].data[0] not in draft.table.markers:
        draft.pop()


def do_keep(draft: PositionDraft, side: int, rest: Rest) -> None:
    """The other markers stay (R122)."""
    draft.pop()


TRADING: Final = (BEFORE, MAIN, SEARCHED)

VERBS: Final[Mapping[str, CommandVerb]] = {
    "ready": CommandVerb((DEPLOY,), why_ready, do_ready),
    "roll": CommandVerb((BEFORE, "again"), why_arguments, do_roll),
    "stay": CommandVerb(("again",), why_arguments, do_stay),
    "draw": CommandVerb(("offer",), why_arguments, do_draw),
    "skip": CommandVerb(("offer",), why_arguments, do_skip),
    "play": CommandVerb((BEFORE, MAIN, "answer"), cardplay.why_play, cardplay.do_play),
    "pass": CommandVerb(("answer",), why_arguments, cardplay.do_pass),
    "discard": CommandVerb((MAIN, SEARCHED), cardplay.why_discard, cardplay.do_discard),
    "claim": CommandVerb((BEFORE, MAIN), collecting.why_claim, collecting.do_claim),
    "kit": CommandVerb((BEFORE, MAIN), collecting.why_kit, collecting.do_kit),
    "trade": CommandVerb(TRADING, collecting.why_trade, collecting.do_trade),
    "accept": CommandVerb(("trade",), why_arguments, collecting.do_accept),
    "decline": CommandVerb(("trade",), why_arguments, collecting.do_decline),
    "surrender": CommandVerb(("confiscate",), collecting.why_surrender, collecting.do_surrender),
    "obey": CommandVerb(("appel",), why_obey, do_obey),
    "refuse": CommandVerb(("appel",), why_refuse, do_refuse),
    "search": CommandVerb((MAIN,), why_search, do_search),
    "unmark": CommandVerb((MAIN, "markers"), why_unmark, do_unmark),
    "keep": CommandVerb(("markers",), why_arguments, do_keep),
    "dare": CommandVerb((BEFORE,), why_dare, do_dare),
    "end": CommandVerb((MAIN,), why_end, do_end),
    "dice": CommandVerb(("dice",), why_dice, do_dice),
    "deal": CommandVerb(("deal",), why_deal, do_deal),
    "value": CommandVerb(("value",), why_value, do_value),
}
"""By its head every word that a seat or chance may say in the game."""
