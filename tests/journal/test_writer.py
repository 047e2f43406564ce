"""Journal writers write in order, tell at the receipt what went wrong, and stop cleanly."""

from __future__ import annotations

import errno
import os
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from boardrules.core import Outcome
from boardumpire.errors import JournalError
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import BoardKey
from boardumpire.journal.writer import (
    JournalWriter,
    SyncJournalWriter,
    ThreadedJournalWriter,
    WriteBlocked,
    WriteReceipt,
)

PATIENCE = 30.0
"""Seconds until a test that waits for a thread gives up."""


def write(writer: JournalWriter, number: int, text: str, **more: Any) -> WriteReceipt:
    given: dict[str, Any] = {
        "kind": "action",
        "seat": "red",
        "secret": False,
        "events": [],
        "at_ms": 1,
        **more,
    }
    return writer.write_entry(number, text=text, **given)


@pytest.fixture(params=["direct", "thread"])
def writer(request: pytest.FixtureRequest, store: Store) -> Any:
    writer = (
        SyncJournalWriter(store) if request.param == "direct" else ThreadedJournalWriter(store, lambda: None)
    )
    yield writer
    writer.close()


def test_everything_is_written_in_the_order_it_was_told(writer: JournalWriter, store: Store) -> None:
    number = store.begin_game("game", {}, "board", 0)
    receipts = [write(writer, number, f"move {turn}") for turn in range(50)]
    end = writer.finish_game(number, Outcome("red", "flag"), 9)
    assert end.wait_result() is None
    entries = store.entries(number)
    assert [entry.text for entry in entries] == [f"move {turn}" for turn in range(50)]
    assert [receipt.wait_result() for receipt in receipts] == entries
    assert all(receipt.is_done() for receipt in receipts)
    assert store.header(number).outcome == Outcome("red", "flag")


def test_an_error_comes_out_at_its_ticket_and_nothing_is_written_behind_it(
    writer: JournalWriter, store: Store
) -> None:
    number = store.begin_game("game", {}, "board", 0)
    good = write(writer, number, "first")
    bad = write(writer, number, "second", kind="gossip")
    behind = write(writer, number, "third")
    assert good.wait_result() is not None
    with pytest.raises(JournalError, match="CHECK"):
        bad.wait_result()
    with pytest.raises(JournalError, match="an earlier entry was not"):
        behind.wait_result()
    assert [entry.text for entry in store.entries(number)] == ["first"]


def test_a_disk_that_turns_read_only_is_waited_for(
    store: Store, path: Path, key: BoardKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel does that to a disk that fails. What waits is written once it takes something again."""

    def refuse(*given: object, **named: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    writer = SyncJournalWriter(store)
    number = store.begin_game("game", {}, "board", 0)
    found = os.fstatvfs(0)
    forced = os.statvfs_result((*found[:8], found.f_flag | os.ST_RDONLY, found.f_namemax))
    for name, instead in (("pwrite", refuse), ("fstatvfs", lambda handle: forced)):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, instead)
            receipt = write(writer, number, name)
            assert not receipt.is_done()
            assert writer.blocking_reason() == WriteBlocked("disk", "Read-only file system")
        assert writer.blocking_reason() == WriteBlocked()
        assert receipt.is_done()
    assert [entry.text for entry in store.entries(number)] == ["pwrite", "fstatvfs"]
    store.close()
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(JournalError, match="Read-only") as refused:
        Store.open(path, key)
    assert refused.value.condition == "disk", "systemd tries again"


def test_closing_writes_what_is_left_and_refuses_more(writer: JournalWriter, store: Store) -> None:
    number = store.begin_game("game", {}, "board", 0)
    receipts = [write(writer, number, str(turn)) for turn in range(20)]
    writer.close()
    writer.close()
    assert all(receipt.is_done() for receipt in receipts)
    assert len(store.entries(number)) == 20
    with pytest.raises(JournalError, match="closed"):
        write(writer, number, "late").wait_result()


def busy_disk(path: Path) -> sqlite3.Connection:
    """Another program that holds the file: every write waits until it rolls back."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


def test_a_thread_pen_does_not_wait_for_the_disk_and_wakes_when_a_ticket_is_done(
    store: Store, path: Path
) -> None:
    number = store.begin_game("game", {}, "board", 0)
    woken = threading.Semaphore(0)
    writer = ThreadedJournalWriter(store, woken.release)
    disk = busy_disk(path)
    first, second = write(writer, number, "1"), write(writer, number, "2")
    assert not first.is_done()
    assert not second.is_done()
    disk.close()
    assert woken.acquire(timeout=PATIENCE)
    assert first.is_done()
    assert woken.acquire(timeout=PATIENCE)
    assert second.is_done()
    writer.close()


def test_a_full_pen_refuses_rather_than_blocks(store: Store, path: Path) -> None:
    number = store.begin_game("game", {}, "board", 0)
    writer = ThreadedJournalWriter(store, lambda: None, queue_limit=2)
    disk = busy_disk(path)
    receipts = [write(writer, number, str(turn)) for turn in range(5)]
    with pytest.raises(JournalError, match="more than 2 entries"):
        receipts[-1].wait_result()
    disk.close()
    writer.close()
    written = [entry.text for entry in store.entries(number)]
    assert written == [str(turn) for turn in range(len(written))], "no gap, whatever was written"


def test_a_thread_that_reads_meanwhile_never_sees_half_an_entry(store: Store) -> None:
    number = store.begin_game("game", {}, "board", 0)
    writer = ThreadedJournalWriter(store, lambda: None, queue_limit=1000)
    last = [write(writer, number, str(turn), secret=turn % 2 == 0) for turn in range(100)][-1]
    while not last.is_done():
        texts = [entry.text for entry in store.entries(number)]
        assert texts == [str(turn) for turn in range(len(texts))]
    writer.close()
