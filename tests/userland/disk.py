"""What a power cut leaves on a disk: all that it was given, or less where it forgets what was not flushed.

qemu logs each write and flush of a machine in the format of Linux' dm-log-writes. A disk promises to keep
what was written before a flush that it has acknowledged. Of what was written after the last one it may
have kept anything, in any order: here each such write is kept or lost by the toss of a coin.
"""

from __future__ import annotations

import itertools
import os
import random
import shutil
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SECTOR = 512
MAGIC = 0x6A736677736872
FLUSH, DISCARD = 1, 4
LOG_SIZE = 8 << 30
"""More than any of these machines writes; the file is sparse."""


class Write(NamedTuple):
    """One entry of the log. Places and lengths are in sectors."""

    place: int
    length: int
    flags: int
    at: int
    """Where in the log its data begins, in bytes."""


class Forgotten(NamedTuple):
    """What a disk lost that forgets what was not flushed."""

    flushed: int
    """Writes before the last flush, all of them kept."""
    later: int
    """Writes after it, at least one."""
    lost: int
    """Those of them that are lost, at least one."""


def new_log(path: Path) -> Path:
    """An empty log for qemu to write."""
    with path.open("wb") as file:
        file.truncate(LOG_SIZE)
    return path


def entries(log: Path) -> Iterator[Write]:
    """What is in a log, up to what qemu was writing when it was killed."""
    with log.open("rb") as file:
        magic, version, _, sector = struct.unpack("<QQQI", file.read(28))
        assert (magic, version, sector) == (MAGIC, 1, SECTOR), "this is no log of writes"
        at = SECTOR
        while True:
            file.seek(at)
            place, length, flags, _ = struct.unpack("<QQQQ", file.read(32))
            if not length and not flags:
                return
            at += SECTOR
            yield Write(place, length, flags, at)
            if not flags & DISCARD:
                at += length * SECTOR


def as_left(disk: Path, into: Path) -> Path:
    """The disk as the killed machine left it."""
    subprocess.run(["qemu-img", "convert", "-q", "-O", "raw", disk, into], check=True)
    return into


def moments(log: Path) -> list[int]:
    """When the power may go so that a disk can forget something: after how many entries, the last a write."""
    return [number for number, each in enumerate(entries(log), 1) if _is_write(each)]


def forgetful(before: Path, log: Path, moment: int, into: Path, dice: random.Random) -> Forgotten:
    """A disk whose power goes after so many entries of the log, one of `moments`: what it keeps, in `into`.

    `before`: the disk when the log began, a raw one.
    """
    subprocess.run(["cp", "--sparse=always", "--reflink=auto", before, into], check=True)
    found = list(itertools.islice(entries(log), moment))
    last = max((number for number, each in enumerate(found) if each.flags & FLUSH), default=-1)
    writes = [number for number, each in enumerate(found) if _is_write(each)]
    later = [number for number in writes if number > last]
    lost = dice.sample(later, dice.randint(1, len(later)))
    with log.open("rb") as data, into.open("r+b") as disk:
        for number in writes:
            if number not in lost:
                data.seek(found[number].at)
                disk.seek(found[number].place * SECTOR)
                disk.write(data.read(found[number].length * SECTOR))
    return Forgotten(len(writes) - len(later), len(later), len(lost))


def _is_write(entry: Write) -> bool:
    return bool(entry.length) and not entry.flags & DISCARD


class Remains:
    """The board's folder on a disk after a power cut, taken out of it as the next boot would find it."""

    def __init__(self, disk: Path, into: Path) -> None:
        """`disk`, a raw one with ext4 and no partitions, is changed: its own journal is replayed.

        All of the file system is checked, as a boot does it (`e2fsck -p`). Raises `AssertionError` where that
        is not enough.
        """
        checked = _run("e2fsck", "-f", "-p", disk)
        assert checked.returncode in (0, 1), checked.stdout + checked.stderr
        into.mkdir()
        _run("debugfs", "-R", f"rdump /var/lib/boardumpire {into}", disk)
        self.folder = into / "boardumpire"
        for path in (self.folder, *self.folder.rglob("*")):
            os.chown(path, os.geteuid(), os.getegid())

    @property
    def journal(self) -> Path:
        return self.folder / "journal.sqlite"

    def copied(self, into: Path) -> Path:
        """Its journal in a copy of the folder."""
        shutil.copytree(self.folder, into)
        return into / "journal.sqlite"


def _run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True)
