"""What a player costs that thinks beside the board: what it takes of memory, and whether lamps wait for it.

*Memory* is the most that a player's process was resident with, as the kernel counts it, in a game against
somebody who plays at random. *Lifts* are those of `flood`: a whole daemon with a player beside that thinks
without end, both on one core of the machine; the player is stopped and goes on in turns.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import boardrules
from boardlab.benchmarks.flood import BenchmarkDaemon
from boardlab.benchmarks.measure import BenchmarkResult
from boardlab.benchmarks.page import PageDaemon
from boardrules import baseline_players
from boardrules.core import Seat, State
from boardumpire.commands.referee import observation

MOST_MB = 60
"""Gate: what a player may take."""
LIFT_RATIO_MAX = 1.25
"""Gate: a lift may take so many times what it takes while nobody thinks."""
THINKING_SEAT = "stratego-quick-duel", Seat("red")


class BenchmarkPlayer(NamedTuple):
    """A player of a game."""

    game: str
    seat: Seat
    name: str

    def __str__(self) -> str:
        return f"{self.game} {self.seat} {self.name}"


def every_player() -> Iterator[BenchmarkPlayer]:
    """Every player of every game, at every seat."""
    for package in boardrules.games().values():
        for seat in package.new({}).seats:
            for name in baseline_players.player_names(package):
                yield BenchmarkPlayer(package.id, seat, name)


@contextmanager
def process(player: BenchmarkPlayer) -> Iterator[subprocess.Popen[str]]:
    """The player in a process of its own, which asks on its output."""
    command = [str(Path(sys.executable).with_name("boardumpire")), "bot", player.game, "--seat", player.seat]
    with subprocess.Popen(
        [*command, "--level", player.name, "--seed", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            yield running
        finally:
            running.send_signal(signal.SIGCONT)
            running.kill()


class BenchmarkReferee:
    """Answers a player: others play at random, or (`endless`) it is its turn for ever."""

    def __init__(self, player: BenchmarkPlayer, *, endless: bool = False) -> None:
        self._seat, self._endless = player.seat, endless
        self._draws = random.Random(1)
        self._state: State = boardrules.new(player.game)
        self.acts = 0
        """How often the player has acted ..."""
        self.most = 0.0
        """... and the most megabytes that it was resident with until then."""
        if endless:
            for _ in self._state.seats:
                self._act_at_random()
        self._sight = observation.encode(observation.observe(self._state, self._seat))

    def _act_at_random(self) -> None:
        (seat, *_) = self._state.seats_to_act()
        action = self._draws.choice(list(self._state.legal_actions(seat)))
        self._state, _ = self._state.apply(action)

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """What it is answered."""
        match asked["do"]:
            case "events":
                while not self._endless and self._state.outcome is None and not self._is_players_turn():
                    self._act_at_random()
                over = self._state.outcome is not None
                told = {"ok": True, "to_act": [self._seat], "events": [] if self._endless else ["changed"]}
                return {**told, "outcome": True} if over else told
            case "sight":
                if not self._endless:
                    self._sight = observation.encode(observation.observe(self._state, self._seat))
                return {"ok": True, "sight": self._sight}
        self.acts += 1
        if not self._endless:
            self._state, _ = self._state.apply(self._state.parse(asked["action"], self._seat))
        return {"ok": True}

    def _is_players_turn(self) -> bool:
        return self._seat in self._state.seats_to_act()

    def serve(self, running: subprocess.Popen[str], acts: int) -> None:
        """Answer until the player has acted so often, or asks no more."""
        assert running.stdin is not None
        assert running.stdout is not None
        while self.acts < acts and (line := running.stdout.readline()):
            asked = json.loads(line)
            if asked["do"] == "act":
                self.most = peak_resident_mb(running.pid)
            running.stdin.write(json.dumps(self.answer(asked)) + "\n")
            running.stdin.flush()


def peak_resident_mb(pid: int) -> float:
    """The most megabytes that a process was ever resident with, by the kernel's count."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return float(line.split()[1]) / 1024
    raise RuntimeError(f"process {pid} has gone")


def player_peak_mb(player: BenchmarkPlayer, acts: int) -> float:
    """The most that the process of a player was resident with until it had acted so often."""
    referee = BenchmarkReferee(player)
    with process(player) as running:
        referee.serve(running, acts)
    return referee.most


def time_lifts(count: int, rounds: int) -> tuple[list[float], list[float]]:
    """Seconds of lifts while nobody thinks and while a player does, on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})  # for all that begins from here
    calm: list[float] = []
    beside: list[float] = []
    strongest = boardrules.package(THINKING_SEAT[0]).players()
    assert strongest is not None
    player = BenchmarkPlayer(*THINKING_SEAT, strongest.levels[-1].name)
    try:
        with tempfile.TemporaryDirectory() as directory, process(player) as thinking:
            referee = BenchmarkReferee(player, endless=True)
            threading.Thread(target=referee.serve, args=(thinking, sys.maxsize), daemon=True).start()
            page = PageDaemon(Path(directory))
            try:
                board = BenchmarkDaemon(page)
                for _ in range(rounds):
                    thinking.send_signal(signal.SIGSTOP)
                    calm += [board.lift() for _ in range(count)]
                    thinking.send_signal(signal.SIGCONT)
                    beside += [board.lift() for _ in range(count)]
            finally:
                page.close()
            assert referee.acts > 0, "it has thought"
    finally:
        os.sched_setaffinity(0, before)
    return calm, beside


def run(*, quick: bool = False) -> list[BenchmarkResult]:
    """Quick: the strongest of each game at one seat, for two actions."""
    count, rounds, acts = (5, 1, 2) if quick else (20, 5, 12)
    players = list(every_player())
    if quick:
        players = list({each.game: each for each in players if each.name == _strongest(each.game)}.values())
    sizes = {each: player_peak_mb(each, acts) for each in players}
    largest = max(sizes, key=sizes.__getitem__)
    calm, beside = time_lifts(count, rounds)
    return [
        BenchmarkResult(
            "memory of a player",
            sizes[largest],
            "MB",
            f"most: {largest}, of {len(sizes)}",
            most=MOST_MB,
            counted=True,
        ),
        BenchmarkResult(
            "lift to lamps while a player thinks",
            median(beside) / median(calm),
            "x without",
            f"{median(beside) * 1000:.1f} ms against {median(calm) * 1000:.1f}, on one core",
            most=LIFT_RATIO_MAX,
        ),
        BenchmarkResult(
            "worst lift to lamps while a player thinks", max(beside) / max(calm), "x the worst without"
        ),
    ]


def _strongest(game: str) -> str:
    names = baseline_players.player_names(boardrules.package(game))
    return max((name for name in names if name.isdecimal()), default=names[0])
