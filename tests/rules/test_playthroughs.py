"""Some games, and the toy, play through as they did."""

from __future__ import annotations

import pytest

from rules import playthrough
from rules.playthrough import GAMES


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_plays_through_as_written(game_id: str) -> None:
    file = playthrough.FOLDER / f"{game_id}.txt"
    assert file.is_file(), f"no playthrough of {game_id}; write it with python tests/rules/playthrough.py"
    assert playthrough.text(GAMES[game_id].new({})) == file.read_text()


def test_every_playthrough_is_of_a_game() -> None:
    assert {file.stem for file in playthrough.FOLDER.iterdir()} == set(GAMES)
