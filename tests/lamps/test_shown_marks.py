"""What the lamps mean: marks of hands and rulings, made of values alone."""

from __future__ import annotations

from typing import Any

import pytest

from boardrules.core import Event, LayoutPiece, Refusal
from boardumpire.lamps import policy
from boardumpire.lamps.policy import AwaitedAnswer, LightShow
from boardumpire.ruling.umpire import Ruling
from boardumpire.tracking.events import BoardGuidance, Correction
from boardumpire.tracking.model import PublicPosition
from boardumpire.tracking.questions import InHandQuestion, make_question
from rules.armies import at

NOTHING = BoardGuidance((), (), {}, None)
TANK, SPY = LayoutPiece("allies", "tank"), LayoutPiece("allies", "spy")
POSITION = PublicPosition(
    {"a1": "red", "b1": "red", "c1": "red", "h8": "blue"},
    frozenset({"c1"}),
    frozenset({"red"}),
    {"a1": {"a2": False, "h8": True}, "h8": {"h7": False}},
)


def battle(result: str, audience: str | None = None) -> Event:
    return Event("battle", (("from", "a1"), ("to", "a2"), ("result", result)), audience)


def test_a_lift_is_foreseen_with_where_the_piece_may_go() -> None:
    assert policy.hints_after_lift(POSITION, NOTHING) == {
        "a1": {"a2": "may-go", "h8": "may-attack", "a1": "lifted"},
        "b1": {"b1": "lifted"},
        "h8": {"h8": "lifted"},
    }


@pytest.mark.parametrize(
    "busy",
    [
        NOTHING._replace(corrections=(Correction("put", "b1", "red"),)),
        NOTHING._replace(lifted_places=("b1",)),
        NOTHING._replace(question=InHandQuestion("b1", "red")),
        NOTHING._replace(overdue_pieces=("b1",)),
    ],
)
def test_nothing_is_foreseen_while_chores_are_open_or_hands_are_busy(busy: BoardGuidance) -> None:
    assert policy.hints_after_lift(POSITION, busy) == {}


def test_nothing_is_foreseen_of_a_reed_that_is_not_believed_or_waits_for_an_answer() -> None:
    position = POSITION._replace(
        hand_played_places=frozenset({"a1"}), places_awaiting_answer=frozenset({"h8"})
    )
    assert policy.hints_after_lift(position, NOTHING) == {"b1": {"b1": "lifted"}}


def test_chores_outshine_hints_and_lifts() -> None:
    guidance = BoardGuidance((Correction("take", "a2", None),), ("a1", "a2"), {"a2": True, "a3": False}, None)
    assert policy.frame_marks(guidance, (), AwaitedAnswer(), (), 0) == {
        "a1": "lifted",
        "a2": "take",
        "a3": "may-go",
    }


@pytest.mark.parametrize(
    ("kind", "mark"), [("put", "put"), ("take", "take"), ("centre", "put"), ("ring", "put")]
)
def test_each_chore_has_its_mark(kind: str, mark: str) -> None:
    guidance = NOTHING._replace(corrections=(Correction(kind, "a1", None),))
    assert policy.frame_marks(guidance, (), AwaitedAnswer(), (), 0) == {"a1": mark}


PUT_ALL = NOTHING._replace(
    corrections=(
        Correction("put", "barracks", "guards"),
        Correction("put", "cells", "men"),
        Correction("take", "hall", None),
        Correction("put", "office", "guards"),
    )
)


def test_of_several_sides_whose_pieces_are_to_be_put_one_is_asked_at_a_time() -> None:
    layout = {
        space: tuple(map(LayoutPiece.parse, pieces))
        for space, pieces in {
            "barracks": ("guards:1", "guards:2"),
            "cells": ("men:3",),
            "office": ("guards:4",),
        }.items()
    }
    has = {"barracks", "cells", "hall", "office", "turn-guards", "turn-men"}
    guidance, side = policy.corrections_in_turn(PUT_ALL, layout, has)
    assert [chore.space for chore in guidance.corrections] == ["barracks", "hall", "office"]
    assert side == {"turn-guards": "put"}
    rest = PUT_ALL._replace(corrections=PUT_ALL.corrections[1:3])
    assert policy.corrections_in_turn(rest, layout, has) == (rest, {}), "only one side is left: all as ever"
    assert policy.corrections_in_turn(PUT_ALL, layout, has - {"turn-men"}) == (PUT_ALL, {}), (
        "nothing could name them"
    )


def test_pieces_with_lamps_of_their_own_are_asked_for_one_by_one() -> None:
    layout = {"kassel": (TANK,), "linz": (SPY,)}
    guidance = NOTHING._replace(
        corrections=(Correction("put", "kassel", "allies"), Correction("put", "linz", "allies"))
    )
    shown, side = policy.corrections_in_turn(guidance, layout, {"turn-tank", "turn-spy"})
    assert [chore.space for chore in shown.corrections] == ["kassel"]
    assert side == {"turn-tank": "put"}
    assert policy.corrections_in_turn(guidance, layout, {"turn-allies"}) == (guidance, {})


def test_a_piece_that_comes_where_others_belong_is_named_by_its_lamp() -> None:
    layout = {
        "kassel": (TANK, SPY),
        "cells": (LayoutPiece("british", "1"), LayoutPiece("american", "2")),
    }
    named = NOTHING._replace(corrections=(Correction("put", "kassel", "allies", printed_name="spy"),))
    assert policy.corrections_in_turn(named, layout, {"turn-tank", "turn-spy"}) == (
        named,
        {"turn-spy": "put"},
    )
    man = NOTHING._replace(corrections=(Correction("put", "cells", "american"),))
    assert policy.corrections_in_turn(man, layout, {"turn-american"}) == (man, {"turn-american": "put"})
    assert policy.corrections_in_turn(man, layout, ()) == (man, {})


def test_late_pieces_are_asked_back_and_questions_outshine_that() -> None:
    guidance = NOTHING._replace(overdue_pieces=("a1", "b1"), lifted_places=("a1", "b1"))
    shown = policy.frame_marks(guidance, (), AwaitedAnswer(frozenset(), ("b1",)), (), 0)
    assert shown == {"a1": "put", "b1": "asks"}


def test_whose_turn_it_is_and_who_is_asked() -> None:
    asked = AwaitedAnswer(frozenset({"blue"}), lamps=("turn-blue",))
    shown = policy.frame_marks(NOTHING, ("red",), asked, (), 0, {"turn-blue": "time-short"})
    assert shown == {"turn-red": "turn-red", "turn-blue": "asks"}


HUNT = ("turn-hitler", "turn-tank", "turn-spy", "turn-infantry", "ulm", "kiel")


@pytest.mark.parametrize(
    ("asked", "layout", "has", "lamps"),
    [
        ({"hitler"}, {}, HUNT, ["turn-hitler"]),
        ({"allies"}, {}, HUNT, ["turn-tank", "turn-spy", "turn-infantry"]),
        (
            {"tank-spy"},
            {"ulm": (LayoutPiece("tank-spy", "tank"), LayoutPiece("tank-spy", "spy"))},
            HUNT,
            ["turn-tank", "turn-spy"],
        ),
        ({"infantry"}, {"ulm": (LayoutPiece("tank-spy", "tank"),)}, HUNT, ["turn-infantry"]),
        ({"allies"}, {"ulm": (TANK,)}, ("ulm", "kiel"), ["ulm"]),
        ({"hitler"}, {"ulm": (TANK,)}, ("ulm", "kiel"), ["ulm", "kiel"]),
        (
            {"red", "blue"},
            {"a1": (LayoutPiece("red", "1"),)},
            ("a1", "turn-red", "turn-blue"),
            ["turn-blue", "turn-red"],
        ),
    ],
)
def test_every_side_has_a_lamp_that_asks_it(
    asked: set[str], layout: Any, has: tuple[str, ...], lamps: list[str]
) -> None:
    seats = (*sorted(asked), "hitler")
    assert list(policy.side_lamps(asked, seats, layout, has)) == lamps


def test_first_lies_beneath_hands_and_above_turns() -> None:
    guidance = NOTHING._replace(lifted_places=("a1",))
    shown = policy.frame_marks(
        guidance, ("red",), AwaitedAnswer(), (), 0, {"a1": "held", "turn-red": "time-short"}
    )
    assert shown == {"a1": "lifted", "turn-red": "time-short"}


def test_what_is_shown_for_a_while_outshines_all_until_its_moment() -> None:
    guidance = NOTHING._replace(corrections=(Correction("put", "a1", None),))
    shows = (LightShow({"a1": "refused"}, 100),)
    assert policy.frame_marks(guidance, (), AwaitedAnswer(), shows, 99) == {"a1": "refused"}
    assert policy.frame_marks(guidance, (), AwaitedAnswer(), shows, 100) == {"a1": "put"}


def test_an_attack_waits_at_both_ends() -> None:
    for code, mark in (("attack-pending", "attack-waits"), ("attack-counting", "attack-counts")):
        question = make_question(code, ("a1", "h8"), "red")
        assert policy.pending_attack_marks(question) == {"a1": mark, "h8": mark}
        assert policy.frame_marks(NOTHING._replace(question=question), (), AwaitedAnswer(), (), 0) == {
            "a1": mark, "h8": mark,
        }  # fmt: skip
    assert policy.pending_attack_marks(InHandQuestion("a1", "red")) == {}
    assert policy.pending_attack_marks(None) == {}


@pytest.mark.parametrize(
    ("code", "spaces", "about"),
    [
        ("attack-pending", ("a1", "h8"), ("h8",)),
        ("attack-here", ("a1", "h8"), ("h8",)),
        ("in-hand", ("a1",), ("a1",)),
        ("that-piece", ("a1", "a2", "b1"), ("a1", "b1")),
        ("came-from", ("a1", "a2"), ("a1",)),
        ("same-places", ("a1", "a2"), ("a1", "a2")),
    ],
)
def test_a_question_lights_the_spaces_that_it_is_about(
    code: str, spaces: tuple[str, ...], about: tuple[str, ...]
) -> None:
    assert policy.awaited_by_question(make_question(code, spaces, "red"), ("red", "blue")) == AwaitedAnswer(
        frozenset({"red"}), about
    )
    assert policy.awaited_by_question(make_question(code, spaces, None), ("red", "blue")).seats == {
        "red",
        "blue",
    }


STATE = at("3 a3, 9 h1, F h3", "2 a4, 3 h6, F a8")
MOVE = STATE.parse("a3-a4", "red")


def ruled(*events: Event, refusal: Refusal | None = None, hands: tuple[str, ...] = ()) -> Ruling:
    return Ruling(MOVE, STATE, events, refusal, hands, None)


def test_a_refusal_flashes_where_hands_tried_it() -> None:
    no = Refusal("stratego/lake", "Q11")
    shown = LightShow({"a3": "refused", "a4": "refused"}, 1000 + policy.REFUSAL_SHOW_US)
    assert policy.ruling_show(ruled(refusal=no, hands=("a3", "a4")), 1000) == shown
    assert policy.ruling_show(ruled(refusal=no), 1000) is None
    assert policy.fault_show(("a3", "a4"), 1000) == shown


@pytest.mark.parametrize(
    ("result", "mark"),
    [("attacker", "attacker-stands"), ("defender", "defender-stands"), ("both", "both-fall")],
)
def test_the_result_of_a_battle_sweeps_from_the_attacker_on(result: str, mark: str) -> None:
    show = policy.ruling_show(ruled(Event("told", ()), battle(result)), 1000)
    assert show == LightShow({"a1": f"{mark}+0", "a2": f"{mark}+1"}, 1000 + policy.BATTLE_SHOW_US)


def test_what_not_everybody_may_know_is_never_shown() -> None:
    assert policy.ruling_show(ruled(battle("both", frozenset({"red"}))), 0) is None
    assert policy.answers_show([answer("yes", "a1", frozenset({"red"}))], 0) is None


def answer(thing: str, space: str | None, audience: frozenset[str] | None = None) -> Event:
    return Event("answer", (("thing", thing), *((("at", space),) if space else ())), audience)


def test_answers_about_spaces_are_shown_for_a_while() -> None:
    events = [answer("yes", "a1"), answer("no", "b1"), answer("yes", None), Event("told", (("at", "c1"),))]
    shown = policy.answers_show(events, 1000)
    assert shown == LightShow({"a1": "is-here", "b1": "not-here"}, 1000 + policy.ANSWER_SHOW_US)
    assert policy.answers_show([answer("yes", None)], 1000) is None


def test_pads_and_free_spaces() -> None:
    marks = policy.pad_lights(("pad-red",), {"pad-blue": True, "pad-red": False}, ("a1",))
    assert marks == {"pad-red": "asks", "pad-blue": "put", "a1": "may-go"}


def test_a_clock_that_is_short_lights_the_turn_too_unless_it_asks() -> None:
    clock = policy.clock_lights
    assert clock("red", short=False, asked=False) == {"clock-red": "clock-runs"}
    assert clock("red", short=True, asked=True) == {"clock-red": "time-short"}
    assert clock("red", short=True, asked=False) == {"clock-red": "time-short", "turn-red": "time-short"}
