"""What is kept of the shipped boards is what would be made of them today; `make boards` makes it anew."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest

from boardmake.paper.made import board_files
from boardware.description import load_board

ROOT = Path(__file__).resolve().parents[2]
MADE = ROOT / "hardware" / "made"
KEPT = sorted(folder.name for folder in MADE.iterdir() if folder.is_dir())
_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.S)


def said(name: str, content: bytes) -> object:
    """A file's content; of a PDF what its streams hold, however they were compressed."""
    if not name.endswith(".pdf"):
        return content.decode()
    return [zlib.decompressobj().decompress(stream) for stream in _STREAM.findall(content)]


def test_the_four_boards_are_kept() -> None:
    assert {"quick-battle-8x8", "classic-10x10", "fall-of-the-fuhrer", "escape-from-colditz"} <= set(KEPT)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", sorted(KEPT, key=lambda name: name != "quick-battle-8x8"))
def test_what_is_kept_is_current(name: str) -> None:
    made = dict(board_files(load_board(name)))
    assert sorted(made) == sorted(path.name for path in (MADE / name).iterdir())
    for file, content in made.items():
        assert said(file, content) == said(file, (MADE / name / file).read_bytes()), file


@pytest.mark.slow
def test_the_same_board_gives_the_same_bytes() -> None:
    """No date and no chance gets into a file."""
    board = load_board("quick-battle-8x8")
    assert dict(board_files(board)) == dict(board_files(board))


def test_all_of_it_is_small() -> None:
    """It is kept with the code: a few megabytes in all."""
    assert sum(path.stat().st_size for path in MADE.rglob("*") if path.is_file()) < 8_000_000
