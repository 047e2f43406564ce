"""Games from elsewhere: the neutral JSON of game collections, and Gravon's letters and squares.

*Neutral*: one JSON object a game with `variant`, `red_setup` and `blue_setup` (rows of ten signs, from the
row with the lower number, absolute squares; `.` is empty, `M` the Marshal) and `moves` like `a4-a5`.

*Gravon*: a set-up is a text of one letter a square from a1 row by row, `A` empty, `_` a lake, Red's pieces
`B` to `M` and Blue's `N` to `Y` in the order Bomb, Spy, Scout ... Marshal, Flag; a move is two squares whose
files are written `A` to `K` without `J`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from boardrules.core import Seat
from boardrules.record import Record
from boardrules.stratego.actions import SEATS, Setup

GAMES: Final = {"classic": "stratego-classic", "barrage": "stratego-barrage", "duel": "stratego-duel"}
"""Neutral name of a variant -> game."""

_SIZE: Final = 10
_FIRST_ROW: Final = {"red": 1, "blue": 7}
_FILES: Final = "abcdefghij"
_GRAVON_FILES: Final = "ABCDEFGHIK"
_GRAVON_RANKS: Final = ("B", "S", "2", "3", "4", "5", "6", "7", "8", "9", "10", "F")
_GRAVON_LETTERS: Final = {
    **{chr(ord("B") + number): ("red", rank) for number, rank in enumerate(_GRAVON_RANKS)},
    **{chr(ord("N") + number): ("blue", rank) for number, rank in enumerate(_GRAVON_RANKS)},
}


class FormatError(ValueError):
    """A game that can't be read. The message says what was found and what was expected."""


def setup_from_rows(seat: Seat, rows: Sequence[str]) -> Setup:
    """The set-up that neutral rows tell. Raises `FormatError`."""
    pieces = []
    if len(rows) != 4 or not all(isinstance(row, str) and len(row) == _SIZE for row in rows):
        raise FormatError(f"set-up of {seat}: expected 4 rows of {_SIZE} signs")
    for number, row in enumerate(rows, _FIRST_ROW[seat]):
        for file, sign in zip(_FILES, row, strict=True):
            if sign not in ".FBS23456789M":
                raise FormatError(
                    f"set-up of {seat}: {sign!r} on {file}{number}; expected one of .FBS23456789M"
                )
            if sign != ".":
                pieces.append((f"{file}{number}", "10" if sign == "M" else sign))
    return Setup(seat, pieces)


def rows_from_setup(setup: Setup) -> list[str]:
    """The neutral rows of a set-up."""
    ranks = {square: "M" if rank == "10" else rank for square, rank in setup.pieces}
    first = _FIRST_ROW[setup.seat]
    return [
        "".join(ranks.get(f"{file}{number}", ".") for file in _FILES) for number in range(first, first + 4)
    ]


def record_from_neutral(game: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> Record:
    """A neutral game as a record, without its result: the rules say what it is. Raises `FormatError`."""
    variant = game.get("variant")
    if variant not in GAMES:
        raise FormatError(f"variant is {variant!r}; expected one of {', '.join(GAMES)}")
    setups = [setup_from_rows(seat, game.get(f"{seat}_setup", ())) for seat in SEATS]
    moves = game.get("moves", ())
    if not isinstance(moves, (list, tuple)) or not all(isinstance(move, str) for move in moves):
        raise FormatError("moves: expected a list like a4-a5")
    actions = [
        *((setup.seat, str(setup)) for setup in setups),
        *((SEATS[count % 2], move) for count, move in enumerate(moves)),
    ]
    return Record(GAMES[variant], dict(options or {}), tuple(actions))


def neutral_from_record(record: Record) -> dict[str, Any]:
    """A record of a game on 10x10 in the neutral format: its last set-ups and its moves.

    Raises `FormatError` for a game that the format has no name for, or one with a take-back.
    """
    variants = {game: variant for variant, game in GAMES.items()}
    if record.game not in variants:
        raise FormatError(f"{record.game}: expected one of {', '.join(variants)}")
    rows: dict[str, list[str]] = {}
    moves = []
    for seat, text in record.actions:
        if text == "agree-take-back":
            raise FormatError("a take-back: the format has no word for it")
        if text.startswith("setup "):
            pieces = [word.partition("=") for word in text.split()[1:]]
            rows[seat] = rows_from_setup(Setup(seat, ((square, rank) for square, _, rank in pieces)))
        elif seat in SEATS and "-" in text and text[0] in _FILES and text[1].isdigit():
            moves.append(text)
    result = record.result
    return {
        "variant": variants[record.game],
        **{f"{seat}_setup": rows.get(seat, []) for seat in SEATS},
        "moves": moves,
        "result": None if result is None else {"winner": result.winner or "draw", "reason": result.reason},
    }


def setups_from_gravon(field: str) -> tuple[Setup, Setup]:
    """Both set-ups of Gravon's 100 letters. Raises `FormatError`."""
    if len(field) != _SIZE * _SIZE:
        raise FormatError(f"a field of {len(field)} letters; expected {_SIZE * _SIZE}")
    pieces: dict[str, list[tuple[str, str]]] = {seat: [] for seat in SEATS}
    for count, letter in enumerate(field):
        if letter in "A_":
            continue
        square = f"{_FILES[count % _SIZE]}{count // _SIZE + 1}"
        if letter not in _GRAVON_LETTERS:
            raise FormatError(f"letter {letter!r} on {square}; expected A to Y, or _ on a lake")
        seat, rank = _GRAVON_LETTERS[letter]
        pieces[seat].append((square, rank))
    return Setup("red", pieces["red"]), Setup("blue", pieces["blue"])


def gravon_from_setups(setups: Iterable[Setup], lakes: Iterable[str]) -> str:
    """Gravon's 100 letters of both set-ups; `lakes`: the squares that are written `_`."""
    letters = {piece: letter for letter, piece in _GRAVON_LETTERS.items()}
    on = dict.fromkeys(lakes, "_")
    for setup in setups:
        on |= {square: letters[setup.seat, rank] for square, rank in setup.pieces}
    return "".join(on.get(f"{file}{number}", "A") for number in range(1, _SIZE + 1) for file in _FILES)


def move_from_gravon(source: str, target: str) -> str:
    """`E4`, `E5` -> `e4-e5`. Raises `FormatError`."""
    return f"{_from_gravon(source)}-{_from_gravon(target)}"


def move_to_gravon(text: str) -> tuple[str, str]:
    """`j4-j5` -> `K4`, `K5`. Raises `FormatError`."""
    origin, dash, target = text.partition("-")
    if not dash:
        raise FormatError(f"{text!r}; expected a move like j4-j5")
    return _to_gravon(origin), _to_gravon(target)


def _from_gravon(square: str) -> str:
    file, number = square[:1].upper(), square[1:]
    if file not in _GRAVON_FILES or not file or number not in _NUMBERS:
        raise FormatError(f"square {square!r}; expected A1 to K10 without J")
    return f"{_FILES[_GRAVON_FILES.index(file)]}{number}"


def _to_gravon(square: str) -> str:
    file, number = square[:1], square[1:]
    if not file or file not in _FILES or number not in _NUMBERS:
        raise FormatError(f"square {square!r}; expected a1 to j10")
    return f"{_GRAVON_FILES[_FILES.index(file)]}{number}"


_NUMBERS: Final = tuple(str(number) for number in range(1, _SIZE + 1))
