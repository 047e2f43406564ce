"""The power goes at any moment: no action that was told is lost, and chores lead the board back."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

import boardrules
from boardrules.core import Action, State
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import load_key
from daemon.service import Killed, Service

GAME = "stratego-quick-duel"
KILLS = 20
UNTOUCHED = 3
"""Fewer actions than this are played between a start and the one in which the power goes."""
ACTION_US = 400_000
"""How long hands take for an action, and the umpire for its ruling, on a machine that does nothing else."""
LOOK_US = 800_000
"""Twice as long as a piece has to rest before anything is made of it."""
RULING_US = 100_000
"""Longer than the board needs to settle, judge and write."""


class Players:
    """Both players: they know the rules, do what the lamps say, and remember what they were told."""

    def __init__(self, service: Service, seed: int, game: str = GAME) -> None:
        self.service = service
        self.random = random.Random(seed)
        self.state: State = boardrules.new(game)
        self.attempt: Action | None = None
        self.told: list[str] = []
        self.heard = 0
        self.chores: list[dict[str, Any]] = []
        self.soon = False

    def listen(self) -> None:
        """Take in the messages since the last time."""
        messages = self.service.messages[self.heard :]
        self.heard += len(messages)
        for message in messages:
            if message["kind"] == "chores":
                self.chores = message["chores"]
            if message["kind"] == "ruling" and message["ok"]:
                assert self.attempt is not None
                assert message["seat"] == self.attempt.seat
                self.told.append(str(self.attempt))
                self.state, _ = self.state.apply(self.attempt)
                self.attempt = None
            if message["kind"] == "question":
                self.answer(message)

    def answer(self, question: dict[str, Any]) -> None:
        """Say by phone whether the umpire is right: after a power cut about who stands where, which it is
        here, and on a busy machine, which looks late at quick hands, whether a move was meant."""
        about_pieces = question["code"] in ("who-stands", "came-from", "same-places")
        way = question["spaces"][:2]  # then come the others that were up with it
        meant = about_pieces or "-".join(way) == str(self.attempt)
        words = " ".join(("yes" if meant else "no", question["code"], *question["spaces"]))
        self.service.ask("say", seat=question["seat"], text=words)

    def wait(self) -> None:
        """Until the umpire has ruled on what was tried; at times the power goes about now."""
        if self.soon:
            self.service.kill_at = self.service.now + self.random.randrange(RULING_US)

        def ruled() -> bool:
            self.listen()
            return self.attempt is None

        self.service.until(ruled)

    def stand_armies(self) -> None:
        for seat in self.state.seats:
            for word in str(self.army(seat)).split()[1:]:
                self.service.do(self.service.hands.stand, seat, word.partition("=")[0])

    def army(self, seat: str) -> Action:
        return next(iter(self.state.legal_actions(seat)))

    def play(self) -> None:
        """One action, whatever is due: a set-up by phone, or a move by hand."""
        seat = self.state.seats_to_act()[0]
        moves = (
            [
                action
                for action in self.state.legal_actions(seat)
                if self.state.apply(action)[0].outcome is None
            ]
            if len(self.state.layout())
            else []
        )
        self.carry_out(self.random.choice(moves) if moves else self.army(seat))

    def carry_out(self, action: Action) -> None:
        """Say a secret action by phone, do any other by hand, and wait for the ruling."""
        self.attempt, seat = action, action.seat
        if self.attempt.secret:
            assert self.service.ask("say", seat=seat, text=str(self.attempt))["ok"]
        else:
            self.move(*str(self.attempt).split("-"))
        self.wait()

    def move(self, origin: str, target: str) -> None:
        hands = self.service.hands
        self.service.do(hands.lift, origin)
        if target in self.state.layout():
            self.service.do(hands.lift, target)
        else:
            self.service.do(hands.place, target)

    def look(self) -> None:
        """Touch nothing until nothing new was told for a while: after a start not all sensors are read."""
        heard = -1
        while heard != len(self.service.messages):
            heard, end = len(self.service.messages), self.service.now + LOOK_US
            self.service.until(
                lambda heard=heard, end=end: len(self.service.messages) > heard or self.service.now >= end,
                wake_at=end,
            )

    def mend(self) -> None:
        """Do what the chores say until none is left."""
        status = self.service.ask("status")
        self.chores, self.heard = status["chores"], len(self.service.messages)
        if status["question"] is not None:
            self.answer(status["question"])
        while self.chores:
            chore = min(self.chores, key=lambda chore: chore["do"] != "take")
            asked, done = self.chores, self.chore(chore)
            self.service.until(
                lambda chore=chore, asked=asked, done=done: (
                    self.listen() or (chore not in self.chores if done else self.chores != asked)
                )
            )
        self.empty_hands()
        self.put_back()

    def put_back(self) -> None:
        """Put what was in a hand as the power went where it stood, if nobody has asked for it."""
        hands = self.service.hands
        for space, pieces in self.state.layout().items():
            if space not in self.service.world.standing() and self.attempt is None:
                for piece in [piece for piece in hands.beside if piece.owner == pieces[0].seat][:1]:
                    self.service.do(hands.fetch, piece)
                    self.service.do(hands.place, space)

    def chore(self, chore: dict[str, Any]) -> bool:
        """Do it. Whether that was possible: the piece may stand where no sensor was read yet."""
        hands = self.service.hands
        if chore["do"] == "take":
            self.service.do(hands.lift, chore["space"])
            self.service.do(hands.put_beside_board)
            return True
        assert chore["do"] == "put"
        self.empty_hands()
        piece = next((piece for piece in hands.beside if piece.owner == chore["seat"]), None)
        if piece is None:
            return False
        self.service.do(hands.fetch, piece)
        self.service.do(hands.place, chore["space"])
        return True

    def empty_hands(self) -> None:
        while self.service.hands.held:
            self.service.do(self.service.hands.put_beside_board)

    def compare(self) -> None:
        """The daemon's state is what was told, with or without the one action that was under way."""
        found = {seat: self.service.ask("view", seat=seat)["view"] for seat in self.state.seats}
        if self.attempt is not None and found != views(self.state):
            self.told.append(str(self.attempt))
            self.state, _ = self.state.apply(self.attempt)
        self.attempt = None
        assert found == views(self.state)

    def compare_journal(self) -> None:
        """Whatever was told is in the journal of the dead daemon, and at most what was under way besides."""
        store = Store.open(self.service.journal, load_key(self.service.key))
        header = store.unfinished_game()
        assert header is not None
        written = [entry.text for entry in store.entries(header.number) if entry.kind == "action"]
        store.close()
        under_way = [] if self.attempt is None else [str(self.attempt)]
        assert written in (self.told, self.told + under_way)

    def compare_files(self) -> None:
        """No file but the key's says where a piece was set up."""
        setups = [text for text in self.told if text.startswith("setup ")]
        secrets = [word.encode() for text in setups for word in text.split()[1:]]
        for path in self.service.directory.rglob("*"):
            if path.is_file() and path != self.service.key:
                found = path.read_bytes()
                assert not [word for word in secrets if word in found], path


def views(state: State) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(json.dumps({seat: state.view(seat).json() for seat in state.seats}))
    return told


@pytest.mark.slow
def test_twenty_kills_lose_nothing_that_was_told(service: Service) -> None:
    _kills(service, KILLS, seed=2)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(3, 13))
def test_two_hundred_kills_lose_nothing_that_was_told(
    seed: int, service: Service, record_property: Callable[[str, object], None]
) -> None:
    """Ten games with 20 kill -9 each at random moments: what was told is kept, nothing else is believed."""
    record_property("kills", KILLS)
    record_property("seed", seed)
    players = _kills(service, KILLS, seed)
    record_property("actions played between them", len(players.told))


def _kills(service: Service, kills: int, seed: int) -> Players:
    """Play a duel, killing the daemon every now and then."""
    players = Players(service, seed)
    play_on(players, kills)
    return players


def play_on(players: Players, kills: int, **environ: str) -> None:
    """Play, killing the daemon every now and then; each time compare journal, views, board and files.

    How many actions are played before is counted, not timed: a busy machine plays as many.
    """
    service, played = players.service, 0
    players.stand_armies()
    for kill in range(kills):
        players.soon = False
        service.start(**environ)
        players.look()
        players.compare()
        players.mend()
        assert service.ask("status")["chores"] == []
        for _ in range(kill % UNTOUCHED):
            players.play()
            players.mend()
            played += 1
        players.soon = kill % 2 == 1
        if not players.soon:
            service.kill_at = service.now + players.random.randrange(ACTION_US)
        try:
            while True:
                players.play()
                players.mend()
        except Killed:
            players.listen()
            players.compare_journal()
            players.compare_files()
    assert len(players.told) >= played > kills // 2, "the game went on between the kills"
