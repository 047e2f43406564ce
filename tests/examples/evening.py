"""Two players at a board whose pieces come from the box, over gpiozero with contacts that bounce."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import boardrules
from boardrules.core import Action, State, Step
from boardsim.bench.bench import Bench, BenchSettings
from boardsim.bench.table import BenchMessage
from boardumpire.commands.table_factory import TableFactory
from boardware.ports import MS


class Evening:
    """The players know the rules, and do what they mean in one of the ways in which people do it."""

    def __init__(
        self,
        game: str,
        board: str,
        seed: int,
        journal: Path | None = None,
        options: Mapping[str, Any] = {},
        table: Mapping[str, Any] = {},
        driver: str = "gpio-sim",
    ) -> None:
        """`table`: settings for the table, such as its clock."""
        self.told: list[BenchMessage] = []
        setting = BenchSettings(
            board=board, game=game, options=options, seed=seed, journal=journal, table=table, driver=driver
        )
        self.bench = Bench(setting, TableFactory(), told=self.told.append)
        self.state: State = boardrules.new(game, options)
        self.dice = random.Random(seed)

    def begin(self) -> None:
        """Power on, and the pieces from the box."""
        self.bench.start()
        for space, (piece,) in sorted(self.state.layout().items()):
            self.bench.run_until(self.bench.hands.stand(piece.seat, space, self.bench.now, piece.name))
        self.wait(1000)
        assert self.chores() == []
        assert not self.of("question"), "the layout comes from the box"

    def wait(self, ms: int) -> None:
        self.bench.wait(ms * MS)

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message.data for message in self.told if message.kind == kind]

    def chores(self) -> list[dict[str, str]]:
        told = self.of("chores")
        return list(told[-1]["chores"]) if told else []

    def rulings(self) -> list[dict[str, Any]]:
        return self.of("ruling")

    def lift(self, space: str) -> None:
        self.bench.run_until(self.bench.hands.lift(space, self.bench.now))

    def place(self, space: str, origin: str | None = None) -> None:
        self.bench.run_until(self.bench.hands.place(space, self.bench.now, origin))

    def aside(self) -> None:
        """What is left in the hands was taken."""
        while self.bench.hands.held:
            self.bench.run_until(self.bench.hands.put_beside_board(self.bench.now))

    def carry(self, step: Step) -> None:
        """One step, with all pieces that it moves and takes."""
        if step.companion_moves and self.dice.random() < 0.5:
            self._both(step)
        elif step.takes == (step.target,):
            self._take(step)
        elif step.takes:
            self._take_beside(step)
        else:
            self.lift(step.origin)
            self.place(step.target, step.origin)
        self.wait(1500)
        if step.companion_moves and self.chores():  # the king was first
            ((origin, target),) = step.companion_moves
            assert {(chore["do"], chore["space"]) for chore in self.chores()} == {
                ("take", origin), ("put", target),
            }  # fmt: skip
            self.lift(origin)
            self.place(target, origin)
            self.wait(1500)

    def _both(self, step: Step) -> None:
        """Both pieces of a castling, one in each hand."""
        ((origin, target),) = step.companion_moves
        self.lift(step.origin)
        self.lift(origin)
        self.place(step.target, step.origin)
        self.place(target, origin)

    def _take(self, step: Step) -> None:
        way = self.dice.choice(("other first", "own first", "upon"))
        if way == "other first":
            self.lift(step.target)
            self.aside()
            self.lift(step.origin)
            self.place(step.target, step.origin)
        else:
            self.lift(step.origin)
            self.lift(step.target)
            self.place(step.target, step.origin)
        self.aside()

    def _take_beside(self, step: Step) -> None:
        """En passant: what is taken leaves before, or when the board asks for it."""
        (taken,) = step.takes
        first = self.dice.random() < 0.5
        if first:
            self.lift(taken)
            self.aside()
        self.lift(step.origin)
        self.place(step.target, step.origin)
        self.wait(1500)
        if not first:
            assert [(chore["do"], chore["space"]) for chore in self.chores()] == [("take", taken)]
            self.lift(taken)
            self.aside()

    def press(self, button: str) -> None:
        if button == "confirm":
            self.wait(1000)  # what is pointed at has to be seen first
        self.bench.run_until(self.bench.hands.press(button, self.bench.now))
        self.wait(500)

    def lit(self) -> dict[str, str]:
        """What the lamps mean now, by space or name."""
        table = self.bench.table
        assert table is not None
        return dict(table.marks)

    def turn(self, step: Step | None = None) -> None:
        """The next move: this one, or any."""
        step = step or self.dice.choice(self.state.steps())
        seat = self.state.seats_to_act()[0]
        number = len(self.rulings())
        self.carry(step)
        self.ruled(self.state.hand_action(seat, step.origin, step.target), number)

    def ruled(self, action: Action, number: int) -> None:
        """The umpire has ruled on just that since there were so many rulings, and the board is in order."""
        told = [ruling["action"] for ruling in self.rulings()[number:]]
        assert told == [str(action)], self.told[-3:]
        self.state, _ = self.state.apply(action)
        assert self.chores() == []
        assert not self.of("fault"), self.of("fault")

    def say(self, text: str) -> None:
        """Who is to act says it on the phone."""
        seat, number = self.state.seats_to_act()[0], len(self.rulings())
        self.bench.say(seat, text)
        self.wait(500)
        self.ruled(self.state.parse(text, seat), number)
