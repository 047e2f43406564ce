"""The files of Gravon's archive: XML (StraDoS2) and its older GSN, with set-ups as in `gravon_notation`.

    <stratego><game type="classic"><field content="..."/><move id="1" source="E4" target="E5"/>
    <player id="1">...</player><result type="1" winner="1"/></game></stratego>

    #X38FA11 Stratego-Notation v2
    type0
    ... (the field, a line for each move such as E4-E5)
    END
    RED vs BLUE result 1 winner 0

Row 10 is written `:` in a square. Games of *Ultimate Lightning*, whose pieces can come back, aren't played
here. A document type, entities and instructions of XML are refused: no file of the archive has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from xml.parsers import expat
from xml.sax.saxutils import escape

from boardrules.notations import ExportedGame, ImportedGame, Notation, NotationError, UnreadableGame
from boardrules.record_types import DRAW_WINNER, Record
from boardrules.stratego import neutral_notation
from boardrules.stratego.actions import SEATS
from boardrules.stratego.board import board_by_name
from boardrules.stratego.gravon_notation import GRAVON, GravonGame, gravon_from_setups, move_to_gravon
from boardrules.stratego.neutral_notation import setup_from_rows

_GAME_TYPES: Final = ("classic", "barrage", "classicfree", "ultimate lightning", "duell")
"""By the number of GSN the name of XML."""
_TYPE_BY_GAME: Final = {"stratego-classic": 0, "stratego-barrage": 1, "stratego-duel": 4}
_LIGHTNING: Final = "ultimate lightning"
_WINNERS: Final = (*SEATS, DRAW_WINNER)
"""By the number of GSN; XML counts from 1."""
_ENDINGS: Final = {
    0: "unable to move",
    1: "flag captured",
    2: "both unable to move",
    3: "forfeit",
    4: "tie agreed",
    10: "both missing",
    11: "player clock timed out",
    12: "game clock timed out",
    13: "player clock timed out (and player was missing)",
    14: "opponent missing",
}
"""By its number how a game ended."""
_MAX_DEPTH: Final = 16
"""How deep elements may stand within each other; those of a game do so four deep."""
_GSN_MARK: Final = "#X38FA11 Stratego-Notation v"
_RESULT_PATTERN: Final = re.compile(r"(.*) vs (.*) result (\d{1,3}) winner (\d)")
_MOVE_PATTERN: Final = re.compile(r"([A-K][1-9:])-([A-K][1-9:])")


class _XmlDocument:
    """The games of an XML document as they are parsed."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.games: list[ImportedGame | UnreadableGame] = []
        self._options = options
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._refuse_markup
        self._parser.ProcessingInstructionHandler = self._refuse_markup
        self._game: GravonGame | None = None
        self._bad: UnreadableGame | None = None
        self._unread: list[str] = []
        self._player = ""
        self._name = ""
        self._open: list[str] = []

    def parse(self, text: str) -> None:
        """Parse all of it. What can't be parsed is told after the games before it."""
        try:
            self._parser.Parse(text, True)
        except expat.ExpatError as error:
            told = expat.ErrorString(error.code)
            self.games.append(UnreadableGame(error.lineno, f"not XML: {told}; try Gravon's <stratego>"))
        except NotationError as error:
            self.games.append(UnreadableGame(self._line_number, str(error)))

    @property
    def _line_number(self) -> int:
        return self._parser.CurrentLineNumber

    def _refuse_markup(self, *rest: object) -> None:
        raise NotationError("a document type or an instruction; try Gravon's <stratego> alone")

    def _start(self, name: str, found: dict[str, str]) -> None:
        if not self._open and name != "stratego":
            raise NotationError(f"<{name[:40]}>; try <stratego>")
        if len(self._open) == _MAX_DEPTH:
            raise NotationError(f"<{name[:40]}>: elements more than {_MAX_DEPTH} deep; try those of a game")
        self._open.append(name)
        if name == "game":
            self._game, self._bad = None, None
            self._unread = []
            if found.get("type") == _LIGHTNING:
                self._mark_unreadable(f"type is {_LIGHTNING!r}, whose pieces come back; it isn't played here")
            elif (kind := found.get("type", _GAME_TYPES[0])) not in _GAME_TYPES:
                self._mark_unreadable(f"type is {kind[:40]!r}; try one of {', '.join(_GAME_TYPES)}")
        elif "game" not in self._open or self._bad is not None:
            return
        elif name == "field" and self._game is not None:
            self._mark_unreadable("a second field; try one a game")
        elif name == "field":
            self._game = GravonGame(self._line_number, found.get("content", ""), self._options, ())
        elif name == "player":
            self._player, self._name = found.get("id", ""), ""
        elif name in ("move", "result") and self._game is None:
            self._mark_unreadable("no field; try the set-ups before moves and a result")
        elif name in ("move", "result") and self._game is not None and self._game.stated is not None:
            self._mark_unreadable(f"a {name} after the result; try a result at the end")
        elif name == "move" and self._game is not None:
            squares = [_expand_square(found.get(key, "")) for key in ("source", "target")]
            self._game.add_moves(self._line_number, squares)
        elif name == "result" and self._game is not None:
            self._read_result(found.get("type", ""), found.get("winner", ""))
        elif name == "rescue":
            self._mark_unreadable("a rescued piece; try a game whose pieces don't come back")
        else:
            self._unread.append(f"line {self._line_number}: <{name[:40]}>")

    def _read_result(self, ending: str, winner: str) -> None:
        assert self._game is not None
        if not (winner.isascii() and winner.isdigit() and 1 <= int(winner) <= len(_WINNERS)):
            self._mark_unreadable(f"winner is {winner[:40]!r}; try 1, 2, or 3 for a draw")
        elif not (ending.isascii() and ending.isdigit() and len(ending) < 4):
            self._mark_unreadable(f"type of the result is {ending[:40]!r}; try a number")
        else:
            self._game.add_stated_result(self._line_number, _WINNERS[int(winner) - 1], _ending(int(ending)))

    def _text(self, text: str) -> None:
        if self._open and self._open[-1] == "player":
            self._name += text

    def _end(self, name: str) -> None:
        self._open.pop()
        if name == "player" and self._game is not None and self._player in ("1", "2"):
            if found := " ".join(self._name.split()):
                self._game.add_player(self._line_number, SEATS[int(self._player) - 1], found)
        elif name == "game":
            if self._game is None and self._bad is None:
                self._mark_unreadable("no field: the game ended before both sides had set up")
            self.games.append(self._bad or self._finish_game())

    def _finish_game(self) -> ImportedGame | UnreadableGame:
        assert self._game is not None
        found = self._game.to_imported_game()
        return found._replace(unread_parts=tuple(self._unread)) if isinstance(found, ImportedGame) else found

    def _mark_unreadable(self, told: str) -> None:
        self._bad = self._bad or UnreadableGame(self._line_number, told)


def _expand_square(text: str) -> str:
    """`K:` -> `K10`."""
    return text.replace(":", "10") if len(text) == 2 else text


def _ending(number: int) -> str:
    return _ENDINGS.get(number, f"ending {number}")


def _read_xml(text: str, options: Mapping[str, Any]) -> Iterator[ImportedGame | UnreadableGame]:
    """Documents may stand one after the other."""
    begins = [each.start() for each in re.finditer(r"^\s*<\?xml\b", text, re.MULTILINE)] or [0]
    for begin, end in zip(begins, [*begins[1:], len(text)], strict=True):
        part = text[begin:end].lstrip()
        before = text.count("\n", 0, end - len(part))
        document = _XmlDocument(options)
        document.parse(part)
        yield from (_shift_lines(each, before) for each in document.games)


def _shift_lines(game: ImportedGame | UnreadableGame, lines: int) -> ImportedGame | UnreadableGame:
    """A game whose text begins so many lines further down."""
    if isinstance(game, UnreadableGame):
        return game._replace(line=game.line + lines)
    places = {name: line + lines for name, line in game.record.line_numbers.items()}
    return game._replace(line=game.line + lines, record=game.record._replace(line_numbers=places))


def _read_gsn(text: str, options: Mapping[str, Any]) -> Iterator[ImportedGame | UnreadableGame]:
    """Each mark begins a game."""
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    begins = [place for place, (_, line) in enumerate(lines) if line.startswith(_GSN_MARK)]
    for place, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        found = [(number, line) for number, line in lines[place:end] if line]
        try:
            yield _read_gsn_game(found, options).to_imported_game()
        except _GsnError as error:
            yield UnreadableGame(error.line, str(error))


class _GsnError(Exception):
    """What is wrong with a game, at its line."""

    def __init__(self, line: int, told: str) -> None:
        super().__init__(told)
        self.line = line


def _read_gsn_game(lines: list[tuple[int, str]], options: Mapping[str, Any]) -> GravonGame:
    rest = iter(lines)
    last = lines[-1][0]

    def take(expected: str) -> tuple[int, str]:
        try:
            return next(rest)
        except StopIteration:
            raise _GsnError(last, f"the text ends here; try {expected}") from None

    number, mark = take("a mark")
    if mark.removeprefix(_GSN_MARK) not in ("1", "2"):
        raise _GsnError(number, f"{mark[:60]!r}; try version 1 or 2")
    number, kind = take("a type")
    if not re.fullmatch(r"type\s*=?\s*[0-4]", kind):
        raise _GsnError(number, f"{kind[:40]!r}; try type0 to type4")
    if _GAME_TYPES[int(kind[-1])] == _LIGHTNING:
        raise _GsnError(number, f"{kind} is {_LIGHTNING}, whose pieces come back; it isn't played here")
    number, field = take("a field")
    if field == "END":
        raise _GsnError(number, "no field: the game ended before both sides had set up")
    game = GravonGame(number, field, options, ())
    while True:
        number, line = take("END")
        if line == "END":
            break
        squares = _MOVE_PATTERN.fullmatch(line)
        if squares is None:
            raise _GsnError(number, f"{line[:40]!r}; try a move such as E4-E5, or END")
        game.add_moves(number, [_expand_square(square) for square in squares.groups()])
    number, line = take("a result")
    said = _RESULT_PATTERN.fullmatch(line)
    if said is None or int(said[4]) >= len(_WINNERS):
        raise _GsnError(number, f"{line[:60]!r}; try RED vs BLUE result NUMBER winner 0 to 2")
    for seat, name in zip(SEATS, said.groups()[:2], strict=True):
        if name.strip():
            game.add_player(number, seat, name.strip())
    game.add_stated_result(number, _WINNERS[int(said[4])], _ending(int(said[3])))
    for number, line in rest:
        raise _GsnError(number, f"{line[:40]!r} after the result; try another game")
    return game


# Writing


class _GameParts:
    """A game in the parts that both ways to write have."""

    def __init__(self, record: Record) -> None:
        if record.game not in _TYPE_BY_GAME:
            raise NotationError(f"{record.game}; try one of {', '.join(_TYPE_BY_GAME)}")
        found, left_out = neutral_notation.neutral_from_record(record)
        grid = board_by_name("10x10")
        setups = [setup_from_rows(seat, found[f"{seat}_setup"]) for seat in SEATS]
        self.kind = _TYPE_BY_GAME[record.game]
        self.field = gravon_from_setups(setups, grid.spaces_of_mask(grid.lakes))
        self.moves = [
            tuple(_shorten_square(square) for square in move_to_gravon(move)) for move in found["moves"]
        ]
        self.players = [record.players.get(seat, f"Player {n}") for n, seat in enumerate(SEATS, 1)]
        self.ending, self.winner, told = self._result_numbers(found["result"])
        said = [key for key, each in found.items() if key not in _WRITTEN_KEYS and each not in (None, {})]
        self.left_out = (*said, *told, *left_out)

    def _result_numbers(self, result: Mapping[str, Any] | None) -> tuple[int, int, tuple[str, ...]]:
        """Numbers of GSN; of what the format has no number for the nearest, and that this is so."""
        if result is None or result["winner"] is None:
            raise NotationError("a game without an end; try one that somebody won, or a draw")
        winner = result["winner"]
        numbers = {words: number for number, words in _ENDINGS.items()}
        known = {
            "flag": 1,
            "no-move": 2 if winner == DRAW_WINNER else 0,
            "resignation": 3,
            "draw": 4,
            **numbers,
        }
        number = known.get(result["reason"])
        told = () if number is not None else (f"the reason {result['reason']}",)
        return (4 if winner == DRAW_WINNER else 3) if number is None else number, _WINNERS.index(winner), told


_WRITTEN_KEYS: Final = frozenset({"variant", "red_setup", "blue_setup", "moves", "result", "players"})


def _shorten_square(square: str) -> str:
    """`K10` -> `K:`."""
    return square.replace("10", ":")


def _write_xml(record: Record) -> ExportedGame:
    game = _GameParts(record)
    moves = (
        f'  <move id="{number}" source="{source}" target="{target}"/>'
        for number, (source, target) in enumerate(game.moves, 1)
    )
    players = (f'  <player id="{n}">{escape(name)}</player>' for n, name in enumerate(game.players, 1))
    lines = (
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<stratego>",
        f' <game type="{_GAME_TYPES[game.kind]}">',
        f'  <field content="{game.field}"/>',
        *moves,
        *players,
        f'  <result type="{game.ending}" winner="{game.winner + 1}"/>',
        " </game>",
        "</stratego>",
    )
    return ExportedGame("".join(f"{line}\n" for line in lines), game.left_out)


def _write_gsn(record: Record) -> ExportedGame:
    game = _GameParts(record)
    names = [" ".join(name.split()) for name in game.players]
    lines = (
        f"{_GSN_MARK}2",
        f"type{game.kind}",
        game.field,
        *("-".join(move) for move in game.moves),
        "END",
        f"{names[0]} vs {names[1]} result {game.ending} winner {game.winner}",
    )
    return ExportedGame("".join(f"{line}\n" for line in lines), game.left_out)


GRAVON_XML: Final = Notation(
    name="gravon-xml",
    file_extension="xml",
    expected_beginning="Gravon's XML",
    games=frozenset(_TYPE_BY_GAME),
    recognises_line=lambda line: line.startswith(("<?xml", "<stratego", "<!")),
    read=_read_xml,
    write=_write_xml,
    latin_1=True,
    reasons_by_phrase=GRAVON.reasons_by_phrase,
)
GRAVON_GSN: Final = Notation(
    name="gravon-gsn",
    file_extension="gsn",
    expected_beginning=f"{_GSN_MARK}2",
    games=frozenset(_TYPE_BY_GAME),
    recognises_line=lambda line: line.startswith(_GSN_MARK),
    read=_read_gsn,
    write=_write_gsn,
    latin_1=True,
    reasons_by_phrase=GRAVON.reasons_by_phrase,
)
