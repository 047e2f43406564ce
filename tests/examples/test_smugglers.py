"""Smugglers: an outside game with a hidden set-up by hand, and pieces that leave the board."""

from __future__ import annotations

import json
import random

import pytest

import boardrules
from boardlab import contract
from boardrules.core import Seat, Space, State
from boardrules.players import SearchBudget
from boardumpire.messages import announce, disclosure
from boardumpire.messages.languages import catalogues_by_game
from boardumpire.web.feed import translate_frame

pytestmark = pytest.mark.usefixtures("games")
GAME = "smugglers"
SETUPS = "setup a1=G b1=S c1=S d1=S e1=G", "setup a5=S b5=G c5=S d5=G e5=S"


def after(*texts: str) -> State:
    """The state after both have set up, and these actions in turn."""
    state = boardrules.new(GAME)
    for seat, text in zip(state.seats, SETUPS, strict=True):
        state, _ = state.apply(state.parse(text, seat))
    for text in texts:
        state, _ = state.apply(state.parse(text, state.seats_to_act()[0]))
    return state


def test_it_keeps_the_contract_and_tells_no_cargo() -> None:
    report = contract.check(GAME, games=4)
    assert report.findings == ()
    assert report.finished_games == 4


def test_nobody_else_sees_what_a_smuggler_carries() -> None:
    state = after("a1-a2")
    for seat in (Seat("black"), None):
        seen = json.dumps(state.view(seat).json())
        assert '"a2": {"seat": "white", "rank": "?"}' in seen
    assert state.view(Seat("white")).json()["board"]["a2"]["rank"] == "G"


def test_gold_off_the_board_wins_and_sand_does_not() -> None:
    way = ("a1-a2", "e5-e4", "a2-a3", "e4-e3", "a3-a4", "e3-e2", "a4-b5", "d5-d4")
    state = after(*way)
    assert state.hand_action(Seat("white"), Space("b5"), Space("off")) in state.legal_actions(Seat("white"))
    won, events = state.apply(state.parse("b5-off", Seat("white")))
    assert won.outcome == ("white", "gold")
    assert "Gold" in announce.to_sentence(announce.event_message(events[0], GAME), catalogues_by_game("de"))
    with_sand = after("b1-b2", "e5-e4", "b2-b3", "e4-e3", "b3-b4", "e3-e2", "b4-a5", "d5-d4", "a5-off")
    assert with_sand.outcome is None


def test_a_strong_player_beats_a_random_one() -> None:
    players = boardrules.package(GAME).players()
    level = players.levels[-1]
    wins = 0
    for seed in range(20):
        rng = random.Random(seed)
        state, mine = boardrules.new(GAME), ("white", "black")[seed % 2]
        player = players.make_player(Seat(mine), level)
        while state.outcome is None:
            seat = state.seats_to_act()[0]
            legal = list(state.legal_actions(seat))
            action = (
                player.choose(state.view(seat), legal, rng, SearchBudget(1))
                if seat == mine
                else rng.choice(legal)
            )
            state, _ = state.apply(action)
        wins += state.outcome.winner == mine
    assert wins >= 15


@pytest.mark.parametrize(
    ("language", "label"),
    [
        ("en", "Leave the board with the smuggler on b5"),
        ("de", "Mit dem Schmuggler auf b5 das Brett verlassen"),
    ],
)
def test_the_button_of_an_exit_is_a_sentence(language: str, label: str) -> None:
    state = after("a1-a2", "e5-e4", "a2-a3", "e4-e3", "a3-a4", "e3-e2", "a4-b5", "d5-d4")
    may = translate_frame({"may": disclosure.choices_of(state, Seat("white"))}, language)["may"]
    assert may["labels"] == {"b5-off": label}
    assert "b5-off" in may["acts"]
