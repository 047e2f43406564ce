"""Files that a start needs: each is replaced whole or not at all, and one that can't be read is set aside."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

_files_set_aside: list[Path] = []
"""What was set aside in this process and nobody has been told of yet."""


def replace_file(path: Path, data: bytes, mode: int = 0o600, system: Any = os) -> None:
    """Put `data` in the place of a file: after a crash at any moment the old or the new one is there, whole.

    `system`: what is asked for files, with the names of `os`. Raises `OSError`.
    """
    draft = path.with_name(f".{path.name}.new")
    with contextlib.suppress(FileNotFoundError):
        system.unlink(draft)
    try:
        number = system.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        try:
            written = 0
            while written < len(data):
                written += system.write(number, data[written:])
            system.fsync(number)  # before the name: a file system may keep a name and not what it names
        finally:
            system.close(number)
        system.replace(draft, path)
    except OSError:
        with contextlib.suppress(OSError):
            system.unlink(draft)
        raise
    folder = system.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        system.fsync(folder)
    finally:
        system.close(folder)


def set_aside_file(path: Path) -> Path:
    """Give a file that can't be read another name, the same with `-unreadable-1`, 2 ...; that name.

    Raises `OSError`.
    """
    number = 1
    while os.path.lexists(kept := path.with_name(f"{path.name}-unreadable-{number}")):
        number += 1
    os.rename(path, kept)
    _files_set_aside.append(kept)
    return kept


def take_files_set_aside() -> list[Path]:
    """What was set aside since the last call, for whoever tells people."""
    found = list(_files_set_aside)
    _files_set_aside.clear()
    return found
