"""`boardumpire tags`: which tag is in which piece."""

from __future__ import annotations

import argparse
import os
import select
import stat
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from boardrules.core import Seat
from boardumpire.errors import TagError
from boardumpire.service import config as configuration
from boardumpire.service.config import Config
from boardumpire.tags import tag_roster
from boardumpire.tags.tag_roster import NamedPiece, TagRoster
from boardware.ports import Micros, WakingDriver

SELECT_TIMEOUT_MAX_S = 1.0


class _TagListFile:
    """The list of the configured board, and what may stand in it."""

    def __init__(self, given: argparse.Namespace) -> None:
        from boardumpire.commands.check_config import load_checked_board

        self.config: Config = configuration.load(given.config, os.environ)
        self.board = load_checked_board(self.config)
        self.path = self.config.pieces.tags
        self.armies = tag_roster.hand_set_armies(self.board.games)
        self.roster = tag_roster.load(self.path, self.armies)


def pieces_to_enrol(
    armies: Mapping[str, Counter[NamedPiece]], roster: TagRoster, words: Sequence[str]
) -> list[NamedPiece]:
    """The pieces to ask for: all that are missing, or those named. Raises `TagError`."""
    most: Counter[NamedPiece] = Counter()
    for army in armies.values():
        most |= army
    missing = most - roster.counts()
    if not words:
        return sorted(missing.elements())
    if len(words) != 2:
        raise TagError(f"{len(words)} words; try a seat and a rank, such as red 10")
    piece = (Seat(words[0]), words[1])
    if piece not in most:
        raise TagError(
            f"{tag_roster.safe_piece_name(piece)}: no such piece in "
            f"{', '.join(armies) or 'the games of this board'}"
        )
    if not missing[piece]:
        raise TagError(f"{' '.join(piece)}: all {most[piece]} are known already, --again forgets them")
    return [piece] * missing[piece]


def enrol(given: argparse.Namespace) -> None:
    """Ask for pieces one after the other until all are known."""
    from boardumpire.service.drivers import open_ports
    from boardumpire.tags.enrolment import TagEnrolment

    kept = _TagListFile(given)
    if not kept.config.drivers.tags:
        raise TagError("no driver reads tags: [drivers] tags in the configuration names one")
    roster = kept.roster
    if given.again:
        roster = (
            roster.without_piece((given.piece[0], given.piece[1])) if len(given.piece) == 2 else TagRoster()
        )
    pieces = pieces_to_enrol(kept.armies, roster, given.piece)
    if not pieces:
        print("every piece is known")
        return
    ports = open_ports(kept.board, kept.config)
    try:
        one = TagEnrolment(
            ports,
            kept.board,
            roster,
            pieces,
            kept.armies,
            lambda new: tag_roster.save(kept.path, new),
            _print_line,
        )
        _run_enrolment(one)
    finally:
        ports.close()
    print(f"{len(one.roster)} pieces are known")


def _print_line(line: str) -> None:
    print(line, flush=True)


def _run_enrolment(one: Any) -> None:
    """Turn it in real time until it is done."""
    from boardumpire.service.clock import monotonic

    while not one.is_done:
        due: Micros | None = one.step(monotonic())
        left = SELECT_TIMEOUT_MAX_S if due is None else (due - monotonic()) / 1_000_000
        port = one.ports.tags
        watched = port.filenos() if isinstance(port, WakingDriver) else ()
        select.select(watched, [], [], min(SELECT_TIMEOUT_MAX_S, max(0.0, left)))


def listing(given: argparse.Namespace) -> None:
    """How many pieces of each kind are known."""
    kept = _TagListFile(given)
    counts = kept.roster.counts()
    most: Counter[NamedPiece] = Counter()
    for army in kept.armies.values():
        most |= army
    for piece in sorted(most):
        print(f"{' '.join(piece):<10} {counts[piece]} of {most[piece]}")


def export(given: argparse.Namespace) -> None:
    """Write the list; never over something that is there."""
    roster = _TagListFile(given).roster
    if given.file is None:
        sys.stdout.write(roster.to_text())
        return
    try:
        there, folder = given.file.exists(), given.file.parent.is_dir()
    except OSError as error:
        raise TagError(f"{given.file}: can't be written: {error.strerror}") from None
    if there:
        raise TagError(f"{given.file}: it exists already; try another name")
    if not folder:
        raise TagError(f"{given.file}: no folder {given.file.parent}; try one that exists")
    tag_roster.save(given.file, roster)


def import_list(given: argparse.Namespace) -> None:
    """Add the pieces of a list."""
    kept = _TagListFile(given)
    try:
        with open(given.file, "rb") as file:
            status = os.fstat(file.fileno())
            data = file.read(tag_roster.FILE_MAX_BYTES + 1)
    except OSError as error:
        raise TagError(
            f"{given.file}: can't be read: {error.strerror}; try a file that `boardumpire tags export` made"
        ) from None
    where = str(given.file)
    before = TagRoster() if given.replace else kept.roster
    roster = tag_roster.parse(tag_roster.decode_list(data, where), kept.armies, where, before)
    tag_roster.save(kept.path, roster)
    print(f"{len(roster)} pieces are known")
    if stat.S_ISREG(status.st_mode) and status.st_mode & 0o077:
        mode = stat.S_IMODE(status.st_mode)
        print(f"{where}: found mode {mode:04o}: others may read every rank there", file=sys.stderr)
