"""Gravon's letters and squares, for the games on 10x10.

A set-up is a text of one letter a square from a1 row by row, `A` empty, `_` a lake, Red's pieces `B` to `M`
and Blue's `N` to `Y` in the order Bomb, Spy, Scout ... Marshal, Flag. A move is two squares whose files are
written `A` to `K` without `J`. A text of games has the letters of one, then its moves, as many a line as one
likes; what follows a `#` is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from boardrules.core import Seat
from boardrules.notations import ExportedGame, ImportedGame, Notation, NotationError, UnreadableGame
from boardrules.record_types import HEADER_POSITION, Record, RecordComment, StatedResult
from boardrules.stratego import neutral_notation
from boardrules.stratego.actions import SEATS, StrategoSetup
from boardrules.stratego.board import board_by_name
from boardrules.stratego.neutral_notation import setup_from_rows

_BOARD_SIZE: Final = 10
_FILES: Final = "abcdefghij"
_GRAVON_FILES: Final = "ABCDEFGHIK"
_ROW_NUMBERS: Final = tuple(str(number) for number in range(1, _BOARD_SIZE + 1))
_RANK_ORDER: Final = ("B", "S", "2", "3", "4", "5", "6", "7", "8", "9", "10", "F")
PIECES_BY_LETTER: Final = {
    **{chr(ord("B") + number): ("red", rank) for number, rank in enumerate(_RANK_ORDER)},
    **{chr(ord("N") + number): ("blue", rank) for number, rank in enumerate(_RANK_ORDER)},
}
_FIELD_PATTERN: Final = re.compile("[A-Z_]{20,}")
_GAME_BY_PIECES: Final = {40: "stratego-classic", 10: "stratego-duel", 8: "stratego-barrage"}
"""By the pieces of one side the game."""


def setups_from_gravon(field: str) -> tuple[StrategoSetup, StrategoSetup]:
    """Both set-ups of Gravon's 100 letters. Raises `NotationError`."""
    if len(field) != _BOARD_SIZE * _BOARD_SIZE:
        raise NotationError(f"a field of {len(field)} letters; try {_BOARD_SIZE * _BOARD_SIZE}")
    pieces: dict[str, list[tuple[str, str]]] = {seat: [] for seat in SEATS}
    for count, letter in enumerate(field):
        if letter in "A_":
            continue
        square = f"{_FILES[count % _BOARD_SIZE]}{count // _BOARD_SIZE + 1}"
        if letter not in PIECES_BY_LETTER:
            raise NotationError(f"letter {letter!r} on {square}; try A to Y, or _ on a lake")
        seat, rank = PIECES_BY_LETTER[letter]
        pieces[seat].append((square, rank))
    red, blue = (StrategoSetup(seat, pieces[seat]) for seat in SEATS)
    return red, blue


def gravon_from_setups(setups: Iterable[StrategoSetup], lakes: Iterable[str]) -> str:
    """Gravon's 100 letters of both set-ups; `lakes`: the squares that are written `_`."""
    letters = {piece: letter for letter, piece in PIECES_BY_LETTER.items()}
    on = dict.fromkeys(lakes, "_")
    for setup in setups:
        on |= {square: letters[setup.seat, rank] for square, rank in setup.pieces}
    return "".join(on.get(f"{file}{number}", "A") for number in range(1, _BOARD_SIZE + 1) for file in _FILES)


def move_from_gravon(source: str, target: str) -> str:
    """`E4`, `E5` -> `e4-e5`. Raises `NotationError`."""
    return f"{_square_from_gravon(source)}-{_square_from_gravon(target)}"


def move_to_gravon(text: str) -> tuple[str, str]:
    """`j4-j5` -> `K4`, `K5`. Raises `NotationError`."""
    origin, dash, target = text.partition("-")
    if not dash:
        raise NotationError(f"{text!r}; try a move like j4-j5")
    return _square_to_gravon(origin), _square_to_gravon(target)


def _square_from_gravon(square: str) -> str:
    file, number = square[:1].upper(), square[1:]
    if file not in _GRAVON_FILES or not file or number not in _ROW_NUMBERS:
        raise NotationError(f"square {square[:40]!r}; try A1 to K10 without J")
    return f"{_FILES[_GRAVON_FILES.index(file)]}{number}"


def _square_to_gravon(square: str) -> str:
    file, number = square[:1], square[1:]
    if not file or file not in _FILES or number not in _ROW_NUMBERS:
        raise NotationError(f"square {square!r}; try a1 to j10")
    return f"{_GRAVON_FILES[_FILES.index(file)]}{number}"


def _is_field(line: str) -> bool:
    words = line.partition("#")[0].split()
    return len(words) == 1 and _FIELD_PATTERN.fullmatch(words[0]) is not None


def _read_games(text: str, options: Mapping[str, Any]) -> Iterator[ImportedGame | UnreadableGame]:
    game: GravonGame | None = None
    before: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        words, _, comment = line.partition("#")
        if _is_field(line):
            if game is not None:
                yield game.to_imported_game()
            game = GravonGame(number, words.strip(), options, before)
        elif words.strip():
            if game is None:  # `recognises_line` leaves nothing else before the first field
                yield UnreadableGame(number, f"{line.strip()[:40]!r}; try {GRAVON.expected_beginning}")
                return
            game.add_moves(number, words.replace("-", " ").split())
        if "#" in line and game is not None:
            game.add_comment(comment)
        elif "#" in line:
            before.append(comment)
    if game is not None:
        yield game.to_imported_game()


class GravonGame:
    """A game that is being read; the first thing wrong with it is kept, and the rest left unread."""

    def __init__(self, line: int, field: str, options: Mapping[str, Any], before: Iterable[str]) -> None:
        self.line = line
        self.options = options
        self.unreadable: UnreadableGame | None = None
        self.game = ""
        self.actions: list[tuple[Seat, str]] = []
        self.lines: dict[str, int] = {"game": line, **{f"option {name}": line for name in options}}
        self.comments = [_record_comment(HEADER_POSITION, each) for each in before]
        self.players: dict[Seat, str] = {}
        self.stated: StatedResult | None = None
        try:
            self._add_setups(line, field)
        except NotationError as error:
            self.unreadable = UnreadableGame(line, str(error))

    def _add_setups(self, line: int, field: str) -> None:
        setups = setups_from_gravon(field)
        pieces = len(setups[0].pieces)
        if pieces not in _GAME_BY_PIECES:
            known = ", ".join(map(str, _GAME_BY_PIECES))
            raise NotationError(f"{pieces} pieces of red; try one of {known}")
        self.game = _GAME_BY_PIECES[pieces]
        for setup in setups:
            self._add_action(line, setup.seat, str(setup))

    def _add_action(self, line: int, seat: Seat, text: str) -> None:
        self.lines[str(len(self.actions))] = line
        self.actions.append((seat, text))

    def add_moves(self, line: int, words: list[str]) -> None:
        """Take a line of squares."""
        if self.unreadable is not None:
            return
        if len(words) % 2:
            self.unreadable = UnreadableGame(line, f"{len(words)} squares; try two a move, as E4 E5")
            return
        try:
            for source, target in zip(words[::2], words[1::2], strict=True):
                self._add_action(line, SEATS[len(self.actions) % 2], move_from_gravon(source, target))
        except NotationError as error:
            self.unreadable = UnreadableGame(line, str(error))

    def add_stated_result(self, line: int, winner: str, reason: str) -> None:
        """Take what the source says of the end."""
        self.stated, self.lines["stated"] = StatedResult(winner, reason), line

    def add_player(self, line: int, seat: Seat, name: str) -> None:
        """Take who sat there."""
        self.players[seat], self.lines[f"player {seat}"] = name, line

    def add_comment(self, text: str) -> None:
        """Take a comment."""
        self.comments.append(_record_comment(len(self.actions), text))

    def to_imported_game(self) -> ImportedGame | UnreadableGame:
        """The whole of it."""
        if self.unreadable is not None:
            return self.unreadable
        return ImportedGame(
            self.line,
            Record(
                self.game,
                dict(self.options),
                tuple(self.actions),
                players=self.players,
                stated=self.stated,
                comments=tuple(self.comments),
                line_numbers=self.lines,
            ),
        )


def _record_comment(after: int, text: str) -> RecordComment:
    return RecordComment(after, text.rstrip().removeprefix(" "))


def _write_game(record: Record) -> ExportedGame:
    if record.game not in GRAVON.games:
        raise NotationError(f"{record.game}; try one of {', '.join(sorted(GRAVON.games))}")
    found, left_out = neutral_notation.neutral_from_record(record)
    setups = [setup_from_rows(seat, found[f"{seat}_setup"]) for seat in SEATS]
    grid = board_by_name("10x10")
    lines = [gravon_from_setups(setups, grid.spaces_of_mask(grid.lakes))]
    lines += [" ".join(move_to_gravon(move)) for move in found["moves"]]
    remarks: dict[int, list[str]] = {}
    for after, text in found.pop("comments", ()):
        place = max(after - 1, 1)  # the letters are both set-ups in one line; before them ends another game
        remarks.setdefault(place, []).append(f"# {text}".rstrip())
    written = [each for count in range(len(lines) + 1) for each in _lines_at(count, lines, remarks)]
    said = [key for key, each in found.items() if key not in _WRITTEN_KEYS and each not in (None, {})]
    return ExportedGame("".join(f"{line}\n" for line in written), (*said, *left_out))


def _lines_at(count: int, lines: list[str], remarks: Mapping[int, list[str]]) -> list[str]:
    """The comments before a line, and the line."""
    return [*remarks.get(count, ()), *lines[count : count + 1]]


_WRITTEN_KEYS: Final = frozenset({"variant", "red_setup", "blue_setup", "moves"})
"""What of the neutral format Gravon's has words for, beside comments."""

GRAVON: Final = Notation(
    name="gravon",
    file_extension="txt",
    expected_beginning="Gravon's 100 letters",
    games=frozenset(_GAME_BY_PIECES.values()),
    recognises_line=_is_field,
    read=_read_games,
    write=_write_game,
    reasons_by_phrase=neutral_notation.REASONS_BY_PHRASE,
)
