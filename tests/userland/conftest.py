"""A clean Debian, the package, and boards at machines."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from userland import header, home, image
from userland.board import FarBoard
from userland.machine import Machine, accelerator
from userland.packages import NoWheels


@pytest.fixture(scope="session")
def quick() -> None:
    """Skips where a machine would be slow, or was never made: `make nightly` takes the time."""
    made = [folder for folder in image.BUILT.glob("????????????") if (folder / "vmlinuz").exists()]
    if not os.access("/dev/kvm", os.R_OK | os.W_OK) or image.lacking():
        pytest.skip("there is no KVM here, or no qemu")
    if not made:
        pytest.skip("no machine was made yet: make nightly ARGS=tests/userland does it")
    if "tcg" in " ".join(accelerator(made[0])):
        pytest.skip("KVM runs no foreign kernel here")


@pytest.fixture(scope="session")
def debian() -> Path:
    """The image of a clean Debian 12."""
    if image.lacking():
        pytest.skip(image.lacking())
    return image.made()


@pytest.fixture(scope="session")
def package() -> Path:
    """The package for Debian 12 on amd64, as `make deb` builds it."""
    try:
        return home.package()
    except NoWheels:
        pytest.skip("no package index with these wheels can be reached from here")


@pytest.fixture(scope="session")
def at_home(debian: Path, package: Path) -> Path:
    """The image of a machine with the board installed and configured."""
    return home.at_home(debian, package)


@pytest.fixture(scope="session")
def in_mid_game(at_home: Path) -> Path:
    """The image of a machine that is frozen in mid-game."""
    return home.in_mid_game(at_home)


@pytest.fixture(scope="session")
def header_pi(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An emulated Pi that runs the daemon of a board at its header."""
    try:
        return header.made(tmp_path_factory.mktemp("header"))
    except subprocess.CalledProcessError as error:
        if b"No matching distribution" in (error.stderr or b""):
            pytest.skip("no package index with these wheels can be reached from here")
        raise


@pytest.fixture
def boards(tmp_path: Path) -> Iterator[Callable[..., FarBoard]]:
    """Makes a board at a machine with a fresh disk over an image; both are gone afterwards."""
    made: list[FarBoard] = []

    def make(over: Path, *brought: Path, logged: bool = False) -> FarBoard:
        folder = tmp_path / f"machine-{len(made)}"
        folder.mkdir()
        made.append(FarBoard(folder, Machine(folder, over, brought, logged=logged)))
        return made[-1]

    yield make
    for board in made:
        board.close()
