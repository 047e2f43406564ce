"""docs/program/add-a-game.md shows the game that is played here, whole, and its commands work."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from boardrules.core import State, Step, View
from boardrules.package import GamePackage

ROOT = Path(__file__).resolve().parents[2]
GAME = ROOT / "examples" / "breakthrough"
PAGE = (ROOT / "docs" / "program" / "add-a-game.md").read_text()
COMMAND = Path(sys.executable).with_name("boardumpire")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def code(text: str) -> list[str]:
    """Its lines, without the empty ones."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


@pytest.mark.slow
def test_the_page_shows_the_whole_module_and_nothing_else(installed: Path) -> None:
    """`installed` builds and installs it; the tests beside this one play it."""
    module = (GAME / "boardumpire_breakthrough" / "__init__.py").read_text()
    rules = module.split('"""', 2)[2]
    for block in blocks("python"):
        assert "\n".join(code(block)) in "\n".join(code(module))
    shown = sorted(line for block in blocks("python") for line in code(block))
    assert shown == sorted(code(rules))
    assert (installed / "boardumpire_breakthrough" / "__init__.py").read_text() == module
    assert len(module.splitlines()) < 230


def test_the_methods_that_the_page_names_are_there() -> None:
    table = PAGE.partition("## When a game has more")[2].partition("\n## ")[0]
    named = set(re.findall(r"`([a-z_]+)\([a-z]*\)`", table))
    named |= {"setup_placements", "button_actions", "cursor_actions", "board_mismatch", "space_names"}
    assert len(named) > 15
    assert not {
        name for name in named if not any(hasattr(owner, name) for owner in (GamePackage, State, View))
    }
    assert set(re.findall(r"`(takes|also|companion_moves)` names", PAGE)) <= set(Step._fields)


@pytest.mark.slow
def test_the_entry_points_of_the_page_are_those_of_the_game(installed: Path) -> None:
    assert installed.is_dir()
    (block,) = blocks("toml")
    assert block.strip() in (GAME / "pyproject.toml").read_text()


@pytest.mark.slow
def test_the_commands_of_the_page_work(environment: Mapping[str, str], tmp_path: Path) -> None:
    install, *commands = [line.removeprefix("$ ") for line in blocks("console")[0].splitlines()]
    assert install.endswith("examples/breakthrough")
    assert len(commands) == 3
    for command in commands:
        name, *words = command.split()
        assert name == "boardumpire"
        told = subprocess.run(
            [COMMAND, *words],
            env=dict(environment),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert told.returncode == 0, told.stderr
    start, *lines = blocks("console")[1].splitlines()
    told = subprocess.run(
        [COMMAND, *start.split()[2:]],
        input="\n".join(lines),
        env=dict(environment),
        capture_output=True,
        text=True,
    )
    answers = [json.loads(line) for line in told.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, True, True]


def test_what_the_page_names_is_there() -> None:
    for name in re.findall(r"`((?:tests|controller|examples|docs)/[\w./-]+)`", PAGE):
        assert (ROOT / name).exists(), name
