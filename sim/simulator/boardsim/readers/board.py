"""A copy of a board that is wired to the Pi's own header, with a reader under every square.

The readers hang on a Pico that does nothing else. No such board ships: soak runs use it, as readers in the
same process as everything else are fast.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from boardware.description import board_names, board_path, load_board
from boardware.readers import BANK_READERS_MAX


class NoReaders(ValueError):  # noqa: N818
    """A board under which no readers are simulated."""


_READERS = """
[picos.readers]

[readers.squares]
pico = "readers"
count = {count}
spi = [26, 27, 28]
select = "shift"
latch = 22
enable = 20

"""


def tag_reading_board(name: str, *, on_picos: bool) -> str:
    """A board that reads tags: this one if it does, else it with a reader a square. Raises `NoReaders`."""
    board = load_board(name)
    if board.slots_by_reader or board.pads:
        return name
    if on_picos:
        if f"{name}-readers" in board_names():
            return f"{name}-readers"
        raise NoReaders(f"no shipped board is {name} with readers on its Pico: name one with --board")
    if len(board.slots) > BANK_READERS_MAX:
        raise NoReaders(
            f"{name} has {len(board.slots)} squares, expected {BANK_READERS_MAX} at most to read them all"
        )
    return with_readers(name)


@cache
def with_readers(name: str) -> str:
    """The path of such a copy of a shipped board of at most 64 squares; made once a process."""
    lines, count = [], 0
    for line in board_path(name).read_text(encoding="utf-8").splitlines(keepends=True):
        if ", sensor = [" in line:
            line = line.replace(", sensor = [", f", reader = {count}, sensor = [")
            count += 1
        elif line == 'chain = "lamps"\n':
            line += 'readers = "squares"\n'
        lines.append(line)
    text = "".join(lines).replace("[lamps]\n", _READERS.format(count=count) + "[lamps]\n", 1)
    path = Path(_folder().name) / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="boards-")
