"""Positions made up for a test: who stands where, who holds what, whose turn it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from boardrules.colditz.deck.cards import EQUIPMENT_KINDS
from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.games import initial_state
from boardrules.colditz.play import ColditzState
from boardrules.colditz.state.facts import AFTER_ROLL, BEFORE_ROLL, ColditzFacts, ColditzTurn, PendingTask
from boardrules.colditz.state.rules import rules_of
from boardrules.core import Event, IllegalAction, State

OPPORTUNITY, SECURITY, PARTS = range(3)


def scene(
    turn: str = "american",
    *,
    points: int = 10,
    phase: str = AFTER_ROLL,
    gear: dict[str, str] | None = None,
    hands: dict[str, str] | None = None,
    kits: str = "",
    markers: dict[str, str] | None = None,
    tunnels: dict[str, int] | None = None,
    options: dict[str, Any] | None = None,
    tasks: tuple[PendingTask, ...] = (),
    turn_with: dict[str, Any] | None = None,
    table_with: dict[str, Any] | None = None,
    **where: str,
) -> ColditzState:
    """A position. `where`: seat -> the nodes of its pawns; men that aren't named are out of the game, guards
    in Barracks. `gear` and `hands`: seat -> words. `markers`: crossing -> seat. `tunnels`: name -> state."""
    rules = rules_of(options or {})
    grid, start = rules.board, initial_state(rules)
    places = [grid.barracks] * rules.guard_count + [grid.grave] * (len(rules.owner) - rules.guard_count)
    for seat, nodes in where.items():
        for pawn, node in zip(rules.pawns[rules.side_by_seat[seat]], nodes.split(), strict=False):
            places[pawn] = grid.node_by_name[node]
    held = [[0] * len(EQUIPMENT_KINDS) for _ in rules.sides]
    for seat, words in (gear or {}).items():
        for word in words.split():
            held[rules.side_by_seat[seat]][EQUIPMENT_KINDS.index(word)] += 1
    cards: list[tuple[int, ...]] = [() for _ in rules.sides]
    decks = list(start.secrets.decks)
    for seat, words in (hands or {}).items():
        hand = tuple(sorted(rules.cards.card_number(word) for word in words.split()))
        cards[rules.side_by_seat[seat]] = hand
        for card in hand:
            decks[rules.deck_of(card)] = decks[rules.deck_of(card)].after_draw(card)
    flags = [0] * len(grid.crossings)
    for crossing, seat in (markers or {}).items():
        assert grid.crossing_by_name(crossing) >= 0, crossing
        flags[grid.crossing_by_name(crossing)] = rules.side_by_seat[seat]
    states = [(tunnels or {}).get(tunnel.name, 0) for tunnel in grid.tunnels]
    has = tuple(seat in kits.split() for seat in rules.seats)
    table = replace(
        start.facts.table,
        supply=tuple(
            count - sum(one[kind] for one in held) for kind, count in enumerate(start.facts.table.supply)
        ),
        equipment_counts=tuple(map(sum, held)),
        hand_sizes=tuple(len([card for card in hand if rules.counts_against_limit(card)]) for hand in cards),
        part_counts=tuple(
            len([card for card in hand if not rules.counts_against_limit(card)]) for hand in cards
        ),
        deck_sizes=tuple(deck.size for deck in decks),
        has_kit=has,
        kits_left=5 - sum(has),
        markers=tuple(flags),
        tunnels=tuple(states),
        **(table_with or {}),
    )
    who = ColditzTurn(side=rules.side_by_seat[turn], phase=phase, **(turn_with or {}))
    men = sum(1 << node for node in set(places[rules.guard_count :]) if node < grid.node_count)
    guards = sum(1 << node for node in set(places[: rules.guard_count]) if node < grid.node_count)
    points = 0 if phase == BEFORE_ROLL else points
    facts = ColditzFacts(rules, tuple(places), men, guards, points, -1, tasks, who, table)
    secrets = HiddenCards(tuple(cards), tuple(map(tuple, held)), (decks[0], decks[1], decks[2]))
    return ColditzState(facts, secrets)


def altered(rules: Any, **parts: Any) -> Any:
    """Rules or a board with other parts, which no other game has."""
    if not hasattr(rules, "__dict__"):
        pytest.skip(
            "the rules are compiled (boardlab.benchmarks.compiled): only Python lets a test alter them"
        )
    other = object.__new__(type(rules))
    other.__dict__.update(vars(rules), **parts)
    return other


def told(state: State, *lines: str) -> tuple[Any, list[Event]]:
    """The state after lines like `american c2-c3`, and all events."""
    events: list[Event] = []
    for line in lines:
        seat, _, text = line.partition(" ")
        action = state.parse(text, seat)
        assert state.refusal(action) is None, f"{line}: {state.refusal(action)!r}"
        assert action in state.legal_actions(seat) or action in state.table_actions(seat)
        state, news = state.apply(action)
        events += news
    return state, events


def after(state: State, *lines: str) -> Any:
    """The state after the lines."""
    return told(state, *lines)[0]


def why(state: State, line: str) -> str | None:
    """The code by which an action is refused, without `colditz/`; `None` if it is allowed."""
    seat, _, text = line.partition(" ")
    refusal = state.refusal(state.parse(text, seat))
    if refusal is None:
        return None
    with pytest.raises(IllegalAction) as caught:
        state.apply(state.parse(text, seat))
    assert caught.value.refusal == refusal
    return refusal.code.removeprefix("colditz/")


def rolled(state: State, dice: str, *more: str) -> Any:
    """After the movement roll of whose turn it is; no further throw, no card, unless `more` says so."""
    state = after(state, f"{state.seats_to_act()[0]} roll", f"chance dice {dice}", *more)
    while state.facts.tasks and state.facts.tasks[-1].kind in ("again", "offer"):
        word = "stay" if state.facts.tasks[-1].kind == "again" else "skip"
        state = after(state, f"{state.seats_to_act()[0]} {word}")
    return state


def at(state: Any, seat: str) -> list[str]:
    """Where the pawns of a seat stand, sorted, without those that are out of the game."""
    rules = state.facts.rules
    nodes = [
        rules.board.space_names[state.facts.node_by_pawn[pawn]]
        for pawn in rules.pawns[rules.side_by_seat[seat]]
    ]
    return sorted(node for node in nodes if node != "grave" and (seat != "security" or node != "barracks"))


def holds(state: Any, seat: str) -> list[str]:
    """The Equipment of an officer."""
    gear = state.secrets.gear[state.facts.rules.side_by_seat[seat]]
    return [kind for kind, count in zip(EQUIPMENT_KINDS, gear, strict=True) for _ in range(count)]


def hand(state: Any, seat: str) -> list[str]:
    """The cards of a seat."""
    rules = state.facts.rules
    return [rules.cards.cards[card].id for card in state.secrets.hands[rules.side_by_seat[seat]]]


def kinds(events: list[Event]) -> list[str]:
    """What happened."""
    return [event.kind for event in events]


def turn_of(state: Any) -> str:
    """Whose turn it is."""
    return str(state.facts.rules.seats[state.facts.turn.side])
