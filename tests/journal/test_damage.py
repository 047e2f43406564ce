"""A journal that a flipped byte or a cut has damaged: nothing that was told is lost without a word."""

from __future__ import annotations

import errno
import os
import random
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from boardsim.bench.bench import BARE, Bench, BenchSettings
from boardumpire import cli
from boardumpire.commands.table_factory import TableFactory
from boardumpire.errors import JournalError
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import BoardKey
from boardware.ports import SECOND
from journal.damage import FILES, NAME, Left, befall, judge, opened, played

IN_TESTS, PROVED = 24, 1000
"""How many journals are damaged."""
PER_GAME = 8


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], list[Left]]:
    """What the power left of the game with that seed, each played once."""
    kept: dict[int, list[Left]] = {}

    def game(seed: int) -> list[Left]:
        if seed not in kept:
            kept[seed] = played(tmp_path_factory.mktemp("game") / "board", seed, PER_GAME)
        return kept[seed]

    return game


Games = Callable[[int], list[Left]]


@pytest.mark.slow
def test_a_damaged_journal_loses_nothing_told(games: Games, tmp_path: Path) -> None:
    assert _damaged(games, tmp_path, range(IN_TESTS), files=1)["actions missing"] == 0


@pytest.mark.slow
def test_a_journal_damaged_in_two_files_names_what_is_lost(games: Games, tmp_path: Path) -> None:
    assert _damaged(games, tmp_path, range(IN_TESTS), files=2)["actions missing"] > 0


@pytest.mark.nightly
def test_a_thousand_damaged_journals_lose_nothing_told(
    games: Games, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """1,000 journals of games by hand, a bit flipped or a cut somewhere in each: all told is there."""
    seen = _damaged(games, tmp_path, range(1000, 1000 + PROVED), files=1)
    assert seen["actions missing"] == 0
    for what, count in sorted(seen.items()):
        record_property(what, count)


@pytest.mark.nightly
def test_a_thousand_journals_damaged_twice_lose_nothing_silently(
    games: Games, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """1,000 journals of games by hand, damaged so in two files each: what of the told is missing is named."""
    for what, count in sorted(_damaged(games, tmp_path, range(3000, 3000 + PROVED), files=2).items()):
        record_property(what, count)


def _damaged(games: Games, tmp_path: Path, seeds: Iterable[int], files: int) -> Counter[str]:
    """Damage journals, open tables over them, and hold what is there against what was told."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        dice = random.Random(seed)
        left = dice.choice(games(seed // PER_GAME))
        journal = left.put(tmp_path / str(seed))
        happened = befall(journal, dice, files)
        damaged = {file.name: file.read_bytes() for file in journal.parent.glob(f"{NAME}*")}
        found = opened(journal)
        try:
            missing = judge(left, found)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {happened}: {error}; named: {found.named}") from None
        _keeps(journal, damaged)
        seen["journals"] += 1
        seen["actions told"] += sum(map(len, left.told.values()))
        seen["actions missing"] += missing
        seen["journals that were mended, or had lost something"] += bool(found.heard)
        seen["journals that asked before they went on"] += bool(found.named)
        for name in happened:
            seen[f"damage to the {name}"] += 1
    return seen


def _keeps(journal: Path, damaged: dict[str, bytes]) -> None:
    """Whatever was replaced is kept beside it, as it was."""
    for kept in journal.parent.glob("*-damaged-*"):
        assert kept.read_bytes() == damaged[kept.name.partition("-damaged-")[0]]


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_gone_loses_nothing_told(games: Games, tmp_path: Path, name: str) -> None:
    left = next(left for left in games(1) if FILES[name] in left.files)
    journal = left.put(tmp_path / "state")
    journal.with_name(FILES[name]).unlink()
    found = opened(journal)
    assert judge(left, found) == 0
    assert found.heard, "and it is said"
    assert bool(found.named) == (name == "copy"), "without it nobody can say whether the end was there"


def test_where_there_are_no_links_the_damaged_files_are_copied(
    games: Games, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    left = games(1)[-1]
    journal = left.put(tmp_path / "state")
    journal.write_bytes(b"damaged")
    monkeypatch.setattr(os, "link", refuse)
    assert judge(left, opened(journal)) == 0
    assert journal.with_name(f"{NAME}-damaged-1").read_bytes() == b"damaged"
    assert journal.with_name(f"{NAME}-told-damaged-1").read_bytes() == left.files[FILES["copy"]]


@pytest.mark.slow
def test_every_byte_of_the_second_copy_may_flip(games: Games, tmp_path: Path) -> None:
    left = games(2)[-1]
    journal = left.put(tmp_path / "state")
    told = left.files[FILES["copy"]]
    for place in range(0, len(told), 151):
        for name, content in left.files.items():
            journal.with_name(name).write_bytes(content)
        journal.with_name(FILES["copy"]).write_bytes(
            told[:place] + bytes([told[place] ^ 4]) + told[place + 1 :]
        )
        assert judge(left, opened(journal)) == 0


def test_what_is_lost_is_asked_about_until_all_seats_agree(games: Games, tmp_path: Path) -> None:
    left = games(3)[-1]
    journal = left.put(tmp_path / "state")
    _cut_both(journal)
    first = opened(journal, agree=False)
    assert first.named == opened(journal, agree=False).named, "the next start asks the same"
    (lost,) = first.named
    assert lost[:2] == ("lost-actions", 2)
    assert opened(journal).named == [lost]
    assert opened(journal).named == [], "once agreed it is not asked again"


def test_nothing_else_can_be_done_before_and_then_the_game_goes_on(games: Games, tmp_path: Path) -> None:
    left = games(3)[-1]
    journal = left.put(tmp_path / "state")
    _cut_both(journal)
    bench = Bench(BenchSettings(driver=BARE, journal=journal), TableFactory())
    table: Any = bench.start()
    for text in ("resign", "offer-draw", "adjourn", "by-hand a1"):
        with pytest.raises(ValueError, match="First everyone has to agree"):
            bench.say("red", text)
    bench.wait(2 * SECOND)
    bench.say("red", "yes")
    assert table.guidance.question.seat == "blue", "who has not answered is asked alone"
    bench.wait(2 * SECOND)
    bench.say("blue", "no")
    assert table.guidance.question is not None
    bench.wait(2 * SECOND)
    bench.run_until(bench.hands.press("confirm", bench.now))
    bench.wait(SECOND)
    assert table.guidance.question is None
    assert table.guidance.corrections, "the board is led back to what is left"
    bench.close()


def _cut_both(journal: Path) -> None:
    """The log is lost, and a line in the middle of what the second copy has of the last game is damaged."""
    log, told = journal.with_name(FILES["log"]), journal.with_name(FILES["copy"])
    log.unlink()
    lines = told.read_bytes().splitlines(keepends=True)
    lines[-3] = lines[-3].replace(b"-", b"_", 1)
    told.write_bytes(b"".join(lines))


def test_two_journals_are_not_made_one(games: Games, tmp_path: Path) -> None:
    journal = games(1)[-1].put(tmp_path / "state")
    journal.with_name(FILES["copy"]).write_bytes(games(2)[-1].files[FILES["copy"]])
    before = {file: file.read_bytes() for file in journal.parent.glob(f"{NAME}*")}
    with pytest.raises(JournalError, match="not of one journal"):
        opened(journal)
    assert {file: content for file in before if (content := file.read_bytes())} == before


def test_no_secret_is_in_the_second_copy_before_the_end(games: Games) -> None:
    left = games(1)[-1]
    told = left.files[FILES["copy"]]
    for number, texts in left.told.items():
        for text in texts[:2]:
            assert text.startswith("setup ")
            assert (text.encode() in told) == (number in left.over)


class TestCheck:
    """`boardumpire journal check` says what a start would find, and changes nothing."""

    def run(self, journal: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
        before = {
            file: file.read_bytes() for file in journal.parent.glob(f"{NAME}*") if "-shm" not in file.name
        }
        code = cli.main(["journal", "check", "--journal", str(journal)])
        assert {file: file.read_bytes() for file in before} == before
        told = capsys.readouterr()
        return code, told.out + told.err

    def test_a_whole_one(self, games: Games, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        journal = games(1)[-1].put(tmp_path / "state")
        code, told = self.run(journal, capsys)
        assert code == 0
        assert "whole, and so is its second copy: 2 games" in told

    def test_a_damaged_one(self, games: Games, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        left = games(1)[-1]
        journal = left.put(tmp_path / "state")
        journal.write_bytes(left.files[NAME][:9000])
        code, told = self.run(journal, capsys)
        assert code == 1
        assert "damaged (the journal: " in told
        assert "nothing is lost" in told

    def test_one_that_has_lost_something(
        self, games: Games, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        left = games(3)[-1]
        journal = left.put(tmp_path / "state")
        _cut_both(journal)
        other = left.put(tmp_path / "other")
        _cut_both(other)
        ((_, number, first, last),) = opened(other, agree=False).named
        code, told = self.run(journal, capsys)
        assert code == 1
        assert f"actions {first} to {last} of game {number} are lost" in told
        opened(journal, agree=False)
        code, told = self.run(journal, capsys)
        assert code == 0
        assert f"actions {first} to {last} of game {number} are lost: not agreed to yet" in told

    def test_one_in_use_and_one_that_is_not_there(
        self, path: Path, key: BoardKey, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert self.run(path, capsys)[0] == 2
        store = Store.open(path, key)
        code, told = self.run(path, capsys)
        assert (code, "in use by a board in service" in told) == (2, True)
        store.close()
