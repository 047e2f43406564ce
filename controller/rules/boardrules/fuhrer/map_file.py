"""Files of maps that a group writes by itself: read as far as they can be maps, refused by name otherwise."""

from __future__ import annotations

from pathlib import Path

from boardrules import textfile


class MapFileError(ValueError):
    """A file that is none of a map. The message begins with its path."""


def read_map(path: Path) -> str:
    """The text of a map file. Raises `MapFileError` as `textfile.read_text_file` does."""
    try:
        return textfile.read_text_file(path, "a map")
    except ValueError as error:
        raise MapFileError(str(error)) from None
