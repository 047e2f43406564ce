"""A journal of a newer version, or of none, is refused by name and left alone."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from boardumpire.errors import JournalError
from boardumpire.journal import mirror
from boardumpire.journal.journal import Store
from boardumpire.journal.schema import FORMAT, VERSION
from boardumpire.journal.sealing import BoardKey

TEXTS = ["setup a1=F", "b7-b6"]


@pytest.fixture
def number(path: Path, key: BoardKey) -> int:
    """The game of a journal at `path`."""
    store = Store.open(path, key)
    game = store.begin_game("game", {}, "board", 1)
    for text in TEXTS:
        store.append_entry(
            game, kind="action", seat="red", text=text, secret=text == TEXTS[0], events=[], at_ms=2
        )
    store.close()
    return game


def change(path: Path, *statements: str) -> None:
    """Run SQL on a journal, as another program would."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for each in statements:
            connection.execute(each)
        connection.commit()


def call_version(path: Path, version: int) -> None:
    change(path, f"PRAGMA user_version = {version}", f"UPDATE meta SET version = {version}")


def test_a_newer_journal_is_refused_by_name_and_left_alone(path: Path, key: BoardKey, number: int) -> None:
    call_version(path, VERSION + 1)
    content = path.read_bytes()
    for attempt in (lambda: Store.open(path, key), lambda: Store.open_read_only(path, key)):
        with pytest.raises(JournalError, match=f"{FORMAT} version {VERSION + 1} is newer"):
            attempt()
    assert path.read_bytes() == content


def test_a_version_that_never_was_is_damage(path: Path, key: BoardKey, number: int) -> None:
    call_version(path, VERSION - 1)
    with pytest.raises(JournalError, match=f"version {VERSION - 1} never was"):
        Store.open_read_only(path, key)
    store = Store.open(path, key)
    assert store.take_repair_notice()
    assert [entry.text for entry in store.entries(number)] == TEXTS
    store.close()


def test_a_newer_second_copy_is_refused_by_name_and_left_alone(
    path: Path, key: BoardKey, number: int
) -> None:
    told = mirror.mirror_path(path)
    lines = told.read_bytes().splitlines(keepends=True)
    for whole in (True, False):
        told.write_bytes(mirror.format_header(3, version=2) + b"".join(lines[1:] if whole else lines[2:]))
        content = told.read_bytes()
        with pytest.raises(JournalError, match="boardumpire-told version 2 is newer"):
            Store.open(path, key)
        assert told.read_bytes() == content


def test_a_version_that_the_meta_table_denies_is_damage(path: Path, key: BoardKey, number: int) -> None:
    change(path, "UPDATE meta SET format = 'cookbook'")
    store = Store.open(path, key)
    assert store.take_repair_notice()
    assert [entry.text for entry in store.entries(number)] == TEXTS
    store.close()
    mirror.mirror_path(path).unlink()
    change(path, "UPDATE meta SET format = 'cookbook'")
    with pytest.raises(JournalError, match="cookbook"):
        Store.open(path, key)
