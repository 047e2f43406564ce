"""`boardumpire make map-board` knows no game: who brings one with maps brings what makes boards of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from boardumpire import cli
from boardware.description import board_path

MAKER = """
from boardrules.board_file import BoardNotPossible

def make(file, board_id, wiring):
    if wiring.uses_pico:
        raise BoardNotPossible("--pico: lakes have no Pico; try none")
    text = open(SHIPPED).read().replace('id = "classic-10x10"', f'id = "{board_id}"')
    return text if file is None else "oops"
"""


@pytest.fixture
def lakes(tmp_path: Path) -> dict[str, str]:
    """An environment with a game's maker that was installed by somebody else."""
    text = f"SHIPPED = {str(board_path('classic-10x10'))!r}\n{MAKER}"
    (tmp_path / "lakes.py").write_text(text, encoding="utf-8")
    about = tmp_path / "lakes-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: lakes\nVersion: 1\n", encoding="utf-8")
    points = "[boardumpire.map_boards]\nlakes = lakes:make\ndry = lakes:nothing\n"
    (about / "entry_points.txt").write_text(points, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def run(env: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("boardumpire")), "make", "map-board", *words]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.slow
def test_a_foreign_game_makes_boards_of_its_maps(lakes: dict[str, str]) -> None:
    done = run(lakes, "--game", "lakes", "--id", "como")
    assert done.returncode == 0, done.stderr
    assert 'id = "como"' in done.stdout
    for words, said in (
        (["lakes", "--pico"], "--pico: lakes have no Pico; try none"),
        (["lakes", "any.map"], "any.map: the board made of it, line 1"),
        (["dry"], "--game dry: its maker of boards can't be loaded"),
    ):
        done = run(lakes, "--game", *words)
        assert done.returncode == 2
        assert done.stderr.startswith(f"boardumpire: {said}"), done.stderr


def test_what_has_no_maps_is_told_with_what_has(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["make", "map-board", "--game", "stratego-barrage"]) == 2
    assert capsys.readouterr().err == (
        "boardumpire: --game 'stratego-barrage': no game with maps; try one of"
        " escape-from-colditz, fall-of-the-fuhrer\n"
    )


def test_a_castle_says_itself_how_many_reeds_a_place_has(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["make", "map-board", "--game", "escape-from-colditz", "--slots", "2"]) == 2
    assert capsys.readouterr().err.startswith("boardumpire: --slots 2: a castle says how many pawns")
