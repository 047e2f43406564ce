"""Reading what people type: small or capital letters, blanks and a dash that is left out don't matter.

`A5-a6`, `a5 - a6`, `a5 a6` and `a5a6` are the same move. A text that could mean two things is none of them.
All names and words of games are in small letters; a game whose texts have capitals puts them back.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

_JOINING_SIGNS: Final = ("-", "=")
"""Signs that belong to the words on both sides of them."""
_MAX_PAIR_LENGTH: Final = 100
"""Letters of two names that are typed as one word: nobody types more, and looking takes the square of it."""


def words(text: str) -> list[str]:
    """The words of a text in small letters, without blanks beside `-` and `=`."""
    joined = " ".join(text.lower().split())
    for sign in _JOINING_SIGNS:
        joined = joined.replace(f" {sign}", sign).replace(f"{sign} ", sign)
    return joined.split()


def split_pair(typed: list[str], names: Container[str]) -> tuple[str, str] | None:
    """The two names that these words put side by side, with a dash, a blank or nothing between them.

    `None` if they are no two names, or if a word can be read as two in more ways than one.
    """
    match typed:
        case [one, other]:
            ways = [(one, other)]
        case [word] if "-" in word:
            one, _, other = word.partition("-")
            ways = [(one, other)]
        case [word] if len(word) <= _MAX_PAIR_LENGTH:
            ways = [(word[:cut], word[cut:]) for cut in range(1, len(word))]
        case _:
            return None
    known = [way for way in ways if way[0] in names and way[1] in names]
    return known[0] if len(known) == 1 else None
