"""A whole Quick Duel over the header of an emulated Raspberry Pi, by hands on simulated copper."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardrules.core import State
from boardware.ports import SlotId
from daemon.service import Killed
from daemon.test_kill import GAME, Players
from userland import raspberry
from userland.header import HeaderService

ACTIONS = range(24, 40)
"""A game of so many has attacks and quiet moves."""
CUTS, CUT_US = range(3, 33, 3), 4_000_000
"""In these actions the power goes, while a hand moves or soon afterwards."""

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(bool(raspberry.lacking()), reason=raspberry.lacking() or "all is here"),
]


@pytest.fixture
def service(tmp_path: Path, header_pi: Path) -> Iterator[HeaderService]:
    service = HeaderService(tmp_path, header_pi)
    try:
        yield service
    finally:
        service.close()


class Readers(Players):
    """They play a game that is written down."""

    def read(self, text: str) -> None:
        self.carry_out(self.state.parse(text, self.state.seats_to_act()[0]))
        self.mend()

    def chore(self, chore: dict[str, Any]) -> None:
        """Wait where the piece stands already: a row is read wrong when the emulator is late."""
        if chore["do"] != "put" or not self.service.world.pieces_on(SlotId(chore["space"])):
            super().chore(chore)


def whole_game() -> list[str]:
    """A game of random actions to its end."""
    for seed in range(10_000):
        actions, state, chosen = [], boardrules.new(GAME), random.Random(seed)
        while state.outcome is None and len(actions) < ACTIONS.stop:
            action = chosen.choice(list(state.legal_actions(state.seats_to_act()[0])))
            actions.append(str(action))
            state = state.apply(action)[0]
        if state.outcome is not None and len(actions) in ACTIONS:
            return actions
    raise AssertionError("no such game")


def test_a_duel_with_power_cuts_on_an_emulated_header(
    service: HeaderService, record_property: Callable[[str, object], None]
) -> None:
    if not raspberry.has_spi():
        pytest.skip("QEMU has the SPI of a Pi from version 9.1 on")
    players = play_a_game(service, whole_game(), CUTS)
    assert players.state.outcome is not None
    record_property("actions", len(players.told))
    record_property("seconds from power to a complete board", service.boot_s)
    record_property("strobes of a row", service.wires.strobes)


def play_a_game(service: HeaderService, game: Sequence[str], cuts: Collection[int] = ()) -> Readers:
    """Stand two armies and play these actions; in some of them the board is killed."""
    players = Readers(service, seed=1)
    state: State = boardrules.new(GAME)
    for text in game[:2]:
        for word in text.split()[1:]:
            seat = state.seats_to_act()[0]
            service.do(service.hands.stand, seat, word.partition("=")[0])
        state = state.apply(state.parse(text, state.seats_to_act()[0]))[0]
    service.start()
    for count, text in enumerate(game):
        if count in cuts:
            service.kill_at = service.now + players.random.randrange(CUT_US)
            try:
                players.read(text)
                service.until(lambda: False)
            except Killed:
                players.listen()
            service.start()
            players.compare()
            players.mend()
        if len(players.told) == count:
            players.read(text)
    assert players.told == game
    players.compare()
    return players
