"""`boardumpire record convert`: converts games of other notations to records, and records to others.

A file holds records or games in one of the notations that the games bring; how it begins tells which. Every
game is played by the rules, and what the file states of its end is held against what its moves give. Each
game gets a line on standard error, and all of them together a last one:

    games.jsonl:1: stratego-duel, 43 actions: stated red (flag captured), by the moves red (flag): as stated
    games.jsonl:2: BAD: action 7 of red is not allowed: stratego/lake (Q11)
    games.jsonl: 2 games: 1 as stated, 1 bad; nothing written (--skip leaves bad games out)

The exit code is 0 if all is well, 1 if a game is bad, ends otherwise than stated or was not read whole, 2 if
the command can't be carried out at all.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple

from boardrules import option_words as given_options
from boardrules import record, registry
from boardrules.core import OptionError, Outcome
from boardrules.notations import ExportedGame, ImportedGame, Notation, NotationError, UnreadableGame
from boardrules.record.form import FORMAT, VERSION
from boardrules.record.replaying import Agreement, compare_results
from boardrules.record_types import DRAW_WINNER, Record, RecordError, StatedResult, to_stated_result
from boardumpire.errors import BoardumpireError

FILE_MAX_BYTES = 128 * 1024 * 1024
"""Bytes of a file: a thousand times a large tournament."""
EXIT_SOME_BAD = 1
"""The exit code where a game is bad, or where what is stated of it differs."""

_DIFFERENCES_SHOWN_MAX = 3
"""How many differences of one game are told; how many more there are is counted."""


class ConvertedGame(NamedTuple):
    """A game that can be played."""

    number: int
    """Of the games in the file, from 1 on."""
    record: Record
    agreement: Agreement
    summary: str
    """What there is to say of it."""
    skipped_parts: tuple[str, ...] = ()
    """What of it was passed over, each with its line."""


class ConversionFailure(NamedTuple):
    """One that can't be read, played or written."""

    line: int
    message: str


class ConversionReport(NamedTuple):
    """What came of a conversion."""

    output: str
    """For standard output: the games, or the files they are in."""
    lines: tuple[str, ...]
    """What there is to say of them."""
    exit_code: int


def run(file: str, to: str, into: Path | None, options: Sequence[str], *, skip: bool = False) -> int:
    """As `convert`, with its report on standard error; returns the exit code."""
    report = convert(file, to, into, options, skip=skip)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    for line in report.lines:
        print(line, file=sys.stderr)
    sys.stdout.write(report.output)
    return report.exit_code


def convert(
    file: str, to: str, into: Path | None, options: Sequence[str], *, skip: bool = False
) -> ConversionReport:
    """Read a file (`-`: standard input), play its games and write them `to` another notation.

    With a directory `into`, made if need be, each game becomes a file of its own there. `options` are
    `NAME=VALUE` and hold for every game. A bad game does not hide the others; nothing is written then, unless
    `skip` leaves it out. Raises `BoardumpireError` for what can't be carried out at all.
    """
    notation = _find_notation(to)
    try:
        given = given_options.parse_options(options)
    except OptionError as error:
        raise BoardumpireError(str(error)) from None
    text, told_first = _read_file(file)
    judged = [_export_game(each, notation) for each in replay_games(text, given)]
    lines = [*told_first, *(f"{file}:{_line_of(each)}: {_message_of(each)}" for each in judged)]
    counts = Counter(_outcome_label(each) for each in judged)
    good = [each for each in judged if not isinstance(each, ConversionFailure)]
    held = "bad" in counts and not skip
    out = "" if held else _write_output(file, good, notation, into)
    told = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    ending = "; nothing written (--skip leaves bad games out)" if held else ""
    if "bad" in counts and skip:
        ending = "; the bad ones are left out"
    games = f"{len(judged)} game{'' if len(judged) == 1 else 's'}"
    wrong = counts.keys() & {"bad", Agreement.DIFFERS.value} or any(each.game.skipped_parts for each in good)
    return ConversionReport(out, (*lines, f"{file}: {games}: {told}{ending}"), EXIT_SOME_BAD if wrong else 0)


def _find_notation(to: str) -> Notation | None:
    """The notation of that name; `None`: records."""
    known = {notation.name: notation for notation in registry.notations()}
    if to != "record" and to not in known:
        raise BoardumpireError(f"--to {to!r}: no such notation; try one of {', '.join(('record', *known))}")
    return known.get(to)


def _read_file(file: str) -> tuple[str, tuple[str, ...]]:
    """What a file holds, and what there is to say of how it was read."""
    try:
        if file == "-":
            data = sys.stdin.buffer.read(FILE_MAX_BYTES + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(FILE_MAX_BYTES + 1)
        if len(data) > FILE_MAX_BYTES:
            raise BoardumpireError(f"{file}: more than {FILE_MAX_BYTES} bytes; try fewer games a file")
        return data.decode("utf-8-sig"), ()
    except OSError as error:
        raise BoardumpireError(f"{file}: can't read: {error.strerror}; try a file of games") from None
    except UnicodeDecodeError as error:
        text = data.decode("latin-1")
        notation = _detect_notation(text)[1]
        if notation is not None and notation.latin_1:
            return text, (f"{file}: not UTF-8, so it was read as Latin-1",)
        line = error.object.count(b"\n", 0, error.start) + 1
        raise BoardumpireError(f"{file}:{line}: not UTF-8; try a file of text") from None


def replay_games(text: str, options: Mapping[str, Any]) -> Iterator[ConvertedGame | ConversionFailure]:
    """The games of a text, each played to its end; `options` go before their own."""
    for number, (found, check) in enumerate(_parse_games(text, options), 1):
        if isinstance(found, UnreadableGame):
            yield ConversionFailure(found.line, found.message)
            continue
        try:
            yield _replay_game(number, found, check)
        except RecordError as error:
            yield ConversionFailure(error.line, error.bare_message)
        except Exception as error:  # a game of somebody's with a mistake in it
            yield ConversionFailure(
                found.line, f"the game {found.record.game} fails at this: {type(error).__name__}"
            )


def _parse_games(
    text: str, options: Mapping[str, Any]
) -> Iterator[tuple[ImportedGame | UnreadableGame, Notation | None]]:
    """The games of a text, each with the notation it is in."""
    (number, first), notation = _detect_notation(text)
    if first.startswith(FORMAT):
        for each in record.parse_each(text):
            yield _as_imported(each, options), None
        return
    if notation is None:
        begins = [f"{FORMAT} {VERSION}", *(each.expected_beginning for each in registry.notations())]
        expected = f"try {', '.join(begins[:-1])} or {begins[-1]}"
        yield UnreadableGame(number, f"{first[:40]!r}; {expected}" if first else f"no game; {expected}"), None
        return
    none = True
    for found in notation.read(text, options):
        none = False
        yield found, notation
    if none:
        yield UnreadableGame(number, "no game in it"), notation


def _detect_notation(text: str) -> tuple[tuple[int, str], Notation | None]:
    """The number and the words of the line that tells what a text is, and the notation; `None`: no other than
    records."""
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    first = next(((number, line) for number, line in lines if not line.startswith("#")), (1, ""))
    if first[1].startswith(FORMAT):
        return first, None
    begins = (lines[0], first) if lines else ()  # what looks like a comment may be the mark of a notation
    known = registry.notations()
    return first, next((each for _, line in begins for each in known if each.recognises_line(line)), None)


def _as_imported(each: Record | RecordError, options: Mapping[str, Any]) -> ImportedGame | UnreadableGame:
    if isinstance(each, RecordError):
        return UnreadableGame(each.line, each.bare_message)
    return ImportedGame(each.line_numbers["first"], each._replace(options={**each.options, **options}))


def _replay_game(number: int, imported: ImportedGame, notation: Notation | None) -> ConvertedGame:
    """A game with the result that the rules give it. Raises `RecordError`."""
    found = imported.record
    state = record.begin_history(found).state
    steps, actions, moved = [], [], False
    for step in record.replay(found):
        action = state.parse(step.text, step.seat)
        actions.append((step.seat, str(action)))  # as the rules write it
        moved = moved or not action.secret
        steps.append(step)
        state = step.state
    outcome: Outcome | None = state.outcome
    found = found._replace(actions=tuple(actions))
    known = [each for each in registry.notations() if found.game in each.games]
    reasons = {words: reason for each in known for words, reason in each.reasons_by_phrase.items()}
    agreed = compare_results(found.stated, outcome, reasons)
    checks = known if notation is None else [notation]
    differences = [told for each in checks for told in each.find_discrepancies(found, steps)]
    if differences:
        agreed = Agreement.DIFFERS
    elif found.stated is not None and not moved:
        agreed = Agreement.NO_MOVES
    stated = None if outcome is not None and found.stated == to_stated_result(outcome) else found.stated
    told = (
        f"{found.game}, {len(found.actions)} actions:"
        f" {_result_comparison(found.stated, outcome)}{agreed.value}"
    )
    more = len(differences) - _DIFFERENCES_SHOWN_MAX
    told = "; ".join(
        (told, *differences[:_DIFFERENCES_SHOWN_MAX], *([f"and {more} more"] if more > 0 else []))
    )
    if imported.unread_parts:
        others = len(imported.unread_parts) - _DIFFERENCES_SHOWN_MAX
        passed = [
            *imported.unread_parts[:_DIFFERENCES_SHOWN_MAX],
            *([f"and {others} more"] if others > 0 else []),
        ]
        told = f"{told}; not read: {', '.join(passed)}"
    lines = {"first": found.line_numbers.get("first", found.line_numbers.get("game", 1))}
    played = found._replace(result=outcome, stated=stated, line_numbers=lines)
    return ConvertedGame(number, played, agreed, told, imported.unread_parts)


def _result_comparison(stated: StatedResult | None, outcome: Outcome | None) -> str:
    played = "the game goes on" if outcome is None else f"{outcome.winner or DRAW_WINNER} ({outcome.reason})"
    if stated is None:
        return f"by the moves {played}: "
    reason = f" ({stated.reason})" if stated.reason else ""
    return f"stated {stated.winner}{reason}, by the moves {played}: "


class ConversionOutput(NamedTuple):
    """A game as it is to be written."""

    game: ConvertedGame
    text: str


def _export_game(
    judged: ConvertedGame | ConversionFailure, notation: Notation | None
) -> ConversionOutput | ConversionFailure:
    """A game with its text; what the notation leaves out is told."""
    if isinstance(judged, ConversionFailure):
        return judged
    try:
        written = (
            ExportedGame(record.write(judged.record)) if notation is None else notation.write(judged.record)
        )
    except NotationError as error:
        assert notation is not None
        return ConversionFailure(_first_line(judged), f"as {notation.name} this can't be written: {error}")
    if written.omissions:
        judged = judged._replace(summary=f"{judged.summary}; left out: {', '.join(written.omissions)}")
    return ConversionOutput(judged, written.text)


def _first_line(game: ConvertedGame) -> int:
    return game.record.line_numbers["first"]


def _line_of(judged: ConversionOutput | ConversionFailure) -> int:
    return judged.line if isinstance(judged, ConversionFailure) else _first_line(judged.game)


def _message_of(judged: ConversionOutput | ConversionFailure) -> str:
    return f"BAD: {judged.message}" if isinstance(judged, ConversionFailure) else judged.game.summary


def _outcome_label(judged: ConversionOutput | ConversionFailure) -> str:
    return "bad" if isinstance(judged, ConversionFailure) else judged.game.agreement.value


def _write_output(
    file: str, games: Sequence[ConversionOutput], notation: Notation | None, into: Path | None
) -> str:
    """What goes to standard output; with `into` the files are written."""
    if into is None:
        if notation is None:
            return record.write_all([each.game.record for each in games])
        return "".join(each.text for each in games)
    ending = "record" if notation is None else notation.file_extension
    stem = Path(file).stem.strip("-") or "game"
    paths = [into / f"{stem}-{each.game.number}.{ending}" for each in games]
    for path in paths:
        if path.exists():
            raise BoardumpireError(f"{path}: it exists already; try another folder")
    for path, each in zip(paths, games, strict=True):
        try:
            into.mkdir(exist_ok=True)
            path.write_text(each.text, encoding="utf-8")
        except OSError as error:
            raise BoardumpireError(f"{path}: can't write: {error.strerror}") from None
    return "".join(f"{path}\n" for path in paths)
