"""Text files that people write by themselves, read as far as they can be text, refused by name otherwise."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Final

MAX_BYTES: Final = 262_144
"""Bytes: many times what the largest map or castle needs."""


def read_text_file(path: Path, what: str) -> str:
    """The text of a file, without the byte order mark that some editors put first, lines ending as in Unix.

    `what` is for the message: `a map`. Raises `ValueError` with the file, for bytes that are no UTF-8 with
    their line too.
    """
    try:
        mode = path.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # a pipe or a device might never end
            raise ValueError(f"{path}: no regular file; try the path of {what}")
        with path.open("rb") as file:
            found = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}; try the path of {what}") from None
    if len(found) > MAX_BYTES:
        raise ValueError(f"{path}: more than {MAX_BYTES} bytes; try the path of {what}")
    try:
        text = found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = found.count(b"\n", 0, error.start) + 1
        at = f"{path}: LINE {line}: byte 0x{found[error.start]:02x}"
        raise ValueError(f"{at} is not UTF-8; save {what} as UTF-8") from None
    return text.replace("\r\n", "\n")
