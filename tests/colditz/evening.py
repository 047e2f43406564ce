"""Games of Escape from Colditz at a simulated board, action by action; everybody there does as is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from boardrules.core import Action
from boardsim.bench.bench import BARE, BenchSettings
from boardsim.bench.table import BenchMessage
from boardsim.people.escapers import ColditzPeople
from boardsim.people.rates import ErrorRates
from boardumpire.commands.table_factory import TableFactory

GAME = BOARD = "escape-from-colditz"


class Evening(ColditzPeople):
    """A game that people play as a test says; `told` is what the umpire said to everybody."""

    def __init__(
        self,
        seed: int = 0,
        *,
        options: Mapping[str, Any] = {},
        driver: str = BARE,
        factory: Callable[[TableFactory], Any] = lambda factory: factory,
        **setting: Any,
    ) -> None:
        self.factory = factory
        # Nobody is hurried, unless a test says so.
        setting["table"] = {"limited": False, **setting.get("table", {})}
        given = BenchSettings(board=BOARD, game=GAME, options=options, driver=driver, seed=seed, **setting)
        super().__init__(given, self.made(TableFactory()), f"evening {seed}", ErrorRates())
        self.messages: list[BenchMessage] = []
        self.scene.listeners.append(self.messages.append)

    def made(self, factory: TableFactory) -> Any:
        """The factory of its table."""
        return self.factory(factory)

    @property
    def table(self) -> Any:
        """The table under the board."""
        return self.scene.bench.table

    def told(self, kind: str) -> list[dict[str, Any]]:
        """What everybody was told of a kind."""
        return [message.data for message in self.messages if message.seat is None and message.kind == kind]

    def begin(self) -> None:
        """Power on, the pawns set up."""
        self.scene.bench.start()
        self.scene.wait(200)
        self.deal_out()
        self.settle()
        assert not self.judge.findings, self.judge.findings

    def does(self, text: str) -> None:
        """Whoever is to act does it: carried where it is carried, else said; all has to come in order."""
        (seat,) = self.state.seats_to_act()
        self.acts(self.state.parse(text, seat))

    def acts(self, action: Action) -> None:
        """As `does`."""
        assert self.state.refusal(action) is None, (action, self.state.refusal(action))
        carried = {each: hands for hands, each in self.carry_actions(action.seat).items()}
        if action in carried:
            self.carry(action, *carried[action])
        else:
            self.say(action)
        self.settle()
        assert not self.judge.findings, self.judge.findings

    def deployed(self) -> None:
        """R019: guards onto their posts, each officer's first turn not begun."""
        while any(str(action) == "ready" for action in self.state.legal_actions("security")) is False:
            self.acts(min(self.carry_actions("security").values(), key=str))
        self.does("ready")

    def rolled(self) -> None:
        """The movement roll of whoever is to move; no further throw and no card."""
        self.does("roll")
        while self.state.facts.tasks:  # type: ignore[attr-defined]
            kind = self.state.facts.tasks[-1].kind  # type: ignore[attr-defined]
            self.does({"again": "stay", "offer": "skip"}[kind])
