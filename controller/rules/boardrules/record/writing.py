"""Writing records."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from boardrules.core import Seat, State
from boardrules.record.form import COMMITMENT, FORMAT, RESULT, TEXTS, VERSION, is_plain
from boardrules.record_types import HEADER, Record, stated_result_text


def record_of(state: State, actions: tuple[tuple[Seat, str], ...], **header: Any) -> Record:
    """The record of a game that led to `state`; `header`: `seed`, `board`, `date`, `players` ..."""
    options = {
        name: list(value) if isinstance(value, tuple) else value for name, value in state.options.items()
    }
    return Record(state.game_id, options, actions, result=state.outcome, **header)


def write(record: Record) -> str:
    """The text of a record; `parse` reads back an equal one."""
    return "".join(f"{line}\n" for line in _lines(record))


def write_all(records: Sequence[Record]) -> str:
    """The text of several records; `parse_all` reads them back."""
    return "".join(map(write, records))


def _lines(record: Record) -> Iterator[str]:
    yield f"{FORMAT} {VERSION}"
    yield from _comments(record, HEADER)
    yield f"game {record.game}"
    for name, value in record.options.items():
        yield f"option {name} {json.dumps(value)}"
    yield from _header(record)
    yield "actions"
    for count, (seat, text) in enumerate(record.actions):
        yield from _comments(record, count)
        yield f"{seat} {text}"
    yield from _comments(record, len(record.actions))
    if record.result is not None:
        yield f"{RESULT} {' '.join(stated_result_text(record.result))}"
    for made in record.commitments:
        proof = "sealed" if made.salt is None else f"salt {made.salt}"
        yield f"{COMMITMENT} {made.entry} {made.seat} sha256 {made.digest} {proof}"


def _header(record: Record) -> Iterator[str]:
    for seat, name in record.players.items():
        yield f"player {seat} {_line(name)}"
    if record.seed is not None:
        yield f"seed {record.seed}"
    for key in TEXTS:
        if getattr(record, key) is not None:
            yield f"{key} {_line(getattr(record, key))}"
    if record.stated is not None:
        reason = record.stated.reason
        yield f"stated {record.stated.winner}{f' {_line(reason)}' if reason else ''}"
    for name, value in record.tags.items():
        yield f"tag {name} {json.dumps(value)}"


def _line(text: str) -> str:
    return text if is_plain(text) else json.dumps(text)


def _comments(record: Record, after: int) -> Iterator[str]:
    for comment in record.comments:
        if comment.after == after:
            yield f"# {comment.text}".rstrip()
