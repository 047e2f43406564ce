"""The words that the reader and the writer of records share."""

from __future__ import annotations

from typing import Final

FORMAT: Final = "boardumpire-record"
"""The first word of a record, and of every further one in the same file."""
NEWEST: Final = 2
"""The newest version."""

KEYS: Final = {
    1: ("game", "option", "seed", "board", "date", "actions"),
    2: (
        "game", "option", "player", "event", "place", "date", "source", "seed", "board", "stated", "tag",
        "actions",
    ),
}  # fmt: skip
"""By version how the lines of a header begin."""

TEXTS: Final = ("event", "place", "date", "source", "board")
"""Lines of a header that are a text for people, as version 2 orders them."""

RESULT: Final = "result"
COMMITMENT: Final = "commitment"
"""How lines after `actions` begin that are none."""


def plain(text: str) -> bool:
    """Whether a line can hold the text as it is; version 2 writes any other as a JSON string."""
    return text.isprintable() and text == text.strip() and text != "" and not text.startswith('"')
