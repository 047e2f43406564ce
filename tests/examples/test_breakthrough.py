"""Breakthrough, a game in a distribution of its own: nothing else knows it, and everything plays it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import boardrules
from boardrules import record
from boardrules.core import State, Step
from boardsim.bench.bench import SETTLED, Bench, Setting
from boardsim.bench.table import Message
from boardumpire.commands.table_factory import TableFactory
from boardware.ports import MS
from rules import contract

pytestmark = pytest.mark.usefixtures("games")
GAME, BOARD = "breakthrough", "breakthrough-8x8"


class Evening:
    """Two players at the board, over gpiozero with contacts that bounce."""

    def __init__(self, seed: int, journal: Path | None = None) -> None:
        self.told: list[Message] = []
        setting = Setting(board=BOARD, game=GAME, seed=seed, journal=journal)
        self.bench = Bench(setting, TableFactory(), told=self.told.append)
        self.state: State = boardrules.new(GAME)
        self.dice = random.Random(seed)

    def begin(self) -> None:
        """Power on, and the pawns from the box."""
        self.bench.start()
        for space, (piece,) in sorted(self.state.layout().items()):
            seat, _, kind = piece.partition(":")
            self.bench.let(self.bench.hands.stand(seat, space, self.bench.now, kind))
        self.bench.wait(1000 * MS)
        assert self.chores() == []

    def chores(self) -> list[dict[str, str]]:
        told = [message.data for message in self.told if message.kind == "chores"]
        return list(told[-1]["chores"]) if told else []

    def rulings(self) -> list[dict[str, object]]:
        return [message.data for message in self.told if message.kind == "ruling"]

    def carry(self, step: Step) -> None:
        """A move by hand; what is taken leaves the board first, last, or the mover tops it."""
        bench, hands = self.bench, self.bench.hands
        if step.takes and self.dice.random() < 0.5:
            bench.let(hands.lift(step.target, bench.now))
            bench.let(hands.aside(bench.now))
            bench.let(hands.lift(step.origin, bench.now))
        elif step.takes:
            bench.let(hands.lift(step.origin, bench.now))
            bench.let(hands.lift(step.target, bench.now))
        else:
            bench.let(hands.lift(step.origin, bench.now))
        bench.let(hands.place(step.target, bench.now, step.origin))
        while hands.held:
            bench.let(hands.aside(bench.now))
        bench.wait(2000 * MS)

    def turn(self) -> None:
        step = self.dice.choice(self.state.steps())
        seat = self.state.seats_to_act()[0]
        number = len(self.rulings())
        self.carry(step)
        if len(self.rulings()) == number:
            self.bench.let(self.bench.hands.press("confirm", self.bench.now))
            self.bench.wait(1000 * MS)
        action = self.state.hand_action(seat, step.origin, step.target)
        assert [told["action"] for told in self.rulings()[number:]] == [str(action)], self.told[-1]
        self.state, _ = self.state.apply(action)
        assert self.chores() == []


def test_its_states_keep_the_contract() -> None:
    rng = random.Random(3)
    state = boardrules.new(GAME)
    for _ in range(40):
        contract.check_state(state, [state.parse(text, "white") for text in ("a2-a3", "a1-h8", "resign")])
        if state.outcome is not None:
            break
        state, _ = state.apply(rng.choice(list(state.legal_actions(state.seats_to_act()[0]))))


@pytest.mark.parametrize("seed", range(3))
def test_a_game_by_hand_from_the_box_to_its_end(seed: int) -> None:
    evening = Evening(seed)
    evening.begin()
    assert not [told for told in evening.told if told.kind == "question"], "the layout comes from the box"
    while evening.state.outcome is None:
        evening.turn()
    told = evening.told[-1]
    assert (told.kind, told.data["winner"]) == ("over", evening.state.outcome.winner)
    assert "{" not in told.data["text"]
    table = evening.bench.table
    assert table is not None
    assert record.final(record.parse(table.record())) == evening.state


def test_a_refusal_is_told_in_the_words_of_the_game() -> None:
    evening = Evening(5)
    evening.begin()
    bench = evening.bench
    bench.let(bench.hands.lift("a2", bench.now))
    bench.let(bench.hands.place("a5", bench.now))
    bench.wait(1500 * MS)
    (refused,) = evening.rulings()
    assert refused["ok"] is False
    assert "one square forward" in str(refused["refusal"])
    assert evening.bench.table.guidance.chores  # type: ignore[union-attr]
    bench.let(bench.hands.lift("a5", bench.now))
    bench.let(bench.hands.place("a2", bench.now))
    bench.wait(1500 * MS)
    assert evening.chores() == []


def test_a_power_cut_loses_nothing(tmp_path: Path) -> None:
    evening = Evening(6, tmp_path / "journal.sqlite")
    evening.begin()
    for number in range(30):
        evening.turn()
        if evening.state.outcome is not None:
            break
        if number % 4 == 0:
            evening.bench.kill()
            evening.bench.start()
            evening.bench.wait(SETTLED + 1000 * MS)
            table = evening.bench.table
            assert table is not None
            assert record.final(record.parse(table.record())) == evening.state


def test_the_lamps_say_whose_turn_it_is_and_where_a_pawn_may_go() -> None:
    evening = Evening(7)
    evening.begin()
    bench = evening.bench
    table = bench.table
    assert table is not None
    bench.let(bench.hands.lift("b2", bench.now))
    bench.wait(100 * MS)
    assert table.guidance.hints == {"a3": False, "b3": False, "c3": False}


def test_the_referee_plays_it_in_a_process_of_its_own(environment: Mapping[str, str]) -> None:
    lines = [{"do": "new", "game": GAME}, {"do": "act", "seat": "white", "action": "a2-a3"}]
    told = subprocess.run(
        [Path(sys.executable).with_name("boardumpire"), "referee"],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True, text=True, env=dict(environment), check=True, timeout=60,
    )  # fmt: skip
    answers = [json.loads(line) for line in told.stdout.splitlines()]
    assert [answer["ok"] for answer in answers[-2:]] == [True, True]
