"""Rules: what hands mean in one situation, made of what is sensed and known at that moment."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from boardumpire.tracking.corrections import Corrections
from boardumpire.tracking.events import (
    BoardFault,
    FaultCode,
    HandIntent,
    MovePutBack,
    SuspectSpace,
    TrackerEvent,
)
from boardumpire.tracking.model import PublicPosition
from boardumpire.tracking.piece_tracker import PieceTracker
from boardumpire.tracking.questions import (
    AdjournQuestion,
    AttackCountingQuestion,
    AttackHereQuestion,
    AttackPendingQuestion,
    AttackWhereQuestion,
    AttackWhichQuestion,
    CameFromQuestion,
    InHandQuestion,
    MovedHereQuestion,
    MovedWhereQuestion,
    SamePlacesQuestion,
    ThatPieceQuestion,
    TrackerQuestion,
    WhoStandsQuestion,
)
from boardumpire.tracking.rules import attacks
from boardumpire.tracking.situation import EnemyTouch, Situation
from boardumpire.tracking.states import interpret_hands
from boardumpire.tracking.stuck_sensors import StuckSensorDetector
from boardumpire.tracking.timing import ATTACK_BY_HOLD, ATTACK_BY_SIGN, TrackerTiming

OWNERS = {"a1": "red", "b1": "red", "c1": "red", "a3": "blue", "b3": "blue"}
STEPS = {"a1": {"a2": False}, "b1": {"b2": False, "b3": True}, "c1": {"c2": False, "b3": True}}
POSITION = PublicPosition(OWNERS, frozenset(), frozenset({"red"}), STEPS)
SHORT = 200


def situation(*hands: str, position: PublicPosition = POSITION, **more: Any) -> Situation:
    """After these hands, 1000 apart: `-a1` lifts what stands on a1, `+a2` sets something down on a2."""
    pieces = PieceTracker(100, 20)
    pieces.begin_layout(position.judged_places(), position.unjudged_places, position.owners, frozenset(), 0)
    for number, word in enumerate(hands, 1):
        (pieces.note_lift if word[0] == "-" else pieces.note_set_down)(word[1:], 1000 * number)
    made = Situation(
        position=position,
        piece_tracker=pieces,
        corrections=Corrections(100, 20),
        timing=TrackerTiming(touch=SHORT, attack=more.pop("attack", ATTACK_BY_SIGN)),
        nothing_lifted=True,
        was_in_order=True,
    )
    return replace(made, **more)


def meaning(*hands: str, **more: Any) -> TrackerEvent | None:
    """What these hands mean."""
    return meant(situation(*hands, **more))


def meant(moment: Situation) -> TrackerEvent | None:
    """What hands mean at a moment."""
    found = interpret_hands(moment)
    return None if found is None else found.event


def owed(*outstanding: str) -> Corrections:
    chores = Corrections(100, 20)
    chores.begin_layout(set(outstanding), set())
    return chores


def test_a_piece_set_down_where_it_may_go_is_that_move() -> None:
    assert meaning("-a1", "+a2") == HandIntent("a1", "a2")
    assert meaning() is None


def test_who_stands_in_doubt_is_asked_before_all_else_and_what_is_known_to_be_wrong_told_next() -> None:
    wrong = BoardFault(FaultCode.PIECES_SWAPPED, ("c1",))
    doubted = owed()
    doubted.doubtful_occupants["b1"] = "a1"
    assert meaning("-a1", "+a2", corrections=doubted, identity_fault=wrong) == WhoStandsQuestion(
        "b1", "a1", "red"
    )
    assert meaning("-a1", "+a2", identity_fault=wrong) == wrong


def test_nothing_is_made_of_what_waits_for_an_answer_or_while_chores_are_open() -> None:
    assert meaning("-a1", "+a2", places_awaiting_answer=frozenset({"a1", "a2"})) is None
    assert meaning("-a1", "+a2", places_awaiting_answer=frozenset({"a2"})) == HandIntent("a1", "a2")
    assert meaning("-a1", "+a2", corrections=owed("c1")) is None


def test_after_the_sign_nothing_else_is_waited_for() -> None:
    assert meaning("-b1", "-a3", "+z9", signed_attack=("b1", "b3")) == HandIntent("b1", "b3")


def test_two_pieces_that_may_have_been_swapped_are_asked_about_once_they_stand() -> None:
    doubt = frozenset({frozenset({"a1", "b1"})})
    asked = SamePlacesQuestion(("a1", "b1"), "red")
    assert meaning(doubtful_pairs=doubt) == asked
    assert meaning("-a1", doubtful_pairs=doubt) != asked
    assert meaning("-a1", "+a2", doubtful_pairs=doubt) == ThatPieceQuestion("a1", "a2", "b1", "red")
    assert attacks.pending_attack_question(situation("-c1", "-b3", doubtful_pairs=doubt)) is None, (
        "one answer can't be meant for two"
    )


def test_a_question_about_pieces_of_the_other_side_holds_up_nothing_else() -> None:
    doubt = frozenset({frozenset({"a3", "b3"})})
    asked = SamePlacesQuestion(("a3", "b3"), "blue")
    assert meaning(doubtful_pairs=doubt) == asked
    assert meaning("-a1", "+a2", doubtful_pairs=doubt) == HandIntent("a1", "a2")
    assert attacks.pending_attack_question(
        situation("-c1", "-b3", doubtful_pairs=doubt)
    ) == AttackPendingQuestion("c1", "b3", "red")
    assert meaning("-c1", "-b3", doubtful_pairs=doubt, signed_attack=("c1", "b3")) == asked, (
        "who is attacked?"
    )


def test_a_piece_that_was_touched_has_to_be_moved() -> None:
    assert meaning("-a1", "+a2", must_move_piece="b1") == BoardFault(FaultCode.TOUCH_MOVE, ("a1", "a2"))
    assert meaning("-a1", "+a2", must_move_piece="a1") == HandIntent("a1", "a2")


def test_what_may_be_a_piece_of_the_other_side_is_asked_about() -> None:
    both = situation("-a1", "-a3", "+a2", "+a3")
    assert meant(both) == ThatPieceQuestion("a1", "a2", "a3", "red")
    tidied = owed()
    tidied.refilled_at["a3"] = 4000
    assert meaning("-a1", "-a3", "+a2", "+a3", corrections=tidied) == HandIntent("a1", "a2")


def test_the_other_side_moves_out_of_turn_or_puts_its_last_move_back() -> None:
    assert meaning("-a3", "+a4") == BoardFault(FaultCode.NOT_YOUR_TURN, ("a3", "a4"))
    last = POSITION._replace(last_quiet_move=("a4", "a3"))
    assert meaning("-a3", "+a4", position=last) == MovePutBack("a4", "a3")
    touched = situation("-a3", "+a4", position=last, nothing_lifted=False)
    assert meant(touched) == BoardFault(FaultCode.NOT_YOUR_TURN, ("a3", "a4"))
    waiting = situation(
        "-a3", "+a4", position=last._replace(is_waiting_for_answer=True), nothing_lifted=False
    )
    assert meant(waiting) == MovePutBack("a4", "a3")


# What nobody was seen to lift


def test_a_reed_from_which_a_piece_must_have_left_twice_is_suspected() -> None:
    def stuck(*names: str) -> StuckSensorDetector:
        detector = StuckSensorDetector()
        detector.count_missed(names)
        return detector

    came = CameFromQuestion("b1", "b2", "red")
    assert situation("+a2").possible_unsensed_origins() == {"a1"}
    assert meaning("+a2", stuck_sensors=stuck("a1")) == SuspectSpace("a1")
    assert meaning("+z9") == BoardFault(FaultCode.EXTRA_PIECE, ("z9",))
    assert meaning("+a2", layout_since=1000) == BoardFault(FaultCode.EXTRA_PIECE, ("a2",)), (
        "it stood there before"
    )
    two = POSITION._replace(steps={"a1": {"b2": False}, "b1": {"b2": False}})
    first = CameFromQuestion("a1", "b2", "red")
    asked = situation("+b2", position=two, stuck_sensors=stuck("a1", "b1"))
    assert meant(asked) == first
    assert meant(replace(asked, declined_events=frozenset({first}))) == came
    assert meant(replace(asked, declined_events=frozenset({first, came}))) == BoardFault(
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
        place_coordinates_mm=places,
    )
    found = situation("+d2", position=crowd)
    asked = []
    while isinstance(question := meant(found), TrackerQuestion):
        asked.append(question.spaces[0])
        found = replace(found, declined_events=found.declined_events | {question})
    assert asked == ["d1", "c1", "e1", "b1"]
    assert meant(found) == BoardFault(FaultCode.EXTRA_PIECE, ("d2",))


def test_where_hands_or_chores_explain_it_no_reed_is_suspected() -> None:
    assert situation("+a2", "-b1").possible_unsensed_origins() == frozenset()
    assert situation("+a2", corrections=owed("c1")).possible_unsensed_origins() == frozenset()
    assert situation("+a2", "+b2").possible_unsensed_origins() == frozenset()


def test_a_piece_between_two_spaces_is_to_be_centred() -> None:
    assert meaning("-a1", "+a2", "+b2") == BoardFault(FaultCode.BETWEEN_SPACES, ("a2", "b2"))


# What is up


@pytest.mark.parametrize(
    ("hands", "pending"),
    [
        (("-b1", "-b3"), AttackPendingQuestion("b1", "b3", "red")),
        (("-a1", "-b3"), None),
        (("-b1", "-a3"), None),
        (("-b1", "-c1", "-b3"), None),
        (("-b3",), None),
    ],
)
def test_an_attack_that_is_possible_waits_for_its_sign(hands: tuple[str, ...], pending: Any) -> None:
    assert attacks.pending_attack_question(situation(*hands)) == pending
    assert attacks.pending_attack_question(situation(*hands, corrections=owed("a1"))) is None
    assert attacks.pending_attack_question(situation(*hands, signed_attack=("b1", "b3"))) is None


def test_of_two_targets_the_mover_names_one() -> None:
    two = POSITION._replace(steps={"b1": {"a3": True, "b3": True}})
    which = AttackWhichQuestion("b1", ("a3", "b3"), "red")
    assert attacks.pending_attack_question(situation("-b1", "-b3", "-a3", position=two)) == which


def test_where_holding_is_enough_the_attack_counts_down_and_is_meant() -> None:
    held = situation("-b1", "-b3", attack=ATTACK_BY_HOLD)
    assert attacks.pending_attack_question(held) == AttackCountingQuestion("b1", "b3", "red")
    assert meant(held) == HandIntent("b1", "b3")
    assert meaning("-b1", "-b3") is None
    assert meaning("-b1", "-a3", attack=ATTACK_BY_HOLD) == BoardFault(FaultCode.NO_ATTACK, ("b1", "a3"))


def test_a_short_touch_may_have_been_an_attack() -> None:
    asked = AttackPendingQuestion("b1", "b3", "red")
    assert (
        attacks.pending_attack_question(situation("-b1", enemy_touch=EnemyTouch("b1", "b3", SHORT))) == asked
    )
    assert (
        attacks.pending_attack_question(situation("-b1", enemy_touch=EnemyTouch("b1", "b3", SHORT + 1)))
        is None
    )
    assert (
        attacks.pending_attack_question(situation("-b1", "-a1", enemy_touch=EnemyTouch("b1", "b3", SHORT)))
        is None
    )
    unfelt = AttackHereQuestion("b1", "b3", "red")
    assert (
        attacks.implied_question_of_lifted(situation("-b1", enemy_touch=EnemyTouch("b1", "b3", SHORT + 1)))
        == unfelt
    )
    assert (
        attacks.implied_question_of_lifted(situation("-a1", enemy_touch=EnemyTouch("b1", "b3", SHORT)))
        is None
    )


def test_a_piece_that_is_up_may_have_attacked_unfelt_or_is_in_the_hand() -> None:
    assert meaning("-b1") == AttackHereQuestion("b1", "b3", "red")
    assert meaning("-a1") == InHandQuestion("a1", "red")
    two = POSITION._replace(steps={"b1": {"a3": True, "b3": True}})
    assert meaning("-b1", position=two) == AttackWhereQuestion("b1", ("a3", "b3"), "red")
    declined = frozenset({InHandQuestion("a1", "red")})
    assert meaning("-a1", declined_events=declined) is None, "there is nothing else to ask"


def test_an_attacker_that_nobody_was_felt_to_lift_is_asked_about() -> None:
    asked = AttackHereQuestion("b1", "b3", "red")
    assert attacks.unsensed_attack_question(situation("-b3")) == asked
    other = AttackHereQuestion("c1", "b3", "red")
    assert attacks.unsensed_attack_question(situation("-b3", declined_events=frozenset({asked}))) == other
    assert (
        attacks.unsensed_attack_question(situation("-b3", declined_events=frozenset({asked, other}))) is None
    )
    assert (
        attacks.unsensed_attack_question(
            situation("-b3", position=POSITION._replace(hand_played_places=frozenset({"b1"})))
        )
        == other
    )
    assert attacks.unsensed_attack_question(situation("-a3")) is None
    assert attacks.unsensed_attack_question(situation("-b3", "-a3")) is None
    assert attacks.unsensed_attack_question(situation("-b1")) is None
    assert attacks.unsensed_attack_question(situation("-b3", corrections=owed("a1"))) is None
    assert (
        attacks.unsensed_attack_question(situation("-b3", position=POSITION._replace(has_alike_pieces=True)))
        is None
    )


def test_a_piece_may_stand_among_others_where_nothing_feels_it() -> None:
    one = POSITION._replace(hand_played_places=frozenset({"a2"}))
    here = MovedHereQuestion("a1", "a2", "red")
    assert attacks.unsensed_move_question(situation("-a1", position=one)) == here
    assert meaning("-a1", position=one) == here
    assert attacks.implied_question_of_lifted(situation("-a1", position=one)) == here
    steps = {"a1": {"a2": False, "b2": False, "b3": True}}
    two = POSITION._replace(
        steps=steps, crowded_places=frozenset({"b2"}), hand_played_places=frozenset({"a2"})
    )
    assert attacks.unsensed_move_question(situation("-a1", position=two)) == MovedWhereQuestion(
        "a1", ("a2", "b2"), "red"
    )
    assert attacks.implied_question_of_lifted(situation("-a1", position=two)) is None, "it has to be named"
    assert attacks.unsensed_move_question(situation("-a1", "+z9", position=one)) is None
    assert attacks.unsensed_move_question(situation("-a3", position=one)) is None


def test_where_pieces_are_alike_nobody_is_asked_who_holds_one() -> None:
    assert meaning("-a1", position=POSITION._replace(has_alike_pieces=True)) is None


def test_more_pieces_up_than_two_hands_hold_are_down() -> None:
    assert meaning("-a1", "-b1", "-c1") == BoardFault(FaultCode.PIECES_DOWN, ("a1", "b1", "c1"))
    assert meaning("-a1", "-b1") == BoardFault(FaultCode.PIECES_DOWN, ("a1", "b1"))
    assert meaning("-a1", "-b1", long_lifted_pieces=frozenset({"b1"})) == BoardFault(
        FaultCode.PIECES_DOWN, ("a1", "b1")
    )


# Pieces that are all alike

ALIKE = POSITION._replace(
    has_alike_pieces=True, steps={"a1": {"a2": False}, "b1": {"a2": False, "b2": False}, "c1": {"c2": False}}
)


def test_the_first_that_came_to_rest_is_meant_first() -> None:
    assert meaning("-c1", "-b1", "+c2", "+b2", position=ALIKE) == HandIntent("c1", "c2")
    assert meaning("-c1", "-b1", "+b2", "+c2", position=ALIKE) == HandIntent("b1", "b2")


def test_of_two_that_may_both_have_come_there_their_owner_names_one() -> None:
    assert meaning("-a1", "-b1", "+a2", position=ALIKE) == ThatPieceQuestion("a1", "a2", "b1", "red")


def test_where_none_may_go_it_is_likeliest_the_one_lifted_last() -> None:
    assert meaning("-a1", "-c1", "+d4", position=ALIKE) == HandIntent("c1", "d4")
    assert meaning("-c1", "-a1", "+d4", position=ALIKE) == HandIntent("a1", "d4")


# Rows of the table that no hand script reaches


def row_of(*hands: str, **more: Any) -> str | None:
    """The rule by which these hands mean something."""
    found = interpret_hands(situation(*hands, **more))
    return None if found is None else found.transition.rule.__name__


def test_a_piece_in_the_place_of_one_that_it_takes_has_moved_whatever_else_stands_elsewhere() -> None:
    takes = POSITION._replace(captures_by_step={("b1", "b3"): frozenset({"b3"})})
    assert row_of("-b1", "-b3", "+b3", position=takes) == "detect_capture"
    early = ("-a3", "+a4", "-b1", "-b3", "+b3")
    assert meaning(*early, position=takes) == HandIntent("b1", "b3")
    assert row_of(*early, position=takes) == "detect_capture"
    assert row_of("-b1", "-b3", "+b2", position=takes) != "detect_capture", "it may have moved there itself"


def test_while_a_piece_and_one_that_it_takes_are_up_nothing_is_meant() -> None:
    takes = POSITION._replace(captures_by_step={("a1", "a2"): frozenset({"a3"})})
    assert meaning("-a1", "-a3") == BoardFault(FaultCode.NO_ATTACK, ("a1", "a3"))
    assert meaning("-a1", "-a3", position=takes) is None


def test_pieces_that_go_in_one_step_count_once_all_stand_where_it_leads() -> None:
    both = POSITION._replace(companion_moves={("a1", "a2"): (("b1", "b2"),)})
    assert meaning("-a1", "-b1", "+a2", position=both) is None
    assert meaning("-a1", "-b1", "+a2", "+b2", position=both) == HandIntent("a1", "a2")
    assert row_of("-a1", "-b1", "+a2", "+b2", position=both) == "detect_joint_move"


def test_the_board_may_be_put_away_while_it_is_corrected_but_not_while_a_move_is_led_back() -> None:
    empty = [f"-{home}" for home in OWNERS]
    assert meaning(*empty, corrections=owed("c1")) == AdjournQuestion()
    assert meaning(*empty, corrections=owed("c1"), refused_move=("a1", "a2")) is None


def test_an_attack_of_one_of_alike_that_waits_holds_up_the_next_piece() -> None:
    alike = POSITION._replace(has_alike_pieces=True)
    assert attacks.blocking_attack_question(situation("-b1", "-b3", "-a1", position=alike)) is not None
    assert meaning("-b1", "-b3", "-a1", position=alike) is None
    assert meaning("-b1", "-a1", position=alike) == BoardFault(FaultCode.PIECES_DOWN, ("a1", "b1"))


def test_a_piece_set_down_where_the_one_that_moved_last_could_have_gone_may_be_that() -> None:
    last = ("c1", frozenset({"d1"}))
    assert meaning("+d1", last_move_alternatives=last) == WhoStandsQuestion("c1", "d1", "red")
    assert row_of("+d1", last_move_alternatives=last) == "ask_about_late_arrival"
    asked = frozenset({WhoStandsQuestion("c1", "d1", "red")})
    assert meaning("+d1", last_move_alternatives=last, declined_events=asked) == BoardFault(
        FaultCode.EXTRA_PIECE, ("d1",)
    )


def test_a_captured_piece_that_is_set_down_beside_is_asked_about_before_a_move_is_refused() -> None:
    asked = AttackHereQuestion("b1", "b3", "red")
    for hands in (("-b1", "-b3", "+b3", "+z9"), ("-b1", "-b3", "+z9", "+b3")):
        assert meaning(*hands) == asked
        assert row_of(*hands) == "ask_about_capture_beside"
        assert meaning(*hands, declined_events=frozenset({asked})) == HandIntent("b1", "z9")
    assert meaning("-b1", "+z9") == HandIntent("b1", "z9"), "nothing else was up"
    assert meaning("-b1", "-a3", "+a3", "+z9") == HandIntent("b1", "z9"), "it can't attack that one"
    assert meaning("-b3", "+b3", "-b1", "+z9") == HandIntent("b1", "z9"), "that was before"
