"""`boardumpire verify RECORD`: check that a finished game followed the rules, and that nothing was changed.

The record (docs/program/records.md) is played again by the rules. It shows each hidden action in clear, with
its commitment: the salt, and the digest that was announced when the action was made. Salt and text must give
that digest.

A record alone proves nothing against the person who wrote it, who could compute new digests for new moves.
Digests that other people noted during the game do. `--noted DIGEST` takes one of them, or at least its first
16 digits; `--noted @FILE` takes all digests in a text. Each must be in the record and match.

Exit codes: 0, everything matches; 1, a hidden text was changed, or a noted digest is not in the record; 2,
the file is no record of a finished game that follows the rules; 3, the game follows the rules, but
commitments of its hidden actions are missing, so nothing proves them.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boardrules import record
from boardrules.core import Event
from boardrules.record import Record, RecordError
from boardumpire.errors import BoardumpireError
from boardumpire.journal.sealing import commitment
from boardumpire.messages import announce

EXIT_CHANGED = 1
"""The exit code where a text is not the one that was committed to."""
EXIT_UNPROVED = 3
"""The exit code where the record has hidden actions, and nothing that they were committed to."""
DIGEST_MIN_DIGITS = 16
"""Hexadecimal digits of a digest that have to be noted at least: nobody finds a salt for so many by trial."""

_NOTED_DIGEST = re.compile(rf"[0-9a-f]{{{DIGEST_MIN_DIGITS},64}}")
_DIGEST_IN_TEXT = re.compile(rf"\b(?=[a-z]*[0-9])[0-9a-f]{{{DIGEST_MIN_DIGITS},64}}\b")
"""A digest among other words: one that has a digit in it, so that no word is taken for one."""

_NO_PROOF_WARNING = (
    "These digests were worked out from this file: they prove nothing against whoever wrote it. "
    "Compare them with what was noted during the game (--noted)."
)


def add_verify(subparsers: Any, table_factory: object) -> None:
    """`boardumpire verify RECORD`."""
    parser = subparsers.add_parser(
        "verify", example="verify game.record",
        help="check that a finished game followed the rules and its commitments", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("file", metavar="RECORD", type=Path, help="a record, or - for standard input")
    parser.add_argument(
        "--noted", metavar="DIGEST|@FILE", action="append", default=[],
        help="a digest that was noted during the game, or its first 16 digits; or a text with digests",
    )  # fmt: skip
    parser.set_defaults(run=_run)


def _run(given: argparse.Namespace) -> int:
    place = "standard input" if str(given.file) == "-" else str(given.file)
    noted = [digest for word in given.noted for digest in _read_noted(word)]
    try:
        lines, right = verify(_read_text(given.file, place, _RECORD_HINT), noted)
    except RecordError as error:
        raise BoardumpireError(f"{place}: {error}") from None
    for line in lines:
        print(line)
    return EXIT_UNPROVED if right is None else 0 if right else EXIT_CHANGED


_RECORD_HINT = "; try a file that `boardumpire record export` made"


def _read_text(path: Path, place: str, tried: str = "") -> str:
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        return data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise BoardumpireError(f"{place}: {why}{tried}") from None


def _read_noted(word: str) -> list[str]:
    """The digests that a word of the command line names."""
    if word.startswith("@"):
        path = Path(word[1:])
        found = _DIGEST_IN_TEXT.findall(_read_text(path, word[1:], "; try a file with digests").lower())
        if not found:
            raise BoardumpireError(
                f"{path}: no digest in it; write {DIGEST_MIN_DIGITS} to 64 hexadecimal digits a line"
            )
        return found
    if not _NOTED_DIGEST.fullmatch(word.lower()):
        raise BoardumpireError(
            f"--noted {word[:80]!r}: not a digest; try {DIGEST_MIN_DIGITS} to 64 hexadecimal digits, or @FILE"
        )
    return [word.lower()]


def verify(text: str, noted: Sequence[str] = ()) -> tuple[list[str], bool | None]:
    """What there is to say of the games of a text, and whether every commitment holds; `None` where those of
    a game are missing.

    `noted`: digests that somebody noted during the game, or how they begin. Raises `RecordError` for a game
    that can't be played, is not over, or has other commitments than actions.
    """
    lines: list[str] = []
    right: bool | None = True
    games = record.parse_all(text)
    for game in games:
        more, holds = _verify_game(game, noted)
        lines += more
        right = False if False in (right, holds) else None if None in (right, holds) else True
    digests = [made.digest for game in games for made in game.commitments]
    unknown = [each for each in noted if not any(digest.startswith(each) for digest in digests)]
    lines += [f"NOTED, BUT NOT IN THIS RECORD: {each}" for each in unknown]
    if noted:
        proved = sum(any(digest.startswith(each) for each in noted) for digest in digests)
        lines.append(f"{proved} of {len(digests)} digests were noted during the game")
    elif digests:
        lines.append(_NO_PROOF_WARNING)
    return lines, False if unknown else right


def _verify_game(game: Record, noted: Sequence[str]) -> tuple[list[str], bool | None]:
    """The same of one game."""
    proofs = game.commitments
    for nth, proof in enumerate(proofs):
        if proof.salt is None:
            raise RecordError(
                game.line_numbers.get(f"commitment {nth}", game.line_numbers["end"]),
                "a commitment that is sealed still; try the record of a finished game",
            )
    secrets, events = _replay_game(game)
    assert game.result is not None
    lines = [
        f"{game.game}: {len(game.actions)} actions, all by the rules; "
        f"{game.result.winner or 'nobody'} won ({game.result.reason})"
    ]
    lines += [
        announce.to_sentence(announce.event_message(event, game.game))
        for event in events
        if event.kind == "audit"
    ]
    if not proofs and not secrets:
        return [*lines, "nothing was hidden in this game: the rules are all there is to check"], True
    if not proofs:
        missing = f"no commitments for {len(secrets)} hidden actions; try one for each"
        return [*lines, f"NOT PROVED: {missing}. Only the rules were checked"], None
    if [proof.seat for proof in proofs] != [seat for seat, _ in secrets]:
        raise RecordError(
            game.line_numbers.get("commitment 0", game.line_numbers["end"]),
            f"{len(proofs)} commitments for {len(secrets)} hidden actions; try one for each",
        )
    right = True
    for proof, (seat, words) in zip(proofs, secrets, strict=True):
        holds = commitment(bytes.fromhex(proof.salt or ""), words) == proof.digest
        right = right and holds
        told = "holds" if holds else "does NOT hold: the text was changed"
        known = ", and was noted" if any(proof.digest.startswith(each) for each in noted) else ""
        lines.append(f"entry {proof.entry} of {seat}: {proof.digest} {told}{known}")
    return lines, right


def _replay_game(game: Record) -> tuple[list[tuple[str, str]], list[Event]]:
    """The hidden actions in order, each with its seat, and all that happened."""
    if game.result is None:
        last = game.line_numbers["end"]
        raise RecordError(last, "no line 'result SEAT REASON'; try the record of a finished game")
    secrets: list[tuple[str, str]] = []
    events: list[Event] = []
    state = record.begin_history(game).state
    for step in record.replay(game):
        if state.parse(step.text, step.seat).secret:
            secrets.append((step.seat, step.text))
        events += step.events
        state = step.state
    return secrets, events
