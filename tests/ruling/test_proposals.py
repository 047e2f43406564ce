"""Proposals: who is asked, who may answer, and when all have agreed."""

from __future__ import annotations

import pytest

from boardumpire.ruling.proposals import (
    SeatProposal,
    after_yes,
    counts_at_board,
    may_answer,
    may_decline_at_board,
    proposal_slot,
    propose,
)

SEATS = ("red", "blue", "green")


def test_all_others_are_asked() -> None:
    assert propose("red", "adjourn", SEATS) == SeatProposal("red", "adjourn", frozenset({"blue", "green"}))


def test_everybody_is_asked_about_what_happened_at_the_board() -> None:
    assert propose("", "stands", SEATS).asked == {*SEATS}
    assert propose("red", "stands", SEATS, all_of_them=True).asked == {*SEATS}


def test_who_resigns_is_asked_again_himself() -> None:
    assert propose("red", "resign", SEATS).asked == {"red"}


def test_about_a_pin_nobody_is_asked_but_the_button() -> None:
    proposal = propose("red", "try-pin", SEATS)
    assert proposal.asked == frozenset()
    assert not any(may_answer(proposal, seat, yes) for seat in SEATS for yes in (True, False))
    assert may_answer(proposal, None, True)


def test_a_thing_has_a_word_and_what_it_is_about() -> None:
    assert (propose("red", "by-hand a3", SEATS).kind(), propose("red", "by-hand a3", SEATS).about()) == (
        "by-hand", "a3",
    )  # fmt: skip
    assert (propose("red", "adjourn", SEATS).kind(), propose("red", "adjourn", SEATS).about()) == (
        "adjourn",
        "",
    )


@pytest.mark.parametrize("yes", [True, False])
def test_who_is_asked_may_answer_and_nobody_else(yes: bool) -> None:
    proposal = propose("red", "adjourn", SEATS)
    assert may_answer(proposal, "blue", yes)
    assert may_answer(proposal, None, yes)
    assert not may_answer(proposal, "red", yes)
    assert not may_answer(after_yes(proposal, "blue"), "blue", yes)


@pytest.mark.parametrize("thing", ["move-seat blue", "sit-down blue"])
def test_who_wants_a_seat_may_take_it_back_but_not_agree(thing: str) -> None:
    proposal = propose("red", thing, SEATS)
    assert may_answer(proposal, "red", False)
    assert not may_answer(proposal, "red", True)
    assert not may_answer(after_yes(proposal, "blue"), "blue", False)


def test_each_yes_leaves_the_others_to_say_theirs_and_the_button_speaks_for_all() -> None:
    proposal = propose("red", "new-game", SEATS)
    assert after_yes(proposal, "blue").asked == {"green"}
    assert after_yes(after_yes(proposal, "blue"), "green").asked == frozenset()
    assert after_yes(proposal, None).asked == frozenset()
    assert after_yes(proposal, "red").asked == proposal.asked


def test_the_button_says_yes_for_nobody_whose_screen_is_open() -> None:
    proposal = propose("red", "adjourn", SEATS)
    assert after_yes(proposal, None, {"blue"}).asked == {"blue"}
    assert counts_at_board(proposal, {"blue"}), "for the other one"
    assert not counts_at_board(proposal, {"blue", "green"})
    assert not counts_at_board(propose("red", "resign", SEATS), {"red"})
    assert counts_at_board(propose("red", "resign", SEATS), {"blue", "green"})


def test_a_no_at_the_board_is_of_whom_it_speaks_for_or_of_who_proposed() -> None:
    proposal = propose("red", "adjourn", SEATS)
    assert may_decline_at_board(proposal, {"red", "blue"}), "for green"
    assert may_decline_at_board(proposal, {"blue", "green"}), "red thinks better of it"
    assert not may_decline_at_board(proposal, SEATS)
    assert may_decline_at_board(propose("", "shut-down", SEATS), SEATS)
    assert may_decline_at_board(propose("red", "sit-down blue", SEATS), SEATS), "a stranger asks"


@pytest.mark.parametrize("thing", ["shut-down", "new-game", "try-pin"])
def test_what_those_at_the_board_want_of_the_machine_is_theirs_to_confirm(thing: str) -> None:
    proposal = propose("", thing, SEATS)
    assert counts_at_board(proposal, SEATS)
    assert after_yes(proposal, None, SEATS).asked == frozenset()


def test_a_seat_whose_screen_is_open_moves_by_its_own_yes_alone() -> None:
    proposal = propose("red", "move-seat red", SEATS)  # when it was asked for no screen was open
    for seat in ("blue", "green"):
        proposal = after_yes(proposal, seat, {"red"})
    assert proposal.asked == {"red"}
    assert not counts_at_board(proposal, {"red"})
    assert after_yes(proposal, None, {"red"}).asked == {"red"}
    assert after_yes(proposal, "red", {"red"}).asked == frozenset()


def test_each_seat_has_one_proposal_of_its_own_and_so_have_strangers() -> None:
    things = [
        ("red", "adjourn"),
        ("blue", "by-hand a3"),
        ("", "shut-down"),
        ("red", "move-seat red"),
        ("", "try-pin"),
    ]
    slots = [proposal_slot(propose(by, thing, SEATS)) for by, thing in things]
    assert len(set(slots)) == len(slots)
    assert proposal_slot(propose("red", "resign", SEATS)) == proposal_slot(propose("red", "adjourn", SEATS))
    assert proposal_slot(propose("red", "move-seat red", SEATS)) == proposal_slot(
        propose("blue", "sit-down blue", SEATS)
    )
