"""Proposals: who is asked, who may answer, and when all have agreed."""

from __future__ import annotations

import pytest

from boardumpire.ruling.proposals import (
    SeatProposal,
    after_yes,
    make_proposal,
    may_accept_at_board,
    may_answer,
    may_decline_at_board,
    proposal_slot,
)

SEATS = ("red", "blue", "green")


def test_all_others_are_asked() -> None:
    assert make_proposal("red", "adjourn", SEATS) == SeatProposal(
        "red", "adjourn", frozenset({"blue", "green"})
    )


def test_everybody_is_asked_about_what_happened_at_the_board() -> None:
    assert make_proposal("", "stands", SEATS).seats_asked == {*SEATS}
    assert make_proposal("red", "stands", SEATS, all_of_them=True).seats_asked == {*SEATS}


def test_who_resigns_is_asked_again_himself() -> None:
    assert make_proposal("red", "by-hand a1", ("red",)).seats_asked == {"red"}, "who plays alone"
    assert make_proposal("red", "resign", SEATS).seats_asked == {"red"}


def test_about_a_pin_nobody_is_asked_but_the_button() -> None:
    proposal = make_proposal("red", "try-pin", SEATS)
    assert proposal.seats_asked == frozenset()
    assert not any(may_answer(proposal, seat, yes) for seat in SEATS for yes in (True, False))
    assert may_answer(proposal, None, True)


def test_a_thing_has_a_word_and_what_it_is_about() -> None:
    assert (
        make_proposal("red", "by-hand a3", SEATS).kind(),
        make_proposal("red", "by-hand a3", SEATS).subject(),
    ) == (
        "by-hand",
        "a3",
    )
    assert (
        make_proposal("red", "adjourn", SEATS).kind(),
        make_proposal("red", "adjourn", SEATS).subject(),
    ) == (
        "adjourn",
        "",
    )


@pytest.mark.parametrize("yes", [True, False])
def test_who_is_asked_may_answer_and_nobody_else(yes: bool) -> None:
    proposal = make_proposal("red", "adjourn", SEATS)
    assert may_answer(proposal, "blue", yes)
    assert may_answer(proposal, None, yes)
    assert not may_answer(proposal, "red", yes)
    assert not may_answer(after_yes(proposal, "blue"), "blue", yes)


@pytest.mark.parametrize("thing", ["move-seat blue", "sit-down blue"])
def test_who_wants_a_seat_may_take_it_back_but_not_agree(thing: str) -> None:
    proposal = make_proposal("red", thing, SEATS)
    assert may_answer(proposal, "red", False)
    assert not may_answer(proposal, "red", True)
    assert not may_answer(after_yes(proposal, "blue"), "blue", False)


def test_each_yes_leaves_the_others_to_say_theirs_and_the_button_speaks_for_all() -> None:
    proposal = make_proposal("red", "new-game", SEATS)
    assert after_yes(proposal, "blue").seats_asked == {"green"}
    assert after_yes(after_yes(proposal, "blue"), "green").seats_asked == frozenset()
    assert after_yes(proposal, None).seats_asked == frozenset()
    assert after_yes(proposal, "red").seats_asked == proposal.seats_asked


def test_the_button_says_yes_for_nobody_whose_screen_is_open() -> None:
    proposal = make_proposal("red", "adjourn", SEATS)
    assert after_yes(proposal, None, {"blue"}).seats_asked == {"blue"}
    assert may_accept_at_board(proposal, {"blue"}), "for the other one"
    assert not may_accept_at_board(proposal, {"blue", "green"})
    assert not may_accept_at_board(make_proposal("red", "resign", SEATS), {"red"})
    assert may_accept_at_board(make_proposal("red", "resign", SEATS), {"blue", "green"})


def test_a_no_at_the_board_is_of_whom_it_speaks_for_or_of_who_proposed() -> None:
    proposal = make_proposal("red", "adjourn", SEATS)
    assert may_decline_at_board(proposal, {"red", "blue"}), "for green"
    assert may_decline_at_board(proposal, {"blue", "green"}), "red thinks better of it"
    assert not may_decline_at_board(proposal, SEATS)
    assert may_decline_at_board(make_proposal("", "shut-down", SEATS), SEATS)
    assert may_decline_at_board(make_proposal("red", "sit-down blue", SEATS), SEATS), "a stranger asks"


@pytest.mark.parametrize("thing", ["shut-down", "new-game", "try-pin"])
def test_what_those_at_the_board_want_of_the_machine_is_theirs_to_confirm(thing: str) -> None:
    proposal = make_proposal("", thing, SEATS)
    assert may_accept_at_board(proposal, SEATS)
    assert after_yes(proposal, None, SEATS).seats_asked == frozenset()


def test_a_seat_whose_screen_is_open_moves_by_its_own_yes_alone() -> None:
    proposal = make_proposal("red", "move-seat red", SEATS)  # when it was asked for no screen was open
    for seat in ("blue", "green"):
        proposal = after_yes(proposal, seat, {"red"})
    assert proposal.seats_asked == {"red"}
    assert not may_accept_at_board(proposal, {"red"})
    assert after_yes(proposal, None, {"red"}).seats_asked == {"red"}
    assert after_yes(proposal, "red", {"red"}).seats_asked == frozenset()


def test_each_seat_has_one_proposal_of_its_own_and_so_have_strangers() -> None:
    things = [
        ("red", "adjourn"),
        ("blue", "by-hand a3"),
        ("", "shut-down"),
        ("red", "move-seat red"),
        ("", "try-pin"),
    ]
    slots = [proposal_slot(make_proposal(by, thing, SEATS)) for by, thing in things]
    assert len(set(slots)) == len(slots)
    assert proposal_slot(make_proposal("red", "resign", SEATS)) == proposal_slot(
        make_proposal("red", "adjourn", SEATS)
    )
    assert proposal_slot(make_proposal("red", "move-seat red", SEATS)) == proposal_slot(
        make_proposal("blue", "sit-down blue", SEATS)
    )
