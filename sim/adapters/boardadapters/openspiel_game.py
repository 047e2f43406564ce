"""A game for OpenSpiel, once this module is imported: `pyspiel.load_game("python_boardumpire(game=...)")`.

Parameters: `game`, the id; `longest`, after how many actions a game is a draw; `options`, those that
aren't the usual ones, `name:value` with `;` between, each value as JSON writes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from boardrules.core import CHANCE
from boardrules.numbered_game import LONGEST, NumberedGame

NAME = "python_boardumpire"
DEFAULTS: Mapping[str, Any] = {"game": "stratego-quick-duel", "longest": LONGEST, "options": ""}


def options_of(text: str) -> dict[str, Any]:
    """Options as the parameter writes them: `announce:"silent";quiet_limit:50`. Raises `ValueError`."""
    found = {}
    for each in filter(None, text.split(";")):
        name, colon, value = each.partition(":")
        try:
            found[name.strip()] = json.loads(value)
        except json.JSONDecodeError:
            shown = f"option {name!r} is {value!r}" if colon else f"{each!r} is no option"
            raise ValueError(
                f'{shown}; try a name and JSON, as in announce:"silent";quiet_limit:50'
            ) from None
    return found


def _game_type(players: tuple[int, int], two_sided: bool) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=NAME,
        long_name="Boardumpire",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if two_sided else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        min_num_players=players[0],
        max_num_players=players[1],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=dict(DEFAULTS),
    )


class BoardGame(pyspiel.Game):
    """One game with certain options."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Raises what `NumberedGame` and `options_of` raise."""
        given = {**DEFAULTS, **(params or {})}
        self.start = NumberedGame(given["game"], longest=given["longest"], **options_of(given["options"]))
        players = len(self.start.seats)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.start.action_count,
            max_chance_outcomes=len(self.start.encoding.chances),
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if players == 2 else None,
            max_game_length=self.start.longest,
        )
        super().__init__(_game_type((players, players), players == 2), info, dict(params or {}))

    def new_initial_state(self) -> BoardState:
        """The beginning."""
        return BoardState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> BoardObserver:
        """What writes observations; with perfect recall it writes information states."""
        return BoardObserver(self.start, iig_obs_type, params)


class BoardState(pyspiel.State):
    """One position with all that led to it."""

    def __init__(self, game: BoardGame) -> None:
        super().__init__(game)
        self.game = game.start.copy()

    def current_player(self) -> int:
        """Who is to act."""
        turn = self.game.turn
        if turn is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if turn == CHANCE else self.game.seats.index(turn)

    def _legal_actions(self, player: int) -> list[int]:
        return self.game.legal() if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may do."""
        return self.game.chances()

    def _apply_action(self, action: int) -> None:
        self.game.push(action)

    def _action_to_string(self, player: int, action: int) -> str:
        chance = player == pyspiel.PlayerId.CHANCE
        return str(self.game.encoding.chances[action]) if chance else self.game.text(action)

    def is_terminal(self) -> bool:
        """Whether it is over."""
        return self.game.over

    def returns(self) -> list[float]:
        """By player 1, -1 or 0."""
        return self.game.returns()

    def __str__(self) -> str:
        return json.dumps(list(self.history()))


class BoardObserver:
    """Writes what a player may know into `tensor`."""

    def __init__(self, game: NumberedGame, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observation parameters are {params}; expected none")
        self._recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        parts = dict(game.parts)
        if self._recall:
            parts["heard"] = game.information_size - game.observation_size
        self.tensor = np.zeros(sum(parts.values()), np.float32)
        self.dict: dict[str, Any] = {}
        at = 0
        for name, size in parts.items():
            self.dict[name] = self.tensor[at : at + size]
            at += size

    def set_from(self, state: BoardState, player: int) -> None:
        """Write what the player may know."""
        game = state.game
        seat = game.seats[player]
        self.tensor[:] = game.information(seat) if self._recall else game.observation(seat)

    def string_from(self, state: BoardState, player: int) -> str:
        """The same as a text."""
        game = state.game
        seat = game.seats[player]
        return game.information_text(seat) if self._recall else game.observation_text(seat)


pyspiel.register_game(_game_type((2, 6), two_sided=False), BoardGame)
