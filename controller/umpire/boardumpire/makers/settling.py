"""Tries another `settle_us` where pieces are sensed on the next row too: the same board, read more slowly."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Final

from boardumpire.makers.bare_board import all_contacts
from boardumpire.makers.diagnosis import derive_findings
from boardumpire.makers.doctor import Doctor
from boardumpire.makers.guide import Check, GuideReply, GuideRequest
from boardumpire.makers.observations import Observations
from boardumpire.makers.reed_faults import SLOWER_FACTOR
from boardware.parts import BoardDescription

PLACES_TRIED_MAX: Final = 3


def slower_board(board: BoardDescription, seen: Observations) -> BoardDescription | None:
    """The board with longer times for the banks that seem to need them; `None` where none does."""
    parts = {p for found in derive_findings(board, seen) if found.code == "settle-short" for p in found.parts}
    slow = {
        bank.id: replace(bank, settle_us=SLOWER_FACTOR * bank.settle_us)
        for bank in board.banks.values()
        if f"columns {bank.id}" in parts
    }
    return replace(board, banks={**board.banks, **slow}) if slow else None


def ask_consent(slower: BoardDescription) -> Generator[GuideRequest, GuideReply, bool]:
    """Whether a person wants it tried."""
    text = "Shall the doctor try a longer settle_us?"
    if slower.picos:
        text += " It flashes the Picos for that."
    return bool((yield GuideRequest("answer", text)).answer)


def second_walk(slower: BoardDescription, seen: Observations) -> Check:
    """Pieces on some of the squares that were sensed on two rows."""
    names = frozenset(sorted(seen.also_closed)[:PLACES_TRIED_MAX])
    return Doctor(slower, stages=["squares"], contacts=names).run_steps()


def note_second_walk(slower: BoardDescription, seen: Observations, again: Observations) -> None:
    """Add what came of it to what was seen before."""
    for name in again.sensed_contacts:
        bank = all_contacts(slower)[name].bank
        helped = seen.slower_helps.get(bank, True)
        seen.slower_helps[bank] = helped and name not in again.also_closed
