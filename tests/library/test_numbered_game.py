"""Games in numbers: the same for ever, exact, and with nothing in them that a seat may not know."""

from __future__ import annotations

import random
import zlib
from collections.abc import Mapping
from typing import Any

import pytest

from boardrules.core import Seat, UnknownSeat
from boardrules.numbered_game import NumberedGame

QUICK, CLASSIC, HUNT = "stratego-quick-duel", "stratego-classic", "fall-of-the-fuhrer"
GAMES: list[tuple[str, Mapping[str, Any]]] = [
    (QUICK, {}),
    ("stratego-barrage", {"announce": "silent"}),
    (CLASSIC, {"quiet_limit": 20}),
    (HUNT, {}),
    (HUNT, {"players": 3, "liberation": "full-round", "flight_tells": "origin", "flight": "turn"}),
    (HUNT, {"players": 4, "spy_questions": "both_first", "flight": "free", "flight_tells": "origin"}),
    (HUNT, {"liberation": "declared", "recapture": "round_end", "trapped": "entered"}),
]


def possible(game: NumberedGame) -> list[int]:
    return [number for number, _ in game.chances()] or game.legal()


@pytest.mark.parametrize(("game_id", "options"), GAMES)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_game_is_played_by_numbers(game_id: str, options: Mapping[str, Any], seed: int) -> None:
    dice = random.Random(seed)
    game = NumberedGame(game_id, longest=400, **options)
    while not game.over:
        numbers = possible(game)
        assert numbers == sorted(set(numbers))
        if seat := next((each for each in game.seats if each == game.turn), None):
            assert len({game.text(number) for number in numbers}) == len(numbers)
            seen = game.observation(seat)
            assert len(seen) == game.observation_size
            assert 0.0 <= min(seen) <= max(seen) <= 1.0
        game.push(dice.choice(numbers))
    assert possible(game) == []
    assert game.cut_off == (game.state.outcome is None)
    assert sorted(set(map(abs, game.returns()))) in ([0.0], [1.0])
    won = game.state.winners()
    assert [seat for seat, worth in zip(game.seats, game.returns(), strict=True) if worth > 0] == list(won)
    for seat in game.seats:
        known = game.information(seat)
        assert len(known) == game.information_size
        assert 0.0 <= min(known) <= max(known) <= 1.0


def test_numbers_stay_what_they_are() -> None:
    """What a program has learnt from them is worthless once a number means something else."""
    found = []
    for game_id, options in GAMES[:1] + GAMES[3:4] + GAMES[5:6]:
        game = NumberedGame(game_id, **options)
        texts = "\n".join(map(game.text, range(game.action_count)))
        parts = " ".join(f"{name}={size}" for name, size in game.encoding.parts.items())
        found.append((game.action_count, zlib.crc32(texts.encode()), zlib.crc32(parts.encode())))
    assert found == [
        (772, 2701110211, 1828229177),
        (1109, 794475893, 827649114),
        (1748, 3907275550, 53355505),
    ]


def play_twins(first: NumberedGame, second: NumberedGame, dice: random.Random) -> int:
    """Play the same numbers in both as long as both allow one, and compare what every seat may know; how
    often a seat could tell them apart."""
    differing = 0
    while not (first.over or second.over):
        for seat in first.seats:
            same = first.information_text(seat) == second.information_text(seat)
            assert (first.information(seat) == second.information(seat)) == same
            if same and first.observation_text(seat) == second.observation_text(seat):
                assert first.observation(seat) == second.observation(seat)
                if first.turn == second.turn == seat:
                    assert first.legal() == second.legal()
            differing += not same
        common = sorted(set(possible(first)) & set(possible(second)))
        if first.turn != second.turn or not common:
            break
        number = dice.choice(common)
        first.push(number)
        second.push(number)
    return differing


@pytest.mark.parametrize("announce", ["ranks", "silent"])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_seat_can_tell_armies_apart_only_by_what_it_heard(announce: str, seed: int) -> None:
    dice = random.Random(seed)
    first = NumberedGame(QUICK, longest=70, announce=announce)
    while first.turn == "red":
        first.push(dice.choice(first.legal()))
    second = first.copy()
    blue = dice.sample(first.legal(), 10)
    other = dice.sample(blue, 10)
    for one, two in zip(blue, other, strict=True):
        assert first.information("red") == second.information("red"), "not even how far it is"
        first.push(one)
        second.push(two)
    assert blue != other
    assert first.information("red") == second.information("red")
    assert first.information("blue") != second.information("blue")
    assert play_twins(first, second, dice) > 10


@pytest.mark.parametrize("options", [{}, {"flight_tells": "origin", "flight": "free"}])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_allies_can_tell_hunts_apart_only_by_what_they_heard(options: dict[str, Any], seed: int) -> None:
    dice = random.Random(seed)
    first = NumberedGame(HUNT, longest=70, **options)
    while first.turn != "hitler":
        first.push(dice.choice(first.legal()))
    second = first.copy()
    here, there = dice.sample(first.legal(), 2)
    first.push(here)
    second.push(there)
    assert first.information("allies") == second.information("allies")
    assert first.text(here).split()[1] not in first.information_text(Seat("allies"))
    assert play_twins(first, second, dice) > 10


def test_what_is_not_allowed_changes_nothing() -> None:
    game = NumberedGame(HUNT)
    before = game.state
    for number in (game.action_count, -1, 0):
        with pytest.raises(ValueError, match=f"allies may not do {number}; expected one of legal"):
            game.push(number)
    assert game.state is before
    assert game.length == 0
    while game.turn != "chance":
        game.push(random.Random(1).choice(game.legal()))
    with pytest.raises(ValueError, match="chance can't do 7; expected one of 0, 1, 2"):
        game.push(7)
    with pytest.raises(IndexError, match=f"expected 0 to {game.action_count - 1}"):
        game.text(game.action_count)
    with pytest.raises(UnknownSeat):
        game.observation(Seat("green"))


def test_a_copy_goes_on_by_itself() -> None:
    game = NumberedGame(QUICK)
    game.push(game.legal()[3])
    other = game.copy()
    other.push(other.legal()[0])
    assert (game.length, other.length) == (1, 2)
    assert len(game.legal()) == len(other.legal()) + 1


def test_who_comes_to_the_longest_is_cut_off() -> None:
    game = NumberedGame(QUICK, longest=2)
    for _ in range(2):
        assert not game.over
        game.push(game.legal()[0])
    assert game.over
    assert game.cut_off
    assert (game.turn, game.legal(), game.returns()) == (None, [], [0.0, 0.0])
    with pytest.raises(ValueError, match="the game is over"):
        game.push(0)
    with pytest.raises(ValueError, match="longest is 0; expected 1 or more"):
        NumberedGame(QUICK, longest=0)


@pytest.mark.parametrize(
    ("game_id", "options", "said"),
    [
        ("escape-from-colditz", {"players": 3}, "escape-from-colditz is not written in numbers"),
        (HUNT, {"sheet": "paper"}, "expected the option sheet to be 'umpire'"),
    ],
)
def test_a_game_without_numbers_says_so(game_id: str, options: Mapping[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        NumberedGame(game_id, **options)
