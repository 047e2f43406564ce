"""The layout of a journal file, and how older ones become the present one."""

from __future__ import annotations

import sqlite3

from boardumpire.errors import JournalError

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

MIGRATIONS: tuple[str, ...] = (VERSION_1,)
"""SQL that brings an empty file to version 1, version 1 to version 2, and so on. Never edit one: append."""


def version_of(connection: sqlite3.Connection, where: str, newest: int) -> int:
    """The version of an open journal. Raises `JournalError` if it isn't one, or is newer than `newest`."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION_ID:
        raise JournalError(f"{where}: an SQLite file of another program, expected a {FORMAT}")
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > newest:
        raise JournalError(
            f"{where}: {FORMAT} version {version} is newer than this program, which reads up to {newest}"
        )
    named = connection.execute("SELECT format, version FROM meta").fetchall()
    if named != [(FORMAT, version)]:
        raise JournalError(f"{where}: its meta table says {named}, expected {[(FORMAT, version)]}")
    return version


def migrate(connection: sqlite3.Connection, version: int, migrations: tuple[str, ...]) -> None:
    """Bring a journal from `version` to the newest of `migrations`: one transaction, whole or not at all."""
    steps = "".join(migrations[version:])
    newest = len(migrations)
    connection.executescript(
        f"BEGIN IMMEDIATE;{steps}"
        f"UPDATE meta SET version = {newest};"
        f"PRAGMA application_id = {APPLICATION_ID};"
        f"PRAGMA user_version = {newest};"
        "COMMIT;"
    )
