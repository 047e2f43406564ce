"""Every game, and the toy that only tests have, keeps the contract along random games."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

import boardrules
from boardrules.core import Action, OptionError, State
from boardrules.package import GamePackage
from boardrules.stratego.actions import StrategoSetup, TableAction
from boardrules.stratego.board import board_by_name
from boardrules.stratego.games import Stratego
from boardrules.stratego.play import StrategoState
from rules import contract, toy
from rules.armies import STRATEGO
from rules.fuhrer.positions import attempts as fuhrer_attempts
from rules.ids import rule

Attempts = Callable[[State, random.Random], Iterator[Action]]


def stratego_attempts(state: State, rng: random.Random) -> Iterator[Action]:
    """Moves between any squares by either seat, set-ups right and wrong, sayings that may not be said."""
    game = boardrules.package(state.game_id)
    assert isinstance(game, Stratego)
    everywhere = board_by_name(game.board_name).names
    spaces = [space for space, _ in state.layout().items()] or [everywhere[0], everywhere[-1]]
    for _ in range(25):
        yield state.hand_action(rng.choice(state.seats), rng.choice(spaces), rng.choice(everywhere))
    for _ in range(10):  # along a file or a rank, where most is nearly legal
        space = rng.choice(spaces)
        target = rng.choice(
            [other for other in everywhere if (other[0] == space[0]) != (other[1] == space[1:])]
        )
        yield state.hand_action(rng.choice(state.seats), space, target)
    yield StrategoSetup("red", [("a1", "F")])
    yield StrategoSetup("blue", [("a8", "F"), ("a8", "F")])
    for words in ("resign", "agree-draw", "decline-take-back", "ask-take-back", "time red"):
        yield TableAction(rng.choice(("red", "blue", "clock")), words)
    yield toy.Word("north", "rest")


def toy_attempts(state: State, rng: random.Random) -> Iterator[Action]:
    for seat, words in toy.WORDS.items():
        yield from (toy.Word(seat, text) for text in words)
    yield toy.Word("north", "walk d")
    yield TableAction("red", "resign")


GAMES: dict[str, tuple[GamePackage, Attempts]] = {
    **{game_id: (boardrules.games()[game_id], stratego_attempts) for game_id in STRATEGO},
    "fall-of-the-fuhrer": (boardrules.games()["fall-of-the-fuhrer"], fuhrer_attempts),
    "toy": (toy.Toy(), toy_attempts),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("game_id", GAMES)
def test_states_of_random_games_keep_the_contract(game_id: str) -> None:
    game, attempts = GAMES[game_id]
    rng = random.Random(game_id)
    for count, state in enumerate(contract.walk(game.new({}), rng, 160)):
        if count % 16 < 2 or state.outcome is not None:
            contract.check_state(state, attempts(state, rng))
        if count % 40 == 0:
            contract.check_bad_text(state)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_finished_game_keeps_the_contract(game_id: str) -> None:
    game, attempts = GAMES[game_id]
    rng = random.Random(game_id)
    *_, last = contract.walk(game.new({}), rng, 8000)
    assert last.outcome is not None
    contract.check_state(last, attempts(last, rng))


@rule("Q01", "players")
@pytest.mark.parametrize("game_id", GAMES)
def test_every_game_takes_the_number_of_players(game_id: str) -> None:
    game, _ = GAMES[game_id]
    assert game.new({"players": 2}) == game.new({})
    assert game.id == game_id
    with pytest.raises(OptionError, match="players is 5; try"):
        game.new({"players": 5})


def test_equal_options_make_equal_states_and_others_do_not() -> None:
    for game_id in STRATEGO:
        assert boardrules.new(game_id, {"shuttle": 6}) == boardrules.new(game_id, {"shuttle": 6})
        assert boardrules.new(game_id, {"shuttle": 6}) != boardrules.new(game_id, {})
    assert boardrules.new("stratego-duel") != boardrules.new("stratego-quick-duel")


def test_unknown_games_name_those_there_are() -> None:
    with pytest.raises(
        boardrules.UnknownGame, match="unknown game 'chess'; try one of escape-from-colditz, "
    ):
        boardrules.new("chess", {})


@pytest.mark.parametrize("game_id", GAMES)
def test_reprs_of_states_and_secrets_tell_no_rank(game_id: str) -> None:
    game, _ = GAMES[game_id]
    for state in contract.walk(game.new({}), random.Random(1), 6):
        shown = repr(state) + "".join(repr(state.view(seat)) for seat in (*state.seats, None))
        assert "=" not in shown.replace("Position(", "").replace("phase=", "") or game_id == "toy"
        assert "card" not in shown
        if isinstance(state, StrategoState):
            assert repr(state.hidden_ranks) == "<hidden ranks>"


@pytest.mark.few(1)
@pytest.mark.parametrize("game", ["stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz"])
def test_what_is_accepted_is_listed(game: str) -> None:
    tried = 0
    for seed in range(4):
        rng, known = random.Random(seed), {}
        for state in contract.walk(boardrules.new(game, {}), rng, 200):
            if not state.unchecked_spaces():  # a set-up: there are too many to list
                tried += contract.check_listed(state, known)
    assert tried > 10_000
