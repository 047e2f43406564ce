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
from boardrules.fuhrer.bots.allied_policy import ASKS, AlliedPolicy, AlliedWeights, movement_graph
from boardrules.fuhrer.bots.belief_state import DICE, MovementGraph, Weights
from boardrules.fuhrer.bots.escape_lookahead import EscapeLookahead
from boardrules.fuhrer.bots.hitler_weights import HitlerWeights
from boardrules.fuhrer.bots.opponent_model import OpponentModel
from boardrules.fuhrer.bots.simple_allies import RoundRisk, looked
from boardrules.fuhrer.facts import LAG, FuhrerFacts, HitlerSheet, moved
from boardrules.fuhrer.movement import PublicTurn
from boardrules.players import Chance, SearchBudget

DOUBT: Final = 0.5
"""How far the Allies' weights may be from his own idea of them, as a part of themselves."""
POSTS: Final = 3
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
        self._looks: dict[PublicTurn, tuple[RoundRisk, Weights]] = {}
        """By what everybody hears of a turn: what plain Allies then do, and what weighing ones believe."""
        self._first: Weights = []

    def best(self, legal: Sequence[Action]) -> Action:
        """What he does, of all that he may: the best, or what is nearly as good."""
        chosen = self._best(legal)
        if not isinstance(chosen, ChooseStart):
            self._opponent_model.expect(self.movement_graph, self.facts, *self._looks[self._told(chosen)[1]])
        return chosen

    def _best(self, legal: Sequence[Action]) -> Action:
        worths = {action: self._worth(action, legal) for action in legal if not _tickets(action)}
        flies = self.hitler_weights.ticket * self.hitler_weights.left(self.facts.round)
        least = min((min(costs) for costs in self._costs.values()), default=0.0)
        for action in legal:
            if action not in worths and least > flies * _tickets(action):
                worths[action] = self._worth(action, legal)
        best = max(worths.values())
        shares = {action: exp((worth - best) / self.hitler_weights.whim) for action, worth in worths.items()}
        left = self.chance.random() * sum(shares.values())
        for action, share in shares.items():
            left -= share
            if left <= 0:
                return action
        return max(worths, key=worths.__getitem__)

    def _worth(self, action: Action, legal: Sequence[Action]) -> float:
        flags = self.facts.flags
        if isinstance(action, ChooseStart):
            return self._place(action.city, flags) - self._start()[action.city]
        city, turn = self._told(action)
        if turn not in self._costs:
            ends = [end for end, told in map(self._told, legal) if told == turn]
            self._costs[turn] = self._danger(turn, ends)
        left = self.hitler_weights.left(self.facts.round)
        spent = self.hitler_weights.ticket * left * len(turn.origins)
        return left * self._place(city, flags & ~self._freed(turn)) - self._costs[turn][city] - spent

    def _told(self, action: Action) -> tuple[int, PublicTurn]:
        """Where such an action takes him, and what everybody hears of it."""
        if isinstance(action, Recapture):
            return self.sheet.city, PublicTurn(self.facts.flags, (), self.sheet.city)
        assert isinstance(action, HitlerTurn)
        return action.city, PublicTurn(self.facts.flags, action.origins)

    @staticmethod
    def _freed(turn: PublicTurn) -> int:
        """The flag that such a turn takes away, as a set of cities."""
        return 1 << turn.recaptured if turn.recaptured >= 0 else 0

    def _start(self) -> Weights:
        """By city how likely he is caught or found there in the first round, when nobody knows anything."""
        if not self._first:
            now = looked(
                self.movement_graph, self.facts.at, self.movement_graph.board.whole, self.facts.flags
            )
            self._first = [
                a + self.hitler_weights.known * b for a, b in zip(now.caught, now.found, strict=True)
            ]
        return self._first

    def _place(self, city: int, flags: int) -> float:
        """What a city is good for, whatever the Allies do."""
        hitler_weights, far, at = self.hitler_weights, self.movement_graph.far, self.facts.at
        worth = hitler_weights.far * min(far[at[INFANTRY]][city], 5) + hitler_weights.wary * min(
            far[at[SPY]][city], 5
        )
        worth += hitler_weights.free * log(max(1, len(self.movement_graph.ends(city, flags))))
        if city == at[TANK]:
            worth -= hitler_weights.tank
        return worth - (hitler_weights.held if flags >> city & 1 else 0.0)

    def _danger(self, turn: PublicTurn, ends: Sequence[int]) -> Weights:
        """By city how likely he is caught if he ends such a turn there, in this round or soon after."""
        facts = self.facts
        late = facts.round - LAG - 1
        token = self.sheet.entries[late] if late >= 0 else -1
        flags = facts.flags & ~self._freed(turn)
        told = facts.then(facts.stage, facts.waits, flags=flags, revealed=moved(facts, turn, token))
        movement_graph, hitler_weights = self.movement_graph, self.hitler_weights
        now = looked(movement_graph, facts.at, facts.rules.trap.cities(told.revealed.possible), flags)
        plain = [
            a + b * c for a, b, c in zip(now.caught, now.found, self._lookahead.found(now, ends), strict=True)
        ]
        strays = movement_graph.strays[facts.at[INFANTRY]]
        risks = [
            hitler_weights.plain * risk + hitler_weights.stray * any
            for risk, any in zip(plain, strays, strict=True)
        ]
        hunt = AlliedPolicy(told, AlliedWeights(), self.chance, self.budget)
        self._looks[turn] = now, hunt.weights
        for _ in range(hitler_weights.looks):
            weights = [weight * (1 + DOUBT * (self.chance.random() - 0.5)) for weight in hunt.weights]
            for city, risk in enumerate(caught(hunt, weights)):
                risks[city] += (1 - hitler_weights.plain - hitler_weights.stray) * risk / hitler_weights.looks
        found = [0.0] * movement_graph.count
        for _ in range(hitler_weights.guesses):
            then = self._lookahead.ahead(now.guess(self.chance), self.sheet.city, turn, ends, risks)
            for city, (risk, more) in enumerate(zip(risks, then, strict=True)):
                found[city] += (risk + (1 - risk) * hitler_weights.later * more) / hitler_weights.guesses
        return found


def _tickets(action: Action) -> int:
    """How many tickets it takes."""
    return len(action.origins) if isinstance(action, HitlerTurn) else 0


def caught(hunt: AlliedPolicy, weights: Weights) -> Weights:
    """By city how likely he is caught there in this round, by Allies who believe these weights."""
    risks = [0.0] * hunt.movement_graph.count
    spy, infantry = hunt.facts.at[SPY], hunt.facts.at[INFANTRY]
    within = hunt.movement_graph.within
    quick = {city: hunt.quick(weights, city) for city in within[spy][DICE[-1]]}
    posts: dict[int, float] = {}
    for die in DICE:
        likely = sorted(within[spy][die], key=quick.__getitem__)[-POSTS:]
        for city in likely:
            if city not in posts:
                posts[city] = hunt.post(weights, city)
        post = max(likely, key=posts.__getitem__)
        asked = hunt.questions(weights, within[post][1], ASKS)
        for city in asked:
            risks[city] += hunt.reach(infantry, city) / len(DICE)
        tries = _tries(
            hunt.movement_graph, infantry, [0.0 if c in asked else w for c, w in enumerate(weights)]
        )
        for city, share in tries.items():
            if city not in asked:
                risks[city] += share / len(DICE)
    return risks


def _tries(movement_graph: MovementGraph, infantry: int, weights: Weights) -> Mapping[int, float]:
    """Where Infantry goes when no answer helped, by its die."""
    found: dict[int, float] = {}
    for die in DICE:
        city = max(movement_graph.within[infantry][die], key=weights.__getitem__)
        found[city] = found.get(city, 0.0) + 1 / len(DICE)
    return found
