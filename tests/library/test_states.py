"""What a state refuses from whoever uses the rules as a library, and how it shows itself."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

import boardrules
from boardrules.core import CHANCE, CLOCK, IllegalAction, NeedsHistory, State, UnknownSeat
from boardrules.history import GameHistory
from boardrules.stratego.text_board import board_text
from rules import contract

GAMES = ("stratego-quick-duel", "stratego-classic", "fall-of-the-fuhrer", "escape-from-colditz")


def along(game: str, actions: int = 120) -> list[State]:
    return list(contract.walk(boardrules.new(game), random.Random(game), actions))


@pytest.mark.parametrize("game", GAMES)
class TestEveryGame:
    def test_a_seat_that_is_not_there_is_named_with_those_that_are(self, game: str) -> None:
        for state in along(game)[::20]:
            for asks in (state.legal_actions, state.table_actions, state.view):
                with pytest.raises(UnknownSeat, match=f"'green' is no seat here; try .*{state.seats[1]}"):
                    asks("green")
            with pytest.raises(UnknownSeat, match="'green' is no seat here; try one of "):
                state.parse("resign", "green")
            for seat in (CHANCE, CLOCK):
                with pytest.raises(UnknownSeat):
                    state.view(seat)

    def test_an_unknown_seat_survives_the_way_to_another_process(self, game: str) -> None:
        state = boardrules.new(game)
        with pytest.raises(UnknownSeat) as caught:
            state.view("green")
        again = pickle.loads(pickle.dumps(caught.value))
        assert (str(again), again.seats) == (str(caught.value), state.seats)

    def test_a_text_is_no_action_and_is_not_repeated(self, game: str) -> None:
        for state in along(game)[::20]:
            for asks in (state.apply, state.refusal, GameHistory(state).push):
                with pytest.raises(TypeError, match=r"[Aa]ction") as caught:
                    asks("setup a1=F")
                assert "a1=F" not in str(caught.value)

    def test_nothing_that_a_state_tells_can_be_assigned(self, game: str) -> None:
        for state in (*along(game)[:3], along(game)[-1]):
            told = [name for kind in type(state).__mro__ for name, value in vars(kind).items()
                    if isinstance(value, property)]  # fmt: skip
            assert {"outcome", "options", "seats"} <= set(told)
            for name in told:
                with pytest.raises(AttributeError):
                    setattr(state, name, None)
            with pytest.raises(AttributeError):
                state.turn = "red"  # type: ignore[attr-defined]

    def test_printing_shows_what_everybody_may_see_and_no_more(self, game: str) -> None:
        for state in along(game)[::10]:
            assert str(state) == state.view(None).text()
            assert str(state).startswith(f"{game}: ")
            assert all(len(line) <= 130 for line in str(state).splitlines())
            assert repr(state).startswith(f"<{game}: ")

    def test_a_board_is_drawn_from_what_its_seat_may_know(self, game: str) -> None:
        """Equal views have equal drawings, and a drawing has no other source."""
        for state in along(game)[::10]:
            for seat in (None, *state.seats):
                again = pickle.loads(pickle.dumps(state)).view(seat)
                assert again.text() == state.view(seat).text()


def test_no_rank_of_the_other_side_is_drawn() -> None:
    """Every sign of a rank on a seat's board is of its own piece, or of one that its JSON shows."""
    for state in along("stratego-quick-duel", 60):
        for seat, letter in (("red", "b"), ("blue", "r")):
            shown = state.view(seat)
            ranks = {piece["rank"] for piece in shown.json()["board"].values() if piece["seat"][0] == letter}
            rows = shown.text().partition("captured")[0].splitlines()[3:]
            words = {word for row in rows for word in row.split() if len(word) > 1 and word[0] == letter}
            assert words == {f"{letter}{rank}" for rank in ranks}


def test_a_drawn_board_of_the_duel() -> None:
    state = boardrules.new("stratego-quick-duel")
    for text, seat in (
        ("setup a1=F b1=B c1=B d1=2 e1=2 f1=3 g1=3 h1=S a2=9 b3=10", "red"),
        ("setup a8=F b8=B c8=B d8=2 e8=2 f8=3 g8=3 h8=S a7=9 b6=10", "blue"),
        ("b3-b4", "red"),
    ):
        state, _ = state.apply(state.parse(text, seat))
    assert (
        state.view("red").text()
        == """\
stratego-quick-duel: turn 2, blue to move

    a   b   c   d   e   f   g   h
 8  b?  b?  b?  b?  b?  b?  b?  b?  8
 7  b?  .   .   .   .   .   .   .   7
 6  .   b?  .   .   .   .   .   .   6
 5  .   .   ~   .   .   ~   .   .   5
 4  .   r10 ~   .   .   ~   .   .   4
 3  .   .   .   .   .   .   .   .   3
 2  r9  .   .   .   .   .   .   .   2
 1  rF  rB  rB  r2  r2  r3  r3  rS  1
    a   b   c   d   e   f   g   h"""
    )
    assert "r10" not in str(state)
    assert board_text(state.view(None).json(), state.facts.rules.board) == str(state)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("game", "asker", "answerer", "word"),
    [
        ("stratego-quick-duel", "red", "blue", "agree-take-back"),
        ("fall-of-the-fuhrer", "allies", "hitler", "agree-take-back"),
    ],
)
def test_a_state_tells_who_can_take_a_turn_back(game: str, asker: str, answerer: str, word: str) -> None:
    tried = 0
    for state in along(game, 40):
        words = {str(action): action for action in state.table_actions(asker)}
        if "ask-take-back" not in words:
            continue
        asked, _ = state.apply(words["ask-take-back"])
        with pytest.raises(NeedsHistory, match=f"the last turn of {asker}.*push this action to") as caught:
            asked.apply(asked.parse(word, answerer))
        assert [event.kind for event in caught.value.events] == ["take-back"]
        tried += 1
    assert tried


@pytest.mark.parametrize("game", GAMES)
def test_what_was_pushed_is_popped_back_to_the_very_start(game: str) -> None:
    rng = random.Random(3)
    fold = GameHistory(boardrules.new(game))
    before: list[Any] = []
    for _ in range(120):
        if fold.state.outcome is not None:
            break
        before.append((fold.state, fold.turn_count))
        said = [(seat, action) for seat in fold.state.seats for action in fold.state.table_actions(seat)]
        talk = [action for _, action in said if "take-back" in str(action) or "draw" in str(action)]
        fold.push(rng.choice(talk) if talk and rng.random() < 0.4 else contract.choose(fold.state, rng))
    twin = fold.copy()
    for state, turns in reversed(before):
        fold.pop()
        assert (fold.state, fold.turn_count) == (state, turns)
    with pytest.raises(IndexError, match="nothing was pushed"):
        fold.pop()
    assert twin.state != fold.state, "a copy goes on by itself"


def test_a_refusal_survives_the_way_to_another_process() -> None:
    state = boardrules.new("stratego-quick-duel")
    with pytest.raises(IllegalAction) as caught:
        state.apply(state.parse("a3-a4", "red"))
    assert pickle.loads(pickle.dumps(caught.value)).refusal == caught.value.refusal
