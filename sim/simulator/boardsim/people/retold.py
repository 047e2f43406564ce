"""People who play a game of pawns as it is written down: the umpire throws and deals what is written, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from boardrules import record as records
from boardrules.core import CHANCE, CLOCK, BadText, IllegalAction, Seat, State
from boardrules.record import Record
from boardsim.bench.bench import BenchSettings
from boardsim.bench.table import BenchTableFactory
from boardsim.people.escapers import ColditzPeople
from boardsim.people.rates import ErrorRates

RecordedAction = tuple[Seat, str]
"""An action of a record: seat and text."""


class PlaybackStuck(RuntimeError):  # noqa: N818
    """The game didn't go on as it is written: after which action, what the umpire said last."""


class RecordedDiceFactory:
    """A factory whose dice nobody changes."""

    def __init__(self, factory: BenchTableFactory) -> None:
        self._factory = factory

    def with_dice(self, dice: object) -> BenchTableFactory:
        """The same: what falls is written down."""
        return self._factory

    def __getattr__(self, name: str) -> Any:
        return getattr(self._factory, name)


def chance_outcomes(record: Record) -> Iterator[int]:
    """By throw and deal of a record which of the faces that there were came."""
    state: State = records.begin_history(record).state
    for seat, text in record.actions:
        action = state.parse(text, seat)
        if seat == CHANCE:
            yield [face for face, _ in state.chance()].index(action)
        state, _ = state.apply(action)


class RecordedPlayers(ColditzPeople):
    """Everybody at one board, who do what is written and make no mistakes."""

    def __init__(self, record: Record, setting: BenchSettings, factory: BenchTableFactory) -> None:
        fallen = chance_outcomes(record)

        def dice(weights: Sequence[int]) -> int:
            return next(fallen)

        given = setting._replace(game=record.game, options=record.options)
        written: Any = RecordedDiceFactory(factory.with_dice(dice))
        super().__init__(given, written, f"retold {setting.seed}", ErrorRates())
        self._closings = 0
        """How many questions the clock has closed in what is written, so far."""

    def retell(self, actions: Sequence[RecordedAction]) -> None:
        """From power on to the last action. Raises `PlaybackStuck`."""
        self.scene.bench.start()
        self.scene.wait(200)
        self._begin()
        for number, (seat, text) in enumerate(actions, 1):
            try:
                self._play_action(seat, text)
                self.settle()
            except (BadText, IllegalAction) as error:
                raise PlaybackStuck(f"action {number}, {seat} {text}: {error}") from error
            if self.judge.findings:
                raise PlaybackStuck(f"action {number}, {seat} {text}: {self.judge.findings[0].what}")

    def _play_action(self, seat: Seat, text: str) -> None:
        """One action; what chance does the umpire has done."""
        if seat == CHANCE:
            return
        if seat == CLOCK:
            self._closings += 1
            if self.judge.count["closed"] < self._closings:  # all who are asked at once are closed at once
                self._let_deadline_pass()
            return
        action = self.state.parse(text, seat)
        hands = next((way for way, each in self.carry_actions(seat).items() if each == action), None)
        if hands is None:
            self.say(action)
        else:
            self.carry(action, *hands)
