"""The entry points of our own distribution, read from the file in which they were installed.

`importlib.metadata` finds those of any distribution, but it loads the parsers of mail, CSV and archives,
which is a twelfth of a board's start. A board whose game and drivers are ours does without it.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
from collections.abc import Mapping
from typing import Any

from boardrules.named import NamedTuple

DISTRIBUTION = "boardumpire"
"""The name of what we are installed as."""


class Entry(NamedTuple):
    """As an `importlib.metadata.EntryPoint`."""

    name: str
    value: str
    """`module:name`."""
    group: str

    def load(self) -> Any:
        """What it names. Raises whatever importing the module raises."""
        module, _, names = self.value.partition(":")
        found: Any = importlib.import_module(module)
        for name in names.split("."):
            found = getattr(found, name)
        return found


@functools.cache
def own() -> Mapping[tuple[str, str], Entry]:
    """Those of our distribution, by group and name; nothing where none is installed in a folder of
    `sys.path`."""
    found = {}
    group = ""
    for line in map(str.strip, _text().splitlines()):
        if line.startswith("["):
            group = line.strip("[]")
        elif "=" in line and not line.startswith("#"):
            name, value = map(str.strip, line.split("=", 1))
            found[group, name] = Entry(name, value, group)
    return found


def _text() -> str:
    for folder in sys.path:
        try:
            for name in os.listdir(folder or "."):
                if name.startswith(f"{DISTRIBUTION}-") and name.endswith(".dist-info"):
                    with open(os.path.join(folder, name, "entry_points.txt"), encoding="utf-8") as file:
                        return file.read()
        except OSError:  # no folder, or one without that file
            continue
    return ""
