"""Seeded games by all options as one hash: what is listed, happens, is seen by each seat, and is true.

    PYTHONPATH=tests:controller python tests/rules/colditz/fingerprint.py GAMES

prints how many actions they took, the hash, and the module that played them.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from typing import Any

import boardrules
from boardrules.core import CHANCE
from rules.colditz.invariants import some_options

LONGEST = 2500
"""Actions; games are broken off then."""


def play(seed: int, told: Any) -> int:
    """Play one game and tell all of it; how many actions it took."""
    rng = random.Random(seed)
    options = {**(some_options(rng) if seed % 3 else {}), "players": 2 + seed % 5}
    state: Any = boardrules.new("escape-from-colditz", options)
    for done in range(LONGEST):
        if state.outcome is not None:
            return done
        seat = state.seats_to_act()[0]
        if rng.random() < 0.15:
            told([list(map(str, state.legal_actions(each))) for each in (*state.seats, CHANCE, "clock")])
            told([state.view(each).json() for each in (*state.seats, None)])
            told(state.truth())
        if seat == CHANCE:
            odds = state.chance()
            told([(str(action), weight) for action, weight in odds])
            action = rng.choices([one for one, _ in odds], [weight for _, weight in odds])[0]
        else:
            action = rng.choice(state.legal_actions(seat))
        if rng.random() < 0.3:  # one that was not listed, but says the same
            action = state.parse(str(action), seat)
        state, events = state.apply(action)
        told([seat, str(action), *(event.json() for event in events)])
    return LONGEST


def fingerprint(games: int) -> tuple[int, str]:
    """How many actions so many games took, and the hash of them all."""
    digest = hashlib.sha256()
    done = sum(
        play(seed, lambda what: digest.update(json.dumps(what, sort_keys=True, default=str).encode()))
        for seed in range(games)
    )
    return done, digest.hexdigest()


if __name__ == "__main__":
    where = sys.modules["boardrules.colditz.position"].__file__
    print(json.dumps({"position": where, "seen": fingerprint(int(sys.argv[1]))}))
