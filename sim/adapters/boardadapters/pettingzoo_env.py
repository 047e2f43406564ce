"""A game for PettingZoo: `env("stratego-quick-duel")`, with a seat for an agent.

Chance acts by itself. Rewards come at the end: 1 for who has won, -1 for who has lost.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, ClassVar

from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from boardadapters.observed import Observation, act_for_chance, observation_space, observe
from boardrules.numbered_game import LONGEST, NumberedGame


def env(
    game: str, *, longest: int = LONGEST, render_mode: str | None = None, **options: Any
) -> AECEnv[str, Observation, int]:
    """The environment. As in PettingZoo's own games, an agent that does what isn't allowed has lost.

    A game is truncated after `longest` actions. `render_mode`: `ansi` or nothing. Raises what `NumberedGame`
    raises.
    """
    raw = RawEnv(game, longest=longest, render_mode=render_mode, **options)
    losing = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(losing))


class RawEnv(AECEnv[str, Observation, int]):
    """The same without PettingZoo's wrappers: what isn't allowed raises `ValueError`."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "boardumpire",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self, game: str, *, longest: int = LONGEST, render_mode: str | None = None, **options: Any
    ) -> None:
        super().__init__()
        self._start = NumberedGame(game, longest=longest, **options)
        self._game = self._start.copy()
        self._dice = random.Random()
        self.render_mode = render_mode
        self.agents: list[str] = []
        self.possible_agents = [str(seat) for seat in self._game.seats]
        count = self._game.action_count
        self.observation_spaces = {agent: observation_space(self._game) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Of an agent: the same for all."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What an agent may know now."""
        return observe(self._game, agent)

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin anew. With a `seed` chance repeats."""
        if seed is not None:
            self._dice = random.Random(seed)
        self._game = self._start.copy()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def step(self, action: int) -> None:
        """What the agent to act does; `None` once the game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._game.push(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._go_on()
        self.rewards = dict(zip(self.agents, self._game.returns(), strict=True))
        self._accumulate_rewards()

    def _go_on(self) -> None:
        act_for_chance(self._game, self._dice)
        self.terminations = dict.fromkeys(self.agents, self._game.over and not self._game.cut_off)
        self.truncations = dict.fromkeys(self.agents, self._game.cut_off)
        self.agent_selection = str(self._game.turn or self.agents[0])

    def render(self) -> str | None:
        """With the mode `ansi` the board as everybody may see it."""
        return None if self.render_mode is None else str(self._game.state)

    def close(self) -> None:
        """Nothing is held."""
