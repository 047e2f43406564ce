"""What is asked of a game that makes a board file of a map: `boardumpire make map-board` hands it on.

A game's package offers its maker, `(file, board_id, wiring) -> text`, as an entry point of the group
`boardumpire.map_boards`, under the game's id. `file` is `None` for the map that the game ships.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import dist
from pathlib import Path
from typing import NamedTuple


class BoardWiring(NamedTuple):
    """How the board that is made is to be wired."""

    reeds_per_space: int = 1
    """Reeds a space."""
    uses_pico: bool = False
    """Whether reeds and lamps hang on a Pico under the board, not on the Pi's header."""


class BoardNotPossible(ValueError):  # noqa: N818
    """No board can be made of a map. The message names the map, what was found and what was expected."""


LARGE_MAGNET_PITCH_MM = 40.0
"""Pieces that stand so far apart may have larger magnets."""


def sensing_section_lines(pitch: float) -> tuple[str, ...]:
    """The lines of a board file that say what feels pieces whose middles are `pitch` mm apart."""
    magnet, gap = ("8x3", 6) if pitch >= LARGE_MAGNET_PITCH_MM else ("6x3", 4)
    return (
        "# What feels the pieces, and the magnets in their feet. `boardumpire board check` judges them.",
        "[sensing]",
        'sensor = "reed on end 15-20 AT"',
        f'magnet = "{magnet}" # mm across and high, neodymium N42',
        f"gap_mm = {gap} # from the magnet down to the end of the reed: board and felt",
        'poles = "mixed" # every other magnet upside down',
        "",
    )


def short_lamp_chain(lamps: Mapping[str, tuple[float, float]]) -> list[str]:
    """Lamps by their places in an order that needs little wire, begun at one of the four corners.

    From each lamp to the nearest that is left, then by 2-opt: a part of the chain is turned round as long as
    that shortens it.
    """
    corners = [
        min(lamps, key=lambda lamp: (right * lamps[lamp][0] + up * lamps[lamp][1], lamp))
        for right in (1, -1)
        for up in (-1, 1)
    ]
    return min(
        (_chain_from(corner, lamps) for corner in corners), key=lambda chain: chain_length(chain, lamps)
    )


def chain_length(chain: Sequence[str], lamps: Mapping[str, tuple[float, float]]) -> float:
    """How much wire lies between the lamps of a chain."""
    return sum(dist(lamps[one], lamps[other]) for one, other in pairwise(chain))


def _chain_from(first_lamp: str, lamps: Mapping[str, tuple[float, float]]) -> list[str]:
    chain, rest = [first_lamp], sorted(lamps.keys() - {first_lamp})
    while rest:
        end = lamps[chain[-1]]
        chain.append(rest.pop(min(range(len(rest)), key=lambda place: dist(end, lamps[rest[place]]))))
    at = [lamps[lamp] for lamp in chain]
    shorter = True
    while shorter:
        shorter = False
        for first in range(1, len(at) - 1):
            for last in range(first + 1, len(at)):
                saved = dist(at[first - 1], at[first]) - dist(at[first - 1], at[last])
                if last + 1 < len(at):
                    saved += dist(at[last], at[last + 1]) - dist(at[first], at[last + 1])
                if saved > 1e-6:
                    at[first : last + 1] = at[first : last + 1][::-1]
                    chain[first : last + 1] = chain[first : last + 1][::-1]
                    shorter = True
    return chain


BoardMaker = Callable[[Path | None, str, BoardWiring], str]
"""The text of a board file from a map, the id of the board, and its wiring. Raises `BoardNotPossible`."""
