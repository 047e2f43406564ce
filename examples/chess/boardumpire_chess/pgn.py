"""Portable Game Notation: games of chess as the rest of the world keeps them.

What PGN has no words for stands in comments as commands, as clocks do elsewhere: `{[%umpire white resign]}`.
They are actions again when the game is read. Variations and signs such as `$1` become comments.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Any, Final, TextIO, cast

import chess
import chess.pgn

from boardrules import jsonfile
from boardrules.core import CLOCK, NO_SEAT, BadText, IllegalAction, OptionError, Seat, State
from boardrules.notations import ExportedGame, ImportedGame, Notation, NotationError, UnreadableGame
from boardrules.record_types import DRAW_WINNER, UNKNOWN_WINNER, Record, RecordComment, StatedResult
from boardumpire_chess.arranging import BEGIN_ACTIONS, ArrangingState
from boardumpire_chess.openings import opening_of
from boardumpire_chess.play import (
    ASK,
    BLACK,
    GIVE,
    KEEP,
    PROMOTION_KINDS,
    SEATS,
    TEXT_COMMANDS,
    WHITE,
    WITHDRAW,
)
from boardumpire_chess.start import board_of, read_options

GAME: Final = "chess"
_RESULTS: Final = {WHITE: "1-0", BLACK: "0-1", DRAW_WINNER: "1/2-1/2", UNKNOWN_WINNER: "*"}
_WINNERS: Final = {result: winner for winner, result in _RESULTS.items()}
_EMPTY_TAG_VALUES: Final = ("", "?", "????.??.??", "-")
"""What stands for nothing in a tag that has to be there."""
_KNOWN_TAGS: Final = (
    "White",
    "Black",
    "Event",
    "Site",
    "Date",
    "Result",
    "FEN",
    "SetUp",
    "Termination",
    "Reason",
)
_RECORD_FIELD_BY_TAG: Final = {"Event": "event", "Site": "place", "Source": "source", "Board": "board"}
"""Tags whose words a record has a place for."""
ENDS_BY_MOVES: Final = ("checkmate", "stalemate", "insufficient", "fivefold", "seventy-five")
"""The ends that moves make by themselves. All others players make, and a source may state them alone."""
_TIME: Final = "time forfeit"
_COMMAND: Final = re.compile(r"\[%umpire (\w+) ([\w -]+)\]")
_FIRST_LINE_PATTERN: Final = re.compile(r'[%;]|\[\w+\s+"|1\s*\.')
_MOVE: Final = re.compile(r"([a-h][1-8])-([a-h][1-8])")
_MOVETEXT_PART_PATTERN: Final = re.compile(
    rf"(?:{chess.pgn.MOVETEXT_REGEX.pattern})|\d+\.*|\.+|e\.p\.|[+\#]+", re.VERBOSE
)
"""What moves are written with."""
_TAG: Final = re.compile(r'\[(\w+)\s+".*"\s*\]')
_RESULT_PATTERN: Final = re.compile(r"(?:1-0|0-1|1/2-1/2|\*)\Z")
_LINE_LENGTH_MAX: Final = 79
_ERROR_LENGTH_MAX: Final = 200
"""Characters of what python-chess says is wrong: it repeats a whole tag."""


class _Lines:
    """A text that knows which line was read last, and what python-chess passes over without a word."""

    def __init__(self, text: str) -> None:
        self._lines = StringIO(text, newline=None).readlines()
        self.number = 0
        self._moves = self._commented = self._ended = False
        """Whether moves are being read, a comment goes on, and a result has come."""
        self._deep = 0
        """How many variations are open."""
        self._tags: set[str] = set()
        """The tags of the game whose moves have not come yet."""
        self._gap = False
        """Whether an empty line has come after them."""
        self._pauses = 0
        """How many empty lines are put in between two games."""
        self.wrong: list[UnreadableGame] = []
        """What is no part of PGN."""

    def readline(self) -> str:
        """The next line; empty at the end. A game ends where another one's tags begin."""
        line = self._lines[self.number] if self.number < len(self._lines) else ""
        if self._begins_another(line):
            self._pauses = 1 if self._gap else 2  # two of them end a game without moves
            self._end_game()
        if self._pauses:
            self._pauses -= 1
            return "\n"
        if self._moves and not self._commented and (_TAG.match(line) or self._goes_on_after_result(line)):
            self._end_game()
            return "\n"
        self.number += bool(line)
        if line.strip() and not (line.startswith("%") and not self._commented):
            self._scan_line(line)
        elif self._tags and not self._moves and not self._gap:
            self._gap = True
        elif not self._commented or not line:
            self._end_game()
        return line

    def _begins_another(self, line: str) -> bool:
        """Whether this tag is of another game, as that before it has no moves."""
        tag = _TAG.match(line)
        if self._moves or not self._tags or tag is None:
            return False
        return tag[1] in self._tags and (self._gap or tag[1] == "Event")

    def _goes_on_after_result(self, line: str) -> bool:
        """Whether this line has moves, and a result came before it: there are as many games as lines."""
        return self._ended and not line.startswith("%") and bool(_words_outside_comments(line, False)[1])

    def _scan_line(self, line: str) -> None:
        if not self._moves and line.startswith("["):
            tag = _TAG.match(line)
            if tag is None:
                self._tell(f"{line.strip()[:40]!r}; try a tag")
            elif tag[1] in self._tags:
                self._tell(f"the tag {tag[1]} comes twice; try each once")
            else:
                self._tags.add(tag[1])
            return
        self._moves = True
        self._commented, words = _words_outside_comments(line, self._commented)
        for word in words:
            self._deep += word.count("(") - word.count(")")
            if self._ended:
                self._tell(f"{word[:40]!r} after the result; try an empty line or tags")
            elif not _is_pgn_word(word) or self._deep < 0:
                self._tell(f"{word[:40]!r} is no part of a game; try a move of chess")
            self._ended = self._ended or (self._deep == 0 and _RESULT_PATTERN.search(word) is not None)

    def _end_game(self) -> None:
        """The moves of a game are over."""
        if self._commented:
            self._tell("a comment has no end; try }")
        elif self._deep > 0:
            self._tell("a variation has no end; try )")
        self._moves = self._commented = self._ended = self._gap = False
        self._deep = 0
        self._tags.clear()

    def _tell(self, told: str) -> None:
        self.wrong.append(UnreadableGame(self.number, told))


class _Reader(chess.pgn.BaseVisitor["ImportedGame | UnreadableGame"]):
    """One game that is being read; the first thing wrong with it is kept."""

    def __init__(self, lines: _Lines, options: Mapping[str, Any]) -> None:
        self._lines = lines
        self._options = options
        self._headers = chess.pgn.Headers({})
        self._bad: UnreadableGame | None = None
        self._actions: list[tuple[Seat, str]] = []
        self._comments: list[RecordComment] = []
        self._at: dict[str, int] = {}
        self._aside: list[list[str]] = []
        """The variations that are being read, one in the other."""
        self._result = ""
        self._chess960 = False
        self._astray: UnreadableGame | None = None
        """What is wrong in a variation; what comes after it is read wrongly."""
        self._reached = ""
        """The way of a pawn to its last rank that was told ahead of what it becomes."""
        self._placed = False
        """Whether the position that the tags say could be made."""

    # Tags

    def begin_headers(self) -> chess.pgn.Headers:
        self._line = self._lines.number
        return self._headers

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self._at.setdefault(tagname, self._lines.number)
        self._headers[tagname] = tagvalue.replace('\\"', '"').replace("\\\\", "\\")

    def visit_board(self, board: chess.Board) -> None:
        if type(board) is not chess.Board:
            told = self._headers.get("Variant", "?")
            self._note_error(f"Variant is {told!r}; try standard chess or Chess960", "Variant")
        self._placed, self._chess960 = True, board.chess960
        try:
            read_options(GAME, self._position_options())
        except OptionError as error:
            self._note_error(str(error), "FEN")

    def _position_options(self) -> dict[str, Any]:
        fen = {"fen": self._headers["FEN"]} if "FEN" in self._headers else {}
        return {**fen, **({"chess960": True} if self._chess960 else {})}

    # Moves

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        if self._aside:
            self._aside[-1].append(board.san(move))
            return
        if not move:
            self._note_error("a null move; try a move of chess")
            return
        seat = SEATS[0] if board.turn else SEATS[1]
        if self._reached != _move_text(move):
            self._add_action(seat, _move_text(move))
        self._reached = ""
        if move.promotion is not None:
            self._add_action(seat, chess.piece_name(move.promotion))

    def _add_action(self, seat: Seat, text: str) -> None:
        self._at[str(len(self._actions))] = self._lines.number
        self._actions.append((seat, text))

    def visit_comment(self, comment: str) -> None:
        told = " ".join(comment.split())
        command = _COMMAND.fullmatch(told)
        if self._aside:
            self._aside[-1].append(f"[{told}]")
        elif command and command[1] in (*SEATS, CLOCK):
            self._add_action(Seat(command[1]), command[2])
            self._reached = (
                command[2] if "-" in command[2] and command[2] not in TEXT_COMMANDS else self._reached
            )
        elif told:
            self._comments.append(RecordComment(len(self._actions), told))

    def visit_nag(self, nag: int) -> None:
        if self._aside:
            self._aside[-1].append(f"${nag}")
        else:
            self._comments.append(RecordComment(len(self._actions), f"${nag}"))

    def begin_variation(self) -> None:
        self._aside.append([])

    def end_variation(self) -> None:
        if not self._aside:
            return  # the rest of a move that could not be read
        told = f"({' '.join(self._aside.pop())})"
        if self._aside:
            self._aside[-1].append(told)
        else:
            self._comments.append(RecordComment(len(self._actions), told))

    def visit_result(self, result: str) -> None:
        self._result = result

    def handle_error(self, error: Exception) -> None:
        if self._aside:
            self._aside[-1].append("...")
            told = f"{error} in a variation; try a move of chess"
            self._astray = self._astray or UnreadableGame(self._lines.number, told)
        elif self._placed:
            self._note_error(f"{error}; try a move of chess")
        else:
            self._note_error(f"{str(error)[:_ERROR_LENGTH_MAX]}; try a position", "FEN")

    def _note_error(self, told: str, tag: str = "") -> None:
        """The first thing that is wrong: with a tag, or where it is read."""
        self._bad = self._bad or UnreadableGame(self._at.get(tag, self._lines.number), told)

    # The whole

    def result(self) -> ImportedGame | UnreadableGame:
        headers, first = self._headers, self._line
        if not headers and not self._actions:
            self._note_error("neither tags nor moves; try a game")
        if self._astray is not None:
            self._bad = self._lines.wrong[0] if self._lines.wrong else self._astray
        elif self._lines.wrong and (self._bad is None or self._lines.wrong[0].line <= self._bad.line):
            self._bad = self._lines.wrong[0]  # what python-chess passes over spoils the moves after it
        self._lines.wrong.clear()
        stated = headers.get("Result", self._result or "*")
        if stated not in _WINNERS:
            self._note_error(f"Result is {stated[:40]!r}; try one of {', '.join(_WINNERS)}", "Result")
        elif self._result not in ("", "*", stated) and stated != "*":
            self._note_error(f"Result is {stated}, but the moves end with {self._result}; try the same")
        if self._bad is not None:
            return self._bad
        fields = {key: headers[tag] for tag, key in _RECORD_FIELD_BY_TAG.items() if tag in headers}
        told: dict[str, Any] = {key: value for key, value in fields.items() if value not in _EMPTY_TAG_VALUES}
        players = {seat: headers.get(seat.capitalize(), "?") for seat in SEATS}
        record = Record(
            GAME,
            {**self._position_options(), **self._options},
            tuple(self._actions),
            date=_date(headers.get("Date", "?")),
            players={seat: name for seat, name in players.items() if name not in _EMPTY_TAG_VALUES},
            stated=self._stated(stated),
            tags={tag: _decode_tag_value(text) for tag, text in self._others().items()},
            comments=tuple(self._comments),
            line_numbers=self._line_numbers(first),
            **told,
        )
        return ImportedGame(first, _without_opening_tags(record))

    def _others(self) -> dict[str, str]:
        """The tags that a record has no place of its own for."""
        own = (*_KNOWN_TAGS, *_RECORD_FIELD_BY_TAG, *(["Variant"] if self._chess960 else []))
        return {
            tag: text
            for tag, text in self._headers.items()
            if tag not in own and text not in _EMPTY_TAG_VALUES
        }

    def _stated(self, result: str) -> StatedResult | None:
        reason = self._headers.get("Reason", self._headers.get("Termination", ""))
        return None if result == "*" and not reason else StatedResult(_WINNERS[result], reason)

    def _line_numbers(self, first: int) -> Mapping[str, int]:
        """Where things stand, by the names of `Record.line_numbers`."""
        named = {"FEN": "option fen", "White": "player white", "Black": "player black", "Result": "stated"}
        known = {named.get(name, name): line for name, line in self._at.items()}
        return {"game": first, "first": first, **known, "end": self._lines.number}


def _is_pgn_word(word: str) -> bool:
    """Whether a word is made of parts of PGN alone. It goes on from part to part, and never back."""
    at = 0
    while at < len(word):
        part = _MOVETEXT_PART_PATTERN.match(word, at)
        if part is None or part.end() == at:
            return False
        at = part.end()
    return True


def _words_outside_comments(line: str, commented: bool) -> tuple[bool, list[str]]:
    """Whether a comment goes on after a line, and the words of the line that stand in none."""
    words = []
    while line:
        if commented:
            _, closed, line = line.partition("}")
            commented = not closed
        else:
            before, opened, after = line.partition("{")
            moves, note, _ = before.partition(";")
            words += moves.split()
            commented, line = bool(opened) and not note, "" if note else after
    return commented, words


def _date(text: str) -> str | None:
    if re.fullmatch(r"\d{4}\.\d\d\.\d\d", text):
        return text.replace(".", "-")
    return None if text in _EMPTY_TAG_VALUES else text


def _decode_tag_value(text: str) -> Any:
    """A tag as it was written: what is no text was written as JSON."""
    if text.startswith("json:"):
        try:
            return jsonfile.parse_value(text.removeprefix("json:"))
        except jsonfile.JsonError:
            return text
    return text


def _read(text: str, options: Mapping[str, Any]) -> Iterator[ImportedGame | UnreadableGame]:
    lines = _Lines(text)
    while True:
        found = chess.pgn.read_game(cast(TextIO, lines), Visitor=lambda: _Reader(lines, options))
        if found is None:
            return
        yield found


# Writing


def _write(record: Record) -> ExportedGame:
    """Tags, then moves with comments. Raises `NotationError` for an action that is none here."""
    left_out = [f"{len(record.commitments)} commitments"] if record.commitments else []
    if record.options.get("arrange"):
        left_out.append("how the position was set up")
        record = _from_position(record)
    movetext = _Movetext(record)
    backs = sum(text.strip().lower() == GIVE for _, text in record.actions)
    if backs:
        left_out.append(f"{backs} take-backs, with the moves that don't stand")
    braces = sum("}" in comment.text for comment in record.comments)
    if braces:
        left_out.append(f"the closing brace of {braces} comments")
    told = _tags(record)
    if not told.keys() & {"ECO", "Opening"}:
        told |= _opening_tags(movetext.board)
    tags = "".join(f"[{name} {_quote_tag_value(value)}]\n" for name, value in told.items())
    return ExportedGame(f"{tags}\n{_wrap_tokens([*movetext.tokens, _result(record)])}\n\n", tuple(left_out))


def _result(record: Record) -> str:
    if record.result is not None:
        return _RESULTS[record.result.winner or DRAW_WINNER]
    return _RESULTS["unknown" if record.stated is None else record.stated.winner]


def _tags(record: Record) -> dict[str, str]:
    date = record.date or "????.??.??"
    if re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        date = date.replace("-", ".")
    other = {
        tag: value if isinstance(value, str) else f"json:{json.dumps(value)}"
        for tag, value in record.tags.items()
        if re.fullmatch(r"\w+", tag)
    }
    tags = {
        "Event": record.event or "?",
        "Site": record.place or "?",
        "Date": date,
        "Round": other.pop("Round", "?"),
        "White": record.players.get(WHITE, "?"),
        "Black": record.players.get(BLACK, "?"),
        "Result": _result(record),
    }
    fen = record.options.get("fen", chess.STARTING_FEN)
    if record.options.get("chess960"):
        tags["Variant"] = "Chess960"
    if fen != chess.STARTING_FEN or record.options.get("chess960"):
        tags |= {"SetUp": "1", "FEN": fen}
    stated = record.stated.reason if record.stated else ""
    if record.result is not None:
        tags["Termination"] = _TIME if record.result.reason == "time" else "normal"
        tags["Reason"] = stated or record.result.reason
    elif stated:
        tags["Termination"] = stated
    more = {"Source": record.source, "Board": record.board}
    return {**tags, **{tag: value for tag, value in more.items() if value}, **other}


def _quote_tag_value(text: str) -> str:
    flat = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{flat}"'


def _without_opening_tags(record: Record) -> Record:
    """The record without the opening's name, where that is what `_write` says by itself."""
    if not {"ECO", "Opening"} <= record.tags.keys():
        return record
    try:
        own = _opening_tags(_Movetext(record).board)
    except NotationError:
        return record
    left = {tag: value for tag, value in record.tags.items() if tag not in own or own[tag] != value}
    return record if left.keys() & own.keys() else record._replace(tags=left)


def _opening_tags(board: chess.Board) -> dict[str, str]:
    """`ECO` and `Opening` of the game on a board; nothing where it has no name."""
    found = opening_of(board)
    return {} if found is None else {"ECO": found.code, "Opening": found.name}


def _from_position(record: Record) -> Record:
    """A game that begins with a set-up as one that begins with the position. Raises `NotationError`."""
    state: State = ArrangingState.begin(board_of(read_options(GAME, record.options)), record.options)
    for count, (seat, text) in enumerate(record.actions, 1):
        try:
            action = state.parse(text, seat)
            state, _ = state.apply(action)
        except (BadText, IllegalAction) as error:
            raise NotationError(f"action {count}: {error}") from None
        if str(action) in BEGIN_ACTIONS:
            comments = tuple(
                each._replace(action_count=max(0, each.action_count - count)) for each in record.comments
            )
            options = {**record.options, "fen": state.view(None).json()["fen"], "arrange": False}
            return record._replace(options=options, actions=record.actions[count:], comments=comments)
    raise NotationError("a position is set up, and nobody has begun; expected a game")


class _Movetext:
    """The moves of a record as tokens: `1.`, `e4`, `{a comment}`."""

    def __init__(self, record: Record) -> None:
        self.tokens: list[str] = []
        try:
            self.board = chess.Board(
                record.options.get("fen", chess.STARTING_FEN),
                chess960=bool(record.options.get("chess960", False)),
            )
        except ValueError as error:
            raise NotationError(f"option fen: {error}") from None
        self._reached: chess.Move | None = None
        self._numbered = self._told = False
        actions, comments = _as_it_stands(record)
        for count, (seat, text) in enumerate((*actions, (NO_SEAT, ""))):
            while comments and comments[0].action_count <= count:
                self._comment(comments.pop(0).text.replace("}", ")"))
            if seat:
                self._add_action(seat, " ".join(text.lower().split()))
        self._announce_reached()

    def _add_action(self, seat: Seat, text: str) -> None:
        if seat == CLOCK or text in TEXT_COMMANDS:
            self._comment(f"[%umpire {seat} {text}]")
        elif text in PROMOTION_KINDS and self._reached is not None:
            self._move(chess.Move(self._reached.from_square, self._reached.to_square, PROMOTION_KINDS[text]))
            self._reached = None
        else:
            self._add_hand_move(text)

    def _add_hand_move(self, text: str) -> None:
        found = _MOVE.fullmatch(text)
        if found is None:
            raise NotationError(f"{text!r}; try two squares such as e2-e4")
        start, to = map(chess.parse_square, found.groups())
        moves = [m for m in self.board.legal_moves if (m.from_square, m.to_square) == (start, to)]
        if not moves or self._reached is not None:
            raise NotationError(f"{text!r} is no legal move here")
        if moves[0].promotion is not None:
            self._reached, self._told = moves[0], False
        else:
            self._move(moves[0])

    def _move(self, move: chess.Move) -> None:
        board = self.board
        if board.turn:
            self.tokens.append(f"{board.fullmove_number}.")
        elif not self._numbered:
            self.tokens.append(f"{board.fullmove_number}...")
        self.tokens.append(board.san(move))
        board.push(move)
        self._numbered = True

    def _announce_reached(self) -> None:
        """That a pawn has reached its last rank stands alone, if anything comes before what it becomes."""
        if self._reached is not None and not self._told:
            side = SEATS[0] if self.board.turn else SEATS[1]
            self._told = True
            self._comment(f"[%umpire {side} {_move_text(self._reached)}]")

    def _comment(self, text: str) -> None:
        self._announce_reached()
        self.tokens.append(f"{{{' '.join(text.split())}}}")
        self._numbered = False


def _as_it_stands(record: Record) -> tuple[list[tuple[Seat, str]], list[RecordComment]]:
    """The actions without those that were taken back, and the comments where they stand among these."""
    kept: list[tuple[Seat, str]] = []
    comments, waiting = list[RecordComment](), list(record.comments)
    for count, (seat, words) in enumerate((*record.actions, (NO_SEAT, ""))):
        while waiting and waiting[0].action_count <= count:
            comment = waiting.pop(0)
            comments.append(comment._replace(action_count=min(comment.action_count, len(kept))))
        text = " ".join(words.lower().split())
        if text == GIVE:
            moves = [
                at
                for at, (who, said) in enumerate(kept)
                if who not in (seat, CLOCK) and _MOVE.fullmatch(said)
            ]
            if not moves:
                raise NotationError("a take-back with no move before it; try a move")
            del kept[moves[-1] :]
            comments = [each._replace(action_count=min(each.action_count, len(kept))) for each in comments]
        elif text not in (ASK, KEEP, WITHDRAW):
            kept.append((seat, words))
    return kept[:-1], comments


def _move_text(move: chess.Move) -> str:
    return f"{chess.square_name(move.from_square)}-{chess.square_name(move.to_square)}"


def _wrap_tokens(tokens: list[str]) -> str:
    """Lines of at most 79 characters, but for words that are longer. No line begins like a tag."""
    lines = [""]
    for word in " ".join(tokens).split(" "):
        fits = len(lines[-1]) + 1 + len(word) <= _LINE_LENGTH_MAX
        if not lines[-1]:
            lines[-1] = word
        elif fits or word[:1] in "[%;":
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\n".join(lines)


PGN: Final = Notation(
    name="pgn",
    file_extension="pgn",
    expected_beginning='a tag of PGN such as [Event "?"], or a first move such as 1. e4',
    games=frozenset({GAME}),
    recognises_line=lambda line: _FIRST_LINE_PATTERN.match(line) is not None,
    read=_read,
    write=_write,
    latin_1=True,
    reasons_by_phrase={reason: reason for reason in ENDS_BY_MOVES},
)
"""Import and export."""
