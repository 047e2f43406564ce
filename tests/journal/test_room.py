"""A full disk: the game waits, says so, and goes on by itself once there is room. Nothing told is lost."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardrules.core import Outcome
from boardsim.bench.bench import SENSING_DELAY_US
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
from boardware.ports import SECOND
from journal.damage import NAME, Game

PATIENCE = 30.0
"""Seconds until a test that waits for a thread gives up."""
SIZE = 1 << 20


class Disk:
    """A real filesystem of a megabyte."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._filler = path / "filler"

    def fill(self) -> None:
        """Leave no room on it, not even in the last block of a file."""
        with self._filler.open("ab", buffering=0) as file:
            size = 1 << 16
            while size:
                try:
                    file.write(b"x" * size)
                except OSError:
                    size >>= 1

    def clear(self) -> None:
        """Make room again."""
        self._filler.unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """A small disk of one's own; skipped where none can be mounted."""
    path = tmp_path / "disk"
    path.mkdir(mode=0o700)
    words = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=0700", "tmpfs", str(path)]
    try:
        made = subprocess.run(words, capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("there is no mount")
    if made.returncode:
        pytest.skip(f"a small disk can't be mounted here: {made.stderr.strip()}")
    yield Disk(path)
    subprocess.run(["umount", "--lazy", str(path)], check=True)


def write(writer: JournalWriter, number: int, text: str, *, secret: bool = False) -> WriteReceipt:
    return writer.write_entry(number, kind="action", seat="red", text=text, secret=secret, events=[], at_ms=1)


def texts(store: Store, number: int) -> list[str]:
    return [entry.text for entry in store.entries(number)]


def test_a_pen_in_a_thread_waits_for_room_and_goes_on_in_order(disk: Disk, key: BoardKey) -> None:
    store = Store.open(disk.path / NAME, key)
    number = store.begin_game("game", {}, "board", 0)
    woken = threading.Semaphore(0)
    writer = ThreadedJournalWriter(store, woken.release, retry_interval_s=0.05)
    assert write(writer, number, "before").wait_result() is not None
    disk.fill()
    woken.acquire(timeout=PATIENCE)
    receipts = [write(writer, number, f"move {turn}", secret=turn == 1) for turn in range(3)]
    assert woken.acquire(timeout=PATIENCE)
    assert writer.blocking_reason().condition == "room"
    assert not any(receipt.is_done() for receipt in receipts)
    assert texts(store, number) == ["before"]
    disk.clear()
    end = writer.finish_game(number, Outcome("red", "flag"), 9)
    assert end.wait_result() is None
    assert writer.blocking_reason() == WriteBlocked()
    assert [receipt.wait_result().text for receipt in receipts] == ["move 0", "move 1", "move 2"]  # type: ignore[union-attr]
    writer.close()
    store.close()
    again = Store.open(disk.path / NAME, key)
    assert texts(again, number) == ["before", "move 0", "move 1", "move 2"]
    assert (again.take_repair_notice(), again.unaccepted_losses()) == (False, [])
    again.close()


def test_a_kill_on_a_full_disk_loses_nothing_told(disk: Disk, key: BoardKey) -> None:
    """The disk fills up at each place of a write in turn; what is left then is a whole journal."""
    for room in range(0, 40000, 3000):
        path = disk.path / f"{room}" / NAME
        path.parent.mkdir()
        store = Store.open(path, key)
        number = store.begin_game("game", {}, "board", 0)
        disk.fill()
        with (disk.path / "filler").open("r+b") as file:
            file.truncate(max(0, file.seek(0, 2) - room))
        writer = SyncJournalWriter(store)
        receipts = [write(writer, number, f"move {turn}") for turn in range(9)]
        told = [f"move {turn}" for turn, receipt in enumerate(receipts) if receipt.is_done()]
        left = {file.name: file.read_bytes() for file in path.parent.iterdir()}
        disk.clear()
        if len(told) < 9:
            assert writer.blocking_reason() == WriteBlocked()
        assert texts(store, number) == [f"move {turn}" for turn in range(9)]
        store.close()
        for file, content in left.items():
            (path.parent / file).write_bytes(content)
        killed = Store.open(path, key)
        assert texts(killed, number) in (told, [*told, f"move {len(told)}"])
        assert (killed.take_repair_notice(), killed.unaccepted_losses()) == (False, [])
        killed.close()


def test_a_database_that_may_not_grow_waits_as_well(store: Store) -> None:
    """The same without a disk of one's own: SQLite refuses to grow, as it does where the disk is full."""
    number = store.begin_game("game", {}, "board", 0)
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    writer = SyncJournalWriter(store)
    receipts = [write(writer, number, "x" * 3000 + str(turn)) for turn in range(20)]
    done = sum(receipt.is_done() for receipt in receipts)
    assert done < 20
    assert writer.blocking_reason().condition == "room"
    store._db.execute("PRAGMA max_page_count = 100000")
    assert writer.blocking_reason() == WriteBlocked()
    assert all(receipt.is_done() for receipt in receipts)
    assert [entry.text[3000:] for entry in store.entries(number)] == [str(turn) for turn in range(20)]


@pytest.mark.parametrize("threaded", [False, True])
def test_closing_while_there_is_no_room_ends_and_fails_what_waits(store: Store, *, threaded: bool) -> None:
    number = store.begin_game("game", {}, "board", 0)
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    writer = ThreadedJournalWriter(store, lambda: None) if threaded else SyncJournalWriter(store)
    receipts = [write(writer, number, "x" * 9000) for _ in range(3)]
    writer.close()
    for receipt in receipts:
        with pytest.raises(JournalError):
            receipt.wait_result()
    assert texts(store, number) == []


def test_a_limit_on_the_size_of_files_loses_nothing_told(path: Path, key: BoardKey) -> None:
    """The kernel refuses to let any file grow: what was told is there, and the rest was not told."""
    program = (
        "import resource, sys; from pathlib import Path\n"
        "from boardumpire.journal.journal import Store\n"
        "from boardumpire.journal.writer import SyncJournalWriter\n"
        "from boardumpire.journal.sealing import BoardKey\n"
        "store = Store.open(Path(sys.argv[1]), BoardKey(bytes(32)))\n"
        "number = store.begin_game('game', {}, 'board', 0)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), -1))\n"
        "writer = SyncJournalWriter(store)\n"
        "write = lambda text: writer.write_entry(number, kind='action', seat='red', text=text, secret=False,"
        " events=[], at_ms=1)\n"
        "receipts = [write(f'move {turn}') for turn in range(40)]\n"
        "assert writer.blocking_reason().condition in ('room', 'disk'), writer.blocking_reason()\n"
        "print(sum(receipt.is_done() for receipt in receipts), flush=True)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))\n"
        "assert not writer.blocking_reason()\n"
        "assert all(receipt.is_done() for receipt in receipts)\n"
        "write('after').wait_result()\n"
    )
    for limit in (1500, 4000, 60000):
        journal = path.with_name(f"{limit}")
        words = [sys.executable, "-c", program, str(journal), str(limit)]
        done = subprocess.run(words, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert int(done.stdout) < 40
        store = Store.open(journal, BoardKey(bytes(32)))
        assert texts(store, 1) == [*(f"move {turn}" for turn in range(40)), "after"]
        store.close()


def test_at_the_table_the_game_waits_says_so_and_goes_on_by_itself(disk: Disk) -> None:
    game = Game(disk.path, 3)
    game.begin(1)
    game.move()
    heard: list[Any] = []
    game.bench.runner._told = heard.append  # type: ignore[attr-defined]
    disk.fill()
    game.move()
    codes = [message.data.get("code") for message in heard if message.kind == "fault"]
    assert codes == ["journal-room"], "said once, and nothing is ruled"
    assert not [message for message in heard if message.kind in ("ruling", "turn")]
    with pytest.raises(ValueError, match="Try again once it goes on"):
        game.bench.say("red", "resign")
    disk.clear()
    game.bench.wait(2 * SECOND)
    kinds = [message.data.get("code", message.kind) for message in heard]
    assert kinds[:3] == ["journal-room", "journal-back", "ruling"]
    assert kinds.count("ruling") == 1, "told once"
    game.move()
    assert [message.data.get("code", message.kind) for message in heard].count("ruling") == 2
    game.bench.wait(SENSING_DELAY_US)
    game.bench.close()
