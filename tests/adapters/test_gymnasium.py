"""One seat of a game in Gymnasium, by Gymnasium's own checker."""

from __future__ import annotations

import random
from typing import Any

import pytest

pytest.importorskip("gymnasium", reason="gymnasium isn't installed (boardadapters[gymnasium])")

from gymnasium.utils.env_checker import check_env

from boardadapters.gymnasium_env import SeatEnv, any_action
from boardrules.core import UnknownSeat

# It would have each environment registered under an id.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.nightly]


@pytest.mark.parametrize(
    ("game", "seat"),
    [
        ("stratego-quick-duel", "red"),
        ("stratego-classic", "blue"),
        ("fall-of-the-fuhrer", "hitler"),
        ("fall-of-the-fuhrer", "allies"),
        ("escape-from-colditz", "security"),
        ("escape-from-colditz", "british"),
    ],
)
def test_gymnasium_finds_nothing(game: str, seat: str) -> None:
    check_env(SeatEnv(game, seat, render_mode="ansi"))


def played(made: SeatEnv, seed: int) -> tuple[float, bool, int]:
    """Play at random: the reward, whether it was truncated, how many turns."""
    dice, turns, over, truncated, reward = random.Random(seed), 0, False, False, 0.0
    seen, _ = made.reset(seed=seed)
    while not over:
        assert reward == 0.0
        seen, reward, ended, truncated, info = made.step(any_action(seen, dice))
        assert "illegal" not in info
        turns, over = turns + 1, ended or truncated
    return reward, truncated, turns


def test_a_game_repeats_by_its_seed() -> None:
    made = SeatEnv("fall-of-the-fuhrer", "hitler")
    games = [played(made, seed) for seed in range(20)]
    assert games == [played(made, seed) for seed in range(20)]
    assert {reward for reward, _, _ in games} == {1.0, -1.0}
    assert len({turns for _, _, turns in games}) > 3
    assert played(SeatEnv("stratego-quick-duel", "blue", longest=40), 1)[:2] == (0.0, True)


def test_an_opponent_is_told_no_more_than_its_seat() -> None:
    """He hides elsewhere: the Allies, who are asked next, see the same."""
    asked: list[Any] = []

    def opponent(seen: Any, dice: random.Random) -> int:
        asked.append(seen)
        return any_action(seen, dice)

    firsts = []
    for pick in (0, 20):
        made = SeatEnv("fall-of-the-fuhrer", "hitler", opponent)
        seen, _ = made.reset(seed=3)
        asked.clear()
        made.step(int(seen["action_mask"].nonzero()[0][pick]))
        firsts.append(asked[0])
    assert all((firsts[0][name] == firsts[1][name]).all() for name in ("observation", "action_mask"))


def test_what_is_not_allowed_loses() -> None:
    made = SeatEnv("stratego-quick-duel", "red")
    seen, _ = made.reset(seed=1)
    _, reward, ended, truncated, info = made.step(int((1 - seen["action_mask"]).nonzero()[0][0]))
    assert (reward, ended, truncated, info) == (-1.0, True, False, {"illegal": True})
    with pytest.raises(UnknownSeat, match="'green' is no seat here; try one of red, blue"):
        SeatEnv("stratego-quick-duel", "green")
