"""Clumsy people who hunt on a map: nothing wrong, lost or missed"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from boardlab.soak import one_game, soak
from boardlab.soak.one_game import SoakPlan
from boardrules import registry
from boardsim.judging.judge import WRONG
from boardsim.people.hunters import FuhrerPeople
from boardsim.people.rates import ERROR_KINDS, PROFILES
from boardumpire.commands.table_factory import TableFactory
from boardumpire.messages.disclosure import SeatMessage

PARTS = 20
"""Each a run of its own, so that a machine can take them one at a time."""
GAMES = 50
SEED = 2026
RARE = "away", "forgotten", "swap"
"""Errors of which fifty games may well have none."""
BOARDS = "fall-of-the-fuhrer", "fall-of-the-fuhrer-slots"


def plan(board: str) -> SoakPlan:
    return SoakPlan(board=board, game="fall-of-the-fuhrer", profile="clumsy", seed=SEED)


@pytest.mark.few(3)
@pytest.mark.parametrize("game", registry.games())
def test_people_know_how_to_play_every_game(game: str) -> None:
    one_game.check_playable(game)


@pytest.mark.few(1)
@pytest.mark.parametrize("board", BOARDS)
def test_some_rounds_of_a_wild_hunt(board: str) -> None:
    played, _ = one_game.play(plan(board)._replace(profile="wild", longest=8), 3, TableFactory())
    assert not played.findings
    assert played.counts["actions"] > 20
    assert sum(played.injected.values()) > 5


@pytest.mark.slow
@pytest.mark.parametrize("number", [435, 512, 541])
def test_a_piece_that_is_pushed_slowly_over_a_city_goes_on_to_the_next(number: int) -> None:
    played, _ = one_game.play(plan(BOARDS[0]), number, TableFactory())
    assert not played.findings
    assert played.injected["slide"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("number", [905, 911])
def test_a_piece_that_is_knocked_over_is_no_move_and_is_stood_up_again(number: int) -> None:
    """Its magnet lies sideways: no reed on end feels it, on its own city or on the next."""
    played, _ = one_game.play(plan(BOARDS[0]), number, TableFactory())
    assert not played.findings
    assert played.injected["knock"] == 1
    assert played.counts["alike"] == 0


def test_a_ruling_on_what_nobody_did_is_found() -> None:
    hunters = FuhrerPeople(
        one_game.game_bench_settings(plan(BOARDS[0]), 0), TableFactory(), "0", PROFILES["careful"]
    )
    told = {"ok": True, "seat": "allies", "action": "tank berlin", "events": [], "text": []}
    hunters.judge.hear(SeatMessage(0, None, "ruling", told))
    assert [finding.kind for finding in hunters.judge.findings] == [WRONG]
    hunters.scene.close()


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(PARTS))
def test_50_clumsy_hunts(part: int, record_property: Callable[[str, object], None]) -> None:
    """A twentieth of 1,000 hunts of clumsy people over gpiozero, on the board with a reed a city; every other
    part on the one with slots."""
    board = BOARDS[part % 2]
    numbers = range(GAMES * part, GAMES * (part + 1))
    jobs = os.cpu_count() or 1
    report = soak.soak(plan(board), numbers, TableFactory(), jobs=jobs)
    found = report.json()
    given = f"--board {board} --game fall-of-the-fuhrer --profile clumsy --seed {SEED}"
    words = f"`boardumpire lab soak {given} --first {numbers[0]} --games {GAMES}`"
    record_property("the same by hand", words)
    for name in ("games", *one_game.COUNT_NAMES, "unforced"):
        record_property(name, found[name])
    record_property("injected", ", ".join(f"{kind} {count}" for kind, count in found["injected"].items()))
    record_property("hours at the board", found["virtual_hours"])
    record_property("games a minute", f"{60 * found['games'] / found['seconds']:.0f} in {jobs} processes")
    assert not report.findings
    assert (found["wrong"], found["lost"], found["missed"]) == (0, 0, 0)
    assert found["games"] == GAMES
    assert all(found["injected"].get(kind, 0) > 0 for kind in ERROR_KINDS if kind not in RARE)
