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
from boardumpire.commands.referee.protocol import Answer, BadLine, RequestVerb, helped, short
from boardumpire.commands.referee.referee import (
    ABOUT_GAME,
    ACTION,
    COMMON,
    EVENTS,
    GAME,
    LEGAL,
    OPTIONS,
    OVER,
    SAMPLE,
    STANDING,
    answered,
    games,
    hello,
    legal,
    options,
    refusal,
    schema,
    standing,
)
from boardumpire.commands.referee.referee_table import RefereeTable
from boardumpire.messages import announce

_ABOUT: Mapping[str, RequestVerb] = {
    "view": RequestVerb("what this seat may know", answer=ABOUT_GAME["view"]),
    "board": RequestVerb("the same as text", answer=ABOUT_GAME["board"]),
    "legal": RequestVerb("what this seat may do", answer=LEGAL, more=SAMPLE),
    "sight": RequestVerb(
        "view and legal actions in one text, as Boardumpire's own players read it", answer={"sight": TEXT}
    ),
    "act": RequestVerb("this seat does something", {"action": ACTION}, {**STANDING, "events": EVENTS}, OVER),
    "events": RequestVerb(
        "what has happened since this was asked last, as far as this seat may know",
        answer={**STANDING, "events": EVENTS},
        more=OVER,
    ),
    "position": RequestVerb("the position as text, as this seat may know it", answer=ABOUT_GAME["position"]),
    "record": RequestVerb("the whole game written down, once it is over", answer=ABOUT_GAME["record"]),
}
VERBS: Mapping[str, RequestVerb] = {
    **COMMON,
    "new": RequestVerb(
        "begin a game; the other seats are played by chance",
        {"game": GAME, "options": OPTIONS},
        {**STANDING, "events": EVENTS},
        OVER,
    ),
    **_ABOUT,
}
"""Where the game is this program's own."""
HOSTED: Mapping[str, RequestVerb] = {**COMMON, **_ABOUT}
"""Where somebody else holds the game."""


class SeatSession(Protocol):
    """What a `SeatReferee` needs of its game."""

    table: RefereeTable | None
    """The game, once there is one."""

    def acted(self) -> None:
        """Called after an action of this seat, so that others can act."""


class SeatReferee:
    """Answers the requests of one seat of one game."""

    def __init__(self, seat: Seat, sitting: SeatSession, verbs: Mapping[str, RequestVerb]) -> None:
        self.seat = seat
        self.sitting = sitting
        self.ended = False
        """Whether it was told to quit."""
        self._verbs = verbs
        self._told = 0
        """How many events this seat has been told of, or may not know."""
        self._does: Mapping[str, Callable[..., Answer]] = {
            "hello": lambda: hello(self._verbs, self.seat),
            "help": lambda verb=None: helped(self._verbs, verb),
            "games": games,
            "options": lambda game: options(game),
            "schema": schema,
            "quit": self._quit,
            "new": self._new,
            "view": lambda: {"ok": True, "view": self._state().view(self.seat).json()},
            "board": lambda: {"ok": True, "board": self._state().view(self.seat).text()},
            "legal": lambda: legal(self._state(), self.seat),
            "sight": lambda: {
                "ok": True,
                "sight": observation.written(observation.seen(self._state(), self.seat)),
            },
            "act": self._act,
            "events": self._events,
            "position": self._position,
            "record": self._record,
        }

    def answer(self, line: str) -> Answer:
        """The answer to one line, whatever it holds."""
        return answered(line, self._verbs, self._does)

    def _quit(self) -> Answer:
        self.ended = True
        return {"ok": True}

    def _new(self, game: str, options: Mapping[str, Any] | None = None) -> Answer:
        assert isinstance(self.sitting, SoloSession)
        self.sitting.begin(game, options or {}, self.seat)
        self._told = 0
        return {"ok": True, **standing(self._state()), "events": self._heard()}

    def _act(self, action: str) -> Answer:
        table = self._table()
        try:
            table.act(self.seat, action)
        except IllegalAction as refused:
            return refusal(refused.refusal, table.state)
        self.sitting.acted()
        return {"ok": True, **standing(table.state), "events": self._heard()}

    def _events(self) -> Answer:
        state = self._state()
        return {"ok": True, **standing(state), "events": self._heard()}

    def _position(self) -> Answer:
        game = self._table().game
        return {"ok": True, "position": position_text.write(game.start, game.actions, self.seat)}

    def _record(self) -> Answer:
        table = self._table()
        if table.state.outcome is None:
            raise BadLine("not-over", "a record holds what all seats hide; expected a game that is over")
        return {"ok": True, "record": table.record()}

    def _heard(self) -> list[dict[str, Any]]:
        events = self._table().game.events
        fresh, self._told = events[self._told :], len(events)
        return [
            {
                **event.json(),
                "text": announce.sentence_text(announce.event_message(event, self._state().game_id)),
            }
            for event in visible(fresh, self.seat)
        ]

    def _table(self) -> RefereeTable:
        table = self.sitting.table
        if table is None:
            raise BadLine("no-game", "there is no game yet; expected new first")
        return table

    def _state(self) -> State:
        return self._table().state


class SoloSession:
    """A game whose other seats, and chance, are played at random: for a program that is tried out."""

    def __init__(self, seed: int | None = None) -> None:
        """`seed`: for the same game again; whoever plays must not know it."""
        self.table: RefereeTable | None = None
        self._random = random.Random(seed) if seed is not None else random.SystemRandom()
        self._seat = NO_SEAT

    def begin(self, game: str, options: Mapping[str, Any], seat: Seat) -> None:
        """A new game, in which all but `seat` play at random. Raises `UnknownGame`, `OptionError`,
        `BadLine`."""
        state = boardrules.new(game, options)
        if seat not in state.seats:
            seats = ", ".join(state.seats)
            raise BadLine("unknown-seat", f"{game} has no seat {short(seat)}; expected one of {seats}")
        self.table, _ = RefereeTable.begun(game, options, self._random.getrandbits(63))
        self._seat = seat
        self.acted()

    def acted(self) -> None:
        """Let the others do what they have to, until this seat is to act or the game is over."""
        assert self.table is not None
        while others := [seat for seat in self.table.state.seats_to_act() if seat != self._seat]:
            seat = others[0]
            self.table.act(seat, any_action(self.table.state, seat, self._random))


def every_seat() -> tuple[Seat, ...]:
    """The seats of all games, with any number of players, in a fixed order."""
    found: dict[Seat, None] = {}
    for game in boardrules.games().values():
        begun = game.new({})
        found |= dict.fromkeys(begun.seats)
        players = game.ranges(begun.options).get("players")
        for count in players.values if players else ():
            found |= dict.fromkeys(game.new({"players": count}).seats)
    return tuple(found)


def any_action(state: State, seat: Seat, draws: random.Random) -> str:
    """Any action that a seat may take; a set-up is drawn from all there are."""
    drawn = _any_setup(boardrules.package(state.game_id), state, seat, draws)
    return drawn or str(draws.choice(list(state.legal_actions(seat))))


def _any_setup(package: GamePackage, state: State, seat: Seat, draws: random.Random) -> str | None:
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
