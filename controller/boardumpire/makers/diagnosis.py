"""Explains what the doctor saw: which part, which wire to look at. Pure: facts in, findings out."""

from __future__ import annotations

from collections.abc import Iterable

from boardumpire.makers.facts import Finding
from boardumpire.makers.observations import Observations
from boardumpire.makers.outward import Outward
from boardumpire.makers.reeds import Reeds
from boardware.parts import Board
from boardware.ports import Trouble


def explain(board: Board, seen: Observations, troubles: Iterable[Trouble] = ()) -> list[Finding]:
    """All findings: cables, buttons and lamps, then the reeds."""
    return [*Outward(board, seen).findings(troubles), *Reeds(board, seen).findings()]
