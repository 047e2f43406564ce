"""All that the model says of a board, part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from boardware.parts import Board
from boardware.physics import electrics, magnetics
from boardware.physics.verdict import Verdict

PARTS: tuple[Callable[[Board], Iterator[Verdict]], ...] = (magnetics.verdicts, electrics.verdicts)
"""Who says something of a board, in the order in which it is told."""


def verdicts(board: Board) -> list[Verdict]:
    """What every part of the model says."""
    return [verdict for part in PARTS for verdict in part(board)]
