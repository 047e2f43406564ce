"""Hunts and the castle on several boards: who is at home elsewhere obeys, and every board shows the game."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from boardlab.soak.one_game import SoakPlan, game_bench_settings, people_class_of
from boardrules.core import Seat
from boardsim.bench.bench import BARE
from boardsim.people.rates import PROFILES
from boardumpire.commands.table_factory import TableFactory
from fuhrer.hunt import Hunt

BERLIN = {"berlin": frozenset({Seat("hitler")})}


def wrong(table: Any) -> dict[str, Any]:
    """By board what is not where the game has it, as far as it is sensed."""
    return {board.name: spaces for board in table.boards if (spaces := board.match.differing_spaces)}


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(3))
def test_hitler_watches_the_allies_on_a_board_of_his_own(seed: int) -> None:
    hunt = Hunt(seed, driver=BARE, further=BERLIN, obedient=True)
    hunt.play()
    assert hunt.state.outcome is not None
    assert hunt.bench.obeyed > 10
    hunt.bench.wait(1_000_000)
    assert wrong(hunt.table) == {}
    (berlin,) = hunt.table.boards[1:]
    assert berlin.home == {"hitler"}
    hunt.bench.close()


PLACES = ("tank", "kassel"), ("spy", "nurnberg"), ("infantry", "hannover")


def set_up_hunt(*words: str, places: Any = PLACES, **setting: Any) -> Hunt:
    """The allies stand, on both boards; a board in Berlin is Hitler's, and nobody keeps it in order."""
    hunt = Hunt(3, driver=BARE, further=BERLIN, **setting)
    hunt.begin()
    for piece, city in places:
        hunt.stand("allies", piece, city)
        hunt.bench.say("allies", f"{piece} {city}")
        hunt.bench.wait(1_000_000)
    berlin = hunt.bench.further["berlin"]
    for piece, city in places:
        berlin.run_until(berlin.hands.stand("allies", city, berlin.now, piece))
    berlin.wait(1_000_000)
    for word in ("hide linz", *words):
        hunt.bench.say("hitler" if word.startswith("hide") else "allies", word)
        hunt.bench.wait(1_000_000)
    assert wrong(hunt.table) == {}
    return hunt


def carry_next(hunt: Hunt) -> None:
    """The allies carry the piece whose turn it is."""
    before, bench = hunt.table.full_state, hunt.bench
    layout = before.layout()
    step = next(step for step in before.steps() if step.target not in layout)
    bench.run_until(bench.hands.lift(step.origin, bench.now))
    bench.run_until(bench.hands.place(step.target, bench.now))
    bench.wait(1_000_000)
    assert hunt.table.full_state is not before


def follow(hunt: Hunt) -> None:
    """The board in Berlin does what its lights ask for."""
    berlin = hunt.bench.further["berlin"]
    (board,) = hunt.table.boards[1:]
    while chores := board.match.guidance.corrections:
        chore = next((each for each in chores if each.kind == "take"), chores[0])
        hands = berlin.hands.lift if chore.kind == "take" else berlin.hands.place
        berlin.run_until(hands(chore.space, berlin.now))
        berlin.wait(1_000_000)


@pytest.mark.parametrize("ahead", [False, True])
def test_a_game_runs_ahead_of_another_board_by_one_move(ahead: bool) -> None:
    hunt = set_up_hunt(table={"runs_ahead": ahead})
    hunt.bench.say("allies", "roll")
    hunt.bench.wait(1_000_000)
    carry_next(hunt)
    if ahead:  # the next piece's die is thrown, and it goes on
        carry_next(hunt)
        hunt.bench.say("allies", "done")
        hunt.bench.wait(1_000_000)
    assert hunt.table.full_state.chance(), "the other board has to follow first"
    follow(hunt)
    assert wrong(hunt.table) == {}
    assert not hunt.table.full_state.chance()
    hunt.bench.close()


def say_carried(hunt: Hunt, piece: str, origin: str, target: str) -> None:
    """The allies carry a piece to another one, and say so: no sensor of theirs feels it."""
    before = hunt.table.full_state
    hunt.bench.run_until(hunt.bench.hands.lift(origin, hunt.bench.now, piece))
    hunt.bench.run_until(hunt.bench.hands.place(target, hunt.bench.now))
    hunt.bench.say("allies", f"{origin}-{target}")
    hunt.bench.wait(1_000_000)
    assert hunt.table.full_state is not before


def asked_in_berlin(hunt: Hunt) -> tuple[set[tuple[str, str, str]], tuple[str, ...]]:
    """What people at Hitler's board are to do, and between which cities they are asked about a move."""
    guidance = hunt.table.boards[1].match.guidance
    question = guidance.question
    chores = {(str(chore.kind), chore.space, chore.printed_name) for chore in guidance.corrections}
    if question is not None:
        assert (question.code, question.seat) == ("moved-here", None)
    return chores, () if question is None else tuple(question.spaces)


def answer_in_berlin(hunt: Hunt, button: str) -> None:
    """Somebody reads what is asked at Hitler's board, and presses a button."""
    berlin = hunt.bench.further["berlin"]
    berlin.wait(1_200_000)
    berlin.run_until(berlin.hands.press(button, berlin.now))
    berlin.wait(1_000_000)


def test_a_token_that_another_board_cannot_feel_is_asked_for_there(tmp_path: Path) -> None:
    """Cities feel one piece: whether a token has come to stand beside another one people have to say."""
    places = ("tank", "kassel"), ("spy", "frankfurt"), ("infantry", "hannover")
    hunt = set_up_hunt("stay", "stay", "done", places=places, journal=tmp_path / "journal.db")
    berlin = hunt.bench.further["berlin"]
    say_carried(hunt, "infantry", "hannover", "kassel")
    put = ("put", "kassel", "infantry")
    assert asked_in_berlin(hunt) == ({("take", "hannover", ""), put}, ())
    berlin.run_until(berlin.hands.lift("hannover", berlin.now))
    berlin.wait(1_000_000)
    assert asked_in_berlin(hunt) == ({put}, ("hannover", "kassel"))
    berlin.run_until(berlin.hands.place("kassel", berlin.now))
    answer_in_berlin(hunt, "confirm")
    assert asked_in_berlin(hunt) == (set(), ())
    # The Tank leaves the Infantry for the Spy: no sensor feels either.
    for seat, word in (("hitler", "go linz"), ("allies", "roll")):
        hunt.bench.say(seat, word)
        hunt.bench.wait(1_000_000)
    say_carried(hunt, "tank", "kassel", "frankfurt")
    open_ = {("take", "kassel", "tank"), ("put", "frankfurt", "tank")}, ("kassel", "frankfurt")
    assert asked_in_berlin(hunt) == open_
    assert hunt.table.full_state.chance(), "the game waits for that board"
    answer_in_berlin(hunt, "cancel")
    assert asked_in_berlin(hunt) == open_, "not yet"
    hunt.bench.kill()
    hunt.bench.start()
    hunt.bench.wait(1_000_000)
    assert asked_in_berlin(hunt) == open_, "a power cut changes nothing of it"
    berlin.run_until(berlin.hands.lift("kassel", berlin.now, "tank"))
    berlin.run_until(berlin.hands.place("frankfurt", berlin.now))
    answer_in_berlin(hunt, "confirm")
    assert asked_in_berlin(hunt) == (set(), ())
    assert not hunt.table.full_state.chance()
    hunt.bench.kill()
    hunt.bench.start()
    hunt.bench.wait(1_000_000)
    assert asked_in_berlin(hunt) == (set(), ()), "what was confirmed is asked no more"
    hunt.bench.close()


def test_what_a_board_elsewhere_does_is_no_move_of_the_allies() -> None:
    """The Tank is to move; at the board in Berlin it is carried where it may go."""
    hunt = set_up_hunt("stay", "stay", "done")
    berlin = hunt.bench.further["berlin"]
    before = hunt.table.full_state
    step = random.Random(1).choice(list(before.steps()))
    berlin.run_until(berlin.hands.lift(step.origin, berlin.now))
    berlin.run_until(berlin.hands.place(step.target, berlin.now))
    berlin.wait(1_000_000)
    assert hunt.table.full_state is before
    assert "Board of Hitler: " in str(hunt.public("fault")[-1]["text"])
    berlin.run_until(berlin.hands.lift(step.target, berlin.now))
    berlin.run_until(berlin.hands.place(step.origin, berlin.now))
    berlin.wait(1_000_000)
    assert wrong(hunt.table) == {}
    hunt.bench.close()


GAMES = {
    "stratego-quick-duel": ("hostile", ("north",), 80),
    "fall-of-the-fuhrer": ("wild", ("north",), 80),
    "escape-from-colditz": ("clumsy", ("west", "east"), 8),
}


def soaked(game: str, number: int) -> None:
    """Play a game by people who err at the first board, while others keep boards in order that show it."""
    profile, boards, longest = GAMES[game]
    plan = SoakPlan(game=game, driver=BARE, profile=profile, longest=longest, seed=11)
    given = game_bench_settings(plan, number)._replace(
        further=dict.fromkeys(boards, frozenset()), obedient=True
    )
    people = people_class_of(game)(given, TableFactory(), f"{number}", PROFILES[profile], longest=longest)
    people.play()
    assert people.judge.findings == []
    assert people.scene.bench.obeyed > 20
    people.scene.bench.wait(1_000_000)
    assert {name for name in wrong(people.scene.bench.table) if name} == set()
    people.scene.close()


@pytest.mark.slow
@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("game", GAMES)
def test_boards_that_show_a_game_follow_clumsy_people(game: str, number: int) -> None:
    soaked(game, number)


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_boards_that_show_many_games_follow_clumsy_people(game: str) -> None:
    for number in range(60):
        soaked(game, number)
