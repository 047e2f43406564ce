"""What Hitler thinks of the Allies: whether they play plainly, weigh what they believe, go anywhere, or run
to where the token lies.

Before each round he works out where each kind would send Spy and Infantry. Afterwards he sees where they
went, and the kinds that would have gone there gain (Bayes).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Final, NamedTuple

from boardrules.fuhrer.actions import INFANTRY, SPY
from boardrules.fuhrer.bots.belief_state import DIE_FACES, MovementGraph, Weights
from boardrules.fuhrer.bots.hitler_weights import HitlerWeights
from boardrules.fuhrer.bots.simple_allies import RoundRisk
from boardrules.fuhrer.facts import FuhrerFacts

RANDOM_MOVE_SHARE: Final = 0.1
"""How often any of them goes anywhere."""
EVIDENCE_WEIGHT: Final = 0.8
"""How much he trusts each judgement, as a power: one round hangs together with the next."""
MIN_TICKET_VALUE_SHARE: Final = 0.3
"""What a ticket is still worth, as a part, where they go anywhere."""
RANDOM_KIND: Final = 2
"""Which of the kinds that is."""


class ExpectedPlaces(NamedTuple):
    """By city how likely a piece ends a round there, for one kind of Allies."""

    spy: Weights
    infantry: Weights


class OpponentModel:
    """What he has seen of them in one game."""

    def __init__(self) -> None:
        self._logs = [0.0, 0.0, 0.0, 0.0]
        """By kind how well it explains what they did, as a logarithm."""
        self._expected: Sequence[ExpectedPlaces] = ()
        self._round = 0
        """The round for which that is."""

    def predict_round(
        self,
        movement_graph: MovementGraph,
        facts: FuhrerFacts,
        plain: RoundRisk,
        running: RoundRisk,
        weights: Weights,
    ) -> None:
        """A round begins: what plain and running Allies do in it, and what weighing ones believe."""
        at, self._round = facts.city_by_piece, facts.round
        strays = ExpectedPlaces(
            movement_graph.random_end_odds[at[SPY]], movement_graph.random_end_odds[at[INFANTRY]]
        )
        near = [sum([weights[city] for city in within[1]]) for within in movement_graph.within]
        weighing = ExpectedPlaces(
            _move_odds_towards(movement_graph, at[SPY], near),
            _move_odds_towards(movement_graph, at[INFANTRY], weights),
        )
        self._expected = (
            ExpectedPlaces(plain.spy_end_odds, plain.infantry_end_odds),
            weighing,
            strays,
            ExpectedPlaces(running.spy_end_odds, running.infantry_end_odds),
        )

    def observe_position(self, facts: FuhrerFacts) -> None:
        """It is his turn: the round before is over. Nothing has been done since if he is asked once more."""
        if facts.round == self._round:
            return
        if facts.round == self._round + 1:  # else rounds were taken back, or played without him
            self._update_evidence(facts.city_by_piece)
        self._expected = ()

    def _update_evidence(self, at: Sequence[int]) -> None:
        for kind, expected in enumerate(self._expected):
            for piece, ends, strays in zip(
                (SPY, INFANTRY), expected, self._expected[RANDOM_KIND], strict=True
            ):
                city = at[piece]
                likely = (1 - RANDOM_MOVE_SHARE) * ends[city] + RANDOM_MOVE_SHARE * strays[city]
                if likely:
                    self._logs[kind] += EVIDENCE_WEIGHT * log(likely)

    def adjusted_weights(self, weights: HitlerWeights) -> HitlerWeights:
        """How he reckons with each kind now.

        Of plain and weighing ones together, plain ones are left at least the share that they have at first:
        what is believed can be weighed in many ways. Where they go anywhere, what is told costs nothing, and
        no ticket need be kept for worse moments.
        """
        first = weights.plain_share, weights.weighing_share, weights.random_share, weights.runner_share
        most = max(self._logs)
        plain, weighing, stray, runner = (
            share * exp(found - most) for share, found in zip(first, self._logs, strict=True)
        )
        whole = plain + weighing + stray + runner
        share = max(
            weights.plain_share / (weights.plain_share + weights.weighing_share), plain / (plain + weighing)
        )
        minds = min(1.0, (1 - stray / whole) / (1 - weights.random_share))
        return weights._replace(
            plain_share=share * (plain + weighing) / whole,
            random_share=stray / whole,
            runner_share=runner / whole,
            token_cost=minds * weights.token_cost,
            found_cost=minds * weights.found_cost,
            ticket_value=max(minds, MIN_TICKET_VALUE_SHARE) * weights.ticket_value,
        )


def _move_odds_towards(movement_graph: MovementGraph, here: int, worths: Weights) -> Weights:
    """By city how likely a piece ends its move there if it goes where much is, as often as it is there."""
    found = [0.0] * movement_graph.city_count
    for die in DIE_FACES:
        ends = movement_graph.within[here][die]
        whole = sum([worths[end] for end in ends])
        for end in ends:
            found[end] += (worths[end] / whole if whole else 1 / len(ends)) / len(DIE_FACES)
    return found
