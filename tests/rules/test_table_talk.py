"""Offers, answers and take-backs (Q27, E5)."""

from __future__ import annotations

import pytest

from boardrules.core import IllegalAction
from boardrules.history import GameHistory
from rules.armies import at, code, line
from rules.ids import rule

PIECES = ("9 a3, 2 b1, F h1", "3 h6, 3 b4, F h8")


def said(state: object, seat: str) -> list[str]:
    return [str(say) for say in state.table_actions(seat)]  # type: ignore[attr-defined]


@rule("Q27")
def test_what_each_seat_may_say() -> None:
    state = line(at(*PIECES), "a3-a4")
    assert said(state, "red") == ["resign", "offer-draw", "ask-take-back"]
    assert said(state, "blue") == ["resign", "offer-draw"]
    assert said(state, "clock") == ["time red", "time blue"]


@rule("Q27")
def test_an_offer_is_answered_by_the_other() -> None:
    state = at(*PIECES)
    offered, told = state.apply(state.parse("offer-draw", "red"))
    assert [event.json() for event in told] == [{"kind": "offer", "seat": "red", "thing": "draw"}]
    assert said(offered, "blue") == ["resign", "agree-draw", "decline-draw"]
    assert said(offered, "red") == ["resign"]
    assert offered.view(None).json()["offer"] == {"seat": "red", "thing": "draw"}
    assert code(offered, "agree-draw", "red") == "stratego/own-offer"  # type: ignore[arg-type]
    assert code(offered, "offer-draw", "blue") == "stratego/offer-open"  # type: ignore[arg-type]
    assert code(state, "agree-draw", "blue") == "stratego/no-offer"
    declined, _ = offered.apply(offered.parse("decline-draw", "blue"))
    assert declined == state


@rule("Q27")
@pytest.mark.parametrize("turn", ["a3-a4", "b1-b4"])
def test_a_draw_offered_before_ones_own_turn_stays_open_through_it(turn: str) -> None:
    state = at(*PIECES)
    offered, _ = state.apply(state.parse("offer-draw", "red"))
    moved = line(offered, turn)  # type: ignore[arg-type]
    assert moved.view(None).json()["offer"] == {"seat": "red", "thing": "draw"}
    assert {"agree-draw", "decline-draw"} <= set(said(moved, "blue"))
    assert code(moved, "agree-draw", "red") == "stratego/own-offer"
    agreed, _ = moved.apply(moved.parse("agree-draw", "blue"))
    assert agreed.outcome is not None
    assert agreed.outcome.reason == "agreed"


@rule("Q27")
def test_the_other_sides_own_turn_ends_an_offer() -> None:
    state = at(*PIECES)
    offered, _ = state.apply(state.parse("offer-draw", "red"))
    assert said(line(offered, "a3-a4 h6-h5"), "blue") == ["resign", "offer-draw", "ask-take-back"]
    early, _ = state.apply(state.parse("offer-draw", "blue"))
    assert line(early, "a3-a4").view(None).json()["offer"] is None  # type: ignore[arg-type]
    assert line(early, "b1-b4").view(None).json()["offer"] is None  # type: ignore[arg-type]


@rule("Q27")
@pytest.mark.parametrize("word", ["red offer-draw", "red ask-take-back", "blue offer-draw"])
def test_an_offer_that_stood_through_a_turn_gives_way_to_another(word: str) -> None:
    """So a take-back isn't blocked by a draw that nobody answers, and older games fold as they did."""
    state = at(*PIECES)
    moved = line(state.apply(state.parse("offer-draw", "red"))[0], "a3-a4")  # type: ignore[arg-type]
    seat, words = word.split()
    after, _ = moved.apply(moved.parse(words, seat))
    thing = words.partition("-")[2]
    assert after.view(None).json()["offer"] == {"seat": seat, "thing": thing}


@rule("Q27")
def test_an_end_leaves_no_offer_open() -> None:
    state = at("9 a3, 2 b1, F h1", "F a4, 3 h6, 3 h8")
    offered, _ = state.apply(state.parse("offer-draw", "red"))
    over = line(offered, "a3-a4")  # type: ignore[arg-type]
    assert over.outcome is not None
    assert over.view(None).json()["offer"] is None


@rule("Q27")
def test_an_agreed_take_back_undoes_the_last_turn_of_who_asked() -> None:
    game = GameHistory(at(*PIECES))
    for seat, text in (("red", "a3-a4"), ("blue", "h6-h5"), ("blue", "ask-take-back")):
        game.push_text(seat, text)
    before = at(*PIECES)
    told = game.push_text("red", "agree-take-back")
    assert [event.json() for event in told] == [{"kind": "take-back", "seat": "blue"}]
    assert game.state == line(before, "a3-a4")
    assert game.turn_count == 1


@rule("Q27")
def test_a_declined_take_back_changes_nothing() -> None:
    state = line(at(*PIECES), "a3-a4")
    game = GameHistory(state)
    for seat, text in (("red", "ask-take-back"), ("blue", "decline-take-back")):
        game.push(state.parse(text, seat))
    assert game.state == state


@rule("Q16", "Q24", "Q27")
def test_a_turn_that_told_something_is_not_taken_back() -> None:
    assert code(line(at(*PIECES), "a3-a4 b4-a4"), "ask-take-back", "blue") == "stratego/told"
    assert code(line(at(*PIECES), "b1-b3"), "ask-take-back", "red") == "stratego/told"
    assert code(line(at(*PIECES), "b1-b2"), "ask-take-back", "red") is None
    silent = line(at(*PIECES, announce="silent"), "a3-a4 b4-a4")
    assert code(silent, "ask-take-back", "blue") == "stratego/told"


@rule("Q27")
def test_only_the_seat_that_moved_last_asks() -> None:
    state = line(at(*PIECES), "a3-a4")
    assert code(state, "ask-take-back", "blue") == "stratego/nothing-to-take-back"
    assert code(at(*PIECES), "ask-take-back", "red") == "stratego/nothing-to-take-back"


def test_a_refused_action_leaves_the_fold_as_it_was() -> None:
    game = GameHistory(at(*PIECES))
    with pytest.raises(IllegalAction):
        game.push_text("red", "agree-draw")
    assert game.state == at(*PIECES)
    assert game.turn_count == 0
