"""How likely a roll of both dice comes to so much, when every double is thrown again (R035)."""

from __future__ import annotations

from typing import Final

from boardrules.colditz.turn.turns import MAX_THROWS

_DIE_FACES: Final = range(1, 7)


def _total_odds(throws: int) -> dict[int, float]:
    """By total how likely it is with so many throws at most."""
    found: dict[int, float] = {}
    for first in _DIE_FACES:
        for second in _DIE_FACES:
            more = _total_odds(throws - 1) if first == second and throws > 1 else {0: 1.0}
            for total, chance in more.items():
                whole = first + second + total
                found[whole] = found.get(whole, 0.0) + chance / 36
    return found


_TOTAL_ODDS: Final = _total_odds(MAX_THROWS)
_AT_LEAST_ODDS: Final = tuple(
    sum(chance for total, chance in _TOTAL_ODDS.items() if total >= least)
    for least in range(max(_TOTAL_ODDS) + 1)
)
MEAN_ROLL: Final = sum(total * chance for total, chance in _TOTAL_ODDS.items())


def chance_of_at_least(points: int) -> float:
    """How likely a roll comes to so many points or more."""
    return _AT_LEAST_ODDS[max(0, points)] if points < len(_AT_LEAST_ODDS) else 0.0
