"""`boardumpire lab contract GAME`: whether a game keeps what every other part relies on.

Random games are played by the rules alone. What a state has to keep is looked at after each action: that it
is a value, that its views are JSON and what the schema says, that texts read back, that refusals and `apply`
agree, that sentences are there, that records read back. Where a game has secret actions two games are played
that differ in them alone: who is told the same of both sees the same. Each thing that is wrong is told once,
with the actions that first lead there. The exit code is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import json
import pickle
import random
import traceback
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import boardrules
from boardrules import schema
from boardrules.core import (
    CHANCE,
    CLOCK,
    Action,
    BadText,
    Event,
    IllegalAction,
    NeedsHistory,
    Seat,
    Space,
    State,
    UnknownSeat,
)
from boardrules.game import Game
from boardrules.package import GamePackage, Message
from boardumpire.commands.referee import observation
from boardumpire.errors import BoardumpireError
from boardumpire.messages import announce
from boardware.description import readable_boards

FAILED = 1
TRIED_MAX = 12
"""Actions that are tried in one state, of those that are legal."""
SHOWN_MAX = 6
"""Actions of the way to a fault that are shown, the latest."""


class ContractFinding(NamedTuple):
    """One thing that is wrong."""

    check: str
    message: str
    """What is wrong, in a sentence."""
    actions: tuple[str, ...]
    """What was done before it, oldest first."""

    def __str__(self) -> str:
        after = f" after {', '.join(self.actions[-SHOWN_MAX:])}" if self.actions else " at the start"
        return f"{self.check}: {self.message}{after}"


class ContractReport(NamedTuple):
    """What came of looking at a game."""

    findings: tuple[ContractFinding, ...]
    states: int
    finished_games: int
    """How many of the games came to their end."""


FaultTexts = Iterator[str]
Check = Callable[[GamePackage, State], FaultTexts]


def check(game_id: str, games: int = 3, seed: int = 0, longest: int = 200) -> ContractReport:
    """Look at a game: of each fault the first. Raises `UnknownGame`."""
    package = boardrules.package(game_id)
    found: dict[str, ContractFinding] = {}
    states = over = 0

    def look(name: str, faults: Callable[[], FaultTexts], done: tuple[str, ...]) -> None:
        if name in found:
            return
        try:
            told = next(faults(), None)
        except Exception as error:  # a mistake in somebody's game
            told = f"it raises {_error_with_place(error)}"
        if told is not None:
            found[name] = ContractFinding(name, told, done)

    look("package", lambda: _check_package(package), ())
    look("board", lambda: _check_boards(package), ())
    for number in range(games):
        rng = random.Random(f"{seed} {number}")
        done: tuple[str, ...] = ()
        try:
            game = Game(package.new({}))
        except Exception as error:
            found["new"] = ContractFinding("new", f"it raises {_error_with_place(error)}", ())
            break
        for _ in range(longest):
            states += 1
            for name, one in CHECKS.items():
                look(name, lambda one=one, state=game.state: one(package, state), done)  # type: ignore[misc]
            if game.over:
                over += 1
                break
            action = _choose_random_action(game.state, rng)
            if action is None:
                break
            done = (*done, str(action))
            try:
                events = game.push(action)
            except Exception as error:
                found["apply"] = ContractFinding(
                    "apply", f"{action}: it raises {_error_with_place(error)}", done[:-1]
                )
                break
            look("events", lambda events=events: _check_events(package, events), done)  # type: ignore[misc]
        look("record", lambda game=game: _check_record(game), done)  # type: ignore[misc]
        look("secrets", lambda rng=rng: Twins(package.new({}), rng).play(longest), ())  # type: ignore[misc]
    return ContractReport(tuple(found.values()), states, over)


def _error_with_place(error: BaseException) -> str:
    """An error with its place."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else ""
    return " ".join(f"{type(error).__name__}: {error}{place}".split())


def _choose_random_action(state: State, rng: random.Random) -> Action | None:
    """Any action of a seat to act; of chance by its weights."""
    seats = state.seats_to_act()
    if not seats:
        return None
    seat = rng.choice(seats)
    choices = state.chance() if seat == CHANCE else ()
    if choices:
        return rng.choices([action for action, _ in choices], [weight for _, weight in choices])[0]
    legal = list(state.legal_actions(seat))
    return rng.choice(legal) if legal else None


def _all_actors(state: State) -> tuple[Seat, ...]:
    return (*state.seats, CHANCE, CLOCK)


# What is looked at


def _check_package(package: GamePackage) -> FaultTexts:
    if not isinstance(getattr(package, "title", None), str) or not package.title:
        yield "it has no title; expected a text"
    if not package.schema():
        yield "schema() says nothing of its views; expected schema.view(...)"
    texts = package.sentences().texts
    for seat in package.new({}).seats:
        if f"seat {seat}" not in texts:
            yield f"there is no sentence 'seat {seat}'; expected what people call it"


def _check_boards(package: GamePackage) -> FaultTexts:
    needed = package.new({}).unchecked_spaces() | package.new({}).layout().keys()
    carrying = {name: board for name, board in readable_boards().items() if package.id in board.games}
    if not carrying:
        yield "no installed board names it in its games; expected an entry point boardumpire.boards"
    trays = package.new({}).trays()
    for name, board in carrying.items():
        for tray in sorted(trays & board.spaces.keys()):
            yield f"board {name} has a space {tray}, which is a tray; expected another name"
        missing = sorted(needed - board.spaces.keys())
        if missing:
            yield f"board {name} has no space {missing[0]}; expected all that the game begins with"


def _check_value(package: GamePackage, state: State) -> FaultTexts:
    again = pickle.loads(pickle.dumps(state))
    if again != state or hash(again) != hash(state):
        yield "a pickled copy is another state; expected an equal one with the same hash"
    if copy.deepcopy(state) != state:
        yield "a deep copy is another state; expected an equal one"
    if state == object():
        yield "it equals something that is no state"
    json.dumps(state.truth(), allow_nan=False)
    if "players" not in state.options:
        yield "options has no players; expected every option with its value"


def _check_views(package: GamePackage, state: State) -> FaultTexts:
    known = package.schema()
    for seat in (*state.seats, None):
        view, whose = state.view(seat), seat or "the spectator"
        shown = view.json()
        try:
            json.dumps(shown, allow_nan=False)
        except (TypeError, ValueError) as error:
            yield f"the view of {whose} is not JSON: {error}"
            continue
        if shown.get("seat") != seat or shown.get("game") != state.game_id:
            yield f"the view of {whose} says seat {shown.get('seat')!r}, game {shown.get('game')!r}"
        if tuple(shown.get("to_act", ())) != state.seats_to_act():
            yield f"the view of {whose} says other seats to act than seats_to_act()"
        if ("outcome" in shown) != (state.outcome is not None):
            yield f"the view of {whose}: outcome has to be there once the game is over, and not before"
        if known and not schema.is_valid(json.loads(json.dumps(shown)), known):
            yield f"the view of {whose} is not what schema() says"
        if view != state.view(seat) or hash(view) != hash(state.view(seat)):
            yield f"two views of {whose} differ; expected equal ones"
        if seat is not None and state.outcome is None:
            try:
                observation.check_readable(state, seat)
            except observation.BadObservation as problem:
                yield str(problem)


def _check_actions(package: GamePackage, state: State) -> FaultTexts:
    for seat in _all_actors(state):
        listed, table = list(state.legal_actions(seat)), state.table_actions(seat)
        if listed != list(state.legal_actions(seat)):
            yield f"legal_actions of {seat} come in another order each time"
        if len(set(listed)) != len(listed):
            yield f"an action of {seat} is listed twice"
        if seat in state.seats_to_act() and not listed:
            yield f"the game waits for {seat}, who has no legal action"
        for action in (*listed[:TRIED_MAX], *table):
            if action.seat != seat:
                yield f"{action} of {seat} says seat {action.seat}"
            if state.parse(str(action), seat) != action:
                yield f"{str(action)!r} is read back as another action"
            if (repr(action) == str(action)) == action.secret:
                yield f"repr of {'a secret action tells its text' if action.secret else 'an action differs'}"
        if any(action in state.legal_actions(seat) for action in table):
            yield f"a table action of {seat} is among its legal actions"
    if state.outcome is not None and (state.seats_to_act() or any(map(state.legal_actions, state.seats))):
        yield "the game is over, and somebody may act still"


def _check_refusals(package: GamePackage, state: State) -> FaultTexts:
    """`refusal`, lists and `apply` agree, also for what others would say."""
    for seat in state.seats:
        for action in list(state.legal_actions(seat))[:TRIED_MAX]:
            for other in state.seats:
                try:
                    tried = state.parse(str(action), other)
                except BadText:
                    continue
                yield from _check_refusal(state, tried)


def _check_refusal(state: State, action: Action) -> FaultTexts:
    refusal = state.refusal(action)
    listed = action in state.legal_actions(action.seat) or action in state.table_actions(action.seat)
    if (refusal is None) != listed:
        said = "allowed by refusal(), but not listed" if refusal is None else f"listed, but {refusal.code}"
        yield f"{action} of {action.seat} is {said}"
    before = _truth_text(state)
    try:
        first = state.apply(action)
        if _truth_text(state) != before:
            yield f"apply({action}) changes the state itself; expected another one"
        second = state.apply(action)
        if refusal is not None:
            yield f"{action} of {action.seat} is refused ({refusal.code}), and apply() takes it"
        if first != second:
            yield f"{action} of {action.seat} leads to two different states"
    except IllegalAction as error:
        if refusal is None:
            yield f"{action} of {action.seat} is allowed, and apply() raises {error}"
        for reason in () if refusal is None else (refusal, *refusal.further_refusals):
            if not announce.is_known(Message(reason.code, {}, state.game_id)):
                yield f"there is no sentence {reason.code!r}; expected why {action} is refused"
    except NeedsHistory:
        pass


def _truth_text(state: State) -> str:
    return json.dumps(state.truth(), sort_keys=True, default=str)


def _check_chance(package: GamePackage, state: State) -> FaultTexts:
    choices = state.chance()
    if bool(choices) != (CHANCE in state.seats_to_act()):
        yield "chance() has choices exactly when chance is to act; here it is otherwise"
    if any(weight <= 0 or state.refusal(action) is not None for action, weight in choices):
        yield "a choice of chance() has no weight, or is refused"


def _check_texts(package: GamePackage, state: State) -> FaultTexts:
    for seat in state.seats:
        for text in ("", "xyzzy", "a1", "-", "\0"):
            try:
                state.parse(text, seat)
            except BadText as error:
                if not {"expected", "try"} & set(str(error).split()):
                    yield f"parse({text!r}): {str(error)!r} says neither `expected ...` nor `try ...`"
    for name, asks in (("legal_actions", state.legal_actions), ("view", state.view)):
        try:
            asks(Seat("nobody"))
            yield f"{name} takes a seat that there isn't; expected UnknownSeat (expect_seat)"
        except UnknownSeat:
            pass


def _check_hands(package: GamePackage, state: State) -> FaultTexts:
    layout, trays = state.layout(), state.trays()
    for tray, pieces in trays.items():
        if tray in layout:
            yield f"trays(): {tray} is in layout(), too; expected a place beside the board"
        if len(set(pieces)) > 1:
            yield f"trays(): {tray} holds pieces that differ; expected a tray for each kind"
    for space, pieces in layout.items():
        if not pieces or any(piece.seat not in state.seats for piece in pieces):
            yield f"layout(): {space} holds no piece of a seat; expected spaces with pieces alone"
    for step in state.steps():
        if step.origin in trays and step.takes:
            yield f"steps(): what comes from {step.origin} takes a piece; expected a free space"
        if step.origin not in layout and not trays.get(step.origin):
            yield f"steps(): nothing stands on {step.origin}, from where hands shall go to {step.target}"
        if not all(space in layout for space in step.takes):
            yield f"steps(): {step.origin} to {step.target} takes from a space where nothing stands"
        for seat in state.seats_to_act():
            state.hand_action(seat, step.origin, step.target)
    if state.outcome is not None and state.steps():
        yield "the game is over, and steps() has some still"


CHECKS: dict[str, Check] = {
    "value": _check_value,
    "views": _check_views,
    "actions": _check_actions,
    "refusals": _check_refusals,
    "chance": _check_chance,
    "texts": _check_texts,
    "hands": _check_hands,
}


def _check_events(package: GamePackage, events: tuple[Event, ...]) -> FaultTexts:
    for event in events:
        json.dumps(event.json(), allow_nan=False)
        message = announce.event_message(event, package.id)
        if not announce.is_known(message):
            yield f"there is no sentence {message.id!r} for what has happened"
        elif "{" in announce.to_sentence(message):
            yield f"the sentence {message.id!r} lacks a parameter: {announce.to_sentence(message)}"


def _check_record(game: Game) -> FaultTexts:
    text = game.record()
    again = Game.read(text)
    if again.state != game.state:
        yield "its record is played to another state"


class Twins:
    """Two games that differ only in what somebody did in secret, or in what was drawn in secret."""

    def __init__(self, state: State, rng: random.Random) -> None:
        self._state = self._twin = state
        self._rng = rng
        self._alike: set[Seat | None] = {*state.seats, None}
        """Who was told the same of both; `None` is the spectator."""

    def play(self, longest: int) -> FaultTexts:
        """Play both, and compare what is seen by whoever was told the same."""
        for _ in range(longest):
            chosen = self._choose_actions()
            if chosen is None:
                return
            action, other = chosen
            self._state, events = self._state.apply(action)
            self._twin, twin_events = self._twin.apply(other)
            self._alike = {
                seat
                for seat in self._alike
                if (action == other or seat != action.seat)
                and _visible_events(events, seat) == _visible_events(twin_events, seat)
            }
            yield from self._compare(action.seat)
            if not self._alike:  # nobody is left to compare: begin anew from here
                self._twin, self._alike = self._state, {*self._state.seats, None}

    def _choose_actions(self) -> tuple[Action, Action] | None:
        """One for each, different ones where they are secret; `None` where nothing fits both."""
        seats = self._state.seats_to_act()
        if not seats or seats != self._twin.seats_to_act():
            return None
        seat = self._rng.choice(seats)
        mine, others = (list(each.legal_actions(seat)) for each in (self._state, self._twin))
        secret = [action for action in mine if action.secret]
        if secret:
            action = self._rng.choice(secret)
            others = [other for other in others if other.secret and other != action]
            self._rng.shuffle(others)
            stands = _standing_seats(self._state.apply(action)[0])
            for other in (*self._exchanged(action), *others[:TRIED_MAX]):
                if _standing_seats(self._twin.apply(other)[0]) == stands:  # where pieces stand anybody sees
                    return action, other
            return (action, action) if self._twin.refusal(action) is None else None
        both = [action for action in mine if action in others]
        return (self._rng.choice(both),) * 2 if both else None

    def _exchanged(self, action: Action) -> Iterator[Action]:
        """A set-up with its pieces exchanged: `setup a1=F b1=B` as `setup a1=B b1=F`."""
        word, *pieces = str(action).split()
        if word != "setup" or not all("=" in piece for piece in pieces):
            return
        spaces, names = zip(*(piece.split("=", 1) for piece in pieces), strict=True)
        for _ in range(TRIED_MAX):
            shuffled = self._rng.sample(names, len(names))
            text = " ".join([word, *map("=".join, zip(spaces, shuffled, strict=True))])
            with contextlib.suppress(BadText):
                other = self._twin.parse(text, action.seat)
                if other != action and self._twin.refusal(other) is None:
                    yield other

    def _compare(self, seat: Seat) -> FaultTexts:
        one, other = self._state, self._twin
        for whose in sorted(self._alike, key=str):
            if one.view(whose).json() != other.view(whose).json():
                yield f"the view of {whose or 'the spectator'} tells what {seat} keeps secret"
            if whose is not None and list(one.legal_actions(whose)) != list(other.legal_actions(whose)):
                yield f"what {whose} may do tells what {seat} keeps secret"
        if None in self._alike:
            for name in ("layout", "steps", "trays", "unchecked_spaces", "seats_to_act"):
                if getattr(one, name)() != getattr(other, name)():
                    yield f"{name}() tells what {seat} keeps secret; hands and lamps follow it"


def _standing_seats(state: State) -> dict[Space, tuple[Seat, ...]]:
    """By space whose pieces stand there."""
    return {space: tuple(piece.seat for piece in pieces) for space, pieces in state.layout().items()}


def _visible_events(events: tuple[Event, ...], seat: Seat | None) -> list[Event]:
    return [event for event in events if event.visible_to(seat)]


# The command


def add_contract(subparsers: Any, table_factory: object) -> None:
    """`boardumpire lab contract`."""
    parser = subparsers.add_parser(
        "contract", example="lab contract stratego-duel",
        help="check that a game keeps what everything else relies on", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("game", metavar="GAME", help="the id of the game")
    parser.add_argument("--games", type=int, default=3, metavar="N", help="random games [%(default)s]")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of everything [%(default)s]")
    parser.add_argument(
        "--longest", type=int, default=200, metavar="N", help="actions of one game at most [%(default)s]"
    )
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Look at the game, and tell what is wrong; the exit code. Raises `BoardumpireError`."""
    for name in ("games", "longest"):
        if getattr(given, name) < 1:
            raise BoardumpireError(f"--{name} {getattr(given, name)}: too few; try 1 or more")
    try:
        report = check(given.game, given.games, given.seed, given.longest)
    except boardrules.UnknownGame as problem:
        raise BoardumpireError(str(problem)) from None
    for finding in report.findings:
        print(f"WRONG {finding}")
    print(
        f"{given.game}: {report.states} states of {given.games} games, {report.finished_games} of them to the"
        f" end: {len(report.findings) or 'nothing'} wrong"
    )
    return FAILED if report.findings else 0
