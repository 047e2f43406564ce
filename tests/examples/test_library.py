"""The rules as a library play the example games as they play their own."""

from __future__ import annotations

import random

import pytest

from boardrules import Game, UnknownSeat
from boardrules.game import RefusedAction


@pytest.mark.usefixtures("games")
@pytest.mark.parametrize(("game_id", "first"), [("chess", "e2-e4"), ("breakthrough", "a2-a3")])
class TestExamples:
    def test_is_played_popped_and_read_back(self, game_id: str, first: str) -> None:
        game, rng = Game(game_id), random.Random(3)
        begun = game.state
        assert first in game.legal()
        game.push(first)
        for _ in range(60):
            if not game.over:
                game.push(rng.choice(game.legal()))
        again = Game.read(game.record())
        assert (again.state, again.events) == (game.state, game.events)
        while game.actions:
            game.pop()
        assert game.state == begun

    def test_refuses_with_the_games_own_sentences(self, game_id: str, first: str) -> None:
        game = Game(game_id)
        with pytest.raises(RefusedAction) as caught:
            game.push("a2-a6")
        assert caught.value.sentence == game.why("a2-a6")
        assert caught.value.sentence.endswith(".")
        with pytest.raises(UnknownSeat, match="'green' is no seat here; try one of white, black"):
            game.board("green")
        assert game_id in str(game)
