"""Games that differ only in what is hidden send the table and the other seat the very same bytes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardrules.core import Seat
from boardumpire.web.screen_hub import ScreenHub
from table.twins import Witness, begun, setups, shared_play, unsealed
from web.desks import BenchDesk, Ear, PhonedBench

RED, BLUE = Seat("red"), Seat("blue")


class Watched(Witness):
    """A game played by hands, with a page over it and a screen of each kind."""

    made = PhonedBench
    bench: PhonedBench

    def __init__(self, setup: dict[str, str], seed: int, options: dict[str, Any]) -> None:
        self.room: ScreenHub | None = None
        self.ears = {audience: Ear() for audience in (None, "red", "blue")}
        self.late = Ear()
        """A spectator's, an action late."""
        self._batch: list[Any] = []
        super().__init__(setup, seed, options)

    def _told(self, message: Any) -> None:
        super()._told(message)
        self._batch.append(message)

    def _turned(self, now: int) -> None:
        super()._turned(now)
        if self.room is None:
            self.room = ScreenHub(BenchDesk(self.bench), epoch=lambda: "same", delay=1)
            for audience, ear in self.ears.items():
                self.room.enter(audience, ear, None, 0)
            assert self.room.delayed_spectators is not None
            self.room.delayed_spectators.enter(None, self.late, None, 0)
        batch, self._batch = self._batch, []
        self.room.send_messages(batch)


def _play(setup: dict[str, str], moves: list[tuple[str, str, str]], seed: int, announce: str) -> Watched:
    game = Watched(setup, seed, {"announce": announce})
    for _, origin, target in moves:
        game.carry(origin, target)
    game.bench.close()
    return game


def _compare(seed: int, announce: str, turns: int) -> None:
    first, second = setups(seed)
    options = {"announce": announce}
    moves = shared_play(begun(first, options), begun(second, options), seed, turns)
    one, two = _play(first, moves, seed, announce), _play(second, moves, seed, announce)
    assert moves
    assert len(one.ears[None].texts) > 2 * len(moves), "of each move there is something to compare"
    for audience in (None, "red"):  # red, whose own ranks are equal
        sent = [[unsealed(text) for text in game.ears[audience].texts] for game in (one, two)]
        assert sent[0] == sent[1]
    late = [[unsealed(text) for text in game.late.texts] for game in (one, two)]
    assert late[0] == late[1]
    over = any('"over":true' in text for text in one.ears[None].texts)  # then who is late is told all at once
    assert 1 < len(late[0]) < len(one.ears[None].texts) + over
    blue = [
        [(json.loads(text)["kind"], len(text)) for text in game.ears["blue"].texts] for game in (one, two)
    ]
    assert blue[0] == blue[1], "kinds and sizes of what blue is sent tell nothing of blue's ranks"
    assert one.bench.line == two.bench.line, "nor does what goes up, or is answered"
    assert {seat for seat, *_ in one.bench.line} == {"red", "blue"}


class ComeAndGone(Watched):
    """Phones go to sleep and wake up again, at the same moments whatever is hidden."""

    def _turned(self, now: int) -> None:
        super()._turned(now)
        assert self.room is not None
        self.room.get_taken_seats = lambda: (RED, BLUE)
        self.steps += 1
        seat = (RED, BLUE)[self.steps // 7 % 2]
        if self.steps % 7 == 3:
            self.room.leave(seat, self.ears[seat])
        elif self.steps % 7 == 5:
            self.room.enter(seat, self.ears[seat], "same", 10**9)

    steps = 0


def test_who_is_away_tells_nothing_in_bytes_or_order() -> None:
    first, second = setups(11)
    moves = shared_play(begun(first, {}), begun(second, {}), 11, 6)
    games = []
    for setup in (first, second):
        games.append(ComeAndGone(setup, 11, {}))
        for _, origin, target in moves:
            games[-1].carry(origin, target)
        games[-1].bench.close()
    for audience in (None, "red"):
        one, two = ([unsealed(text) for text in game.ears[audience].texts] for game in games)
        assert one == two
    told = [json.loads(text)["away"] for text in games[0].ears[None].texts if '"kind":"away"' in text]
    assert told[2:6] == [["red"], [], ["blue"], []], "it was told who is away, in the middle of the game"
    one, two = ([(json.loads(text)["kind"], len(text)) for text in game.ears["blue"].texts] for game in games)
    assert one == two
    late = [[unsealed(text) for text in game.late.texts] for game in games]
    assert late[0] == late[1]
    assert not any('"kind":"away"' in text for text in games[0].late.texts), "who is late learns it of nobody"


@pytest.mark.parametrize("announce", ["ranks", "silent"])
@settings(max_examples=2, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_twin_games_send_the_table_and_the_other_seat_the_same_bytes(announce: str, seed: int) -> None:
    _compare(seed, announce, turns=8)


@pytest.mark.nightly
@pytest.mark.parametrize("announce", ["ranks", "silent"])
@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_many_twin_games_send_the_same_bytes(announce: str, seed: int) -> None:
    _compare(seed, announce, turns=20)
