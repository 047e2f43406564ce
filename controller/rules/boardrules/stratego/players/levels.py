"""The levels, from a child's to the strongest: data alone."""

from __future__ import annotations

from typing import Final

from boardrules.players import GamePlayers, PlayerLevel
from boardrules.stratego.players.sampling_player import SamplingPlayer
from boardrules.stratego.players.simple_players import AttackingMover, GreedyMover, RandomMover


def _make_level(
    name: str, playouts: int, deep: int, worlds: int, errs: float, forgets: float, *, watches: bool
) -> PlayerLevel:
    settings = {"deep": deep, "worlds": worlds, "errs": errs, "forgets": forgets, "watches": watches}
    return PlayerLevel(name, playouts, settings)


LEVELS: Final = (
    _make_level("1", 60, 1, 1, 0.4, 0.5, watches=False),
    _make_level("2", 300, 2, 2, 0.2, 0.25, watches=False),
    _make_level("3", 1500, 2, 6, 0.08, 0.0, watches=True),
    _make_level("4", 30000, 3, 6, 0.0, 0.0, watches=True),
)
PLAYERS: Final = GamePlayers(
    LEVELS,
    SamplingPlayer,
    {"greedy": GreedyMover, "simple": AttackingMover, "random": RandomMover},
    {"quiet_limit": 100},
)
