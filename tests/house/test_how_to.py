"""What "add a board", "add a driver" and "add a language" tell one to do works as it is written."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import distributions
from boardmake.physics import tables
from boardumpire.cli import main
from boardumpire.lamps.legend import PATTERNS
from boardumpire.messages.languages import LANGUAGES
from boardware.description import load_board
from boardware.errors import SettingError
from boardware.ports import MS, SensorChanged
from boardwire import lights

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = ("program/add-a-board", "program/add-a-driver", "program/add-a-language", "understand/code-tour")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / f"{page}.md").read_text(), re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_is_named_is_there(page: str) -> None:
    text = (DOCS / f"{page}.md").read_text()
    named = re.findall(
        r"`((?:controller|hardware|firmware|sim|tests|docs)/[\w./*-]+)`", text.replace("CODE", "de")
    )
    named += [word for line in blocks(page, "console") for word in re.findall(r"tests/[\w./-]+", line)]
    missing = [name for name in named if not list(ROOT.glob(name.rstrip("/")))]
    new = {"hardware/drivers/boardware/lines.py"}  # what the reader is to write
    assert set(missing) <= new


def test_the_board_of_the_page_is_right_and_is_told_as_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my-board.toml").write_text(blocks("program/add-a-board", "toml")[0])
    (block,) = (block for block in blocks("program/add-a-board", "console") if "board check" in block)
    command, told = block.split("\n", 1)
    assert main(command.removeprefix("$ boardumpire ").split()) == 2  # two squares are no board for a game
    assert capsys.readouterr().out == told


def rows_shown(page: str, table: str) -> tuple[list[str], list[str]]:
    """The rows of the page's table with the same first line as `table`, and the rows of `table`."""
    head, rule, *rows = table.splitlines()
    shown = (DOCS / "build" / page).read_text().partition(f"\n{head}\n{rule}\n")[2].partition("\n\n")[0]
    return shown.splitlines(), rows


def test_the_table_of_what_rows_carry_is_the_models() -> None:
    shown, rows = rows_shown("header.md", tables.row_load_table())
    assert len(shown) > 2
    assert set(shown) <= set(rows)


@pytest.mark.slow
def test_the_table_of_sensors_and_magnets_is_the_models() -> None:
    shown, rows = rows_shown("magnets.md", tables.parts_fit_table())
    assert set(shown) <= set(rows)
    assert {row for row in rows if row.endswith("| yes |")} <= set(shown)


def test_the_driver_of_the_page_tells_what_came_and_checks_its_settings(tmp_path: Path) -> None:
    (code,) = blocks("program/add-a-driver", "python")
    made: dict[str, Any] = {}
    exec(compile(code, "add-a-driver.md", "exec"), made)
    board = load_board("quick-battle-8x8")
    lines = tmp_path / "lines"
    lines.write_text("+a3\n+b1\n")
    sensors = made["open_sensors"](board, path=str(lines))
    assert list(sensors.step(0)) == []
    assert sensors.present() == {"a3", "b1"}
    with lines.open("a") as more:
        more.write("-a3\n")
    assert list(sensors.step(1 * MS)) == [], "not due yet"
    assert list(sensors.step(sensors.due())) == [SensorChanged(20 * MS, "a3", present=False)]
    assert sensors.present() == {"b1"}
    sensors.close()
    sensors.close()
    for wrong in ({}, {"path": ""}, {"path": "x", "scan_ms": 0}, {"path": "x", "speed": 1}):
        with pytest.raises(SettingError):
            made["open_sensors"].check(board, wrong)


def test_drivers_are_named_where_the_page_says_so() -> None:
    project = distributions.projects()["boardware"]
    named, chosen = (tomllib.loads(block) for block in blocks("program/add-a-driver", "toml"))
    assert set(named) == {chosen["drivers"]["sensors"]}
    assert project["entry-points"]["boardumpire.drivers"]["gpio"] == "boardware.gpio:open_sensors"


def test_the_language_of_the_page_is_not_there_yet_and_is_named_as_the_others_are() -> None:
    (line,) = blocks("program/add-a-language", "python")
    assert re.fullmatch(r'"[a-z]{2}": "\w+",\n', line)
    assert line[1:3] not in LANGUAGES


def test_every_pattern_of_the_firmware_has_a_name() -> None:
    """What the tour says of a new pattern: forget one of its places, and this says which."""
    assert {min(pattern, lights.SWEEP) for pattern in lights.LEVELS} == set(PATTERNS.values())
    assert set(lights.CYCLIC_PATTERNS) <= set(lights.LEVELS)
