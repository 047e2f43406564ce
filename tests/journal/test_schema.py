"""Older journals become the present format whole or stay as they are; newer ones are refused by name."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from boardumpire.errors import JournalError
from boardumpire.journal import Store
from boardumpire.schema import FORMAT, MIGRATIONS
from boardumpire.seal import BoardKey

NEXT = (*MIGRATIONS, "ALTER TABLE games ADD COLUMN place TEXT;")
"""A format that may come one day."""


def version(path: Path) -> tuple[int, int]:
    connection = sqlite3.connect(path)
    found = (
        connection.execute("PRAGMA user_version").fetchone()
        + connection.execute("SELECT version FROM meta").fetchone()
    )
    connection.close()
    return found[0], found[1]


def old_journal(path: Path, key: BoardKey) -> int:
    store = Store.open(path, key)
    number = store.begin("game", {}, "board", 1)
    store.append(number, kind="action", seat="red", text="setup a1=F", secret=True, events=[], at_ms=2)
    store.close()
    return number


def test_an_older_journal_is_migrated_with_all_it_holds(path: Path, key: BoardKey) -> None:
    number = old_journal(path, key)
    assert version(path) == (1, 1)
    migrated = Store.open(path, key, migrations=NEXT)
    assert [entry.text for entry in migrated.entries(number)] == ["setup a1=F"]
    migrated.close()
    assert version(path) == (2, 2)


def test_a_newer_journal_is_refused_by_name_and_left_alone(path: Path, key: BoardKey) -> None:
    old_journal(path, key)
    Store.open(path, key, migrations=NEXT).close()
    content = path.read_bytes()
    for attempt in (lambda: Store.open(path, key), lambda: Store.read(path, key)):
        with pytest.raises(JournalError, match=f"{FORMAT} version 2 is newer"):
            attempt()
    assert path.read_bytes() == content


def test_a_migration_that_fails_leaves_the_old_journal_whole(path: Path, key: BoardKey) -> None:
    number = old_journal(path, key)
    broken = (*MIGRATIONS, "ALTER TABLE games ADD COLUMN place TEXT; SELECT nonsense FROM nowhere;")
    with pytest.raises(JournalError, match="nowhere"):
        Store.open(path, key, migrations=broken)
    assert version(path) == (1, 1)
    store = Store.open(path, key)
    assert len(store.entries(number)) == 1
    store.close()


def test_a_version_that_the_meta_table_denies_is_refused(path: Path, key: BoardKey) -> None:
    old_journal(path, key)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE meta SET format = 'cookbook'")
    connection.commit()
    connection.close()
    with pytest.raises(JournalError, match="cookbook"):
        Store.open(path, key)
