"""All that the model says of a board, part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from boardmake.physics import electrics, leads
from boardware.parts import BoardDescription
from boardware.physics import magnetics
from boardware.physics.verdict import ModelVerdict

MODEL_PARTS: tuple[Callable[[BoardDescription], Iterator[ModelVerdict]], ...] = (
    magnetics.model_verdicts,
    leads.verdicts,
    electrics.verdicts,
)
"""Who says something of a board, in the order in which it is told."""


def verdicts(board: BoardDescription) -> list[ModelVerdict]:
    """What every part of the model says."""
    return [verdict for part in MODEL_PARTS for verdict in part(board)]
