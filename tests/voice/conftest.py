"""Stand-ins on PATH: real programs that take what `espeak-ng` and `aplay` take."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

_HEAD = f"#!{sys.executable}\nimport os, signal, sys, time\n"
Install = Callable[[str, str], Path]


@pytest.fixture
def install(tmp_path: Path) -> Install:
    """Put a program on a PATH of its own, by its name and what it does; the directory."""
    directory = tmp_path / "bin"
    directory.mkdir()

    def program(name: str, does: str) -> Path:
        path = directory / name
        path.write_text(_HEAD + does)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return directory

    return program
