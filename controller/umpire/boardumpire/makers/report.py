"""What a doctor tells at the end: findings, what was looked at, what lamps draw."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from textwrap import indent
from typing import NamedTuple

from boardumpire.lamps.legend import BOARD_LEGEND
from boardumpire.makers.bare_board import all_lamps, bare_board
from boardumpire.makers.diagnosis import derive_findings
from boardumpire.makers.doctor_facts import Finding
from boardumpire.makers.observations import Observations
from boardumpire.makers.power import BRIGHTNESS_MAX, PowerEstimate, estimate_power
from boardware.neopixel import DEFAULT_BRIGHTNESS_PERCENT
from boardware.parts import BoardDescription
from boardware.ports import HardwareTrouble


class DoctorReport(NamedTuple):
    """All that is told."""

    board: str
    findings: tuple[Finding, ...]
    tested_parts: str
    """What was tested."""
    power_by_colour: Mapping[str, PowerEstimate]
    """By what is shown what all lamps draw."""


def make_report(
    board: BoardDescription,
    seen: Observations,
    troubles: Iterable[HardwareTrouble],
    lamp_settings: Mapping[str, object],
) -> DoctorReport:
    """The report of one examination; of `lamp_settings` (a configuration's) it needs `brightness`."""
    percent = lamp_settings.get("brightness", DEFAULT_BRIGHTNESS_PERCENT)
    level = max(1, percent * BRIGHTNESS_MAX // 100) if isinstance(percent, int) else BRIGHTNESS_MAX
    wired = bare_board(board)
    shown = {f"every lamp {colour}": f"plain-{colour}" for colour in ("red", "green", "white")}
    draws = {
        name: estimate_power(wired, BOARD_LEGEND.to_lights(dict.fromkeys(all_lamps(board), mark)), level)
        for name, mark in shown.items()
        if board.chains
    }
    parts = [
        *(["the Picos"] if board.picos else []),
        *([] if seen.absent_picos else ["the empty board"]),
        f"{len(seen.sensed_contacts)} of {len(board.slots_by_contact)} reeds",
        f"{len(seen.button_presses)} of {len(board.buttons)} buttons",
        f"{len(board.lamps) if seen.colours_right or seen.dark_lamps else 0} of {len(board.lamps)} lamps",
    ]
    return DoctorReport(board.id, tuple(derive_findings(board, seen, troubles)), ", ".join(parts), draws)


def as_text(found: DoctorReport) -> str:
    """As a person reads it."""
    lines = [f"Board {found.board}: tested {found.tested_parts}."]
    lines += [indent(finding.text(), "  ").replace("  ", "- ", 1) for finding in found.findings] or [
        "Nothing wrong was found."
    ]
    lines += [f"Power, {shown}: {draws.text()}." for shown, draws in found.power_by_colour.items()]
    return "\n".join(lines)


def as_json(found: DoctorReport) -> str:
    """As a program reads it."""
    findings = [
        {**finding._asdict(), "others": [other._asdict() for other in finding.others]}
        for finding in found.findings
    ]
    draws = {shown: draws._asdict() for shown, draws in found.power_by_colour.items()}
    return json.dumps(
        {"board": found.board, "findings": findings, "looked": found.tested_parts, "power": draws}, indent=1
    )
