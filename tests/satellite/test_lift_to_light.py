"""Distance never shows on a lift: its light comes as soon across the world as from a Pico of the host."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from boardware.pico import PicoHub
from boardware.ports import MS
from evenings import virtual_loop
from satellite.evening import DUEL
from satellite.homes import Homes
from satellite.network import Faults
from satellite.people import Doings, Person, Rates
from satellite.tables import RemoteBoard

CALM = Rates(0, 0, 0, 0, 0)
NEAR, FAR = Faults(0.0001), Faults(0.3, 0.05, 0.05)
LIFTS = 12


class LocalBoard(RemoteBoard):
    """The same board, with its Pico in the host's own USB: no satellite is between them."""

    def __init__(self, homes: Homes, name: str) -> None:
        picos = homes.homes[name].board._picos
        assert picos is not None
        self._picos = picos
        super().__init__(name, homes.homes[name].board.world.board)

    def begin(self) -> None:
        self.hub = PicoHub(self._board, self._picos._open)
        self.hub.set_port_paths({name: str(pico.port) for name, pico in self._picos.picos_by_name.items()})


def lift_to_light(folder: Path, faults: Faults | None) -> list[int]:
    """Microseconds from each lift of a piece that may move, at the board `north`, to its light.

    `faults` of the network to it; `None`: it hangs on the host.
    """
    changed: list[int] = []
    shown: list[int] = []
    spans: list[int] = []

    async def scene() -> None:
        homes = Homes(folder, DUEL, {}, {"north": ["red"]}, faults or Faults(), 1)
        board = homes.homes["north"].board
        if faults is None:
            away = homes.away["north"]
            homes.away["north"] = away._replace(drivers=LocalBoard(homes, "north"))
            away.satellite._find = list
        async with homes.running():
            doings, done = Doings(), Counter[str]()
            people = [
                asyncio.create_task(Person(homes, seat, asyncio.Lock(), doings, done, CALM).live())
                for seat in ("red", "blue")
            ]
            while not (homes.daemon.table.is_calm and homes.daemon.table.full_state.steps()):
                await asyncio.sleep(0.01)
            for task in people:
                task.cancel()
            await asyncio.gather(*people, return_exceptions=True)
            await asyncio.sleep(3)  # the hints have come to the Pico
            board.world.watchers.append(changed.append)
            assert board._picos is not None
            for pico in board._picos.picos_by_name.values():
                pico.on_timed_event = lambda what, at: shown.append(at) if what == "shown" else None
            steps = homes.daemon.table.full_state.steps()
            origins = sorted({str(step.origin) for step in steps})
            for number in range(LIFTS):
                space = origins[number % len(origins)]
                (piece,) = (
                    each["id"]
                    for each in board.fingers.pieces()
                    if each["is"] == "stands" and each["slot"] == board.world.board.spaces[space].slots[0].id
                )
                changed.clear()
                shown.clear()
                board.do_gesture({"do": "grab", "piece": piece, "lift": True})
                await asyncio.sleep(0.2)
                spans.append(shown[0] - changed[0])
                board.do_gesture({"do": "drop", "piece": piece})
                await asyncio.sleep(3)

    virtual_loop.run(scene(), 1)
    return spans


@pytest.mark.slow
def test_a_lift_is_lit_as_soon_as_on_a_board_of_the_host(tmp_path: Path) -> None:
    spans = []
    for number, faults in enumerate((None, NEAR, FAR)):
        folder = tmp_path / str(number)
        folder.mkdir()
        spans.append(sorted(lift_to_light(folder, faults)))
    local, *others = spans
    assert max(local) < 50 * MS
    for each in others:
        assert max(abs(one - other) for one, other in zip(local, each, strict=True)) <= 2 * MS
