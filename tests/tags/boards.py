"""The 8 x 8 board on a Pico with a pad on one of its serial lines, which no board that ships has."""

from __future__ import annotations

import re
from pathlib import Path

from boardware import description


def with_pad(folder: Path) -> str:
    """The path of such a board, written to a folder."""
    shipped = Path(description.__file__).parent / "boards" / "quick-battle-8x8-pico.toml"
    text = shipped.read_text().replace(
        "[buzzer]\n", '[pads.pad]\npico = "pico"\nuart = [20, 5]\nat = [300, 10]\n\n[buzzer]\n'
    )
    # GP5 was a column: the columns move down to free it.
    text = text.replace("columns = [0, 1, 2, 3, 4, 5, 6, 7]", "columns = [8, 9, 10, 11, 12, 13, 14, 15]")
    text = text.replace("rows = [8, 9, 10, 11, 12, 13, 14, 15]", "rows = [0, 1, 2, 3, 4, 22, 6, 7]")
    path = folder / "pad.toml"
    path.write_text(re.sub(r'^id = ".*"', 'id = "with-pad"', text, flags=re.MULTILINE))
    return str(path)
