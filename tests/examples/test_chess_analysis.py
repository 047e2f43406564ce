"""A game of chess that is over: what the engine would have done at a move."""

from __future__ import annotations

from pathlib import Path

import pytest

import boardrules
from boardumpire.commands.analysis import MoveAnalyser
from boardumpire.history import replays
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import load_or_make_key
from examples.test_chess_engine import engine
from house.test_commands import played
from loops import run

pytestmark = [pytest.mark.usefixtures("games"), pytest.mark.slow]


def test_the_engine_says_what_it_would_have_done(
    tmp_path: Path, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = engine(tmp_path, monkeypatch)
    monkeypatch.setenv("PYTHONPATH", str(installed))
    played(tmp_path, "chess", journal=tmp_path / "journal.sqlite", longest=10)
    store = Store.open(tmp_path / "journal.sqlite", load_or_make_key(tmp_path / "key" / "board.key"))
    try:
        steps = replays.replay_steps(store, 1, 0, 1000)["steps"]
        first = next(place for place, step in enumerate(steps) if step["choice"])
        found = run(MoveAnalyser(lambda: store).analyse_step(1, first))
    finally:
        store.close()
    moves = set(map(str, boardrules.new("chess").legal_actions(found["seat"])))
    assert {choice["action"] for choice in found["choices"]} <= moves
    assert {choice["score"] for choice in found["choices"]} == {"+0.7"}
    assert "go nodes" in told.read_text(), "the engine was asked, as its levels are the strongest"
