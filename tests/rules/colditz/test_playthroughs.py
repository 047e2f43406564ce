"""Games of two, four and six players go as they are written down."""

from __future__ import annotations

import pytest

from rules.colditz import playthrough


@pytest.mark.parametrize("players", playthrough.PLAYERS)
def test_a_game_plays_through_as_written(players: int) -> None:
    file = playthrough.FOLDER / f"{players}.txt"
    assert file.is_file(), "write it with python tests/rules/colditz/playthrough.py"
    assert playthrough.text(players) == file.read_text()
