"""The marks of a game: what its package makes of everybody's view."""

from __future__ import annotations

from typing import Any

import pytest

from boardrules.colditz.lamps import round_track_length
from boardumpire.lamps.view_marks import finale_shows, idle_board_marks, view_marks

HUNT, ESCAPE = "fall-of-the-fuhrer", "escape-from-colditz"
PLAIN: dict[str, Any] = {"to_act": ["red"]}
TRACK = {f"round-{number}" for number in (1, 2, 3, 4)}


def marks(**view: Any) -> dict[str, str]:
    return view_marks(HUNT, {**PLAIN, **view}, ())


def escaping(*lamps: str, **view: Any) -> dict[str, str]:
    return view_marks(ESCAPE, {**PLAIN, **view}, lamps)


def test_a_view_without_any_of_it_shows_nothing() -> None:
    assert marks() == {}


def test_flags_are_held_and_the_token_may_stand_on_one() -> None:
    assert marks(flags=["a", "b"], token="c") == {"a": "held", "b": "held", "c": "token"}
    assert marks(flags=["a", "b"], token="b") == {"a": "held", "b": "held-token"}
    assert marks(token=None) == {}


def test_flags_of_the_castle_are_ways_out() -> None:
    assert escaping(flags=["a"]) == {"a": "way-out"}


def test_what_changes_outshines_the_flag() -> None:
    assert marks(flags=["a", "b"], liberating="a", lowering="b") == {"a": "rising", "b": "falling"}
    assert escaping(flags=["a"], detected=["a", "c"]) == {"a": "detected", "c": "detected"}
    assert marks(liberating="a", token="a") == {"a": "token"}


def test_rounds_go_up() -> None:
    assert marks(round=3) == {"round-1": "past", "round-2": "past", "round-3": "now"}
    assert marks(round=0) == {}
    assert marks(round=None) == {}


def test_rounds_go_down_where_it_is_known_how_many_there_are() -> None:
    assert escaping(round=3, rounds=4) == {"round-4": "past", "round-3": "now"}
    assert escaping(round=4, rounds=4) == {"round-4": "now"}


def test_the_marker_waits_on_the_last_lamp_of_a_track_that_is_too_short() -> None:
    assert round_track_length(TRACK) == 4
    assert round_track_length([]) == 0
    assert escaping(*TRACK, rounds=9, round=9) == {"round-4": "now"}
    assert escaping(*TRACK, rounds=9, round=3) == {"round-4": "past", "round-3": "now"}


def test_tickets_and_the_die_are_as_many_lamps() -> None:
    assert marks(tickets=2, die=1) == {"ticket-1": "ticket", "ticket-2": "ticket", "die-1": "die"}
    assert marks(tickets=None, die="none") == {}


def test_once_it_is_over_only_the_board_is_shown() -> None:
    over = marks(outcome={"winner": "red"}, flags=["a"], token="b", round=2, tickets=1, die=1, piece="x")
    assert over == {"a": "held", "b": "token"}


def test_pieces_that_take_turns_have_lamps() -> None:
    assert marks(piece="tank") == {"turn-tank": "to-move", "turn-red": "to-move"}
    assert marks(piece=None) == {"turn-red": "to-move"}
    assert marks() == {}


@pytest.mark.parametrize(
    ("open_", "to_act", "shown"),
    [
        (None, ["red"], {"turn-red": "to-move"}),
        (None, ["blue"], {"turn-red": "to-move", "turn-blue": "asks"}),
        ({"asked": ["red", "blue"]}, ["red"], {"turn-red": "to-move", "turn-blue": "asks"}),
        ({"throws": True}, ["red"], {"turn-red": "asks"}),
        ({"throws": False}, ["red"], {"turn-red": "to-move"}),
    ],
)
def test_whoever_has_to_answer_before_the_turn_goes_on_is_asked(
    open_: Any, to_act: list[str], shown: dict[str, str]
) -> None:
    assert escaping(open=open_, turn="red", to_act=to_act) == shown


def test_at_rest_a_board_shows_what_it_has_lamps_for() -> None:
    view = {**PLAIN, "flags": ["a", "b"], "round": 2}
    assert idle_board_marks(HUNT, view, {"turn-red", "a", "round-2"}) == {"a": "held", "round-2": "now"}
    assert idle_board_marks("stratego-classic", PLAIN, {"turn-red", "turn-blue"}) == {"turn-red": "turn-red"}


def test_answers_stay_bright_in_their_round_and_dim_after_it() -> None:
    def told(*answers: tuple[int, str, bool], round: int = 7, **view: Any) -> dict[str, str]:
        said = [{"round": when, "at": city, "here": here} for when, city, here in answers]
        shown = marks(answers=said, round=round, **view)
        return {lamp: mark for lamp, mark in shown.items() if not lamp.startswith("round-")}

    assert told((7, "ulm", False), (6, "kiel", False)) == {"ulm": "not-here", "kiel": "was-not-here"}
    assert told((7, "ulm", True)) == {"ulm": "is-here"}
    assert told((6, "ulm", True)) == {}, "of an earlier yes the token tells"
    assert told((3, "ulm", False), (5, "ulm", True)) == {}, "the newest answer about a city counts"
    assert told((3, "ulm", True), (5, "ulm", False)) == {"ulm": "was-not-here"}
    assert told((6, "ulm", False), flags=["ulm"]) == {"ulm": "held"}
    assert told((7, "ulm", False), flags=["ulm"]) == {"ulm": "not-here"}
    assert told((7, "ulm", False), token="ulm") == {"ulm": "token"}


def test_at_the_end_his_city_is_lit_and_his_way_is_told_once_more() -> None:
    sheet = {"at": "kiel", "start": "ulm", "entries": ["ulm", "bonn", "kiel"]}
    over = {"outcome": {"winner": "allies", "reason": "capture"}, "sheet": sheet, "to_act": []}
    assert marks(**over, flags=["kiel"], answers=[{"round": 3, "at": "ulm", "here": False}], round=3) == {
        "kiel": "is-here",
        "ulm": "was-not-here",
    }
    view = {"game": "fall-of-the-fuhrer", **over}
    shown = list(finale_shows("fall-of-the-fuhrer", view, {"ulm", "bonn", "kiel", "round-1", "round-3"}, 0))
    assert [dict(each.marks) for each in shown] == [
        {"round-1": "now", "ulm": "is-here"},
        {"round-1": "past", "bonn": "is-here"},
        {"round-1": "past", "round-3": "now", "kiel": "is-here"},
    ]
    assert [one.until for one in shown[:2]] == [other.since for other in shown[1:]]
    goes_on = {**view, "outcome": None}
    assert not list(finale_shows("fall-of-the-fuhrer", goes_on, {"ulm"}, 0)), "nothing before all may know it"
