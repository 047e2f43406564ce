"""A disk that forgets what was not flushed, by a log as qemu writes it."""

from __future__ import annotations

import random
import struct
from pathlib import Path

from userland.disk import DISCARD, FLUSH, MAGIC, SECTOR, forgetful, moments, new_log

WRITTEN = (0, 1, None, 2, 3, 1, None, None, 4)
"""Where a sector was written, one entry after the other; `None` is a flush. Each write has its own data."""
ERASED = bytes(SECTOR * 5)


def test_the_power_goes_behind_a_write(tmp_path: Path) -> None:
    assert moments(logged(tmp_path)) == [1, 2, 4, 5, 6, 9]


def test_what_was_flushed_is_kept_and_of_the_rest_some_are_lost(tmp_path: Path) -> None:
    log, before, into = logged(tmp_path), tmp_path / "before", tmp_path / "into"
    before.write_bytes(ERASED)
    seen = set()
    for seed in range(50):
        found = forgetful(before, log, 6, into, random.Random(seed))
        assert (found.flushed, found.later) == (2, 3)
        sectors = [into.read_bytes()[at : at + SECTOR] for at in range(0, len(ERASED), SECTOR)]
        assert sectors[0] == data(0)
        assert sectors[1] in (data(1), data(5)), "flushed as entry 1, written over behind it"
        assert sectors[4] == bytes(SECTOR), "written later than the power went"
        lost = (sectors[1] != data(5)) + (sectors[2] != data(3)) + (sectors[3] != data(4))
        assert found.lost == lost > 0
        seen.add(tuple(sectors))
    assert len(seen) == 2**3 - 1, "each way to lose something"


def test_what_is_discarded_is_no_write(tmp_path: Path) -> None:
    log = logged(tmp_path)
    with log.open("r+b") as file:
        file.seek(SECTOR)
        file.write(struct.pack("<QQQQ", 0, 1, DISCARD, 0))
        file.write(bytes(SECTOR - 32))
        file.write(struct.pack("<QQQQ", 0, 0, 0, 0))
    assert moments(log) == []


def data(number: int) -> bytes:
    """What entry `number` of the log writes."""
    return bytes([number + 1]) * SECTOR


def logged(folder: Path) -> Path:
    """A log of `WRITTEN`, in a file of a size that nothing fills."""
    log = new_log(folder / "log")
    with log.open("r+b") as file:
        file.write(struct.pack("<QQQI", MAGIC, 1, len(WRITTEN), SECTOR).ljust(SECTOR, b"\0"))
        for number, place in enumerate(WRITTEN):
            head = (0, 0, FLUSH, 0) if place is None else (place, 1, 0, 0)
            file.write(struct.pack("<QQQQ", *head).ljust(SECTOR, b"\0"))
            file.write(b"" if place is None else data(number))
    return log
