"""Hunts over real HTTP and WebSocket: the page in a process of its own, a phone a seat, simulated hands."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boardumpire.history.verify import verify
from boardumpire.journal import records
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import load_key
from web.served import Served
from web.wire import Socket, apart, sit_down

UNFELT_S = 2.5
"""How long somebody waits before he says on the phone what the board did not feel."""


class Phone:
    """What one seat's screen was told, and what it says."""

    def __init__(self, origin: str, link: str, seat: str) -> None:
        self.cookie = sit_down(origin, link)
        self.seat, self.socket = seat, Socket(origin, f"/socket/{seat}", cookie=self.cookie)
        self.latest: dict[str, Any] = {}
        self.board: dict[str, Any] = {}
        self._seen = self._said = 0
        self.socket.hello()

    def say(self, text: str) -> None:
        self._said += 1
        self.socket.say(do="say", id=f"x{self._said}", text=text)
        answer = self.socket.answered(f"x{self._said}")
        assert answer["ok"], f"{self.seat} {text}: {answer['text']}"

    def look(self) -> None:
        """Take in what has come."""
        for text in self.socket.raw[self._seen :]:
            self._seen += 1
            frame = json.loads(text)
            if frame["kind"] in ("snapshot", "view"):
                self.latest = {"view": frame["view"], "may": apart(frame["may"])}
            if "board" in frame:
                self.board = frame["board"]

    def until(self, fits: Callable[[], bool], span_s: float = 20.0) -> bool:
        """Read until it fits, or nothing has come for that long; whether it does."""
        self.look()
        while not fits():
            self.socket._line.settimeout(span_s)
            try:
                self.socket._take()
            except TimeoutError:
                return False
            finally:
                self.socket._line.settimeout(20)
            self.look()
        return True

    @property
    def view(self) -> dict[str, Any]:
        self.look()
        return self.latest["view"]  # type: ignore[no-any-return]


def moment(view: dict[str, Any]) -> str:
    """What changes with every action."""
    keys = ("round", "phase", "piece", "to_act", "asked", "pieces", "outcome")
    return json.dumps({key: view.get(key) for key in keys})


class Game:
    """People with phones around a simulated board; each decides by what his own phone shows."""

    def __init__(self, served: Served, seed: int) -> None:
        self.dice = random.Random(seed)
        self.phones = {
            seat: Phone(served.origin, link, seat) for seat, link in served.links.items() if seat != "table"
        }
        first = next(iter(self.phones.values()))
        self.hands = Socket(served.origin, "/hands", cookie=first.cookie)
        self.ids: dict[str, int] = {}
        self.said = 0

    def play(self, rounds: int) -> dict[str, Any]:
        """Play to the end, or so many rounds and then resign."""
        hitler = self.phones["hitler"]
        while True:
            view = hitler.view
            if "outcome" in view:
                return view
            if view["round"] > rounds:
                self.said += 1
                hitler.say("resign")
                assert hitler.until(lambda: "outcome" in hitler.view)
                return hitler.view
            self.turn(view)

    def turn(self, view: dict[str, Any]) -> None:
        hitler, before = self.phones["hitler"], moment(view)
        (seat,) = view["to_act"]
        if seat != "chance":
            phone = self.phones[seat]
            assert phone.until(lambda: moment(phone.view) == before), (before, moment(phone.view))
            self.act(phone)
        assert hitler.until(lambda: moment(hitler.view) != before), (
            before,
            hitler.board,
            [
                text[:700]
                for text in hitler.socket.raw[-40:]
                if '"told"' in text[:60] or '"board"' in text[:40]
            ],
        )

    def act(self, phone: Phone) -> None:
        """One action of this seat: a piece is carried, or something is said."""
        view, may = phone.view, phone.latest["may"]
        acts = may["acts"]
        if view["phase"] == "place":
            act = self.dice.choice(acts)
            self.carry(act.split()[0], act.split()[1])
            phone.say(act)
        elif may["moves"] and self.dice.random() < 0.85:
            ((origin, targets),) = may["moves"].items()
            target = self.dice.choice(targets)
            before = moment(view)
            self.carry(view["piece"], target)
            if not phone.until(lambda: moment(phone.view) != before, UNFELT_S):
                self.said += 1
                phone.say(f"{origin}-{target}")
        else:
            plain = [act for act in acts if "ticket" not in act] if self.dice.random() < 0.9 else acts
            phone.say(self.dice.choice(plain or acts))

    def carry(self, name: str, space: str) -> None:
        """Hands carry the piece of that name to a space."""
        while name not in self.ids:
            world = self.hands.until("world")
            self.ids = {piece["name"]: piece["id"] for piece in world["pieces"] if "name" in piece}
        seen = len(self.hands.raw)
        self.hands.say(do="carry", piece=self.ids[name], space=space)
        while True:
            for text in self.hands.raw[seen:]:
                seen += 1
                if self._stands(name, space, json.loads(text)):
                    return
            self.hands._take()

    def _stands(self, name: str, space: str, frame: dict[str, Any]) -> bool:
        """Whether a piece is seen to stand on a space; what hands can't do is an error."""
        assert frame["kind"] != "hands", frame
        return frame["kind"] == "world" and any(
            piece["id"] == self.ids[name] and piece["is"] == "stands" and piece["slot"].split("/")[0] == space
            for piece in frame["pieces"]
        )

    def close(self) -> None:
        for phone in self.phones.values():
            phone.socket.close()
        self.hands.close()


def played(
    tmp_path: Path, driver: str, seed: int, rounds: int, *more: str
) -> tuple[dict[str, Any], list[str]]:
    """Play a game on the page; how it looked at its end, and what there is to say of its record."""
    board = ("--board", "fall-of-the-fuhrer", "--game", "fall-of-the-fuhrer", "--driver", driver)
    served = Served(tmp_path, *board, *more)
    try:
        game = Game(served, seed)
        view = game.play(rounds)
        told = [json.loads(text) for text in game.phones["hitler"].socket.raw]
        game.close()
    finally:
        served.close()
    faults = [frame["told"] for frame in told if frame["kind"] == "told" and frame["told"]["kind"] == "fault"]
    assert not faults
    store = Store.open(tmp_path / "journal.sqlite", load_key(tmp_path / "key" / "board.key"))
    lines, right = verify(records.export(store, 1))
    store.close()
    assert right
    return view, lines


@pytest.mark.few(1)
@pytest.mark.parametrize("driver", ["gpio-sim", "pico-sim"])
def test_a_hunt_over_http_and_websockets(driver: str, tmp_path: Path) -> None:
    view, lines = played(tmp_path, driver, 3, 1, "--option", "players=4")
    assert view["outcome"]["winner"] == "allies"
    assert view["outcome"]["reason"] in ("resignation", "capture"), "the die decides"
    assert len(view["sheet"]["entries"]) == 1, "all is shown at the end"
    assert len(lines) >= 2


@pytest.mark.nightly
@pytest.mark.parametrize("driver", ["gpio-sim", "pico-sim"])
def test_whole_hunts_over_http_and_websockets(
    driver: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """A whole game in real time: the page in a process of its own, a phone a seat over HTTP and WebSocket,
    hands over a socket, and the record of it is verified."""
    view, lines = played(tmp_path, driver, 5, 24)
    record_property("rounds", view["round"])
    record_property("end", view["outcome"]["reason"])
    record_property("hidden actions that were verified", len(lines) - 1)
