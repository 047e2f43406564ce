"""Random games of Escape from Colditz end by the rules."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rules import contract
from rules.colditz.test_whole_games import figures


@pytest.mark.nightly
@pytest.mark.parametrize("players", range(2, 7))
def test_random_games_end_by_the_rules(players: int, record_property: Callable[[str, object], None]) -> None:
    """500 random games for each number of players end by the rules, half of them by drawn options; one in
    twenty-five goes over 50 rounds, the others over 6."""
    figures(contract.choose, players, 500, record_property)
