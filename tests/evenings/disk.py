"""What a disk holds once the power has gone: files as they were synchronised, and a part of the rest."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path

from boardumpire.journal import mirror, store_file

Files = Mapping[Path, bytes]


def paths(journal: Path) -> tuple[Path, ...]:
    """Where a journal that is open lies: its database, the log of that, and its second copy."""
    return journal, store_file.write_ahead_log_path(journal), mirror.mirror_path(journal)


def read(journal: Path) -> Files:
    """What is in them."""
    return {path: path.read_bytes() for path in paths(journal) if path.exists()}


def write(journal: Path, files: Files) -> None:
    """Put them there, and nothing else."""
    for path in journal.parent.glob(f"{journal.name}-shm"):
        path.unlink()
    for path in paths(journal):
        path.unlink(missing_ok=True)
    for path, content in files.items():
        path.write_bytes(content)


def torn(journal: Path, before: Files, after: Files, chance: random.Random) -> Files:
    """What is there of a record that was being written: its line first, then what the database logs."""
    line, log = mirror.mirror_path(journal), store_file.write_ahead_log_path(journal)
    kind = chance.choice(("nothing", "line", "log", "all"))
    if kind == "nothing" or before[journal] != after[journal]:
        return before
    if kind == "line":
        return {**before, line: _part(before[line], after[line], chance)}
    if kind == "log" and after.get(log, b"").startswith(before.get(log, b"")):
        return {**after, log: _part(before.get(log, b""), after[log], chance)}
    return after


def _part(before: bytes, after: bytes, chance: random.Random) -> bytes:
    """Some of what was added; behind that, perhaps, what a disk had there before."""
    size = chance.randint(len(before), len(after))
    rest = chance.randbytes(len(after) - size) if chance.random() < 0.3 else b""
    return after[:size] + rest


def cut(
    journal: Path, under_way: Callable[[], object], close: Callable[[], object], tear: random.Random
) -> None:
    """Let the power go: of what is `under_way` a part may be there, and nothing of what `close` writes is."""
    before = read(journal)
    under_way()
    left = torn(journal, before, read(journal), tear)
    close()
    write(journal, left)
