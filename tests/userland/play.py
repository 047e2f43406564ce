"""People at a far board: armies by phone over the page, moves by hand, and what they were told."""

from __future__ import annotations

import json
import re
from typing import Any

from daemon.test_kill import Players
from userland.board import FarBoard
from web.wire import Socket, sit_down

SEATS = ("red", "blue")


class Guests(Players):
    """Both players. They know the rules, do what lamps and phones say, and remember what they were told."""

    service: FarBoard

    def __init__(self, board: FarBoard, seed: int) -> None:
        super().__init__(board, seed)
        self.cookies: dict[str, str] = {}

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.service.machine.page}"

    def sit_down(self) -> None:
        """Open the links that `boardumpire links` shows, as phones do."""
        told = self.service.machine.run("sudo boardumpire links").told
        for seat in SEATS:
            found = re.search(rf"^{seat} +https?://[^/]+(/\S+)$", told, re.M)
            assert found is not None, told
            self.cookies[seat] = sit_down(self.origin, self.origin + found[1])

    def phone(self, seat: str) -> Socket:
        """The screen of a seat."""
        screen = Socket(self.origin, f"/socket/{seat}", cookie=self.cookies[seat])
        screen.hello()
        return screen

    def set_up(self) -> None:
        """Each seat says its army on its phone, and stands its pieces."""
        self.stand_armies()
        for seat in SEATS:
            self.attempt = self.army(seat)
            screen = self.phone(seat)
            screen.say(do="say", id=f"army {seat}", text=str(self.attempt))
            answer = screen.answered(f"army {seat}")
            assert answer.get("ok"), answer
            self.wait()
        self.mend()

    def moves(self, count: int) -> list[str]:
        """Play that many moves by hand, none of them an attack; those that were told."""
        before = len(self.told)
        while len(self.told) < before + count:
            taken = self.state.layout()
            legal = self.state.legal_actions(self.state.seats_to_act()[0])
            self.attempt = self.random.choice(
                [each for each in legal if "-" in str(each) and str(each).split("-")[1] not in taken]
            )
            self.move(*str(self.attempt).split("-"))
            self.wait()
            self.mend()
        return self.told[before:]


def status(board: FarBoard) -> dict[str, Any]:
    """What the command says."""
    found: dict[str, Any] = json.loads(board.machine.run("boardumpire status --json").told)
    return found
