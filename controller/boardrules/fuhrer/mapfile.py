"""Files of maps that a group writes by itself: read as far as they can be maps, refused by name otherwise."""

from __future__ import annotations

import stat
from pathlib import Path

MOST = 262_144
"""Bytes: many times what the largest map needs."""


class MapFileError(ValueError):
    """A file that is none of a map. The message begins with its path."""


def read_map(path: Path) -> str:
    """The text of a map file, without the byte order mark that some editors put first.

    Raises `MapFileError` with the file, for bytes that are no UTF-8 with their line too.
    """
    try:
        mode = path.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # a pipe or a device might never end
            raise MapFileError(f"{path}: no regular file, expected a map")
        with path.open("rb") as file:
            found = file.read(MOST + 1)
    except OSError as error:
        raise MapFileError(f"{path}: {error.strerror}, expected a map") from None
    if len(found) > MOST:
        raise MapFileError(f"{path}: more than {MOST} bytes, expected a map")
    try:
        text = found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = found.count(b"\n", 0, error.start) + 1
        raise MapFileError(
            f"{path}: LINE {line}: byte 0x{found[error.start]:02x} is not UTF-8, expected a map"
        ) from None
    return text.replace("\r\n", "\n")
