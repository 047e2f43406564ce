"""A whole game goes as it is written down."""

from __future__ import annotations

from rules.colditz import playthrough


def test_a_game_plays_through_as_written() -> None:
    assert playthrough.text() == playthrough.FILE.read_text(), "tests/rules/colditz/playthrough.py writes it"
