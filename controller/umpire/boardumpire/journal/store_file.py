"""The SQLite file of a journal: created atomically, verified at opening, written by one process at a time."""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

from boardumpire.errors import JournalError
from boardumpire.journal import chain_table, mirror, schema
from boardumpire.journal.chain import ChainRecord
from boardumpire.journal.sealing import sync_directory

log = logging.getLogger("boardumpire")

LOCK_TIMEOUT_MS = 2000
"""How long another program's lock on the file is waited for."""


_RETRY_CONDITIONS = {
    "SQLITE_FULL": "room",
    "SQLITE_IOERR_WRITE": "disk",
    "SQLITE_IOERR_SHMSIZE": "room",
}
"""What SQLite calls what may pass: nothing was written, and it may be tried again. A failed synchronisation
is not among them: after one nobody knows what is on the disk until it is read anew."""


def raise_if_locked(error: BaseException, where: Path | str) -> None:
    """Raise `JournalError` where another program holds the file."""
    if getattr(error, "sqlite_errorname", "") in ("SQLITE_BUSY", "SQLITE_LOCKED"):
        raise JournalError("locked by another program", where, condition="turn") from error


_NOT_DAMAGE_ERRORS = (
    *("SQLITE_FULL", "SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_NOMEM", "SQLITE_PROTOCOL"),
    *("SQLITE_IOERR_SHM", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_NOMEM", "SQLITE_IOERR_LOCK"),
)
"""How the names begin of what goes wrong around a file, not in it."""


def raise_unless_damaged(error: BaseException, where: Path | str) -> None:
    """Raise `JournalError` where a file could not be looked at, so that nobody takes that for damage."""
    raise_if_locked(error, where)
    name = getattr(error, "sqlite_errorname", "")
    if isinstance(error, sqlite3.Error) and name.startswith(_NOT_DAMAGE_ERRORS):
        raise JournalError(str(error), where, condition=_RETRY_CONDITIONS.get(name, "")) from error


@contextlib.contextmanager
def sqlite_errors_as_journal_errors(where: Path | str) -> Iterator[None]:
    """Turn an error of SQLite into a `JournalError` that names the file."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise_if_locked(error, where)
        raise JournalError(
            str(error), where, condition=_RETRY_CONDITIONS.get(error.sqlite_errorname, "")
        ) from error
    except sqlite3.IntegrityError as error:
        raise JournalError(f"refused: {error}", where) from error
    except sqlite3.ProgrammingError:
        raise  # a bug of ours, not of the file
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # a damaged name in what SQLite says
        raise JournalError(
            f"not a whole {schema.FORMAT} ({error}); try another file, or a backup", where
        ) from error


@contextlib.contextmanager
def closed_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    """Close the connection if the block fails."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


def connect(path: Path | None, mode: str, lock_timeout_ms: int) -> sqlite3.Connection:
    """A connection that begins and commits transactions only in so many words; `None` is one in memory."""
    name = ":memory:" if path is None else f"file:{quote(str(path))}?mode={mode}"
    connection = sqlite3.connect(
        name,
        timeout=lock_timeout_ms / 1000,
        isolation_level=None,
        check_same_thread=False,
        uri=path is not None,
    )
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def write_ahead_log_path(path: Path) -> Path:
    """The path of a journal's write-ahead log."""
    return path.with_name(path.name + "-wal")


def create(path: Path) -> None:
    """Make a journal and its second copy, each whole or not at all, whenever the power goes."""
    log = write_ahead_log_path(path)
    if log.exists():
        raise JournalError(
            f"missing, but {log.name} is here: bring the journal back, or move that away", path
        )
    made = write_draft(path)
    mirror.write(mirror.mirror_path(path), ())
    os.rename(made, path)
    sync_directory(path.parent)


def write_draft(path: Path, links: Iterable[ChainRecord] = ()) -> Path:
    """Make a database with these records beside `path`, durable; where it is."""
    made = path.with_name(path.name + "-new")
    with sqlite_errors_as_journal_errors(path), mirror.os_errors_as_journal_errors(path):
        for leftover in (made, made.with_name(made.name + "-journal")):
            leftover.unlink(missing_ok=True)
        os.close(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        connection = connect(made, "rw", LOCK_TIMEOUT_MS)
        try:
            schema.create(connection)
            connection.execute("BEGIN")
            for link in links:
                chain_table.insert_record(connection, link)
            connection.execute("COMMIT")
        finally:
            connection.close()
    return made


def check_is_file(path: Path) -> None:
    """Raises `JournalError` for a path without anything, and for a folder."""
    if not path.exists():
        raise JournalError("no such journal", path)
    if path.is_dir():
        raise JournalError("a folder; try the file journal.sqlite in it", path)


def check_is_journal(path: Path) -> None:
    """Look at a journal before anything is made beside it.

    Raises `JournalError` for what is none, or is of a newer version.
    """
    check_is_file(path)
    if path.stat().st_size == 0:
        raise JournalError("empty; bring it back from a backup, or move it away to begin anew", path)
    with (
        sqlite_errors_as_journal_errors(path),
        contextlib.closing(connect(path, "ro", LOCK_TIMEOUT_MS)) as connection,
    ):
        schema.check_version(connection, str(path))


def open_verified(path: Path, patience_ms: int) -> sqlite3.Connection:
    """Open a journal that was examined for writing, in write-ahead mode with full synchronisation."""
    with sqlite_errors_as_journal_errors(path):
        connection = connect(path, "rw", patience_ms)
        with closed_on_error(connection):
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
    return connection


def acquire_lock(path: Path) -> int:
    """Hold `path`-lock for as long as the store is open; the kernel lets go of it when the process dies."""
    try:
        path.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        handle = os.open(path.with_name(path.name + "-lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise JournalError(
            f"can't open: {error.strerror}", path, condition=mirror.retry_condition(error)
        ) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise JournalError("in use by another boardumpire", path, condition="turn") from None
    if not _has_working_locks(path):
        log.warning(
            "%s: this file system keeps no locks: a second board that opens this journal would damage it; "
            "set [journal] path to a file elsewhere",
            path,
        )
    return handle


def is_in_use(path: Path) -> bool:
    """Whether a board holds the journal. No file is made: it would belong to whoever asks."""
    try:
        handle = os.open(path.with_name(path.name + "-lock"), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def _has_working_locks(path: Path) -> bool:
    """Whether a lock that is held keeps others out: some network file systems and cards grant it to all."""
    other = os.open(path.with_name(path.name + "-lock"), os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(other)
    return False
