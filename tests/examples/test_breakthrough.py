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
from boardumpire.web.board_description import lamp_legend
from examples.evening import Evening
from rules import contract

pytestmark = pytest.mark.usefixtures("games")
GAME, BOARD = "breakthrough", "breakthrough-8x8"


@pytest.mark.slow
def test_its_states_keep_the_contract() -> None:
    rng = random.Random(3)
    state = boardrules.new(GAME)
    for _ in range(40):
        contract.check_bad_text(state)
        contract.check_state(state, [state.parse(text, "white") for text in ("a2-a3", "a1-h8", "resign")])
        if state.outcome is not None:
            break
        state, _ = state.apply(rng.choice(list(state.legal_actions(state.seats_to_act()[0]))))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_game_by_hand_from_the_box_to_its_end(seed: int) -> None:
    evening = Evening(GAME, BOARD, seed)
    evening.begin()
    while evening.state.outcome is None:
        evening.turn()
    told = evening.told[-1]
    assert (told.kind, told.data["winner"]) == ("over", evening.state.outcome.winner)
    assert "{" not in told.data["text"]
    table = evening.bench.table
    assert table is not None
    assert record.final_state(record.parse(table.export_record())) == evening.state


def test_a_refusal_is_told_in_the_words_of_the_game() -> None:
    evening = Evening(GAME, BOARD, 5)
    evening.begin()
    bench = evening.bench
    bench.run_until(bench.hands.lift("a2", bench.now))
    bench.run_until(bench.hands.place("a5", bench.now))
    evening.wait(1500)
    (refused,) = evening.rulings()
    assert refused["ok"] is False
    assert "one square forward" in str(refused["refusal"])
    assert evening.bench.table.guidance.corrections  # type: ignore[union-attr]
    bench.run_until(bench.hands.lift("a5", bench.now))
    bench.run_until(bench.hands.place("a2", bench.now))
    evening.wait(1500)
    assert evening.chores() == []


@pytest.mark.slow
def test_a_power_cut_loses_nothing(tmp_path: Path) -> None:
    evening = Evening(GAME, BOARD, 6, tmp_path / "journal.sqlite")
    evening.begin()
    for number in range(30):
        evening.turn()
        if evening.state.outcome is not None:
            break
        if number % 4 == 0:
            evening.bench.kill()
            evening.bench.start()
            evening.wait(1000)
            table = evening.bench.table
            assert table is not None
            assert record.final_state(record.parse(table.export_record())) == evening.state


def test_the_lamps_say_whose_turn_it_is_and_where_a_pawn_may_go() -> None:
    evening = Evening(GAME, BOARD, 7)
    evening.begin()
    bench = evening.bench
    table = bench.table
    assert table is not None
    bench.run_until(bench.hands.lift("b2", bench.now))
    evening.wait(100)
    assert table.guidance.hints == {"a3": False, "b3": False, "c3": False}


def test_its_own_mark_is_lit_on_the_board_and_told_by_the_legend() -> None:
    evening = Evening(GAME, BOARD, 7)
    evening.begin()
    table, world = evening.bench.table, evening.bench.world
    assert table is not None
    while not (near := [lamp for lamp, mark in table.marks.items() if mark == "nearly-across"]):
        evening.turn()
    assert evening.state.outcome is None
    red, green, blue = world.copper.lamps()[near[0]]
    assert red == blue > green == 0
    (entry,) = [each for each in lamp_legend([GAME]) if each["mark"] == "nearly-across"]
    assert (entry["hue"], entry["class"], entry["rgb"]) == ("magenta", "slow-pulse", [255, 0, 255])
    assert entry["means"] == "one more step, and this pawn is across"


def test_the_referee_plays_it_in_a_process_of_its_own(environment: Mapping[str, str]) -> None:
    lines = [{"do": "new", "game": GAME}, {"do": "act", "seat": "white", "action": "a2-a3"}]
    told = subprocess.run(
        [Path(sys.executable).with_name("boardumpire"), "referee"],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True, text=True, env=dict(environment), check=True, timeout=60,
    )  # fmt: skip
    answers = [json.loads(line) for line in told.stdout.splitlines()]
    assert [answer["ok"] for answer in answers[-2:]] == [True, True]
