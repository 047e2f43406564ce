"""Repairs a damaged journal from its own records and those of its mirror. Keeps the damaged files.

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
from boardumpire.journal import chain, chain_table, merge, mirror, schema, store_file
from boardumpire.journal.chain import LOSS_RECORD, ChainRecord
from boardumpire.journal.chain_table import ChainRow
from boardumpire.journal.merge import LostActions, MergedJournal
from boardumpire.journal.sealing import sync_directory
from boardumpire.journal.verification import VerificationResult

log = logging.getLogger("boardumpire")


class _MirrorContent(NamedTuple):
    """What can be read of the mirror."""

    records: list[ChainRecord]
    is_last_line_intact: bool
    """Whether its last line is, so that at most one can have followed on it ..."""
    has_torn_line: bool
    """... of which a part is here."""
    header: mirror.MirrorHeader | None = None
    """Its first line."""


class RepairedJournal(NamedTuple):
    """The merged content of a damaged journal and its mirror."""

    merged_journal: MergedJournal
    must_rewrite_database: bool
    """Whether the database must be written anew."""


def repair_journal(path: Path, verdict: VerificationResult) -> None:
    """Repair the journal at `path`, and log what was wrong.

    Raises `JournalError` where nothing can be read of it at all, or the two are not of one journal.
    """
    merged, stale = recover_content(path, verdict)
    links = list(chain.build_chain([*merged.bodies, *(_loss_record(loss) for loss in merged.losses)]))
    mirror_file = mirror.mirror_path(path)
    for name in _preserve_damaged(
        [mirror_file, path, store_file.write_ahead_log_path(path)] if stale else [mirror_file]
    ):
        log.warning("%s: the damaged file is kept as %s", path, name)
    # The order matters: should the power go here, the second copy is whole, and the next start mends the
    # database from it.
    mirror.write(mirror_file, links)
    if stale:
        _replace_database(path, links)
    log.warning("%s was damaged (%s): %s", path, describe_damage(verdict), _describe_outcome(merged))


def recover_content(path: Path, verdict: VerificationResult) -> RepairedJournal:
    """Merge a damaged journal with its mirror, in memory. Changes no file. Raises `JournalError`."""
    told = _read_mirror(path)
    # The second copy is written first. So the database is never ahead of it by more than the line that is
    # being written, and what it says of records further on is damage.
    last = max((link.position for link in told.records), default=0)
    database, places = _read_database(path, last)
    top = max((link.position for link in database), default=0)
    # Nothing can have followed if the second copy ends with a whole line, and the database goes no further
    # than one record on.
    vouched = told.is_last_line_intact and top <= last + 1 and not (told.has_torn_line and top < last)
    # A file that was cut short ends with a whole line, too, or with a torn one: the count tells.
    vouched = vouched and _is_complete(told.header, max(top, last), verdict)
    try:
        merged = merge.merge([*told.records, *database], places, mirror_end_intact=vouched)
    except merge.ForkError as error:
        raise JournalError(
            f"it and {mirror.mirror_path(path).name} are not of one journal ({error}): "
            "bring back the one that belongs to the other, or move one of them away",
            path,
        ) from None
    return RepairedJournal(
        merged, bool(verdict.database_fault or merged.losses) or len(database) < len(merged.bodies)
    )


def _is_complete(begins: mirror.MirrorHeader | None, last: int, verdict: VerificationResult) -> bool:
    """Whether the records found reach the count that the mirror's header has."""
    if begins is None:
        return not verdict.database_fault
    return last > begins.record_count or (
        last == begins.record_count and (begins.was_closed or not verdict.database_fault)
    )


def _read_mirror(path: Path) -> _MirrorContent:
    told = mirror.mirror_path(path)
    if not told.exists():
        return _MirrorContent([], is_last_line_intact=False, has_torn_line=False)
    links: list[ChainRecord] = []
    torn = False
    with mirror.os_errors_as_journal_errors(told), told.open("rb") as file:
        begins = mirror.read_header(file.readline(), told)
        whole = begins is not None
        for line in file:
            link = chain.parse(line)
            torn = not line.endswith(b"\n")
            whole = whole if torn else link is not None
            links += [] if link is None else [link]
    return _MirrorContent(links, whole, torn, begins)


def _read_database(path: Path, most: int) -> tuple[list[ChainRecord], dict[int, ChainRow]]:
    """The intact records of a damaged database, and the rows of its chain table."""
    if not path.exists():
        return [], {}
    try:
        with contextlib.closing(store_file.connect(path, "ro", store_file.LOCK_TIMEOUT_MS)) as connection:
            schema.current_layout(
                connection
            )  # raises what would otherwise look like a database without records
            places = chain_table.read_chain_rows(connection, most)
            return list(chain_table.intact_records(connection, places)), places
    except chain_table.READ_ERRORS as error:
        store_file.raise_unless_damaged(error, path)
        return [], {}


def _loss_record(loss: LostActions) -> str:
    return chain.encode_body(
        LOSS_RECORD, loss.game_number, 0, 0, loss.first_action, loss.last_action, int(loss.is_certain)
    )


def _preserve_damaged(files: Iterable[Path]) -> Iterable[str]:
    """Keep the damaged files under free names; yields those names. Raises `JournalError`."""
    files = [file for file in files if file.exists()]
    number = 1
    while any(_damaged_name(file, number).exists() for file in files):
        number += 1
    for file in files:
        with mirror.os_errors_as_journal_errors(file):
            try:
                os.link(file, _damaged_name(file, number))
            except PermissionError:  # a filesystem that knows no links
                _copy_durably(file, _damaged_name(file, number))
            sync_directory(file.parent)
        yield _damaged_name(file, number).name


def _copy_durably(file: Path, kept: Path) -> None:
    shutil.copy2(file, kept)
    with kept.open("rb") as copy:
        os.fsync(copy.fileno())


def _damaged_name(file: Path, number: int) -> Path:
    return file.with_name(f"{file.name}-damaged-{number}")


def _replace_database(path: Path, links: Iterable[ChainRecord]) -> None:
    """Replace the database at `path`, and its write-ahead log, by one with these records."""
    draft = store_file.write_draft(path, links)
    with mirror.os_errors_as_journal_errors(path):
        for leftover in (store_file.write_ahead_log_path(path), path.with_name(path.name + "-shm")):
            leftover.unlink(missing_ok=True)
        sync_directory(path.parent)  # first: that log must never be taken for the new one's
        os.rename(draft, path)
        sync_directory(path.parent)


def describe_damage(verdict: VerificationResult) -> str:
    """What is damaged, in English, for the log."""
    parts = (("the journal", verdict.database_fault), ("its second copy", verdict.mirror_fault))
    return "; ".join(f"{name}: {what}" for name, what in parts if what)


def _describe_outcome(merged: MergedJournal) -> str:
    if not merged.losses:
        return "mended from its second copy, nothing is lost"
    return "; ".join(map(describe_loss, merged.losses))


def describe_loss(loss: LostActions) -> str:
    """What is lost, in English, for logs and commands."""
    if not loss.game_number:
        return "everything may be lost"
    if not loss.is_certain:
        return (
            f"whatever was done after action {loss.first_action - 1} of game {loss.game_number} may be lost"
        )
    if not loss.first_action:
        return f"the end of game {loss.game_number} is lost"
    if not loss.last_action:
        return f"game {loss.game_number} is lost"
    if loss.first_action == loss.last_action:
        return f"action {loss.first_action} of game {loss.game_number} is lost"
    return f"actions {loss.first_action} to {loss.last_action} of game {loss.game_number} are lost"
