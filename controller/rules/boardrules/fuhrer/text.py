"""Reading what a seat writes: `munich-berlin`, `ask bonn`, `go ulm ticket`, `roll 2`, `sheet ulm ulm ...`.

Small and capital letters, blanks and a dash left out are read as in `lenient_parsing`.
"""

from __future__ import annotations

from typing import Final

from boardrules import lenient_parsing
from boardrules.core import CHANCE, CLOCK, Action, BadText, Seat, UnknownSeat
from boardrules.fuhrer import actions
from boardrules.fuhrer.actions import (
    HITLER,
    PIECES,
    UNTOLD_ORIGIN,
    ChooseStart,
    EnteredSheet,
    HitlerTurn,
    MovePiece,
    PlacePiece,
    Recapture,
    SheetEntry,
    SpyQuestion,
    WordAction,
    interned_action,
)
from boardrules.fuhrer.ends import MAX_ROUNDS
from boardrules.fuhrer.movement import TICKETS
from boardrules.fuhrer.rules import FuhrerRules

_HITLER_TEXTS: Final = ("go CITY", "go CITY ticket", actions.RECAPTURE, "hide CITY")
_PAPER_TEXTS: Final = (
    "written",
    "written ticket token=CITY",
    "written recapture=CITY",
    "sheet CITY CITY ...",
)
_ALLIED_TEXTS: Final = ("tank CITY", "a move like CITY-CITY", "ask CITY")


def parse(text: str, seat: Seat, rules: FuhrerRules) -> Action:
    """The action that `seat` writes as `text`, legal or not. Raises `BadText`."""
    if seat not in (*rules.seats, CHANCE, CLOCK):
        raise UnknownSeat(seat, rules.seats)
    words = lenient_parsing.words(text)
    joined = " ".join(words)
    if seat in (CHANCE, CLOCK):
        known = (*rules.choices.die_faces, *actions.table_word_actions(rules.board, CLOCK, rules.seats))
        for action in known:
            if action.seat == seat and str(action) == joined:
                return action
    elif joined in (*actions.GAME_WORDS, *actions.TABLE_WORDS):
        return interned_action(WordAction, rules.board, seat, joined)
    else:
        read = _parse_hitler(words, rules) if seat == HITLER else _parse_allied(words, seat, rules)
        if read is not None:
            return read
    raise BadText(
        f"{_quote_if_public(text, seat)} is no action of {seat}; try"
        f" {', '.join(_expected_texts(seat, rules))}"
    )


def _expected_texts(seat: Seat, rules: FuhrerRules) -> tuple[str, ...]:
    if seat == CHANCE:
        return tuple(str(face) for face in rules.choices.die_faces)
    if seat == CLOCK:
        return tuple(f"time {other}" for other in rules.seats)
    own = (_PAPER_TEXTS if rules.is_paper_sheet else _HITLER_TEXTS) if seat == HITLER else _ALLIED_TEXTS
    return (*own, *actions.GAME_WORDS, *actions.TABLE_WORDS)


def _quote_if_public(text: str, seat: Seat) -> str:
    """What Hitler has mistyped is a secret all the same: it is never repeated."""
    return "that" if seat == HITLER or len(text) > 40 else repr(text)


def _parse_allied(words: list[str], seat: Seat, rules: FuhrerRules) -> Action | None:
    index = rules.board.index
    match words:
        case [name, city] if name in PIECES and city in index:
            return interned_action(PlacePiece, rules.board, seat, PIECES.index(name), index[city])
        case ["ask", city] if city in index:
            return interned_action(SpyQuestion, rules.board, seat, index[city])
        case ["ask", one, other] if one in index and other in index and one != other:
            return interned_action(SpyQuestion, rules.board, seat, *sorted((index[one], index[other])))
    way = lenient_parsing.split_pair(words, index)
    return (
        None if way is None else interned_action(MovePiece, rules.board, seat, index[way[0]], index[way[1]])
    )


def _parse_hitler(words: list[str], rules: FuhrerRules) -> Action | None:
    board = rules.board
    match words:
        case ["hide", city] if city in board.index:
            return interned_action(ChooseStart, board, HITLER, board.index[city])
        case [actions.RECAPTURE]:
            return interned_action(Recapture, board, HITLER)
        case ["go", city, *tickets] if city in board.index:
            origins = _parse_origins(tickets, rules)
            return (
                None
                if origins is None
                else interned_action(HitlerTurn, board, HITLER, board.index[city], origins)
            )
        case ["written", *rest]:
            return _parse_sheet_entry(rest, rules)
        case ["sheet", *entries] if 0 < len(entries) <= MAX_ROUNDS and set(entries) <= set(board.index):
            return EnteredSheet(HITLER, tuple(entries))
    return None


def _parse_origins(words: list[str], rules: FuhrerRules) -> tuple[int, ...] | None:
    """The flights that are written as `ticket` or `ticket=bonn`."""
    index, found = rules.board.index, []
    for word in words:
        name, equals, city = word.partition("=")
        if name != "ticket" or (equals and city not in index):
            return None
        found.append(index[city] if equals else UNTOLD_ORIGIN)
    return tuple(found) if len(found) <= TICKETS else None


def _parse_sheet_entry(words: list[str], rules: FuhrerRules) -> Action | None:
    index = rules.board.index
    named: dict[str, int] = {}
    tickets = []
    for word in words:
        name, equals, city = word.partition("=")
        if name == "ticket":
            tickets.append(word)
        elif name in ("recapture", "token") and equals and city in index and name not in named:
            named[name] = index[city]
        else:
            return None
    origins = _parse_origins(tickets, rules)
    if origins is None:
        return None
    return interned_action(
        SheetEntry, rules.board, HITLER, origins, named.get("recapture"), named.get("token")
    )
