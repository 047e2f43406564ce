"""Mends a damaged journal from what it and its second copy hold together. Nothing readable is destroyed.

The damaged files stay, under names that end with `-damaged-1`, `-damaged-2` ...: they are linked there before
anything is replaced. The second copy is made anew first, whole, then the database; whatever moment the power
goes at, the next start finds everything in the one or the other. What is lost is a record of the chain, and
asked about until all have agreed to go on without it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from boardumpire.errors import JournalError
from boardumpire.journal import chain, merging, schema, store_file, stored, witness
from boardumpire.journal.chain import LOSS, ChainRecord
from boardumpire.journal.examining import VerificationResult
from boardumpire.journal.merging import LostActions, MergedJournal
from boardumpire.journal.sealing import sync_directory
from boardumpire.journal.stored import ChainRow

log = logging.getLogger("boardumpire")


class _MirrorContent(NamedTuple):
    """What is left of the second copy."""

    links: list[ChainRecord]
    whole: bool
    """Whether its last line is, so that at most one can have followed on it ..."""
    torn: bool
    """... of which a part is here."""
    begins: witness.MirrorHeader | None = None
    """Its first line."""


class RepairedJournal(NamedTuple):
    """What a damaged journal and its second copy hold together."""

    merged: MergedJournal
    stale: bool
    """Whether the database is to be made anew."""


def mend(path: Path, verdict: VerificationResult) -> None:
    """Mend the journal at `path`, and say in the log what was wrong.

    Raises `JournalError` where nothing can be read of it at all, or the two are not of one journal.
    """
    merged, stale = together(path, verdict)
    links = list(chain.chained([*merged.bodies, *(_record_of(loss) for loss in merged.losses)]))
    told = witness.path_of(path)
    for name in _keep([told, path, store_file.log_of(path)] if stale else [told]):
        log.warning("%s: the damaged file is kept as %s", path, name)
    # The order matters: should the power go here, the second copy is whole, and the next start mends the
    # database from it.
    witness.write(told, links)
    if stale:
        _replace(path, links)
    log.warning("%s was damaged (%s): %s", path, wrong(verdict), _left(merged))


def together(path: Path, verdict: VerificationResult) -> RepairedJournal:
    """What a damaged journal and its second copy hold together. Changes nothing. Raises `JournalError`."""
    told = _told(path)
    # The second copy is written first. So the database is never ahead of it by more than the line that is
    # being written, and what it says of records further on is damage.
    last = max((link.nth for link in told.links), default=0)
    database, places = _database(path, last)
    top = max((link.nth for link in database), default=0)
    # Nothing can have followed if the second copy ends with a whole line, and the database goes no further
    # than one record on.
    vouched = told.whole and top <= last + 1 and not (told.torn and top < last)
    # A file that was cut short ends with a whole line, too, or with a torn one: the count tells.
    vouched = vouched and _reaches(told.begins, max(top, last), verdict)
    try:
        merged = merging.merge([*told.links, *database], places, vouched=vouched)
    except merging.ForkError as error:
        raise JournalError(
            f"it and {witness.path_of(path).name} are not of one journal ({error}): "
            "bring back the one that belongs to the other, or move one of them away",
            path,
        ) from None
    return RepairedJournal(
        merged, bool(verdict.database or merged.losses) or len(database) < len(merged.bodies)
    )


def _reaches(begins: witness.MirrorHeader | None, last: int, verdict: VerificationResult) -> bool:
    """Whether what was found goes as far as what was written, for all that the second copy's count tells."""
    if begins is None:
        return not verdict.database
    return last > begins.records or (last == begins.records and (begins.shut or not verdict.database))


def _told(path: Path) -> _MirrorContent:
    told = witness.path_of(path)
    if not told.exists():
        return _MirrorContent([], whole=False, torn=False)
    links: list[ChainRecord] = []
    torn = False
    with witness.named(told), told.open("rb") as file:
        begins = witness.read_header(file.readline(), told)
        whole = begins is not None
        for line in file:
            link = chain.parse(line)
            torn = not line.endswith(b"\n")
            whole = whole if torn else link is not None
            links += [] if link is None else [link]
    return _MirrorContent(links, whole, torn, begins)


def _database(path: Path, most: int) -> tuple[list[ChainRecord], dict[int, ChainRow]]:
    """What proves itself of a damaged database, and what it says there was."""
    if not path.exists():
        return [], {}
    try:
        with contextlib.closing(store_file.connect(path, "ro", store_file.PATIENCE_MS)) as connection:
            schema.layout(connection)  # raises what would otherwise look like a database without records
            places = stored.places(connection, most)
            return list(stored.proved(connection, places)), places
    except stored.UNREADABLE as error:
        store_file.raise_unless_damaged(error, path)
        return [], {}


def _record_of(loss: LostActions) -> str:
    return chain.body(LOSS, loss.number, 0, 0, loss.first, loss.last, int(loss.sure))


def _keep(files: Iterable[Path]) -> Iterable[str]:
    """Link what is about to be replaced under a name of its own. Raises `JournalError`."""
    files = [file for file in files if file.exists()]
    number = 1
    while any(_kept_as(file, number).exists() for file in files):
        number += 1
    for file in files:
        with witness.named(file):
            try:
                os.link(file, _kept_as(file, number))
            except PermissionError:  # a filesystem that knows no links
                _copy(file, _kept_as(file, number))
            sync_directory(file.parent)
        yield _kept_as(file, number).name


def _copy(file: Path, kept: Path) -> None:
    shutil.copy2(file, kept)
    with kept.open("rb") as copy:
        os.fsync(copy.fileno())


def _kept_as(file: Path, number: int) -> Path:
    return file.with_name(f"{file.name}-damaged-{number}")


def _replace(path: Path, links: Iterable[ChainRecord]) -> None:
    """Put a database with these records in the place of the one at `path`, and of its log."""
    draft = store_file.draft(path, links)
    with witness.named(path):
        for leftover in (store_file.log_of(path), path.with_name(path.name + "-shm")):
            leftover.unlink(missing_ok=True)
        sync_directory(path.parent)  # first: that log must never be taken for the new one's
        os.rename(draft, path)
        sync_directory(path.parent)


def wrong(verdict: VerificationResult) -> str:
    """What is damaged, in English."""
    parts = (("the journal", verdict.database), ("its second copy", verdict.told))
    return "; ".join(f"{name}: {what}" for name, what in parts if what)


def _left(merged: MergedJournal) -> str:
    if not merged.losses:
        return "mended from its second copy, nothing is lost"
    return "; ".join(map(sentence, merged.losses))


def sentence(loss: LostActions) -> str:
    """What is lost, in English, for logs and commands."""
    if not loss.number:
        return "everything may be lost"
    if not loss.sure:
        return f"whatever was done after action {loss.first - 1} of game {loss.number} may be lost"
    if not loss.first:
        return f"the end of game {loss.number} is lost"
    if not loss.last:
        return f"game {loss.number} is lost"
    if loss.first == loss.last:
        return f"action {loss.first} of game {loss.number} is lost"
    return f"actions {loss.first} to {loss.last} of game {loss.number} are lost"
