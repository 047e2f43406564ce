"""The actions of a side in its own turn, before and after its roll: steps first, then words."""

from __future__ import annotations

from boardrules.colditz.cardplay.effect_table import EFFECTS
from boardrules.colditz.castle.actions import Command, PawnStep
from boardrules.colditz.deck.cards import KINDS
from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.legal.listing import discards, place_steps, trades
from boardrules.colditz.state.facts import BEFORE, ColditzFacts
from boardrules.colditz.state.moves import Gear, pawn_in_transit, step_code, takeable_markers
from boardrules.colditz.state.rules import HAND_LIMIT, StepsFromNode
from boardrules.colditz.turn import collecting
from boardrules.core import Action


def actions_before_roll(facts: ColditzFacts, secrets: HiddenCards, side: int) -> list[Action]:
    """The roll, and what may be said before it."""
    return [Command(facts.rules.seats[side], "roll"), *_words(facts, secrets, side)]


def actions_after_roll(facts: ColditzFacts, secrets: HiddenCards, side: int) -> list[Action]:
    """Steps, and what may be said after the roll."""
    going, daring = pawn_in_transit(facts), facts.turn.daring_man
    gear, found = secrets.gear[side], list[Action]()
    if facts.points > 0:
        if going >= 0 or daring >= 0:
            walkers: tuple[int, ...] = (going if going >= 0 else daring,)
        else:
            walkers = facts.rules.pawns[side]
        if facts.rules.trails or daring >= 0:
            found += _checked_steps(facts, gear, side, walkers)
        else:
            found += _steps(facts, gear, side, walkers)
        if going < 0 and daring < 0:
            found += place_steps(facts, side)
    found += _transit_words(facts, secrets, side) if going >= 0 else _words(facts, secrets, side)
    return found


def _steps(facts: ColditzFacts, gear: Gear, side: int, walkers: tuple[int, ...]) -> list[PawnStep]:
    """Steps that only cost a point, then arrests, then steps that cost Equipment or lead over exits."""
    rules, where = facts.rules, facts.where
    steps_from = rules.steps_from[side]
    taken, enemy = facts.men | facts.guards, facts.guards if side else facts.men
    found: list[PawnStep] = []
    arrests: list[PawnStep] = []
    others: list[PawnStep] = []
    for pawn in walkers:
        near = steps_from[where[pawn]]
        blocked = near.neighbours & taken
        # With the last point no pawn may end where it may not stay.
        if facts.points == 1:
            blocked |= near.no_stay
        if near.returns or facts.points == 1:
            found += [step for step in near.steps if not step.bit & blocked]
        else:
            found += _steps_on(facts, gear, pawn, near, blocked)
        if blocked & enemy:
            hits = [step for step in near.steps if step.bit & enemy]
            arrests += [step for step in hits if step_code(facts, gear, pawn, step.target) is None]
        for target, _, _ in near.exits:
            if step_code(facts, gear, pawn, target) is None:
                others.append(rules.step(side, where[pawn], target))
    return found + arrests + others


def _steps_on(
    facts: ColditzFacts, gear: Gear, pawn: int, near: StepsFromNode, blocked: int
) -> list[PawnStep]:
    """The steps of a pawn that can't go straight back: it has to get on from where it may not stay (R045)."""
    found = [
        step
        for step in near.steps
        if not step.bit & blocked
        and not (step.bit & near.no_stay and step_code(facts, gear, pawn, step.target) is not None)
    ]
    # Circles on which it may stay come first: a reader of only the start of the list isn't led astray.
    return sorted(found, key=lambda step: bool(step.bit & near.no_stay))


def _checked_steps(facts: ColditzFacts, gear: Gear, side: int, walkers: tuple[int, ...]) -> list[PawnStep]:
    """Steps where a trail (A23) or Do or Die can forbid what is plain otherwise: each is looked at."""
    rules = facts.rules
    found: list[PawnStep] = []
    for pawn in walkers:
        node = facts.where[pawn]
        near = rules.steps_from[side][node]
        for target in (*(step.target for step in near.steps), *(way[0] for way in near.exits)):
            if step_code(facts, gear, pawn, target) is None:
                found.append(rules.step(side, node, target))
    return found


def _words(facts: ColditzFacts, secrets: HiddenCards, side: int) -> list[Command]:
    """The words of a side while none of its pawns has to go on."""
    if facts.turn.phase == BEFORE:
        found = _collects(facts, secrets, side) + _dares(facts, side)
    else:
        found = _collects(facts, secrets, side) + _transit_words(facts, secrets, side)
        if facts.table.hands[side] <= HAND_LIMIT:
            found.append(Command(facts.rules.seats[side], "end"))
    found += _plays(facts, secrets, side, by_position=False)
    found += trades(facts, secrets, side)
    return found + _plays(facts, secrets, side, by_position=True)


def _collects(facts: ColditzFacts, secrets: HiddenCards, side: int) -> list[Command]:
    """What men in rooms may collect (1.9, 1.10)."""
    rules, table = facts.rules, facts.table
    found: list[Command] = []
    kit = table.kits_left and not table.kits[side]
    if not side or not (kit or facts.men & rules.board.rooms_all):
        return found
    counts, seat = collecting.in_rooms(facts, side), rules.seats[side]
    for kind, supply in enumerate(table.supply):
        if supply and counts[kind] >= collecting.PAIR:
            found.append(Command(seat, "claim", KINDS[kind]))
    if kit:
        for cards, symbols in collecting.kits(rules, secrets.hands[side]):
            if all(counts[symbol] for symbol in symbols):
                found.append(Command(seat, "kit", *cards))
    return found


def _transit_words(facts: ColditzFacts, secrets: HiddenCards, side: int) -> list[Command]:
    """The words after the roll that may be said even while a pawn has to go on (R045)."""
    found = discards(facts, secrets, side)
    if not side:
        seat, grid = facts.rules.seats[side], facts.rules.board
        if facts.turn.refusers and not facts.turn.moved:
            found.append(Command(seat, "search"))
        found += [Command(seat, "unmark", grid.crossing_name(number)) for number in takeable_markers(facts)]
    return found


def _dares(facts: ColditzFacts, side: int) -> list[Command]:
    """Do or Die, for each of the side's men on the board."""
    if not facts.table.dares >> side & 1:
        return []
    grid, seat = facts.rules.board, facts.rules.seats[side]
    nodes = sorted({facts.where[pawn] for pawn in facts.rules.pawns[side]})
    return [Command(seat, "dare", grid.names[node]) for node in nodes if node < grid.nodes]


def _plays(facts: ColditzFacts, secrets: HiddenCards, side: int, *, by_position: bool) -> list[Command]:
    """What the cards of the hand may be played for: those whose aims depend on where pawns stand, or the
    others. `Part` cards are used with a Kit alone (R103)."""
    found: list[Command] = []
    cards, seat, phase = facts.rules.cards.cards, facts.rules.seats[side], facts.turn.phase
    for card in (cards[number] for number in sorted(set(secrets.hands[side]))):
        effect = EFFECTS[card.effect]
        if effect.answers or effect.by_position != by_position:
            continue
        if effect.phases is None or phase in effect.phases:
            found += [Command(seat, "play", card.id, *aim) for aim in effect.shown(facts, side, card)]
    return found
