"""Simple players for every seat. Each sees its own view and what it may do, and nothing else.

They are for sparring, for soaking and for measuring boards and options against each other; nobody claims that
they play well. An officer collects what the nearest way out takes and then runs; the Security Officer sends
guards after whoever can be arrested.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from boardrules.colditz.bots.arrest_targets import ArrestTargets
from boardrules.colditz.bots.escape_routes import escape_routes, missing_for_nearest, steps_to_target
from boardrules.colditz.castle.actions import Command, PawnStep
from boardrules.colditz.castle.board import INNER, UNREACHABLE
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS
from boardrules.colditz.state.facts import AFTER_ROLL, ColditzFacts
from boardrules.colditz.views import ColditzView
from boardrules.core import CHANCE, NO_SEAT, Action
from boardrules.random_source import RandomSource

IRRELEVANT_OPTIONS: Final = ("nations", "answer_seconds")
KIT_PART_SYMBOLS: Final = range(len(EQUIPMENT_KINDS), 2 * len(EQUIPMENT_KINDS))


def choose_by_odds(view: ColditzView, legal: Collection[Action], draws: RandomSource) -> Action:
    """What whoever is to act does: chance by its odds, a player by what seems best."""
    if view.to_act == (CHANCE,):
        return _draw_by_odds(legal, draws)
    return choose(view, legal, draws)


def _draw_by_odds(legal: Any, draws: RandomSource) -> Action:
    odds: tuple[tuple[Action, int], ...] = legal.chance_weights()
    left = draws.random() * sum(weight for _, weight in odds)
    for action, weight in odds:
        left -= weight
        if left < 0:
            return action
    return odds[-1][0]


def choose(view: ColditzView, legal: Collection[Action], draws: RandomSource) -> Action:
    """What the player of `view` does, out of all that is listed."""
    options = list(legal)
    if len(options) == 1:
        return options[0]
    side = view.facts.rules.side_by_seat[view.seat or NO_SEAT]
    score = _officer_scorer(view, side) if side else _security_scorer(view)
    scored = [(score(option) + 0.1 * draws.random(), count) for count, option in enumerate(options)]
    return options[max(scored)[1]]


# Escape Officers


class OfficerIntent:
    """What an officer is about."""

    def __init__(self, view: ColditzView, side: int) -> None:
        assert view.own_knowledge.gear is not None  # he is an officer
        self.facts, self.side = view.facts, side
        self.rules, self.board = self.facts.rules, self.facts.rules.board
        self.gear = view.own_knowledge.gear[side]
        self.routes = escape_routes(self.rules)
        self.has_kit = self.facts.table.has_kit[side] or self.facts.turn.extra_escapes > 0
        self.men = [
            pawn for pawn in self.rules.pawns[side] if self.facts.node_by_pawn[pawn] < self.board.node_count
        ]
        self.runner = self._choose_runner()
        self.wanted_symbols = self._choose_symbols()
        self.errands = self._assign_errands()

    def _choose_runner(self) -> int:
        """The man who is nearest to a Target with what there is, or -1."""
        if not self.has_kit:
            return -1
        where = self.facts.node_by_pawn
        left = {pawn: steps_to_target(self.routes[where[pawn]], self.gear) for pawn in self.men}
        best = min(left, key=lambda pawn: (left[pawn], pawn), default=-1)
        return best if best >= 0 and left[best] < UNREACHABLE else -1

    def _choose_symbols(self) -> tuple[int, ...]:
        """The symbols that men have to be sent to: a pair for Equipment, the missing parts for a Kit."""
        if not self.has_kit and self.facts.table.kits_left and len(self.men) >= len(KIT_PART_SYMBOLS):
            return tuple(KIT_PART_SYMBOLS)
        if self.runner >= 0 or not self.men:
            return ()
        lack = min(
            missing_for_nearest(self.routes[self.facts.node_by_pawn[pawn]], self.gear) for pawn in self.men
        )[1]
        kinds = [kind for kind, count in enumerate(lack) if count and self.facts.table.supply[kind]]
        return (kinds[0],) * 2 if kinds else ()

    def _assign_errands(self) -> dict[int, int]:
        """Who goes to which symbol: each the nearest of those that are free."""
        errands: dict[int, int] = {}
        for symbol in self.wanted_symbols:
            free = [pawn for pawn in self.men if pawn not in errands and pawn != self.runner]
            near = min(
                free,
                key=lambda pawn: (self.steps_to_room(self.facts.node_by_pawn[pawn], symbol), pawn),
                default=-1,
            )
            if near >= 0:
                errands[near] = symbol
        return errands

    def steps_to_room(self, node: int, symbol: int) -> int:
        """The steps from a node to a free circle of a room with a symbol."""
        board = self.board
        if node < board.circle_count and board.symbol[node] == symbol:
            return 0
        here = board.surface_of(node)
        taken = self.facts.men_nodes | self.facts.guard_nodes | board.men_no_stay
        away = board.distances_from_node(here)
        rooms = (n for n in board.circles_by_symbol[symbol] if not taken >> n & 1)
        return min((away[circle] for circle in rooms), default=UNREACHABLE)

    def score_step(self, step: PawnStep) -> float:
        """How much nearer a step brings what is wanted."""
        board, facts = self.board, self.facts
        if step.target >= board.node_count or step.target_mask & facts.guard_nodes:
            return -5.0
        if step.origin >= board.node_count:
            return 4.0  # out of Solitary
        pawn = facts.node_by_pawn.index(step.origin, self.rules.guard_count)
        if pawn == self.runner:
            return 3.0 * (self._steps_to_target(step.origin) - self._steps_to_target_after(step))
        if pawn in self.errands:
            symbol = self.errands[pawn]
            return float(self.steps_to_room(step.origin, symbol) - self.steps_to_room(step.target, symbol))
        if facts.table.men_on_free_way >> pawn & 1:
            return float(board.steps_home[step.origin] - board.steps_home[step.target])
        return -0.5

    def _steps_to_target(self, node: int) -> int:
        return min(steps_to_target(self.routes[node], self.gear), 99)

    def _steps_to_target_after(self, step: PawnStep) -> int:
        """The steps left after this one, paid for."""
        gear = list(self.gear)
        number = self.board.crossing_at.get((step.origin, step.target), -1)
        if number >= 0 and self.facts.table.markers[number] != self.side:
            crossing = self.board.crossings[number]
            gear[EQUIPMENT_KINDS.index(crossing.kind)] -= crossing.card_count
        elif step.target_mask & self.board.doors:
            gear[1] -= 1
        elif step.target_mask & self.board.inspections:
            gear[2] -= 1
        if min(gear) < 0:
            return self._steps_to_target(step.target)
        return min(steps_to_target(self.routes[step.target], tuple(gear)), 99)


COMMAND_WORTH: Final = {
    "roll": 1.0, "draw": 1.0, "accept": 0.0, "decline": 0.3, "claim": 6.0, "kit": 7.0, "end": 0.0,
    "skip": 0.0, "stay": 0.0, "pass": 0.0, "obey": 0.3, "keep": 0.0, "trade": -1.0, "discard": 0.5,
    "surrender": 0.0, "dare": -3.0,
}  # fmt: skip
CARD_WORTH: Final = {
    "gain": 5.0, "release": 5.0, "car": 6.0, "hideaway": 5.0, "talisman": 5.0, "cancel": 0.5, "throw": 1.2,
    "points": 1.2, "dismiss": 0.2, "send": -1.0, "home": -2.0, "tunnel": -2.0, "appel": 1.5, "shoot": 4.0,
    "detect": 4.0, "unmark": 0.5, "relief": 0.6, "confiscate": 3.0,
}  # fmt: skip


def _officer_scorer(view: ColditzView, side: int) -> Callable[[Action], float]:
    planner = OfficerIntent(view, side)
    running = planner.runner >= 0 and view.facts.node_by_pawn[planner.runner] < planner.board.node_count

    def score(action: Action) -> float:
        if isinstance(action, PawnStep):
            return planner.score_step(action) if view.facts.turn.phase == AFTER_ROLL else 0.0
        assert isinstance(action, Command)
        if action.head == "refuse":
            return _refusal_score(planner, action)
        if action.head == "claim":
            useful = EQUIPMENT_KINDS.index(action.rest[0]) in planner.wanted_symbols
            return 6.0 if useful or not running else -1.0
        if action.head == "play":
            return _card_play_score(view.facts, action, running)
        return COMMAND_WORTH.get(action.head, 0.0)

    return score


def _refusal_score(planner: OfficerIntent, action: Command) -> float:
    """Only men on the run stay away from an Appel."""
    nodes = [planner.board.node_by_name[name] for name in action.rest if name != "at"]
    return 0.5 if all(planner.board.area[node] != INNER for node in nodes) else -1.0


def _card_play_score(facts: ColditzFacts, action: Command, running: bool) -> float:
    card = facts.rules.cards.cards[facts.rules.card_numbers[action.rest[0]]]
    worth = CARD_WORTH[card.effect]
    if card.effect in ("points", "throw", "dismiss") and facts.turn.side:
        return worth if running else -1.0
    return worth


# The Security Officer


def _security_scorer(view: ColditzView) -> Callable[[Action], float]:
    chase = ArrestTargets(view.facts)

    def score(action: Action) -> float:
        if isinstance(action, PawnStep):
            return chase.score_step(action)
        assert isinstance(action, Command)
        if action.head == "play":
            return _card_play_score(view.facts, action, False) if action.rest[0] else 0.0
        if action.head == "search":
            return chase.score_search()
        if action.head == "unmark":
            return -0.2
        return COMMAND_WORTH.get(action.head, 0.0) + (0.2 if action.head == "ready" else 0.0)

    return score
