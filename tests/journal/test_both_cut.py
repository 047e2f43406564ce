"""Both copies of a journal cut short or damaged: what was told and is gone is named, never passed over."""

from __future__ import annotations

import logging
import random
from pathlib import Path

import pytest

from boardrules.core import Outcome
from boardsim.bench.bench import BARE, Bench, BenchSettings
from boardumpire import cli
from boardumpire.commands.table_factory import TableFactory
from boardumpire.errors import JournalError
from boardumpire.journal import mirror
from boardumpire.journal.journal import Store, acceptance_note
from boardumpire.journal.sealing import BoardKey
from boardware.ports import SECOND
from journal.damage import FILES, NAME

Told = dict[int, list[str]]
FIRST_LINE = len(mirror.format_header(0))


def write(path: Path, key: BoardKey, *, shut: bool, games: int = 2) -> tuple[dict[str, bytes], Told]:
    """Games that are over but for the last one; the files, and what was told."""
    store, told = Store.open(path, key), Told()
    for game in range(games):
        number = store.begin_game("stratego-quick-duel", {}, "quick-battle-8x8", game)
        told[number] = []
        for turn in range(5):
            text = f"action {turn} of game {number}"
            store.append_entry(
                number,
                kind="action",
                seat="red",
                text=text,
                secret=turn < 2,
                events=[{"kind": "x"}],
                at_ms=turn,
            )
            told[number].append(text)
        if game < games - 1:
            store.finish_game(number, Outcome("red", "resignation"), 99)
    if shut:
        store.close()
    files = {
        name: path.with_name(name).read_bytes() for name in FILES.values() if path.with_name(name).exists()
    }
    store.close()
    return files, told


def put(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir(exist_ok=True)
    for each in folder.iterdir():
        each.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder / NAME


def is_silent(path: Path, key: BoardKey, told: Told) -> bool:
    """Whether something that was told is gone and the journal says nothing of it."""
    try:
        store = Store.open(path, key)
    except JournalError:
        return False
    try:
        left = {
            game.number: [entry.text for entry in store.entries(game.number) if entry.kind == "action"]
            for game in store.games()
        }
        return left != told and not store.unaccepted_losses()
    finally:
        store.close()


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "boardumpire")  # and back, at the end of each test


@pytest.mark.slow
@pytest.mark.parametrize("shut", [True, False])
def test_every_pair_of_lengths(shut: bool, path: Path, key: BoardKey, tmp_path: Path) -> None:
    files, told = write(path, key, shut=shut)
    database, copy = files[NAME], files[FILES["copy"]]
    ends = [place + 1 for place, byte in enumerate(copy) if byte == 10]
    assert ends[0] == FIRST_LINE
    cuts = {0, 1, 20, *ends[2:-2:3], *(end + off for end in ends[:2] for off in (-1, 0, 1, 40))}
    logs: list[bytes | None] = [files[FILES["log"]], b""] if FILES["log"] in files else [None]
    silent, opened = [], 0
    for size in (0, 100, 4096, 20_000, len(database)):
        for cut in sorted(cuts):
            for log in logs:
                cut_short = {NAME: database[:size], FILES["copy"]: copy[:cut]}
                if log is not None:
                    cut_short[FILES["log"]] = log
                opened += 1
                if is_silent(put(tmp_path / "cut", cut_short), key, told):
                    silent.append((size, cut, log is not None and len(log)))
    assert not silent
    assert opened > 50


@pytest.mark.slow
@pytest.mark.parametrize("shut", [True, False])
def test_random_damage_to_all_files(shut: bool, path: Path, key: BoardKey, tmp_path: Path) -> None:
    files, told = write(path, key, shut=shut)
    for seed in range(40):
        chance = random.Random(seed)
        damaged = {}
        for name, content in files.items():
            data = bytearray(content)
            for _ in range(chance.choice((0, 1, 1, 3, 30))):
                at = chance.randrange(max(1, len(data)))
                match chance.choice(("cut", "zero", "flip", "noise")):
                    case "cut":
                        del data[at:]
                    case "zero":
                        data[at : at + 4096] = bytes(len(data[at : at + 4096]))
                    case "flip" if data:
                        data[at % len(data)] ^= 1 << chance.randrange(8)
                    case "noise":
                        data[at : at + 50] = chance.randbytes(len(data[at : at + 50]))
            damaged[name] = bytes(data)
        assert not is_silent(put(tmp_path / "damaged", damaged), key, told), seed


@pytest.mark.parametrize("cut", [0, 1, FIRST_LINE - 1, FIRST_LINE, FIRST_LINE + 30])
def test_where_nothing_is_left_everything_may_be_lost(
    cut: int,
    path: Path,
    key: BoardKey,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    files, _told = write(path, key, shut=True)
    copy = files[FILES["copy"]]
    put(path.parent, {NAME: files[NAME][:100], FILES["copy"]: copy[:cut]})
    assert cli.main(["journal", "check", "--journal", str(path)]) == 1
    assert "everything may be lost" in capsys.readouterr().out
    with caplog.at_level(logging.WARNING, "boardumpire"):
        store = Store.open(path, key)
    assert "everything may be lost" in caplog.text
    (loss,) = store.unaccepted_losses()
    assert (loss.game_number, loss.is_certain) == (0, False)
    store.close()
    assert path.with_name(f"{NAME}-damaged-1").read_bytes() == files[NAME][:100], "nothing is thrown away"
    assert cli.main(["journal", "check", "--journal", str(path)]) == 0
    assert "everything may be lost: not agreed to yet" in capsys.readouterr().out
    again = Store.open(path, key)
    assert again.unaccepted_losses() == [loss], "it is asked until all have agreed"
    number = again.begin_game("stratego-quick-duel", {}, "quick-battle-8x8", 0)
    again.append_entry(
        number, kind="note", seat="", text=acceptance_note(loss), secret=False, events=(), at_ms=0
    )
    assert again.unaccepted_losses() == []
    again.close()


def test_the_table_waits_for_consent(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    journal = tmp_path / "state" / NAME
    bench = Bench(BenchSettings(driver=BARE, journal=journal), TableFactory())
    bench.start()
    bench.close()
    copy = journal.with_name(FILES["copy"])
    journal.write_bytes(b"")
    journal.with_name(FILES["log"]).unlink(missing_ok=True)
    copy.write_bytes(copy.read_bytes()[:FIRST_LINE])
    bench = Bench(BenchSettings(driver=BARE, journal=journal), TableFactory())
    table = bench.start()
    assert table.guidance.question.code == "lost-all"
    with pytest.raises(ValueError, match="First everyone has to agree"):
        bench.say("red", "resign")
    bench.wait(2 * SECOND)
    bench.run_until(bench.hands.press("confirm", bench.now))
    bench.wait(SECOND)
    assert table.guidance.question is None
    bench.close()


def test_a_whole_journal_is_never_taken_for_a_damaged_one(path: Path, key: BoardKey) -> None:
    for shut in (True, False):
        files, told = write(path.with_name(f"{shut}") / NAME, key, shut=shut)
        for _ in range(3):
            put(path.parent / "again", files)
            store = Store.open(path.parent / "again" / NAME, key)
            assert not store.take_repair_notice()
            assert store.unaccepted_losses() == []
            assert len(store.games()) == len(told)
            store.close()
