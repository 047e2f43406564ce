"""Clumsy people whose pieces have tags: nothing ruled wrong, nothing lost or missed, and fewer questions."""

from __future__ import annotations

from typing import Any

import pytest

from boardlab.soak.one_game import SoakPlan, game_bench_settings, play
from boardlab.soak.soak import soak
from boardumpire.cli import main
from boardumpire.commands.table_factory import TableFactory
from boardware.description import load_board

BAD = ("wrong", "lost", "missed", "unfelt")
"""What must not be."""


def test_where_no_readers_are_simulated_soak_says_so(capsys: Any) -> None:
    words = ["lab", "soak", "--games", "1", "--profile", "tags", "--game", "stratego-classic"]
    assert main([*words, "--board", "classic-10x10"]) == 2
    said = "classic-10x10 has 100 squares, expected 64 at most to read them all"
    assert capsys.readouterr().err == f"boardumpire: {said}\n"
    assert main([*words, "--driver", "pico-sim"]) == 2
    said = "no shipped board is classic-10x10 with readers on its Pico: name one with --board"
    assert capsys.readouterr().err == f"boardumpire: {said}\n"


def test_a_board_reads_tags_as_it_is_made_else_with_a_reader_a_square() -> None:
    for board, driver, wanted in [
        (None, "pico-sim", "quick-battle-8x8-readers"),
        ("quick-battle-8x8-pads", "gpio-sim", "quick-battle-8x8-pads"),
        ("quick-battle-8x8-readers", "pico-sim", "quick-battle-8x8-readers"),
    ]:
        assert game_bench_settings(SoakPlan(profile="tags", board=board, driver=driver), 0).board == wanted
    assert len(load_board(game_bench_settings(SoakPlan(profile="tags"), 0).board).slots_by_reader) == 64


def played(profile: str, numbers: range, jobs: int = 1) -> Any:
    return soak(SoakPlan(profile=profile, seed=11), numbers, TableFactory(), jobs)


@pytest.mark.slow
def test_clumsy_people_with_tags_are_judged_right() -> None:
    report = played("tags", range(2))
    assert report.findings == []
    assert {name: report.counts[name] for name in BAD} == dict.fromkeys(BAD, 0)
    assert report.counts["rulings"] > 50


@pytest.mark.slow
def test_clumsy_people_who_show_their_pieces_to_a_pad_are_judged_right() -> None:
    plan = SoakPlan(profile="tags", seed=11, board="quick-battle-8x8-pads")
    played, people = play(plan, 2, TableFactory())
    assert played.findings == ()
    assert played.counts["asked"] == played.counts["forced"] > 0
    said = [line for _, line in people.scene.lines if line.startswith("say ")]
    assert said
    assert not [line for line in said if "setup" in line]
    assert sum(line.startswith("over pad-red ") for _, line in people.scene.lines) >= 10


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(20))
def test_a_thousand_clumsy_games_with_tags(part: int, record_property: Any) -> None:
    """A twentieth of 1,000 games, a reader a square, noisy air: ruled right, fewer questions than without."""
    numbers = range(50 * part, 50 * part + 50)
    tagged, plain = played("tags", numbers, jobs=2), played("clumsy", numbers, jobs=2)
    record_property("games", f"{numbers[0]} to {numbers[-1]} of seed 11")
    for name in ("rulings", *BAD, "alike", "asked"):
        record_property(f"{name}, with tags", tagged.counts[name])
        record_property(f"{name}, without", plain.counts[name])
    record_property("findings, with tags", len(tagged.findings))
    assert tagged.findings == []
    assert {name: tagged.counts[name] for name in BAD} == dict.fromkeys(BAD, 0)
    assert tagged.counts["asked"] < plain.counts["asked"]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("board", "driver", "wire", "games"),
    [("quick-battle-8x8-pads", "gpio-sim", "fine", 60), ("quick-battle-8x8-readers", "pico-sim", "noisy", 8)],
    ids=["pads", "pico"],
)
def test_clumsy_games_on_the_boards_that_ship(
    board: str, driver: str, wire: str, games: int, record_property: Any
) -> None:
    """Games on the board with pads, and on the one with a reader a square over a Pico with a noisy cable."""
    plan = SoakPlan(profile="tags", seed=12, board=board, driver=driver, wire=wire)
    report = soak(plan, range(games), TableFactory(), 2)
    record_property("games", f"0 to {games - 1} of seed 12")
    for name in ("rulings", *BAD, "alike", "asked", "forced"):
        record_property(name, report.counts[name])
    assert report.findings == []
