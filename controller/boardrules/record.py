"""A game written down: header lines, then one action a line with its seat, then the result.

    boardumpire-record 1
    game stratego-quick-duel
    option announce "ranks"
    seed 7
    board quick-battle-8x8
    date 2026-01-31
    actions
    red setup a1=F b1=B ...
    blue setup a8=F ...
    red a3-a4
    result red flag

Option values are JSON. `seed`, `board`, `date` and `result` may be missing; blank lines and lines that begin
with `#` say nothing. A result is a winner, or `draw`, and the reason. A record holds its game's secrets.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from boardrules.core import BadText, Event, IllegalAction, OptionError, Outcome, Seat, State
from boardrules.fold import Fold
from boardrules.registry import UnknownGame, new

FORMAT: Final = "boardumpire-record"
VERSION: Final = 1

_KEYS: Final = ("game", "option", "seed", "board", "date", "actions")


class RecordError(ValueError):
    """A record that can't be read or played. The message begins with `LINE n: `."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"LINE {line}: {message}")
        self.line = line


class Record(NamedTuple):
    """A game as it is written down."""

    game: str
    options: Mapping[str, Any]
    actions: tuple[tuple[Seat, str], ...]
    """Seat and text of every action, in order."""
    seed: int | None = None
    """The seed of the generator that played chance, if one did."""
    board: str | None = None
    date: str | None = None
    result: Outcome | None = None
    lines: Mapping[str, int] = MappingProxyType({})
    """Where things stand in the text it was read from: `game`, `option NAME`, `result`, or an action's count
    from 0. Not part of a record's meaning."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and tuple(self)[:-1] == tuple(other)[:-1]

    def __hash__(self) -> int:
        return hash((self.game, self.actions, self.seed))

    def __repr__(self) -> str:
        return f"<record of {self.game}, {len(self.actions)} actions>"


def record_of(state: State, actions: tuple[tuple[Seat, str], ...], **header: Any) -> Record:
    """The record of a game that led to `state`; `header`: `seed`, `board`, `date`."""
    options = {
        name: list(value) if isinstance(value, tuple) else value for name, value in state.options.items()
    }
    return Record(state.game_id, options, actions, result=state.outcome, **header)


def write(record: Record) -> str:
    """The text of a record; `parse` reads back an equal one."""
    return "".join(f"{line}\n" for line in _lines(record))


def _lines(record: Record) -> Iterator[str]:
    yield f"{FORMAT} {VERSION}"
    yield f"game {record.game}"
    for name, value in record.options.items():
        yield f"option {name} {json.dumps(value)}"
    for key in ("seed", "board", "date"):
        value = getattr(record, key)
        if value is not None:
            yield f"{key} {' '.join(str(value).split())}"
    yield "actions"
    for seat, text in record.actions:
        yield f"{seat} {text}"
    if record.result is not None:
        yield f"result {record.result.winner or 'draw'} {record.result.reason}"


def parse(text: str) -> Record:
    """Read a record. Raises `RecordError` naming the line, what was found and what was expected."""
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not lines:
        raise RecordError(1, f"nothing; expected {FORMAT} {VERSION}")
    _check_format(*lines[0])
    reader = _Reader()
    for number, line in lines[1:]:
        reader.read(number, line)
    return reader.record(lines[-1][0])


def _check_format(number: int, line: str) -> None:
    name, _, version = line.partition(" ")
    if name != FORMAT or not (version.isascii() and version.isdigit() and len(version) < 10):
        raise RecordError(number, f"{line[:60]!r}; expected {FORMAT} {VERSION}")
    if int(version) > VERSION:
        raise RecordError(
            number, f"{FORMAT} {version} is newer than {FORMAT} {VERSION}, the newest known here"
        )
    if int(version) < VERSION:
        raise RecordError(number, f"{FORMAT} {version} never was; expected {FORMAT} {VERSION}")


class _Reader:
    """Takes a record's lines after the first one, in order."""

    def __init__(self) -> None:
        self.header: dict[str, Any] = {}
        self.options: dict[str, Any] = {}
        self.actions: list[tuple[Seat, str]] = []
        self.lines: dict[str, int] = {}
        self.in_actions = False

    def read(self, number: int, line: str) -> None:
        key, _, rest = line.partition(" ")
        rest = rest.strip()
        if "result" in self.header:
            raise RecordError(number, f"{line[:60]!r} after the result; expected nothing")
        if self.in_actions:
            self._action(number, key, rest)
        elif key not in _KEYS:
            raise RecordError(number, f"unknown header {key[:60]!r}; expected one of {', '.join(_KEYS)}")
        elif key == "actions":
            if rest:
                raise RecordError(number, f"{rest[:60]!r} after 'actions'; expected nothing")
            self.in_actions = True
        elif not rest:
            raise RecordError(number, f"{key} says nothing; expected a value")
        elif key == "option":
            self._option(number, rest)
        else:
            self._header(number, key, rest)

    def _header(self, number: int, key: str, value: str) -> None:
        if key in self.header:
            raise RecordError(number, f"a second {key!r}; expected one")
        self.lines[key] = number
        if key == "seed":
            try:
                self.header[key] = int(value)
            except ValueError:
                raise RecordError(number, f"seed {value[:60]!r}; expected a whole number") from None
        else:
            self.header[key] = value

    def _option(self, number: int, rest: str) -> None:
        name, _, value = rest.partition(" ")
        if name in self.options:
            raise RecordError(number, f"a second option {name!r}; expected one")
        self.lines[f"option {name}"] = number
        try:
            self.options[name] = json.loads(value)
        except (ValueError, RecursionError):
            raise RecordError(number, f"option {name} is {value[:60]!r}; expected a JSON value") from None

    def _action(self, number: int, seat: str, text: str) -> None:
        if not text:
            raise RecordError(number, f"{seat[:60]!r} alone; expected a seat and its action")
        if seat == "result":
            winner, _, reason = text.partition(" ")
            if not reason:
                raise RecordError(number, f"result {text[:60]!r}; expected a seat or draw, and a reason")
            self.lines["result"] = number
            self.header["result"] = Outcome(None if winner == "draw" else winner, reason)
        else:
            self.lines[str(len(self.actions))] = number
            self.actions.append((seat, text))

    def record(self, last: int) -> Record:
        if "game" not in self.header:
            raise RecordError(last, "no line 'game ID'; expected one in the header")
        if not self.in_actions:
            raise RecordError(last, "no line 'actions'; expected one after the header")
        return Record(
            options=self.options,
            actions=tuple(self.actions),
            lines=MappingProxyType(self.lines),
            **self.header,
        )


class Played(NamedTuple):
    """A step of a replay."""

    seat: Seat
    text: str
    state: State
    """The state after the action."""
    events: tuple[Event, ...]


Maker = Callable[[str, Mapping[str, Any]], State]
"""What begins a game: `boardrules.new`, or that of another set of games."""


def begin(record: Record, maker: Maker = new) -> Fold:
    """The game of a record before its first action. Raises `RecordError` for a game or option that isn't."""
    try:
        return Fold(maker(record.game, record.options))
    except UnknownGame as error:
        raise RecordError(record.lines.get("game", 1), str(error)) from None
    except OptionError as error:
        raise RecordError(record.lines.get(f"option {error.option}", 1), str(error)) from None


def replay(record: Record, maker: Maker = new) -> Iterator[Played]:
    """Play a record action by action; at the end the result must be the one written.

    Raises `RecordError` with the line of the action that can't be played. What a set-up says is not repeated.
    """
    game = begin(record, maker)
    for count, (seat, text) in enumerate(record.actions):
        line = record.lines.get(str(count), count + 1)
        try:
            events = game.push_text(seat, text)
        except BadText as error:
            raise RecordError(line, str(error)) from None
        except IllegalAction as error:
            raise RecordError(line, f"action {count + 1} of {seat} is not allowed: {error}") from None
        yield Played(seat, text, game.state, events)
    if record.result is not None and game.state.outcome != record.result:
        line = record.lines.get("result", len(record.actions) + 1)
        found, written = _told(game.state.outcome), _told(record.result)
        raise RecordError(line, f"the result is {found}; the record says {written}")


def final(record: Record, maker: Maker = new) -> State:
    """The state at the end of a record. Raises `RecordError`."""
    state = begin(record, maker).state
    for step in replay(record, maker):
        state = step.state
    return state


def _told(outcome: Outcome | None) -> str:
    return "none" if outcome is None else f"{outcome.winner or 'draw'} {outcome.reason}"
