"""How Hitler hides: he asks himself what the Allies will believe, and what they then do.

For each thing that he may let everybody know (a quiet turn, a ticket, a re-capture) he works out what the
Allies are left with: the cities where he may be, and weights. From these follow, throw by throw, where the
Spy goes, what it asks, and where Infantry goes: and so by city how likely he is caught there. Then he goes on
along his best ways (`escape_lookahead`), and goes where they stay safe.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import Final

from boardrules.core import Action
from boardrules.fuhrer.actions import INFANTRY, SPY, TANK, ChooseStart, HitlerTurn, Recapture
from boardrules.fuhrer.bots.allied_policy import MAX_QUESTIONS, AlliedPolicy, AlliedWeights, movement_graph
from boardrules.fuhrer.bots.belief_state import DIE_FACES, MovementGraph, Weights
from boardrules.fuhrer.bots.escape_lookahead import EscapeLookahead
from boardrules.fuhrer.bots.hitler_weights import HitlerWeights
from boardrules.fuhrer.bots.opponent_model import OpponentModel
from boardrules.fuhrer.bots.simple_allies import RoundRisk, expected_round
from boardrules.fuhrer.facts import TOKEN_LAG_ROUNDS, FuhrerFacts, HitlerSheet, knowledge_after_turn
from boardrules.fuhrer.movement import PublicTurn
from boardrules.players import Chance, SearchBudget

BELIEF_NOISE: Final = 0.5
"""How far the Allies' weights may be from his own idea of them, as a part of themselves."""
SPY_POSTS_WEIGHED: Final = 3
"""How many of the posts that look best for the Spy are weighed."""


class HitlerPolicy:
    """One decision of Hitler."""

    def __init__(
        self,
        facts: FuhrerFacts,
        sheet: HitlerSheet,
        hitler_weights: HitlerWeights,
        chance: Chance,
        budget: SearchBudget,
        judging: OpponentModel,
    ) -> None:
        self.facts = facts
        self.sheet = sheet
        self.hitler_weights = hitler_weights
        self.movement_graph: MovementGraph = movement_graph(facts.rules)
        self.chance = chance
        self.budget = budget
        self._lookahead = EscapeLookahead(self.movement_graph, facts, hitler_weights, budget)
        self._opponent_model = judging
        self._costs: dict[PublicTurn, Weights] = {}
        self._looks: dict[PublicTurn, tuple[RoundRisk, RoundRisk, Weights]] = {}
        """By what everybody hears of a turn: what plain and running Allies then do, and what weighing ones
        believe."""
        self._first: Weights = []

    def choose_action(self, legal: Sequence[Action]) -> Action:
        """What he does, of all that he may: the best, or what is nearly as good."""
        chosen = self._draw_action(legal)
        if not isinstance(chosen, ChooseStart):
            self._opponent_model.predict_round(
                self.movement_graph, self.facts, *self._looks[self._public_result(chosen)[1]]
            )
        return chosen

    def _draw_action(self, legal: Sequence[Action]) -> Action:
        worths = {action: self._action_value(action, legal) for action in legal if not _ticket_count(action)}
        flies = self.hitler_weights.ticket_value * self.hitler_weights.late_game_factor(self.facts.round)
        least = min((min(costs) for costs in self._costs.values()), default=0.0)
        for action in legal:
            if action not in worths and least > flies * _ticket_count(action):
                worths[action] = self._action_value(action, legal)
        best = max(worths.values())
        shares = {
            action: exp((worth - best) / self.hitler_weights.choice_temperature)
            for action, worth in worths.items()
        }
        left = self.chance.random() * sum(shares.values())
        for action, share in shares.items():
            left -= share
            if left <= 0:
                return action
        return max(worths, key=worths.__getitem__)

    def _action_value(self, action: Action, legal: Sequence[Action]) -> float:
        flags = self.facts.flags
        if isinstance(action, ChooseStart):
            return self._city_value(action.city, flags) - self._start_risks()[action.city]
        city, turn = self._public_result(action)
        if turn not in self._costs:
            ends = [end for end, told in map(self._public_result, legal) if told == turn]
            self._costs[turn] = self._turn_risks(turn, ends)
        left = self.hitler_weights.late_game_factor(self.facts.round)
        spent = self.hitler_weights.ticket_value * left * len(turn.origins)
        return (
            left * self._city_value(city, flags & ~self._removed_flag(turn)) - self._costs[turn][city] - spent
        )

    def _public_result(self, action: Action) -> tuple[int, PublicTurn]:
        """Where such an action takes him, and what everybody hears of it."""
        if isinstance(action, Recapture):
            return self.sheet.city, PublicTurn(self.facts.flags, (), self.sheet.city)
        assert isinstance(action, HitlerTurn)
        return action.city, PublicTurn(self.facts.flags, action.origins)

    @staticmethod
    def _removed_flag(turn: PublicTurn) -> int:
        """The flag that such a turn takes away, as a set of cities."""
        return 1 << turn.recaptured_city if turn.recaptured_city >= 0 else 0

    def _start_risks(self) -> Weights:
        """By city how likely he is caught or found there in the first round, when nobody knows anything."""
        if not self._first:
            now = expected_round(
                self.movement_graph,
                self.facts.city_by_piece,
                self.movement_graph.board.all_cities,
                self.facts.flags,
            )
            self._first = [
                a + self.hitler_weights.found_cost * b
                for a, b in zip(now.catch_probability, now.found_probability, strict=True)
            ]
        return self._first

    def _city_value(self, city: int, flags: int) -> float:
        """What a city is good for, whatever the Allies do."""
        hitler_weights, far, at = self.hitler_weights, self.movement_graph.distances, self.facts.city_by_piece
        worth = hitler_weights.infantry_distance * min(
            far[at[INFANTRY]][city], 5
        ) + hitler_weights.spy_distance * min(far[at[SPY]][city], 5)
        worth += hitler_weights.onward_cities * log(max(1, len(self.movement_graph.end_cities(city, flags))))
        if city == at[TANK]:
            worth -= hitler_weights.tank_city_cost
        return worth - (hitler_weights.flag_cost if flags >> city & 1 else 0.0)

    def _turn_risks(self, turn: PublicTurn, ends: Sequence[int]) -> Weights:
        """By city how likely he is caught if he ends such a turn there, in this round or soon after."""
        facts = self.facts
        late = facts.round - TOKEN_LAG_ROUNDS - 1
        token = self.sheet.entries[late] if late >= 0 else -1
        flags = facts.flags & ~self._removed_flag(turn)
        told = facts.advance_to(
            facts.stage, facts.acting_seats, flags=flags, revealed=knowledge_after_turn(facts, turn, token)
        )
        movement_graph, hitler_weights = self.movement_graph, self.hitler_weights
        possible = facts.rules.trap_rule.cities_of_marks(told.knowledge.possible_marks)
        plain, running = (
            expected_round(movement_graph, facts.city_by_piece, possible, flags, seen) for seen in (-1, token)
        )
        now = running if hitler_weights.expects_runners else plain
        strays = movement_graph.random_end_odds[facts.city_by_piece[INFANTRY]]
        risks = [
            hitler_weights.plain_share * by_plain
            + hitler_weights.runner_share * by_running
            + hitler_weights.random_share * any
            for by_plain, by_running, any in zip(
                self._round_risks(plain, ends), self._round_risks(running, ends), strays, strict=True
            )
        ]
        hunt = AlliedPolicy(told, AlliedWeights(), self.chance, self.budget)
        self._looks[turn] = plain, running, hunt.beliefs
        for _ in range(hitler_weights.belief_samples):
            weights = [weight * (1 + BELIEF_NOISE * (self.chance.random() - 0.5)) for weight in hunt.beliefs]
            for city, risk in enumerate(catch_risks(hunt, weights)):
                risks[city] += hitler_weights.weighing_share * risk / hitler_weights.belief_samples
        found = [0.0] * movement_graph.city_count
        for _ in range(hitler_weights.position_samples):
            then = self._lookahead.future_risks(
                now.draw_positions(self.chance), self.sheet.city, turn, ends, risks
            )
            for city, (risk, more) in enumerate(zip(risks, then, strict=True)):
                found[city] += (
                    risk + (1 - risk) * hitler_weights.round_discount * more
                ) / hitler_weights.position_samples
        return found

    def _round_risks(self, now: RoundRisk, ends: Sequence[int]) -> Weights:
        """By city how likely he is caught there in such a round, or found and caught in the next."""
        costs = self._lookahead.found_costs(now, ends)
        return [
            caught + found * cost
            for caught, found, cost in zip(now.catch_probability, now.found_probability, costs, strict=True)
        ]


def _ticket_count(action: Action) -> int:
    """How many tickets it takes."""
    return len(action.origins) if isinstance(action, HitlerTurn) else 0


def catch_risks(hunt: AlliedPolicy, weights: Weights) -> Weights:
    """By city how likely he is caught there in this round, by Allies who believe these weights."""
    risks = [0.0] * hunt.movement_graph.city_count
    spy, infantry = hunt.facts.city_by_piece[SPY], hunt.facts.city_by_piece[INFANTRY]
    within = hunt.movement_graph.within
    quick = {city: hunt.quick_spy_value(weights, city) for city in within[spy][DIE_FACES[-1]]}
    posts: dict[int, float] = {}
    for die in DIE_FACES:
        likely = sorted(within[spy][die], key=quick.__getitem__)[-SPY_POSTS_WEIGHED:]
        for city in likely:
            if city not in posts:
                posts[city] = hunt.spy_post_value(weights, city)
        post = max(likely, key=posts.__getitem__)
        asked = hunt.best_questions(weights, within[post][1], MAX_QUESTIONS)
        for city in asked:
            risks[city] += hunt.reach_probability(infantry, city) / len(DIE_FACES)
        tries = _infantry_targets(
            hunt.movement_graph, infantry, [0.0 if c in asked else w for c, w in enumerate(weights)]
        )
        for city, share in tries.items():
            if city not in asked:
                risks[city] += share / len(DIE_FACES)
    return risks


def _infantry_targets(movement_graph: MovementGraph, infantry: int, weights: Weights) -> Mapping[int, float]:
    """Where Infantry goes when no answer helped, by its die."""
    found: dict[int, float] = {}
    for die in DIE_FACES:
        city = max(movement_graph.within[infantry][die], key=weights.__getitem__)
        found[city] = found.get(city, 0.0) + 1 / len(DIE_FACES)
    return found
