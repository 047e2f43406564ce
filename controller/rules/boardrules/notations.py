"""Notations that a game brings: other ways to write its games down, so that they can come and go."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from boardrules.record_types import Record, ReplayStep


class NotationError(ValueError):
    """A game that a notation can't read or write: what was found and what was expected."""


class ImportedGame(NamedTuple):
    """A game of a file, not played yet."""

    line: int
    """Where it begins."""
    record: Record
    """What the source says of its end is in `stated`; `lines` say where its actions stand."""
    unread_parts: tuple[str, ...] = ()
    """What of it was passed over as it can't be read, each with its line."""


class UnreadableGame(NamedTuple):
    """A game of a file that can't be read."""

    line: int
    message: str
    """What was found and what was expected."""


class ExportedGame(NamedTuple):
    """A game as a notation writes it."""

    text: str
    """Whole lines. Several games stand one after the other."""
    omissions: tuple[str, ...] = ()
    """What the notation has no words for, each in a few words: `2 commitments`."""


def _no_discrepancies(record: Record, steps: Sequence[ReplayStep]) -> Iterator[str]:
    return iter(())


class Notation(NamedTuple):
    """One way to write games."""

    name: str
    """What people call it: `--to NAME`."""
    file_extension: str
    """Of the files that hold it, without the dot."""
    expected_beginning: str
    """How a text of it begins, as an error says what was expected: `a JSON object`."""
    games: frozenset[str]
    """The ids of the games it has words for."""
    recognises_line: Callable[[str], bool]
    """Whether a text whose first line is this one is meant to be of this notation."""
    read: Callable[[str, Mapping[str, Any]], Iterator[ImportedGame | UnreadableGame]]
    """The games of a text, with these options where they have none of their own. Raises nothing: one bad game
    does not hide the others."""
    write: Callable[[Record], ExportedGame]
    """Raises `NotationError` for a game that it can't write at all."""
    latin_1: bool = False
    """Whether its files are Latin-1 where they are no UTF-8."""
    reasons_by_phrase: Mapping[str, str] = {}
    """By the words of sources the reason by which the rules end the game: `flag captured` is `flag`."""
    find_discrepancies: Callable[[Record, Sequence[ReplayStep]], Iterator[str]] = _no_discrepancies
    """What a source says beside the moves that the moves don't give, each in a sentence."""
