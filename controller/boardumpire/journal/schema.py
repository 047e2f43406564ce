"""The layout of a journal file, and how older ones become the present one."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable

from boardumpire.errors import JournalError
from boardumpire.journal import stored

FORMAT = "boardumpire-journal"
APPLICATION_ID = 0x424D5052
"""SQLite's `application_id`: "BMPR"."""

_APPEND_ONLY = """
CREATE TRIGGER {table}_never_change BEFORE UPDATE ON {table}
BEGIN SELECT raise(ABORT, '{table}: a journal is append-only'); END;
CREATE TRIGGER {table}_never_forget BEFORE DELETE ON {table}
BEGIN SELECT raise(ABORT, '{table}: a journal is append-only'); END;
"""

VERSION_1 = """
CREATE TABLE meta (format TEXT NOT NULL, version INTEGER NOT NULL) STRICT;
INSERT INTO meta VALUES ('boardumpire-journal', 1);

CREATE TABLE games (
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    options TEXT NOT NULL CHECK (json_valid(options)),
    board TEXT NOT NULL,
    begun_ms INTEGER NOT NULL
) STRICT;

-- A secret text is in `sealed`, never in `text`.
CREATE TABLE entries (
    number INTEGER NOT NULL REFERENCES games,
    seq INTEGER NOT NULL CHECK (seq > 0),
    kind TEXT NOT NULL CHECK (kind IN ('action', 'note')),
    seat TEXT NOT NULL,
    text TEXT,
    sealed BLOB,
    commitment TEXT,
    public TEXT NOT NULL CHECK (json_valid(public)),
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (number, seq),
    CHECK ((text IS NULL) = (sealed IS NOT NULL)),
    CHECK ((sealed IS NULL) = (commitment IS NULL))
) STRICT;

CREATE TABLE endings (
    number INTEGER PRIMARY KEY REFERENCES games,
    winner TEXT,
    reason TEXT NOT NULL,
    at_ms INTEGER NOT NULL
) STRICT;

-- What the seals of a finished game held.
CREATE TABLE openings (
    number INTEGER NOT NULL REFERENCES endings,
    seq INTEGER NOT NULL,
    salt TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (number, seq),
    FOREIGN KEY (number, seq) REFERENCES entries
) STRICT;

CREATE TRIGGER entries_end BEFORE INSERT ON entries
WHEN EXISTS (SELECT 1 FROM endings WHERE number = NEW.number)
BEGIN SELECT raise(ABORT, 'entries: the game is over'); END;

CREATE TRIGGER entries_in_order BEFORE INSERT ON entries
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM entries WHERE number = NEW.number)
BEGIN SELECT raise(ABORT, 'entries: a gap in the sequence'); END;
""" + "".join(_APPEND_ONLY.format(table=table) for table in ("games", "entries", "endings", "openings"))

VERSION_2 = """
-- Every record of the tables beside it, in the order they were written (see `boardumpire.journal.chain`).
CREATE TABLE chain (
    count INTEGER PRIMARY KEY CHECK (count > 0),
    hash TEXT NOT NULL,
    what TEXT NOT NULL CHECK (what IN ('game', 'entry', 'ending', 'loss')),
    number INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    actions INTEGER NOT NULL
) STRICT;

-- Actions of a game that were told and that damage took (see `boardumpire.journal.merging.Loss`).
CREATE TABLE losses (
    count INTEGER PRIMARY KEY REFERENCES chain,
    number INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    sure INTEGER NOT NULL
) STRICT;

CREATE TRIGGER chain_in_order BEFORE INSERT ON chain
WHEN NEW.count <> (SELECT coalesce(max(count), 0) + 1 FROM chain)
BEGIN SELECT raise(ABORT, 'chain: a gap in the count'); END;
""" + "".join(_APPEND_ONLY.format(table=table) for table in ("chain", "losses"))
CHAINED = 2
"""The first version whose records hang on a chain; a migration hangs those of older ones on it."""

MIGRATIONS: tuple[str, ...] = (VERSION_1, VERSION_2)
"""SQL that brings an empty file to version 1, version 1 to version 2, and so on. Never edit one: append."""


class NewerError(JournalError):
    """The journal is of a newer version than this program reads."""


def version_of(connection: sqlite3.Connection, where: str, newest: int) -> int:
    """The version of an open journal. Raises `JournalError` if it isn't one, or is newer than `newest`."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION_ID:
        raise JournalError(f"an SQLite file of another program, expected a {FORMAT}", where)
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    named = connection.execute("SELECT format, version FROM meta").fetchall()
    if named != [(FORMAT, version)]:
        raise JournalError(f"its meta table says {named}, expected {[(FORMAT, version)]}", where)
    if version > newest:
        raise NewerError(
            f"{FORMAT} version {version} is newer than this program, which reads up to {newest}", where
        )
    return version


def migrate(
    connection: sqlite3.Connection,
    version: int,
    migrations: tuple[str, ...],
    before_commit: Callable[[], object] = lambda: None,
) -> None:
    """Bring a journal from `version` to the newest of `migrations`: one transaction, whole or not at all."""
    steps = "".join(migrations[version:])
    newest = len(migrations)
    try:
        connection.executescript(f"BEGIN IMMEDIATE;{steps}")
        if version < CHAINED <= newest:
            stored.hang_all(connection)
        connection.execute("UPDATE meta SET version = ?", (newest,))
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {newest}")
        before_commit()
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def layout(connection: sqlite3.Connection) -> list[tuple[str, str, str, str | None]]:
    """How the tables of an open database are laid out."""
    return connection.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
    ).fetchall()


def expected(migrations: tuple[str, ...]) -> list[tuple[str, str, str, str | None]]:
    """How they should be, after these migrations."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript("".join(migrations))
        return layout(connection)
