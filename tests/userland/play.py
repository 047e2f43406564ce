"""People at a far board: armies by phone over the page, moves by hand, and what they were told."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import Any

from boardrules.core import Action, State
from daemon.test_kill import Players
from userland.board import FarBoard
from web.wire import Socket, sit_down

SEATS = ("red", "blue")
GAME = "game.json"
"""Beside a frozen machine: what was told, and how the seats are known."""
RULING_US = 1_500_000
"""What a machine whose instructions are emulated needs to settle, judge and write, and some more."""


class Guests(Players):
    """Both players. They know the rules, do what lamps and phones say, and remember what they were told."""

    service: FarBoard

    def __init__(self, board: FarBoard, seed: int) -> None:
        super().__init__(board, seed)
        self.cookies: dict[str, str] = {}
        self.phones: dict[str, Socket] = {}
        self._since = 0
        """How much had been told when the phones were picked up."""
        self._asked: list[tuple[str | None, str]] = []
        """By seat what it has still to say yes to, once the phones are picked up."""

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.service.machine.page}"

    def sit_down(self) -> None:
        """Open the links that `boardumpire links` shows, as phones do."""
        told = self.service.machine.run("sudo boardumpire links").told
        for seat in SEATS:
            found = re.search(rf"^{seat} +https?://[^/]+(/\S+)$", told, re.M)
            assert found is not None, told
            self.cookies[seat] = sit_down(self.origin, self.origin + found[1], self.service.patience_s)

    def phone(self, seat: str) -> Socket:
        """The screen of a seat."""
        patience_s = self.service.patience_s
        screen = Socket(self.origin, f"/socket/{seat}", cookie=self.cookies[seat], patience_s=patience_s)
        screen.hello()
        return screen

    def pick_up(self) -> None:
        """Open the screens of both seats; they stay open."""
        self._since = len(self.told)
        self.phones = {seat: self.phone(seat) for seat in SEATS}

    def lay_down(self) -> None:
        """Close them."""
        for phone in self.phones.values():
            phone.close()
        self.phones.clear()

    def listen(self) -> None:
        """Take in what came, also on the phones; say that pieces stand where they did if that is asked."""
        for message in self.service.messages[self.heard :]:
            if message["kind"] == "question" and message["code"] == "same-places":
                self._asked.append((message["seat"], " ".join((message["code"], *message["spaces"]))))
        super().listen()
        for phone in self.phones.values():
            phone.quiet(0)
        if self.phones:
            for seat, name in self._asked:
                self.phones[seat or SEATS[0]].say(do="say", id=name, text=f"yes {name}")
            self._asked.clear()

    def wait(self) -> None:
        """Until the umpire has ruled; at times the power goes about now."""
        if self.soon:
            self.service.kill_at = self.service.now + self.random.randrange(RULING_US)
        soon, self.soon = self.soon, False
        super().wait()
        self.soon = soon

    def set_up(self) -> None:
        """Each seat says its army on its phone, and stands its pieces."""
        self.stand_armies()
        self.pick_up()
        for seat, screen in self.phones.items():
            self.attempt = self.army(seat)
            screen.say(do="say", id=f"army {seat}", text=str(self.attempt))
            answer = screen.answered(f"army {seat}")
            assert answer.get("ok"), answer
            self.wait()
        self.mend()

    def moves(self, count: int) -> list[str]:
        """Play that many moves by hand, none of them an attack; those that were told."""
        before = len(self.told)
        while len(self.told) < before + count:
            self.begin_a_move()
            self.wait()
            self.mend()
        return self.told[before:]

    def resign(self) -> None:
        """Whoever is to move gives up, by phone: the game is over."""
        seat = self.state.seats_to_act()[0]
        self.attempt = self.state.parse("resign", seat)
        self.phones[seat].say(do="say", id="resign", text="resign")
        self.wait()
        assert self.state.outcome is not None

    def some_move(self) -> Action:
        """A move that is no attack."""
        taken = self.state.layout()
        legal = self.state.legal_actions(self.state.seats_to_act()[0])
        return self.random.choice(
            [each for each in legal if "-" in str(each) and str(each).split("-")[1] not in taken]
        )

    def begin_a_move(self) -> None:
        """Move by hand; nobody waits for the ruling."""
        self.attempt = self.some_move()
        self.move(*str(self.attempt).split("-"))

    def freeze(self, into: Path) -> None:
        """Keep the machine as it is, and what those need to know who let it go on. The board is over."""
        self.mend()
        self.compare()
        self.lay_down()
        self.service.pull_usb()
        self.service.hang_up()
        self.service.machine.freeze(into)
        (into / GAME).write_text(json.dumps({"told": self.told, "cookies": self.cookies}))

    def take_over(self, frozen: Path) -> None:
        """Know what was told before the machine was frozen, and stand the pieces as they stood."""
        kept = json.loads((frozen / GAME).read_text())
        self.told, self.cookies = kept["told"], kept["cookies"]
        for text in self.told:
            self.state = _acted(self.state, text)
        for space, (piece, *_) in self.state.layout().items():
            self.service.do(self.service.hands.stand, piece.seat, space)

    def after_a_cut(self) -> dict[str, int]:
        """Take in what had reached the outside when the power went; how many rulings, by who heard them."""
        super().listen()
        heard = {seat: _rulings(phone) for seat, phone in self.phones.items()}
        heard["hall"] = len(self.told) - self._since
        if max(heard.values()) > heard["hall"]:
            assert self.attempt is not None, "a phone was told what nobody did"
            assert max(heard.values()) == heard["hall"] + 1
            self.told.append(str(self.attempt))
            self.state, self.attempt = self.state.apply(self.attempt)[0], None
        self.lay_down()
        return heard


def _acted(state: State, text: str) -> State:
    """The state once somebody who is to act has done that."""
    for seat in state.seats_to_act():
        with contextlib.suppress(ValueError):
            return state.apply(state.parse(text, seat))[0]
    raise AssertionError(f"nobody can do {text}")


def _rulings(phone: Socket) -> int:
    """How many actions a screen was told of, to the end of its connection."""
    with contextlib.suppress(OSError):
        while phone.closed is None:
            phone.take()
    frames = [json.loads(text) for text in phone.raw]
    told = [frame["told"] for frame in frames if frame["kind"] == "told"]
    return sum(each["kind"] == "ruling" and each["ok"] for each in told)


def status(board: FarBoard) -> dict[str, Any]:
    """What the command says."""
    found: dict[str, Any] = json.loads(board.machine.run("boardumpire status --json").told)
    return found
