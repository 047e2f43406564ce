"""Reading records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import Any, Final

from boardrules import jsonfile
from boardrules.core import Outcome, Seat
from boardrules.jsonfile import JsonError
from boardrules.record.form import COMMITMENT, FORMAT, HEADER_KEYS, RESULT, TEXT_HEADER_KEYS, VERSION
from boardrules.record_types import (
    DRAW_WINNER,
    HEADER_POSITION,
    Record,
    RecordComment,
    RecordedCommitment,
    RecordError,
    StatedResult,
)

_Line = tuple[int, str]

_SEED_PATTERN: Final = re.compile(r"-?[0-9]{1,100}", re.ASCII)
_NUMBER_PATTERN: Final = re.compile(r"[0-9]{1,15}", re.ASCII)
_DIGEST_PATTERN: Final = re.compile(r"[0-9a-f]{64}")
_SALT_PATTERN: Final = re.compile(r"(?:[0-9a-f]{2}){1,128}")


def parse(text: str) -> Record:
    """Read the one record of a text.

    Raises `RecordError` naming the line, what was found and what was expected.
    """
    records = parse_all(text)
    if len(records) > 1:
        line = records[1].line_numbers["first"]
        raise RecordError(line, f"a second game, of {len(records)}; try a file with one")
    return records[0]


def parse_all(text: str) -> list[Record]:
    """Read every record of a text. Raises `RecordError` for the first that can't be read."""
    records = []
    for each in parse_each(text):
        if isinstance(each, RecordError):
            raise each
        records.append(each)
    return records


def parse_each(text: str) -> Iterator[Record | RecordError]:
    """The records of a text in order; for one that can't be read its error. There is always one at least."""
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    lines = [(number, line) for number, line in lines if line]
    said = [line for line in lines if not line[1].startswith("#")]
    if not said:
        yield RecordError(1, f"nothing; try {FORMAT} {VERSION}")
        return
    starts = [at for at, (_, line) in enumerate(lines) if line.split(maxsplit=1)[0] == FORMAT]
    if not starts or lines[starts[0]] != said[0]:
        yield RecordError(said[0][0], f"{said[0][1][:60]!r}; try {FORMAT} {VERSION}")
    for nth, (start, end) in enumerate(zip(starts, [*starts[1:], len(lines)], strict=True)):
        before = lines[:start] if nth == 0 else []
        try:
            yield _read_record(
                lines[start], [line for line in before if line[1][0] == "#"], lines[start + 1 : end]
            )
        except RecordError as error:
            yield error


def _read_record(first: _Line, before: Iterable[_Line], lines: list[_Line]) -> Record:
    _check_version(*first)
    reader = _RecordReader()
    for number, line in (*before, *lines):
        reader.read_line(number, line)
    return reader.build_record(first[0], lines[-1][0] if lines else first[0])


def _check_version(number: int, line: str) -> None:
    _, _, version = line.partition(" ")
    if not _NUMBER_PATTERN.fullmatch(version):
        raise RecordError(number, f"{line[:60]!r}; try {FORMAT} {VERSION}")
    if int(version) > VERSION:
        raise RecordError(
            number, f"{FORMAT} {version} is newer than {FORMAT} {VERSION}, the newest known here"
        )
    if int(version) < VERSION:
        raise RecordError(number, f"{FORMAT} {version} never was; try {FORMAT} {VERSION}")


class _RecordReader:
    """Takes the lines of one record after the first one, in order."""

    def __init__(self) -> None:
        self.header: dict[str, Any] = {}
        self.named: dict[str, dict[str, Any]] = {"option": {}, "player": {}, "tag": {}}
        self.actions: list[tuple[Seat, str]] = []
        self.commitments: list[RecordedCommitment] = []
        self.comments: list[RecordComment] = []
        self.lines: dict[str, int] = {}
        self.in_actions = False

    def read_line(self, number: int, line: str) -> None:
        """Take a line. Raises `RecordError`."""
        if line.startswith("#"):
            self._comment(line)
            return
        key, _, rest = line.partition(" ")
        rest = rest.strip()
        if self.in_actions:
            self._read_action_line(number, line, key, rest)
        elif key not in HEADER_KEYS:
            known = ", ".join(HEADER_KEYS)
            raise RecordError(number, f"unknown header {key[:60]!r}; try one of {known}")
        elif key == "actions":
            if rest:
                raise RecordError(number, f"{rest[:60]!r} after 'actions'; try 'actions' alone")
            self.in_actions = True
        elif not rest:
            raise RecordError(number, f"{key} says nothing; try a value")
        elif key in self.named:
            self._read_named_header(number, key, rest)
        else:
            self._header(number, key, rest)

    def _comment(self, line: str) -> None:
        after = len(self.actions) if self.in_actions else HEADER_POSITION
        self.comments.append(RecordComment(after, line[1:].removeprefix(" ")))

    def _header(self, number: int, key: str, value: str) -> None:
        if key in self.header:
            raise RecordError(number, f"a second {key!r}; try one alone")
        self.lines[key] = number
        if key == "seed":
            if not _SEED_PATTERN.fullmatch(value):
                raise RecordError(number, f"seed {value[:60]!r}; try a whole number")
            self.header[key] = int(value)
        elif key == "stated":
            winner, _, reason = value.partition(" ")
            self.header[key] = StatedResult(
                winner, self._parse_text(number, key, reason.strip()) if reason else ""
            )
        else:
            self.header[key] = self._parse_text(number, key, value) if key in TEXT_HEADER_KEYS else value

    def _read_named_header(self, number: int, key: str, rest: str) -> None:
        """A line of which there may be several, each with a name: an option, a player, a tag."""
        name, _, value = rest.partition(" ")
        if name in self.named[key]:
            raise RecordError(number, f"a second {key} {name[:60]!r}; try one alone")
        self.lines[f"{key} {name}"] = number
        value = value.strip()
        if key == "player":
            if not value:
                raise RecordError(number, f"player {name[:60]!r} alone; try a seat and a name")
            self.named[key][name] = self._parse_text(number, f"player {name}", value)
            return
        try:
            self.named[key][name] = jsonfile.parse_value(value)
        except JsonError as error:
            found = f"{key} {name[:60]} is {value[:60]!r}; try a JSON value"
            raise RecordError(number, f"{found} ({error})") from None

    def _parse_text(self, number: int, key: str, value: str) -> str:
        """A text for people: as it stands, or a JSON string."""
        if not value.startswith('"'):
            return value
        try:
            text = jsonfile.parse_value(value)
        except JsonError as error:
            raise RecordError(
                number, f"{key} is {value[:60]!r}; try a text or a JSON string ({error})"
            ) from None
        assert isinstance(text, str)  # what begins with a quotation mark is nothing else
        return text

    def _read_action_line(self, number: int, line: str, key: str, rest: str) -> None:
        """A line after `actions`."""
        if key == COMMITMENT:
            self._commitment(number, rest)
        elif RESULT in self.header:
            raise RecordError(number, f"{line[:60]!r} after the result; try the file without it")
        elif self.commitments:
            raise RecordError(number, f"{line[:60]!r} after a commitment; try it before the commitments")
        elif not rest:
            raise RecordError(number, f"{key[:60]!r} alone; try a seat and its action")
        elif key == RESULT:
            winner, _, reason = rest.partition(" ")
            if not reason:
                raise RecordError(number, f"result {rest[:60]!r}; try a seat or draw, and a reason")
            self.lines[RESULT] = number
            self.header[RESULT] = Outcome(None if winner == DRAW_WINNER else winner, reason)
        else:
            self.lines[str(len(self.actions))] = number
            self.actions.append((Seat(key), rest))

    def _commitment(self, number: int, rest: str) -> None:
        words = rest.split()
        sealed = len(words) == 5 and words[4] == "sealed"
        opened = len(words) == 6 and words[4] == "salt" and _SALT_PATTERN.fullmatch(words[5])
        if (
            not (sealed or opened)
            or not _NUMBER_PATTERN.fullmatch(words[0])
            or words[2] != "sha256"
            or not _DIGEST_PATTERN.fullmatch(words[3])
        ):
            expected = "ENTRY SEAT sha256 DIGEST, then salt SALT or sealed"
            raise RecordError(number, f"commitment {rest[:60]!r}; try {expected}")
        self.lines[f"commitment {len(self.commitments)}"] = number
        self.commitments.append(
            RecordedCommitment(int(words[0]), Seat(words[1]), words[3], words[5] if opened else None)
        )

    def build_record(self, first: int, last: int) -> Record:
        """The whole of it, after its last line."""
        if "game" not in self.header:
            raise RecordError(last, "no line 'game ID'; try to add one in the header")
        if not self.in_actions:
            raise RecordError(last, "no line 'actions'; try to add one after the header")
        return Record(
            options=self.named["option"],
            players={Seat(seat): name for seat, name in self.named["player"].items()},
            tags=self.named["tag"],
            actions=tuple(self.actions),
            commitments=tuple(self.commitments),
            comments=tuple(self.comments),
            line_numbers=MappingProxyType({**self.lines, "first": first, "end": last}),
            **self.header,
        )
