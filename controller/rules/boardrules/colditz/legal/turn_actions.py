"""The actions of a side in its own turn, before and after its roll: steps first, then words."""

from __future__ import annotations

from boardrules.colditz.cardplay.effect_table import EFFECTS
from boardrules.colditz.castle.actions import Command, PawnStep
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS
from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.legal.listing import barracks_and_cell_steps, discard_commands, listed_trades
from boardrules.colditz.state.facts import BEFORE_ROLL, ColditzFacts
from boardrules.colditz.state.moves import Gear, pawn_in_transit, step_refusal_code, takeable_markers
from boardrules.colditz.state.rules import HAND_LIMIT, StepsFromNode
from boardrules.colditz.turn import collecting
from boardrules.core import Action


def actions_before_roll(facts: ColditzFacts, secrets: HiddenCards, side: int) -> list[Action]:
    """The roll, and what may be said before it."""
    return [Command(facts.rules.seats[side], "roll"), *_commands(facts, secrets, side)]


def actions_after_roll(facts: ColditzFacts, secrets: HiddenCards, side: int) -> list[Action]:
    """Steps, and what may be said after the roll."""
    going, daring = pawn_in_transit(facts), facts.turn.daring_man
    gear, found = secrets.gear[side], list[Action]()
    if facts.points > 0:
        if going >= 0 or daring >= 0:
            walkers: tuple[int, ...] = (going if going >= 0 else daring,)
        else:
            walkers = facts.rules.pawns[side]
        if facts.rules.forbids_doubling_back or daring >= 0:
            found += _checked_steps(facts, gear, side, walkers)
        else:
            found += _listed_steps(facts, gear, side, walkers)
        if going < 0 and daring < 0:
            found += barracks_and_cell_steps(facts, side)
    found += _transit_commands(facts, secrets, side) if going >= 0 else _commands(facts, secrets, side)
    return found


def _listed_steps(facts: ColditzFacts, gear: Gear, side: int, walkers: tuple[int, ...]) -> list[PawnStep]:
    """Steps that only cost a point, then arrests, then steps that cost Equipment or lead over exits."""
    rules, where = facts.rules, facts.node_by_pawn
    steps_from = rules.steps_from[side]
    taken, enemy = facts.men_nodes | facts.guard_nodes, facts.guard_nodes if side else facts.men_nodes
    found: list[PawnStep] = []
    arrests: list[PawnStep] = []
    others: list[PawnStep] = []
    for pawn in walkers:
        near = steps_from[where[pawn]]
        blocked = near.neighbours & taken
        # With the last point no pawn may end where it may not stay.
        if facts.points == 1:
            blocked |= near.no_stay
        if near.can_return or facts.points == 1:
            found += [step for step in near.steps if not step.target_mask & blocked]
        else:
            found += _steps_able_to_continue(facts, gear, pawn, near, blocked)
        if blocked & enemy:
            hits = [step for step in near.steps if step.target_mask & enemy]
            arrests += [step for step in hits if step_refusal_code(facts, gear, pawn, step.target) is None]
        for target, _, _ in near.exits:
            if step_refusal_code(facts, gear, pawn, target) is None:
                others.append(rules.step(side, where[pawn], target))
    return found + arrests + others


def _steps_able_to_continue(
    facts: ColditzFacts, gear: Gear, pawn: int, near: StepsFromNode, blocked: int
) -> list[PawnStep]:
    """The steps of a pawn that can't go straight back: it has to get on from where it may not stay (R045)."""
    found = [
        step
        for step in near.steps
        if not step.target_mask & blocked
        and not (
            step.target_mask & near.no_stay and step_refusal_code(facts, gear, pawn, step.target) is not None
        )
    ]
    # Circles on which it may stay come first: a reader of only the start of the list isn't led astray.
    return sorted(found, key=lambda step: bool(step.target_mask & near.no_stay))


def _checked_steps(facts: ColditzFacts, gear: Gear, side: int, walkers: tuple[int, ...]) -> list[PawnStep]:
    """Steps where a trail (A23) or Do or Die can forbid what is plain otherwise: each is looked at."""
    rules = facts.rules
    found: list[PawnStep] = []
    for pawn in walkers:
        node = facts.node_by_pawn[pawn]
        near = rules.steps_from[side][node]
        for target in (*(step.target for step in near.steps), *(way[0] for way in near.exits)):
            if step_refusal_code(facts, gear, pawn, target) is None:
                found.append(rules.step(side, node, target))
    return found


def _commands(facts: ColditzFacts, secrets: HiddenCards, side: int) -> list[Command]:
    """The words of a side while none of its pawns has to go on."""
    if facts.turn.phase == BEFORE_ROLL:
        found = _collecting_commands(facts, secrets, side) + _do_or_die_commands(facts, side)
    else:
        found = _collecting_commands(facts, secrets, side) + _transit_commands(facts, secrets, side)
        if facts.table.hand_sizes[side] <= HAND_LIMIT:
            found.append(Command(facts.rules.seats[side], "end"))
    found += _card_commands(facts, secrets, side, by_position=False)
    found += listed_trades(facts, secrets, side)
    return found + _card_commands(facts, secrets, side, by_position=True)


def _collecting_commands(facts: ColditzFacts, secrets: HiddenCards, side: int) -> list[Command]:
    """What men in rooms may collect (1.9, 1.10)."""
    rules, table = facts.rules, facts.table
    found: list[Command] = []
    kit = table.kits_left and not table.has_kit[side]
    if not side or not (kit or facts.men_nodes & rules.board.room_circles):
        return found
    counts, seat = collecting.men_by_room_symbol(facts, side), rules.seats[side]
    for kind, supply in enumerate(table.supply):
        if supply and counts[kind] >= collecting.PAIR_SIZE:
            found.append(Command(seat, "claim", EQUIPMENT_KINDS[kind]))
    if kit:
        for cards, symbols in collecting.possible_kits(rules, secrets.hands[side]):
            if all(counts[symbol] for symbol in symbols):
                found.append(Command(seat, "kit", *cards))
    return found


def _transit_commands(facts: ColditzFacts, secrets: HiddenCards, side: int) -> list[Command]:
    """The words after the roll that may be said even while a pawn has to go on (R045)."""
    found = discard_commands(facts, secrets, side)
    if not side:
        seat, grid = facts.rules.seats[side], facts.rules.board
        if facts.turn.refusers and not facts.turn.has_moved_guards:
            found.append(Command(seat, "search"))
        found += [Command(seat, "unmark", grid.crossing_name(number)) for number in takeable_markers(facts)]
    return found


def _do_or_die_commands(facts: ColditzFacts, side: int) -> list[Command]:
    """Do or Die, for each of the side's men on the board."""
    if not facts.table.do_or_die_sides >> side & 1:
        return []
    grid, seat = facts.rules.board, facts.rules.seats[side]
    nodes = sorted({facts.node_by_pawn[pawn] for pawn in facts.rules.pawns[side]})
    return [Command(seat, "dare", grid.space_names[node]) for node in nodes if node < grid.node_count]


def _card_commands(
    facts: ColditzFacts, secrets: HiddenCards, side: int, *, by_position: bool
) -> list[Command]:
    """What the cards of the hand may be played for: those whose aims depend on where pawns stand, or the
    others. `Part` cards are used with a Kit alone (R103)."""
    found: list[Command] = []
    cards, seat, phase = facts.rules.cards.cards, facts.rules.seats[side], facts.turn.phase
    for card in (cards[number] for number in sorted(set(secrets.hands[side]))):
        effect = EFFECTS[card.effect]
        if effect.is_answer or effect.aims_depend_on_position != by_position:
            continue
        if effect.playable_phases is None or phase in effect.playable_phases:
            found += [Command(seat, "play", card.id, *aim) for aim in effect.listed_aims(facts, side, card)]
    return found
