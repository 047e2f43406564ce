"""Kept games: those that are there aren't played again, and a line that was cut off is no game."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from players import kept as module
from players.kept import kept


class Game(NamedTuple):
    winner: str
    rounds: list[int]


def test_a_run_that_was_ended_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROOT", tmp_path)
    played: list[int] = []

    def play(number: int) -> Game:
        played.append(number)
        return Game("red" if number % 2 else "blue", [number])

    first = [*kept("some", range(3), play, Game)]
    file = tmp_path / "build/matches/some.jsonl"
    file.write_text(file.read_text()[:-4])
    assert [*kept("some", range(4), play, Game)] == [*first, Game("red", [3])]
    assert played == [0, 1, 2, 2, 3]
    assert [*kept("some", [3, 0], play, Game)] == [Game("red", [3]), first[0]]
    assert [*kept("other sources", [0], play, Game)] == first[:1]
    assert played == [0, 1, 2, 2, 3, 0]
