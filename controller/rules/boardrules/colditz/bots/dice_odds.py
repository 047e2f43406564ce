"""How likely a roll of both dice comes to so much, when every double is thrown again (R035)."""

from __future__ import annotations

from typing import Final

from boardrules.colditz.turn.turns import THROWS

_DICE: Final = range(1, 7)


def _totals(throws: int) -> dict[int, float]:
    """By total how likely it is with so many throws at most."""
    found: dict[int, float] = {}
    for first in _DICE:
        for second in _DICE:
            more = _totals(throws - 1) if first == second and throws > 1 else {0: 1.0}
            for total, chance in more.items():
                whole = first + second + total
                found[whole] = found.get(whole, 0.0) + chance / 36
    return found


_TOTALS: Final = _totals(THROWS)
_AT_LEAST: Final = tuple(
    sum(chance for total, chance in _TOTALS.items() if total >= least) for least in range(max(_TOTALS) + 1)
)
MEAN_ROLL: Final = sum(total * chance for total, chance in _TOTALS.items())


def at_least(points: int) -> float:
    """How likely a roll comes to so many points or more."""
    return _AT_LEAST[max(0, points)] if points < len(_AT_LEAST) else 0.0
