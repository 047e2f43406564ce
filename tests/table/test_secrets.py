"""What only one seat or the board's key may read is in no file, repr, traceback, log or export."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path
from typing import Any

import pytest

from boardsim.bench.bench import Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import BoardKey, load_key
from boardumpire.journal.writer import SyncJournalWriter
from boardumpire.messages import disclosure
from boardumpire.table.match import Match
from boardumpire.table.shared_game import SharedGame
from table.twins import begun, reprs, setups, shared_play

SEED = 11


def words(setup: dict[str, str]) -> list[str]:
    """What nobody else may read: `a1=F` of both armies."""
    return [word for text in setup.values() for word in text.split()[1:]]


def played(folder: Path) -> tuple[Bench, dict[str, str], list[Any]]:
    """A game under way over a journal in `folder`: both armies stand, a first move was tried."""
    setup, other = setups(SEED)
    told: list[Any] = []
    setting = BenchSettings(seed=SEED, journal=folder / "journal.db", lamp_driver="neopixel-pwm-sim")
    bench = Bench(setting, TableFactory(), told=told.append)
    bench.start()
    for seat, text in setup.items():
        bench.set_up(seat, text)
    ((_, origin, target),) = shared_play(begun(setup), begun(other), SEED, turns=1)
    bench.run_until(bench.hands.lift(origin, bench.now))
    bench.run_until(bench.hands.place(target, bench.now))
    bench.wait(1_000_000)
    return bench, setup, told


def leaks(text: str, setup: dict[str, str]) -> list[str]:
    return [word for word in words(setup) if word in text]


def test_no_file_but_the_keys_tells_a_rank(tmp_path: Path) -> None:
    bench, setup, _ = played(tmp_path)
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path.parent.name != "key"]
    assert {"journal.db", "journal.db-wal"} <= {path.name for path in files}
    for path in files:
        found = path.read_bytes()
        assert not [word for word in words(setup) if word.encode() in found], path.name
    bench.kill()
    for path in files:
        if path.exists():
            assert not leaks(path.read_bytes().decode("latin-1"), setup), path.name


def test_with_another_key_the_journal_tells_nothing(tmp_path: Path) -> None:
    bench, setup, _ = played(tmp_path)
    bench.close()
    store = Store.open(tmp_path / "journal.db", BoardKey.random())
    told = ""
    try:
        told += str([entry.text for entry in store.entries(1)])
    except Exception as error:
        told += "".join(traceback.format_exception(error))
    told += str(store.public_entries(1)) + str(store.commitments(1)) + str(store.games())
    store.close()
    assert not leaks(told, setup)


def test_no_repr_tells_a_rank(tmp_path: Path) -> None:
    bench, setup, _ = played(tmp_path)
    found = "\n".join(reprs(bench.table))
    assert "Table" in found
    assert "GameHistory" in found
    bench.close()
    store = Store.open(tmp_path / "journal.db", load_key(tmp_path / "key" / "board.key"))
    found += repr(store.entries(1)) + repr(store.commitments(1))
    store.close()
    assert not leaks(found, setup)


def test_no_export_tells_a_rank_before_the_end(tmp_path: Path) -> None:
    bench, setup, _ = played(tmp_path)
    assert bench.table is not None
    assert not leaks(bench.table.export_record(), setup)
    bench.close()


def test_public_messages_and_those_of_the_other_seat_tell_no_set_up(tmp_path: Path) -> None:
    bench, setup, told = played(tmp_path)
    for seat in (None, "red", "blue"):
        heard = str([message for message in told if message.seat in (None, seat)])
        assert not leaks(heard, {other: text for other, text in setup.items() if other != seat})
    bench.close()


def test_the_log_tells_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        bench, setup, _ = played(tmp_path)
        bench.close()
    assert not leaks(caplog.text, setup)


class Planted(RuntimeError):  # noqa: N818 - what it is
    """An error of our own, at the worst moment."""


@pytest.mark.parametrize(
    ("where", "name"),
    [
        (SharedGame, "_apply_ruling"),
        (SharedGame, "settle_writes"),
        (SharedGame, "rule_action"),
        (Match, "apply_ruling"),
        (Match, "begin_layout"),
        (Match, "rule_action"),
        (disclosure, "accepted_messages"),
        (SyncJournalWriter, "write_entry"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_traceback_tells_nothing_even_with_what_was_at_hand(
    where: Any, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup, _ = setups(SEED)
    bench = Bench(BenchSettings(seed=SEED), TableFactory())
    bench.start()

    def planted(*given: Any, **named: Any) -> None:
        shown = {key: value for key, value in named.items() if key != "text"}
        raise Planted(f"{given!r} {shown!r}")

    monkeypatch.setattr(where, name, planted)
    with pytest.raises(Planted) as caught:
        bench.set_up("red", setup["red"])
    written = "".join(traceback.format_exception(caught.value))
    assert "Planted" in written
    assert not leaks(written, setup)
    monkeypatch.undo()
    bench.close()
