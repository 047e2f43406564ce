"""A clean Debian, the package, and boards at machines."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from userland import image
from userland.board import FarBoard
from userland.machine import Machine

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def debian() -> Path:
    """The image of a clean Debian 12."""
    if image.lacking():
        pytest.skip(image.lacking())
    return image.made()


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package for Debian 12 on amd64, as `make deb` builds it."""
    build = [sys.executable, ROOT / "package" / "build.py", "--arch", "amd64", "--python", "3.11"]
    command = [*build, "--into", tmp_path_factory.mktemp("package")]
    built = subprocess.run(command, capture_output=True, text=True)
    if "No matching distribution" in built.stderr or "ConnectionError" in built.stderr:
        pytest.skip("no package index with these wheels can be reached from here")
    assert built.returncode == 0, built.stderr
    return Path(built.stdout.strip())


@pytest.fixture
def boards(tmp_path: Path) -> Iterator[Callable[[Path], FarBoard]]:
    """Makes a board at a machine with a fresh disk over an image; both are gone afterwards."""
    made: list[FarBoard] = []

    def make(over: Path, *brought: Path) -> FarBoard:
        folder = tmp_path / f"machine-{len(made)}"
        folder.mkdir()
        made.append(FarBoard(folder, Machine(folder, over, brought)))
        return made[-1]

    yield make
    for board in made:
        board.close()
