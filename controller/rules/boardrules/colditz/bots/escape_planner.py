"""How an Escape Officer who plans moves his men: who runs, who fetches what, and who waits in safety."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import exp
from typing import Any, Final

from boardrules.colditz.bots.dice_odds import MEAN_ROLL
from boardrules.colditz.bots.escape_paths import Gear, escape_paths, steps_to_rooms
from boardrules.colditz.bots.walk_plans import (
    ArrestRisk,
    WalkPlan,
    crossings_of_plan,
    possible_walks,
    steps_of_plan,
)
from boardrules.colditz.castle.actions import PawnStep
from boardrules.colditz.castle.board import INNER, UNREACHABLE
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS
from boardrules.colditz.state.ends import ESCAPES_TO_WIN
from boardrules.colditz.turn.collecting import PAIR_SIZE, possible_kits
from boardrules.colditz.views import ColditzView
from boardrules.core import NO_SEAT
from boardrules.players import SearchBudget

HOPE_FADE_STEPS: Final = 18.0
"""Over so many steps what is hoped for fades to a third."""
SOLITARY_WORTH: Final = 0.1
CONFISCATED_CARD_COST: Final = 0.04
BURIED_COMRADE_COST: Final = 0.2
MAX_ERRAND_DANGER: Final = 0.06
UNREACHABLE_ROOM_STEPS: Final = 60
READY_RUNNER_PENALTY_STEPS: Final = 8
"""By how many steps somebody else has to be further away, for him to fetch something who is ready to run."""
MIN_WALK_GAIN: Final = 0.004
MAX_RUNNERS: Final = 3
"""How many men an officer thinks of letting run."""


class EscapePlanner:
    """One decision of an officer whose turn it is."""

    def __init__(self, view: ColditzView, budget: SearchBudget) -> None:
        assert view.own_knowledge.gear is not None  # he is an officer
        self.facts, self.budget = view.facts, budget
        self.rules, self.board, self.table = view.facts.rules, view.facts.rules.board, view.facts.table
        self.side = self.rules.side_by_seat[view.seat or NO_SEAT]
        self.hand = view.own_knowledge.hand
        self.gear: Gear = view.own_knowledge.gear[self.side]
        self.paths = escape_paths(self.facts, self.side)
        self.arrest_risk = ArrestRisk(self.facts, self.side)
        self.has_kit = self.table.has_kit[self.side] or self.facts.turn.extra_escapes > 0
        where = self.facts.node_by_pawn
        self.men = [pawn for pawn in self.rules.pawns[self.side] if where[pawn] < self.board.node_count]
        self.costs = {
            pawn: self.paths.cost_and_missing_cards(where[pawn], self.gear, self.table.supply)
            for pawn in self.men
        }
        if (
            min((steps for steps, _ in self.costs.values()), default=0) >= UNREACHABLE
        ):  # guards bar all of them
            self.paths = escape_paths(self.facts, self.side, past_guards=True)
            self.costs = {
                pawn: self.paths.cost_and_missing_cards(where[pawn], self.gear, self.table.supply)
                for pawn in self.men
            }
        ranked = sorted(self.men, key=lambda pawn: (self.costs[pawn][0], pawn))
        self.runners = ranked[
            : min(MAX_RUNNERS, ESCAPES_TO_WIN - min(1, self.table.escape_counts[self.side]) + 1)
        ]
        self.turns_left = self.table.round - 1
        """His turns after this one."""
        self._busy: set[int] | None = None

    # What a place is worth

    def escape_value(self, steps: int) -> float:
        """What it is worth to be so many steps from a Target once this turn is over."""
        if steps >= UNREACHABLE or not self.turns_left:
            return 0.0
        late = min(1.0, self.turns_left * MEAN_ROLL / max(1, steps))
        return exp(-steps / HOPE_FADE_STEPS) * late**3

    def position_value(self, pawn: int, node: int, gear: Gear, over: frozenset[int] = frozenset()) -> float:
        """What it is worth that a man ends the turn there."""
        if self.board.targets >> node & 1:
            return 1.5
        steps = self.paths.cost_and_missing_cards(node, gear, self.table.supply)[0]
        danger = self.arrest_risk.probability_at(node, gear, pawn, over)
        caught = SOLITARY_WORTH - (CONFISCATED_CARD_COST if self.board.area[node] and sum(gear) else 0.0)
        return (1 - danger) * self.escape_value(steps) + danger * caught

    # Running

    def escape_walk(self, points: int) -> list[PawnStep]:
        """The walk of a man who can escape with so many points, the nearest first."""
        if not self.has_kit:
            return []
        best: WalkPlan | None = None
        who = -1
        for pawn in self.possible_escapers(points):
            for walk in possible_walks(self.facts, self.side, pawn, self.gear, points):
                if self.board.targets >> walk.end & 1:
                    if best is None or len(walk.nodes) < len(best.nodes):
                        best, who = walk, pawn
                    break
        return [] if best is None else steps_of_plan(self.facts, self.side, who, best)

    def possible_escapers(self, points: int) -> list[int]:
        """The men who might escape with so many points, the nearest first."""
        far = {
            pawn: self.paths.steps_to_target(self.facts.node_by_pawn[pawn], self.gear) for pawn in self.men
        }
        return sorted((pawn for pawn in self.men if far[pawn] <= points), key=lambda pawn: far[pawn])

    def best_runner_walk(self) -> list[PawnStep]:
        """The walk of a runner that brings most, if one brings anything."""
        best, found = MIN_WALK_GAIN, None
        for pawn in self.runners:
            if pawn in self.fetching_men():
                continue
            start = self.facts.node_by_pawn[pawn]
            stays = self.position_value(pawn, start, self.gear)
            for walk in possible_walks(self.facts, self.side, pawn, self.gear, self.facts.points):
                if (
                    self.paths.cost_and_missing_cards(walk.end, walk.gear, self.table.supply)[0]
                    >= UNREACHABLE
                ):
                    continue
                if not self.budget.try_spend():
                    break
                over = crossings_of_plan(self.facts, start, walk)
                if (
                    not self.has_kit
                    and self.arrest_risk.probability_at(walk.end, walk.gear, pawn, over) > MAX_ERRAND_DANGER
                ):
                    continue
                brings = (
                    self.position_value(pawn, walk.end, walk.gear, over)
                    - stays
                    - self._tunnel_exit_cost(pawn, walk)
                )
                if brings > best:
                    best, found = brings, (pawn, walk)
        return steps_of_plan(self.facts, self.side, *found) if found else []

    def _tunnel_exit_cost(self, pawn: int, walk: WalkPlan) -> float:
        """What it costs that a man leaves a tunnel."""
        tunnel = self.board.tunnel_of.get(self.facts.node_by_pawn[pawn], -1)
        if tunnel < 0 or self.board.tunnel_of.get(walk.end, -1) == tunnel:
            return 0.0
        inside = [node for node in self.facts.node_by_pawn if node in self.board.tunnels[tunnel].nodes]
        return BURIED_COMRADE_COST if len(inside) == PAIR_SIZE else 0.0

    # Fetching

    def fetching_walk(self) -> list[PawnStep]:
        """The walk of a man towards a room whose symbol is wanted."""
        held: set[int] = set()
        for symbols in self.wanted_symbols():
            errands = self._assign_errands(symbols, held)
            held.update(errands)
            for pawn, symbol in errands.items():
                walk = self._walk_towards_room(pawn, symbol)
                if walk is not None:
                    return steps_of_plan(self.facts, self.side, pawn, walk)
            found = self._move_fetcher_inside(errands)
            if found:
                return found
        return []

    def _move_fetcher_inside(self, errands: dict[int, int]) -> list[PawnStep]:
        """A man in a doorway goes further in, where another one wants to follow."""
        where, rooms = self.facts.node_by_pawn, steps_to_rooms(self.facts, self.side)
        wanted = {symbol for pawn, symbol in errands.items() if rooms[symbol][where[pawn]]}
        return self._walk_deeper([pawn for pawn in self.men if self.board.symbol[where[pawn]] in wanted])

    def clear_doorway(self) -> list[PawnStep]:
        """Whoever waits in a doorway goes further in: another officer's man may have to follow."""
        grid, where = self.board, self.facts.node_by_pawn
        entries = [
            pawn
            for pawn in self.men
            if where[pawn] < grid.circle_count
            and grid.symbol[where[pawn]] >= 0
            and any(
                grid.symbol[near] < 0 and grid.area[near] == INNER for near in grid.neighbours[where[pawn]]
            )
        ]
        return self._walk_deeper(entries)

    def _walk_deeper(self, pawns: Iterable[int]) -> list[PawnStep]:
        """The first of these men who can goes further into his room."""
        where, grid = self.facts.node_by_pawn, self.board
        deep = grid.distances_from_node(self.rules.appel_diagram[self.side - 1][0])
        for pawn in pawns:
            here = where[pawn]
            for walk in possible_walks(self.facts, self.side, pawn, self.gear, min(2, self.facts.points)):
                if grid.room[walk.end] == grid.room[here] and deep[walk.end] > deep[here]:
                    return steps_of_plan(self.facts, self.side, pawn, walk)
        return []

    def step_out_of_way(self) -> list[PawnStep]:
        """A man who gets no further steps out of the way: two officers' men may bar each other's."""
        grid = self.board
        if self.facts.points < PAIR_SIZE:
            return []
        for pawn in sorted(self.fetching_men()):
            node = self.facts.node_by_pawn[pawn]
            if grid.symbol[node] >= 0 or 1 << node & (grid.safe | grid.appel):
                continue
            for walk in possible_walks(self.facts, self.side, pawn, self.gear, self.facts.points):
                if 1 << walk.end & grid.appel:
                    return steps_of_plan(self.facts, self.side, pawn, walk)
        return []

    def fetching_men(self) -> set[int]:
        """The men who fetch something: they don't run."""
        if self._busy is None:
            self._busy = set()
            for symbols in self.wanted_symbols():
                self._busy.update(self._assign_errands(symbols, self._busy))
        return self._busy

    def wanted_symbols(self) -> Iterable[tuple[int, ...]]:
        """The symbols that men are sent to together, what matters most first."""
        kit = min((symbols for _, symbols in possible_kits(self.rules, self.hand)), key=len)
        if not self.has_kit and self.table.kits_left:
            yield kit
        lack = self.missing_equipment()
        for kind, count in enumerate(lack):
            if count and self.table.supply[kind]:
                yield (kind,) * PAIR_SIZE
        if self.has_kit and self.table.kits_left and not any(lack):
            yield kit

    def missing_equipment(self) -> Gear:
        """The Equipment that the best runner still wants."""
        return self.costs[self.runners[0]][1] if self.runners else (0, 0, 0, 0)

    def _assign_errands(self, symbols: Sequence[int], held: set[int]) -> dict[int, int]:
        """Who goes to which symbol, so that all of them go as few steps as may be.

        Who only waits for a Kit to run goes as well, but others go rather.
        """
        where, rooms = self.facts.node_by_pawn, steps_to_rooms(self.facts, self.side)
        ready = set(self.runners[: 1 + self.has_kit]) if not any(self.missing_equipment()) else set()
        free = [
            pawn
            for pawn in self.men
            if pawn not in held
            and not (self.has_kit and pawn in ready)
            and self.board.area[where[pawn]] == INNER
            and where[pawn] < self.board.circle_count
        ]
        if len(free) < len(symbols):
            return {}

        def cost(symbol: int, pawn: int) -> int:
            return min(rooms[symbol][where[pawn]], UNREACHABLE_ROOM_STEPS) + READY_RUNNER_PENALTY_STEPS * (
                pawn in ready
            )

        nearest = [sorted(free, key=lambda pawn: (cost(one, pawn), pawn))[: len(symbols)] for one in symbols]
        chosen = min(
            (men for men in product(*nearest) if len(set(men)) == len(men)),
            key=lambda men: (sum(map(cost, symbols, men)), men),
        )
        return {
            pawn: one
            for one, pawn in zip(symbols, chosen, strict=True)
            if rooms[one][where[pawn]] < UNREACHABLE
        }

    def _walk_towards_room(self, pawn: int, symbol: int) -> WalkPlan | None:
        """The safest way nearer to a room, or `None` for one who is there."""
        away, here = steps_to_rooms(self.facts, self.side)[symbol], self.facts.node_by_pawn[pawn]
        best, found = (away[here], 0), None
        if not away[here]:
            return None
        for walk in possible_walks(
            self.facts, self.side, pawn, self.gear, min(self.facts.points, away[here] + 2)
        ):
            rank = (away[walk.end], len(walk.nodes))
            if rank >= best or rank[0] >= away[here] or walk.gear != self.gear:
                continue
            if self.arrest_risk.probability_at(walk.end, self.gear, pawn) <= MAX_ERRAND_DANGER:
                best, found = rank, walk
        return found

    def sacrifice_man(self) -> list[PawnStep]:
        """A man walks into a guard who stands before a room that is wanted, so that another one gets in.

        It costs a man in the inner cells, and the guard is away until the Security Officer's turn is over.
        """
        for symbols in self.wanted_symbols():
            busy = self._assign_errands(symbols, set())
            open_ways = steps_to_rooms(self.facts, self.side)
            for symbol in set(symbols):
                short = symbols.count(symbol) - list(busy.values()).count(symbol)
                if short <= 0:
                    continue
                found = self._sacrifice_step(symbol, set(busy), open_ways[symbol])
                if found:
                    return found
        return []

    def _sacrifice_step(self, symbol: int, busy: set[int], now: Sequence[int]) -> list[PawnStep]:
        where, grid = self.facts.node_by_pawn, self.board
        idle = [
            pawn for pawn in self.men
            if pawn not in busy and where[pawn] < grid.circle_count and grid.area[where[pawn]] == INNER
        ]  # fmt: skip
        best, found = self.facts.points + 1, None
        for guard in self.rules.pawns[0]:
            node = where[guard]
            if node >= grid.circle_count or grid.area[node] != INNER:
                continue
            then, near = (
                steps_to_rooms(self.facts, self.side, 1 << node)[symbol],
                grid.distances_from_node(node),
            )
            for fetcher in idle:
                if then[where[fetcher]] >= now[where[fetcher]]:
                    continue
                for victim in idle:
                    cost = then[where[fetcher]] + near[where[victim]]
                    if victim not in (fetcher, *self.runners[:1]) and cost < best:
                        best, found = cost, self.rules.step(self.side, where[victim], node)
        return [found] if found else []

    def kinds_to_claim(self) -> list[str]:
        """The kinds of Equipment worth taking now that men stand in the rooms."""
        lack = self.missing_equipment()
        return [kind for number, kind in enumerate(EQUIPMENT_KINDS) if lack[number]]


def release_step(planner: EscapePlanner, legal: Sequence[Any]) -> PawnStep | None:
    """A step out of Solitary, those from the outer cells first."""
    steps = [it for it in legal if isinstance(it, PawnStep) and it.origin >= planner.board.node_count]
    return min(steps, key=lambda it: it.origin != planner.board.cells_outer, default=None)
