"""Lamps on screens have the patterns of the board."""

from __future__ import annotations

from pathlib import Path

import boardumpire.web
from boardumpire.lamps.legend import PATTERNS

STYLE = (Path(boardumpire.web.__file__).parent / "static" / "style.css").read_text()
STILL = {"steady", "sweep"}
"""What screens draw without a style of its own: a sweep is steady there."""


def test_every_pattern_has_a_style() -> None:
    patterns = set(PATTERNS)
    missing = {each for each in patterns - STILL if f".glow.on.{each.replace(' ', '-')} " not in STYLE}
    assert not missing, "say in style.css how browsers draw it"
    legend = " ".join(line for line in STYLE.splitlines() if line.startswith(".lit .lamp"))
    missing = {
        each for each in patterns - STILL - {"dim steady"} if f".{each.replace(' ', '-')}" not in legend
    }
    assert not missing, "say in style.css how the legend draws it: .lit .lamp"
