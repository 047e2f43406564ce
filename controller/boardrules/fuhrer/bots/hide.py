"""How Hitler hides: he asks himself what the Allies will believe, and what they then do.

For each thing that he may let everybody know (a quiet turn, a ticket, a re-capture) he works out what the
Allies are left with: the cities where he may be, and weights. From these follow, throw by throw, where the
Spy goes, what it asks, and where Infantry goes: and so by city how likely he is caught there. Then he does
the same for some rounds more, as if nobody found him, and goes where his best ways on stay safe.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import Final

from boardrules.core import Action
from boardrules.fuhrer.actions import INFANTRY, SPY, TANK, Go, Hide, Retake
from boardrules.fuhrer.bots.belief import Ground, Weights
from boardrules.fuhrer.bots.hunt import ASKS, DICE, Hunt, Taste, ground
from boardrules.fuhrer.bots.plain import Round, looked
from boardrules.fuhrer.ends import ROUNDS
from boardrules.fuhrer.facts import LAG, Facts, Sheet, moved
from boardrules.fuhrer.reach import Turn
from boardrules.named import NamedTuple
from boardrules.players import Chance, Meter

WAYS: Final = 3
"""Of how many of his best cities in the next round the danger counts."""
DOUBT: Final = 0.5
"""How far the Allies' weights may be from his own idea of them, as a part of themselves."""


class Nerve(NamedTuple):
    """How he weighs what he sees, as a level says."""

    looks: int = 1
    """How many ways the Allies may think he looks through."""
    far: float = 0.006
    """What a link more between him and Infantry is worth ..."""
    wary: float = 0.003
    """... and between him and the Spy."""
    free: float = 0.03
    """What it is worth to have e times as many cities to go to."""
    told: float = 6.0
    """What it costs that the token will tell where he is, divided by the cities he can be in by then."""
    ticket: float = 0.05
    """What a ticket is worth that he keeps."""
    held: float = 0.2
    """What it costs to be where a flag holds him ..."""
    tank: float = 0.12
    """... and where the Tank may raise one by staying."""
    plain: float = 0.7
    """How much he reckons with Allies who play plainly, beside those who weigh what they believe."""
    later: float = 0.9
    """What the danger of a round counts beside that of the round before ..."""
    rounds: int = 5
    """... and how many of them he looks ahead."""
    known: float = 0.12
    """What it costs to be found and not caught."""
    whim: float = 0.012
    """How much worse a choice may be and still be taken a third of the time: who always does what is best is
    expected there."""


class Hiding:
    """One decision of Hitler."""

    def __init__(self, facts: Facts, sheet: Sheet, nerve: Nerve, chance: Chance, meter: Meter) -> None:
        self.facts = facts
        self.sheet = sheet
        self.nerve = nerve
        self.ground: Ground = ground(facts.rules)
        self.chance = chance
        self.meter = meter
        self._risks: dict[Turn, Weights] = {}
        self._later: dict[Turn, Weights] = {}
        self._first: Weights = []
        self._spread: dict[tuple[int, int], float] = {}

    def best(self, legal: Sequence[Action]) -> Action:
        """What he does, of all that he may: the best, or what is nearly as good."""
        worths = {action: self._worth(action) for action in legal}
        best = max(worths.values())
        shares = {action: exp((worth - best) / self.nerve.whim) for action, worth in worths.items()}
        left = self.chance.random() * sum(shares.values())
        for action, share in shares.items():
            left -= share
            if left <= 0:
                return action
        return max(worths, key=worths.__getitem__)

    def _worth(self, action: Action) -> float:
        if isinstance(action, Hide):
            return self._place(action.city, self.facts.flags) - self._start()[action.city]
        flags = self.facts.flags
        if isinstance(action, Retake):
            city, turn = self.sheet.city, Turn(flags, (), self.sheet.city)
            flags &= ~(1 << city)
        else:
            assert isinstance(action, Go)
            city, turn = action.city, Turn(flags, action.origins)
        spent = self.nerve.ticket * len(turn.origins)
        risk = self._risk(turn)[city]
        later = self._onward(self._later[turn], city, flags)
        return self._place(city, flags) - risk - self.nerve.later * later - spent

    def _start(self) -> Weights:
        """By city how likely he is caught or found there in the first round, when nobody knows anything."""
        if not self._first:
            now = looked(self.ground, self.facts.at, self.ground.board.whole)
            self._first = [a + self.nerve.known * b for a, b in zip(now.caught, now.found, strict=True)]
        return self._first

    def _place(self, city: int, flags: int) -> float:
        """What a city is good for in the rounds to come."""
        nerve, far, at = self.nerve, self.ground.far, self.facts.at
        ends = self.ground.ends(city, flags)
        worth = nerve.far * min(far[at[INFANTRY]][city], 5) + nerve.wary * min(far[at[SPY]][city], 5)
        worth += nerve.free * log(max(1, len(ends))) - self._told(city, flags)
        if city == at[TANK]:
            worth -= nerve.tank
        return worth - (nerve.held if flags >> city & 1 else 0.0)

    def _risk(self, turn: Turn) -> Weights:
        """By city how likely he is caught there in this round once such a turn is told."""
        if turn not in self._risks:
            self._risks[turn] = self._looked_through(turn)
        return self._risks[turn]

    def _ahead(self, now: Round, turn: Turn, flags: int) -> Weights:
        """By city how dangerous the rounds after this one are, if he goes on as well as he can from there.

        The Tank raises a flag wherever it is, and nobody finds him. In the next round the token tells where
        he is now, and so where he may have gone.
        """
        ground, trap = self.ground, self.facts.rules.trap
        rounds, at = [], now.at
        possible = trap.after(self.sheet.mark, turn)
        for _ in range(min(self.nerve.rounds, ROUNDS - self.facts.round)):
            flags |= 1 << at[TANK]
            possible = trap.after(possible, Turn(flags))
            if not self.meter.spend():
                break
            later = looked(ground, at, trap.cities(possible))
            rounds.append([a + self.nerve.known * b for a, b in zip(later.caught, later.found, strict=True)])
            at = later.at
        worth = [self._told(city, flags) for city in range(ground.count)]
        for danger in reversed(rounds):
            onward = [self._onward(worth, city, flags) for city in range(ground.count)]
            worth = [
                risk + (1 - risk) * self.nerve.later * then for risk, then in zip(danger, onward, strict=True)
            ]
        return worth

    def _told(self, city: int, flags: int) -> float:
        """What it costs that the token will tell of a city: the fewer he can get to from there, the more."""
        known = self._spread.get((city, flags))
        if known is None:
            near = self.ground.ends(city, flags)
            far = {end for one in near for end in self.ground.ends(one, flags)}
            known = self._spread[city, flags] = self.nerve.told / max(1, len(far))
        return known

    def _onward(self, worth: Weights, city: int, flags: int) -> float:
        """What the best few cities that he could go on to are worth."""
        ends = sorted([worth[end] for end in self.ground.ends(city, flags) or (city,)])[:WAYS]
        return sum(ends) / len(ends)

    def _looked_through(self, turn: Turn) -> Weights:
        facts = self.facts
        late = facts.round - LAG - 1
        token = self.sheet.entries[late] if late >= 0 else -1
        flags = facts.flags
        if turn.recaptured >= 0:
            flags &= ~(1 << turn.recaptured)
        told = facts.then(facts.stage, facts.waits, flags=flags, revealed=moved(facts, turn, token))
        ground, nerve, trap = self.ground, self.nerve, facts.rules.trap
        possible = told.revealed.possible
        plain = looked(ground, facts.at, trap.cities(possible))
        self._later[turn] = self._ahead(plain, turn, flags)
        risks = [nerve.plain * (a + nerve.known * b) for a, b in zip(plain.caught, plain.found, strict=True)]
        hunt = Hunt(told, Taste(), self.chance, self.meter)
        for _ in range(nerve.looks):
            weights = [weight * (1 + DOUBT * (self.chance.random() - 0.5)) for weight in hunt.weights]
            for city, risk in enumerate(caught(hunt, weights)):
                risks[city] += (1 - nerve.plain) * risk / nerve.looks
        return risks


def caught(hunt: Hunt, weights: Weights) -> Weights:
    """By city how likely he is caught there in this round, by Allies who believe these weights."""
    risks = [0.0] * hunt.ground.count
    spy, infantry = hunt.facts.at[SPY], hunt.facts.at[INFANTRY]
    within = hunt.ground.within
    for die in DICE:
        post = max(within[spy][die], key=lambda city: hunt.post(weights, city))
        asked = hunt.questions(weights, within[post][1], ASKS)
        for city in asked:
            risks[city] += hunt.reach(infantry, city) / len(DICE)
        tries = _tries(hunt.ground, infantry, [0.0 if c in asked else w for c, w in enumerate(weights)])
        for city, share in tries.items():
            if city not in asked:
                risks[city] += share / len(DICE)
    return risks


def _tries(ground: Ground, infantry: int, weights: Weights) -> Mapping[int, float]:
    """Where Infantry goes when no answer helped, by its die."""
    found: dict[int, float] = {}
    for die in DICE:
        city = max(ground.within[infantry][die], key=weights.__getitem__)
        found[city] = found.get(city, 0.0) + 1 / len(DICE)
    return found
