"""The file a journal lives in: made whole, checked when it is opened, written by one process at a time."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from boardumpire import schema
from boardumpire.errors import JournalError
from boardumpire.seal import sync_directory

PATIENCE_MS = 2000
"""How long another program's lock on the file is waited for."""


@contextlib.contextmanager
def named(where: Path | str) -> Iterator[None]:
    """What SQLite finds wrong, as a `JournalError` that names the file."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorname in ("SQLITE_BUSY", "SQLITE_LOCKED"):
            raise JournalError("locked by another program", where) from error
        raise JournalError(str(error), where) from error
    except sqlite3.IntegrityError as error:
        raise JournalError(f"refused: {error}", where) from error
    except sqlite3.ProgrammingError:
        raise  # a bug of ours, not of the file
    except sqlite3.DatabaseError as error:
        raise JournalError(f"not a whole {schema.FORMAT}: {error}", where) from error


@contextlib.contextmanager
def closed_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    """Close the connection if the block fails."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


def connect(path: Path | None, mode: str, patience_ms: int) -> sqlite3.Connection:
    """A connection that begins and commits transactions only in so many words; `None` is one in memory."""
    name = ":memory:" if path is None else f"file:{quote(str(path))}?mode={mode}"
    connection = sqlite3.connect(
        name,
        timeout=patience_ms / 1000,
        isolation_level=None,
        check_same_thread=False,
        uri=path is not None,
    )
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def create(path: Path, migrations: tuple[str, ...]) -> None:
    """Make a journal beside its name and move it there whole, so that no crash leaves half of one."""
    wal = path.with_name(path.name + "-wal")
    if wal.exists():
        raise JournalError(
            f"missing, but {wal.name} is here: bring the journal back, or move that away", path
        )
    draft = path.with_name(path.name + "-new")
    with named(path):
        for leftover in (draft, draft.with_name(draft.name + "-journal")):
            leftover.unlink(missing_ok=True)
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        connection = connect(draft, "rw", PATIENCE_MS)
        try:
            schema.migrate(connection, 0, migrations)
        finally:
            connection.close()
    os.rename(draft, path)
    sync_directory(path.parent)


def recognise(path: Path, newest: int) -> None:
    """Refuse what is no journal, or newer than version `newest`, before anything is made beside it.

    Raises `JournalError`.
    """
    if path.stat().st_size == 0:
        raise JournalError(f"empty, expected a whole {schema.FORMAT}: bring it back or move it away", path)
    with named(path), contextlib.closing(connect(path, "ro", PATIENCE_MS)) as connection:
        schema.version_of(connection, str(path), newest)


def open_existing(path: Path, migrations: tuple[str, ...], patience_ms: int) -> sqlite3.Connection:
    """Open a journal for writing: checked, migrated, in write-ahead mode with full synchronisation."""
    with named(path):
        connection = connect(path, "rw", patience_ms)
        with closed_on_error(connection):
            version = schema.version_of(connection, str(path), len(migrations))
            verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if verdict != "ok":
                raise JournalError(f"damaged: {verdict}", path)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            if version < len(migrations):
                schema.migrate(connection, version, migrations)
    return connection


def lock(path: Path) -> int:
    """Hold `path`-lock for as long as the store is open; the kernel lets go of it when the process dies."""
    try:
        path.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        handle = os.open(path.with_name(path.name + "-lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise JournalError(f"can't open: {error.strerror}", path) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise JournalError("in use by another boardumpire", path) from None
    return handle
