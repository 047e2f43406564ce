"""Q12, Q13 and their exact definitions I10 to I17, with every option that changes them."""

from __future__ import annotations

import pytest

from rules.armies import at, code, facts, line, moves, why
from rules.ids import rule
from rules.test_vectors import T1, T1_LINE

CHASE = ("9 e3, F h1", "3 e5, F h8")
ROUND = "e3-e4 e5-d5 e4-e5 d5-d4 e5-d5 d4-e4 d5-d4 e4-e5"


@rule("Q12", "I11")
def test_another_piece_or_other_squares_begin_a_new_count() -> None:
    pieces = ("3 a3, 9 h1, F h3", "3 h6, F a8")
    shuttled = "a3-a4 h6-h5 a4-a3 h5-h6 a3-a4 h6-g6"
    assert why(line(at(*pieces), shuttled), "a4-a3") == "Q12"
    other_piece = line(at(*pieces), shuttled + " h1-g1 g6-h6")
    assert why(other_piece, "a4-a3") is None
    other_squares = line(at(*pieces), shuttled + " a4-b4 g6-h6 b4-a4 h6-g6")
    assert why(other_squares, "a4-a3") is None


@rule("Q12", "D1")
def test_each_side_counts_its_own_turns_whatever_the_other_does() -> None:
    state = line(at(*T1), "a3-a4 h6-g6 a4-a3 g6-g5 a3-a4 g5-g4")
    assert why(state, "a4-a3") == "Q12"


@rule("shuttle", "D2")
@pytest.mark.parametrize("limit", [3, 5, 6])
def test_the_limit_is_an_option(limit: int) -> None:
    state = at("3 a3, F h1", "3 h6, F a8", shuttle=limit)
    blue = ["h6-g6", "g6-g5", "g5-h5", "h5-h6"]
    for count in range(limit):
        state = line(state, f"{('a3-a4', 'a4-a3')[count % 2]} {blue[count % 4]}")
    back = ("a3-a4", "a4-a3")[limit % 2]
    assert why(state, back) == "Q12"


@rule("shuttle")
def test_nothing_is_counted_when_off() -> None:
    state = at("3 a3, F h1", "3 h6, F a8", shuttle="off")
    for _ in range(5):
        state = line(state, "a3-a4 h6-h5 a4-a3 h5-h6")
    assert "a3-a4" in moves(state)
    assert facts(state).own_run == facts(at("3 a3, F h1", "3 h6, F a8", shuttle="off")).own_run


@rule("shuttle_attack", "I11", "I12")
def test_a_counted_attack_belongs_to_the_run_and_an_exempt_one_ends_it() -> None:
    # The General goes a4-a5, takes what stands on a4, goes up again: three turns between a4 and a5.
    pieces = ("9 a4, F h1", "3 b4, 2 h7, 2 g7, F h8")
    played = "a4-a5 b4-a4 a5-a4 h7-h6 a4-a5 h6-h7"
    assert why(line(at(*pieces), played), "a5-a4") == "Q12"
    free = line(at(*pieces, shuttle_attack="exempt"), played)
    assert why(free, "a5-a4") is None
    assert why(line(free, "a5-a4 h7-h6 a4-a5 h6-g6"), "a5-a4") == "Q12"


@rule("I12")
def test_a_scout_counts_an_attack_up_to_the_attacked_square() -> None:
    pieces = ("2 a1, F h1", "S a8, 3 h8, 3 g8, F d8")
    state = line(at(*pieces), "a1-a7 h8-h7 a7-a3 h7-h8 a3-a8 h8-h7")
    assert why(state, "a8-a7") is None  # the border 7|8 was crossed once
    assert why(state, "a8-a6") == "Q12"


@rule("I11", "shuttle_scout")
def test_by_endpoints_a_scout_may_vary_the_distance() -> None:
    pieces = ("2 a3, F h1", "3 h8, F c8")
    state = line(at(*pieces, shuttle_scout="same_endpoints"), "a3-a6 h8-h7 a6-a3 h7-h8 a3-a6 h8-h7")
    assert why(state, "a6-a3") == "Q12"
    assert why(state, "a6-a4") is None


@rule("shuttle_responder")
def test_a_left_out_turn_neither_adds_nor_ends() -> None:
    free = line(at(*T1, shuttle_responder="free"), T1_LINE + " a4-a5")
    assert "h5-h6" in moves(free)
    # From here on Blue's turns count again, the first one and these: the fourth is refused.
    further = line(free, "h5-h6 a5-b5 h6-h5 b5-b6")
    assert why(further, "h5-h6") == "Q12"


@rule("shuttle_responder")
def test_who_began_has_no_such_freedom() -> None:
    assert why(line(at(*T1, shuttle_responder="free"), T1_LINE), "a4-a3") == "Q12"


@rule("I10", "I13")
def test_a_quiet_turn_next_to_an_enemy_threatens_whatever_its_rank() -> None:
    beside_a_bomb = line(at("9 e3, F h1", "B e5, 3 h7, F h8"), "e3-e4")
    assert facts(beside_a_bomb).foe_chase
    assert not facts(line(at("9 e2, F h1", "B e5, 3 h7, F h8"), "e2-e3")).foe_chase


@rule("I14", "I15")
def test_an_answer_that_does_not_evade_ends_the_chase() -> None:
    pieces = ("9 e3, F h1", "3 e5, 2 h7, F h8")
    assert facts(line(at(*pieces), "e3-e4 e5-d5")).chase
    assert not facts(line(at(*pieces), "e3-e4 h7-h6")).chase


@rule("I15")
def test_a_turn_that_does_not_threaten_or_a_battle_ends_the_chase() -> None:
    pieces = ("9 e3, 3 a1, F h1", "3 e5, 3 a3, F h8")
    begun = line(at(*pieces), "e3-e4 e5-d5 e4-e5 d5-d4 e5-d5 d4-e4 d5-d4 e4-e5")
    assert why(begun, "d4-e4") == "Q13"
    broken = line(begun, "a1-b1 e5-e6 d4-e4 e6-e5")
    assert facts(broken).chase == () or why(broken, "e4-d4") is None
    fought = line(at("9 e3, 3 a2, F h1", "3 e5, 2 a3, F h8"), "e3-e4 e5-d5 a2-a3 d5-d6")
    assert facts(fought).chase == ()


# The General takes what stands on e4 and threatens e5: its round of four squares begins there.
TAKES = "e3-e4 e5-d5 e4-e5 d5-d4 e5-d5 d4-e4 d5-d4 e4-e5"


@rule("I15", "I16", "Q13")
@pytest.mark.parametrize(("taker", "taken"), [("9", "2"), ("3", "B")])
def test_an_attack_that_wins_beside_another_enemy_opens_a_chase(taker: str, taken: str) -> None:
    state = line(at(f"{taker} e3, F h1", f"{taken} e4, 10 e5, F h8"), TAKES)
    assert why(state, "d4-e4") == "Q13"
    assert "d4-d3" in moves(state)


@rule("I15")
def test_an_attack_opens_a_chase_for_its_winner_alone_and_beside_an_enemy_alone() -> None:
    won = facts(line(at("9 e3, F h1", "2 e4, 3 e5, F h8"), "e3-e4"))
    assert (len(won.foe_chase), won.chase) == (1, ())
    for red, blue in (("9 e3, F h1", "2 e4, 3 e6, F h8"), ("9 e3, F h1", "9 e4, 3 e5, F h8")):
        assert not facts(line(at(red, blue), "e3-e4")).foe_chase, "nobody beside it; both fell"
    lost = facts(line(at("3 e3, 2 d1, F h1", "9 e4, 3 e5, F h8"), "e3-e4"))
    assert (lost.chase, lost.foe_chase) == ((), ()), (
        "who attacks and falls chases nobody, nor does the winner"
    )


@rule("I15")
def test_an_attack_within_a_chase_ends_it_and_opens_another() -> None:
    pieces = ("9 e3, F h1", "3 e5, 2 d4, F h8")
    state = line(at(*pieces), "e3-e4 e5-d5 e4-d4")
    assert len(facts(state).foe_chase) == 1
    assert len(facts(line(state, "d5-d6")).chase) == 2, "it stood beside the square where the battle was"


@rule("I15", "I17", "chase")
def test_a_chase_that_an_attack_opens_is_one_of_a_pair_too_and_none_when_off() -> None:
    pieces = ("9 e3, F h1", "2 e4, 10 e5, F h8")
    assert why(line(at(*pieces, chase="pair_repeat"), TAKES), "d4-e4") == "Q13"
    assert why(line(at(*pieces, chase="off"), TAKES), "d4-e4") is None


@rule("I15", "D3")
def test_any_piece_of_the_chaser_counts() -> None:
    pieces = ("9 b2, 10 e3, F h1", "3 b4, 3 e5, F h8")
    assert len(facts(line(at(*pieces), "b2-b3 b4-a4 e3-e4 e5-d5")).chase) == 4
    assert facts(line(at(*pieces), "b2-b3 b4-a4 b3-a3 a4-b4 e3-e2 b4-b5")).chase == ()  # e2 threatens nobody


@rule("I16", "chase_undo_exception")
def test_straight_back_is_allowed_unless_the_exception_is_off() -> None:
    pieces = ("9 d3, F h1", "3 d5, F h8")
    played = "d3-d4 d5-e5 d4-e4 e5-d5"
    assert why(line(at(*pieces), played), "e4-d4") is None
    assert why(line(at(*pieces, chase_undo_exception=False), played), "e4-d4") == "Q13"


@rule("I16", "G6", "Q13")
def test_attacks_are_never_refused_by_the_chase_rule() -> None:
    state = line(at(*CHASE), ROUND)
    assert why(state, "d4-e4") == "Q13"
    beside_a_bomb = line(at("9 e3, F h1", "3 e5, B d3, F h8"), ROUND)
    assert why(beside_a_bomb, "d4-e4") == "Q13"
    assert why(beside_a_bomb, "d4-d3") is None


@rule("chase")
def test_no_chase_rule_when_off() -> None:
    state = line(at(*CHASE, chase="off"), ROUND)
    assert why(state, "d4-e4") is None
    assert facts(state).chase == ()


@rule("I17", "chase", "D3")
def test_the_pair_rule_looks_at_the_two_pieces_only() -> None:
    assert why(line(at(*CHASE, chase="pair_repeat"), ROUND), "d4-e4") == "Q13"
    # Elsewhere on the board things changed: the whole-board rule lets it pass, the pair rule does not.
    pieces = ("9 e3, F h1", "3 e5, 2 d6, F h8")
    route = "e3-e4 e5-d5 e4-e5 d5-d4 e5-d5 d4-e4 d5-d4 e4-e5"
    assert why(line(at(*pieces, chase="pair_repeat"), route), "d4-e4") == "Q13"


@rule("I17")
def test_the_pair_rule_follows_one_piece_throughout() -> None:
    pieces = ("9 b2, 10 e3, F h1", "3 b4, 3 e5, F h8")
    state = line(at(*pieces, chase="pair_repeat"), "b2-b3 b4-a4 e3-e4 e5-d5")
    assert len(facts(state).chase) == 2
    assert len(facts(line(at(*pieces), "b2-b3 b4-a4 e3-e4 e5-d5")).chase) == 4


@rule("G6", "G5")
def test_refused_moves_are_not_legal_and_say_by_which_rule() -> None:
    state = line(at(*T1), T1_LINE)
    assert code(state, "a4-a3") == "stratego/back-and-forth"
    assert code(line(at(*CHASE), ROUND), "d4-e4") == "stratego/chase"


@rule("I12", "Q12")
def test_the_barred_square_stays_barred_when_an_enemy_steps_there() -> None:
    pieces = ("9 a3, F h1", "3 b3, 3 h6, F a8")
    state = line(at(*pieces), "a3-a4 h6-h5 a4-a3 h5-h6 a3-a4 b3-a3")
    assert why(state, "a4-a3") == "Q12"
