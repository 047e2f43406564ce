"""Reading: what hands mean at this moment, made of what is sensed and known at one moment."""

from __future__ import annotations

from typing import Any

import pytest

from boardumpire.tracking.chores import Corrections
from boardumpire.tracking.following import PieceTracker
from boardumpire.tracking.questions import (
    AttackCounting,
    AttackHere,
    AttackPending,
    AttackWhere,
    AttackWhich,
    CameFrom,
    InHand,
    MovedHere,
    MovedWhere,
    SamePlaces,
    ThatPiece,
    TrackerQuestion,
    WhoStands,
)
from boardumpire.tracking.reading import EnemyTouch, HandInterpretation
from boardumpire.tracking.values import (
    HOLD,
    BoardFault,
    FaultCode,
    HandIntent,
    MovePutBack,
    PublicPosition,
    SuspectSpace,
)

OWNERS = {"a1": "red", "b1": "red", "c1": "red", "a3": "blue", "b3": "blue"}
STEPS = {"a1": {"a2": False}, "b1": {"b2": False, "b3": True}, "c1": {"c2": False, "b3": True}}
POSITION = PublicPosition(OWNERS, frozenset(), frozenset({"red"}), STEPS)
SHORT = 200


def reading(*hands: str, position: PublicPosition = POSITION, **more: Any) -> HandInterpretation:
    """After these hands, 1000 apart: `-a1` lifts what stands on a1, `+a2` sets something down on a2."""
    following = PieceTracker(100, 20)
    following.reset(position.judged(), position.free, position.owners, frozenset(), 0)
    for number, word in enumerate(hands, 1):
        (following.lift if word[0] == "-" else following.place)(word[1:], 1000 * number)
    chores = more.pop("chores", None) or Corrections(100, 20)
    made = HandInterpretation(
        position, following, chores, frozenset(), None, SHORT, None, untouched=True, stood=True
    )
    return made._replace(**more)


def owed(*debts: str) -> Corrections:
    chores = Corrections(100, 20)
    chores.begin(set(debts), set())
    return chores


def test_a_piece_set_down_where_it_may_go_is_that_move() -> None:
    assert reading("-a1", "+a2").meaning() == HandIntent("a1", "a2")
    assert reading().meaning() is None


def test_who_stands_in_doubt_is_asked_before_all_else_and_what_is_known_to_be_wrong_told_next() -> None:
    wrong = BoardFault(FaultCode.SWAPPED, ("c1",))
    doubted = owed()
    doubted.claimed["b1"] = "a1"
    assert reading("-a1", "+a2", chores=doubted, known=wrong).meaning() == WhoStands("b1", "a1", "red")
    assert reading("-a1", "+a2", known=wrong).meaning() == wrong


def test_nothing_is_made_of_what_waits_for_an_answer_or_while_chores_are_open() -> None:
    assert reading("-a1", "+a2", rested=frozenset({"a1", "a2"})).meaning() is None
    assert reading("-a1", "+a2", rested=frozenset({"a2"})).meaning() == HandIntent("a1", "a2")
    assert reading("-a1", "+a2", chores=owed("c1")).meaning() is None


def test_after_the_sign_nothing_else_is_waited_for() -> None:
    assert reading("-b1", "-a3", "+z9", sign=("b1", "b3")).meaning() == HandIntent("b1", "b3")


def test_two_pieces_that_may_have_been_swapped_are_asked_about_once_they_stand() -> None:
    doubt = frozenset({frozenset({"a1", "b1"})})
    asked = SamePlaces(("a1", "b1"), "red")
    assert reading(doubt=doubt).meaning() == asked
    assert reading("-a1", doubt=doubt).meaning() != asked
    assert reading("-a1", "+a2", doubt=doubt).meaning() == ThatPiece("a1", "a2", "b1", "red")
    assert reading("-c1", "-b3", doubt=doubt).pending() is None, "one answer can't be meant for two"


def test_a_question_about_pieces_of_the_other_side_holds_up_nothing_else() -> None:
    doubt = frozenset({frozenset({"a3", "b3"})})
    asked = SamePlaces(("a3", "b3"), "blue")
    assert reading(doubt=doubt).meaning() == asked
    assert reading("-a1", "+a2", doubt=doubt).meaning() == HandIntent("a1", "a2")
    assert reading("-c1", "-b3", doubt=doubt).pending() == AttackPending("c1", "b3", "red")
    assert reading("-c1", "-b3", doubt=doubt, sign=("c1", "b3")).meaning() == asked, "who is attacked?"


def test_a_piece_that_was_touched_has_to_be_moved() -> None:
    assert reading("-a1", "+a2", obliged="b1").meaning() == BoardFault(FaultCode.TOUCH_MOVE, ("a1", "a2"))
    assert reading("-a1", "+a2", obliged="a1").meaning() == HandIntent("a1", "a2")


def test_what_may_be_a_piece_of_the_other_side_is_asked_about() -> None:
    both = reading("-a1", "-a3", "+a2", "+a3")
    assert both.meaning() == ThatPiece("a1", "a2", "a3", "red")
    tidied = owed()
    tidied.tidied["a3"] = 4000
    assert reading("-a1", "-a3", "+a2", "+a3", chores=tidied).meaning() == HandIntent("a1", "a2")


def test_the_other_side_moves_out_of_turn_or_puts_its_last_move_back() -> None:
    assert reading("-a3", "+a4").meaning() == BoardFault(FaultCode.NOT_YOUR_TURN, ("a3", "a4"))
    last = POSITION._replace(last=("a4", "a3"))
    assert reading("-a3", "+a4", position=last).meaning() == MovePutBack("a4", "a3")
    touched = reading("-a3", "+a4", position=last, untouched=False)
    assert touched.meaning() == BoardFault(FaultCode.NOT_YOUR_TURN, ("a3", "a4"))
    waiting = reading("-a3", "+a4", position=last._replace(waiting=True), untouched=False)
    assert waiting.meaning() == MovePutBack("a4", "a3")


# What nobody was seen to lift


def test_a_reed_from_which_a_piece_must_have_left_twice_is_suspected() -> None:
    def suspects(*names: str) -> Any:
        return lambda left: sorted(left & {*names})

    came = CameFrom("b1", "b2", "red")
    assert reading("+a2").unopened() == {"a1"}
    assert reading("+a2", suspects=suspects("a1")).meaning() == SuspectSpace("a1")
    assert reading("+z9").meaning() == BoardFault(FaultCode.EXTRA_PIECE, ("z9",))
    assert reading("+a2", began=1000).meaning() == BoardFault(FaultCode.EXTRA_PIECE, ("a2",)), (
        "it stood there before"
    )
    two = POSITION._replace(steps={"a1": {"b2": False}, "b1": {"b2": False}})
    first = CameFrom("a1", "b2", "red")
    asked = reading("+b2", position=two, suspects=suspects("a1", "b1"))
    assert asked.meaning() == first
    assert asked._replace(declined=frozenset({first})).meaning() == came
    assert asked._replace(declined=frozenset({first, came})).meaning() == BoardFault(
        FaultCode.EXTRA_PIECE, ("b2",)
    )


def test_the_nearest_pieces_that_may_have_gone_there_are_asked_about_one_after_the_other() -> None:
    """At most four of them; then what stands there is a piece too many."""
    homes = [f"{column}1" for column in "abcdef"]
    places = {home: (45.0 * at, 0.0) for at, home in enumerate(homes)} | {"d2": (135.0, 45.0)}
    crowd = PublicPosition(
        dict.fromkeys(homes, "red"),
        frozenset(),
        frozenset({"red"}),
        {home: {"d2": False} for home in homes},
        places=places,
    )
    found = reading("+d2", position=crowd)
    asked = []
    while isinstance(question := found.meaning(), TrackerQuestion):
        asked.append(question.spaces[0])
        found = found._replace(declined=found.declined | {question})
    assert asked == ["d1", "c1", "e1", "b1"]
    assert found.meaning() == BoardFault(FaultCode.EXTRA_PIECE, ("d2",))


def test_where_hands_or_chores_explain_it_no_reed_is_suspected() -> None:
    assert reading("+a2", "-b1").unopened() == frozenset()
    assert reading("+a2", chores=owed("c1")).unopened() == frozenset()
    assert reading("+a2", "+b2").unopened() == frozenset()


def test_a_piece_between_two_spaces_is_to_be_centred() -> None:
    assert reading("-a1", "+a2", "+b2").meaning() == BoardFault(FaultCode.BETWEEN_SPACES, ("a2", "b2"))


# What is up


@pytest.mark.parametrize(
    ("hands", "pending"),
    [
        (("-b1", "-b3"), AttackPending("b1", "b3", "red")),
        (("-a1", "-b3"), None),
        (("-b1", "-a3"), None),
        (("-b1", "-c1", "-b3"), None),
        (("-b3",), None),
    ],
)
def test_an_attack_that_is_possible_waits_for_its_sign(hands: tuple[str, ...], pending: Any) -> None:
    assert reading(*hands).pending() == pending
    assert reading(*hands, chores=owed("a1")).pending() is None
    assert reading(*hands, sign=("b1", "b3")).pending() is None


def test_of_two_targets_the_mover_names_one() -> None:
    two = POSITION._replace(steps={"b1": {"a3": True, "b3": True}})
    which = AttackWhich("b1", ("a3", "b3"), "red")
    assert reading("-b1", "-b3", "-a3", position=two).pending() == which


def test_where_holding_is_enough_the_attack_counts_down_and_is_meant() -> None:
    held = reading("-b1", "-b3", attack=HOLD)
    assert held.pending() == AttackCounting("b1", "b3", "red")
    assert held.meaning() == HandIntent("b1", "b3")
    assert reading("-b1", "-b3").meaning() is None
    assert reading("-b1", "-a3", attack=HOLD).meaning() == BoardFault(FaultCode.NO_ATTACK, ("b1", "a3"))


def test_a_short_touch_may_have_been_an_attack() -> None:
    asked = AttackPending("b1", "b3", "red")
    assert reading("-b1", touch=EnemyTouch("b1", "b3", SHORT)).pending() == asked
    assert reading("-b1", touch=EnemyTouch("b1", "b3", SHORT + 1)).pending() is None
    assert reading("-b1", "-a1", touch=EnemyTouch("b1", "b3", SHORT)).pending() is None
    unfelt = AttackHere("b1", "b3", "red")
    assert reading("-b1", touch=EnemyTouch("b1", "b3", SHORT + 1)).meant_unfelt() == unfelt
    assert reading("-a1", touch=EnemyTouch("b1", "b3", SHORT)).meant_unfelt() is None


def test_a_piece_that_is_up_may_have_attacked_unfelt_or_is_in_the_hand() -> None:
    assert reading("-b1").meaning() == AttackHere("b1", "b3", "red")
    assert reading("-a1").meaning() == InHand("a1", "red")
    two = POSITION._replace(steps={"b1": {"a3": True, "b3": True}})
    assert reading("-b1", position=two).meaning() == AttackWhere("b1", ("a3", "b3"), "red")
    declined = frozenset({InHand("a1", "red")})
    assert reading("-a1", declined=declined).meaning() in declined, "there is nothing else to ask"


def test_an_attacker_that_nobody_was_felt_to_lift_is_asked_about() -> None:
    asked = AttackHere("b1", "b3", "red")
    assert reading("-b3").attacked_unfelt() == asked
    other = AttackHere("c1", "b3", "red")
    assert reading("-b3", declined=frozenset({asked})).attacked_unfelt() == other
    assert reading("-b3", declined=frozenset({asked, other})).attacked_unfelt() is None
    assert reading("-b3", position=POSITION._replace(blind=frozenset({"b1"}))).attacked_unfelt() == other
    assert reading("-a3").attacked_unfelt() is None
    assert reading("-b3", "-a3").attacked_unfelt() is None
    assert reading("-b1").attacked_unfelt() is None
    assert reading("-b3", chores=owed("a1")).attacked_unfelt() is None
    assert reading("-b3", position=POSITION._replace(alike=True)).attacked_unfelt() is None


def test_a_piece_may_stand_among_others_where_nothing_feels_it() -> None:
    one = POSITION._replace(blind=frozenset({"a2"}))
    here = MovedHere("a1", "a2", "red")
    assert reading("-a1", position=one).unfelt() == here
    assert reading("-a1", position=one).meaning() == here
    assert reading("-a1", position=one).meant_unfelt() == here
    steps = {"a1": {"a2": False, "b2": False, "b3": True}}
    two = POSITION._replace(steps=steps, crowded=frozenset({"b2"}), blind=frozenset({"a2"}))
    assert reading("-a1", position=two).unfelt() == MovedWhere("a1", ("a2", "b2"), "red")
    assert reading("-a1", position=two).meant_unfelt() is None, "it has to be named"
    assert reading("-a1", "+z9", position=one).unfelt() is None
    assert reading("-a3", position=one).unfelt() is None


def test_where_pieces_are_alike_nobody_is_asked_who_holds_one() -> None:
    assert reading("-a1", position=POSITION._replace(alike=True)).meaning() is None


def test_more_pieces_up_than_two_hands_hold_are_down() -> None:
    assert reading("-a1", "-b1", "-c1").meaning() == BoardFault(FaultCode.PIECES_DOWN, ("a1", "b1", "c1"))
    assert reading("-a1", "-b1").meaning() == BoardFault(FaultCode.PIECES_DOWN, ("a1", "b1"))
    assert reading("-a1", "-b1", away=frozenset({"b1"})).meaning() == BoardFault(
        FaultCode.PIECES_DOWN, ("a1", "b1")
    )


# Pieces that are all alike

ALIKE = POSITION._replace(
    alike=True, steps={"a1": {"a2": False}, "b1": {"a2": False, "b2": False}, "c1": {"c2": False}}
)


def test_the_first_that_came_to_rest_is_meant_first() -> None:
    assert reading("-c1", "-b1", "+c2", "+b2", position=ALIKE).meaning() == HandIntent("c1", "c2")
    assert reading("-c1", "-b1", "+b2", "+c2", position=ALIKE).meaning() == HandIntent("b1", "b2")


def test_of_two_that_may_both_have_come_there_their_owner_names_one() -> None:
    assert reading("-a1", "-b1", "+a2", position=ALIKE).meaning() == ThatPiece("a1", "a2", "b1", "red")


def test_where_none_may_go_it_is_likeliest_the_one_lifted_last() -> None:
    assert reading("-a1", "-c1", "+d4", position=ALIKE).meaning() == HandIntent("c1", "d4")
    assert reading("-c1", "-a1", "+d4", position=ALIKE).meaning() == HandIntent("a1", "d4")
