"""Clumsy hands at both boards, a bad network, power cuts at either end: every move is judged once."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from boardumpire.service.clock import monotonic
from satellite.network import Faults
from satellite.tables import RemoteTables, at_remote_tables
from table.twins import setups

BREAKS = ("part", "cut", "half-open", "pico", "host")
TRIES = 4
"""So often a person makes a move again that was not taken, because the line broke while it was made."""


class ClumsyPair:
    """Two people, each at a board, and what happens to them."""

    def __init__(self, tables: RemoteTables, chance: random.Random) -> None:
        self.tables, self.chance = tables, chance
        self.broken: list[str] = []

    async def play(self, turns: int) -> None:
        await self.tables.set_up()
        for number in range(turns):
            home = "" if number % 2 == 0 else "north"
            await self._turn(home)

    async def _turn(self, home: str) -> None:
        tables, before = self.tables, self.tables.state
        layout = before.layout()
        origin, target = self.chance.choice(tables.free_steps())
        for _ in range(TRIES):
            await self._fumble(origin, target, "north" if home == "" else "")
            breaks = self.chance.choice(BREAKS) if self.chance.random() < 0.5 else ""
            early = self.chance.random() < 0.5
            if early:
                await self._break(breaks)
            hands = tables.hands[home]
            await tables.let(hands.lift(origin, monotonic()))
            if not early:
                await self._break(breaks)
            await tables.let(hands.place(target, monotonic()))
            await self._mend(breaks)
            for name in ("", "north", ""):
                await tables.tidy(name)
            after = tables.state.layout()
            if origin not in after and target in after:
                assert {*after} == {*layout} - {origin} | {target}
                assert tables.state.seats_to_act() != before.seats_to_act()
                return
            assert after == layout, "something else has happened"
        raise AssertionError(f"{origin} to {target} was never taken, after {self.broken}")

    async def _fumble(self, origin: str, target: str, other: str) -> None:
        """A piece is touched; or the mover's token is moved where nobody of that side sits."""
        hands = self.tables.hands[other]
        before = self.tables.state
        match self.chance.randrange(4):
            case 0:
                await self.tables.let(hands.lift(origin, monotonic()))
                await self.tables.let(hands.place(origin, monotonic()))
            case 1:
                await self.tables.move(other, origin, target)
                await asyncio.sleep(self.chance.uniform(0, 3))
        await self.tables.tidy(other)
        assert self.tables.state is before, "hands at the other board have moved a piece"

    async def _break(self, kind: str) -> None:
        tables, loop = self.tables, asyncio.get_running_loop()
        until = loop.time() + self.chance.uniform(1, 12)
        self.broken += [kind] if kind else []
        match kind:
            case "part":
                tables.network.parted_until = until
            case "cut":
                tables.network.cut()
            case "half-open":
                tables.network.half_open()
            case "pico":
                for pico in tables.picos.picos_by_name.values():
                    pico.unplug(monotonic())
            case "host":
                tables.cut_host()
        await asyncio.sleep(self.chance.uniform(0, 4))

    async def _mend(self, kind: str) -> None:
        await asyncio.sleep(self.chance.uniform(0, 4))
        if kind == "pico":
            for pico in self.tables.picos.picos_by_name.values():
                pico.plug(monotonic())
        elif kind == "host":
            await self.tables.power_host()
        # Long enough for each end to notice, for the next attempt, and for its pause.
        await asyncio.sleep(30 if kind else 3)


def evening(seed: int, turns: int, folder: Path) -> list[str]:
    """Play some turns; what broke."""
    chance = random.Random(f"clumsy {seed}")
    faults = Faults(chance.uniform(0.01, 0.25), chance.uniform(0, 0.1), chance.choice([0.0, 0.02, 0.05]))
    broken: list[str] = []

    async def scene(tables: RemoteTables) -> None:
        pair = ClumsyPair(tables, chance)
        await pair.play(turns)
        broken.extend(pair.broken)

    at_remote_tables(scene, folder, setups(seed)[0], faults, seed)
    return broken


@pytest.mark.nightly
def test_every_move_of_many_evenings_is_judged_once(tmp_path: Path) -> None:
    broken: set[str] = set()
    for seed in range(50):
        (tmp_path / str(seed)).mkdir()
        broken.update(evening(seed, 10, tmp_path / str(seed)))
    assert broken == {*BREAKS}
