"""`boardumpire bot`: a player at one seat, as a program that speaks the referee's seat mode.

It asks on standard output and reads the answers on standard input, or sits down at the table behind a socket.
So it is told what its seat may know and nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import boardrules
from boardrules import sparring
from boardrules.core import Action, Seat
from boardrules.players import Meter
from boardrules.sparring import NoSuchPlayer, Seated
from boardumpire.commands.referee import sight
from boardumpire.errors import BoardumpireError

NICE = 10
"""How far it stands back behind whatever else the machine does: lamps never wait for it."""
LOOKS_EVERY = 0.05
"""Seconds until it asks again whether it is its turn."""

Ask = Callable[[dict[str, Any]], dict[str, Any]]
"""Sends a request and returns the answer."""


class Gone(Exception):  # noqa: N818
    """Whoever answered has gone."""


class Bot:
    """Plays a seat until the game is over."""

    def __init__(self, ask: Ask, game: str, seat: Seat, seated: Seated, chance: random.Random) -> None:
        self._ask, self._game, self._seat, self._chance = ask, game, seat, chance
        self._player, self._level = seated
        self._answered: tuple[Action, ...] = ()
        self.refused = 0
        """How often the rules refused what the player chose."""

    def play(self, wait: Callable[[], None]) -> None:
        """Play on until the game is over; `wait` is called where others are to act."""
        while True:
            told = self._ask({"do": "events"})
            if not told["ok"] and told["error"]["code"] == "no-game":
                told = self._ask({"do": "new", "game": self._game})
            if not told["ok"]:
                raise BoardumpireError(f"{self._game}: {told['error']['text']}")
            if "outcome" in told:
                return
            if not self._acts(self._seat in told["to_act"], bool(told["events"])):
                wait()

    def _acts(self, to_act: bool, news: bool) -> bool:
        """Do what there is to do now; false if that is nothing."""
        if not to_act and not news:
            return False
        view, legal, table = self._sight()
        if news:
            self._player.notice(view)
        if table != self._answered:
            self._answered = table
            said = self._player.answer(view, table, self._chance)
            if said is not None:
                return self._does(said)
        if not to_act or not legal:
            return news
        chosen = self._player.choose(
            view, legal, self._chance, meter(self._level.playouts, self._level.seconds)
        )
        if not self._does(chosen):
            self.refused += 1
            self._does(legal[0])
        return True

    def _sight(self) -> sight.Sight:
        told = self._ask({"do": "sight"})
        try:
            return sight.read(told["sight"])
        except (KeyError, sight.BadSight) as wrong:
            raise BoardumpireError(f"sight: {wrong}; expected the answers of Boardumpire's referee") from None

    def _does(self, action: Action) -> bool:
        return bool(self._ask({"do": "act", "action": str(action)})["ok"])


def meter(playouts: int, seconds: float) -> Meter:
    """A budget that starts now."""
    end = time.monotonic() + seconds
    return Meter(playouts, lambda: time.monotonic() > end)


def add(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.description = __doc__
    parser.add_argument("game", metavar="GAME", help="the id of the game")
    parser.add_argument("--seat", metavar="SEAT", required=True, help="where it sits")
    parser.add_argument(
        "--level",
        metavar="N",
        default="1",
        help="how well it plays: a level of the game, simple or random [1]",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="the same choices again")
    parser.add_argument("--at", type=Path, metavar="SOCKET", help="sit down at the host's table there")


def run(given: argparse.Namespace) -> None:
    """Play until the game is over or nobody answers any more. Raises `BoardumpireError`."""
    try:
        package = boardrules.package(given.game)
        seats = package.new({}).seats
        seated = sparring.seated(package, given.seat, given.level)
    except (boardrules.UnknownGame, NoSuchPlayer) as problem:
        raise BoardumpireError(str(problem)) from None
    if given.at is None and given.seat not in seats and len(package.seatings) == 1:
        raise BoardumpireError(f"{given.game} has no seat {given.seat!r}; expected one of {', '.join(seats)}")
    os.nice(NICE)
    try:
        if given.at is None:
            _play(asking(sys.stdin, sys.stdout), given, seated)
        else:
            _sit(given.at, given, seated)
    except Gone:
        return


def _play(ask: Ask, given: argparse.Namespace, seated: Seated) -> None:
    chance = random.Random(given.seed)  # None: any
    Bot(ask, given.game, given.seat, seated, chance).play(lambda: time.sleep(LOOKS_EVERY))


def _sit(path: Path, given: argparse.Namespace, seated: Seated) -> None:
    with socket.socket(socket.AF_UNIX) as line:
        try:
            line.connect(str(path))
        except OSError as problem:
            raise BoardumpireError(
                f"--at {path}: {problem.strerror}, expected the socket of a host"
            ) from None
        line.sendall(f"{given.seat}\n".encode())
        with line.makefile("r", encoding="utf-8") as answers, line.makefile("w", encoding="utf-8") as out:
            first = json.loads(answers.readline() or "null")
            if not first or not first["ok"]:
                raise BoardumpireError(
                    f"--seat {given.seat}: {first['error']['text'] if first else 'nobody answers'}"
                )
            _play(asking(answers, out), given, seated)


def asking(answers: TextIO, out: TextIO) -> Ask:
    """Asks by lines. What it returns raises `Gone` once there are no more answers."""

    def ask(request: dict[str, Any]) -> dict[str, Any]:
        try:
            out.write(json.dumps(request) + "\n")
            out.flush()
            line = answers.readline()
        except (BrokenPipeError, ConnectionError):
            line = ""
        if not line:
            raise Gone
        answer: dict[str, Any] = json.loads(line)
        return answer

    return ask
