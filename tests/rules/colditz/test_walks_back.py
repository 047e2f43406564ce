"""Walks that are put straight back (G22): they don't count, and nothing else can be taken back."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

import boardrules
from boardrules.core import CHANCE, Action, IllegalAction, NeedsHistory, State
from boardrules.history import GameHistory
from rules.colditz.scene import after, scene
from rules.ids import rule


def back(state: State, seat: str) -> Action:
    return state.parse("walk-back", seat)


def last_walk(state: State) -> str:
    """Whose last walk may be put back, or nobody's."""
    return next((seat for seat in state.seats if state.refusal(back(state, seat)) is None), "")


@rule("G22")
def test_a_walk_that_only_cost_points_is_put_back_with_them() -> None:
    before: Any = scene(american="c1", security="n4", points=5)
    fold = GameHistory(before)
    fold.push_text("american", "c1-c4")
    events = fold.push_text("american", "walk-back")
    assert [(event.kind, dict(event.data)) for event in events] == [
        ("take-back", {"seat": "american", "from": "c4", "to": "c1"})
    ]
    assert all(event.audience is None for event in events)
    assert (fold.state, fold.turn_count) == (before, 0)
    assert last_walk(fold.state) == ""
    with pytest.raises(IllegalAction):
        fold.push_text("american", "walk-back")


@rule("G22")
@pytest.mark.parametrize(
    ("state", "text"),
    [
        (scene(american="c32", gear={"american": "key"}), "c32-backdoor"),  # a Key is spent
        (scene(american="c1", security="c2"), "c1-c2"),  # an arrest
        (scene(american="w1", options={"start_kits": True}), "end"),
    ],
)
def test_what_takes_or_shows_more_is_not_put_back(state: State, text: str) -> None:
    (seat,) = state.seats_to_act()
    assert last_walk(after(state, f"{seat} {text}")) == ""


@rule("G22")
def test_nothing_may_have_come_in_between_and_only_its_own_seat_puts_it_back() -> None:
    walked = after(scene(american="c1 a9", british="c9", security="n4"), "american c1-c4")
    assert last_walk(walked) == "american"
    assert walked.refusal(back(walked, "british")).code == "colditz/not-now"  # type: ignore[union-attr]
    assert last_walk(after(walked, "british resign")) == ""
    assert last_walk(after(walked, "american end")) == ""
    other = after(walked, "american a9-a2")
    game = GameHistory(walked)
    game.push_text("american", "a9-a2")
    game.push_text("american", "walk-back")
    assert game.state == walked != other


@rule("G22")
@pytest.mark.few(1)
@pytest.mark.parametrize("options", [{"players": n} for n in (2, 3, 6)] + [{"doubling_back": "forbidden"}])
def test_in_random_games_a_walk_put_back_leaves_the_state_before_it(options: dict[str, Any]) -> None:
    """It is never listed; nothing came with the walk: no chance, no card, no question, no other seat."""
    rng = random.Random(str(options))
    fold, done = GameHistory(boardrules.new("escape-from-colditz", options)), 0
    for _ in range(600):
        state = fold.state
        if state.outcome is not None:
            break
        (seat,) = state.seats_to_act()[:1]
        faces = state.chance()
        action = faces[0][0] if faces else rng.choice(list(state.legal_actions(seat)))
        events = fold.push(action)
        whose = last_walk(fold.state)
        if not whose:
            continue
        word = back(fold.state, whose)
        assert whose == seat != CHANCE
        assert {event.kind for event in events} == {"move"}
        assert fold.state.seats_to_act() == state.seats_to_act() == (seat,)
        assert word not in fold.state.legal_actions(seat)
        assert word not in fold.state.table_actions(seat)
        assert pickle.loads(pickle.dumps(fold.state)).refusal(word) is None
        with pytest.raises(NeedsHistory):
            fold.state.apply(word)
        turns = fold.turn_count
        fold.push(word)
        done += 1
        assert (fold.state, fold.turn_count) == (state, turns - 1)
        fold.pop()  # and the walk stands again
        assert fold.turn_count == turns
    assert done > 20


@rule("G22")
def test_a_record_replays_it() -> None:
    game = boardrules.Game("escape-from-colditz", rng=random.Random(3), players=2)
    while not last_walk(game.state):
        (seat,) = game.state.seats_to_act()[:1]
        game.push(next(iter(game.state.legal_actions(seat))))
    walked, seat = game.state, last_walk(game.state)
    game.push("walk-back", seat)
    text = game.record()
    assert "walk-back" in text
    assert boardrules.Game.read(text).state == game.state != walked
