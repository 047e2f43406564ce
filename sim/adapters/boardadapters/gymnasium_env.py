"""One seat of a game for Gymnasium: `SeatEnv("stratego-quick-duel", "red")`. Others play the other seats.

The reward comes at the end: 1 if the seat has won, -1 if it has lost.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import gymnasium
from gymnasium import spaces

from boardadapters.observed import Observation, act_for_chance, observation_space, observe
from boardrules.core import UnknownSeat
from boardrules.numbered_game import LONGEST, NumberedGame

Opponent = Callable[[Observation, random.Random], int]
"""What a seat does, by its own observation: a number that its mask allows."""


def any_action(seen: Observation, dice: random.Random) -> int:
    """Whatever is allowed."""
    return int(dice.choice(seen["action_mask"].nonzero()[0]))


class SeatEnv(gymnasium.Env[Observation, int]):
    """The game as one seat plays it. A seat that does what isn't allowed has lost: `info["illegal"]`."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str,
        seat: str,
        opponent: Opponent = any_action,
        *,
        longest: int = LONGEST,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """`opponent` plays all other seats. A game is truncated after `longest` actions.

        Raises `UnknownSeat`, and what `NumberedGame` raises.
        """
        self._start = NumberedGame(game, longest=longest, **options)
        if seat not in self._start.seats:
            raise UnknownSeat(seat, self._start.seats)
        self._game = self._start.copy()
        self._seat, self._opponent = seat, opponent
        self._dice = random.Random()
        self.render_mode = render_mode
        self.observation_space = observation_space(self._game)
        self.action_space = spaces.Discrete(self._game.action_count)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin anew, up to the seat's first turn. With a `seed` chance and the other seats repeat."""
        super().reset(seed=seed)
        self._dice = random.Random(int(self.np_random.integers(1 << 62)))
        self._game = self._start.copy()
        self._play_others()
        return observe(self._game, self._seat), {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """What the seat does, then the others up to its next turn."""
        if int(action) not in self._game.legal():
            return observe(self._game, self._seat), -1.0, True, False, {"illegal": True}
        self._game.push(int(action))
        self._play_others()
        game = self._game
        reward = game.returns()[[str(seat) for seat in game.seats].index(self._seat)]
        return observe(game, self._seat), reward, game.over and not game.cut_off, game.cut_off, {}

    def _play_others(self) -> None:
        act_for_chance(self._game, self._dice)
        while self._game.turn not in (None, self._seat):
            self._game.push(self._opponent(observe(self._game, str(self._game.turn)), self._dice))
            act_for_chance(self._game, self._dice)

    def render(self) -> Any:
        """With the mode `ansi` the board as the seat may see it."""
        seat = next(each for each in self._game.seats if each == self._seat)
        return None if self.render_mode is None else self._game.state.view(seat).text()
