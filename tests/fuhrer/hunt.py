"""Whole hunts on a simulated board: simple players decide, hands carry out, phones say, the umpire rules."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from typing import Any

from boardrules import registry
from boardrules.core import CHANCE, Action, State
from boardrules.fuhrer import simple_players
from boardrules.fuhrer.actions import HITLER, PIECES, MovePiece, PlacePiece, SpyQuestion, WordAction
from boardsim.bench.bench import SENSING_DELAY_US, Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardware.ports import MS, SECOND
from table.dice import thrown_by

GAME = "fall-of-the-fuhrer"
BOARD = "fall-of-the-fuhrer"
SEEN = 1200 * MS
"""After so long a yes or no that names nothing counts."""


class Stuck(RuntimeError):  # noqa: N818
    """The umpire waits for something that nobody knows."""


class Hunt:
    """One game. What hands know they know from messages; the truth goes on beside it, for the players."""

    def __init__(
        self,
        seed: int = 0,
        *,
        board: str = BOARD,
        driver: str = "gpio-sim",
        options: Mapping[str, Any] = {},
        bench: type[Bench] = Bench,
        by_button: bool = False,
        turned: Callable[[int], None] = lambda now: None,
        trace: Callable[[str], object] | None = None,
        **setting: Any,
    ) -> None:
        self.dice = random.Random(f"hunt {seed}")
        self.state: State = registry.new(GAME, options)
        self.messages: list[Any] = []
        self.record = ""
        self.lit: list[tuple[int, Any]] = []
        factory = TableFactory(dice=thrown_by(random.Random(f"die {seed}")))
        if trace is not None:
            factory = factory.traced(lambda: trace, driver)
        self.bench = bench(
            BenchSettings(board=board, game=GAME, options=dict(options), driver=driver, seed=seed, **setting),
            factory,
            told=self.messages.append,
            turned=turned,
        )
        self.by_button = by_button
        self.heard = 0
        self.secret: list[str] = []
        """What Hitler has done and was not ruled on yet."""
        self.ways: list[str] = []
        """How each move was brought about: `felt`, `said`, `button`."""

    # What is known

    @property
    def table(self) -> Any:
        assert self.bench.table is not None
        return self.bench.table

    def public(self, kind: str) -> list[Any]:
        return [message.data for message in self.messages if message.seat is None and message.kind == kind]

    def rulings(self) -> list[Any]:
        return [data for data in self.public("ruling") if data["ok"]]

    # What is done

    def play(self, longest: int = 10_000) -> None:
        self.begin()
        for _ in range(longest):
            if self.state.outcome is not None:
                return
            self.turn()

    def begin(self) -> None:
        self.bench.start()
        self.bench.wait(SENSING_DELAY_US)

    def turn(self) -> None:
        """Let whoever is to act do one thing, and wait until it is ruled on and the board is in order."""
        (seat,) = self.state.seats_to_act()
        if seat == CHANCE:
            if self.bench.setting.table.get("dice") == "real":
                self.bench.say(self.state.throwers()[0], f"roll {self.dice.randint(1, 3)}")
            self.await_rulings(1)
            return
        legal = self.state.legal_actions(seat)
        if seat == HITLER and self.state.options["sheet"] == "paper":
            self.act(self.dice.choice(list(legal)))
        else:
            self.act(simple_players.choose(self.state.view(seat), legal, self.dice))

    def act(self, action: Action) -> None:
        """Carry one action out."""
        said = str(action)
        if action.secret:
            self.secret.append(said)
        if isinstance(action, PlacePiece):
            city = self.state.facts.rules.board.ids[action.city]
            self.stand(action.seat, PIECES[action.piece], city)
            if self.by_button:
                self.place(city)
            else:
                self.bench.say(action.seat, said)
        elif isinstance(action, MovePiece):
            self.carry(action)
        elif self.by_button and isinstance(action, WordAction) and action.seat != HITLER:
            button = next(button for button, each in self.state.button_actions().items() if each == action)
            self.press(button)
        elif self.by_button and isinstance(action, SpyQuestion):
            self.point(action)
        else:
            if said in ("yes", "no"):  # it counts once its question has been seen for a second
                self.bench.wait(SEEN)
            self.bench.say(action.seat, said)
        self.await_rulings(1)

    def stand(self, seat: str, label: str, city: str) -> None:
        self.bench.run_until(self.bench.hands.stand(seat, city, self.bench.now, label))
        self.bench.wait(SENSING_DELAY_US)

    def place(self, city: str) -> None:
        """Say by buttons that the next piece of the set-up begins there."""
        for _ in range(4):
            if {lamp for lamp, mark in self.table.marks.items() if mark == "asks"} == {city}:
                break
            self.press("choose")
        self.press("confirm")

    def carry(self, move: MovePiece) -> None:
        """Lift the piece whose turn it is, set it down; what no reed felt is said or confirmed."""
        bench, hands = self.bench, self.bench.hands
        origin, target = str(move).split("-")
        label = PIECES[self.state.facts.stage.piece]
        before = len(self.rulings())
        bench.run_until(hands.lift(origin, bench.now, label))
        bench.run_until(hands.place(target, bench.now))
        bench.wait(SECOND)
        if len(self.rulings()) > before:
            self.ways.append("felt")
        elif self.by_button:
            self.ways.append("button")
            for _ in range(12):
                pointed = [lamp for lamp, mark in self.table.marks.items() if mark == "asks"]
                if target in pointed:
                    break
                self.press("choose")
            self.press("confirm")
        else:
            self.ways.append("said")
            bench.say(move.seat, str(move))

    def point(self, ask: SpyQuestion) -> None:
        cities = {self.state.facts.rules.board.ids[city] for city in ask.cities}
        for _ in range(40):
            self.press("choose")
            if {lamp for lamp, mark in self.table.marks.items() if mark == "asks"} == cities:
                break
        else:
            raise Stuck(f"choose never came to {cities}: {self.table.marks}")
        self.press("confirm")

    def press(self, button: str) -> None:
        if button in ("confirm", "turn"):
            self.bench.wait(SECOND)  # what it means now has to be seen first
        self.bench.run_until(self.bench.hands.press(button, self.bench.now))
        self.bench.wait(SENSING_DELAY_US)

    def await_rulings(self, count: int) -> None:
        """Do the chores until so many rulings more have come; the truth follows them."""
        waited = 0
        while len(self.rulings()) < self.heard + count or self.table.guidance.corrections:
            if self.obey():
                waited = 0
                continue
            self.bench.wait(50 * MS)
            waited += 50
            if waited > 30_000:
                last = [message.json() for message in self.messages[-3:]]
                raise Stuck(json.dumps({"state": repr(self.state), "last": last}))
        for ruling in self.rulings()[self.heard :]:
            self.heard += 1
            text = ruling["action"] or self.secret.pop(0)
            self.state, _ = self.state.apply(self.state.parse(text, ruling["seat"]))

    def obey(self) -> bool:
        bench = self.bench
        for chore in self.table.guidance.corrections:
            if chore.kind == "put" and not bench.hands.held:
                # Pieces that stood upon each other: one of them has to come to stand on a slot of its own.
                bench.run_until(bench.hands.lift(chore.space, bench.now))
            if chore.kind == "put":
                bench.run_until(bench.hands.place(chore.space, bench.now))
                bench.wait(SENSING_DELAY_US)
                return True
            if chore.kind == "take":
                bench.run_until(bench.hands.lift(chore.space, bench.now))
                bench.wait(SENSING_DELAY_US)
                return True
        return False
