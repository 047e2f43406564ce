"""Options as a command line gives them, each a word `NAME=VALUE`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from boardrules import textfile
from boardrules.core import OptionError


def parse_options(words: Iterable[str]) -> dict[str, Any]:
    """By name the value: of `@FILE` the text of that file, JSON where it can be read as such, else text.

    Raises `OptionError`.
    """
    found: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise OptionError(f"--option {word!r} has no value; try NAME=VALUE")
        found[name] = (
            _read_option_file(name, value[1:]) if value.startswith("@") else _parse_option_value(value)
        )
    return found


def _parse_option_value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _read_option_file(name: str, path: str) -> str:
    try:
        return textfile.read_text_file(Path(path), "a file with the text of the option")
    except ValueError as error:
        raise OptionError(f"--option {name}: {error}", name) from None
