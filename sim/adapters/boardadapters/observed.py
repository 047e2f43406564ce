"""What PettingZoo and Gymnasium have in common: a seat's observation as a dictionary of arrays."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from gymnasium import spaces

from boardrules.numbered_game import NumberedGame

Observation = dict[str, Any]
"""`observation`, float32: what the seat sees; `action_mask`, int8: by number 1 for what it may do now."""


def observation_space(game: NumberedGame) -> spaces.Dict:
    """The space of all that `observe` returns."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, (game.observation_size,), np.float32),
            "action_mask": spaces.Box(0, 1, (game.action_count,), np.int8),
        }
    )


def observe(game: NumberedGame, seat: str) -> Observation:
    """What the seat may know now. The mask is empty for a seat that isn't to act."""
    mask = np.zeros(game.action_count, np.int8)
    if seat == game.turn:
        mask[game.legal()] = 1
    seats = {str(each): each for each in game.seats}
    return {"observation": np.array(game.observation(seats[seat]), np.float32), "action_mask": mask}


def act_for_chance(game: NumberedGame, dice: random.Random) -> None:
    """Throw and draw until a seat is to act."""
    while chances := game.chances():
        numbers, probabilities = zip(*chances, strict=True)
        game.push(dice.choices(numbers, probabilities)[0])
