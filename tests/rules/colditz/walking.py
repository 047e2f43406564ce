"""A slow second opinion on walks: the search for the cheapest row of single steps, each tried on the game."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import boardrules
from boardrules.colditz.castle.board import INNER, OUTER
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS
from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.play import ColditzState
from boardrules.colditz.state.facts import AFTER_ROLL
from boardrules.core import CHANCE

Found = dict[int, tuple[int, set[Any]]]
"""By node the fewest points that lead there, and the positions in which they may end."""


def single_steps(state: Any, node: int) -> dict[int, Any]:
    """By target the single steps that are listed for the pawn on a node."""
    (seat,) = state.seats_to_act()
    nodes = state.facts.rules.board.node_count
    return {
        action.target: action
        for action in state.legal_actions(seat)
        if getattr(action, "origin", None) == node and action.target < nodes
    }


def bare(state: Any) -> Any:
    """The position without the walk that led to it (G22)."""
    return ColditzState(state.facts, state.secrets, state.position)


def costs_points_alone(before: Any, after: Any, events: Any) -> bool:
    """Whether a step took one point and nothing else came of it: no card, no arrest, no question."""
    told = [event.kind for event in events]
    return (
        told == ["move"]
        and after.facts.points == before.facts.points - 1
        and after.secrets == before.secrets
        and after.facts.tasks == before.facts.tasks
        and after.seats_to_act() == before.seats_to_act()
    )


def by_points_alone(state: Any, pawn: int) -> Found:
    """Wherever single steps that cost points alone lead a pawn, the start included."""
    found: Found = {state.facts.node_by_pawn[pawn]: (0, {state})}
    edge = {state}
    for cost in range(1, state.facts.points + 1):
        reached = set()
        for here in edge:
            for step in single_steps(here, here.facts.node_by_pawn[pawn]).values():
                after, events = here.apply(step)
                if costs_points_alone(here, after, events):
                    reached.add(bare(after))
        edge = set()
        for after in reached:
            least, ends = found.setdefault(after.facts.node_by_pawn[pawn], (cost, set()))
            # A dearer way is of use where something else is left after it, such as the free way home.
            kept = {(one.facts.table, one.facts.turn.visited_nodes) for one in ends}
            if least == cost:
                ends.add(after)
                edge.add(after)
            elif (after.facts.table, after.facts.turn.visited_nodes) not in kept:
                edge.add(after)
    return found


def with_one_more(found: Found, pawn: int) -> Found:
    """Wherever one step of another kind leads from there, by the fewest points."""
    more: Found = {}
    for cost, states in found.values():
        for state in states:
            for target, step in single_steps(state, state.facts.node_by_pawn[pawn]).items():
                if target in found:
                    continue
                least, ends = more.get(target, (cost + 1, set()))
                after = bare(state.apply(step)[0])
                if cost + 1 < least:
                    more[target] = cost + 1, {after}
                elif cost + 1 == least:
                    more[target] = least, ends | {after}
    return more


def positions(rng: random.Random, options: dict[str, Any], count: int, points: int) -> list[Any]:
    """Positions after the roll in random games, with more markers, tunnels, Equipment and men on their way
    back than such games have by themselves, and at most so many points."""
    found: list[Any] = []
    while len(found) < count:
        state: Any = boardrules.new("escape-from-colditz", options)
        least = rng.randrange(30, 1500)
        for done in range(least + 300):
            (seat,) = state.seats_to_act() or ("",)
            if not seat:
                break
            turn = state.facts.turn
            wanted = bool(turn.side) == bool(len(found) % 3)  # a third of them of guards
            if done > least and turn.phase == AFTER_ROLL and not state.facts.tasks and wanted:
                found.append(enriched(state, rng, points))
                break
            if seat == CHANCE:
                faces = state.chance()
                action = rng.choices([one for one, _ in faces], [weight for _, weight in faces])[0]
            else:
                action = rng.choice(list(state.legal_actions(seat)))
            state = state.apply(action)[0]
    return found


def enriched(state: Any, rng: random.Random, points: int) -> Any:
    """The position with drawn markers, tunnels, Equipment, points, and men who have just left the cells."""
    facts, secrets = state.facts, state.secrets
    rules, grid, table = facts.rules, facts.rules.board, facts.table
    side = facts.turn.side
    markers = tuple(
        mark or (rng.choice(rules.officers) if rng.random() < 0.3 else 0) for mark in table.markers
    )
    tunnels = tuple(now or rng.choice((0, 0, 1, 2)) for now in table.tunnels)
    gear, supply = [list(held) for held in secrets.gear], list(table.supply)
    for officer in rules.officers:
        for kind in range(len(EQUIPMENT_KINDS)):
            if supply[kind] and rng.random() < 0.5:
                gear[officer][kind] += 1
                supply[kind] -= 1
    where, way = list(facts.node_by_pawn), table.men_on_free_way
    crowd = set(where)
    outer = [n for n in range(grid.circle_count) if grid.area[n] == OUTER and not grid.men_no_stay >> n & 1]
    inner = [n for n in range(grid.circle_count) if grid.area[n] == INNER and not grid.men_no_stay >> n & 1]
    for officer in rules.officers:
        for pawn in rules.pawns[officer]:
            if rng.random() < 0.3:
                ground = rng.choice((outer, inner))
                free = [node for node in ground if node not in crowd]
                where[pawn] = rng.choice(free)
                crowd.add(where[pawn])
                if ground is outer and rng.random() < 0.6:
                    way |= 1 << pawn
    way &= ~sum(
        1 << pawn for pawn, node in enumerate(where) if node >= grid.node_count or not grid.area[node]
    )
    returning = sum(
        1 << pawn
        for pawn in range(rules.guard_count, len(where))
        if way >> pawn & 1 and not sum(gear[rules.owner[pawn]])
    )
    table = replace(
        table,
        markers=markers,
        tunnels=tunnels,
        supply=tuple(supply),
        equipment_counts=tuple(map(sum, gear)),
        men_on_free_way=way,
        immune_men=returning,
    )
    last = (
        facts.last_moved_pawn
        if side
        and facts.last_moved_pawn >= 0
        and where[facts.last_moved_pawn] == facts.node_by_pawn[facts.last_moved_pawn]
        else -1
    )
    facts = replace(
        facts,
        node_by_pawn=tuple(where),
        men_nodes=sum(1 << node for node in {*where[rules.guard_count :]} if node < grid.node_count),
        points=rng.randint(1, points),
        last_moved_pawn=last,
        table=table,
    )
    return ColditzState(facts, HiddenCards(secrets.hands, tuple(map(tuple, gear)), secrets.decks))
