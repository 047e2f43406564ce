"""The power of a whole machine goes in mid-game: what was told is on the disk, whatever kind of disk it is.

A frozen machine goes on, people play, and qemu is killed at a random moment. Then two disks are looked at:
the one that the machine left, and a forgetful one whose power went at an earlier moment of play between
two writes, and which has lost some of what was not flushed by then. Some are booted.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from boardrules.core import State
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import load_key
from daemon.service import Killed
from userland.board import FarBoard
from userland.disk import Remains, as_left, entries, forgetful, moments
from userland.home import go_on_with
from userland.machine import Machine
from userland.play import Guests

CUTS = 5
"""How many a part of the proof makes; of every other part the last one's disk is booted."""
LONGEST_US = 20_000_000
"""How long people play on before the power goes."""
PROGRAM = Path(sys.executable).with_name("boardumpire")


class Mark(NamedTuple):
    """What was so when a ruling was heard."""

    written: int
    """Entries in the log of the disk. All that the ruling hangs on is among them."""
    state: State


class Witnesses(Guests):
    """Guests who know how much was on the disk when they were told what they were told."""

    def __init__(self, board: FarBoard, seed: int) -> None:
        super().__init__(board, seed)
        self._log = board.machine.writes
        self._marks: dict[int, Mark] = {}
        """By how many actions had been told."""

    def take_over(self, frozen: Path) -> None:
        super().take_over(frozen)
        self._marks[len(self.told)] = Mark(0, self.state)

    def listen(self) -> None:
        super().listen()
        if len(self.told) not in self._marks:
            self._marks[len(self.told)] = Mark(self.written(), self.state)

    def written(self) -> int:
        """How many entries the log of the disk has."""
        return sum(1 for _ in entries(self._log))

    def told_by(self, moment: int) -> int:
        """How many actions had been told when the log had so many entries."""
        return max(told for told, mark in self._marks.items() if mark.written <= moment)

    def go_back_to(self, told: int) -> None:
        """Know no more than when so many actions had been told; the next one was under way."""
        if told < len(self.told):
            self.state = self._marks[told].state
            self.attempt = self.state.parse(self.told[told], self.state.seats_to_act()[0])
            self.told = self.told[:told]


@pytest.fixture(scope="module")
def before(in_mid_game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The disk of the frozen machine, as it was when it was frozen."""
    return as_left(in_mid_game / "disk.qcow2", tmp_path_factory.mktemp("before") / "disk.raw")


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(10))
def test_fifty_power_cuts_in_mid_game(
    seed: int,
    in_mid_game: Path,
    before: Path,
    boards: Callable[..., FarBoard],
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """Ten times five cuts of a frozen machine that went on: nothing that hall or phones were told is lost, on
    the disk as it was left, or on one that lost what was not flushed at a moment before."""
    dice, seen = random.Random(f"cuts {seed}"), Counter[str]()
    for number in range(CUTS):
        board = boards(in_mid_game, logged=True)
        guests = Witnesses(board, seed=seed * CUTS + number)
        go_on_with(guests)
        began = guests.written()
        played_until_cut(guests, soon=number % 2 == 1)
        heard = guests.after_a_cut()
        seen["cuts"] += 1
        seen["rulings told before them"] += max(heard.values())
        seen["cut while an action was under way"] += guests.attempt is not None
        folder = tmp_path / f"cut-{number}"
        folder.mkdir()
        left, forgot = as_left(board.machine.disk, folder / "left.raw"), folder / "forgot.raw"
        ever = moments(board.machine.writes)
        moment = dice.choice([each for each in ever if each > began] or ever)
        lost = forgetful(before, board.machine.writes, moment, forgot, dice)
        by_then = guests.told_by(moment)
        seen["rulings told before the forgetful disks' moments"] += by_then - guests.told_by(0)
        seen["writes that were flushed by then"] += lost.flushed
        seen["writes after the last flush"] += lost.later
        seen["of these lost by the forgetful disks"] += lost.lost
        assert lost.lost
        booted = folder / "disk.raw"
        if number == CUTS - 1 and seed % 2:
            shutil.copy((left, forgot)[seed // 2 % 2], booted)
        seen["actions under way that were kept"] += keeps(left, guests, len(guests.told))
        seen["actions under way that were kept"] += keeps(forgot, guests, by_then)
        seen["disks looked at"] += 2
        if booted.exists():
            if seed // 2 % 2:
                guests.go_back_to(by_then)
            boots(guests, booted)
            seen["disks booted, and played on"] += 1
        board.close()
        for path in (*folder.glob("*.raw"), board.machine.disk, board.machine.writes):
            path.unlink(missing_ok=True)
    for what, count in seen.items():
        record_property(what, count)


def played_until_cut(guests: Guests, *, soon: bool) -> None:
    """Play until the power goes: `soon` after an action, or whenever."""
    guests.mend()
    guests.compare()
    if not soon:
        guests.service.kill_at = guests.service.now + guests.random.randrange(LONGEST_US)
    try:
        quiet = guests.random.randrange(3) if soon else 0
        for turn in range(1000):
            guests.soon = soon and turn >= quiet
            guests.moves(1)
    except Killed:
        return
    raise AssertionError("the power never went")


def keeps(disk: Path, guests: Guests, told: int) -> bool:
    """The journal on a disk has the first `told` actions, which were told; whether it has the next one, which
    was under way, too. The disk is changed."""
    remains = Remains(disk, disk.with_suffix(""))
    checked = remains.copied(disk.with_suffix(".checked"))
    command = [PROGRAM, "journal", "check", "--journal", checked]
    said = subprocess.run(command, capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr
    store = Store.open(remains.journal, load_key(remains.folder / "key" / "board.key"))
    assert not store.take_repair_notice()
    assert store.unaccepted_losses() == []
    header = store.unfinished_game()
    assert header is not None
    written = [entry.text for entry in store.entries(header.number) if entry.kind == "action"]
    store.close()
    known = [*guests.told] if guests.attempt is None else [*guests.told, str(guests.attempt)]
    assert written in (known[:told], known[: told + 1]), (written, known, told)
    return len(written) > told


def boots(guests: Guests, disk: Path) -> None:
    """A machine with that disk boots, and the same game goes on at the same board."""
    board = guests.service
    image = disk.parent
    for name in ("vmlinuz", "initrd.img"):
        (image / name).symlink_to((board.machine.image / name).resolve())
    folder = image / "again"
    folder.mkdir()
    board.machine = Machine(folder, image)
    board.machine.meanwhile = board.advance
    board.machine.on()
    board.put_in()
    board.start()
    guests.compare()
    guests.mend()
    guests.pick_up()
    guests.moves(2)
    guests.compare()
    guests.lay_down()
