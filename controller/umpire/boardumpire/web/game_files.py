"""What a game's package brings for its page: scripts, styles and drawings in its folder `page`.

They are served by addresses of their own, `/game/ID/NAME`. Files of that folder alone have one: nothing below
it, and no link to elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType

from boardrules import registry

PAGE_FOLDER = "page"
FACE = "face.svg"
"""The picture of a game: on its card, and at the head of its rules."""
_FILE_NAME_PATTERN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*\.(?:js|css|svg|json)")
NO_FILES: Mapping[str, Traversable] = MappingProxyType({})


def game_file_path(game: str, name: str) -> str:
    """The path of a file of a game's page, as it is asked for without the first slash."""
    return f"game/{game}/{name}"


def game_files(game: str) -> Mapping[str, Traversable]:
    """By address the files of a game's page: none for a game that nobody has, or that brings none."""
    try:
        brought = registry.package(game).resources()
    except registry.UnknownGame:
        return NO_FILES
    folder = None if brought is None else brought / PAGE_FOLDER
    if folder is None or not folder.is_dir():
        return NO_FILES
    return {
        game_file_path(game, file.name): file
        for file in folder.iterdir()
        if _FILE_NAME_PATTERN.fullmatch(file.name)
        and file.is_file()
        and not (isinstance(file, Path) and file.is_symlink())
    }
