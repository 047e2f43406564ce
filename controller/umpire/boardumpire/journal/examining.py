"""Whether a journal and its second copy are whole and say the same, before anything is opened for writing.

Every record is read from both and held against its hash, every page of the database looked through. What an
ordinary crash leaves is no damage: the record being written then may stand in one of the two alone, its line
be torn. It was not told, so whichever has it whole may keep it.

A record is written in this order: rows within a transaction; the line of the second copy, synchronised;
commit, synchronised; then the ruling is announced. So a crash leaves one of these, taken up silently:

- neither has the record, or the second copy has a torn last line: the line is cut off;
- the second copy alone has the last record: the database stores it;
- the database alone has the last record (its log reached the disk though its synchronisation had failed):
  the second copy appends it.

Anything else is damage. Where one copy is ahead by two records or more, the end of the other was lost.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import BinaryIO, NamedTuple

from boardumpire.errors import JournalError
from boardumpire.journal import chain, schema, store_file, stored, witness
from boardumpire.journal.chain import ChainRecord


class VerificationResult(NamedTuple):
    """What was found."""

    told_size: int = 0
    """How many bytes of the second copy are whole ..."""
    told_records: int = 0
    """... and how many records those are."""
    head: ChainRecord | None = None
    """The last record, of both together."""
    to_store: ChainRecord | None = None
    """The record that the second copy alone has, if any: written, when the power went, not stored yet."""
    to_tell: ChainRecord | None = None
    """The record that the database alone has, if any."""
    database: str = ""
    """What is wrong with the database; empty where it is whole."""
    told: str = ""
    """What is wrong with the second copy; empty where it is whole."""

    @property
    def whole(self) -> bool:
        """Whether nothing is damaged."""
        return not (self.database or self.told)


class _Differs(Exception):  # noqa: N818 - never leaves this module
    """The two are not the same."""

    def __init__(self, database: str = "", told: str = "") -> None:
        super().__init__(database, told)
        self.database = database
        self.told = told


def examine(path: Path) -> VerificationResult:
    """Look through a journal that has a second copy, or should have. Nothing is changed.

    Raises `JournalError` where it is of a newer version.
    """
    try:
        with contextlib.closing(store_file.connect(path, "ro", store_file.PATIENCE_MS)) as connection:
            _check_pages(connection, path)
            with _opened(path) as told:
                return _compare(connection, told, path)
    except _Differs as found:
        return VerificationResult(database=found.database, told=found.told)
    except stored.UNREADABLE as error:
        store_file.raise_unless_damaged(error, path)
        return VerificationResult(database=str(error) or type(error).__name__)


def _opened(path: Path) -> BinaryIO:
    told = witness.path_of(path)
    try:
        return told.open("rb")
    except FileNotFoundError:
        raise _Differs(told="missing") from None
    except OSError as error:
        raise JournalError(f"can't open: {error.strerror}", told) from error


def _check_pages(connection: sqlite3.Connection, path: Path) -> None:
    try:
        schema.check_version(connection, str(path))
    except schema.NewerError:
        raise
    except JournalError as error:
        raise _Differs(error.text) from None
    verdict = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if verdict != "ok":
        raise _Differs(" ".join(verdict.split()))
    if schema.layout(connection) != schema.expected():
        raise _Differs("its tables are not laid out as they were made")
    if connection.execute(_STRAY).fetchone()[0]:
        raise _Differs("there are rows that belong to no record")


_STRAY = (
    "SELECT (SELECT count(*) FROM chain) <> (SELECT count(*) FROM games) + (SELECT count(*) FROM entries)"
    " + (SELECT count(*) FROM endings) + (SELECT count(*) FROM losses)"
)


def _compare(connection: sqlite3.Connection, told: BinaryIO, path: Path) -> VerificationResult:
    """Hold both against each other, record by record."""
    first = told.readline()
    begins = witness.read_header(first, witness.path_of(path))
    if begins is None:
        raise _Differs(told="its first line is damaged")
    size, last, missing = len(first), None, None
    for link in stored.links(connection):
        if not link.holds() or link.nth != (1 if last is None else last.nth + 1):
            raise _Differs(f"record {link.nth} was changed")
        if missing is not None:
            raise _Differs(told=f"record {missing.nth} is not there, and more behind it")
        line = told.readline()
        if line == link.line():
            size += len(line)
        elif line.endswith(b"\n"):
            raise _Differs(told=f"record {link.nth} is another one")
        else:
            missing = link
        last = link
    ahead = None if missing is not None else _ahead(told, last)
    if ahead is not None:
        size += len(ahead.line())
    head = ahead or last
    if begins.records > (0 if head is None else head.nth):
        raise _Differs(told=f"{begins.records} records were written, and both copies end before")
    records = 0 if head is None else head.nth - (missing is not None)
    return VerificationResult(size, records, head, ahead, missing)


def _ahead(told: BinaryIO, last: ChainRecord | None) -> ChainRecord | None:
    """The record that the second copy alone has."""
    line = told.readline()
    if not line.endswith(b"\n"):  # torn as it was written, or nothing at all
        return None
    link = chain.parse(line)
    if link is None and _ends_torn(told):
        return None
    nth, former = (0, chain.GENESIS) if last is None else (last.nth, last.hash)
    if link is None or (link.nth, link.former) != (nth + 1, former):
        raise _Differs(told=f"what follows on record {nth} is damaged")
    if told.read(1):
        raise _Differs(f"record {nth + 1} is not there, and more behind it")
    return link


def is_fresh(path: Path) -> bool:
    """Whether a second copy without its journal holds nothing: the power went as both were made.

    Raises `JournalError` for a newer version.
    """
    told = witness.path_of(path)
    with told.open("rb") as file:
        begins = witness.read_header(file.readline(), told)
        return begins is not None and begins.records == 0 and not file.read(1)


def _ends_torn(told: BinaryIO) -> bool:
    """Whether the file ends within a line: a line torn as it was written, with bytes behind it that the disk
    had there before, may seem to be several."""
    rest = told.read()
    return bool(rest) and not rest.endswith(b"\n")
