"""Castles that a seat can't tell from the real one: played on, and with every card that may be there."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from boardrules import Game
from boardrules.core import State
from rules import contract


def cards(truth: dict[str, Any]) -> Counter[str]:
    """All cards of a position, wherever they are."""
    found = Counter(card for hand in truth["hands"].values() for card in hand)
    for deck in truth["deck_cards"]:
        found.update(deck["shuffled"])
        found.update(deck["under"])
    return found


def plays_on(state: State, rng: random.Random) -> None:
    """A drawn state is one of the game: it can be played."""
    for _ in range(8):
        if state.outcome is not None:
            return
        seat = state.seats_to_act()[0]
        state, _ = state.apply(rng.choice(list(state.legal_actions(seat))))


@pytest.mark.parametrize("players", [2, *(pytest.param(count, marks=pytest.mark.slow) for count in (4, 6))])
def test_a_view_is_completed_by_castles_like_the_real_one(players: int) -> None:
    rng = random.Random(players)
    game = Game("escape-from-colditz", players=players, rng=rng)
    differing, asked = 0, set()
    while not game.over and len(game.actions) < 900:
        task = game.view(None).json()["open"] or {}
        kind = task.get("what"), task.get("to")
        if kind not in asked or rng.random() < 0.05:
            asked.add(kind)
            truth = game.state.truth()
            for seat in game.seats:
                drawn = game.resample(seat, rng)
                contract.same_to(game.state, drawn, seat)
                told = drawn.truth()
                assert cards(told) == cards(truth)
                for key in truth.keys() - {"hands", "equipment", "deck_cards", "offer"}:
                    assert told[key] == truth[key]
                differing += drawn != game.state
                plays_on(drawn, rng)
        game.push(rng.choice(list(game.legal())))
    assert differing > 20
    assert ("answer", "card") in asked
    assert players == 2 or ("trade", None) in asked


def test_each_card_that_may_be_in_a_hand_is_drawn_and_no_other() -> None:
    rng = random.Random(5)
    game = Game("escape-from-colditz", players=3, rng=rng)
    while not game.state.truth()["hands"][game.seats[2]]:
        game.push(rng.choice(list(game.legal())))
    truth = game.state.truth()
    seat = game.seats[1]
    drawn = {
        card
        for number in range(500)
        for card in game.resample(seat, random.Random(number)).truth()["hands"][game.seats[2]]
    }
    unseen = cards(truth) - Counter(truth["hands"][seat])
    security = set(truth["deck_cards"][1]["shuffled"]) | set(truth["hands"]["security"])
    assert drawn == {card for card in unseen if card not in security}


def test_nobodys_view_and_a_game_that_is_over_are_refused() -> None:
    game = Game("escape-from-colditz", players=3, rng=random.Random(1))
    with pytest.raises(ValueError, match="expected the view of a seat whose game goes on"):
        game.package.resample(game.view(None), random.Random(1))
    with pytest.raises(ValueError, match="escape-from-colditz can't count what a view leaves open"):
        game.count_consistent(game.seats[0])
