"""Games of simple players of Escape from Colditz end by the rules."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.colditz.test_whole_games import figures, simple


@pytest.mark.nightly
@pytest.mark.parametrize("players", range(2, 7))
def test_simple_games_end_by_the_rules(players: int, record_property: Callable[[str, object], None]) -> None:
    """200 games of simple players for each number of players end by the rules, half by drawn options."""
    figures(simple, players, 200, record_property)
