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
from boardrules.schema import ANYTHING, BOOLEAN, NUMBER, TEXT, Schema
from boardumpire.commands.referee import position_text
from boardumpire.commands.referee.protocol import (
    GAME_NAME_FIELD,
    PROTOCOL_VERSION,
    SEAT_FIELD,
    VIEWER_FIELD,
    Answer,
    BadLine,
    RequestField,
    RequestVerb,
    error_answer,
    help_answer,
    parse_request,
    shorten,
)
from boardumpire.commands.referee.referee_table import GameWithChance
from boardumpire.messages import announce

_log = logging.getLogger(__name__)
GAME_FIELD = RequestField(TEXT, "the id of a game")
OPTIONS_FIELD = RequestField(schema_words.by_name(ANYTHING), "an object of options", is_required=False)
ACTION_FIELD = RequestField(TEXT, "the text of an action")
_OBJECT_SCHEMA: Schema = {"type": "object"}
_NAMES_SCHEMA = schema_words.list_of(TEXT)
GAME_STATUS_SCHEMA: Mapping[str, Schema] = {"game": TEXT, "seats": _NAMES_SCHEMA, "to_act": _NAMES_SCHEMA}
OUTCOME_SCHEMA: Mapping[str, Schema] = {"outcome": schema_words.OUTCOME}
EVENTS_SCHEMA = schema_words.list_of(schema_words.extensible_fields({"kind": TEXT}, {"text": TEXT}))
"""What has happened, in order; what else an event holds goes by its kind."""
LEGAL_SCHEMA: Mapping[str, Schema] = {
    "actions": _NAMES_SCHEMA,
    "table": schema_words.with_description(_NAMES_SCHEMA, "resign, offers"),
}
SAMPLE_SCHEMA: Mapping[str, Schema] = {
    "sample": schema_words.with_description(BOOLEAN, "true where `actions` are some of too many to list")
}
_OPTION_SCHEMA = schema_words.extensible_fields(
    {"name": TEXT, "value": ANYTHING},
    {
        "label": TEXT,
        "values": schema_words.list_of(ANYTHING),
        "least": NUMBER,
        "most": NUMBER,
        "expected": TEXT,
    },
)
_HELP_SCHEMA = schema_words.by_name(
    schema_words.extensible_fields(
        {
            "means": TEXT,
            "fields": schema_words.by_name(
                schema_words.extensible_fields(
                    {"expected": TEXT, "needed": BOOLEAN, "schema": _OBJECT_SCHEMA}
                )
            ),
            "answer": _OBJECT_SCHEMA,
        }
    )
)
GAMES_MAX = 64
"""How many games one process holds."""

COMMON_VERBS: Mapping[str, RequestVerb] = {
    "hello": RequestVerb(
        "who this is: protocol, version, verbs",
        answer_fields={
            "protocol": NUMBER,
            "name": TEXT,
            "version": TEXT,
            "seat": schema_words.with_description(
                schema_words.nullable(TEXT), "null, or the one that is spoken for"
            ),
            "verbs": _NAMES_SCHEMA,
        },
    ),
    "help": RequestVerb(
        "what a verb takes",
        {"verb": RequestField(TEXT, "a verb", is_required=False)},
        {
            "verbs": schema_words.with_description(
                _HELP_SCHEMA, "by verb what it means, its fields and its answer"
            )
        },
    ),
    "games": RequestVerb(
        "which games there are",
        answer_fields={
            "games": schema_words.with_description(
                schema_words.list_of(schema_words.extensible_fields({"game": TEXT, "title": TEXT})),
                "id and title of each",
            )
        },
    ),
    "options": RequestVerb(
        "the options of a game, each with its value and what it may be",
        {"game": GAME_FIELD},
        {
            "options": schema_words.with_description(
                schema_words.list_of(_OPTION_SCHEMA),
                "`name`, `value`, for some `label`, and what `new` takes without other options: `values`, or"
                " whole numbers from `least` to `most`, or in words `expected`",
            )
        },
    ),
    "schema": RequestVerb(
        "what the views of a game hold, as JSON Schema",
        {"game": GAME_FIELD},
        {"schema": schema_words.with_description(_OBJECT_SCHEMA, "[what views hold](#what-views-hold)")},
    ),
    "quit": RequestVerb("end; this is answered, and nothing after it"),
}
"""Verbs that need no game."""
GAME_ANSWER_SCHEMAS: Mapping[str, Mapping[str, Schema]] = {
    "view": {"view": _OBJECT_SCHEMA},
    "board": {"board": schema_words.with_description(TEXT, "the same, drawn as text")},
    "position": {"position": TEXT},
    "record": {"record": schema_words.with_description(TEXT, "[the game written down](records.md)")},
}
"""By verb its answer, to who may know everything and to a seat alone."""
VERBS: Mapping[str, RequestVerb] = {
    **COMMON_VERBS,
    "new": RequestVerb(
        "begin a game; with a seed chance acts by itself",
        {
            "game": GAME_FIELD,
            "options": OPTIONS_FIELD,
            "seed": RequestField(schema_words.nullable(NUMBER), "a whole number, or null", is_required=False),
            "at": GAME_NAME_FIELD,
        },
        {**GAME_STATUS_SCHEMA, "events": EVENTS_SCHEMA},
        OUTCOME_SCHEMA,
    ),
    "legal": RequestVerb(
        "what a seat may do", {"seat": SEAT_FIELD, "at": GAME_NAME_FIELD}, LEGAL_SCHEMA, SAMPLE_SCHEMA
    ),
    "act": RequestVerb(
        "a seat does something",
        {"seat": SEAT_FIELD, "action": ACTION_FIELD, "at": GAME_NAME_FIELD},
        {"events": EVENTS_SCHEMA},
    ),
    "undo": RequestVerb(
        "the last action did not happen, nor what chance did after it",
        {"at": GAME_NAME_FIELD},
        GAME_STATUS_SCHEMA,
        OUTCOME_SCHEMA,
    ),
    "view": RequestVerb(
        "what a seat may know", {"seat": VIEWER_FIELD, "at": GAME_NAME_FIELD}, GAME_ANSWER_SCHEMAS["view"]
    ),
    "board": RequestVerb(
        "the same as text", {"seat": VIEWER_FIELD, "at": GAME_NAME_FIELD}, GAME_ANSWER_SCHEMAS["board"]
    ),
    "truth": RequestVerb(
        "everything, secrets included",
        {"at": GAME_NAME_FIELD},
        {"truth": schema_words.with_description(_OBJECT_SCHEMA, "everything, secrets included")},
    ),
    "position": RequestVerb(
        "the whole position as text, or as a seat may know it; with a text that position is taken",
        {
            "seat": VIEWER_FIELD._replace(is_required=False),
            "text": RequestField(TEXT, "a position", is_required=False),
            "at": GAME_NAME_FIELD,
        },
        optional_answer_fields={
            "position": schema_words.with_description(
                TEXT, "with `text` that one is taken, and answered as `load`"
            ),
            **GAME_STATUS_SCHEMA,
            **OUTCOME_SCHEMA,
        },
    ),
    "record": RequestVerb("the game written down", {"at": GAME_NAME_FIELD}, GAME_ANSWER_SCHEMAS["record"]),
    "load": RequestVerb(
        "take a game as it was written down",
        {"record": RequestField(TEXT, "the text of a record"), "at": GAME_NAME_FIELD},
        GAME_STATUS_SCHEMA,
        OUTCOME_SCHEMA,
    ),
}


class Referee:
    """Several games, each by its name, and the answers about them."""

    def __init__(self) -> None:
        self._tables: dict[str, GameWithChance] = {}
        self.has_quit = False
        """Whether it was told to quit."""
        self._verbs: Mapping[str, Callable[..., Answer]] = {
            "hello": self._hello,
            "help": lambda verb=None: help_answer(VERBS, verb),
            "games": games_answer,
            "options": options_answer,
            "schema": schema_answer,
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

    def answer_line(self, line: str) -> Answer:
        """The answer to one line, whatever it holds."""
        return answer_request_line(line, VERBS, self._verbs)

    # Verbs that need no game

    def _hello(self) -> Answer:
        return hello_answer(VERBS, None)

    def _quit(self) -> Answer:
        self.has_quit = True
        return {"ok": True}

    # A game

    def _new(
        self, game: str, options: Mapping[str, Any] | None = None, seed: int | None = None, at: str = ""
    ) -> Answer:
        table = GameWithChance(Game(boardrules.new(game, options or {})), seed)
        events = table.play_chance()
        self._store_table(at, table)
        return {"ok": True, **game_status(table.state), "events": [event.json() for event in events]}

    def _legal(self, seat: Seat, at: str = "") -> Answer:
        state = self._find_table(at).state
        _check_seat(seat, (*state.seats, CHANCE, CLOCK))
        return legal_answer(state, seat)

    def _act(self, seat: Seat, action: str, at: str = "") -> Answer:
        table = self._find_table(at)
        _check_seat(seat, (*table.state.seats, CHANCE, CLOCK))
        try:
            events = table.act(seat, action)
        except IllegalAction as refused:
            return refusal_answer(refused.refusal, table.state)
        return {"ok": True, "events": [event.json() for event in events]}

    def _undo(self, at: str = "") -> Answer:
        table = self._find_table(at)
        if not table.undo():
            raise BadLine("nothing-to-undo", "nothing has been done yet; expected an act first")
        return {"ok": True, **game_status(table.state)}

    def _view(self, seat: Seat | None, at: str = "") -> Answer:
        return {"ok": True, "view": self._state_for_seat(seat, at).view(seat).json()}

    def _board(self, seat: Seat | None, at: str = "") -> Answer:
        return {"ok": True, "board": self._state_for_seat(seat, at).view(seat).text()}

    def _truth(self, at: str = "") -> Answer:
        return {"ok": True, "truth": self._find_table(at).state.truth()}

    def _position(self, text: str | None = None, at: str = "", **seat: Seat | None) -> Answer:
        if text is not None:
            if seat:
                raise BadLine("unknown-field", "position: seat and text together; expected one of them")
            return self._load_position(position_text.read(text), at)
        table = self._find_table(at)
        if seat and seat["seat"] is not None:
            _check_seat(seat["seat"], table.state.seats)
        told = position_text.write(table.game.start, table.game.actions, seat.get("seat"), whole=not seat)
        return {"ok": True, "position": told}

    def _record(self, at: str = "") -> Answer:
        return {"ok": True, "record": self._find_table(at).record()}

    def _load(self, record: str, at: str = "") -> Answer:
        parsed = records.parse(record)
        records.final_state(parsed)  # raises for what can't be played, before anything changes
        table = GameWithChance(Game(records.begin_history(parsed).state), parsed.seed)
        table.replay(tuple((seat, text) for seat, text in parsed.actions))
        self._store_table(at, table)
        return {"ok": True, **game_status(table.state)}

    def _load_position(self, wanted: position_text.ParsedPosition, at: str) -> Answer:
        table = GameWithChance(Game(boardrules.new(wanted.game, wanted.options)))
        for number, (seat, text) in enumerate(wanted.actions, 2):
            try:
                _check_seat(seat, (*table.state.seats, CHANCE, CLOCK))
                table.replay(((seat, text),))
            except (BadLine, BadText, IllegalAction) as wrong:
                raise BadLine("bad-position", f"line {number}: {wrong}") from None
        self._store_table(at, table)
        return {"ok": True, **game_status(table.state)}

    # Inside

    def _store_table(self, at: str, table: GameWithChance) -> None:
        if at not in self._tables and len(self._tables) == GAMES_MAX:
            raise BadLine("too-many", f"{GAMES_MAX} games are held already; expected one of their names")
        self._tables[at] = table

    def _find_table(self, at: str) -> GameWithChance:
        if at not in self._tables:
            where = f" at {shorten(at)}" if at else ""
            raise BadLine("no-game", f"there is no game{where} yet; expected new or load first")
        return self._tables[at]

    def _state_for_seat(self, seat: Seat | None, at: str) -> State:
        state = self._find_table(at).state
        if seat is not None:
            _check_seat(seat, state.seats)
        return state


def answer_request_line(
    line: str, verbs: Mapping[str, RequestVerb], does: Mapping[str, Callable[..., Answer]]
) -> Answer:
    """The answer to one line, whatever it holds, by what `does` each of the verbs."""
    try:
        verb, fields = parse_request(line, verbs)
    except BadLine as wrong:
        return error_answer(wrong.code, str(wrong))
    try:
        return does[verb](**fields)
    except BadLine as wrong:
        return error_answer(wrong.code, str(wrong))
    except boardrules.UnknownGame as wrong:
        return error_answer("unknown-game", str(wrong))
    except OptionError as wrong:
        return error_answer("bad-option", str(wrong))
    except BadText as wrong:
        return error_answer("bad-action", str(wrong))
    except position_text.BadPosition as wrong:
        return error_answer("bad-position", str(wrong))
    except records.RecordError as wrong:
        return error_answer("bad-record", str(wrong))
    except Exception as mistake:  # in somebody's game: the other games that are held go on
        frames = "".join(traceback.format_tb(mistake.__traceback__))
        # Its message may hold what a seat must not know.
        _log.error("a game failed at %s: %s\n%s", verb, type(mistake).__qualname__, frames)
        return error_answer(
            "broken-game", f"{verb}: the game has a mistake in it; where is on the referee's standard error"
        )


def hello_answer(verbs: Mapping[str, RequestVerb], seat: Seat | None) -> Answer:
    """Who this is; `seat` is the one that it speaks for, if it is one alone."""
    from importlib.metadata import version

    return {
        "ok": True,
        "protocol": PROTOCOL_VERSION,
        "name": "boardumpire",
        "version": version("boardumpire"),
        "seat": seat,
        "verbs": list(verbs),
    }


def games_answer() -> Answer:
    """Which games there are."""
    return {
        "ok": True,
        "games": [{"game": game, "title": each.title} for game, each in boardrules.games().items()],
    }


def options_answer(game: str) -> Answer:
    """The options of a game. Raises `UnknownGame`."""
    package, found = boardrules.package(game), boardrules.new(game).options
    labels, ranges = {offer.name: offer.label for offer in package.option_offers()}, package.ranges(found)
    told = []
    for name, value in found.items():
        about: Answer = {"name": name, "value": list(value) if isinstance(value, tuple) else value}
        if name in labels:
            about["label"] = labels[name]
        if name in ranges:
            about |= _range_as_json(ranges[name])
        told.append(about)
    return {"ok": True, "options": told}


def _range_as_json(known: OptionRange) -> Answer:
    """What an option may be: one of some values, whole numbers between two, or what a text says."""
    values = known.values
    if not values:
        return {"expected": known.text}
    numbers = len(values) > 1 and all(type(value) is int for value in values)
    if numbers and values == tuple(range(values[0], values[-1] + 1)):
        return {"least": values[0], "most": values[-1]}
    return {"values": list(values)}


def schema_answer(game: str) -> Answer:
    """What the views of a game hold. Raises `UnknownGame`."""
    return {"ok": True, "schema": boardrules.package(game).schema()}


def legal_answer(state: State, seat: Seat) -> Answer:
    """What a seat may do; where there is too much to list, some of it, and that it is a sample."""
    actions = state.legal_actions(seat)
    answer: Answer = {"ok": True, "actions": [str(action) for action in actions]}
    if isinstance(actions, ActionSample) and not actions.whole:
        answer["sample"] = True
    answer["table"] = [str(action) for action in state.table_actions(seat)]
    return answer


def refusal_answer(refused: Refusal, state: State) -> Answer:
    """Why the rules refuse what a seat tried, for that seat."""
    text = announce.to_sentence(announce.refusal_message(refused, state.game_id))
    told: Answer = {"code": refused.code, "rule": refused.rule, "text": text}
    if refused.public_code is not None:
        told["public"] = refused.public_code
    return {"ok": False, "refusal": told}


def game_status(state: State) -> Answer:
    """Which game it is, who plays and who is to act, and how it ended."""
    over = {} if state.outcome is None else {"outcome": state.outcome._asdict()}
    return {"game": state.game_id, "seats": list(state.seats), "to_act": list(state.seats_to_act()), **over}


def _check_seat(seat: Seat, seats: tuple[Seat, ...]) -> None:
    if seat not in seats:
        raise BadLine("unknown-seat", f"unknown seat {shorten(seat)}; expected one of {', '.join(seats)}")


def answer_as_line(answer: Answer) -> str:
    """An answer as a line; what a game puts into it may be no JSON."""
    try:
        return json.dumps(answer, allow_nan=False)
    except (TypeError, ValueError) as mistake:
        _log.error("a game returned a value that is not JSON: %s", type(mistake).__qualname__)
        return json.dumps(
            error_answer("broken-game", "the game told what is no JSON; expected texts, numbers, lists")
        )


def run(referee: Any, lines: Iterable[str], out: TextIO) -> None:
    """Answer every line with one line, until there are no more or one says quit."""
    for line in lines:
        out.write(answer_as_line(referee.answer_line(line)) + "\n")
        out.flush()
        if referee.has_quit:
            return
