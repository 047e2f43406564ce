"""`boardumpire lab new-game NAME`: writes a distribution with a game of its own, which plays at once.

NAME becomes the id of the game: small letters, digits and hyphens. The folder has the rules, a board file,
the metadata and a test. Install it and play:

    pip install --no-deps --no-build-isolation --editable FOLDER
    boardumpire lab contract NAME
    boardumpire page --game NAME --board NAME-8x8
"""

from __future__ import annotations

import argparse
import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from boardrules import registry
from boardumpire.commands.command_parser import parse_file_path
from boardumpire.errors import BoardumpireError

NAME_MAX_LENGTH = 40
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_SAMPLE, _TITLE, _CLASS = "sample-game", "Sample game", "Sample"
_TEMPLATE = "boardlab.new_game"

PROJECT = """\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "{package_name}"
version = "0.1.0"
description = "{title} for Boardumpire."
requires-python = ">=3.11"
dependencies = ["boardumpire"]

# The game by its id, and the folder with the board that carries it.
[project.entry-points."boardumpire.games"]
{name} = "{package}:GAME"

[project.entry-points."boardumpire.boards"]
{name} = "{package}.boards"

[tool.hatch.build.targets.wheel]
packages = ["{package}"]
"""
TEST = '''\
"""The game keeps what everything else relies on, and clumsy people play it on its board."""

from boardlab import contract
from boardlab.soak import one_game
from boardlab.soak.one_game import SoakPlan
from boardumpire.commands.table_factory import TableFactory


def test_the_contract() -> None:
    assert contract.check("{name}", games=10).findings == ()


def test_clumsy_people() -> None:
    played, _ = one_game.play(SoakPlan(game="{name}", longest=60), 0, TableFactory())
    assert not played.findings
'''


def add_new_game(subparsers: Any, table_factory: object) -> None:
    """`boardumpire lab new-game`."""
    parser = subparsers.add_parser(
        "new-game", example="lab new-game my-game",
        help="write a distribution with a game that plays at once", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("name", metavar="NAME", help="the id of the game")
    parser.add_argument(
        "--into", type=parse_file_path, metavar="FOLDER", help="the folder to make [boardumpire-NAME]"
    )
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    """Write it. Raises `BoardumpireError`."""
    folder = given.into or Path(f"boardumpire-{given.name}")
    for path in write(given.name, folder):
        print(path)


def write(name: str, folder: Path) -> list[Path]:
    """Write the distribution of a new game into a folder, which must not be there; its files.

    Raises `BoardumpireError`.
    """
    if not _NAME.fullmatch(name) or len(name) > NAME_MAX_LENGTH:
        raise BoardumpireError(
            f"{name[:60]!r}: not an id; try small letters, digits and hyphens, at most {NAME_MAX_LENGTH}"
        )
    if name in registry.ids():
        raise BoardumpireError(f"{name}: there is a game of this id already; try another one")
    package = f"boardumpire_{name.replace('-', '_')}"
    words = {
        "name": name,
        "package": package,
        "package_name": f"boardumpire-{name}",
        "title": name.replace("-", " ").capitalize(),
    }
    texts = {
        "pyproject.toml": PROJECT.format(**words),
        f"tests/test_{name.replace('-', '_')}.py": TEST.format(**words),
        **{f"{package}/{path}": text for path, text in _template(files(_TEMPLATE) / "template", words)},
    }
    try:
        folder.mkdir(parents=True)
        for path, text in texts.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BoardumpireError(f"{folder}: {error.strerror}; try a folder that isn't there yet") from None
    return [folder / path for path in texts]


def _template(folder: Traversable, words: dict[str, str]) -> list[tuple[str, str]]:
    """Each file of the template with its path, in the words of the new game."""
    found = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            if entry.name != "__pycache__":
                found += [(f"{entry.name}/{path}", text) for path, text in _template(entry, words)]
        elif entry.name.endswith((".py", ".toml")):
            text = entry.read_text(encoding="utf-8")
            name = words["title"].title().replace(" ", "")
            for old, new in (
                (_SAMPLE, words["name"]), (_TITLE, words["title"]),
                (f"{_CLASS}State", f"{name}State"), (f"{_CLASS}Game", name),
            ):  # fmt: skip
                text = text.replace(old, new)
            found.append((entry.name.replace(_SAMPLE, words["name"]), text))
    return found
