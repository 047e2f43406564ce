"""People at several boards of one table: each pair of hands acts at its own and does what its lamps ask."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from boardrules.core import Seat, State
from boardsim.bench.bench import Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardumpire.table.table import Table
from boardumpire.table.table_board import TableBoard

NORTH: Mapping[str, frozenset[Seat]] = {"north": frozenset({Seat("blue")})}
"""Red sits at the first board, Blue at the one called north."""
STILL = 600_000
"""Longer than any move waits to be ruled on."""


class Tables:
    """The boards of one table, with what was told."""

    def __init__(
        self,
        homes: Mapping[str, frozenset[Seat]] = NORTH,
        *,
        driver: str = "bare-sim",
        journal: Path | None = None,
        seed: int = 0,
        **given: Any,
    ) -> None:
        self.told: list[Any] = []
        setting = BenchSettings(driver=driver, journal=journal, seed=seed, further=homes, **given)
        self.bench = Bench(setting, TableFactory(), told=self.told.append)
        self.bench.start()

    @property
    def table(self) -> Table:
        table = self.bench.table
        assert isinstance(table, Table)
        return table

    @property
    def state(self) -> State:
        return self.table.full_state

    def board(self, name: str = "") -> TableBoard:
        return next(board for board in self.table.boards if board.name == name)

    def hands(self, name: str = "") -> Bench:
        return self.bench.at(name)

    def wait(self, span: int = STILL) -> None:
        self.bench.wait(span)

    def set_up(self, setups: Mapping[str, str]) -> None:
        for seat, text in setups.items():
            self.bench.home(Seat(seat)).set_up(Seat(seat), text)
        self.tidy()

    def press(self, name: str, button: str, held_ms: int = 120) -> None:
        bench = self.hands(name)
        bench.run_until(bench.hands.hold(button, held_ms * 1000, bench.now))
        bench.wait(100_000)

    def move(self, seat: Seat, origin: str, target: str, at: str | None = None) -> None:
        """Hands of that seat carry a piece, or attack; they do no chores."""
        bench = self.bench.home(seat) if at is None else self.hands(at)
        attack = target in bench.world.standing()
        bench.run_until(bench.hands.lift(origin, bench.now))
        if attack:
            bench.run_until(bench.hands.lift(target, bench.now))
            bench.run_until(bench.hands.tap_own_square(origin, bench.now))
        else:
            bench.run_until(bench.hands.place(target, bench.now))
        bench.wait(STILL)

    def tidy(self, *names: str) -> None:
        """Do what the lamps of these boards, or of all, ask for."""
        for name in names or ("", *self.bench.further):
            tidy(self.hands(name), self.board(name))
        self.wait()

    def play(self, dice: random.Random) -> None:
        """The seat to move makes a legal move, and everybody does what lamps ask."""
        (seat,) = self.state.seats_to_act()
        chosen = dice.choice(sorted(map(str, self.state.legal_actions(seat))))
        origin, _, target = chosen.partition("-")
        before = self.state
        self.move(seat, origin, target)
        assert self.state is not before, f"{chosen} was not ruled on"
        self.tidy()

    def wrong(self) -> dict[str, set[str]]:
        """By board where other pieces stand than the game has there, whether anybody knows or not."""
        layout = {space: pieces[0].seat for space, pieces in self.state.layout().items()}
        found = {}
        for name in ("", *self.bench.further):
            bench = self.bench.at(name)
            stands = {slot: pieces[-1].owner for slot, pieces in bench.world.standing().items()}
            found[name] = {at for at in {*layout, *stands} if layout.get(at) != stands.get(at)}
        return {name: spaces for name, spaces in found.items() if spaces}

    def texts(self, kind: str) -> list[str]:
        """What everybody was told of that kind."""
        return [str(each.data.get("text")) for each in self.told if each.seat is None and each.kind == kind]


def tidy(bench: Bench, board: TableBoard) -> None:
    for _ in range(60):
        chores = board.match.guidance.corrections
        if not chores:
            break
        takes = [chore for chore in chores if chore.kind == "take"]
        chore = (takes or list(chores))[0]
        if chore.kind == "take":
            bench.run_until(bench.hands.lift(chore.space, bench.now))
        else:
            bench.run_until(_put(bench, chore.space, chore.seat))
        bench.wait(100_000)
    while bench.hands.held:
        bench.run_until(bench.hands.put_beside_board(bench.now))


def _put(bench: Bench, space: str, seat: Seat | None) -> int:
    """The held piece that came from there, else one of its seat, else a token from the box."""
    held = [each.origin for each in bench.hands.held if each.piece.owner == seat]
    if space in held:
        return bench.hands.place(space, bench.now, space)
    if held:
        return bench.hands.place(space, bench.now, held[-1])
    assert seat is not None
    return bench.hands.stand(seat, space, bench.now)
