"""Every word of the game: when it is in place, why it is refused, what it does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boardrules.colditz.cardplay import cardplay
from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.moving import appel
from boardrules.colditz.moving.arrest import clear_rooms, take_marker
from boardrules.colditz.moving.step_effects import guard_takes_marker
from boardrules.colditz.moving.walking import pawn_at, posted_guard_counts, required_posts
from boardrules.colditz.state import throws
from boardrules.colditz.state.command_verb import CommandVerb, Rest, refuse_arguments
from boardrules.colditz.state.facts import (
    AFTER_ROLL,
    AFTER_SEARCH,
    BEFORE_ROLL,
    CHANCE_SIDE,
    DEPLOY,
    ColditzFacts,
)
from boardrules.colditz.state.liability import may_refuse
from boardrules.colditz.state.moves import pawn_in_transit, takeable_markers
from boardrules.colditz.state.position_draft import PositionDraft
from boardrules.colditz.state.rules import HAND_LIMIT
from boardrules.colditz.turn import collecting, turns

# Throws, draws, the turn


def do_roll(draft: PositionDraft, side: int, rest: Rest) -> None:
    """The movement roll, or another throw after a double (R030, R035)."""
    if draft.tasks:
        turns.answer_another_roll(draft, True)
    else:
        throws.begin_throws(draft, side, (throws.MOVEMENT_ROLL,))


def do_stop_rolling(draft: PositionDraft, side: int, rest: Rest) -> None:
    """No further throw (R035)."""
    turns.answer_another_roll(draft, False)


def do_draw(draft: PositionDraft, side: int, rest: Rest) -> None:
    """R060."""
    turns.answer_draw_offer(draft, True)


def do_skip_card(draft: PositionDraft, side: int, rest: Rest) -> None:
    """No card."""
    turns.answer_draw_offer(draft, False)


def why_not_end(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R045, R063."""
    if pawn_in_transit(facts) >= 0:
        return "colditz/in-transit"
    return (
        "colditz/hand-full"
        if facts.table.hand_sizes[side] > HAND_LIMIT
        else refuse_arguments(facts, secrets, side, rest)
    )


def do_end_turn(draft: PositionDraft, side: int, rest: Rest) -> None:
    """G21."""
    turns.end_turn(draft)


def why_not_ready(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R019."""
    inner, least, _ = required_posts(facts)
    inside, out = posted_guard_counts(facts)
    return None if inside == inner and out >= least and not rest else "colditz/posts-first"


def do_ready(draft: PositionDraft, side: int, rest: Rest) -> None:
    """The guards stand; the first officer begins (R021)."""
    draft.add_event("ready")
    turns.begin_turn(draft, draft.rules.next_officer(0, draft.table.left_sides))


# Chance


def why_not_dice(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """Two dice, the lower one first (R005)."""
    right = (
        len(rest) == 2 and rest[0] <= rest[1] and all(die in ("1", "2", "3", "4", "5", "6") for die in rest)
    )
    return None if right else "colditz/chance"


def do_dice(draft: PositionDraft, side: int, rest: Rest) -> None:
    """What they show."""
    turns.apply_throw(draft, (int(rest[0]), int(rest[1])))


def why_not_deal(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """A card that may be on top of the deck, to whom it is due."""
    to, which = facts.tasks[-1].data
    cards = facts.rules.cards.cards
    tops = [cards[card].id for card, _ in secrets.decks[which].possible_tops()]
    return (
        None if len(rest) == 2 and rest[0] == facts.rules.seats[to] and rest[1] in tops else "colditz/chance"
    )


def do_deal(draft: PositionDraft, side: int, rest: Rest) -> None:
    """Into the hand."""
    turns.finish_deal(draft, draft.rules.card_numbers[rest[1]])


def why_not_value(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """A value of a Do or Die card that was not turned up yet."""
    return None if len(rest) == 1 and rest[0] in map(str, facts.table.do_or_die_values) else "colditz/chance"


def do_value(draft: PositionDraft, side: int, rest: Rest) -> None:
    """So many throws."""
    who = draft.pop_task().data[0]
    values = list(draft.table.do_or_die_values)
    values.remove(int(rest[0]))
    draft.change_table(do_or_die_values=tuple(values))
    draft.add_event("value", seat=draft.rules.seats[who], value=int(rest[0]))
    throws.begin_throws(draft, who, ("dare", int(rest[0])))


def why_not_dare(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """`do_or_die`: his card is still face down, the man isn't in Solitary."""
    grid = facts.rules.board
    if not side or not facts.table.do_or_die_sides >> side & 1 or len(rest) != 1:
        return "colditz/no-do-or-die"
    node = grid.node_by_name.get(rest[0], grid.barracks)
    return None if node < grid.node_count and pawn_at(facts, side, node) >= 0 else "colditz/no-piece"


def do_dare(draft: PositionDraft, side: int, rest: Rest) -> None:
    """The card is turned up."""
    man = pawn_at(draft, side, draft.rules.board.node_by_name[rest[0]])
    draft.change_table(do_or_die_sides=draft.table.do_or_die_sides & ~(1 << side))
    draft.change_turn(daring_man=man)
    draft.add_event("dare", seat=draft.rules.seats[side], at=rest[0])
    draft.push_task("value", CHANCE_SIDE, side)


# Appel, search, markers


def read_appel_answer(
    facts: ColditzFacts, side: int, head: str, rest: Rest
) -> tuple[int, tuple[int, ...]] | str:
    """Refusers and circles of an answer to an Appel, or the code of what is wrong with it."""
    grid, diagram = facts.rules.board, facts.rules.appel_diagram[side - 1]
    names, at = (rest, ()) if head == "refuse" and "at" not in rest else ((), rest)
    if head == "refuse" and "at" in rest:
        names, at = rest[: rest.index("at")], rest[rest.index("at") + 1 :]
    refusers = 0
    for name in names:
        pawn = pawn_at(facts, side, grid.node_by_name.get(name, -1))
        if pawn < 0 or not may_refuse(facts, pawn) or refusers >> pawn & 1:
            return "colditz/not-refusable"
        refusers |= 1 << pawn
    if head == "refuse" and not refusers:
        return "colditz/not-refusable"
    men = appel.obeying_men(facts, side, refusers)
    if not at:
        return refusers, appel.default_circles(facts, side, men)
    circles = tuple(sorted({grid.node_by_name.get(name, -1) for name in at}))
    if len(circles) != len(men) or len(at) != len(men) or not set(circles) <= set(diagram):
        return "colditz/diagram"
    return refusers, circles


def why_not_obey(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R071."""
    read = read_appel_answer(facts, side, "obey", rest)
    return read if isinstance(read, str) else None


def why_not_refuse(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R072."""
    read = read_appel_answer(facts, side, "refuse", rest)
    return read if isinstance(read, str) else None


def do_obey(draft: PositionDraft, side: int, rest: Rest) -> None:
    """The men line up."""
    _record_appel_answer(draft, side, "obey", rest)


def do_refuse(draft: PositionDraft, side: int, rest: Rest) -> None:
    """Some men stay away (R083)."""
    _record_appel_answer(draft, side, "refuse", rest)


def _record_appel_answer(draft: PositionDraft, side: int, head: str, rest: Rest) -> None:
    read = read_appel_answer(draft.to_facts(), side, head, rest)
    assert not isinstance(read, str)  # it was allowed
    appel.record_answer(draft, *read)


def why_not_search(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R073: if men refused, instead of moving guards."""
    if side or not facts.turn.refusers:
        return "colditz/no-refusers"
    return "colditz/moved" if facts.turn.has_moved_guards else refuse_arguments(facts, secrets, side, rest)


def do_search(draft: PositionDraft, side: int, rest: Rest) -> None:
    """R074."""
    appel.do_general_search(draft)


def why_not_unmark(facts: ColditzFacts, secrets: HiddenCards, side: int, rest: Rest) -> str | None:
    """R117: the marker that the guard passes over. R122: markers of the colour that escaped."""
    number = facts.rules.board.crossing_by_name(rest[0]) if len(rest) == 1 else -1
    if number < 0 or side or not facts.table.markers[number]:
        return "colditz/marker-there"
    if facts.tasks:
        return None if facts.table.markers[number] == facts.tasks[-1].data[0] else "colditz/marker-there"
    return None if number in takeable_markers(facts) else "colditz/marker-there"


def do_unmark(draft: PositionDraft, side: int, rest: Rest) -> None:
    """It is taken off."""
    number = draft.rules.board.crossing_by_name(rest[0])
    if not draft.tasks:
        guard_takes_marker(draft, number)
        return
    take_marker(draft, number)
    clear_rooms(draft)
    if draft.tasks[-1].data[0] not in draft.table.markers:
        draft.pop_task()


def do_keep_markers(draft: PositionDraft, side: int, rest: Rest) -> None:
    """The other markers stay (R122)."""
    draft.pop_task()


TRADING_PHASES: Final = (BEFORE_ROLL, AFTER_ROLL, AFTER_SEARCH)

VERBS: Final[Mapping[str, CommandVerb]] = {
    "ready": CommandVerb((DEPLOY,), why_not_ready, do_ready),
    "roll": CommandVerb((BEFORE_ROLL, "again"), refuse_arguments, do_roll),
    "stay": CommandVerb(("again",), refuse_arguments, do_stop_rolling),
    "draw": CommandVerb(("offer",), refuse_arguments, do_draw),
    "skip": CommandVerb(("offer",), refuse_arguments, do_skip_card),
    "play": CommandVerb((BEFORE_ROLL, AFTER_ROLL, "answer"), cardplay.why_not_play, cardplay.do_play),
    "pass": CommandVerb(("answer",), refuse_arguments, cardplay.do_pass),
    "discard": CommandVerb((AFTER_ROLL, AFTER_SEARCH), cardplay.why_not_discard, cardplay.do_discard),
    "claim": CommandVerb((BEFORE_ROLL, AFTER_ROLL), collecting.why_not_claim, collecting.do_claim),
    "kit": CommandVerb((BEFORE_ROLL, AFTER_ROLL), collecting.why_not_kit, collecting.do_assemble_kit),
    "trade": CommandVerb(TRADING_PHASES, collecting.why_not_trade, collecting.do_trade),
    "accept": CommandVerb(("trade",), refuse_arguments, collecting.do_accept),
    "decline": CommandVerb(("trade",), refuse_arguments, collecting.do_decline),
    "surrender": CommandVerb(("confiscate",), collecting.why_not_surrender, collecting.do_surrender),
    "obey": CommandVerb(("appel",), why_not_obey, do_obey),
    "refuse": CommandVerb(("appel",), why_not_refuse, do_refuse),
    "search": CommandVerb((AFTER_ROLL,), why_not_search, do_search),
    "unmark": CommandVerb((AFTER_ROLL, "markers"), why_not_unmark, do_unmark),
    "keep": CommandVerb(("markers",), refuse_arguments, do_keep_markers),
    "dare": CommandVerb((BEFORE_ROLL,), why_not_dare, do_dare),
    "end": CommandVerb((AFTER_ROLL,), why_not_end, do_end_turn),
    "dice": CommandVerb(("dice",), why_not_dice, do_dice),
    "deal": CommandVerb(("deal",), why_not_deal, do_deal),
    "value": CommandVerb(("value",), why_not_value, do_value),
}
"""By its head every word that a seat or chance may say in the game."""
