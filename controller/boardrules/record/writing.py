"""Writing records: by version 1 where that has words for all of it, else by version 2."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from boardrules.core import Seat, State
from boardrules.record.form import COMMITMENT, FORMAT, NEWEST, RESULT, TEXTS, plain
from boardrules.recorded import HEADER, Record, stated_as


def record_of(state: State, actions: tuple[tuple[Seat, str], ...], **header: Any) -> Record:
    """The record of a game that led to `state`; `header`: `seed`, `board`, `date`, `players` ..."""
    options = {
        name: list(value) if isinstance(value, tuple) else value for name, value in state.options.items()
    }
    return Record(state.game_id, options, actions, result=state.outcome, **header)


def write(record: Record) -> str:
    """The text of a record; `parse` reads back an equal one."""
    return _text(record, 1 if _first_is_enough(record) else NEWEST)


def write_all(records: Sequence[Record]) -> str:
    """The text of several records; `parse_all` reads them back."""
    return write(records[0]) if len(records) == 1 else "".join(_text(each, NEWEST) for each in records)


def _first_is_enough(record: Record) -> bool:
    """Whether version 1 has words for all of it."""
    newer = (record.players, record.event, record.place, record.source, record.stated, record.tags)
    texts = [text for text in (record.board, record.date) if text is not None]
    taken_for_commitments = any("sha256" in comment.text for comment in record.comments)
    return not (any(newer) or record.commitments or taken_for_commitments) and all(map(plain, texts))


def _text(record: Record, version: int) -> str:
    return "".join(f"{line}\n" for line in _lines(record, version))


def _lines(record: Record, version: int) -> Iterator[str]:
    yield f"{FORMAT} {version}"
    yield from _comments(record, HEADER)
    yield f"game {record.game}"
    for name, value in record.options.items():
        yield f"option {name} {json.dumps(value)}"
    yield from _header(record, version)
    yield "actions"
    for count, (seat, text) in enumerate(record.actions):
        yield from _comments(record, count)
        yield f"{seat} {text}"
    yield from _comments(record, len(record.actions))
    if record.result is not None:
        yield f"{RESULT} {' '.join(stated_as(record.result))}"
    for made in record.commitments:
        proof = "sealed" if made.salt is None else f"salt {made.salt}"
        yield f"{COMMITMENT} {made.entry} {made.seat} sha256 {made.digest} {proof}"


def _header(record: Record, version: int) -> Iterator[str]:
    if version == 1:
        for key in ("seed", "board", "date"):
            if getattr(record, key) is not None:
                yield f"{key} {getattr(record, key)}"
        return
    for seat, name in record.players.items():
        yield f"player {seat} {_line(name)}"
    for key in TEXTS:
        if getattr(record, key) is not None:
            yield f"{key} {_line(getattr(record, key))}"
    if record.seed is not None:
        yield f"seed {record.seed}"
    if record.stated is not None:
        reason = record.stated.reason
        yield f"stated {record.stated.winner}{f' {_line(reason)}' if reason else ''}"
    for name, value in record.tags.items():
        yield f"tag {name} {json.dumps(value)}"


def _line(text: str) -> str:
    return text if plain(text) else json.dumps(text)


def _comments(record: Record, after: int) -> Iterator[str]:
    for comment in record.comments:
        if comment.after == after:
            yield f"# {comment.text}".rstrip()
