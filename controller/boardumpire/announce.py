"""Message ids and parameters -> text that people read.

Every text is a whole sentence with named parameters, so that a catalogue in another language can take its
place; nothing is glued from pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from boardrules.core import Outcome

# What the board asks hands to do, and what is wrong with it.
BOARD = {
    "chore/put": "Put the piece back on {space}.",
    "chore/put-seat": "Put the {seat} piece on {space}.",
    "chore/take": "Take the piece off {space}.",
    "chore/take-seat": "Take the beaten piece off {space}.",
    "chore/centre": "Set the piece in the middle of its space, near {space}.",
    "fault/not-your-turn": "It is not that side's turn: the piece from {first} goes back.",
    "fault/extra-piece": "There is one piece too many, on {first}.",
    "fault/between-spaces": "A piece stands between {spaces}.",
    "fault/muddle": "The board can't tell what happened on {spaces}. Please put the pieces back.",
    "question/attack-here": "Does the piece from {origin} attack {target}? Press confirm or cancel.",
    "reminder/piece-up": "The piece of {space} has been up for a while.",
    "trouble/ghost": "The board can't be sure of {where}: pieces on a rectangle without diodes.",
    "trouble/journal": "The journal can't be written, so the game stands still: {detail}",
}


def _say(table: dict[str, str], key: str, **params: str) -> str:
    return table[key].format(**params)


def chore(kind: str, space: str, seat: str | None) -> str:
    """What to do with a piece."""
    key = f"chore/{kind}-seat" if seat and f"chore/{kind}-seat" in BOARD else f"chore/{kind}"
    return _say(BOARD, key, space=space, seat=seat or "")


def fault(code: str, spaces: Sequence[str]) -> str:
    """What is wrong with the board."""
    return _say(BOARD, f"fault/{code}", first=spaces[0], spaces=", ".join(spaces))


def trouble(code: str, where: str, detail: str) -> str:
    """What is wrong with the hardware or the store."""
    if f"trouble/{code}" not in BOARD:
        return f"{code} {where} {detail}".strip()
    return _say(BOARD, f"trouble/{code}", where=where, detail=detail)


def question(code: str, origin: str, target: str) -> str:
    """What the umpire asks."""
    return _say(BOARD, f"question/{code}", origin=origin, target=target)


def reminder(space: str) -> str:
    """That a piece has been up for long."""
    return _say(BOARD, "reminder/piece-up", space=space)


def refusal(code: str, params: Iterable[tuple[str, str]]) -> str:
    """Why an action is not allowed."""
    return f"{code} {dict(params)}"


def event(kind: str, data: Iterable[tuple[str, Any]]) -> str:
    """What happened."""
    return f"{kind} {dict(data)}"


def outcome(ended: Outcome) -> str:
    """How the game ended."""
    return f"{ended.winner or 'nobody'} wins: {ended.reason}"
