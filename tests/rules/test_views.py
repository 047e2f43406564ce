"""What views, events and hints show (Q16, Q24, G7, G8, `reveal_after_battle`, `announce`)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boardrules.core import LayoutPiece, Step, visible
from boardrules.stratego import public_steps
from rules.armies import at, events, facts, line
from rules.ids import rule

PIECES = ("9 a3, 2 b1, 2 c1, F h1", "3 a4, S b8, 10 c8, F h8")


def rank(state: Any, seat: str | None, square: str) -> str:
    return str(state.view(seat).json()["board"][square]["rank"])


@rule("Q16", "reveal_after_battle")
def test_hidden_again_a_view_lists_the_battle_but_no_rank_on_the_square() -> None:
    state = line(at(*PIECES), "a3-a4")
    assert rank(state, "blue", "a4") == "?"
    assert rank(state, None, "a4") == "?"
    assert rank(state, "red", "a4") == "9"
    for seat in ("red", "blue", None):
        assert state.view(seat).json()["battles"] == [
            {"from": "a3", "to": "a4", "attacker": "9", "defender": "3", "result": "attacker"}
        ]
        assert state.view(seat).json()["captured"] == {"red": [], "blue": ["3"]}


@rule("Q16", "reveal_after_battle")
def test_staying_open_a_view_shows_the_rank_on_the_square() -> None:
    state = line(at(*PIECES, reveal_after_battle="stay_open"), "a3-a4")
    assert rank(state, "blue", "a4") == rank(state, None, "a4") == "9"
    assert rank(line(state, "b8-b7 a4-a5"), "blue", "a5") == "9"


@rule("Q16")
@pytest.mark.parametrize("reveal", ["hide_again", "stay_open"])
def test_a_silent_table_tells_the_outcome_alone(reveal: str) -> None:
    state = at(*PIECES, announce="silent", reveal_after_battle=reveal)
    assert events(state, "a3-a4") == [{"kind": "battle", "from": "a3", "to": "a4", "result": "attacker"}]
    after = line(state, "a3-a4")
    red, blue, nobody = (after.view(seat).json() for seat in ("red", "blue", None))
    assert (red["battles"][0]["attacker"], red["battles"][0]["defender"]) == ("9", "?")
    assert (blue["battles"][0]["attacker"], blue["battles"][0]["defender"]) == ("?", "3")
    assert (nobody["battles"][0]["attacker"], nobody["battles"][0]["defender"]) == ("?", "?")
    assert (red["captured"]["blue"], blue["captured"]["blue"]) == (["?"], ["3"])
    assert rank(after, "blue", "a4") == "?"


@rule("Q24")
def test_a_scout_that_went_far_is_shown_from_then_on() -> None:
    state = line(at(*PIECES), "b1-b5 b8-b7 b5-b4 b7-b8")
    assert rank(state, "blue", "b4") == rank(state, None, "b4") == "2"


@rule("G8")
def test_a_view_draws_no_conclusions() -> None:
    # Both of Red's Scouts are known and its Flag and General are what is left: a view still shows `?`.
    state = line(at(*PIECES), "b1-b5 b8-b7 c1-c3 b7-b8")
    assert rank(state, "blue", "a3") == "?"


def piece(state: Any, square: str) -> int:
    return facts(state).piece_on(facts(state).rules.board.squares[square])


@rule("G8", "Q24", "reveal_after_battle")
def test_knowledge_of_a_piece() -> None:
    state = at(*PIECES)
    known = facts(state)
    assert public_steps.may_move(known, piece(state, "h1"))  # nobody knows that it is the Flag
    assert public_steps.may_be_scout(known, piece(state, "a3"))
    assert not public_steps.may_be_scout(known, piece(state, "a4"))  # Blue has no Scout here
    one = line(state, "b1-b5 b8-b7")
    assert public_steps.may_be_scout(facts(one), piece(one, "b5"))
    assert public_steps.may_be_scout(facts(one), piece(one, "a3"))
    both = line(one, "c1-c3 b7-b8")
    assert not public_steps.may_be_scout(facts(both), piece(both, "a3"))
    bombed = line(at("3 a3, F h1, 9 g1", "B a4, B b5, 9 c6, F h8"), "a3-b3 c6-c7 b3-b4 c7-c6")
    told = line(at("9 a3, F h1, 9 g1", "B a4, 9 c6, F h8"), "a3-a4 c6-c7")
    assert public_steps.may_move(facts(bombed), piece(bombed, "a4"))
    assert not public_steps.may_move(facts(told), piece(told, "a4"))


@rule("G7", "G8", "Q12")
def test_steps_follow_public_knowledge() -> None:
    state = at("B a1, F b1, 3 h3", "3 a8, F h8")
    assert {step.origin for step in state.steps()} == {"a1", "b1", "h3"}
    assert Step("h3", "h4", False) in state.steps()
    assert Step("h3", "h5", False) not in state.steps()  # Red has no Scout at all
    scouts = at("B a1, F b1, 2 h3", "3 h6, F h8")
    assert Step("a1", "a8", False) in scouts.steps()
    assert Step("h3", "h6", True) in scouts.steps()
    shuttled = line(at("3 a3, F h1", "3 h6, F a8"), "a3-a4 h6-h5 a4-a3 h5-h6 a3-a4 h6-h5")
    assert Step("a4", "a3", False) not in shuttled.steps()


def test_every_legal_move_is_among_the_steps() -> None:
    state = at("2 a3, 3 c3, B d3, F h1, 10 e3", "2 a6, 3 c6, B d6, F h8, 10 e6")
    for text in ("a3-a5", "a6-b6", "e3-d3"):
        steps = {f"{step.origin}-{step.target}" for step in state.steps()}
        assert {str(move) for move in state.legal_actions(state.seats_to_act()[0])} <= steps
        if text in {str(move) for move in state.legal_actions(state.seats_to_act()[0])}:
            state = line(state, text)


def test_the_layout_names_pieces_by_seat_and_first_square() -> None:
    state = line(at(*PIECES), "a3-a4 b8-b7 a4-a5")
    assert state.layout()["a5"] == (LayoutPiece("red", "a3"),)
    assert list(state.layout()) == sorted(state.layout(), key=lambda space: (int(space[1:]), space[0]))
    assert state.unchecked_spaces() == frozenset()


def test_views_hold_no_enemy_rank_anywhere() -> None:
    state = at("9 a3, 2 b1, 7 c1, F h1", "8 a6, S b8, 10 c8, F h8", game="stratego-classic")
    shown = json.dumps(state.view("red").json()["board"])
    assert not any(f'"rank": "{sign}"' in shown for sign in ("8", "S", "10"))
    blind = json.dumps(state.view(None).json()["board"])
    assert '"rank": "?"' in blind
    assert "9" not in blind


def test_the_truth_has_every_rank_and_what_was_told() -> None:
    state = line(at(*PIECES), "b1-b5")
    truth = state.truth()
    assert truth["board"]["c8"]["rank"] == "10"
    assert truth["told"] == {"b5": "2"}
    assert truth["options"]["announce"] == "ranks"


def test_events_are_for_everybody() -> None:
    state = at(*PIECES)
    _, told = state.apply(state.parse("a3-a4", "red"))
    assert visible(told, None) == visible(told, "blue") == told


def test_json_tells_phase_turn_and_last_move() -> None:
    state = line(at(*PIECES), "a3-a4")
    shown = state.view("red").json()
    assert (shown["phase"], shown["turn"], shown["last"]) == ("play", 2, "a3-a4")
    assert shown["board"]["a4"] == {"seat": "red", "rank": "9", "moved": True, "known": True}
    assert state.view("blue").json()["board"]["a4"] == {
        "seat": "red",
        "rank": "?",
        "moved": True,
        "known": False,
    }, "who has to remember it is not reminded"
    assert not line(at(*PIECES), "b1-b2").view("red").json()["board"]["b2"]["known"]
