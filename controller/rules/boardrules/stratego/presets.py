"""Set-ups that are ready, a drawing each, as the player sees them: the front row first, left to right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boardrules.core import Seat, Space
from boardrules.stratego.actions import SEATS
from boardrules.stratego.rules import StrategoRules

FORTRESS, LANES, DECOY = "fortress", "open-lanes", "decoy"
PRESETS: Final[Mapping[str, str]] = {FORTRESS: "Fortress", LANES: "Open lanes", DECOY: "Decoy"}
"""By id what each is called, in English. The Flag stands in a corner behind Bombs; no Bomb is in the way of
one's own pieces; Bombs stand in one corner and the Flag near the other."""

_DRAWINGS: Final[Mapping[str, Mapping[str, str]]] = {
    "stratego-quick-duel": {
        FORTRESS: """
            .  2  .  10 .  .  9  .
            B  .  3  S  .  .  2  .
            F  B  .  .  .  3  .  .
        """,
        LANES: """
            2  .  .  9  10 .  .  3
            .  3  .  .  S  .  2  .
            .  .  .  B  F  B  .  .
        """,
        DECOY: """
            .  2  .  9  .  .  10 .
            .  3  .  S  .  .  .  3
            2  F  .  .  .  .  B  B
        """,
    },
    "stratego-quick-barrage": {
        FORTRESS: """
            .  .  .  10 .  .  2  .
            B  2  .  .  S  .  9  .
            F  3  .  .  .  .  .  .
        """,
        LANES: """
            .  9  .  .  2  .  .  .
            .  .  .  S  .  10 .  2
            .  .  .  F  B  .  3  .
        """,
        DECOY: """
            .  2  .  9  .  .  10 .
            .  S  .  .  .  .  .  3
            .  F  2  .  .  .  .  B
        """,
    },
    "stratego-classic": {
        FORTRESS: """
            2  7  6  2  9  B  8  7  6  2
            4  6  8  B  5  7  10 6  2  3
            B  B  5  4  3  2  5  4  5  S
            F  B  3  2  4  B  3  2  3  2
        """,
        LANES: """
            2  9  6  4  7  8  2  6  7  2
            6  2  7  5  10 6  5  8  2  3
            4  B  5  B  3  2  B  5  S  4
            3  2  B  F  B  4  3  B  2  3
        """,
        DECOY: """
            2  8  7  5  4  9  6  7  6  2
            6  2  10 6  B  2  7  3  8  2
            3  5  B  5  S  3  5  B  4  B
            2  4  F  3  2  3  4  2  B  B
        """,
    },
    "stratego-barrage": {
        FORTRESS: """
            .  .  .  .  10 .  .  .  2  .
            .  2  .  .  .  S  .  .  9  .
            B  .  .  .  .  .  .  .  .  .
            F  3  .  .  .  .  .  .  .  .
        """,
        LANES: """
            .  9  .  .  2  .  .  .  .  .
            .  .  .  .  .  10 .  .  .  2
            .  .  .  .  S  .  .  .  3  .
            .  .  .  .  F  B  .  .  .  .
        """,
        DECOY: """
            .  2  .  .  9  .  .  .  10 .
            .  .  .  .  .  .  .  .  .  .
            .  S  .  .  .  .  .  .  .  3
            .  F  2  .  .  .  .  .  .  B
        """,
    },
    "stratego-duel": {
        FORTRESS: """
            .  2  .  .  10 .  .  .  9  .
            .  .  .  .  .  .  .  .  .  .
            B  .  .  3  .  S  .  .  2  .
            F  B  .  .  .  .  3  .  .  .
        """,
        LANES: """
            2  .  .  .  9  10 .  .  .  3
            .  .  .  .  .  .  .  .  .  .
            .  3  .  .  S  .  .  .  2  .
            .  .  .  B  F  B  .  .  .  .
        """,
        DECOY: """
            .  2  .  .  9  .  .  .  10 .
            .  .  .  .  S  .  .  .  .  .
            .  3  .  .  .  .  .  .  .  3
            2  F  .  .  .  .  .  .  B  B
        """,
    },
}


def presets_of(game_id: str) -> Mapping[str, str]:
    """By id what the set-ups of a game are called; nothing where none is drawn."""
    return PRESETS if game_id in _DRAWINGS else {}


def preset_setup(rules: StrategoRules, seat: Seat, name: str) -> dict[Space, str]:
    """A ready set-up of that seat (square -> rank). Raises `KeyError` for a name that there isn't.

    A piece whose square the set-up mask leaves out stands on the nearest one that is free.
    """
    board, side = rules.board, SEATS.index(seat)
    rows = [line.split() for line in _DRAWINGS[rules.game_id][name].split("\n") if line.strip()]
    first = len(board.names) - 1 if side else 0
    wanted = {
        abs(first - (board.size * y + x)): rank
        for y, row in enumerate(reversed(rows))
        for x, rank in enumerate(row)
        if rank != "."
    }
    free = {board.squares[name] for name in board.spaces_of_mask(rules.setup_masks[side])}
    found = {}
    for square in sorted(wanted, key=lambda square: square not in free):
        place = min(free, key=lambda each: (_steps_between(square, each, board.size), each))
        free.remove(place)
        found[board.names[place]] = wanted[square]
    return found


def _steps_between(one: int, other: int, size: int) -> int:
    return abs(one // size - other // size) + abs(one % size - other % size)
