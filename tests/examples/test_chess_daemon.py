"""Chess on a real daemon that is killed at any moment: nothing that was told is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from boardrules.core import Step
from daemon.service import Service
from daemon.test_kill import Players, play_on

pytestmark = pytest.mark.usefixtures("games")
CONFIG = """
[board]
name = "chess-8x8"
[game]
id = "chess"
"""
SENSED_US = 500_000
"""Longer than the board needs to sense what has come down."""


@pytest.fixture
def service(tmp_path: Path, games: None) -> Iterator[Service]:
    service = Service(tmp_path, board="chess-8x8", config=CONFIG)
    yield service
    service.close()


class ChessPlayers(Players):
    """Both players: what is taken is lifted first, and what else a move takes with it is a chore."""

    def stand_armies(self) -> None:
        for space, (piece,) in self.state.layout().items():
            self.service.do(self.service.hands.stand, piece.seat, space)

    def compare(self) -> None:
        """What was in a hand when the power went has come down, and is sensed: few pieces lie beside."""
        service = self.service
        service.until(lambda: service.world.next_edge() is None)
        sensed = service.now + SENSED_US
        service.until(lambda: service.now >= sensed, wake_at=sensed)
        super().compare()

    def play(self) -> None:
        """A move that does not end the game; or what a pawn becomes."""
        (seat,) = self.state.seats_to_act()
        steps = {self.state.hand_action(seat, step.origin, step.target): step for step in self.state.steps()}
        legal = list(self.state.legal_actions(seat))
        going = [action for action in legal if self.state.apply(action)[0].outcome is None]
        assert going, "another seed leads on"
        self.attempt = self.random.choice(going)
        if self.attempt in steps:
            self.carry(steps[self.attempt])
        else:
            assert self.service.ask("say", seat=seat, text=str(self.attempt))["ok"]
        self.wait()

    def mend(self) -> None:
        """As the chores say; but what was taken when the power went only people see: no reed tells who
        stands there."""
        owners = {space: piece.seat for space, (piece,) in self.state.layout().items()}
        hands = self.service.hands
        for space, pieces in dict(self.service.world.standing()).items():
            if pieces and pieces[0].owner != owners.get(space, pieces[0].owner):
                self.empty_hands()
                right = next(piece for piece in hands.beside if piece.owner == owners[space])
                self.service.do(hands.lift, space)
                self.service.do(hands.put_beside_board)
                self.service.do(hands.fetch, right)
                self.service.do(hands.place, space)
        super().mend()

    def carry(self, step: Step) -> None:
        hands = self.service.hands
        for taken in step.takes:
            self.service.do(hands.lift, taken)
            self.service.do(hands.put_beside_board)
        self.service.do(hands.lift, step.origin)
        self.service.do(hands.place, step.target)


@pytest.mark.slow
def test_kills_lose_nothing_that_was_told(service: Service, installed: Path) -> None:
    players = ChessPlayers(service, 1, "chess")
    play_on(players, 6, PYTHONPATH=str(installed))


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(2, 5))
def test_sixty_kills_lose_nothing_that_was_told(seed: int, service: Service, installed: Path) -> None:
    """Three games with 20 kill -9 each at random moments."""
    players = ChessPlayers(service, seed, "chess")
    play_on(players, 20, PYTHONPATH=str(installed))
