"""The page about records says what is so: its examples are read, played, converted and verified."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boardrules import jsonfile, record, registry
from boardrules.record.form import HEADER_KEYS
from boardrules.record.replaying import Agreement
from boardrules.stratego.neutral_notation import VARIANTS
from boardumpire.cli import main

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "program" / "records.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_game_of_the_page_plays_and_is_written_again_as_it_stands() -> None:
    (text,) = blocks("text")
    game = record.parse(text)
    assert record.final_state(game).outcome == game.result
    assert record.write(game) == text


def test_the_commands_of_the_page_say_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("evening.record").write_text(blocks("text")[0])
    Path("games.jsonl").write_text(blocks("json")[0])
    for block in blocks("console"):
        command, told = block.split("\n", 1)
        main(command.removeprefix("$ boardumpire ").split())
        assert "".join(reversed(capsys.readouterr())) == told


def test_every_line_and_every_notation_is_on_the_page() -> None:
    rows = {
        word
        for row in re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
        for word in re.findall(r"`(\w+)", row)
    }
    assert set(HEADER_KEYS) <= rows
    assert set(VARIANTS) <= set(re.findall(r"`([\w-]+)`", PAGE))
    assert {each.value for each in Agreement} <= set(re.findall(r"`([^`\n]+)`", PAGE))
    for notation in registry.notations():
        assert f"`--to {notation.name}`" in PAGE
    assert f"nested {jsonfile.MAX_NESTING_LEVELS} deep" in PAGE
