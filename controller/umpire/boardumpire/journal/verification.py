"""Verifies that a journal and its mirror file are intact and agree, before anything is opened for writing.

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
from boardumpire.journal import chain, chain_table, mirror, schema, store_file
from boardumpire.journal.chain import ChainRecord


class VerificationResult(NamedTuple):
    """The result of a verification."""

    mirror_size: int = 0
    """How many bytes of the mirror file are intact ..."""
    mirror_records: int = 0
    """... and how many records those are."""
    head: ChainRecord | None = None
    """The last record, of both together."""
    missing_in_database: ChainRecord | None = None
    """The record that the mirror alone has, if any: the power went before the database stored it."""
    missing_in_mirror: ChainRecord | None = None
    """The record that the database alone has, if any: the mirror has to append it."""
    database_fault: str = ""
    """What is wrong with the database; empty where it is intact."""
    mirror_fault: str = ""
    """What is wrong with the mirror; empty where it is intact."""

    @property
    def is_intact(self) -> bool:
        """Whether neither copy is damaged."""
        return not (self.database_fault or self.mirror_fault)


class _CopiesDiffer(Exception):  # noqa: N818 - never leaves this module
    """One copy is damaged, or they differ."""

    def __init__(self, database: str = "", told: str = "") -> None:
        super().__init__(database, told)
        self.database_fault = database
        self.mirror_fault = told


def verify_copies(path: Path) -> VerificationResult:
    """Verify a journal and its mirror. Changes nothing.

    Raises `JournalError` where it is of a newer version.
    """
    try:
        with contextlib.closing(store_file.connect(path, "ro", store_file.LOCK_TIMEOUT_MS)) as connection:
            _check_pages(connection, path)
            with _open_mirror(path) as told:
                return _compare_copies(connection, told, path)
    except _CopiesDiffer as found:
        return VerificationResult(database_fault=found.database_fault, mirror_fault=found.mirror_fault)
    except chain_table.READ_ERRORS as error:
        store_file.raise_unless_damaged(error, path)
        return VerificationResult(database_fault=str(error) or type(error).__name__)


def _open_mirror(path: Path) -> BinaryIO:
    told = mirror.mirror_path(path)
    try:
        return told.open("rb")
    except FileNotFoundError:
        raise _CopiesDiffer(told="missing") from None
    except OSError as error:
        raise JournalError(f"can't open: {error.strerror}", told) from error


def _check_pages(connection: sqlite3.Connection, path: Path) -> None:
    try:
        schema.check_version(connection, str(path))
    except schema.NewerVersionError:
        raise
    except JournalError as error:
        raise _CopiesDiffer(error.text) from None
    verdict = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if verdict != "ok":
        raise _CopiesDiffer(" ".join(verdict.split()))
    if schema.current_layout(connection) != schema.expected_layout():
        raise _CopiesDiffer("its tables are not laid out as they were made")
    if connection.execute(_STRAY_ROWS_QUERY).fetchone()[0]:
        raise _CopiesDiffer("there are rows that belong to no record")


_STRAY_ROWS_QUERY = (
    "SELECT (SELECT count(*) FROM chain) <> (SELECT count(*) FROM games) + (SELECT count(*) FROM entries)"
    " + (SELECT count(*) FROM endings) + (SELECT count(*) FROM losses)"
)


def _compare_copies(connection: sqlite3.Connection, mirror_file: BinaryIO, path: Path) -> VerificationResult:
    """Compare both copies record by record."""
    first = mirror_file.readline()
    begins = mirror.read_header(first, mirror.mirror_path(path))
    if begins is None:
        raise _CopiesDiffer(told="its first line is damaged")
    size, last, missing = len(first), None, None
    for link in chain_table.read_records(connection):
        if not link.is_intact() or link.position != (1 if last is None else last.position + 1):
            raise _CopiesDiffer(f"record {link.position} was changed")
        if missing is not None:
            raise _CopiesDiffer(told=f"record {missing.position} is not there, and more behind it")
        line = mirror_file.readline()
        if line == link.to_line():
            size += len(line)
        elif line.endswith(b"\n"):
            raise _CopiesDiffer(told=f"record {link.position} is another one")
        else:
            missing = link
        last = link
    ahead = None if missing is not None else _extra_mirror_record(mirror_file, last)
    if ahead is not None:
        size += len(ahead.to_line())
    head = ahead or last
    if begins.record_count > (0 if head is None else head.position):
        raise _CopiesDiffer(told=f"{begins.record_count} records were written, and both copies end before")
    records = 0 if head is None else head.position - (missing is not None)
    return VerificationResult(size, records, head, ahead, missing)


def _extra_mirror_record(mirror_file: BinaryIO, last: ChainRecord | None) -> ChainRecord | None:
    """The record that the mirror alone has; `None` where it has no more than the database."""
    line = mirror_file.readline()
    if not line.endswith(b"\n"):  # torn as it was written, or nothing at all
        return None
    link = chain.parse(line)
    if link is None and _has_torn_end(mirror_file):
        return None
    nth, former = (0, chain.GENESIS_HASH) if last is None else (last.position, last.hash)
    if link is None or (link.position, link.previous_hash) != (nth + 1, former):
        raise _CopiesDiffer(told=f"what follows on record {nth} is damaged")
    if mirror_file.read(1):
        raise _CopiesDiffer(f"record {nth + 1} is not there, and more behind it")
    return link


def is_empty_mirror(path: Path) -> bool:
    """Whether a mirror without its journal holds no record: the power went as both were created.

    Raises `JournalError` for a newer version.
    """
    mirror_file = mirror.mirror_path(path)
    with mirror_file.open("rb") as file:
        begins = mirror.read_header(file.readline(), mirror_file)
        return begins is not None and begins.record_count == 0 and not file.read(1)


def _has_torn_end(mirror_file: BinaryIO) -> bool:
    """Whether the file ends within a line: a line torn as it was written, with bytes behind it that the disk
    had there before, may seem to be several."""
    rest = mirror_file.read()
    return bool(rest) and not rest.endswith(b"\n")
