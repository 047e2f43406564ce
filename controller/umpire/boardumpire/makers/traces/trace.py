"""A sensor trace: all that came into a table, and what it told, so that it can be replayed anywhere.

    boardumpire-trace 1
    board quick-battle-8x8
    game stratego-quick-duel
    option announce "ranks"
    timing settle 350000
    sensors gpio
    moments
    turn 0
    present a1 b1
    told ["turn", {"to_act": ["red", "blue"]}]
    said 5120000 red *1
    turn 9000000
    lifted a3
    marks a3=lifted a4=may-go
    turn 9610003
    placed a4 9610001
    secret 1 setup a1=F b1=B ...

All times are microseconds from the first turn. A moment is a `turn` of the table or something `said` by a
seat; the lines below it are what came in at that moment and what went out. Of a contact or a button that was
noticed at another time than that of its turn the line ends with its own.

    present SLOT ...    lifted SLOT     placed SLOT     pressed BUTTON      held BUTTON
    trouble JSON        lamps-trouble JSON              [time, code, where, detail]
    read *N             a tag was read: [seen or gone, time, reader, number of the tag]; a secret
    written N           unwritten N WHY                 the Nth entry of the journal is durable, or won't be
    waits WHAT WHY      before anything can be written: `room`, `turn` or `disk`; alone: no more
    thrown N            the umpire's dice showed the Nth of what could come, counted from 0
    told JSON           [kind, data] of a message to everybody, but for commitments: their salt is drawn anew
    marks LAMP=MARK ... what the lamps are told to show

What a seat hides (its set-up) is written `*N`; a `secret` line says what it was once the game is over. `dice
real` says that people throw, `roster *N` which tag is in which piece, where tags are read; tags are numbers
of this trace alone. `earlier_entries` lines are the entries of a game that had begun before. In place of
`game` stands `check measure` where a maker was led (`traced_guide`). Blank lines and lines that begin with
`#` say nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from boardrules.core import Seat
from boardumpire.errors import BoardumpireError
from boardumpire.ruling.dice import DICE_KINDS, REAL
from boardumpire.tracking.timing import TrackerTiming
from boardware.ports import Micros

FORMAT = "boardumpire-trace"
FORMAT_VERSION = 1

_MOMENT_WORDS = (
    *("present", "lifted", "placed", "pressed", "held", "trouble", "lamps-trouble"),
    *("read", "written", "unwritten", "waits", "thrown", "told", "marks"),
)

_SINGLE_ARGUMENT_WORDS = {"lifted": "a slot", "placed": "a slot", "pressed": "a button", "held": "a button"}
"""Lines about one thing, and what that is."""


class TraceError(BoardumpireError):
    """A trace that can't be read or replayed: `FILE:LINE: what was found; try ...`."""


class TraceLine(NamedTuple):
    """One line, where it stands."""

    number: int
    word: str
    rest: str


class TraceMoment(NamedTuple):
    """A turn of the table, or something a seat said, with the lines below it."""

    at: Micros
    seat: Seat | None
    """Who said something; `None`: a turn."""
    text: str
    """What was said; `*N` where it is secret. Empty for a turn."""
    line: int
    lines: tuple[TraceLine, ...]


class Trace(NamedTuple):
    """A trace, read. Its `repr` would hold secrets, so there is none."""

    name: str
    board: str
    game: str
    options: Mapping[str, Any]
    timing: TrackerTiming
    sensors: str
    roster: str | None
    """The secret (`*N`) that says which tag, by its number here, is in which piece."""
    earlier_entries: tuple[Mapping[str, Any], ...]
    moments: tuple[TraceMoment, ...]
    secrets: Mapping[int, str]
    secrets_open: bool
    """Whether secrets were told at once, not at the end of the game."""
    real_dice: bool = False
    """Whether people threw real dice, and said what they showed."""
    check_name: str = ""
    """Which check led a person; nothing where a game was played."""

    def __repr__(self) -> str:
        return f"Trace({self.name!r}, {len(self.moments)} moments)"

    def resolve_secret(self, text: str, line: int) -> str:
        """What a text says, be it secret (`*N`). Raises `TraceError` for a secret that was never told."""
        if not text.startswith("*"):
            return text
        try:
            return self.secrets[int(text[1:])]
        except (KeyError, ValueError):
            raise self.error_at(
                line,
                f"a secret ({text}) that no line tells",
                "a trace of a game that came to its end, or one recorded with its secrets open",
            ) from None

    def error_at(self, line: int, found: str, expected: str) -> TraceError:
        """An error about a line of this trace."""
        return TraceError(f"{self.name}:{line}: {found}; try {expected}")


def header_lines(
    board: str,
    game: str,
    options: Mapping[str, Any],
    timing: TrackerTiming,
    sensors: str,
    before: tuple[Mapping[str, Any], ...] = (),
    roster: str | None = None,
    *,
    real_dice: bool = False,
) -> Iterator[str]:
    """The lines of a trace down to `moments`; `roster` names the secret that lists tags and pieces."""
    yield f"{FORMAT} {FORMAT_VERSION}"
    yield f"board {board}"
    yield f"game {game}"
    for name, value in options.items():
        yield f"option {name} {json.dumps(value)}"
    for name, value in timing._asdict().items():
        yield f"timing {name} {json.dumps(value)}"
    yield f"sensors {sensors}"
    if real_dice:
        yield f"dice {REAL}"
    if roster is not None:
        yield f"roster {roster}"
    for entry in before:
        yield f"before {json.dumps(entry)}"
    yield "moments"


def read(path: Path) -> Trace:
    """The trace in a file. Raises `TraceError`."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise TraceError(f"{path}: {error.strerror}; try the file of a trace") from None
    except UnicodeDecodeError:
        raise TraceError(f"{path}: not a text; try the file of a trace") from None
    return parse(text, str(path))


def parse(text: str, name: str) -> Trace:
    """Read a trace; `name` is what errors call it. Raises `TraceError`."""
    return _TraceParser(name).read(text)


def significant_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.rstrip()


class _TraceParser:
    def __init__(self, name: str) -> None:
        self._name = name
        self._head: dict[str, str] = {}
        self._options: dict[str, Any] = {}
        self._timing: dict[str, Any] = {}
        self._before: list[Mapping[str, Any]] = []
        self._moments: list[TraceMoment] = []
        self._lines: list[TraceLine] = []
        self._secrets: dict[int, str] = {}
        self._open = False

    def read(self, text: str) -> Trace:
        lines = significant_lines(text)
        number, first = next(lines, (1, ""))
        self._check_format(number, first)
        for number, line in lines:
            word, _, rest = line.partition(" ")
            if word == "moments":
                break
            self._parse_head_line(TraceLine(number, word, rest))
        for number, line in lines:
            word, _, rest = line.partition(" ")
            self._parse_moment_line(TraceLine(number, word, rest))
        self._close_moment()
        wanted = ("board", "check" if "check" in self._head else "game", "sensors")
        if missing := [key for key in wanted if key not in self._head]:
            self._raise_error(number, f"no line {missing[0]!r}", "it before 'moments'")
        return Trace(
            self._name,
            self._head["board"],
            self._head.get("game", ""),
            self._options,
            TrackerTiming(**self._timing),
            self._head["sensors"],
            self._head.get("roster"),
            tuple(self._before),
            tuple(self._moments),
            self._secrets,
            self._open,
            self._head.get("dice") == REAL,
            self._head.get("check", ""),
        )

    def _check_format(self, number: int, line: str) -> None:
        name, _, version = line.partition(" ")
        if name != FORMAT or not (version.isascii() and version.isdigit() and len(version) < 10):
            self._raise_error(number, repr(line[:60]), f"{FORMAT} {FORMAT_VERSION}")
        if int(version) > FORMAT_VERSION:
            self._raise_error(
                number, f"{FORMAT} {version}, which is newer", f"at most {FORMAT} {FORMAT_VERSION}"
            )
        if int(version) < FORMAT_VERSION:
            self._raise_error(number, f"{FORMAT} {version}, which never was", f"{FORMAT} {FORMAT_VERSION}")

    def _parse_head_line(self, line: TraceLine) -> None:
        if line.word == "dice" and line.rest not in DICE_KINDS:
            self._raise_error(line.number, f"dice {line.rest[:60]!r}", f"one of {', '.join(DICE_KINDS)}")
        if line.word in ("board", "game", "check", "sensors", "roster", "dice"):
            self._head[line.word] = line.rest
        elif line.word == "option":
            name, _, value = line.rest.partition(" ")
            self._options[name] = self._parse_json(line, value)
        elif line.word == "timing":
            name, _, value = line.rest.partition(" ")
            if name not in TrackerTiming._fields:
                self._raise_error(
                    line.number, f"timing {name!r}", f"one of {', '.join(TrackerTiming._fields)}"
                )
            self._timing[name] = self._parse_json(line, value)
        elif line.word == "before":
            entry = self._parse_json(line, line.rest)
            if not isinstance(entry, dict) or not {"kind", "seat", "text", "events"} <= entry.keys():
                self._raise_error(line.number, "an entry without its parts", "kind, seat, text and events")
            self._before.append(entry)
        else:
            self._raise_error(line.number, f"{line.word!r}", "a line of the head, or 'moments'")

    def _parse_moment_line(self, line: TraceLine) -> None:
        if line.word == "turn":
            self._close_moment()
            self._moments.append(TraceMoment(self._parse_time(line, line.rest), None, "", line.number, ()))
        elif line.word == "said":
            at, _, said = line.rest.partition(" ")
            seat, _, text = said.partition(" ")
            self._close_moment()
            self._moments.append(TraceMoment(self._parse_time(line, at), Seat(seat), text, line.number, ()))
        elif line.word == "secret":
            number, _, text = line.rest.partition(" ")
            last = self._moments[-1] if self._moments else None
            if not self._secrets:
                self._open = last is None or last.text == f"*{number}"
            self._secrets[self._parse_time(line, number)] = text
        elif line.word in _MOMENT_WORDS and self._moments:
            if line.word in _SINGLE_ARGUMENT_WORDS:
                self._check_single_argument(line)
            self._lines.append(line)
        else:
            self._raise_error(
                line.number, f"{line.word!r}", "turn, said, secret, or a line of a moment below one"
            )

    def _check_single_argument(self, line: TraceLine) -> None:
        """Whether it names a slot or a button; when it was noticed may stand behind, and of a button how long
        it was down."""
        name, _, times = line.rest.partition(" ")
        at, _, span = times.partition(" ")
        if not name:
            found = f"{line.word} {line.rest}".rstrip()[:60]
            self._raise_error(
                line.number,
                repr(found),
                f"{line.word} and {_SINGLE_ARGUMENT_WORDS[line.word]}, its time behind it or none",
            )
        if at:
            self._parse_time(line, at.removeprefix("-"))  # it may have been noticed before the first turn
        if span:
            self._parse_time(line, span)

    def _close_moment(self) -> None:
        if self._moments:
            self._moments[-1] = self._moments[-1]._replace(lines=tuple(self._lines))
        self._lines.clear()

    def _parse_time(self, line: TraceLine, text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 20):
            self._raise_error(line.number, f"{line.word} {text!r}", "a whole number")
        return int(text)

    def _parse_json(self, line: TraceLine, text: str) -> Any:
        try:
            return json.loads(text)
        except ValueError:
            return self._raise_error(line.number, f"{line.word} {text[:60]!r}", "JSON")

    def _raise_error(self, number: int, found: str, expected: str) -> Any:
        raise TraceError(f"{self._name}:{number}: {found}; try {expected}")
