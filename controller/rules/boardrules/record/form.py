"""The words that the reader and the writer of records share."""

from __future__ import annotations

from typing import Final

FORMAT: Final = "boardumpire-record"
"""The first word of a record, and of every further one in the same file."""
VERSION: Final = 1

HEADER_KEYS: Final = (
    "game", "option", "player", "seed", "board", "date", "event", "place", "source", "stated", "tag",
    "actions",
)  # fmt: skip
"""How the lines of a header begin."""

TEXT_HEADER_KEYS: Final = ("board", "date", "event", "place", "source")
"""Header lines that are texts for people, in the order in which they are written."""

RESULT: Final = "result"
COMMITMENT: Final = "commitment"
"""How lines after `actions` begin that are none."""


def is_plain(text: str) -> bool:
    """Whether a line can hold the text as it is; any other is written as a JSON string."""
    return text.isprintable() and text == text.strip() and text != "" and not text.startswith('"')
