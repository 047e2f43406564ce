"""Hands at the simulated board put each piece back where the umpire knows it, whatever was dragged where."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardware.description import load_board
from web.served import DUEL, Served
from web.wire import Socket, sit_down

BOARD = load_board("quick-battle-8x8")
HOMES = {seat: [word.partition("=")[0] for word in army.split()] for seat, army in DUEL.items()}


class Bench:
    """A game that has begun, Blue's screen, and hands."""

    def __init__(self, directory: Path) -> None:
        self.served = Served(directory)
        origin = self.served.origin
        cookies = {seat: sit_down(origin, self.served.links[seat]) for seat in DUEL}
        self.hands = Socket(origin, "/hands", cookie=cookies["blue"])
        self.screens = {seat: Socket(origin, f"/socket/{seat}", cookie=cookies[seat]) for seat in DUEL}
        for seat, screen in self.screens.items():
            screen.hello()
            self.hands.say(do="lay-out", seat=seat, spaces=HOMES[seat])
            self.until_stand(dict.fromkeys(HOMES[seat], seat))
            screen.say(do="say", id="set-up", text=f"setup {DUEL[seat]}")
            assert screen.answered("set-up")["ok"]
        self.calm()

    def world(self) -> dict[int, dict[str, Any]]:
        """The newest look at the pieces."""
        frame = self.hands.until_newest("world")
        return {piece["id"]: piece for piece in frame["pieces"]}

    def stands(self) -> dict[int, str]:
        return {n: piece["slot"] for n, piece in self.world().items() if piece["is"] == "stands"}

    def until_stand(self, wanted: dict[str, str]) -> None:
        while True:
            found = {p["slot"]: p["seat"] for p in self.world().values() if p["is"] == "stands"}
            if wanted.items() <= found.items():
                return
            self.hands.take()

    def calm(self) -> dict[str, Any]:
        """Wait a moment; what the board then shows."""
        screen = self.screens["blue"]
        screen.quiet(1.2)
        self.hands.quiet(0.2)
        self.screens["red"].quiet(0.0)
        shown: dict[str, Any] = screen.newest_with("board")["board"]
        return shown

    def drag(self, piece: int, space: str) -> None:
        place = BOARD.spaces[space].position
        self.hands.say(do="grab", piece=piece, lift=True)
        self.hands.say(do="lead", piece=piece, x=place.x, y=place.y)
        self.hands.say(do="drop", piece=piece)

    def tidy(self, wanted: dict[int, str]) -> None:
        """As a screen does whose hands do the chores, and an owner who answers what is so."""
        for asked in range(24):
            shown = self.calm()
            if shown["chores"]:
                self.hands.say(do="tidy", beside=True, chores=shown["chores"])
            elif shown["question"] is not None:
                word = "yes" if self.stands() == wanted else "no"
                self.screens["blue"].say(do="say", id=f"answer {asked} {random.random()}", text=word)
            elif set(self.stands().values()) == set(wanted.values()):
                return

    def close(self) -> None:
        for socket in (self.hands, *self.screens.values()):
            socket.close()
        self.served.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


@pytest.mark.nightly
def test_pieces_that_were_dragged_astray_come_home_each_to_its_own_square(bench: Bench) -> None:
    dice = random.Random("astray")
    before = bench.stands()
    blue = [n for n, slot in before.items() if slot in HOMES["blue"]]
    assert (len(before), len(blue)) == (20, 10)
    for _ in range(2):
        for piece in dice.sample(blue, 3):
            bench.drag(piece, dice.choice(["c5", "d5", "e5", "c4", "e4", "h4", "h8", "a6", "b6"]))
        bench.tidy(before)
        assert bench.stands() == before
