"""Players are told what their seat may know, spend what they are given, and sit in a process of their own."""

from __future__ import annotations

import base64
import os
import pickle
import random
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest

import boardrules
from boardrules import sparring
from boardrules.players import Meter
from boardumpire.commands.referee import sight
from players import twins

HANGS_S = 300
"""Whatever runs for longer will never end."""
COMMAND = Path(sys.executable).with_name("boardumpire")
EVERYBODY = [
    (game.id, seat, name)
    for game in boardrules.games().values()
    for seat in game.new({}).seats
    for name in sparring.names(game)
]


@pytest.mark.parametrize(("game", "seat", "name"), EVERYBODY)
def test_nobody_cheats(game: str, seat: str, name: str) -> None:
    """Every player of every game chooses alike in games that its seat can't tell apart."""
    chosen = sum(twins.choices(game, seat, name, seed, 30)[0] for seed in range(2))
    assert chosen or seat not in boardrules.new(game).seats_to_act()


def test_the_games_compared_are_not_the_same() -> None:
    differed = [twins.choices("stratego-quick-duel", "blue", "random", seed, 30)[1] for seed in range(4)]
    assert sum(differed) > 10


def test_a_budget_is_counted() -> None:
    meter = Meter(3)
    assert [meter.spend() for _ in range(4)] == [True, True, True, False]
    assert meter.spent == 3
    late = Meter(3, lambda: True)
    assert not late.spend()
    assert late.spent == 0


@pytest.mark.parametrize("game", boardrules.ids())
def test_a_sight_reads_back(game: str) -> None:
    state, draws = boardrules.new(game), random.Random(1)
    for _ in range(40):
        state, _ = state.apply(draws.choice(list(state.legal_actions(state.seats_to_act()[0]))))
        if state.outcome is not None:
            return
        for seat in state.seats:
            told = sight.seen(state, seat)
            assert sight.read(sight.written(told)) == told


class _Runs:
    def __reduce__(self):  # type: ignore[no-untyped-def]
        return os.system, ("true",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no sight",
        base64.b64encode(b"not packed").decode(),
        base64.b64encode(zlib.compress(pickle.dumps(_Runs()))).decode(),
        base64.b64encode(zlib.compress(pickle.dumps((1, 2)))).decode(),
        base64.b64encode(zlib.compress(b"cboardrules.registry\nlogging\n.")).decode(),
    ],
)
def test_a_text_that_is_no_sight_makes_nothing(text: str) -> None:
    with pytest.raises(sight.BadSight):
        sight.read(text)


@pytest.mark.parametrize("game", ["stratego-quick-duel", "fall-of-the-fuhrer"])
def test_two_processes_play_a_game_at_a_hosts_table(game: str, tmp_path: Path) -> None:
    at = tmp_path / "table"
    host = subprocess.Popen(
        [COMMAND, "referee", "--host", at, "--game", game, "--seed", "5", "--option", "quiet_limit=20"]
        if game.startswith("stratego")
        else [COMMAND, "referee", "--host", at, "--game", game, "--seed", "5"]
    )
    bots: list[subprocess.Popen[bytes]] = []
    try:
        while not at.exists() and host.poll() is None:
            time.sleep(0.02)
        bots = [
            subprocess.Popen(
                [COMMAND, "bot", game, "--seat", seat, "--level", "random", "--seed", "1", "--at", at]
            )
            for seat in boardrules.new(game).seats
        ]
        assert [bot.wait(HANGS_S) for bot in bots] == [0, 0]
        assert host.wait(HANGS_S) == 0  # it ends once the game is over
    finally:
        for process in (*bots, host):
            process.kill()
            process.wait()


def test_who_is_not_there_is_named() -> None:
    told = subprocess.run(
        [COMMAND, "bot", "stratego-duel", "--seat", "red", "--level", "grandmaster"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 2
    assert "expected one of" in told.stderr
    told = subprocess.run(
        [COMMAND, "bot", "stratego-duel", "--seat", "green", "--level", "random"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "red, blue" in told.stderr
