"""`boardumpire verify RECORD`: whether a finished game went by the rules, and nothing hidden was changed.

A record (see `boardrules.record`) is played again by the rules. What was hidden stands in it in clear, and
after its actions the comments that `record export` wrote, one for every sealed action: the digest that was
told when it was made, and the salt. Salt and text must give that digest. Whoever noted the digests during the
game can compare them with what is listed here.

Exit code 0: all holds; 1: a hidden text was changed; 2: no record of a finished game that goes by the rules;
3: it goes by the rules, but the commitments of its hidden actions are missing, so nothing proves them.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from boardrules import record
from boardrules.core import Event
from boardrules.record import Record, RecordError
from boardumpire.errors import BoardumpireError
from boardumpire.journal.sealing import commitment
from boardumpire.messages import announce

CHANGED = 1
"""The exit code where a text is not the one that was committed to."""
UNPROVED = 3
"""The exit code where the record has hidden actions, and nothing that they were committed to."""

_PROOF = re.compile(
    r"# entry (?P<seq>\d+) of (?P<seat>\S+): sha256 (?P<digest>[0-9a-f]{64}) "
    r"of salt (?P<salt>(?:[0-9a-f]{2})+) and the text"
)
_SEALED = re.compile(r"# entry \d+ of \S+: sha256 [0-9a-f]{64}, sealed until the end")


class Proof(NamedTuple):
    """What a record says of one sealed action."""

    line: int
    seq: str
    """The number of its entry in the journal."""
    seat: str
    digest: str
    salt: bytes


def add_verify(subparsers: Any, table_factory: object) -> None:
    """`boardumpire verify RECORD`."""
    parser = subparsers.add_parser(
        "verify", help="check a finished game: the rules, and what was committed to", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("file", metavar="RECORD", type=Path, help="a record; - is standard input")
    parser.set_defaults(run=_run)


def _run(given: argparse.Namespace) -> int:
    place = "standard input" if str(given.file) == "-" else str(given.file)
    try:
        text = sys.stdin.read() if str(given.file) == "-" else given.file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BoardumpireError(f"{place}: {getattr(error, 'strerror', None) or error}") from None
    try:
        lines, right = verify(text)
    except RecordError as error:
        raise BoardumpireError(f"{place}: {error}") from None
    for line in lines:
        print(line)
    return UNPROVED if right is None else 0 if right else CHANGED


def verify(text: str) -> tuple[list[str], bool | None]:
    """What there is to say of a record, and whether every commitment holds; `None` where all are missing.

    Raises `RecordError` for one that can't be played, is not over, or has other commitments than actions.
    """
    game = record.parse(text)
    proofs = list(_proofs(text))
    secrets, events = _played(game)
    assert game.result is not None
    lines = [
        f"{game.game}: {len(game.actions)} actions, all by the rules; "
        f"{game.result.winner or 'nobody'} won ({game.result.reason})"
    ]
    lines += [announce.text(announce.happened(event, game.game)) for event in events if event.kind == "audit"]
    if not proofs and not secrets:
        return [*lines, "nothing was hidden in this game: the rules are all there is to check"], True
    if not proofs:
        missing = f"no commitments for {len(secrets)} hidden actions; expected one for each"
        return [*lines, f"NOT PROVED: {missing}. Only the rules were checked"], None
    if [proof.seat for proof in proofs] != [seat for seat, _ in secrets]:
        raise RecordError(
            proofs[0].line,
            f"{len(proofs)} commitments for {len(secrets)} hidden actions; expected one for each",
        )
    right = True
    for proof, (seat, words) in zip(proofs, secrets, strict=True):
        holds = commitment(proof.salt, words) == proof.digest
        right = right and holds
        told = "holds" if holds else "does NOT hold: the text was changed"
        lines.append(f"entry {proof.seq} of {seat}: {proof.digest} {told}")
    return lines, right


def _proofs(text: str) -> Iterator[Proof]:
    for number, line in enumerate(text.split("\n"), 1):
        found = _PROOF.fullmatch(line.strip())
        if found is not None:
            yield Proof(number, found["seq"], found["seat"], found["digest"], bytes.fromhex(found["salt"]))
        elif _SEALED.fullmatch(line.strip()):
            raise RecordError(
                number, "a commitment that is sealed still; expected the record of a finished game"
            )


def _played(game: Record) -> tuple[list[tuple[str, str]], list[Event]]:
    """The hidden actions in order, each with its seat, and all that happened."""
    if game.result is None:
        raise RecordError(
            game.lines.get(str(len(game.actions) - 1), 1), "no result; expected a finished game"
        )
    secrets: list[tuple[str, str]] = []
    events: list[Event] = []
    state = record.begin(game).state
    for step in record.replay(game):
        if state.parse(step.text, step.seat).secret:
            secrets.append((step.seat, step.text))
        events += step.events
        state = step.state
    return secrets, events
