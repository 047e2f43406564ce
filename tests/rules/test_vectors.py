"""The vectors T1 to T5, T7 and T8 (T6 is played from recorded games in test_recorded.py)."""

from __future__ import annotations

from rules.armies import at, line, moves, why
from rules.ids import rule

T1 = ("3 a3, F h1", "3 h6, F a8")
T1_LINE = "a3-a4 h6-h5 a4-a3 h5-h6 a3-a4 h6-h5"


@rule("T1", "Q12", "I11", "shuttle", "D1")
def test_t1_the_fourth_time_between_two_squares_is_refused() -> None:
    state = line(at(*T1), T1_LINE)
    assert why(state, "a4-a3") == "Q12"
    assert {"a4-a5", "a4-b4"} <= moves(state)
    assert "a4-a3" not in moves(state)


@rule("T2", "Q12", "shuttle_attack", "G6", "I11")
def test_t2_an_attack_is_counted_unless_exempt() -> None:
    pieces = ("9 a4, F h1", "3 b3, 3 b4, 2 h7, F h8")
    played = "a4-a5 h7-h6 a5-a4 h6-h7 a4-a5 b4-a4"
    assert why(line(at(*pieces), played), "a5-a4") == "Q12"
    assert why(line(at(*pieces, shuttle_attack="exempt"), played), "a5-a4") is None


@rule("T3", "I12", "shuttle_scout", "I11")
def test_t3_scouts_are_judged_by_borders() -> None:
    pieces = ("2 a3, F h1", "3 h8, F c8")
    played = "a3-a6 h8-h7 a6-a4 h7-h8 a4-a6 h8-h7"
    state = line(at(*pieces), played)
    assert [why(state, f"a6-{target}") for target in ("a5", "a4", "a3")] == ["Q12"] * 3
    assert [why(state, f"a6-{target}") for target in ("a7", "b6")] == [None] * 2
    ends = line(at(*pieces, shuttle_scout="same_endpoints"), played)
    assert {f"a6-{target}" for target in ("a5", "a4", "a3", "a7", "b6")} <= moves(ends)


@rule("T4", "Q13", "I13", "I14", "I15", "I16", "chase", "D3", "D4")
def test_t4_a_chase_round_four_squares_is_stopped() -> None:
    state = line(at("9 e3, F h1", "3 e5, F h8"), "e3-e4 e5-d5 e4-e5 d5-d4 e5-d5 d4-e4 d5-d4 e4-e5")
    assert why(state, "d4-e4") == "Q13"
    assert {"d4-d5", "d4-d3"} <= moves(state)


@rule("T5", "Q12", "Q13", "I16", "chase_undo_exception")
def test_t5_a_chase_between_two_squares_is_stopped_by_whichever_rule_comes_first() -> None:
    pieces = ("9 d3, F h1", "3 d5, F h8")
    chase = "d3-d4 d5-e5 d4-e4 e5-d5 e4-d4 d5-e5 d4-e4"
    assert why(line(at(*pieces), chase), "e5-d5") == "Q12"
    strict = line(at(*pieces, chase_undo_exception=False), "d3-d4 d5-e5 d4-e4 e5-d5")
    assert why(strict, "e4-d4") == "Q13"


@rule("T7", "shuttle_responder", "D1")
def test_t7_a_responder_may_be_free() -> None:
    assert why(line(at(*T1), T1_LINE + " a4-a5"), "h5-h6") == "Q12"
    assert why(line(at(*T1, shuttle_responder="free"), T1_LINE + " a4-a5"), "h5-h6") is None


@rule("T8", "Q13", "I15", "I16")
def test_t8_a_chase_may_begin_with_a_capture() -> None:
    pieces = ("8 f6, F a1", "3 f7, 7 f8, F a10")
    chase = "f6-f7 f8-e8 f7-e7 e8-d8 e7-d7 d8-e8 d7-e7 e8-f8"
    state = line(at(*pieces, game="stratego-classic", shuttle=3), chase)
    assert why(state, "e7-f7") == "Q13"
    assert {"e7-d7", "e7-e6"} <= moves(state), "straight back, and away"
    assert "e7-f7" not in moves(state)
