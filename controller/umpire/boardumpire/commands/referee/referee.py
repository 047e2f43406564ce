"""A referee with full access to the game state, for programs that run matches and for tests."""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TextIO

import boardrules
from boardrules import record as records
from boardrules import schema as schema_words
from boardrules.core import (
    CHANCE,
    CLOCK,
    ActionSample,
    BadText,
    IllegalAction,
    OptionError,
    Refusal,
    Seat,
    State,
)
from boardrules.game import Game
from boardrules.ranges import OptionRange
from boardrules.schema import ANYTHING, NUMBER, TEXT, YES_NO, Schema
from boardumpire.commands.referee import position_text
from boardumpire.commands.referee.protocol import (
    AT,
    PROTOCOL,
    SEAT,
    VIEWER,
    Answer,
    BadLine,
    RequestField,
    RequestVerb,
    error,
    helped,
    read,
    short,
)
from boardumpire.commands.referee.referee_table import RefereeTable
from boardumpire.messages import announce

_log = logging.getLogger(__name__)
GAME = RequestField(TEXT, "the id of a game")
OPTIONS = RequestField(schema_words.by_name(ANYTHING), "an object of options", needed=False)
ACTION = RequestField(TEXT, "the text of an action")
_OBJECT: Schema = {"type": "object"}
_NAMES = schema_words.rows(TEXT)
STANDING: Mapping[str, Schema] = {"game": TEXT, "seats": _NAMES, "to_act": _NAMES}
OVER: Mapping[str, Schema] = {"outcome": schema_words.OUTCOME}
EVENTS = schema_words.rows(schema_words.some({"kind": TEXT}, {"text": TEXT}))
"""What has happened, in order; what else an event holds goes by its kind."""
LEGAL: Mapping[str, Schema] = {
    "actions": _NAMES,
    "table": schema_words.of(_NAMES, "resign, offers"),
}
SAMPLE: Mapping[str, Schema] = {
    "sample": schema_words.of(YES_NO, "true where `actions` are some of too many to list")
}
_OPTION = schema_words.some(
    {"name": TEXT, "value": ANYTHING},
    {"label": TEXT, "values": schema_words.rows(ANYTHING), "least": NUMBER, "most": NUMBER, "expected": TEXT},
)
_HELPED = schema_words.by_name(
    schema_words.some(
        {
            "means": TEXT,
            "fields": schema_words.by_name(
                schema_words.some({"expected": TEXT, "needed": YES_NO, "schema": _OBJECT})
            ),
            "answer": _OBJECT,
        }
    )
)
MOST = 64
"""How many games one process holds."""

COMMON: Mapping[str, RequestVerb] = {
    "hello": RequestVerb(
        "who this is: protocol, version, verbs",
        answer={
            "protocol": NUMBER,
            "name": TEXT,
            "version": TEXT,
            "seat": schema_words.of(schema_words.maybe(TEXT), "null, or the one that is spoken for"),
            "verbs": _NAMES,
        },
    ),
    "help": RequestVerb(
        "what a verb takes",
        {"verb": RequestField(TEXT, "a verb", needed=False)},
        {"verbs": schema_words.of(_HELPED, "by verb what it means, its fields and its answer")},
    ),
    "games": RequestVerb(
        "which games there are",
        answer={
            "games": schema_words.of(
                schema_words.rows(schema_words.some({"game": TEXT, "title": TEXT})), "id and title of each"
            )
        },
    ),
    "options": RequestVerb(
        "the options of a game, each with its value and what it may be",
        {"game": GAME},
        {
            "options": schema_words.of(
                schema_words.rows(_OPTION),
                "`name`, `value`, for some `label`, and what `new` takes without other options: `values`, or"
                " whole numbers from `least` to `most`, or in words `expected`",
            )
        },
    ),
    "schema": RequestVerb(
        "what the views of a game hold, as JSON Schema",
        {"game": GAME},
        {"schema": schema_words.of(_OBJECT, "[what views hold](#what-views-hold)")},
    ),
    "quit": RequestVerb("end; this is answered, and nothing after it"),
}
"""Verbs that need no game."""
ABOUT_GAME: Mapping[str, Mapping[str, Schema]] = {
    "view": {"view": _OBJECT},
    "board": {"board": schema_words.of(TEXT, "the same, drawn as text")},
    "position": {"position": TEXT},
    "record": {"record": schema_words.of(TEXT, "[the game written down](records.md)")},
}
"""By verb its answer, to who may know everything and to a seat alone."""
VERBS: Mapping[str, RequestVerb] = {
    **COMMON,
    "new": RequestVerb(
        "begin a game; with a seed chance acts by itself",
        {
            "game": GAME,
            "options": OPTIONS,
            "seed": RequestField(schema_words.maybe(NUMBER), "a whole number, or null", needed=False),
            "at": AT,
        },
        {**STANDING, "events": EVENTS},
        OVER,
    ),
    "legal": RequestVerb("what a seat may do", {"seat": SEAT, "at": AT}, LEGAL, SAMPLE),
    "act": RequestVerb(
        "a seat does something", {"seat": SEAT, "action": ACTION, "at": AT}, {"events": EVENTS}
    ),
    "undo": RequestVerb(
        "the last action did not happen, nor what chance did after it", {"at": AT}, STANDING, OVER
    ),
    "view": RequestVerb("what a seat may know", {"seat": VIEWER, "at": AT}, ABOUT_GAME["view"]),
    "board": RequestVerb("the same as text", {"seat": VIEWER, "at": AT}, ABOUT_GAME["board"]),
    "truth": RequestVerb(
        "everything, secrets included",
        {"at": AT},
        {"truth": schema_words.of(_OBJECT, "everything, secrets included")},
    ),
    "position": RequestVerb(
        "the whole position as text, or as a seat may know it; with a text that position is taken",
        {
            "seat": VIEWER._replace(needed=False),
            "text": RequestField(TEXT, "a position", needed=False),
            "at": AT,
        },
        more={
            "position": schema_words.of(TEXT, "with `text` that one is taken, and answered as `load`"),
            **STANDING,
            **OVER,
        },
    ),
    "record": RequestVerb("the game written down", {"at": AT}, ABOUT_GAME["record"]),
    "load": RequestVerb(
        "take a game as it was written down",
        {"record": RequestField(TEXT, "the text of a record"), "at": AT},
        STANDING,
        OVER,
    ),
}


class Referee:
    """Several games, each by its name, and the answers about them."""

    def __init__(self) -> None:
        self._tables: dict[str, RefereeTable] = {}
        self.ended = False
        """Whether it was told to quit."""
        self._verbs: Mapping[str, Callable[..., Answer]] = {
            "hello": self._hello,
            "help": lambda verb=None: helped(VERBS, verb),
            "games": games,
            "options": options,
            "schema": schema,
            "quit": self._quit,
            "new": self._new,
            "legal": self._legal,
            "act": self._act,
            "undo": self._undo,
            "view": self._view,
            "board": self._board,
            "truth": self._truth,
            "position": self._position,
            "record": self._record,
            "load": self._load,
        }

    def answer(self, line: str) -> Answer:
        """The answer to one line, whatever it holds."""
        return answered(line, VERBS, self._verbs)

    # Verbs that need no game

    def _hello(self) -> Answer:
        return hello(VERBS, None)

    def _quit(self) -> Answer:
        self.ended = True
        return {"ok": True}

    # A game

    def _new(
        self, game: str, options: Mapping[str, Any] | None = None, seed: int | None = None, at: str = ""
    ) -> Answer:
        table = RefereeTable(Game(boardrules.new(game, options or {})), seed)
        events = table.throw()
        self._keep(at, table)
        return {"ok": True, **standing(table.state), "events": [event.json() for event in events]}

    def _legal(self, seat: Seat, at: str = "") -> Answer:
        state = self._table(at).state
        _check_seat(seat, (*state.seats, CHANCE, CLOCK))
        return legal(state, seat)

    def _act(self, seat: Seat, action: str, at: str = "") -> Answer:
        table = self._table(at)
        _check_seat(seat, (*table.state.seats, CHANCE, CLOCK))
        try:
            events = table.act(seat, action)
        except IllegalAction as refused:
            return refusal(refused.refusal, table.state)
        return {"ok": True, "events": [event.json() for event in events]}

    def _undo(self, at: str = "") -> Answer:
        table = self._table(at)
        if not table.undo():
            raise BadLine("nothing-to-undo", "nothing has been done yet; expected an act first")
        return {"ok": True, **standing(table.state)}

    def _view(self, seat: Seat | None, at: str = "") -> Answer:
        return {"ok": True, "view": self._seen(seat, at).view(seat).json()}

    def _board(self, seat: Seat | None, at: str = "") -> Answer:
        return {"ok": True, "board": self._seen(seat, at).view(seat).text()}

    def _truth(self, at: str = "") -> Answer:
        return {"ok": True, "truth": self._table(at).state.truth()}

    def _position(self, text: str | None = None, at: str = "", **seat: Seat | None) -> Answer:
        if text is not None:
            if seat:
                raise BadLine("unknown-field", "position: seat and text together; expected one of them")
            return self._take(position_text.read(text), at)
        table = self._table(at)
        if seat and seat["seat"] is not None:
            _check_seat(seat["seat"], table.state.seats)
        told = position_text.write(table.game.start, table.game.actions, seat.get("seat"), whole=not seat)
        return {"ok": True, "position": told}

    def _record(self, at: str = "") -> Answer:
        return {"ok": True, "record": self._table(at).record()}

    def _load(self, record: str, at: str = "") -> Answer:
        parsed = records.parse(record)
        records.final_state(parsed)  # raises for what can't be played, before anything changes
        table = RefereeTable(Game(records.begin(parsed).state), parsed.seed)
        table.replay(tuple((seat, text) for seat, text in parsed.actions))
        self._keep(at, table)
        return {"ok": True, **standing(table.state)}

    def _take(self, wanted: position_text.ParsedPosition, at: str) -> Answer:
        table = RefereeTable(Game(boardrules.new(wanted.game, wanted.options)))
        for number, (seat, text) in enumerate(wanted.actions, 2):
            try:
                _check_seat(seat, (*table.state.seats, CHANCE, CLOCK))
                table.replay(((seat, text),))
            except (BadLine, BadText, IllegalAction) as wrong:
                raise BadLine("bad-position", f"line {number}: {wrong}") from None
        self._keep(at, table)
        return {"ok": True, **standing(table.state)}

    # Inside

    def _keep(self, at: str, table: RefereeTable) -> None:
        if at not in self._tables and len(self._tables) == MOST:
            raise BadLine("too-many", f"{MOST} games are held already; expected one of their names")
        self._tables[at] = table

    def _table(self, at: str) -> RefereeTable:
        if at not in self._tables:
            where = f" at {short(at)}" if at else ""
            raise BadLine("no-game", f"there is no game{where} yet; expected new or load first")
        return self._tables[at]

    def _seen(self, seat: Seat | None, at: str) -> State:
        state = self._table(at).state
        if seat is not None:
            _check_seat(seat, state.seats)
        return state


def answered(
    line: str, verbs: Mapping[str, RequestVerb], does: Mapping[str, Callable[..., Answer]]
) -> Answer:
    """The answer to one line, whatever it holds, by what `does` each of the verbs."""
    try:
        verb, fields = read(line, verbs)
    except BadLine as wrong:
        return error(wrong.code, str(wrong))
    try:
        return does[verb](**fields)
    except BadLine as wrong:
        return error(wrong.code, str(wrong))
    except boardrules.UnknownGame as wrong:
        return error("unknown-game", str(wrong))
    except OptionError as wrong:
        return error("bad-option", str(wrong))
    except BadText as wrong:
        return error("bad-action", str(wrong))
    except position_text.BadPosition as wrong:
        return error("bad-position", str(wrong))
    except records.RecordError as wrong:
        return error("bad-record", str(wrong))
    except Exception as mistake:  # in somebody's game: the other games that are held go on
        frames = "".join(traceback.format_tb(mistake.__traceback__))
        # Its message may hold what a seat must not know.
        _log.error("a game failed at %s: %s\n%s", verb, type(mistake).__qualname__, frames)
        return error(
            "broken-game", f"{verb}: the game has a mistake in it; where is on the referee's standard error"
        )


def hello(verbs: Mapping[str, RequestVerb], seat: Seat | None) -> Answer:
    """Who this is; `seat` is the one that it speaks for, if it is one alone."""
    from importlib.metadata import version

    return {
        "ok": True,
        "protocol": PROTOCOL,
        "name": "boardumpire",
        "version": version("boardumpire"),
        "seat": seat,
        "verbs": list(verbs),
    }


def games() -> Answer:
    """Which games there are."""
    return {
        "ok": True,
        "games": [{"game": game, "title": each.title} for game, each in boardrules.games().items()],
    }


def options(game: str) -> Answer:
    """The options of a game. Raises `UnknownGame`."""
    package, found = boardrules.package(game), boardrules.new(game).options
    labels, ranges = {offer.name: offer.label for offer in package.offers()}, package.ranges(found)
    told = []
    for name, value in found.items():
        about: Answer = {"name": name, "value": list(value) if isinstance(value, tuple) else value}
        if name in labels:
            about["label"] = labels[name]
        if name in ranges:
            about |= _stated(ranges[name])
        told.append(about)
    return {"ok": True, "options": told}


def _stated(known: OptionRange) -> Answer:
    """What an option may be: one of some values, whole numbers between two, or what a text says."""
    values = known.values
    if not values:
        return {"expected": known.text}
    numbers = len(values) > 1 and all(type(value) is int for value in values)
    if numbers and values == tuple(range(values[0], values[-1] + 1)):
        return {"least": values[0], "most": values[-1]}
    return {"values": list(values)}


def schema(game: str) -> Answer:
    """What the views of a game hold. Raises `UnknownGame`."""
    return {"ok": True, "schema": boardrules.package(game).schema()}


def legal(state: State, seat: Seat) -> Answer:
    """What a seat may do; where there is too much to list, some of it, and that it is a sample."""
    actions = state.legal_actions(seat)
    answer: Answer = {"ok": True, "actions": [str(action) for action in actions]}
    if isinstance(actions, ActionSample) and not actions.whole:
        answer["sample"] = True
    answer["table"] = [str(action) for action in state.table_actions(seat)]
    return answer


def refusal(refused: Refusal, state: State) -> Answer:
    """Why the rules refuse what a seat tried, for that seat."""
    text = announce.sentence_text(announce.refusal_message(refused, state.game_id))
    told: Answer = {"code": refused.code, "rule": refused.rule, "text": text}
    if refused.public is not None:
        told["public"] = refused.public
    return {"ok": False, "refusal": told}


def standing(state: State) -> Answer:
    """Which game it is, who plays and who is to act, and how it ended."""
    over = {} if state.outcome is None else {"outcome": state.outcome._asdict()}
    return {"game": state.game_id, "seats": list(state.seats), "to_act": list(state.seats_to_act()), **over}


def _check_seat(seat: Seat, seats: tuple[Seat, ...]) -> None:
    if seat not in seats:
        raise BadLine("unknown-seat", f"unknown seat {short(seat)}; expected one of {', '.join(seats)}")


def written(answer: Answer) -> str:
    """An answer as a line; what a game puts into it may be no JSON."""
    try:
        return json.dumps(answer, allow_nan=False)
    except (TypeError, ValueError) as mistake:
        _log.error("a game returned a value that is not JSON: %s", type(mistake).__qualname__)
        return json.dumps(
            error("broken-game", "the game told what is no JSON; expected texts, numbers, lists")
        )


def run(referee: Any, lines: Iterable[str], out: TextIO) -> None:
    """Answer every line with one line, until there are no more or one says quit."""
    for line in lines:
        out.write(written(referee.answer(line)) + "\n")
        out.flush()
        if referee.ended:
            return
