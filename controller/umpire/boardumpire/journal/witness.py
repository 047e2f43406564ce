"""The second copy of a journal: a text file beside it, with a line for every record.

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
from typing import BinaryIO, NamedTuple

from boardumpire.errors import JournalError
from boardumpire.journal.chain import ChainRecord
from boardumpire.journal.sealing import sync_directory

FORMAT = "boardumpire-told"
VERSION = 1
DIGITS = 15
"""Of the count, which is replaced in place."""

_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the kernel says where there is no room: it passes."""


def path_of(journal: Path) -> Path:
    """Where the second copy of a journal lies."""
    return journal.with_name(journal.name + "-told")


class MirrorHeader(NamedTuple):
    """What the first line says."""

    records: int
    """How many records both copies have held."""
    shut: bool
    """Whether there were no more: the journal was closed."""


def header(count: int, *, shut: bool = False, version: int = VERSION) -> bytes:
    """The first line. It ends with a check of itself, so that damage is no other version."""
    words = f"{FORMAT} {version} {count:0{DIGITS}} {'shut' if shut else 'open'}"
    return f"{words} {hashlib.sha256(words.encode()).hexdigest()[:16]}\n".encode()


def read_header(line: bytes, path: Path) -> MirrorHeader | None:
    """The first line; `None` where it is damaged. Raises `JournalError` for a newer version."""
    words = line.split()
    if len(words) != 5 or not all(word.isdigit() and len(word) <= DIGITS for word in words[1:3]):
        return None
    version, count, shut = int(words[1]), int(words[2]), words[3] == b"shut"
    if line != header(count, shut=shut, version=version):
        return None
    if version > VERSION:
        raise JournalError(
            f"{FORMAT} version {version} is newer than this program, which reads up to {VERSION}", path
        )
    return MirrorHeader(count, shut)


def write(path: Path, links: Iterable[ChainRecord]) -> None:
    """Make the file anew with these links: it is there whole, or as it was before. Raises `JournalError`."""
    links = list(links)
    draft = path.with_name(path.name + "-new")
    with named(path):
        draft.unlink(missing_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(header(len(links), shut=True))
            for link in links:
                file.write(link.line())
            file.flush()
            os.fsync(file.fileno())
        os.rename(draft, path)
        sync_directory(path.parent)


class JournalMirror:
    """The file, open for writing behind its last whole line."""

    def __init__(self, path: Path, size: int, records: int) -> None:
        """`size`: the bytes of it that are whole, with so many records; what is behind them was never told,
        and goes.

        Raises `JournalError`.
        """
        self._path = path
        self._size = self._last = size
        self._records = records
        self._ragged = False
        """Whether something may be behind the whole lines."""
        with named(path):
            self._handle = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
            try:
                self._ragged = os.fstat(self._handle).st_size != size
                self._trim()
            except BaseException:
                os.close(self._handle)
                raise

    def append(self, link: ChainRecord) -> None:
        """Write a line, durable when this returns; what fails is as if it had never been tried.

        Raises `JournalError`.
        """
        line = link.line()
        with named(self._path):
            self._trim()
            self._ragged = True
            try:
                self._put(line)
            except OSError:
                self._tidy()
                raise
            self._ragged = False
        self._last, self._size = self._size, self._size + len(line)
        self._records += 1

    def take_back(self) -> None:
        """Forget the line written last: the database could not take it."""
        self._size, self._ragged = self._last, True
        self._records -= 1
        self._tidy()

    def close(self) -> None:
        """Close the file, with the count of all records."""
        with contextlib.suppress(OSError):  # the count that is there is smaller: nothing is taken for lost
            os.pwrite(self._handle, header(self._records, shut=True), 0)
            os.fdatasync(self._handle)
        os.close(self._handle)

    def _put(self, line: bytes) -> None:
        self._refuse_read_only()
        written = 0
        while written < len(line):
            written += os.pwrite(self._handle, line[written:], self._size + written)
        os.pwrite(self._handle, header(self._records), 0)
        os.fdatasync(self._handle)
        self._refuse_read_only()

    def _refuse_read_only(self) -> None:
        """Linux takes writes and synchronises none of them where a disk was made read-only by force."""
        if os.fstatvfs(self._handle).f_flag & os.ST_RDONLY:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    def _tidy(self) -> None:
        """Cut off what is behind the whole lines; where that fails the next line does it first."""
        with contextlib.suppress(OSError):
            self._trim()

    def _trim(self) -> None:
        if self._ragged:
            os.ftruncate(self._handle, self._size)
            os.fdatasync(self._handle)
            self._ragged = False


def lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of an open file, each with its end if it has one."""
    while line := file.readline():
        yield line


@contextlib.contextmanager
def named(path: Path) -> Iterator[None]:
    """What the kernel finds wrong, as a `JournalError` that names the file."""
    try:
        yield
    except OSError as error:
        raise JournalError(f"{error.strerror}", path, wants=passes(error)) from error


def passes(error: OSError) -> str:
    """What would let it pass, as `JournalError` has it; empty where nothing would."""
    return "room" if error.errno in _ROOM else "disk" if error.errno == errno.EROFS else ""
