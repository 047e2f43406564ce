"""Writing records."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from boardrules.core import Seat, State
from boardrules.record.form import COMMITMENT, FORMAT, RESULT, TEXT_HEADER_KEYS, VERSION, is_plain
from boardrules.record_types import HEADER_POSITION, Record, to_stated_result


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
    yield from _comment_lines(record, HEADER_POSITION)
    yield f"game {record.game}"
    for name, value in record.options.items():
        yield f"option {name} {json.dumps(value)}"
    yield from _header(record)
    yield "actions"
    for count, (seat, text) in enumerate(record.actions):
        yield from _comment_lines(record, count)
        yield f"{seat} {text}"
    yield from _comment_lines(record, len(record.actions))
    if record.result is not None:
        yield f"{RESULT} {' '.join(to_stated_result(record.result))}"
    for made in record.commitments:
        proof = "sealed" if made.salt is None else f"salt {made.salt}"
        yield f"{COMMITMENT} {made.entry} {made.seat} sha256 {made.digest} {proof}"


def _header(record: Record) -> Iterator[str]:
    for seat, name in record.players.items():
        yield f"player {seat} {_quote_if_needed(name)}"
    if record.seed is not None:
        yield f"seed {record.seed}"
    for key in TEXT_HEADER_KEYS:
        if getattr(record, key) is not None:
            yield f"{key} {_quote_if_needed(getattr(record, key))}"
    if record.stated is not None:
        reason = record.stated.reason
        yield f"stated {record.stated.winner}{f' {_quote_if_needed(reason)}' if reason else ''}"
    for name, value in record.tags.items():
        yield f"tag {name} {json.dumps(value)}"


def _quote_if_needed(text: str) -> str:
    return text if is_plain(text) else json.dumps(text)


def _comment_lines(record: Record, action_count: int) -> Iterator[str]:
    for comment in record.comments:
        if comment.action_count == action_count:
            yield f"# {comment.text}".rstrip()
