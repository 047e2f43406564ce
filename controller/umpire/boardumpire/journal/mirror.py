"""The mirror of a journal: a text file beside the database, with a line for every record.

SQLite takes a damaged write-ahead log for one that ends earlier, so a database can't tell that its last
records are gone. This file can: its lines prove themselves (`chain`), and what the one has lost
the other still holds. What is sealed is sealed here too.

    boardumpire-told 1 <count> <shut or open> <check>
    1 <hash before> <hash> ["game",1,0,0,...]
    2 <hash before> <hash> ["entry",1,1,1,...]

The first line counts the records that both copies hold, so that it is known where both have lost their end.
While the journal is open it counts all but the last one, which a power cut may leave in one of them alone.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from boardumpire.errors import JournalError
from boardumpire.journal.chain import ChainRecord
from boardumpire.journal.sealing import sync_directory

FORMAT = "boardumpire-told"
VERSION = 1
COUNT_DIGITS = 15
"""Of the count, which is replaced in place."""

_NO_SPACE_ERRNOS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of a full disk. They pass, so the write is tried again."""


def mirror_path(journal: Path) -> Path:
    """The path of a journal's mirror."""
    return journal.with_name(journal.name + "-told")


class MirrorHeader(NamedTuple):
    """The first line of a mirror file."""

    record_count: int
    """How many records both copies have held at least."""
    was_closed: bool
    """Whether the journal was closed properly, so that `record_count` is exact."""


def format_header(count: int, *, closed: bool = False, version: int = VERSION) -> bytes:
    """The first line, with a checksum at its end: damage must not look like another version."""
    words = f"{FORMAT} {version} {count:0{COUNT_DIGITS}} {'shut' if closed else 'open'}"
    return f"{words} {hashlib.sha256(words.encode()).hexdigest()[:16]}\n".encode()


def read_header(line: bytes, path: Path) -> MirrorHeader | None:
    """Parse the first line; `None` where it is damaged. Raises `JournalError` for a newer version."""
    words = line.split()
    if len(words) != 5 or not all(word.isdigit() and len(word) <= COUNT_DIGITS for word in words[1:3]):
        return None
    version, count, shut = int(words[1]), int(words[2]), words[3] == b"shut"
    if line != format_header(count, closed=shut, version=version):
        return None
    if version > VERSION:
        raise JournalError(
            f"{FORMAT} version {version} is newer than this program, which reads up to {VERSION}", path
        )
    return MirrorHeader(count, shut)


def write(path: Path, records: Iterable[ChainRecord]) -> None:
    """Replace the file atomically by one with these records. Raises `JournalError`."""
    records = list(records)
    draft = path.with_name(path.name + "-new")
    with os_errors_as_journal_errors(path):
        draft.unlink(missing_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(format_header(len(records), closed=True))
            for link in records:
                file.write(link.to_line())
            file.flush()
            os.fsync(file.fileno())
        os.rename(draft, path)
        sync_directory(path.parent)


class JournalMirror:
    """A mirror file that is open for appending."""

    def __init__(self, path: Path, size: int, records: int) -> None:
        """`size`: the bytes of it that are whole, with so many records; what is behind them was never told,
        and goes.

        Raises `JournalError`.
        """
        self._path = path
        self._size = self._size_before_last = size
        self._records = records
        self._has_partial_line = False
        """Whether bytes may stand behind the last whole line."""
        with os_errors_as_journal_errors(path):
            self._handle = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
            try:
                self._has_partial_line = os.fstat(self._handle).st_size != size
                self._truncate()
            except BaseException:
                os.close(self._handle)
                raise

    def append(self, link: ChainRecord) -> None:
        """Append a record; it is durable when this returns. A failed append leaves the file as it was.

        Raises `JournalError`.
        """
        line = link.to_line()
        with os_errors_as_journal_errors(self._path):
            self._truncate()
            self._has_partial_line = True
            try:
                self._write_line(line)
            except OSError:
                self._try_truncate()
                raise
            self._has_partial_line = False
        self._size_before_last, self._size = self._size, self._size + len(line)
        self._records += 1

    def undo_last_append(self) -> None:
        """Remove the last line again, as the database could not store its record."""
        self._size, self._has_partial_line = self._size_before_last, True
        self._records -= 1
        self._try_truncate()

    def close(self) -> None:
        """Write the final count into the first line and close the file."""
        with contextlib.suppress(OSError):  # the count that is there is smaller: nothing is taken for lost
            os.pwrite(self._handle, format_header(self._records, closed=True), 0)
            os.fdatasync(self._handle)
        os.close(self._handle)

    def _write_line(self, line: bytes) -> None:
        self._refuse_read_only()
        written = 0
        while written < len(line):
            written += os.pwrite(self._handle, line[written:], self._size + written)
        os.pwrite(self._handle, format_header(self._records), 0)
        os.fdatasync(self._handle)
        self._refuse_read_only()

    def _refuse_read_only(self) -> None:
        """Raise `EROFS` on a disk made read-only by the kernel: writes and syncs seem to work there."""
        if os.fstatvfs(self._handle).f_flag & os.ST_RDONLY:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    def _try_truncate(self) -> None:
        """Truncate behind the last whole line; after a failure the next append does it first."""
        with contextlib.suppress(OSError):
            self._truncate()

    def _truncate(self) -> None:
        if self._has_partial_line:
            os.ftruncate(self._handle, self._size)
            os.fdatasync(self._handle)
            self._has_partial_line = False


@contextlib.contextmanager
def os_errors_as_journal_errors(path: Path) -> Iterator[None]:
    """Turn an `OSError` into a `JournalError` that names the file."""
    try:
        yield
    except OSError as error:
        raise JournalError(f"{error.strerror}", path, condition=retry_condition(error)) from error


def retry_condition(error: OSError) -> str:
    """What a retry waits for (`room`, `disk`, see `JournalError`); empty where a retry is useless."""
    return "room" if error.errno in _NO_SPACE_ERRNOS else "disk" if error.errno == errno.EROFS else ""
