"""Simulated hands play a game that is written down, through pins, and do what the umpire asks of them.

Hands see what people see: they carry a move out in one of the ways people do, then wait, and do the chores
that the table tells until it names who is to move. They never look into the umpire's state.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from boardrules import record as records
from boardrules import registry
from boardrules.core import Action, BadText, IllegalAction, Seat, State, Step
from boardrules.record import Record, RecordError
from boardsim.bench.bench import SENSING_DELAY_US, Bench, BenchSettings
from boardsim.bench.table import BenchMessage, BenchTableFactory
from boardsim.hands.hands import HeldPiece, space_of
from boardsim.people.retold import PlaybackStuck, RecordedAction, RecordedPlayers
from boardware.ports import MS, SECOND, Micros

CONFIRM_DELAY_US: Micros = 1200 * MS
"""How long hands hold both pieces of an attack before they confirm it."""
SLICE: Micros = 50 * MS
"""How often hands look at what the umpire says."""
QUESTION_LOOKS = 40
"""How often hands look for a question that a fault may delay."""
UMPIRE_TIMEOUT_US: Micros = 20 * SECOND
"""How long hands wait for the umpire to say something new before they give up."""


def read_record(text: str) -> Record:
    """A record that hands can play to its end. Raises `RecordError`, before anything is played."""
    record = records.parse(text)
    state = records.begin_history(record).state
    seats, beside = state.seats, registry.package(record.game).record_line_prefixes()
    for number, (seat, said) in enumerate(record.actions):
        if seat not in seats and not any(f"{seat} {said}".startswith(known) for known in beside):
            found = f"{seat} {said[:60]}: hands can't do that"
            raise RecordError(record.line_numbers.get(str(number), 1), f"{found}; try {' or '.join(seats)}")
    if records.final_state(record).outcome is None:
        raise RecordError(
            record.line_numbers.get(str(len(record.actions) - 1), 1), "the game isn't over; try its end"
        )
    return record


def play_record(record: Record, setting: BenchSettings, factory: BenchTableFactory) -> str:
    """Have hands play a record to its end; the record that the umpire wrote. Raises `PlaybackStuck`."""
    if registry.package(record.game).record_line_prefixes():
        return _play_pawn_record(record, setting, factory)
    player = RecordPlayer(setting._replace(game=record.game, options=record.options), factory)
    try:
        player.play(record.actions)
        assert player.bench.table is not None
        return player.bench.table.export_record()
    finally:
        player.bench.close()


def _play_pawn_record(record: Record, setting: BenchSettings, factory: BenchTableFactory) -> str:
    people = RecordedPlayers(record, setting, factory)
    try:
        people.retell(record.actions)
        assert people.scene.bench.table is not None
        return people.scene.bench.table.export_record()
    finally:
        people.scene.close()


def difference(one: Record, other: Record) -> str | None:
    """How two records tell different games, in a few words; `None` if they tell the same.

    Options that are left out have their defaults; seed, board and date are no part of a game.
    """
    first, second = _comparable_game(one), _comparable_game(other)
    if first[:2] != second[:2]:
        return f"{first[0]} {first[1]} became {second[0]} {second[1]}"
    for number, (here, there) in enumerate(zip_longest(first[2], second[2]), 1):
        if here != there:
            return f"action {number}: {_action_text(here)} became {_action_text(there)}"
    return None if first[3] == second[3] else f"the end: {first[3]} became {second[3]}"


def _comparable_game(record: Record) -> tuple[Any, ...]:
    state = records.begin_history(record).state
    options = dict(state.options)
    actions = []
    for seat, text in record.actions:
        action = state.parse(text, seat)
        actions.append((seat, str(action)))
        state, _ = state.apply(action)
    return record.game, options, actions, state.outcome


def _action_text(action: RecordedAction | None) -> str:
    return "nothing" if action is None else " ".join(action)


class HeardMessages:
    """What hands know of the umpire: its latest words."""

    def __init__(self) -> None:
        self.chores: Sequence[Mapping[str, Any]] = ()
        self.turns = 0
        """How often it was told who is to move, or that the game is over."""
        self.rulings: list[dict[str, Any]] = []
        self.last = "nothing"

    def __call__(self, message: BenchMessage) -> None:
        """Hear a message."""
        if message.seat is not None:
            return
        self.last = f"{message.kind} {message.data}"
        if message.kind == "chores":
            self.chores = message.data["chores"]
        elif message.kind in ("turn", "over"):
            self.turns += 1
        elif message.kind == "ruling":
            self.rulings.append(message.data)


class RecordPlayer:
    """Hands that play the actions of one game, one after the other."""

    def __init__(
        self, setting: BenchSettings, factory: BenchTableFactory, bench_class: type[Bench] = Bench
    ) -> None:
        self.tellings = HeardMessages()
        self.bench = bench_class(setting, factory, told=self.tellings)
        self.state: State = registry.new(setting.game, setting.options)
        """The game as far as it was played; hands read from it how an action is carried out."""
        self._random = random.Random(f"player {setting.seed}")

    def play(self, actions: Sequence[RecordedAction]) -> None:
        """From power on to the last action. Raises `PlaybackStuck`, `BadText` and `IllegalAction`."""
        self.bench.start()
        for number, (seat, text) in enumerate(actions, 1):
            try:
                self.act(seat, text)
            except (BadText, IllegalAction, PlaybackStuck) as error:
                raise PlaybackStuck(f"action {number}, {seat} {text}: {error}") from error

    def act(self, seat: Seat, text: str) -> None:
        """Carry one action out and see it through until the umpire goes on."""
        action = self.state.parse(text, seat)
        after, _ = self.state.apply(action)
        turns, rulings = self.tellings.turns, len(self.tellings.rulings)
        step = self.step_of(action)
        if step is not None:
            self.carry(step)
        else:
            self._say(seat, text)
        self.state = after
        self.await_next_turn(turns, rulings)

    def step_of(self, action: Action) -> Step | None:
        """How hands carry an action out; `None` if it is said rather than done."""
        for step in self.state.steps():
            try:
                if self.state.hand_action(action.seat, step.origin, step.target) == action:
                    return step
            except BadText:
                continue
        return None

    def carry(self, step: Step) -> None:
        """Do what a step needs, in one of the ways that people do it."""
        bench, hands = self.bench, self.bench.hands
        if not step.attack:
            if self._random.random() < 0.3:
                bench.run_until(hands.slide([step.origin, step.target], bench.now))
            else:
                bench.run_until(hands.lift(step.origin, bench.now))
                bench.run_until(hands.place(step.target, bench.now))
            return
        way = self._random.choice(["tap", "own first", "other first"])
        if way == "tap":
            bench.run_until(hands.tap(step.origin, step.target, bench.now))
        else:
            spaces = [step.origin, step.target]
            for space in spaces if way == "own first" else reversed(spaces):
                bench.run_until(hands.lift(space, bench.now))
        bench.wait(CONFIRM_DELAY_US)
        self.complete_attack(step)

    def complete_attack(self, step: Step) -> None:
        """Say that the attack which waits for its sign is meant, on the phone or by the button."""
        bench = self.bench
        owner = next(seat for seat in self.state.seats_to_act())
        if self._random.random() < 0.5 and bench.board.buttons:
            bench.run_until(bench.hands.press("confirm", bench.now))
        else:
            self._agree(owner)

    def _agree(self, seat: Seat) -> None:
        """Say yes once the board asks; a cable that is out may delay the question, or hide what hands did."""
        for _ in range(QUESTION_LOOKS):
            try:
                self.bench.say(seat, "yes")
            except ValueError:
                self.bench.wait(SLICE)
            else:
                return

    def _say(self, seat: Seat, text: str) -> None:
        """Say it on the seat's phone; a set-up is stood on the board before."""
        try:
            if text.startswith("setup "):
                self.bench.set_up(seat, text)
            else:
                self.bench.say(seat, text)
        except ValueError as error:
            raise PlaybackStuck(f"the phone answers: {error}") from error

    def await_next_turn(self, turns: int, rulings: int) -> None:
        """Do the chores until the umpire has ruled and named who is to move. Raises `PlaybackStuck`."""
        bench, tellings = self.bench, self.tellings
        waited = 0
        while tellings.chores or tellings.turns == turns or not self.has_ruled_since(rulings):
            if self.do_correction():
                waited = 0
            else:
                bench.wait(SLICE)
                waited += SLICE
            if waited > UMPIRE_TIMEOUT_US:
                raise PlaybackStuck(f"the umpire waits for something; it said last: {tellings.last}")
        self.put_held_aside()

    def put_held_aside(self) -> None:
        """Put what is left in the hands beside the board: it was beaten."""
        while self.bench.hands.held:
            self.bench.run_until(self.bench.hands.put_beside_board(self.bench.now))

    def has_ruled_since(self, rulings: int) -> bool:
        """Whether the umpire has ruled since it had given so many rulings."""
        return len(self.tellings.rulings) > rulings

    def do_correction(self) -> bool:
        """Do the first chore that hands can do. False if there is none."""
        bench = self.bench
        for chore in self.tellings.chores:
            space = chore["space"]
            if chore["do"] == "take" and any(space_of(slot) == space for slot in bench.world.standing()):
                bench.run_until(bench.hands.lift(space, bench.now))
            elif chore["do"] == "put" and (held := self.held_piece_for(space, chore["seat"])):
                bench.run_until(bench.hands.place(space, bench.now, held.origin))
            else:
                continue
            bench.wait(SENSING_DELAY_US)
            return True
        return False

    def held_piece_for(self, space: str, owner: Seat | None) -> HeldPiece | None:
        """The held piece that belongs on `space`: its owner's, best the one that was lifted there."""
        fitting = [held for held in self.bench.hands.held if owner in (None, held.piece.owner)]
        home = [held for held in fitting if held.origin is not None and space_of(held.origin) == space]
        return next(iter(home or fitting), None)
