"""The 8 x 8 board on the header, with a reader under every square on a Pico that does nothing else."""

import re
import tempfile
from functools import cache
from pathlib import Path

from boardware import description

_SHIPPED = Path(description.__file__).parent / "boards" / "quick-battle-8x8.toml"
_READERS = """
[picos.pico]

[readers.squares]
pico = "pico"
count = 64
spi = [26, 27, 28]
select = "shift"
latch = 22
enable = 20

"""
PADS = "quick-battle-8x8-pads"


@cache
def with_readers():
    """The path of such a board file; made once."""
    text = _SHIPPED.read_text()
    text = text.replace('chain = "lamps"\n', 'chain = "lamps"\nreaders = "squares"\n').replace(
        "[lamps]\n", _READERS + "[lamps]\n", 1
    )
    text = re.sub(
        r"sensor = \[(\d), (\d)\],",
        lambda found: f"{found[0]} reader = {8 * int(found[1]) + int(found[2])},",
        text,
    )
    folder = _folder()
    path = Path(folder.name) / "squares.toml"
    path.write_text(text)
    return str(path)


@cache
def _folder():
    return tempfile.TemporaryDirectory(prefix="boards-")
