"""The journal keeps what it was told, in order, durable, and tells no secret before the end."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardrules.core import Outcome
from boardumpire.errors import JournalError, SealError
from boardumpire.journal.journal import JournalEntry, Store
from boardumpire.journal.sealing import BoardKey

SETUP = "setup a1=F b1=B c1=10 d1=S e1=Marshal-for-the-eye"


def begin(store: Store) -> int:
    return store.begin_game("stratego-quick-duel", {"announce": "ranks"}, "quick-battle-8x8", 1000)


def append(store: Store, number: int, text: str, *, secret: bool = False, **more: Any) -> JournalEntry:
    given: dict[str, Any] = {"kind": "action", "seat": "red", "events": [], "at_ms": 2000, **more}
    return store.append_entry(number, text=text, secret=secret, **given)


def raw(path: Path) -> bytes:
    """Every byte of the journal: the file, its write-ahead log and its index."""
    return b"".join(found.read_bytes() for found in sorted(path.parent.glob(path.name + "*")))


def test_what_was_appended_comes_back_in_order_after_a_restart(path: Path, key: BoardKey) -> None:
    store = Store.open(path, key)
    number = begin(store)
    append(store, number, SETUP, secret=True, events=[{"kind": "setup", "seat": "red"}], at_ms=2)
    append(store, number, "a3-a4", events=[{"kind": "move", "from": "a3", "to": "a4"}], at_ms=3)
    append(store, number, "b7-b9", kind="note", seat="blue", at_ms=4)
    before = store.entries(number)
    store.close()

    again = Store.open(path, key)
    header = again.unfinished_game()
    assert header is not None
    assert header[:5] == (number, "stratego-quick-duel", {"announce": "ranks"}, "quick-battle-8x8", 1000)
    assert again.entries(number) == before
    assert [(entry.seq, entry.kind, entry.seat, entry.text, entry.at_ms) for entry in before] == [
        (1, "action", "red", SETUP, 2),
        (2, "action", "red", "a3-a4", 3),
        (3, "note", "blue", "b7-b9", 4),
    ]
    assert json.loads(before[1].public_events) == [{"kind": "move", "from": "a3", "to": "a4"}]
    again.close()


def test_no_byte_of_the_files_tells_a_secret_until_the_game_is_over(store: Store, path: Path) -> None:
    number = begin(store)
    append(store, number, SETUP, secret=True)
    append(store, number, "a3-a4")
    found = raw(path)
    assert b"a3-a4" in found, "the test reads the right files"
    for word in SETUP.split():
        assert word.encode() not in found
        assert word.encode("utf-16-le") not in found
    store.finish_game(number, Outcome("red", "flag"), 3000)
    assert SETUP.encode() in raw(path), "after the end anyone may read it"


def test_the_size_of_a_sealed_part_does_not_tell_what_it_says(store: Store, path: Path) -> None:
    number = begin(store)
    for text in ("setup a1=F", "setup a1=10 b1=10 c1=10"):
        append(store, number, text, secret=True)
    connection = sqlite3.connect(path)
    sizes = connection.execute("SELECT length(sealed) FROM entries").fetchall()
    connection.close()
    assert sizes[0] == sizes[1]


def test_a_commitment_is_public_at_once_and_can_be_checked_with_sha256sum_after_the_end(store: Store) -> None:
    number = begin(store)
    append(store, number, SETUP, secret=True)
    early = store.commitments(number)[0]
    assert (early.salt, early.text, early.matches()) == (None, None, False)
    store.finish_game(number, Outcome("red", "flag"), 3000)
    late = store.commitments(number)[0]
    assert late.digest == early.digest
    assert late.matches()
    assert not late._replace(text=SETUP.replace("a1=F", "a1=B")).matches()
    salt, text = late.salt, late.text
    assert salt is not None
    assert text is not None
    told = subprocess.run(
        ["sha256sum"], input=bytes.fromhex(salt) + text.encode(), capture_output=True, check=True
    )
    assert told.stdout.split()[0].decode() == early.digest


def test_a_secret_entry_does_not_show_in_its_repr(store: Store) -> None:
    number = begin(store)
    assert "a1=F" not in repr(append(store, number, SETUP, secret=True))
    assert "a1=F" not in repr(store.entries(number))
    assert "a3-a4" in repr(append(store, number, "a3-a4"))


def test_a_journal_without_its_key_keeps_its_seals_and_tells_the_rest(store: Store, path: Path) -> None:
    number = begin(store)
    append(store, number, "a3-a4")
    other = Store.open_read_only(path)
    assert other.entries(number)[0].text == "a3-a4"
    append(store, number, SETUP, secret=True)
    assert other.commitments(number) == store.commitments(number)
    with pytest.raises(JournalError, match="key"):
        other.entries(number)
    other.close()


def test_another_boards_key_opens_nothing(store: Store, path: Path) -> None:
    number = begin(store)
    append(store, number, SETUP, secret=True)
    store.close()
    stranger = Store.open(path, BoardKey.random())
    with pytest.raises(SealError, match="another board's key"):
        stranger.entries(number)
    with pytest.raises(SealError):
        stranger.finish_game(number, Outcome(None, "draw"), 1)
    assert stranger.unfinished_game() is not None, "an ending whose seals don't open is no ending"
    stranger.close()


def test_nothing_can_be_changed_forgotten_or_added_after_the_end(store: Store, path: Path) -> None:
    number = begin(store)
    append(store, number, "a3-a4")
    store.finish_game(number, Outcome(None, "draw"), 3000)
    with pytest.raises(JournalError, match="the game is over"):
        append(store, number, "a4-a5")
    with pytest.raises(JournalError, match="refused"):
        store.finish_game(number, Outcome("red", "flag"), 3001)
    connection = sqlite3.connect(path)
    for table in ("games", "entries", "endings"):
        for sql in (f"DELETE FROM {table}", f"UPDATE {table} SET number = 7"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(sql)
    connection.close()


def test_a_game_that_does_not_exist_is_named(store: Store) -> None:
    for ask in (store.header, store.entries, store.commitments):
        with pytest.raises(JournalError, match="no game 7"):
            ask(7)
    with pytest.raises(JournalError):
        append(store, 7, "a3-a4")


def test_games_keep_their_own_sequence(store: Store) -> None:
    first = begin(store)
    append(store, first, "a3-a4")
    store.finish_game(first, Outcome("blue", "resignation"), 5)
    assert store.unfinished_game() is None
    second = begin(store)
    assert append(store, second, "b3-b4").seq == 1
    assert [game.outcome for game in store.games()] == [Outcome("blue", "resignation"), None]


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.text(), st.booleans(), st.text()), max_size=8))
def test_any_text_comes_back_as_it_was(texts: list[tuple[str, bool, str]]) -> None:
    texts = [(seat, secret, text) for seat, secret, text in texts if _encodes(seat + text)]
    store = Store.open(None, BoardKey.random())
    number = begin(store)
    for seat, secret, text in texts:
        append(store, number, text, seat=seat, secret=secret)
    assert [(entry.seat, entry.secret, entry.text) for entry in store.entries(number)] == texts
    store.finish_game(number, Outcome(None, "draw"), 0)
    assert [entry.text for entry in store.entries(number)] == [text for _, _, text in texts]
    assert all(commitment.matches() for commitment in store.commitments(number))
    store.close()


def _encodes(text: str) -> bool:
    return not any(0xD800 <= ord(letter) < 0xE000 for letter in text) and "\0" not in text


def test_only_one_process_writes_and_the_lock_goes_with_it(path: Path, key: BoardKey) -> None:
    store = Store.open(path, key)
    with pytest.raises(JournalError, match="in use by another boardumpire"):
        Store.open(path, key)
    store.close()
    program = (
        "import os, sys; from pathlib import Path; from boardumpire.journal.journal import Store\n"
        "from boardumpire.journal.sealing import BoardKey\n"
        "Store.open(Path(sys.argv[1]), BoardKey.random()); os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", program, str(path)]).returncode == -9
    Store.open(path, key).close()


def test_a_file_locked_by_another_program_is_named(store: Store, path: Path, key: BoardKey) -> None:
    store.close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    patient = Store.open(path, key, patience_ms=0)
    with pytest.raises(JournalError, match="locked by another program"):
        begin(patient)
    other.execute("ROLLBACK")
    assert begin(patient) == 1
    patient.close()
    other.close()


@pytest.mark.parametrize("content", [b"", b"not a database, only words " * 400, b"SQLite format 3\0"])
def test_what_is_no_journal_is_refused_and_left_alone(path: Path, key: BoardKey, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(JournalError, match=str(path)):
        Store.open(path, key)
    assert path.read_bytes() == content


def test_a_truncated_journal_is_mended_or_refused(path: Path, key: BoardKey) -> None:
    store = Store.open(path, key)
    number = begin(store)
    for turn in range(200):
        append(store, number, f"a{turn}-b{turn}", secret=turn == 7)
    store.close()
    whole = path.read_bytes()
    for size in range(0, len(whole), 4096):
        path.write_bytes(whole[: size + 100])
        mended = Store.open(path, key)
        assert mended.take_repair_notice()
        assert len(mended.entries(number)) == 200
        mended.close()
    path.with_name(path.name + "-told").unlink()
    path.write_bytes(whole[:100])
    with pytest.raises(JournalError, match="not a whole boardumpire-journal"):
        Store.open(path, key)


def test_a_database_of_another_program_is_refused(path: Path, key: BoardKey) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE songs (title)")
    connection.close()
    with pytest.raises(JournalError, match="another program"):
        Store.open(path, key)


def test_a_missing_file_with_its_log_still_there_is_no_fresh_start(path: Path, key: BoardKey) -> None:
    path.with_name(path.name + "-wal").write_bytes(b"left behind")
    with pytest.raises(JournalError, match="missing"):
        Store.open(path, key)


def test_a_crash_while_the_file_is_made_leaves_nothing_in_the_way(path: Path, key: BoardKey) -> None:
    path.with_name(path.name + "-new").write_bytes(b"half")
    path.with_name(path.name + "-new-journal").write_bytes(b"half")
    store = Store.open(path, key)
    assert begin(store) == 1
    store.close()


def test_a_place_that_can_not_be_written_is_named(tmp_path: Path, key: BoardKey) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="can't open"):
        Store.open(tmp_path / "file" / "journal.sqlite", key)
    with pytest.raises(JournalError, match="no such journal"):
        Store.open_read_only(tmp_path / "nowhere.sqlite")


def test_the_file_is_the_owners_alone_and_durable(store: Store, path: Path) -> None:
    assert os.stat(path).st_mode & 0o777 == 0o600
    settings = [store._db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
    assert settings == ["wal", 2]
