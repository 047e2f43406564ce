"""Sentences that any game may need: a piece moves, a draw is offered, a move is asked back, somebody resigns.

They are found after a game's own, so a game that says one of them in its own way brings that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TEXTS: Final[Mapping[str, str]] = {
    "event move": "{seat}: {from} to {to}.",
    "event offer draw": "{seat} offers a draw.",
    "event offer take-back": "{seat} asks to take the last move back.",
    "event agree draw": "{seat} agrees to the draw.",
    "event decline draw": "{seat} declines the draw.",
    "event decline take-back": "{seat} says no: the move stands.",
    "event withdraw take-back": "{seat} no longer asks for the move back.",
    "event take-back": "The last move of {seat} is taken back.",
    "event resign": "{seat} resigns.",
    "event time": "The time of {seat} has run out.",
    "won resignation": "{winner} wins by resignation.",
    "won time": "{winner} wins on time.",
    "draw agreed": "A draw by agreement.",
}
"""By the id of a message its sentence."""
