"""Older journals become the present format whole or stay as they are; newer ones are refused by name."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from boardrules.core import Outcome
from boardumpire.errors import JournalError
from boardumpire.journal import chain, store_file, witness
from boardumpire.journal.journal import Store
from boardumpire.journal.schema import FORMAT, MIGRATIONS
from boardumpire.journal.sealing import BoardKey

NEXT = (*MIGRATIONS, "ALTER TABLE games ADD COLUMN place TEXT;")
"""A format that may come one day."""
NEWEST = len(MIGRATIONS)


def version(path: Path) -> tuple[int, int]:
    connection = sqlite3.connect(path)
    found = (
        connection.execute("PRAGMA user_version").fetchone()
        + connection.execute("SELECT version FROM meta").fetchone()
    )
    connection.close()
    return found[0], found[1]


def old_journal(path: Path, key: BoardKey) -> int:
    """A journal as version 1 wrote it: a game that is over, and one that goes on."""
    connection = sqlite3.connect(store_file.draft(path, MIGRATIONS[:1]))
    for number in (1, 2):
        connection.execute("INSERT INTO games VALUES (?, 'game', '{}', 'board', 1)", (number,))
        sealed = key.seal("setup a1=F", f"game {number}, entry 1 of red")
        rows: list[tuple[Any, ...]] = [
            (number, 1, "action", "red", None, sealed.box, sealed.commitment, "[]", 2),
            (number, 2, "note", "", "in order", None, None, "[]", 3),
            (number, 3, "action", "blue", "b7-b6", None, None, '[{"kind":"move"}]', 4),
        ]
        connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        if number == 1:
            opened = key.open(sealed, "game 1, entry 1 of red")
            connection.execute("INSERT INTO endings VALUES (1, 'red', 'flag', 5)")
            connection.execute("INSERT INTO openings VALUES (1, 1, ?, ?)", (opened.salt.hex(), opened.text))
    connection.commit()
    connection.close()
    path.with_name(path.name + "-new").rename(path)
    return 2


TEXTS = ["setup a1=F", "in order", "b7-b6"]


def test_an_older_journal_is_migrated_with_all_it_holds(path: Path, key: BoardKey) -> None:
    old_journal(path, key)
    assert version(path) == (1, 1)
    migrated = Store.open(path, key)
    for number in (1, 2):
        assert [entry.text for entry in migrated.entries(number)] == TEXTS
    assert [game.outcome for game in migrated.games()] == [Outcome("red", "flag"), None]
    assert all(made.holds() for made in migrated.commitments(1))
    assert (migrated.take_mended(), migrated.losses()) == (False, []), "an old journal is no damaged one"
    migrated.append(2, kind="action", seat="red", text="a3-a4", secret=False, events=[], at_ms=6)
    migrated.close()
    assert version(path) == (NEWEST, NEWEST)
    again = Store.open(path, key)
    assert again.take_mended() is False
    assert [entry.text for entry in again.entries(2)] == [*TEXTS, "a3-a4"]
    again.close()


def test_its_records_hang_on_a_chain_in_the_order_they_were_written(path: Path, key: BoardKey) -> None:
    old_journal(path, key)
    Store.open(path, key).close()
    lines = witness.path_of(path).read_bytes().splitlines(keepends=True)[1:]
    links = [link for link in map(chain.parse, lines) if link is not None]
    found = [tuple(json.loads(link.body)[:4]) for link in links]
    assert found == [
        ("game", 1, 0, 0),
        ("entry", 1, 1, 1),
        ("entry", 1, 2, 1),
        ("entry", 1, 3, 2),
        ("ending", 1, 0, 2),
        ("game", 2, 0, 0),
        ("entry", 2, 1, 1),
        ("entry", 2, 2, 1),
        ("entry", 2, 3, 2),
    ]
    assert [link.nth for link in links] == list(range(1, 10))
    assert [link.former for link in links[1:]] == [link.hash for link in links[:-1]]


def test_the_power_may_go_while_it_is_migrated(path: Path, key: BoardKey) -> None:
    old_journal(path, key)
    old = path.read_bytes()
    Store.open(path, key).close()
    for leftover in path.parent.glob(f"{path.name}-*"):
        if leftover != witness.path_of(path):
            leftover.unlink()
    path.write_bytes(old)  # the second copy was made; the migration was not committed
    store = Store.open(path, key)
    assert (store.take_mended(), store.losses()) == (False, [])
    assert [entry.text for entry in store.entries(2)] == TEXTS
    store.close()
    assert version(path) == (NEWEST, NEWEST)


def test_a_journal_of_today_becomes_one_of_tomorrow(path: Path, key: BoardKey) -> None:
    number = old_journal(path, key)
    Store.open(path, key).close()
    migrated = Store.open(path, key, migrations=NEXT)
    assert [entry.text for entry in migrated.entries(number)] == TEXTS
    assert migrated.take_mended() is False
    migrated.close()
    assert version(path) == (NEWEST + 1, NEWEST + 1)


def test_a_newer_journal_is_refused_by_name_and_left_alone(path: Path, key: BoardKey) -> None:
    old_journal(path, key)
    Store.open(path, key, migrations=NEXT).close()
    content = path.read_bytes()
    for attempt in (lambda: Store.open(path, key), lambda: Store.read(path, key)):
        with pytest.raises(JournalError, match=f"{FORMAT} version {NEWEST + 1} is newer"):
            attempt()
    assert path.read_bytes() == content


def test_a_newer_second_copy_is_refused_by_name_and_left_alone(path: Path, key: BoardKey) -> None:
    old_journal(path, key)
    Store.open(path, key).close()
    told = witness.path_of(path)
    lines = told.read_bytes().splitlines(keepends=True)
    for whole in (True, False):
        told.write_bytes(witness.header(2) + b"".join(lines[1:] if whole else lines[3:]))
        content = told.read_bytes()
        with pytest.raises(JournalError, match="boardumpire-told version 2 is newer"):
            Store.open(path, key)
        assert told.read_bytes() == content


def test_a_migration_that_fails_leaves_the_old_journal_whole(path: Path, key: BoardKey) -> None:
    number = old_journal(path, key)
    broken = (*MIGRATIONS, "ALTER TABLE games ADD COLUMN place TEXT; SELECT nonsense FROM nowhere;")
    with pytest.raises(JournalError, match="nowhere"):
        Store.open(path, key, migrations=broken)
    assert version(path) == (1, 1)
    store = Store.open(path, key)
    assert len(store.entries(number)) == 3
    store.close()


def test_a_version_that_the_meta_table_denies_is_damage(path: Path, key: BoardKey) -> None:
    number = old_journal(path, key)
    Store.open(path, key).close()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE meta SET format = 'cookbook'")
    connection.commit()
    connection.close()
    store = Store.open(path, key)
    assert store.take_mended()
    assert [entry.text for entry in store.entries(number)] == TEXTS
    store.close()
    witness.path_of(path).unlink()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE meta SET format = 'cookbook'")
    connection.commit()
    connection.close()
    with pytest.raises(JournalError, match="cookbook"):
        Store.open(path, key)
