"""What Hitler thinks of the Allies: whether they play plainly, weigh what they believe, or go anywhere.

Before each round he works out where each kind would send Spy and Infantry. Afterwards he sees where they
went, and the kinds that would have gone there gain (Bayes).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Final, NamedTuple

from boardrules.fuhrer.actions import INFANTRY, SPY
from boardrules.fuhrer.bots.belief_state import DICE, MovementGraph, Weights
from boardrules.fuhrer.bots.hitler_weights import HitlerWeights
from boardrules.fuhrer.bots.simple_allies import RoundRisk
from boardrules.fuhrer.facts import FuhrerFacts

ANYWAY: Final = 0.1
"""How often any of them goes anywhere."""
TRUST: Final = 0.8
"""How much he trusts each judgement, as a power: one round hangs together with the next."""
LEFT: Final = 0.3
"""What a ticket is still worth, as a part, where they go anywhere."""
STRAY: Final = 2
"""Which of the kinds that is."""


class ExpectedPlaces(NamedTuple):
    """By city how likely a piece ends a round there, for one kind of Allies."""

    spy: Weights
    infantry: Weights


class OpponentModel:
    """What he has seen of them in one game."""

    def __init__(self) -> None:
        self._logs = [0.0, 0.0, 0.0]
        """By kind how well it explains what they did, as a logarithm."""
        self._expected: Sequence[ExpectedPlaces] = ()
        self._round = 0
        """The round for which that is."""

    def expect(
        self, movement_graph: MovementGraph, facts: FuhrerFacts, now: RoundRisk, weights: Weights
    ) -> None:
        """A round begins: `now` is what plain Allies do in it, `weights` are what weighing ones believe."""
        at, self._round = facts.at, facts.round
        strays = ExpectedPlaces(movement_graph.strays[at[SPY]], movement_graph.strays[at[INFANTRY]])
        near = [sum([weights[city] for city in within[1]]) for within in movement_graph.within]
        weighing = ExpectedPlaces(
            _towards(movement_graph, at[SPY], near), _towards(movement_graph, at[INFANTRY], weights)
        )
        self._expected = (ExpectedPlaces(now.spies, now.lands), weighing, strays)

    def see(self, facts: FuhrerFacts) -> None:
        """It is his turn: the round before is over. Nothing has been done since if he is asked once more."""
        if facts.round == self._round:
            return
        if facts.round == self._round + 1:  # else rounds were taken back, or played without him
            self._judge(facts.at)
        self._expected = ()

    def _judge(self, at: Sequence[int]) -> None:
        for kind, expected in enumerate(self._expected):
            for piece, ends, strays in zip((SPY, INFANTRY), expected, self._expected[STRAY], strict=True):
                city = at[piece]
                likely = (1 - ANYWAY) * ends[city] + ANYWAY * strays[city]
                if likely:
                    self._logs[kind] += TRUST * log(likely)

    def hitler_weights(self, weights: HitlerWeights) -> HitlerWeights:
        """How he reckons with each kind now.

        Of all who know what they want, plain ones are left at least the share that they have at first: what
        is believed can be weighed in many ways. Where they go anywhere, what is told costs nothing, and no
        ticket need be kept for worse moments.
        """
        first = weights.plain, 1 - weights.plain - weights.stray, weights.stray
        most = max(self._logs)
        plain, weighing, stray = (
            share * exp(found - most) for share, found in zip(first, self._logs, strict=True)
        )
        wanting = (plain + weighing) / (plain + weighing + stray)
        share = max(weights.plain / (1 - weights.stray), plain / (plain + weighing))
        minds = min(1.0, wanting / (1 - weights.stray))
        return weights._replace(
            plain=wanting * share,
            stray=1 - wanting,
            told=minds * weights.told,
            known=minds * weights.known,
            ticket=max(minds, LEFT) * weights.ticket,
        )


def _towards(movement_graph: MovementGraph, here: int, worths: Weights) -> Weights:
    """By city how likely a piece ends its move there if it goes where much is, as often as it is there."""
    found = [0.0] * movement_graph.count
    for die in DICE:
        ends = movement_graph.within[here][die]
        whole = sum([worths[end] for end in ends])
        for end in ends:
            found[end] += (worths[end] / whole if whole else 1 / len(ends)) / len(DICE)
    return found
