"""The umpire: an action goes in with what hands did, a ruling comes out; and what everybody may know."""

from __future__ import annotations

import pytest

from boardrules.core import Space
from boardumpire.ruling import umpire
from boardumpire.ruling.umpire import Ruling
from rules.armies import at, line
from rules.colditz.scene import scene

STATE = at("3 a3, 9 h1, F h3", "2 a4, 10 h2, F a8")
"""Red's Miner stands before a Scout, his General before the Marshal."""


def ruled(text: str, *hands: Space) -> Ruling:
    return umpire.judge_action(STATE, STATE.parse(text, "red"), (hands[0], hands[1]) if hands else None)


def test_what_is_allowed_is_played() -> None:
    ruling = ruled("a3-b3", "a3", "b3")
    assert ruling.refusal is None
    assert [event.kind for event in ruling.events] == ["move"]
    assert (ruling.hand_move, ruling.winner_space) == (("a3", "b3"), None)
    assert ruling.state.layout()["b3"] == STATE.layout()["a3"]


def test_what_is_refused_leaves_the_state() -> None:
    ruling = ruled("a3-a5", "a3", "a5")
    assert ruling.refusal is not None
    assert (ruling.state, ruling.events, ruling.hand_move, ruling.winner_space) == (
        STATE,
        (),
        ("a3", "a5"),
        None,
    )
    assert ruled("a3-a5").hand_move == ()


def test_where_the_attacker_won_by_hand_another_piece_belongs() -> None:
    assert ruled("a3-a4", "a3", "a4").winner_space == "a4"
    assert ruled("a3-a4").winner_space is None, "no hands, so the attacker stands where it stood"
    assert ruled("a3-a4").hand_move == ()


def test_where_the_defender_won_his_piece_belongs() -> None:
    assert ruled("h1-h2", "h1", "h2").winner_space is None


def test_where_both_fell_nobody_belongs() -> None:
    even = at("3 a3, 9 h1, F h3", "3 a4, 10 h2, F a8")
    assert umpire.judge_action(even, even.parse("a3-a4", "red"), ("a3", "a4")).winner_space is None


def test_only_a_move_of_who_is_to_act_is_carried() -> None:
    assert umpire.carried_move(STATE, "red", "a3-a4") == ("a3", "a4")
    assert umpire.carried_move(STATE, "red", "resign") is None
    assert umpire.carried_move(STATE, "blue", "a4-a3") is None
    assert umpire.carried_move(STATE, "blue", "a3-a4") is None


def test_everybody_knows_whose_pieces_stand_where_and_who_is_to_move() -> None:
    known = umpire.public_position(STATE, frozenset())
    assert known.owners == dict.fromkeys(("a3", "h1", "h3"), "red") | dict.fromkeys(
        ("a4", "h2", "a8"), "blue"
    )
    assert known.seats_to_move == {"red"}
    assert known.steps["a3"] == {"a4": True, "b3": False, "a2": False}
    assert (
        known.hand_played_places
        == known.crowded_places
        == known.shared_places
        == known.places_awaiting_answer
        == frozenset()
    )
    assert not known.is_waiting_for_answer


def test_hints_lead_where_a_piece_of_any_rank_might_go() -> None:
    """What can't move is as secret as any rank."""
    assert umpire.public_position(STATE, frozenset()).steps["h3"] == {"h4": False, "h2": True, "g3": False}
    assert "a4" not in umpire.public_position(STATE, frozenset()).steps, "it is not his turn"


def test_what_is_played_by_hand_and_where_it_lies_is_passed_on() -> None:
    places = {"a3": (0.0, 0.0)}
    known = umpire.public_position(STATE, frozenset(), ("a1", "a3"), frozenset({"a2", "d1"}), places)
    assert (known.last_quiet_move, known.place_coordinates_mm) == (("a1", "a3"), places)
    assert known.hand_played_places == {"a2", "d1"}


def test_where_several_stand_in_a_space_only_its_slots_feel_them() -> None:
    state = scene(american="innercells innercells c33", british="innercells")
    known = umpire.public_position(state, frozenset(), slot_counts={"innercells": 2, "barracks": 16})
    assert [known.owners[where] for where in ("innercells", "innercells+1", "innercells+2")] == [
        "american", "american", "british",
    ]  # fmt: skip
    assert known.crowded_places == known.hand_played_places == {"innercells+2"}
    assert known.shared_places == {"innercells", "innercells+1", "innercells+2"}
    assert known.has_alike_pieces


def test_a_space_that_is_played_by_hand_is_so_with_all_its_places() -> None:
    state = scene(american="innercells innercells c33")
    rooms = {"innercells": 12, "barracks": 16}
    known = umpire.public_position(
        state, frozenset(), hand_played_spaces=frozenset({"innercells"}), slot_counts=rooms
    )
    assert known.hand_played_places == {"innercells", "innercells+1"}


def test_while_a_take_back_is_asked_for_the_table_waits() -> None:
    asked = line(STATE, "a3-b3")
    asked, _ = asked.apply(asked.parse("ask-take-back", "red"))
    assert umpire.seat_that_may_say(asked, "agree-take-back") == "blue"
    assert umpire.public_position(asked, frozenset()).is_waiting_for_answer
    assert umpire.seat_that_may_say(asked, "agree-draw") is None


def test_once_it_is_over_hands_may_do_as_they_like() -> None:
    over, _ = STATE.apply(STATE.parse("resign", "red"))
    known = umpire.public_position(over, frozenset({"a1", "b1"}), slot_counts={"b1": 2})
    assert known.unjudged_places == {"a1", "b1", "b1+1"}
    assert (known.owners, known.seats_to_move, known.steps) == ({}, frozenset(), {})


def test_the_last_quiet_move_may_be_put_back_until_something_else_is_played() -> None:
    moves = umpire.QuietMoves()
    moves.note_accepted("a1-a2", ("a1", "a2"), 1, battle=False)
    moves.note_accepted("offer-draw", (), 1, battle=False)
    assert moves.last_move == ("a1", "a2")
    moves.note_accepted("h1-h2", ("h1", "h2"), 2, battle=False)
    assert moves.last_move == ("h1", "h2")
    moves.note_accepted("h2-h3", ("h2", "h3"), 3, battle=True)
    assert moves.last_move is None


@pytest.mark.parametrize("words", ["decline-take-back", "withdraw-take-back"])
def test_what_was_declined_is_not_put_back_again(words: str) -> None:
    moves = umpire.QuietMoves()
    moves.note_accepted("a1-a2", ("a1", "a2"), 1, battle=False)
    moves.note_accepted(words, (), 1, battle=False)
    assert moves.last_move is None


def test_after_a_take_back_the_move_before_it_may_be_put_back() -> None:
    """Unless that one was a battle, was declined before, or is no move at all."""
    moves = umpire.QuietMoves()
    for turn, battle in enumerate((False, True, False, False), 1):
        moves.note_accepted("move", (f"a{turn}", f"b{turn}"), turn, battle=battle)
    moves.note_accepted("decline-take-back", (), 4, battle=False)
    found = []
    for turns in (3, 2, 1, 0):
        moves.note_accepted("agree-take-back", (), turns, battle=False)
        found.append(moves.last_move)
    assert found == [("a3", "b3"), None, ("a1", "b1"), None]
