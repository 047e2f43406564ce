"""The README shows every game, and a battle that moves."""

from __future__ import annotations

import re
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[2]


def test_the_readme_shows_each_game_and_a_battle() -> None:
    shown = set(re.findall(r"docs/play/([\w-]+\.\w+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert {"seat-lifted.png", "hunt-table.png", "colditz-turn.png"} <= shown
    assert "battle.webp" in shown
    battle = ROOT / "docs" / "play" / "battle.webp"
    with Image.open(battle) as picture:
        assert getattr(picture, "n_frames", 1) > 8
    assert battle.stat().st_size < 1_000_000
