"""`boardumpire play` on the command line: without a terminal, and when it is asked for what can't be."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import loops
from boardumpire.cli import main


def test_without_a_terminal_it_says_what_is_needed_and_tells_the_game_as_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["play", "--seed", "1", "--seconds", "40", "--hands", "fast"]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith("No terminal to draw in (it needs 80 columns")
    assert len(rest) > 10


def test_the_same_seed_gives_the_same_game(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for _ in range(2):
        main(["play", "--seed", "5", "--seconds", "30", "--hands", "fast"])
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]


def test_a_journal_that_exists_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = tmp_path / "mine.sqlite"
    journal.write_text("precious")
    assert main(["play", "--journal", str(journal)]) == 2
    assert f"{journal}: exists already" in capsys.readouterr().err
    assert journal.read_text() == "precious"


@pytest.mark.parametrize("game", ["escape-from-colditz", "fall-of-the-fuhrer"])
def test_a_game_that_it_can_not_play_is_refused_at_once(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--game", game, "--board", game, "--seconds", "25"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"--game {game}: play knows games of Stratego alone; `boardumpire page --game {game}" in err


def test_an_impossible_speed_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--speed", "0"]) == 2
    assert "--speed 0: expected 1 to 100" in capsys.readouterr().err


@pytest.mark.slow
def test_the_picture_for_the_documents_is_drawn_from_the_running_program(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    with loops.no_other():
        assert main(["play", "--seed", "7", "--picture", str(picture)]) == 0
    text = picture.read_text()
    assert ET.fromstring(text).tag.endswith("svg")
    assert "http" not in text.replace("http://www.w3.org/", "").replace("Rich https://www.textualize.io", "")
    assert "In&#160;your&#160;hand" in text
