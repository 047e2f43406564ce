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
from boardrules.record_types import HEADER, Record, RecordComment, StatedResult
from boardrules.stratego import neutral_notation
from boardrules.stratego.actions import SEATS, StrategoSetup
from boardrules.stratego.board import board
from boardrules.stratego.neutral_notation import setup_from_rows

_SIZE: Final = 10
_FILES: Final = "abcdefghij"
_GRAVON_FILES: Final = "ABCDEFGHIK"
_NUMBERS: Final = tuple(str(number) for number in range(1, _SIZE + 1))
_RANKS: Final = ("B", "S", "2", "3", "4", "5", "6", "7", "8", "9", "10", "F")
LETTERS: Final = {
    **{chr(ord("B") + number): ("red", rank) for number, rank in enumerate(_RANKS)},
    **{chr(ord("N") + number): ("blue", rank) for number, rank in enumerate(_RANKS)},
}
_FIELD: Final = re.compile("[A-Z_]{20,}")
_BY_PIECES: Final = {40: "stratego-classic", 10: "stratego-duel", 8: "stratego-barrage"}
"""By the pieces of one side the game."""


def setups_from_gravon(field: str) -> tuple[StrategoSetup, StrategoSetup]:
    """Both set-ups of Gravon's 100 letters. Raises `NotationError`."""
    if len(field) != _SIZE * _SIZE:
        raise NotationError(f"a field of {len(field)} letters; expected {_SIZE * _SIZE}")
    pieces: dict[str, list[tuple[str, str]]] = {seat: [] for seat in SEATS}
    for count, letter in enumerate(field):
        if letter in "A_":
            continue
        square = f"{_FILES[count % _SIZE]}{count // _SIZE + 1}"
        if letter not in LETTERS:
            raise NotationError(f"letter {letter!r} on {square}; expected A to Y, or _ on a lake")
        seat, rank = LETTERS[letter]
        pieces[seat].append((square, rank))
    red, blue = (StrategoSetup(seat, pieces[seat]) for seat in SEATS)
    return red, blue


def gravon_from_setups(setups: Iterable[StrategoSetup], lakes: Iterable[str]) -> str:
    """Gravon's 100 letters of both set-ups; `lakes`: the squares that are written `_`."""
    letters = {piece: letter for letter, piece in LETTERS.items()}
    on = dict.fromkeys(lakes, "_")
    for setup in setups:
        on |= {square: letters[setup.seat, rank] for square, rank in setup.pieces}
    return "".join(on.get(f"{file}{number}", "A") for number in range(1, _SIZE + 1) for file in _FILES)


def move_from_gravon(source: str, target: str) -> str:
    """`E4`, `E5` -> `e4-e5`. Raises `NotationError`."""
    return f"{_from_gravon(source)}-{_from_gravon(target)}"


def move_to_gravon(text: str) -> tuple[str, str]:
    """`j4-j5` -> `K4`, `K5`. Raises `NotationError`."""
    origin, dash, target = text.partition("-")
    if not dash:
        raise NotationError(f"{text!r}; expected a move like j4-j5")
    return _to_gravon(origin), _to_gravon(target)


def _from_gravon(square: str) -> str:
    file, number = square[:1].upper(), square[1:]
    if file not in _GRAVON_FILES or not file or number not in _NUMBERS:
        raise NotationError(f"square {square[:40]!r}; expected A1 to K10 without J")
    return f"{_FILES[_GRAVON_FILES.index(file)]}{number}"


def _to_gravon(square: str) -> str:
    file, number = square[:1], square[1:]
    if not file or file not in _FILES or number not in _NUMBERS:
        raise NotationError(f"square {square!r}; expected a1 to j10")
    return f"{_GRAVON_FILES[_FILES.index(file)]}{number}"


def _is_field(line: str) -> bool:
    words = line.partition("#")[0].split()
    return len(words) == 1 and _FIELD.fullmatch(words[0]) is not None


def _read(text: str, options: Mapping[str, Any]) -> Iterator[ImportedGame | UnreadableGame]:
    game: GravonGame | None = None
    before: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        words, _, comment = line.partition("#")
        if _is_field(line):
            if game is not None:
                yield game.found()
            game = GravonGame(number, words.strip(), options, before)
        elif words.strip():
            if game is None:  # `fits` leaves nothing else before the first field
                yield UnreadableGame(number, f"{line.strip()[:40]!r}; expected {GRAVON.begins}")
                return
            game.move(number, words.replace("-", " ").split())
        if "#" in line and game is not None:
            game.remark(comment)
        elif "#" in line:
            before.append(comment)
    if game is not None:
        yield game.found()


class GravonGame:
    """A game that is being read; the first thing wrong with it is kept, and the rest left unread."""

    def __init__(self, line: int, field: str, options: Mapping[str, Any], before: Iterable[str]) -> None:
        self.line = line
        self.options = options
        self.bad: UnreadableGame | None = None
        self.game = ""
        self.actions: list[tuple[Seat, str]] = []
        self.lines: dict[str, int] = {"game": line, **{f"option {name}": line for name in options}}
        self.comments = [_comment(HEADER, each) for each in before]
        self.players: dict[Seat, str] = {}
        self.stated: StatedResult | None = None
        try:
            self._set_up(line, field)
        except NotationError as error:
            self.bad = UnreadableGame(line, str(error))

    def _set_up(self, line: int, field: str) -> None:
        setups = setups_from_gravon(field)
        pieces = len(setups[0].pieces)
        if pieces not in _BY_PIECES:
            known = ", ".join(map(str, _BY_PIECES))
            raise NotationError(f"{pieces} pieces of red; expected one of {known}")
        self.game = _BY_PIECES[pieces]
        for setup in setups:
            self._act(line, setup.seat, str(setup))

    def _act(self, line: int, seat: Seat, text: str) -> None:
        self.lines[str(len(self.actions))] = line
        self.actions.append((seat, text))

    def move(self, line: int, words: list[str]) -> None:
        """Take a line of squares."""
        if self.bad is not None:
            return
        if len(words) % 2:
            self.bad = UnreadableGame(line, f"{len(words)} squares; expected two a move, as E4 E5")
            return
        try:
            for source, target in zip(words[::2], words[1::2], strict=True):
                self._act(line, SEATS[len(self.actions) % 2], move_from_gravon(source, target))
        except NotationError as error:
            self.bad = UnreadableGame(line, str(error))

    def state_end(self, line: int, winner: str, reason: str) -> None:
        """Take what the source says of the end."""
        self.stated, self.lines["stated"] = StatedResult(winner, reason), line

    def seat_player(self, line: int, seat: Seat, name: str) -> None:
        """Take who sat there."""
        self.players[seat], self.lines[f"player {seat}"] = name, line

    def remark(self, text: str) -> None:
        """Take a comment."""
        self.comments.append(_comment(len(self.actions), text))

    def found(self) -> ImportedGame | UnreadableGame:
        """The whole of it."""
        if self.bad is not None:
            return self.bad
        return ImportedGame(
            self.line,
            Record(
                self.game,
                dict(self.options),
                tuple(self.actions),
                players=self.players,
                stated=self.stated,
                comments=tuple(self.comments),
                lines=self.lines,
            ),
        )


def _comment(after: int, text: str) -> RecordComment:
    return RecordComment(after, text.rstrip().removeprefix(" "))


def _written(record: Record) -> ExportedGame:
    if record.game not in GRAVON.games:
        raise NotationError(f"{record.game}; expected one of {', '.join(sorted(GRAVON.games))}")
    found, left_out = neutral_notation.neutral_from_record(record)
    setups = [setup_from_rows(seat, found[f"{seat}_setup"]) for seat in SEATS]
    grid = board("10x10")
    lines = [gravon_from_setups(setups, grid.spaces(grid.lakes))]
    lines += [" ".join(move_to_gravon(move)) for move in found["moves"]]
    remarks: dict[int, list[str]] = {}
    for after, text in found.pop("comments", ()):
        place = max(after - 1, 1)  # the letters are both set-ups in one line; before them ends another game
        remarks.setdefault(place, []).append(f"# {text}".rstrip())
    written = [each for count in range(len(lines) + 1) for each in _at(count, lines, remarks)]
    said = [key for key, each in found.items() if key not in _SAID and each not in (None, {})]
    return ExportedGame("".join(f"{line}\n" for line in written), (*said, *left_out))


def _at(count: int, lines: list[str], remarks: Mapping[int, list[str]]) -> list[str]:
    """The comments before a line, and the line."""
    return [*remarks.get(count, ()), *lines[count : count + 1]]


_SAID: Final = frozenset({"variant", "red_setup", "blue_setup", "moves"})
"""What of the neutral format Gravon's has words for, beside comments."""

GRAVON: Final = Notation(
    name="gravon",
    ending="txt",
    begins="Gravon's 100 letters",
    games=frozenset(_BY_PIECES.values()),
    fits=_is_field,
    read=_read,
    write=_written,
    reasons=neutral_notation.REASONS,
)
