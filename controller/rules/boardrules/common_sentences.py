"""Sentences that any game may need: a piece moves, a draw is offered, a move is asked back, somebody resigns.
`act leave` and `act enter` are on the buttons of what hands do with a tray (`State.trays`).

They are found after a game's own, so a game that says one of them in its own way brings that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TEXTS: Final[Mapping[str, str]] = {
    "act leave": "Take {from} off the board",
    "act enter": "Put a piece on {to}, from {from}",
    "event move": "{seat}: {from} to {to}.",
    "event offer draw": "{seat} offered a draw.",
    "event offer take-back": "{seat} asked to take the last move back.",
    "event agree draw": "{seat} agreed to the draw.",
    "event decline draw": "{seat} declined the draw.",
    "event decline take-back": "{seat} said no: the move stands.",
    "event withdraw take-back": "{seat} no longer wanted to take the move back.",
    "event take-back": "{seat} took the last move back.",
    "event resign": "{seat} resigned.",
    "event time": "Time is up: {seat}.",
    "won resignation": "{winner} won by resignation.",
    "won time": "{winner} won on time.",
    "draw agreed": "A draw by agreement.",
}
