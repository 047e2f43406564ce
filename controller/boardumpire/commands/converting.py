"""Games from elsewhere as records, and records for elsewhere: `boardumpire record convert`.

Three ways to write a game, told apart by how a file begins: a record (see `boardrules.record`), the neutral
JSON of game collections, one object or one a line, and Gravon's letters (see `boardrules.stratego.formats`):

    # the set-up: 100 letters, square by square from a1 on; then the moves, as many a line as you like
    AAAAAAAALBAAADAAAADMAAAAAAABAEAAAAAAACKEAA__AA__AAAA__AA__AAAAAAAAAOQWAAAAAAAXPPAAAAAAAAQNAAAAAAAANY
    D2 D3
    K7 K6

Whatever is read is played by the rules before anything is written.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from boardrules import given as given_options
from boardrules import record
from boardrules.core import OptionError, State
from boardrules.record import Record, RecordError
from boardrules.stratego import formats
from boardrules.stratego.actions import SEATS, Setup
from boardrules.stratego.board import board
from boardrules.stratego.formats import FormatError
from boardumpire.errors import BoardumpireError

RECORD = "record"
_SIZES = {40: "classic", 10: "duel", 8: "barrage"}
"""Pieces of one side -> Gravon's game."""
_FIELD = re.compile("[A-Z_]{20,}")


class Way(NamedTuple):
    """A way to write games."""

    write: Callable[[Record], str]
    ending: str
    """Of the files that hold it."""


class _BadGame(ValueError):  # noqa: N818
    """A game that can't be read; where it stands."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def convert(file: str, to: str, into: Path | None, options: Sequence[str]) -> str:
    """Read a file (`-`: standard input) and write its games: the answer goes to standard output.

    With a directory `into`, made if need be, each game becomes a file of its own there, and the answer tells
    their names.
    `options` are `NAME=VALUE`. Raises `BoardumpireError`; then nothing is written.
    """
    try:
        given = given_options.options(options)
    except OptionError as error:
        raise BoardumpireError(str(error)) from None
    games = read(_text(file), file, given)
    written = [write(game, to) for game in games]
    if into is None:
        if to != "neutral" and len(written) > 1:
            raise BoardumpireError(f"{file}: {len(written)} games; expected --into DIR, a file for each")
        return "".join(written)
    stem, ending = Path(file).stem.strip("-") or "game", WAYS[to].ending
    paths = [into / f"{stem}-{number}.{ending}" for number in range(1, len(written) + 1)]
    for path in paths:
        if path.exists():
            raise BoardumpireError(f"{path}: exists already; expected a directory without it")
    for path, text in zip(paths, written, strict=True):
        try:
            into.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise BoardumpireError(f"{path}: can't write: {error.strerror}") from None
    return "".join(f"{path}\n" for path in paths)


def _text(file: str) -> str:
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise BoardumpireError(f"{file}: can't read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise BoardumpireError(f"{file}:{line}: not UTF-8; expected a game as text") from None


def read(text: str, name: str, options: Mapping[str, Any]) -> list[Record]:
    """The games of a file, each played to its end; `options` for games that have none of their own.

    Raises `BoardumpireError`: `FILE:LINE: what was found; what was expected`.
    """
    try:
        return [_played(found) for found in _games(text, options)]
    except _BadGame as error:
        raise BoardumpireError(f"{name}:{error.line}: {error}") from None
    except RecordError as error:
        raise BoardumpireError(f"{name}:{error.line}: {str(error).partition(': ')[2]}") from None


def _played(found: Record) -> Record:
    """The same with the result that the rules give it."""
    state: State = record.final(found)
    return found._replace(result=state.outcome, lines={})


def _games(text: str, options: Mapping[str, Any]) -> Iterator[Record]:
    start = text.lstrip()[:1]
    if start in ("{", "["):
        yield from (_neutral(line, game, options) for line, game in _objects(text))
    elif text.lstrip().startswith(record.FORMAT):
        found = record.parse(text)
        yield found._replace(options={**found.options, **options})
    else:
        yield from _gravon(text, options)


def _objects(text: str) -> Iterator[tuple[int, Any]]:
    """The JSON values of a file with their lines: one a line, or one over several, or an array of them."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    try:
        whole = json.loads(text)
        yield from ((lines[0][0], game) for game in (whole if isinstance(whole, list) else [whole]))
        return
    except RecursionError:
        raise _BadGame(lines[0][0], "nested too deeply; expected an object a game") from None
    except ValueError as error:
        if len(lines) == 1 or not _is_json(lines[0][1]):
            raise _BadGame(
                getattr(error, "lineno", 1), f"not JSON: {error}; expected an object a game"
            ) from None
    for number, line in lines:
        if not _is_json(line):
            raise _BadGame(number, f"{line[:40]!r} is not JSON; expected an object a line")
        yield number, json.loads(line)


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _neutral(line: int, game: Any, options: Mapping[str, Any]) -> Record:
    if not isinstance(game, dict):
        raise _BadGame(line, f"{str(game)[:40]!r} is no game; expected an object")
    try:
        found = formats.record_from_neutral(game, options)
    except FormatError as error:
        raise _BadGame(line, str(error)) from None
    return found._replace(lines={"game": line} | {str(count): line for count in range(len(found.actions))})


def _gravon(text: str, options: Mapping[str, Any]) -> Iterator[Record]:
    """Games that each begin with the letters of a set-up."""
    game: Record | None = None
    for number, line in enumerate(text.split("\n"), 1):
        words = line.partition("#")[0].replace("-", " ").split()
        if len(words) == 1 and _FIELD.fullmatch(words[0]):
            if game is not None:
                yield game
            game = _set_up(number, words[0], options)
        elif words:
            if game is None:
                expected = f"{record.FORMAT}, a JSON object, or Gravon's 100 letters"
                raise _BadGame(number, f"{line.strip()[:40]!r}; expected {expected}")
            game = _moved(number, words, game)
    if game is None:
        raise _BadGame(1, "no game; expected a record, JSON or Gravon's letters")
    yield game


def _set_up(line: int, field: str, options: Mapping[str, Any]) -> Record:
    try:
        setups = formats.setups_from_gravon(field)
    except FormatError as error:
        raise _BadGame(line, str(error)) from None
    pieces = len(setups[0].pieces)
    if pieces not in _SIZES:
        raise _BadGame(line, f"{pieces} pieces of red; expected one of {', '.join(map(str, _SIZES))}")
    actions = tuple((setup.seat, str(setup)) for setup in setups)
    lines = dict.fromkeys(("game", "0", "1"), line)
    return Record(formats.GAMES[_SIZES[pieces]], options, actions, lines=lines)


def _moved(line: int, words: list[str], game: Record) -> Record:
    if len(words) % 2:
        raise _BadGame(line, f"{len(words)} squares; expected two a move, as E4 E5")
    actions, lines = list(game.actions), dict(game.lines)
    for source, target in zip(words[::2], words[1::2], strict=True):
        lines[str(len(actions))] = line
        try:
            actions.append((SEATS[len(actions) % 2], formats.move_from_gravon(source, target)))
        except FormatError as error:
            raise _BadGame(line, str(error)) from None
    return game._replace(actions=tuple(actions), lines=lines)


def write(game: Record, to: str) -> str:
    """A game as one of `WAYS` writes it. Raises `BoardumpireError` for what that way can't say."""
    try:
        return WAYS[to].write(game)
    except FormatError as error:
        raise BoardumpireError(f"as {to} this can't be written: {error}") from None


def _as_neutral(game: Record) -> str:
    found = formats.neutral_from_record(game)
    for seat in SEATS:
        if not found[f"{seat}_setup"]:
            raise FormatError(f"no set-up of {seat}; expected both")
    return json.dumps(found) + "\n"


def _as_gravon(game: Record) -> str:
    found = json.loads(_as_neutral(game))
    setups: list[Setup] = [formats.setup_from_rows(seat, found[f"{seat}_setup"]) for seat in SEATS]
    grid = board("10x10")
    field = formats.gravon_from_setups(setups, grid.spaces(grid.lakes))
    moves = (" ".join(formats.move_to_gravon(move)) for move in found["moves"])
    return "".join(f"{line}\n" for line in (field, *moves))


WAYS: Mapping[str, Way] = {
    RECORD: Way(record.write, "record"),
    "neutral": Way(_as_neutral, "json"),
    "gravon": Way(_as_gravon, "txt"),
}
