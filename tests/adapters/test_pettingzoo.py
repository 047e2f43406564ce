"""The games in PettingZoo, by PettingZoo's own suite."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="pettingzoo isn't installed (boardadapters[pettingzoo])")

from pettingzoo.test import api_test, seed_test

from boardadapters.pettingzoo_env import RawEnv, env

# What it warns of is taste, such as names of agents without a number.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.nightly]
GAMES: list[tuple[str, Mapping[str, Any]]] = [
    ("stratego-quick-duel", {}),
    ("stratego-barrage", {"longest": 60, "announce": "silent"}),
    ("fall-of-the-fuhrer", {}),
    ("fall-of-the-fuhrer", {"players": 4}),
    ("escape-from-colditz", {"players": 5, "longest": 300}),
]


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_pettingzoo_finds_nothing(game: str, options: Mapping[str, Any]) -> None:
    api_test(env(game, **options), num_cycles=1000)
    seed_test(lambda: env(game, **options), num_cycles=200)


def played(made: Any, seed: int) -> dict[str, float]:
    """Play at random; by agent what it got in all."""
    dice, got = random.Random(seed), dict.fromkeys(made.possible_agents, 0.0)
    made.reset(seed=seed)
    for agent in made.agent_iter():
        seen, reward, terminated, truncated, _ = made.last()
        got[agent] += reward
        over = terminated or truncated
        made.step(None if over else int(dice.choice(seen["action_mask"].nonzero()[0])))
    return got


def test_who_wins_gets_it_and_all_allies_win_together() -> None:
    made = env("fall-of-the-fuhrer", players=4)
    results = {tuple(played(made, seed).values()) for seed in range(12)}
    assert results == {(1.0, -1.0, -1.0, -1.0), (-1.0, 1.0, 1.0, 1.0)}


def test_a_game_that_is_cut_off_is_nobodys() -> None:
    made = env("stratego-quick-duel", longest=30)
    assert played(made, 1) == {"red": 0.0, "blue": 0.0}
    made.reset(seed=1)
    while made.agents and not any(made.truncations.values()):
        made.step(int(made.observe(made.agent_selection)["action_mask"].nonzero()[0][0]))
    assert made.truncations == {"red": True, "blue": True}
    assert made.terminations == {"red": False, "blue": False}


def test_what_is_not_allowed_loses_and_is_an_error_without_wrappers() -> None:
    made = env("stratego-quick-duel")
    made.reset(seed=1)
    wrong = int((1 - made.observe("red")["action_mask"]).nonzero()[0][0])
    made.step(wrong)
    assert made.rewards["red"] == -1
    raw = RawEnv("stratego-quick-duel", render_mode="ansi")
    raw.reset(seed=1)
    with pytest.raises(ValueError, match="red may not do"):
        raw.step(wrong)
    assert " 8  .   ." in str(raw.render())
