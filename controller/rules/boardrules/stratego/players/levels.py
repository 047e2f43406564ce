"""The levels, from a child's to the strongest: data alone."""

from __future__ import annotations

from typing import Final

from boardrules.players import GamePlayers, PlayerLevel
from boardrules.stratego.players.sampling_player import SamplingPlayer
from boardrules.stratego.players.simple_players import AttackingMover, GreedyMover, RandomMover


def _make_level(name: str, playouts: int, deep: int, worlds: int, errs: float) -> PlayerLevel:
    return PlayerLevel(name, playouts, {"deep": deep, "worlds": worlds, "errs": errs})


LEVELS: Final = (
    _make_level("1", 60, 1, 1, 0.5),
    _make_level("2", 300, 2, 2, 0.2),
    _make_level("3", 1500, 2, 6, 0.08),
    _make_level("4", 30000, 3, 6, 0.0),
)
PLAYERS: Final = GamePlayers(
    LEVELS, SamplingPlayer, {"greedy": GreedyMover, "simple": AttackingMover, "random": RandomMover}
)
