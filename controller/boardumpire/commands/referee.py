"""The rules core on a pipe: a JSON object a line comes in, one goes out, as UCI does for chess engines.

    {"do":"new","game":"stratego-quick-duel","options":{},"seed":1}
    {"do":"legal","seat":"red"}   {"do":"act","seat":"red","action":"a3-a4"}   {"do":"view","seat":null}
    {"do":"truth"}   {"do":"record"}   {"do":"load","record":"..."}

An answer holds `ok`. A refused action answers `refusal` with code, rule and text; a line that can't be
understood answers `error` with code and text, and the referee goes on.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import boardrules
from boardrules import record as records
from boardrules.core import CHANCE, CLOCK, BadText, Event, IllegalAction, OptionError, Sample, State
from boardrules.fold import Fold
from boardumpire.messages import announce

if TYPE_CHECKING:
    from random import Random

Answer = dict[str, Any]


class BadLine(ValueError):  # noqa: N818
    """A line that can't be understood; the message says what was expected."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Field(NamedTuple):
    """A field of a request."""

    types: tuple[type, ...]
    expected: str
    needed: bool = True


_SEAT = Field((str,), "the name of a seat")
_VIEWER = Field((str, type(None)), "the name of a seat, or null for the spectator")
_FIELDS: Mapping[str, Mapping[str, Field]] = {
    "new": {
        "game": Field((str,), "the id of a game"),
        "options": Field((dict,), "an object of options", needed=False),
        "seed": Field((int, type(None)), "a whole number, or null", needed=False),
    },
    "legal": {"seat": _SEAT},
    "act": {"seat": _SEAT, "action": Field((str,), "the text of an action")},
    "view": {"seat": _VIEWER},
    "truth": {},
    "record": {},
    "load": {"record": Field((str,), "the text of a record")},
}


class Referee:
    """One game at a time, and the answers about it."""

    def __init__(self, maker: records.Maker = boardrules.new) -> None:
        self._maker = maker
        self._game: Fold | None = None
        self._actions: list[tuple[str, str]] = []
        self._seed: int | None = None
        self._random: Random | None = None
        self._verbs: Mapping[str, Callable[..., Answer]] = {
            "new": self._new,
            "legal": self._legal,
            "act": self._act,
            "view": self._view,
            "truth": self._truth,
            "record": self._record,
            "load": self._load,
        }

    def answer(self, line: str) -> Answer:
        """The answer to one line, whatever it holds."""
        try:
            verb, fields = _read(line)
            return self._verbs[verb](**fields)
        except BadLine as error:
            return _error(error.code, str(error))
        except boardrules.UnknownGame as error:
            return _error("unknown-game", str(error))
        except OptionError as error:
            return _error("bad-option", str(error))
        except BadText as error:
            return _error("bad-action", str(error))
        except records.RecordError as error:
            return _error("bad-record", str(error))

    # The verbs

    def _new(self, game: str, options: Mapping[str, Any] | None = None, seed: int | None = None) -> Answer:
        fold = Fold(self._maker(game, options or {}))
        self._game, self._actions = fold, []
        self._sow(seed)
        events = self._play_chance()
        return {"ok": True, **self._standing(), "events": [event.json() for event in events]}

    def _legal(self, seat: str) -> Answer:
        state = self._state()
        self._check_seat(seat, (*state.seats, CHANCE, CLOCK))
        actions = state.legal_actions(seat)
        answer: Answer = {"ok": True, "actions": [str(action) for action in actions]}
        if isinstance(actions, Sample):
            answer["sample"] = True
        answer["table"] = [str(action) for action in state.table_actions(seat)]
        return answer

    def _act(self, seat: str, action: str) -> Answer:
        state = self._state()
        self._check_seat(seat, (*state.seats, CHANCE, CLOCK))
        try:
            events = list(self._push(seat, action))
        except IllegalAction as error:
            refusal = error.refusal
            text = announce.text(announce.refused(refusal, state.game_id))
            told = {"code": refusal.code, "rule": refusal.rule, "text": text}
            if refusal.public is not None:
                told["public"] = refusal.public
            return {"ok": False, "refusal": told}
        events += self._play_chance()
        return {"ok": True, "events": [event.json() for event in events]}

    def _view(self, seat: str | None) -> Answer:
        state = self._state()
        if seat is not None:
            self._check_seat(seat, state.seats)
        return {"ok": True, "view": state.view(seat).json()}

    def _truth(self) -> Answer:
        return {"ok": True, "truth": self._state().truth()}

    def _record(self) -> Answer:
        state = self._state()
        record = records.record_of(state, tuple(self._actions), seed=self._seed)
        return {"ok": True, "record": records.write(record)}

    def _load(self, record: str) -> Answer:
        parsed = records.parse(record)
        records.final(parsed, self._maker)  # raises for what can't be played, before anything changes
        self._sow(parsed.seed)
        self._game, self._actions = records.begin(parsed, self._maker), []
        for seat, text in parsed.actions:
            if seat == CHANCE:
                self._chosen()  # keeps the generator in step
            self._push(seat, text)
        return {"ok": True, **self._standing()}

    # The game

    def _state(self) -> State:
        if self._game is None:
            raise BadLine("no-game", "there is no game yet; expected new or load first")
        return self._game.state

    def _standing(self) -> Answer:
        state = self._state()
        return {"game": state.game_id, "seats": list(state.seats), "to_act": list(state.seats_to_act())}

    def _check_seat(self, seat: str, seats: tuple[str, ...]) -> None:
        if seat not in seats:
            raise BadLine("unknown-seat", f"unknown seat {_short(seat)}; expected one of {', '.join(seats)}")

    def _push(self, seat: str, text: str) -> tuple[Event, ...]:
        assert self._game is not None
        action = self._game.state.parse(text, seat)
        events = self._game.push(action)
        self._actions.append((seat, str(action)))
        return events

    def _sow(self, seed: int | None) -> None:
        self._seed, self._random = seed, None
        if seed is not None:
            from random import Random

            self._random = Random(seed)

    def _chosen(self) -> str | None:
        """What the generator makes chance do, if there is one and chance is to act."""
        choices = self._state().chance()
        if self._random is None or not choices:
            return None
        drawn = self._random.randrange(sum(weight for _, weight in choices))
        for action, weight in choices:
            drawn -= weight
            if drawn < 0:
                return str(action)
        return None

    def _play_chance(self) -> list[Event]:
        events: list[Event] = []
        while (text := self._chosen()) is not None:
            events += self._push(CHANCE, text)
        return events


def _read(line: str) -> tuple[str, dict[str, Any]]:
    """A line's verb and fields, checked. Raises `BadLine`."""
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        raise BadLine("bad-json", f"{_short(line.strip())} is not JSON; expected one object a line") from None
    if not isinstance(request, dict):
        raise BadLine("bad-json", f"{_short(request)} is no object; expected one with a field do")
    verb = request.pop("do", None)
    fields = _FIELDS.get(verb) if isinstance(verb, str) else None
    if fields is None:
        raise BadLine("unknown-verb", f"do is {_short(verb)}; expected one of {', '.join(_FIELDS)}")
    for name, value in request.items():
        if name not in fields:
            expected = f"expected {', '.join(fields)}" if fields else "expected no more fields"
            raise BadLine("unknown-field", f"{verb}: unknown field {_short(name)}; {expected}")
        if not isinstance(value, fields[name].types) or isinstance(value, bool):
            raise BadLine(
                "wrong-type", f"{verb}: {name} is {_short(value)}; expected {fields[name].expected}"
            )
    for name, field in fields.items():
        if field.needed and name not in request:
            raise BadLine("missing-field", f"{verb}: {name} is missing; expected {field.expected}")
    return verb, request


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _error(code: str, text: str) -> Answer:
    return {"ok": False, "error": {"code": code, "text": text}}


def run(lines: Iterable[str], out: TextIO) -> None:
    """Answer every line with one line, until there are no more."""
    referee = Referee()
    for line in lines:
        out.write(json.dumps(referee.answer(line)) + "\n")
        out.flush()


def serve() -> None:
    """Answer standard input on standard output; bytes that are no UTF-8 make a line that isn't JSON."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    run(sys.stdin, sys.stdout)
