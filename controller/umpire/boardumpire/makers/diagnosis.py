"""Explains what the doctor saw: which part, which wire to look at. Pure: facts in, findings out."""

from __future__ import annotations

from collections.abc import Iterable

from boardumpire.makers.doctor_facts import Finding
from boardumpire.makers.interface_faults import InterfaceFaults
from boardumpire.makers.observations import Observations
from boardumpire.makers.reed_faults import ReedFaults
from boardware.parts import BoardDescription
from boardware.ports import HardwareTrouble


def derive_findings(
    board: BoardDescription, seen: Observations, troubles: Iterable[HardwareTrouble] = ()
) -> list[Finding]:
    """All findings: cables, buttons and lamps, then the reeds."""
    return [*InterfaceFaults(board, seen).findings(troubles), *ReedFaults(board, seen).findings()]
