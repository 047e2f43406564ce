"""Answers for one seat: what it may know, and nothing else.

The program that it speaks to can't cheat: what others hide is in no answer, no error and no length. It never
hears the seed, and it can't undo.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import boardrules
from boardrules.core import NO_SEAT, BadText, IllegalAction, Seat, State, visible
from boardrules.package import GamePackage
from boardrules.schema import TEXT
from boardumpire.commands.referee import observation, position_text
from boardumpire.commands.referee.protocol import Answer, BadLine, RequestVerb, help_answer, shorten
from boardumpire.commands.referee.referee import (
    ACTION_FIELD,
    COMMON_VERBS,
    EVENTS_SCHEMA,
    GAME_ANSWER_SCHEMAS,
    GAME_FIELD,
    GAME_STATUS_SCHEMA,
    LEGAL_SCHEMA,
    OPTIONS_FIELD,
    OUTCOME_SCHEMA,
    SAMPLE_SCHEMA,
    answer_request_line,
    game_status,
    games_answer,
    hello_answer,
    legal_answer,
    options_answer,
    refusal_answer,
    schema_answer,
)
from boardumpire.commands.referee.referee_table import GameWithChance
from boardumpire.messages import announce

_GAME_VERBS: Mapping[str, RequestVerb] = {
    "view": RequestVerb("what this seat may know", answer_fields=GAME_ANSWER_SCHEMAS["view"]),
    "board": RequestVerb("the same as text", answer_fields=GAME_ANSWER_SCHEMAS["board"]),
    "legal": RequestVerb(
        "what this seat may do", answer_fields=LEGAL_SCHEMA, optional_answer_fields=SAMPLE_SCHEMA
    ),
    "sight": RequestVerb(
        "view and legal actions in one text, as Boardumpire's own players read it",
        answer_fields={"sight": TEXT},
    ),
    "act": RequestVerb(
        "this seat does something",
        {"action": ACTION_FIELD},
        {**GAME_STATUS_SCHEMA, "events": EVENTS_SCHEMA},
        OUTCOME_SCHEMA,
    ),
    "events": RequestVerb(
        "what has happened since this was asked last, as far as this seat may know",
        answer_fields={**GAME_STATUS_SCHEMA, "events": EVENTS_SCHEMA},
        optional_answer_fields=OUTCOME_SCHEMA,
    ),
    "position": RequestVerb(
        "the position as text, as this seat may know it", answer_fields=GAME_ANSWER_SCHEMAS["position"]
    ),
    "record": RequestVerb(
        "the whole game written down, once it is over", answer_fields=GAME_ANSWER_SCHEMAS["record"]
    ),
}
VERBS: Mapping[str, RequestVerb] = {
    **COMMON_VERBS,
    "new": RequestVerb(
        "begin a game; the other seats are played by chance",
        {"game": GAME_FIELD, "options": OPTIONS_FIELD},
        {**GAME_STATUS_SCHEMA, "events": EVENTS_SCHEMA},
        OUTCOME_SCHEMA,
    ),
    **_GAME_VERBS,
}
"""Where the game is this program's own."""
HOSTED_VERBS: Mapping[str, RequestVerb] = {**COMMON_VERBS, **_GAME_VERBS}
"""Where somebody else holds the game."""


class SeatSession(Protocol):
    """What a `SeatReferee` needs of its game."""

    table: GameWithChance | None
    """The game, once there is one."""

    def after_seat_action(self) -> None:
        """Called after an action of this seat, so that others can act."""


class SeatReferee:
    """Answers the requests of one seat of one game."""

    def __init__(self, seat: Seat, sitting: SeatSession, verbs: Mapping[str, RequestVerb]) -> None:
        self.seat = seat
        self.session = sitting
        self.has_quit = False
        """Whether it was told to quit."""
        self._verbs = verbs
        self._told = 0
        """How many events this seat has been told of, or may not know."""
        self._does: Mapping[str, Callable[..., Answer]] = {
            "hello": lambda: hello_answer(self._verbs, self.seat),
            "help": lambda verb=None: help_answer(self._verbs, verb),
            "games": games_answer,
            "options": lambda game: options_answer(game),
            "schema": schema_answer,
            "quit": self._quit,
            "new": self._new,
            "view": lambda: {"ok": True, "view": self._state().view(self.seat).json()},
            "board": lambda: {"ok": True, "board": self._state().view(self.seat).text()},
            "legal": lambda: legal_answer(self._state(), self.seat),
            "sight": lambda: {
                "ok": True,
                "sight": observation.encode(observation.observe(self._state(), self.seat)),
            },
            "act": self._act,
            "events": self._events,
            "position": self._position,
            "record": self._record,
        }

    def answer_line(self, line: str) -> Answer:
        """The answer to one line, whatever it holds."""
        return answer_request_line(line, self._verbs, self._does)

    def _quit(self) -> Answer:
        self.has_quit = True
        return {"ok": True}

    def _new(self, game: str, options: Mapping[str, Any] | None = None) -> Answer:
        assert isinstance(self.session, SoloSession)
        self.session.begin(game, options or {}, self.seat)
        self._told = 0
        return {"ok": True, **game_status(self._state()), "events": self._new_events()}

    def _act(self, action: str) -> Answer:
        table = self._table()
        try:
            table.act(self.seat, action)
        except IllegalAction as refused:
            return refusal_answer(refused.refusal, table.state)
        self.session.after_seat_action()
        return {"ok": True, **game_status(table.state), "events": self._new_events()}

    def _events(self) -> Answer:
        state = self._state()
        return {"ok": True, **game_status(state), "events": self._new_events()}

    def _position(self) -> Answer:
        game = self._table().game
        return {"ok": True, "position": position_text.write(game.start, game.actions, self.seat)}

    def _record(self) -> Answer:
        table = self._table()
        if table.state.outcome is None:
            raise BadLine("not-over", "a record holds what all seats hide; expected a game that is over")
        return {"ok": True, "record": table.record()}

    def _new_events(self) -> list[dict[str, Any]]:
        events = self._table().game.events
        fresh, self._told = events[self._told :], len(events)
        return [
            {
                **event.json(),
                "text": announce.to_sentence(announce.event_message(event, self._state().game_id)),
            }
            for event in visible(fresh, self.seat)
        ]

    def _table(self) -> GameWithChance:
        table = self.session.table
        if table is None:
            raise BadLine("no-game", "there is no game yet; expected new first")
        return table

    def _state(self) -> State:
        return self._table().state


class SoloSession:
    """A game whose other seats, and chance, are played at random: for a program that is tried out."""

    def __init__(self, seed: int | None = None) -> None:
        """`seed`: for the same game again; whoever plays must not know it."""
        self.table: GameWithChance | None = None
        self._random = random.Random(seed) if seed is not None else random.SystemRandom()
        self._seat = NO_SEAT

    def begin(self, game: str, options: Mapping[str, Any], seat: Seat) -> None:
        """A new game, in which all but `seat` play at random. Raises `UnknownGame`, `OptionError`,
        `BadLine`."""
        state = boardrules.new(game, options)
        if seat not in state.seats:
            seats = ", ".join(state.seats)
            raise BadLine("unknown-seat", f"{game} has no seat {shorten(seat)}; expected one of {seats}")
        self.table, _ = GameWithChance.begin_game(game, options, self._random.getrandbits(63))
        self._seat = seat
        self.after_seat_action()

    def after_seat_action(self) -> None:
        """Let the others do what they have to, until this seat is to act or the game is over."""
        assert self.table is not None
        while others := [seat for seat in self.table.state.seats_to_act() if seat != self._seat]:
            seat = others[0]
            self.table.act(seat, random_action(self.table.state, seat, self._random))


def all_seats() -> tuple[Seat, ...]:
    """The seats of all games, with any number of players, in a fixed order."""
    found: dict[Seat, None] = {}
    for game in boardrules.games().values():
        begun = game.new({})
        found |= dict.fromkeys(begun.seats)
        players = game.ranges(begun.options).get("players")
        for count in players.values if players else ():
            found |= dict.fromkeys(game.new({"players": count}).seats)
    return tuple(found)


def random_action(state: State, seat: Seat, draws: random.Random) -> str:
    """Any action that a seat may take; a set-up is drawn from all there are."""
    drawn = _random_setup(boardrules.package(state.game_id), state, seat, draws)
    return drawn or str(draws.choice(list(state.legal_actions(seat))))


def _random_setup(package: GamePackage, state: State, seat: Seat, draws: random.Random) -> str | None:
    zone, army = sorted(state.zone(seat)), package.armies().get(seat)
    if not zone or not army:
        return None
    pieces = [print_ for print_, count in army.items() for _ in range(count)]
    while True:
        text = state.setup_text(dict(zip(draws.sample(zone, len(pieces)), pieces, strict=True)))
        try:
            if state.parse(text, seat) in state.legal_actions(seat):
                return text
        except BadText:
            continue
