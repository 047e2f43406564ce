"""Lamps on screens have the patterns of the board."""

from __future__ import annotations

import re
from pathlib import Path

import boardumpire.web
from boardumpire.lamps.legend import PATTERNS

STYLE = (Path(boardumpire.web.__file__).parent / "static" / "style.css").read_text()
LEAST = 1.8
"""How much lighter one side's pieces are than the other's, at least: grey alone has to tell them apart."""
STILL = {"steady", "sweep"}
"""What screens draw without a style of its own: a sweep is steady there."""


def _lightness(name: str) -> float:
    """Relative luminance of a colour of the sheet, as WCAG has it, and 0.05."""
    colour = re.findall(rf"{name}: #([0-9a-f]{{6}});", STYLE)[0]
    parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05


def test_the_sides_of_a_game_are_told_apart_in_grey() -> None:
    assert _lightness("--piece-blue") / _lightness("--piece-red") > LEAST
    assert _lightness("--piece-white") / _lightness("--piece-black") > LEAST
    ink = re.findall(r"\.blue \{ (--piece-ink): ", STYLE)
    assert ink, "dark figures on the lighter side"


def test_every_pattern_has_a_style() -> None:
    patterns = set(PATTERNS)
    missing = {each for each in patterns - STILL if f".glow.on.{each.replace(' ', '-')} " not in STYLE}
    assert not missing, "say in style.css how browsers draw it"
    legend = " ".join(line for line in STYLE.splitlines() if line.startswith(".lit .lamp"))
    missing = {
        each for each in patterns - STILL - {"dim steady"} if f".{each.replace(' ', '-')}" not in legend
    }
    assert not missing, "say in style.css how the legend draws it: .lit .lamp"
