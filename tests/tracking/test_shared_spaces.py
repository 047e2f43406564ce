"""Stacks: several pieces in one space, by places. Two slots feel `munich`, one every other space."""

from __future__ import annotations

import pytest

from boardrules.core import LayoutPiece, Step
from boardumpire.tracking import shared_spaces
from boardumpire.tracking.events import (
    BoardFault,
    BoardGuidance,
    BoardInOrder,
    Correction,
    FaultCode,
    LiftReminder,
    MovePutBack,
    SuspectSpace,
    TrackerEvent,
    UnconfirmedCorrection,
)
from boardumpire.tracking.model import PublicPosition
from boardumpire.tracking.questions import InHandQuestion

ROOMS = {"munich": 2}
MOVERS = frozenset({"red"})

BLUE_1 = LayoutPiece("blue", "1")
BLUE_2 = LayoutPiece("blue", "2")
BLUE_3 = LayoutPiece("blue", "3")
BLUE_7 = LayoutPiece("blue", "7")
RED_1 = LayoutPiece("red", "1")
RED_2 = LayoutPiece("red", "2")
RED_9 = LayoutPiece("red", "9")


def position(owners: dict[str, str], **more: object) -> PublicPosition:
    return PublicPosition(owners, frozenset(), MOVERS, {})._replace(**more)  # type: ignore[arg-type]


def test_a_place_is_named_by_its_space_and_number() -> None:
    assert [shared_spaces.place_of("munich", number) for number in range(3)] == [
        "munich",
        "munich+1",
        "munich+2",
    ]
    assert [shared_spaces.space_of(where) for where in ("munich", "munich+12")] == ["munich", "munich"]
    assert [shared_spaces.number_of(where) for where in ("munich", "munich+12")] == [0, 12]


def test_every_place_that_can_be_felt() -> None:
    spaces = frozenset({"munich", "berlin"})
    assert shared_spaces.all_places(spaces, ROOMS) == {"munich", "munich+1", "berlin"}
    assert shared_spaces.all_places(spaces, {"munich": 0}) == spaces


def test_where_slots_are_too_few_those_who_may_be_moved_stand_first() -> None:
    layout = {
        "munich": (BLUE_1, RED_1, BLUE_2),
        "berlin": (BLUE_3,),
    }
    assert shared_spaces.assign_places(layout, MOVERS, ROOMS).pieces == {
        "munich": RED_1, "munich+1": BLUE_1, "munich+2": BLUE_2, "berlin": BLUE_3,
    }  # fmt: skip


CELLS = {"cells": 3}


@pytest.mark.parametrize(
    ("belong", "stand", "alike", "expected"),
    [
        # Who came by the ruling takes the free place, whoever is to move.
        (
            (RED_1, BLUE_1),
            (BLUE_1,),
            False,
            ((BLUE_1, RED_1), set(), {}),
        ),
        (
            (BLUE_7, RED_2),
            (RED_9,),
            True,
            ((RED_2, BLUE_7), set(), {}),
        ),
        # Who has to leave is in the place of one that is missing, or in one more.
        (
            (BLUE_1,),
            (RED_1, BLUE_1),
            False,
            ((BLUE_1,), set(), {"cells+1": RED_1}),
        ),
        (
            (BLUE_1,),
            (RED_1,),
            False,
            ((BLUE_1,), set(), {"cells": RED_1}),
        ),
        (
            (),
            (RED_1, BLUE_1),
            False,
            ((), set(), {"cells": RED_1, "cells+1": BLUE_1}),
        ),
    ],
)
def test_what_is_known_to_stand_in_a_space_comes_first(
    belong: tuple[LayoutPiece, ...], stand: tuple[LayoutPiece, ...], alike: bool, expected: object
) -> None:
    known = {"cells": shared_spaces.KnownPieces(stand, len(stand))}
    placed = shared_spaces.assign_places(
        {"cells": belong} if belong else {}, MOVERS, CELLS, known, alike=alike
    )
    assert (tuple(placed.pieces.values()), set(placed.off_slot_places), placed.leaving_pieces) == expected


def test_who_stands_beside_the_slots_needs_one_of_its_own() -> None:
    known = {"cells": shared_spaces.KnownPieces((RED_1, BLUE_1), 1)}
    placed = shared_spaces.assign_places({"cells": (BLUE_1, RED_1, RED_2)}, MOVERS, CELLS, known)
    assert list(placed.pieces.values()) == [RED_1, RED_2, BLUE_1]
    assert placed.off_slot_places == {"cells+2"}


def test_a_step_leads_from_the_places_of_those_who_move() -> None:
    stands = {"munich": "red", "munich+1": "red", "munich+2": "blue", "berlin": "red"}
    many = shared_spaces.count_pieces(stands)
    assert many == {"munich": 3, "berlin": 1}
    assert shared_spaces.origins_of_step("munich", stands, many, MOVERS) == ["munich", "munich+1"]
    assert shared_spaces.origins_of_step("munich", {"munich": "blue"}, {"munich": 1}, MOVERS) == ["munich"]
    assert shared_spaces.origins_of_step("munich", {}, {}, MOVERS) == ["munich"]


def test_a_step_leads_to_the_next_place_and_an_attack_to_the_space() -> None:
    many = {"munich": 2}
    assert shared_spaces.target_of_step(Step("berlin", "munich", attack=False), many) == "munich+2"
    assert shared_spaces.target_of_step(Step("berlin", "munich", attack=True), many) == "munich"
    assert shared_spaces.target_of_step(Step("munich", "berlin", attack=False), many) == "berlin"


def test_early_places_are_found_again_though_they_are_counted_anew() -> None:
    now = ["munich", "munich+1", "munich+2", "berlin"]
    assert shared_spaces.match_places_by_space(now, ["munich+1", "munich+5"]) == {"munich", "munich+1"}
    assert shared_spaces.match_places_by_space(now, ["hamburg"]) == set()


def test_beyond_its_slots_a_space_is_crowded() -> None:
    places = ["munich", "munich+1", "munich+2", "berlin", "berlin+1"]
    assert shared_spaces.crowded_places(places, ROOMS) == {"munich+2", "berlin+1"}


def test_who_stands_with_a_crowded_one_shares() -> None:
    stands = ["munich", "munich+1", "munich+2", "berlin", "hamburg"]
    crowd = frozenset({"munich+2", "hamburg+1"})
    assert shared_spaces.shared_places(stands, crowd) == {"munich", "munich+1", "munich+2"}


def test_counts_name_the_places_that_are_felt() -> None:
    assert shared_spaces.felt_places({"munich": 2, "berlin": 1, "hamburg": 0}) == {
        "munich",
        "munich+1",
        "berlin",
    }


@pytest.mark.parametrize(
    ("now", "count", "means"),
    [
        (set(), 1, [("berlin", True)]),
        ({"berlin"}, 1, []),
        ({"berlin"}, 0, [("berlin", False)]),
        (set(), 0, []),
        ({"munich"}, 0, []),
    ],
)
def test_a_space_like_most(now: set[str], count: int, means: list[tuple[str, bool]]) -> None:
    owners = {"berlin": "red"}
    assert list(shared_spaces.place_changes("berlin", count, now, position(owners))) == means


def test_what_is_played_by_hand_counts_as_not_felt() -> None:
    blind = position({"berlin": "red"}, hand_played_places=frozenset({"berlin"}))
    assert list(shared_spaces.place_changes("berlin", 1, {"berlin"}, blind)) == [("berlin", True)]
    assert list(shared_spaces.place_changes("berlin", 0, {"berlin"}, blind)) == []


THREE = position({"munich": "red", "munich+1": "red", "munich+2": "blue"})


@pytest.mark.parametrize(
    ("now", "count", "chores", "means"),
    [
        # What belongs there comes first, before a stranger.
        (set(), 2, (), [("munich", True), ("munich+1", True)]),
        ({"munich+1"}, 2, (), [("munich", True)]),
        ({"munich", "munich+1", "munich+2"}, 4, (), [("munich+3", True)]),
        (set(), 1, ("munich+2",), [("munich+2", True)]),
        # First goes a stranger, then who may be moved.
        ({"munich", "munich+1", "munich+2", "munich+3", "munich+4"}, 3, (),
         [("munich+4", False), ("munich+3", False)]),
        ({"munich", "munich+1", "munich+2"}, 1, (), [("munich", False), ("munich+1", False)]),
        ({"munich", "munich+1", "munich+2"}, 0, (),
         [("munich", False), ("munich+1", False), ("munich+2", False)]),
        ({"munich", "munich+1", "berlin"}, 2, (), []),
    ],
)  # fmt: skip
def test_who_comes_and_who_goes_where_several_stand(
    now: set[str], count: int, chores: tuple[str, ...], means: list[tuple[str, bool]]
) -> None:
    before = set(now)
    assert list(shared_spaces.place_changes("munich", count, now, THREE, chores)) == means
    assert now == before


def test_a_second_piece_may_come_where_one_stands() -> None:
    one = position({"munich": "blue"})
    assert list(shared_spaces.place_changes("munich", 2, {"munich"}, one)) == [("munich+1", True)]
    assert list(shared_spaces.place_changes("munich", 1, {"munich", "munich+1"}, one)) == [
        ("munich+1", False)
    ]
    assert list(shared_spaces.place_changes("munich", 2, set(), position({}))) == [
        ("munich", True),
        ("munich+1", True),
    ]


def test_who_may_be_moved_goes_first_wherever_he_stands() -> None:
    one = position({"munich": "blue", "munich+1": "red"})
    assert list(shared_spaces.place_changes("munich", 1, {"munich", "munich+1"}, one)) == [
        ("munich+1", False)
    ]


def test_what_has_to_leave_goes_before_who_may_be_moved() -> None:
    two = position(
        {"munich": "blue", "munich+1": "red"}, leaving_pieces={"munich": LayoutPiece("green", "1")}
    )
    assert list(shared_spaces.place_changes("munich", 1, {"munich", "munich+1"}, two, {"munich"})) == [
        ("munich", False)
    ]
    # Once that is done it is as ever.
    assert list(shared_spaces.place_changes("munich", 1, {"munich", "munich+1"}, two, ())) == [
        ("munich+1", False)
    ]


def test_crowded_places_are_not_counted() -> None:
    crowded = THREE._replace(hand_played_places=frozenset({"munich+2"}))
    assert list(shared_spaces.place_changes("munich", 2, {"munich", "munich+2"}, crowded)) == [
        ("munich+1", True)
    ]


def test_hands_that_go_from_space_to_space_go_from_place_to_place() -> None:
    stand = position({"munich": "red"}, steps={"munich+1": {"berlin": True, "hamburg+1": False}})
    assert shared_spaces.step_of_hands(("munich", "hamburg"), stand) == ("munich+1", "hamburg+1")
    assert shared_spaces.step_of_hands(("munich", "bonn"), stand) == ("munich", "bonn")
    assert shared_spaces.step_of_hands((), stand) == ()
    assert shared_spaces.step_of_hands(None, stand) is None


def test_hands_are_unseen_where_they_leave_or_reach_what_nothing_feels() -> None:
    stand = position({"munich": "red"}, steps={"munich+1": {"hamburg+1": False}})
    hands = ("munich", "hamburg")
    assert not shared_spaces.is_step_unsensed(hands, stand)
    assert shared_spaces.is_step_unsensed(hands, stand._replace(hand_played_places=frozenset({"hamburg+1"})))
    assert shared_spaces.is_step_unsensed(hands, stand._replace(shared_places=frozenset({"munich+1"})))
    assert not shared_spaces.is_step_unsensed((), stand._replace(shared_places=frozenset({"munich+1"})))


@pytest.mark.parametrize(
    ("said", "outward"),
    [
        (
            BoardFault(FaultCode.BETWEEN_SPACES, ("munich", "munich+1")),
            BoardFault(FaultCode.BETWEEN_RINGS, ("munich",)),
        ),
        (
            BoardFault(FaultCode.BETWEEN_SPACES, ("munich+1", "bonn")),
            BoardFault(FaultCode.BETWEEN_SPACES, ("munich", "bonn")),
        ),
        (
            BoardFault(FaultCode.UNCLEAR_MOVES, ("munich", "munich+1")),
            BoardFault(FaultCode.UNCLEAR_MOVES, ("munich", "munich")),
        ),
        (InHandQuestion("munich+1", None), InHandQuestion("munich", None)),
        (LiftReminder("munich+1", may_be_attacked=True), LiftReminder("munich", may_be_attacked=True)),
        (UnconfirmedCorrection(("munich", "munich+1", "bonn")), UnconfirmedCorrection(("munich", "bonn"))),
        (SuspectSpace("munich+1"), SuspectSpace("munich")),
        (MovePutBack("munich+1", "bonn+2"), MovePutBack("munich", "bonn")),
        (BoardInOrder(), BoardInOrder()),
    ],
)
def test_people_are_told_spaces(said: TrackerEvent, outward: TrackerEvent) -> None:
    assert shared_spaces.event_by_spaces(said) == outward


def test_guidance_names_spaces() -> None:
    asked = InHandQuestion("munich+1", "red")
    inward = BoardGuidance(
        (Correction("put", "munich+1", "red"),),
        ("munich+2",),
        {"bonn+1": False, "ulm": True},
        asked,
        ("munich+1",),
    )
    assert shared_spaces.guidance_by_spaces(inward) == BoardGuidance(
        (Correction("put", "munich", "red"),),
        ("munich",),
        {"bonn": False, "ulm": True},
        InHandQuestion("munich", "red"),
        ("munich",),
    )


@pytest.mark.parametrize("part", ["chore", "lifted", "hint", "late", "question"])
def test_no_place_is_overlooked(part: str) -> None:
    inward = BoardGuidance(
        (Correction("put", "munich+1", "red"),) if part == "chore" else (),
        ("munich+1",) if part == "lifted" else (),
        {"munich+1": True} if part == "hint" else {},
        InHandQuestion("munich+1", None) if part == "question" else None,
        ("munich+1",) if part == "late" else (),
    )
    assert "+" not in str(shared_spaces.guidance_by_spaces(inward))


def test_what_lies_between_two_rings_of_a_space_comes_down_on_one_of_them() -> None:
    put = Correction("put", "bonn", "red")

    def between(*places: str) -> tuple[Correction, ...]:
        centred = tuple(Correction("centre", where, None) for where in places)
        return shared_spaces.guidance_by_spaces(
            BoardGuidance((put, *centred), ("ulm+1",), {}, None)
        ).corrections

    assert between("munich", "munich+1") == (put, Correction("ring", "munich", None))
    assert between("munich+1") == (put, Correction("centre", "munich", None))
    assert between("munich", "ulm") == (
        put,
        Correction("centre", "munich", None),
        Correction("centre", "ulm", None),
    )
