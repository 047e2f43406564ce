"""The power goes at any moment of a write: nothing told is lost, and nothing is taken for damage."""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import BoardKey, load_key
from journal.damage import FILES, NAME, befall


class TestCrashes:
    """One entry is told, another one under way."""

    def moments(self, path: Path, key: BoardKey) -> tuple[dict[str, bytes], dict[str, bytes]]:
        """The files before and after an entry was written, its store never closed."""

        def files() -> dict[str, bytes]:
            return {name: path.with_name(name).read_bytes() for name in FILES.values()}

        store = Store.open(path, key)
        number = store.begin_game("game", {}, "board", 0)
        write = partial(
            store.append_entry, number, kind="action", seat="red", secret=False, events=[], at_ms=0
        )
        write(text="told")
        before = files()
        write(text="under way")
        after = files()
        store.close()
        return before, after

    def put(self, path: Path, files: dict[str, bytes]) -> None:
        for file in path.parent.glob(f"{NAME}*"):
            file.unlink()
        for name, content in files.items():
            path.with_name(name).write_bytes(content)

    def holds(self, path: Path, key: BoardKey) -> list[str]:
        """The actions that are there; the journal is whole, asks nothing and takes another entry."""
        store = Store.open(path, key)
        assert not store.take_repair_notice()
        assert store.unaccepted_losses() == []
        texts = [entry.text for entry in store.entries(1)]
        store.append_entry(1, kind="action", seat="red", text="next", secret=False, events=[], at_ms=0)
        store.close()
        again = Store.open(path, key)
        assert not again.take_repair_notice()
        assert [entry.text for entry in again.entries(1)] == [*texts, "next"]
        again.close()
        assert not list(path.parent.glob("*-damaged-*"))
        return texts

    def test_while_the_line_of_the_second_copy_is_written(self, path: Path, key: BoardKey) -> None:
        before, after = self.moments(path, key)
        whole = after[FILES["copy"]]
        for size in (*range(len(before[FILES["copy"]]), len(whole), 5), len(whole)):
            self.put(path, {**before, FILES["copy"]: whole[:size]})
            assert self.holds(path, key) == (["told", "under way"] if size == len(whole) else ["told"])

    @pytest.mark.parametrize("junk", [b"\n", b"1 2\n3", b"\n\n\0"])
    def test_behind_a_torn_line_is_what_the_disk_had_there(
        self, junk: bytes, path: Path, key: BoardKey
    ) -> None:
        """Bytes of another file, with ends of lines in it."""
        before, after = self.moments(path, key)
        begun, whole = len(before[FILES["copy"]]), after[FILES["copy"]]
        for size in (begun, begun + 7, len(whole) - 9):
            self.put(path, {**before, FILES["copy"]: whole[:size] + junk + b"x"})
            assert self.holds(path, key) == ["told"]

    @pytest.mark.slow
    def test_while_the_database_takes_it(self, path: Path, key: BoardKey) -> None:
        before, after = self.moments(path, key)
        log = FILES["log"]
        for size in range(len(before[log]), len(after[log]) + 1, 97):
            self.put(path, {**after, log: after[log][:size]})
            assert self.holds(path, key) == ["told", "under way"]

    def test_where_the_database_alone_kept_it(self, path: Path, key: BoardKey) -> None:
        before, after = self.moments(path, key)
        self.put(path, {**after, FILES["copy"]: before[FILES["copy"]]})
        assert self.holds(path, key) == ["told", "under way"]

    def test_while_a_journal_is_made(self, path: Path, key: BoardKey) -> None:
        Store.open(path, key).close()
        whole = {name: path.with_name(name).read_bytes() for name in (NAME, FILES["copy"])}
        for files in ({}, {FILES["copy"]: whole[FILES["copy"]]}):
            self.put(path, files)
            store = Store.open(path, key)
            assert (store.games(), store.take_repair_notice(), store.unaccepted_losses()) == ([], False, [])
            store.close()

    @pytest.mark.slow
    def test_while_a_journal_is_mended(
        self, path: Path, key: BoardKey, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each call that changes a name or the disk may be the last one: the next start finishes the work."""
        before, after = self.moments(path, key)
        for lost in (
            {NAME: after[NAME][:5000]},
            {FILES["log"]: b""},
            {FILES["copy"]: before[FILES["copy"]][:300]},
        ):
            calls = 0
            while True:
                self.put(path, {**after, **lost})
                with monkeypatch.context() as patch:
                    ended = _power_goes(patch, calls)
                    with contextlib.suppress(_PowerCut):
                        Store.open(path, key).close()
                store = Store.open(path, key)
                assert [entry.text for entry in store.entries(1)] == ["told", "under way"]
                assert len(store.unaccepted_losses()) == (FILES["copy"] in lost)
                store.close()
                if not ended():
                    break
                calls += 1
            assert calls > 3


class _PowerCut(BaseException):
    """The power goes."""


def _power_goes(patch: pytest.MonkeyPatch, calls: int) -> Callable[[], bool]:
    """Let the power go after so many of the calls that change what is on the disk; whether it did."""
    made = 0

    def counted(real: Any) -> Any:
        def call(*given: Any, **named: Any) -> Any:
            nonlocal made
            made += 1
            if made > calls:
                raise _PowerCut
            return real(*given, **named)

        return call

    for name in ("link", "rename", "unlink", "fsync"):
        patch.setattr(os, name, counted(getattr(os, name)))
    return lambda: made > calls


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(4))
def test_kill_9_in_the_middle_of_writing_then_damage(seed: int, tmp_path: Path) -> None:
    _killed(tmp_path, seed)


@pytest.mark.nightly
def test_fifty_kills_in_the_middle_of_writing_then_damage(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """50 processes that write are killed with kill -9, and what they leave is damaged: all told is there."""
    record_property("actions told", sum(_killed(tmp_path / str(seed), seed) for seed in range(100, 150)))


_WRITER = """
import sys
from pathlib import Path
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import load_or_make_key
journal = Path(sys.argv[1])
store = Store.open(journal, load_or_make_key(journal.parent / "key" / "board.key"))
number = store.begin_game("game", {}, "board", 0)
for turn in range(100000):
    told = {"kind": "action", "seat": "red", "text": f"move {turn}", "events": [], "at_ms": 0}
    store.append_entry(number, secret=turn % 5 == 0, **told)
    print(turn, flush=True)
"""


def _killed(directory: Path, seed: int) -> int:
    """Kill a writer after some entries, damage what it leaves, open it; how many actions it had told."""
    dice = random.Random(seed)
    journal = directory / NAME
    directory.mkdir(exist_ok=True)
    writer = subprocess.Popen([sys.executable, "-c", _WRITER, journal], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    wanted = dice.randrange(1, 120)
    for line in writer.stdout:
        if int(line) == wanted:
            break
    writer.kill()
    told = wanted + 1 + len(writer.stdout.readlines())
    writer.wait()
    writer.stdout.close()
    happened = befall(journal, dice)
    store = Store.open(journal, load_key(directory / "key" / "board.key"))
    texts = [entry.text for entry in store.entries(1)]
    store.close()
    assert texts in ([f"move {turn}" for turn in range(count)] for count in (told, told + 1)), happened
    return told
