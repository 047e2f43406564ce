"""What a doctor tells at the end: findings, what was looked at, what lamps draw."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from textwrap import indent
from typing import NamedTuple

from boardumpire.lamps.legend import BOARD
from boardumpire.makers.bare_board import bare_board, lamps
from boardumpire.makers.diagnosis import explain
from boardumpire.makers.doctor_facts import Finding
from boardumpire.makers.observations import Observations
from boardumpire.makers.power import FULL, PowerEstimate, power
from boardware.neopixel import BRIGHTNESS
from boardware.parts import BoardDescription
from boardware.ports import HardwareTrouble


class DoctorReport(NamedTuple):
    """All that is told."""

    board: str
    findings: tuple[Finding, ...]
    looked: str
    """What was tested."""
    power: Mapping[str, PowerEstimate]
    """By what is shown what all lamps draw."""


def report(
    board: BoardDescription,
    seen: Observations,
    troubles: Iterable[HardwareTrouble],
    lamp_settings: Mapping[str, object],
) -> DoctorReport:
    """The report of one examination; of `lamp_settings` (a configuration's) it needs `brightness`."""
    percent = lamp_settings.get("brightness", BRIGHTNESS)
    level = max(1, percent * FULL // 100) if isinstance(percent, int) else FULL
    wired = bare_board(board)
    shown = {f"every lamp {colour}": f"plain-{colour}" for colour in ("red", "green", "white")}
    draws = {
        name: power(wired, BOARD.to_lights(dict.fromkeys(lamps(board), mark)), level)
        for name, mark in shown.items()
        if board.chains
    }
    parts = [
        *(["the Picos"] if board.picos else []),
        *([] if seen.absent else ["the empty board"]),
        f"{len(seen.felt)} of {len(board.contacts)} reeds",
        f"{len(seen.presses)} of {len(board.buttons)} buttons",
        f"{len(board.lamps) if seen.colours or seen.dark else 0} of {len(board.lamps)} lamps",
    ]
    return DoctorReport(board.id, tuple(explain(board, seen, troubles)), ", ".join(parts), draws)


def as_text(found: DoctorReport) -> str:
    """As a person reads it."""
    lines = [f"Board {found.board}: tested {found.looked}."]
    lines += [indent(finding.text(), "  ").replace("  ", "- ", 1) for finding in found.findings] or [
        "Nothing wrong was found."
    ]
    lines += [f"Power, {shown}: {draws.text()}." for shown, draws in found.power.items()]
    return "\n".join(lines)


def as_json(found: DoctorReport) -> str:
    """As a program reads it."""
    findings = [
        {**finding._asdict(), "others": [other._asdict() for other in finding.others]}
        for finding in found.findings
    ]
    draws = {shown: draws._asdict() for shown, draws in found.power.items()}
    return json.dumps(
        {"board": found.board, "findings": findings, "looked": found.looked, "power": draws}, indent=1
    )
