"""The layout of a journal file. Files of a newer version are refused by name."""

from __future__ import annotations

import contextlib
import sqlite3

from boardumpire.errors import JournalError

FORMAT = "boardumpire-journal"
VERSION = 1
APPLICATION_ID = 0x424D5052
"""SQLite's `application_id`: "BMPR"."""

_APPEND_ONLY_TRIGGERS = """
CREATE TRIGGER {table}_never_change BEFORE UPDATE ON {table}
BEGIN SELECT raise(ABORT, '{table}: a journal is append-only'); END;
CREATE TRIGGER {table}_never_forget BEFORE DELETE ON {table}
BEGIN SELECT raise(ABORT, '{table}: a journal is append-only'); END;
"""

_TABLES = ("games", "entries", "endings", "openings", "chain", "losses")

_LAYOUT_SQL = """
CREATE TABLE meta (format TEXT NOT NULL, version INTEGER NOT NULL) STRICT;

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
-- Every record of the tables beside it, in the order they were written (see `boardumpire.journal.chain`).
CREATE TABLE chain (
    count INTEGER PRIMARY KEY CHECK (count > 0),
    hash TEXT NOT NULL,
    what TEXT NOT NULL CHECK (what IN ('game', 'entry', 'ending', 'loss')),
    number INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    actions INTEGER NOT NULL
) STRICT;

-- Actions of a game that were told and that damage took (see `boardumpire.journal.merge.LostActions`).
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
""" + "".join(_APPEND_ONLY_TRIGGERS.format(table=table) for table in _TABLES)


class NewerVersionError(JournalError):
    """The journal is of a newer version than this program reads."""


def check_version(connection: sqlite3.Connection, where: str) -> None:
    """Raises `JournalError` if an open database is no journal of this version; `NewerVersionError` if of a
    newer."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION_ID:
        raise JournalError(f"an SQLite file of another program; try a {FORMAT}", where)
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    named = connection.execute("SELECT format, version FROM meta").fetchall()
    if named != [(FORMAT, version)]:
        raise JournalError(f"its meta table says {named}, expected {[(FORMAT, version)]}", where)
    if version > VERSION:
        raise NewerVersionError(
            f"{FORMAT} version {version} is newer than this program, which reads up to {VERSION}", where
        )
    if version < VERSION:
        raise JournalError(f"{FORMAT} version {version} never was, expected {VERSION}", where)


def create(connection: sqlite3.Connection) -> None:
    """Lay out the tables of an empty database: one transaction, whole or not at all."""
    try:
        connection.executescript(f"BEGIN IMMEDIATE;{_LAYOUT_SQL}")
        connection.execute("INSERT INTO meta VALUES (?, ?)", (FORMAT, VERSION))
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def current_layout(connection: sqlite3.Connection) -> list[tuple[str, str, str, str | None]]:
    """The tables, indexes and triggers of an open database, as SQL."""
    return connection.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
    ).fetchall()


def expected_layout() -> list[tuple[str, str, str, str | None]]:
    """The tables, indexes and triggers that this version creates, as SQL."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(_LAYOUT_SQL)
        return current_layout(connection)
