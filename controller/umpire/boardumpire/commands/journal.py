"""`boardumpire journal check`: whether the journal is whole, and what is lost of it. Changes nothing.

Exit code 0: whole; 1: damaged. A board in service looks through its journal by itself whenever it starts.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from boardumpire.commands.command_parser import parse_file_path

EXIT_DAMAGED = 1
"""The exit code where something is damaged."""


def add_journal(commands: Any) -> None:
    """Add the command's parser."""
    verbs = commands.add_parser("journal", help="check the journal").add_subparsers(
        metavar="VERB", required=True
    )
    check = verbs.add_parser(
        "check",
        example="journal check",
        help="check whether the journal is whole, and what is lost; changes nothing",
    )
    check.add_argument(
        "--journal", metavar="FILE", type=parse_file_path, help="the journal [the configured one]"
    )
    check.add_argument(
        "--config",
        metavar="FILE",
        type=parse_file_path,
        help="the configuration [/etc/boardumpire/boardumpire.toml]",
    )
    check.set_defaults(run=_run_check)


def _run_check(given: argparse.Namespace) -> int:
    from boardumpire.service import config

    path = given.journal or config.load(given.config, os.environ).journal.path
    lines, whole = check_journal(path)
    for line in lines:
        print(line)
    return 0 if whole else EXIT_DAMAGED


def check_journal(path: Path) -> tuple[list[str], bool]:
    """What there is to say of a journal, and whether it is whole. Raises `JournalError`."""
    from boardumpire.errors import JournalError
    from boardumpire.journal import mirror, repair, store_file, verification
    from boardumpire.journal.journal import Store
    from boardumpire.journal.verification import VerificationResult

    if path.exists():
        store_file.check_is_file(path)
    told = mirror.mirror_path(path)
    if not path.exists() and not told.exists():
        raise JournalError("no such journal", path)
    if store_file.is_in_use(path):
        raise JournalError("in use by a board in service, which looked through it as it started", path)
    if path.exists() and not told.exists():
        store_file.check_is_journal(path)
    verdict = (
        verification.verify_copies(path) if path.exists() else VerificationResult(database_fault="missing")
    )
    if not verdict.is_intact:
        lost = repair.recover_content(path, verdict).merged_journal.losses
        lines = [f"{path}: damaged ({repair.describe_damage(verdict)}); the next start of the board mends it"]
        return [*lines, *(map(repair.describe_loss, lost) if lost else ["nothing is lost"])], False
    store = Store.open_read_only(path)
    waiting = [f"{repair.describe_loss(loss)}: not agreed to yet" for loss in store.unaccepted_losses()]
    games = len(store.games())
    store.close()
    records = 0 if verdict.head is None else verdict.head.position
    return [f"{path}: whole, and so is its second copy: {games} games, {records} records", *waiting], True
