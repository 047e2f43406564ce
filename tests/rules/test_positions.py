"""Positions as text, views that are completed by chance, and counts of lines."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

import boardrules
from boardrules import Game, divide, perft
from boardrules.core import State
from boardrules.notations import NotationError
from boardrules.record import final_state
from boardrules.stratego import neutral_notation
from rules import contract

GAMES = (
    "stratego-classic",
    "stratego-barrage",
    "stratego-duel",
    "stratego-quick-duel",
    "stratego-quick-barrage",
)
AMID = "".join(
    (
        "MAAAAAAAAA", "BAAAAAAAAA", "CAAAAAAAAA", "DDeKAAAAAA", "AA__lA__AA",
        "AA__AA__AA", "PPQWXAAAAA", "OAAAAAAAAA", "NAAAAAAAAA", "YAAAAAAAAA",
    )
)  # fmt: skip
"""Red's Marshal has come to e5 and is known, and so is the Miner on c4."""
OPEN = {"reveal_after_battle": "stay_open"}


def walked(game: str, seed: int, actions: int, **options: str) -> Game:
    rng, played = random.Random(f"{game} {seed}"), Game(game, **options)
    for _ in range(actions):
        if played.over:
            break
        played.push(rng.choice(list(played.legal())))
    return played


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("game", GAMES)
def test_a_position_is_written_and_read_back(game: str, seed: int) -> None:
    played = walked(game, seed, 60, **OPEN)
    if played.over:
        return
    text = played.position()
    again = Game.from_position(game, text, **OPEN)
    assert again.position() == text
    assert again.turn == played.turn
    there = played.state.truth()["board"]
    assert {at: (each["seat"], each["rank"]) for at, each in again.state.truth()["board"].items()} == {
        at: (each["seat"], each["rank"]) for at, each in there.items()
    }
    for seat in (*played.seats, None):
        known, before = (each.view(seat).json()["board"] for each in (again, played))
        assert {at: each["known"] for at, each in known.items()} == {
            at: each["known"] for at, each in before.items()
        }
    contract.check_state(again.state)
    for _ in range(20):
        if again.over:
            break
        again.push(random.Random(seed).choice(list(again.legal())))


def test_a_small_letter_is_known_to_everybody_and_who_stands_outside_has_moved() -> None:
    game = Game.from_position("stratego-barrage", f"{AMID} b 7", **OPEN)
    board = game.view("blue").json()["board"]
    assert board["e5"] == {"seat": "red", "rank": "10", "moved": True, "known": True}
    assert board["c4"] == {"seat": "red", "rank": "3", "moved": False, "known": True}
    assert {
        each["rank"] for at, each in board.items() if each["seat"] == "red" and at not in ("e5", "c4")
    } == {"?"}
    assert game.turn == "blue"
    assert game.view("blue").json()["turn"] == 7


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (AMID[1:], "try 100 letters, r or b"),
        (f"{AMID} x 7", "try 100 letters, r or b"),
        (f"{AMID} r 0", "turn 0; try 1 or more"),
        (AMID.replace("__", "AA", 1), "'A' on c5; try _ on a lake"),
        ("_" + AMID[1:], "'_' on a1; try _ on a lake"),
        ("Z" + AMID[1:], "'Z' on a1; try A to Y"),
        (AMID[:1] + "M" + AMID[2:], "2 pieces F of red; try at most 1"),
        (AMID.replace("M", "A"), "no F of red; try one"),
        (AMID.replace("A", "Y", 1), "a F of blue on b1; try it where blue sets up"),
        ("", "try 100 letters"),
    ],
)
def test_a_text_that_is_no_position_is_told(text: str, told: str) -> None:
    with pytest.raises(NotationError) as caught:
        Game.from_position("stratego-barrage", text)
    assert told in str(caught.value)


def test_a_game_without_texts_or_amid_its_set_up_says_so() -> None:
    with pytest.raises(NotationError, match="escape-from-colditz has no text for a position"):
        Game.from_position("escape-from-colditz", "x")
    with pytest.raises(NotationError, match="fall-of-the-fuhrer has no text for a position"):
        Game("fall-of-the-fuhrer").position()
    with pytest.raises(NotationError, match="a set-up; try a position after it"):
        Game("stratego-duel").position()


@pytest.mark.parametrize("announce", ["ranks", "silent"])
@pytest.mark.parametrize("game", GAMES)
def test_a_view_is_completed_by_states_that_its_seat_can_not_tell_apart(game: str, announce: str) -> None:
    differing = 0
    for seed in range(3):
        rng, played = random.Random(seed), Game(game, announce=announce)
        for _ in range(90):
            if played.over:
                break
            for seat in played.seats if rng.random() < 0.2 else ():
                drawn = played.resample(seat, rng)
                contract.same_to(played.state, drawn, seat)
                assert drawn.outcome is None
                differing += drawn != played.state
                plays_on(drawn, rng)
            played.push(rng.choice(list(played.legal())))
    assert differing > 10


def plays_on(state: State, rng: random.Random) -> None:
    """A drawn state is one of the game: it can be played."""
    for _ in range(6):
        if state.outcome is not None:
            return
        seat = state.seats_to_act()[0]
        state, _ = state.apply(rng.choice(list(state.legal_actions(seat))))


def test_each_rank_that_a_piece_may_have_is_drawn_and_no_other() -> None:
    game = walked("stratego-quick-barrage", 3, 14)
    drawn: dict[str, Counter[str]] = {}
    for number in range(400):
        truth = game.resample("red", random.Random(number)).truth()["board"]
        for at, piece in truth.items():
            if piece["seat"] == "blue":
                drawn.setdefault(at, Counter())[piece["rank"]] += 1
    view = game.view("red").json()["board"]
    army = {"F", "B", "S", "2", "3", "9", "10"}
    for at, ranks in drawn.items():
        if view[at]["known"]:
            assert set(ranks) == {view[at]["rank"]}
        elif view[at]["moved"]:
            assert {"S", "10"} <= set(ranks) <= army - {"F", "B"}
        else:
            assert {"F", "B"} <= set(ranks) <= army


def test_a_view_of_nobodys_is_not_completed() -> None:
    duel = Game("stratego-duel")
    with pytest.raises(ValueError, match="expected the view of a seat whose game goes on"):
        duel.package.resample(duel.view(None), random.Random(1))


def test_lines_are_counted_and_divided() -> None:
    game = walked("stratego-quick-duel", 1, 2)
    assert perft(game.state, 0) == 1
    assert perft(game.state, 1) == len(list(game.legal()))
    parts = divide(game.state, 3)
    assert set(parts) == {str(action) for action in game.legal()}
    assert sum(parts.values()) == perft(game.state, 3)
    with pytest.raises(ValueError, match="too many to list"):
        perft(boardrules.new("stratego-duel"), 1)
    hunt = boardrules.new("fall-of-the-fuhrer")
    assert perft(hunt, 2) == sum(divide(hunt, 2).values())


def test_counts_of_recorded_positions(games_dir: Path) -> None:
    counted = 0
    free = {"shuttle": "off", "chase": "off"}
    for entry in json.loads((games_dir / "perft.json").read_text())["positions"]:
        if "red_setup" not in entry or "after_moves" in entry:
            continue
        game = {key: entry[key] for key in ("variant", "red_setup", "blue_setup")}
        state = final_state(neutral_notation.record_from_neutral({**game, "moves": []}, free))
        text = boardrules.package(state.game_id).write_position(state)
        again = boardrules.package(state.game_id).read_position(text, free)
        for depth, lines in enumerate(entry["perft"][:2], 1):
            assert perft(again, depth) == lines
            counted += 1
    assert counted > 4
