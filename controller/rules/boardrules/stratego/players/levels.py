"""The levels, from a child's to the strongest: data alone."""

from __future__ import annotations

from typing import Final

from boardrules.players import GamePlayers, PlayerLevel
from boardrules.stratego.players.sampling_player import SamplingPlayer
from boardrules.stratego.players.simple_players import AttackingMover, GreedyMover, RandomMover


def _make_level(
    name: str,
    playouts: int,
    deep: int,
    worlds: int,
    errs: float,
    forgets: float,
    *,
    knows_habits: bool = True,
    watches: bool = True,
    sees_runs: bool = False,
    weighs_odds: bool = False,
    quick_games: int = 0,
) -> PlayerLevel:
    settings = {
        "deep": deep,
        "worlds": worlds,
        "errs": errs,
        "forgets": forgets,
        "knows_habits": knows_habits,
        "watches": watches,
        "sees_runs": sees_runs,
        "weighs_odds": weighs_odds,
        "quick_games": quick_games,
    }
    return PlayerLevel(name, playouts, settings)


LEVELS: Final = (
    _make_level("1", 60, 1, 1, 0.6, 0.9, knows_habits=False, watches=False),
    _make_level("2", 300, 1, 2, 0.3, 0.5, watches=False),
    _make_level("3", 1500, 2, 6, 0.08, 0.0),
    _make_level("4", 30000, 3, 6, 0.0, 0.0, sees_runs=True, weighs_odds=True, quick_games=200),
)
PLAYERS: Final = GamePlayers(
    LEVELS,
    SamplingPlayer,
    {"greedy": GreedyMover, "simple": AttackingMover, "random": RandomMover},
    {"quiet_limit": 100},
)
