"""What holds of every position that can be reached."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from boardrules.colditz.state.facts import AFTER_ROLL, BEFORE_ROLL
from boardrules.colditz.state.moves import pawn_in_transit
from boardrules.colditz.state.options import OPTIONS
from boardrules.core import CHANCE, CLOCK, State

CHOICES: dict[str, tuple[Any, ...]] = {
    "players": (2, 3, 4, 5, 6), "rounds": (2, 6, 12), "start_kits": (True, False),
    "common_target": ("off", 2), "draw_on": ("any_throw", "first_throw", "final_total", "classic-3-7-11"),
    "safe_area": ("no_entry", "pass_through"), "search": ("circles", "guard_path"),
    "pawns_block": (False, True), "marker_passage": ("free", "pay"),
    "tunnel_arrest": ("any_circle", "entrance_only"),
    "doubling_back": ("allowed", "forbidden"), "do_or_die": ("off", "classic"),
}  # fmt: skip
assert set(CHOICES) < set(OPTIONS)


EARLY = 6
"""More cards than go under a deck before a roll: the three that may be held, and what others answer."""


def some_options(rng: random.Random) -> dict[str, Any]:
    """Options drawn at random."""
    return {name: rng.choice(values) for name, values in CHOICES.items()}


def check(state: Any) -> None:
    """Pawns, cards and Equipment are conserved, one pawn a node, and somebody can act."""
    facts, secrets = state.facts, state.secrets
    rules, grid, table = facts.rules, facts.rules.board, facts.table
    crowd = Counter(node for node in facts.node_by_pawn if node < grid.node_count)
    over = facts.turn.daring_man  # he may be on his way over others
    shared = {node for node, count in crowd.items() if count > 1}
    assert not shared or (over >= 0 and shared == {facts.node_by_pawn[over]})
    guards = facts.node_by_pawn[: rules.guard_count]
    assert not set(guards) & {grid.cells_inner, grid.cells_outer, grid.away, grid.grave}
    assert not set(facts.node_by_pawn[rules.guard_count :]) & {grid.barracks, grid.office}
    assert facts.men_nodes == sum(
        1 << node for node in {n for n in facts.node_by_pawn[rules.guard_count :] if n < grid.node_count}
    )
    assert facts.guard_nodes == sum(1 << node for node in {n for n in guards if n < grid.node_count})
    check_cards(state)
    assert all(count >= 0 for gear in secrets.gear for count in gear)
    for kind, count in enumerate(rules.cards.supply):
        assert table.supply[kind] + sum(gear[kind] for gear in secrets.gear) == count
        assert table.supply[kind] >= 0
    assert table.kits_left + sum(table.has_kit) == rules.cards.kit_count
    assert table.equipment_counts == tuple(map(sum, secrets.gear))
    assert facts.points >= 0
    assert all(
        table.equipment_counts[rules.owner[pawn]] == 0
        for pawn in range(len(rules.owner))
        if table.immune_men >> pawn & 1
    )
    check_stays(facts, [card for deck in secrets.decks for card in deck.bottom_cards[-EARLY:]])
    check_somebody_can_act(state)


def check_cards(state: Any) -> None:
    """Every card is in one hand or in its deck."""
    rules, secrets, table = state.facts.rules, state.secrets, state.facts.table
    cards: Counter[int] = Counter()
    for hand in secrets.hands:
        cards.update(hand)
    for deck in secrets.decks:
        cards.update(dict(deck.shuffled))
        cards.update(deck.bottom_cards)
    assert cards == Counter({number: card.copies for number, card in enumerate(rules.cards.cards)})
    assert table.deck_sizes == tuple(deck.size for deck in secrets.decks)
    for side, hand in enumerate(secrets.hands):
        assert table.hand_sizes[side] == len([card for card in hand if rules.counts_against_limit(card)])
        assert table.hand_sizes[side] + table.part_counts[side] == len(hand)
        assert all((rules.cards.cards[card].deck == "security") == (side == 0) for card in hand)


def check_stays(facts: Any, used: list[int]) -> None:
    """Nobody stands where he may not stay but the one who is on his way; tunnels hold their men. `used`: the
    cards that lie lowest in their decks, among them all that were played before the roll."""
    rules, grid = facts.rules, facts.rules.board
    going = pawn_in_transit(facts)
    out = facts.table.left_sides
    for pawn, node in enumerate(facts.node_by_pawn):
        side = rules.owner[pawn]
        passing = grid.men_no_stay if side else grid.guards_no_stay
        if node < grid.circle_count and passing >> node & 1 and pawn != going and not out >> side & 1:
            raise AssertionError(f"{rules.piece_names[pawn]} stays on {grid.space_names[node]}")
        if node in grid.tunnel_of:
            assert facts.table.tunnels[grid.tunnel_of[node]]
    if facts.turn.phase == BEFORE_ROLL and not facts.tasks and facts.table.outcome is None:
        for tunnel, state in zip(grid.tunnels, facts.table.tunnels, strict=True):
            men = [node for node in facts.node_by_pawn[rules.guard_count :] if node in tunnel.nodes]
            cards = (rules.cards.cards[card] for card in used)
            opened = any(("tunnel", tunnel.name) in card.params for card in cards)
            assert not state or len(men) >= 2 or (opened and not men)  # by its card, before the roll


def check_somebody_can_act(state: State) -> None:
    """No position without an action, unless the game is over; what is open can be closed by the clock."""
    if state.outcome is not None:
        assert state.seats_to_act() == ()
        return
    (seat,) = state.seats_to_act()
    assert seat == CHANCE or not state.view(None).json()["seats"][seat]["out"]  # nobody waits for who is out
    legal = list(state.legal_actions(seat))
    assert legal
    assert all(state.refusal(action) is None for action in legal)
    tasks: Any = state.facts.tasks  # type: ignore[attr-defined]
    assert bool(list(state.legal_actions(CLOCK))) == bool(tasks and seat != CHANCE)
    if state.facts.turn.phase == AFTER_ROLL:  # type: ignore[attr-defined]
        steps = {(step.origin, step.target) for step in state.steps()}
        for action in legal:
            hand = getattr(action, "target", None)
            if hand is not None and hand < state.facts.rules.board.node_count + 4:  # type: ignore[attr-defined]
                spaces = state.facts.rules.board.spaces  # type: ignore[attr-defined]
                assert (spaces[action.origin], spaces[hand]) in steps  # type: ignore[attr-defined]
