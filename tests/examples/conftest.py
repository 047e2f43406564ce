"""The example games, installed as anybody would install them, for these tests alone."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from boardrules import registry
from boardware import description
from web.conftest import browser as browser
from web.conftest import screen as screen

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which both are installed, from copies: a build leaves files behind."""
    if not EXAMPLES.is_dir():
        pytest.skip("there is no folder examples/ here")
    folder = tmp_path_factory.mktemp("installed")
    for project in sorted(path.parent for path in EXAMPLES.glob("*/pyproject.toml")):
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
        command += ["--no-index", "--disable-pip-version-check", "--target", str(folder), str(project)]
        subprocess.run(command, check=True, timeout=120)
    return folder


@pytest.fixture(scope="session")
def environment(installed: Path) -> Mapping[str, str]:
    """For processes that shall find the games."""
    return {**os.environ, "PYTHONPATH": str(installed)}


@pytest.fixture
def games(installed: Path) -> Iterator[None]:
    """This process finds the games, for one test."""
    sys.path.insert(0, str(installed))
    _forget()
    try:
        yield
    finally:
        sys.path.remove(str(installed))
        _forget()


def _forget() -> None:
    importlib.invalidate_caches()
    registry.installed_entry_points.cache_clear()
    registry._game_entry_points.cache_clear()
    registry.package.cache_clear()
    description._board_files.cache_clear()
    description.readable_boards.cache_clear()
