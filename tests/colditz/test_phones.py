"""Escape from Colditz over real HTTP and WebSocket: the page in a process of its own, killed on the way, a
phone a seat, simulated hands over the firmware of five Picos."""

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
from fuhrer.test_phones import Phone
from web.served import Served
from web.wire import Socket

GAME = "escape-from-colditz"
QUIET = ("roll", "end", "ready", "draw", "accept", "obey", "keep", "pass")
"""What is said when there is nothing better to do, the first that may be said."""


def moment(view: dict[str, Any]) -> str:
    """What changes with every action."""
    return json.dumps(
        {key: each for key, each in view.items() if key not in ("hand", "equipment", "seat", "offer")}
    )


class Caller(Phone):
    """A phone that finds the page again."""

    def again(self, origin: str) -> None:
        """Come back with the cookie."""
        self.socket = Socket(origin, f"/socket/{self.seat}", cookie=self.cookie)
        self._seen, self.board = 0, {}
        self.socket.hello()


class Game:
    """People with phones around a simulated board; each decides by what his own phone shows."""

    def __init__(self, state: Path, seed: int, *options: str) -> None:
        self.state, self.dice = state, random.Random(seed)
        words = [word for option in options for word in ("--option", option)]
        self.words = ("--board", GAME, "--game", GAME, *words)
        self.served = Served(state, *self.words)
        self.port = self.served.origin.rpartition(":")[2]
        links = self.served.links
        self.seats = [seat for seat in links if seat != "table"]
        self.phones = {seat: Caller(self.served.origin, links[seat], seat) for seat in self.seats}
        self.hands = Socket(self.served.origin, "/hands", cookie=self.first.cookie)
        self.done: list[str] = []
        self.kills = 0

    def kill(self) -> None:
        """kill -9, then the same again: the phones come back with what they hold."""
        before = moment(self.first.view)
        self.served.kill()
        self.close()
        self.served = Served(self.state, *self.words, "--listen", f"127.0.0.1:{self.port}")
        for phone in self.phones.values():
            phone.again(self.served.origin)
        self.hands = Socket(self.served.origin, "/hands", cookie=self.first.cookie)
        assert moment(self.first.view) == before
        self.kills += 1

    @property
    def first(self) -> Caller:
        return self.phones[self.seats[0]]

    def play(self, actions: int, kills: tuple[int, ...]) -> dict[str, Any]:
        """Play to the end; after so many actions whoever is to move leaves."""
        while True:
            view = self.first.view
            if "outcome" in view:
                return view
            due = sum(len(self.done) >= after for after in kills)
            if self.kills < due and view["to_act"] != ["chance"]:  # dice are thrown as soon as it is back
                self.kill()
                continue
            (seat,) = view["to_act"]
            before = moment(view)
            if seat != "chance":
                phone = self.phones[seat]
                assert phone.until(lambda: moment(phone.view) == before), (before, moment(phone.view))  # noqa: B023
                self.act(phone, leave=len(self.done) >= actions)
            self.until_ruled(before)

    def until_ruled(self, before: str) -> None:
        """Do chores until something has changed and the board is in order."""
        for _ in range(40):
            self.tidy()
            if self.first.until(lambda: moment(self.first.view) != before, 1.0):
                self.tidy()
                return
        raise AssertionError(f"nothing came of {self.done[-1:]}: {before} {self.first.board}")

    def act(self, phone: Phone, *, leave: bool) -> None:
        """One action of this seat: a pawn is carried, or something is said."""
        may, places = phone.latest["may"], phone.view["places"]
        moves = [
            (origin, target)
            for origin, targets in may["moves"].items()
            for target in targets
            if target not in places and target not in ("office", "barracks")
        ]
        if leave:
            self.say(phone, "resign")
        elif moves and self.dice.random() < (1.0 if not self._quiet(may) else 0.7):
            origin, target = self.dice.choice(moves)
            self.done.append(f"{phone.seat} {origin}-{target}")
            self.carry(phone.seat, origin, target)
        else:
            others = [act for act in may["acts"] if act.split()[0] in ("play", "claim", "kit", "trade")]
            word = self.dice.choice(others) if others and self.dice.random() < 0.3 else self._quiet(may)
            self.say(phone, word or self.dice.choice(may["acts"]))

    def _quiet(self, may: dict[str, Any]) -> str | None:
        heads = {act.split()[0]: act for act in reversed(may["acts"])}
        return next((heads[word] for word in QUIET if word in heads), None)

    def say(self, phone: Phone, text: str) -> None:
        self.done.append(f"{phone.seat} {text}")
        phone.say(text)

    # Hands

    def pieces(self) -> list[dict[str, Any]]:
        """Where the pawns are, as far as the hands were shown."""
        worlds = [frame for text in self.hands.raw if (frame := json.loads(text))["kind"] == "world"]
        return worlds[-1]["pieces"] if worlds else self.hands.until("world")["pieces"]

    def carry(self, seat: str, origin: str, target: str) -> None:
        self.look()
        for _ in range(40):  # the last pawn is still on its way, or a chore was told after its ruling
            if self._seen() == self._told():
                break
            self.tidy()
            self.first.until(lambda: False, 0.3)
            self.look()
        assert self._seen() == self._told()
        piece = self._standing(seat, origin)[-1]
        self.hands.say(do="carry", piece=piece, space=target)

    def _standing(self, seat: str, space: str) -> list[int]:
        return [
            piece["id"]
            for piece in self.pieces()
            if piece["is"] == "stands" and piece["seat"] == seat and piece["slot"].split("/")[0] == space
        ]

    def _seen(self) -> list[tuple[str, str]]:
        """Whose pawns stand where, as the hands were shown."""
        stand = [piece for piece in self.pieces() if piece["is"] == "stands"]
        return sorted((piece["slot"].split("/")[0], piece["seat"]) for piece in stand)

    def _told(self) -> list[tuple[str, str]]:
        """The same as the phones were told."""
        places = self.first.view["places"]
        return sorted((space, name.split(":")[0]) for space, names in places.items() for name in names)

    def look(self) -> None:
        """Take in all that the hands were shown."""
        self.hands._line.settimeout(0.3)
        try:
            while True:
                self.hands._take()
        except TimeoutError:
            self.hands._line.settimeout(20)

    def tidy(self) -> None:
        """Do the chores that the phones show until there are none."""
        while self.first.board.get("chores"):
            chores = self.first.board["chores"]
            self.hands.say(do="tidy", chores=chores, beside=True)
            self.first.until(lambda: self.first.board.get("chores") != chores, 3.0)  # noqa: B023

    def close(self) -> None:
        for phone in self.phones.values():
            phone.socket.close()
        self.hands.close()


def played(
    tmp_path: Path, seed: int, actions: int, kills: tuple[int, ...], *options: str
) -> tuple[dict[str, Any], list[str], Game]:
    """Play a game on the page; how it looked at its end, and what there is to say of its record."""
    game = Game(tmp_path, seed, *options)
    try:
        view = game.play(actions, kills)
        told = [json.loads(text) for text in game.first.socket.raw]
        game.close()
    finally:
        game.served.close()
    assert game.kills == len(kills)
    assert not [frame for frame in told if frame["kind"] == "told" and frame["told"]["kind"] == "fault"]
    store = Store.open(tmp_path / "journal.sqlite", load_key(tmp_path / "key" / "board.key"))
    record = records.export(store, 1)
    store.close()
    lines, right = verify(record)
    assert right
    said = [line for line in record.splitlines() if line.split(" ")[0] in game.seats]
    assert [line.split(" of salt ")[0] for line in said] == game.done, "the record tells what was done"
    return view, lines, game


@pytest.mark.nightly
def test_three_with_phones_and_hands_and_the_page_killed_twice(tmp_path: Path) -> None:
    view, lines, _ = played(tmp_path, 1, 4, (1, 3), "players=3")
    assert view["outcome"]["reason"] == "nobody-left"
    assert len(lines) == 4, "the cards that were dealt"


@pytest.mark.nightly
def test_a_whole_game_of_three_over_http_and_websockets_killed_twice(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """A whole game of four rounds in real time: the page in a process of its own, killed twice with kill -9,
    a phone a seat over HTTP and WebSocket, hands over a socket; the record is verified and tells what was
    done."""
    view, lines, game = played(tmp_path, 5, 400, (10, 26), "players=3", "rounds=4")
    assert view["outcome"]["reason"] == "rounds"
    record_property("actions", len(game.done))
    record_property("killed", game.kills)
    record_property(
        "carried", sum("-" in line.split(" ")[1] and len(line.split(" ")) == 2 for line in game.done)
    )
    record_property("hidden actions that were verified", len(lines) - 1)
