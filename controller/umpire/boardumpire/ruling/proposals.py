"""What seats agree on among themselves: proposals, and who has still to say yes. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from boardrules.core import Seat
from boardware.ports import SECOND, Micros

LAPSES_AFTER_US: Micros = 20 * SECOND
"""How long a proposal waits for its answers."""


class SeatProposal(NamedTuple):
    """Something a seat wants that the rules of the game don't know."""

    by: Seat
    """Empty: by whoever is at the board."""
    request: str
    """`by-hand SPACE`, `by-reed SPACE`, `stands` (all pieces are where the game has them), `resign`,
    `adjourn`, `new-game`, `shut-down`, `try-pin`, `move-seat SEAT`, `sit-down SEAT`."""
    seats_asked: frozenset[Seat]
    """The seats that have still to say yes."""
    seats_agreed: frozenset[Seat] = frozenset()
    """The seats that have said yes on their own screens."""

    def kind(self) -> str:
        """The kind of thing, without what it is about."""
        return self.request.partition(" ")[0]

    def subject(self) -> str:
        """What it is about, such as a space; empty where it is about nothing in particular."""
        return self.request.partition(" ")[2]


SERVICE_REQUESTS = ("new-game", "shut-down", "try-pin", "move-seat", "sit-down")
"""What is for the service to do once it is agreed, not for the game."""
SEATING_REQUESTS = ("move-seat", "sit-down")
"""What somebody at a new device asks for: that he may sit where the proposal says."""


BOARD_ONLY_REQUESTS = ("try-pin",)
"""What the button on the board alone agrees to: a phone may be that of whoever guesses."""


def make_proposal(by: Seat, thing: str, seats: Sequence[Seat], *, all_of_them: bool = False) -> SeatProposal:
    """A proposal that all other seats are asked about, or `all_of_them`.

    `resign` asks its own seat again, and so does everything that somebody proposes who plays alone.
    """
    if thing in BOARD_ONLY_REQUESTS:
        return SeatProposal(by, thing, frozenset())
    asked = set(seats) - (set() if all_of_them else {by})
    return SeatProposal(by, thing, frozenset({by} if thing == "resign" or not asked else asked))


def proposal_slot(proposal: SeatProposal) -> str:
    """Of proposals with the same slot one is open at a time. Each seat has one, the board has one, and so
    have devices that ask for a seat."""
    word = proposal.kind()
    return word if word in BOARD_ONLY_REQUESTS else "seating" if word in SEATING_REQUESTS else proposal.by


def may_answer(proposal: SeatProposal, seat: Seat | None, yes: bool) -> bool:
    """Whether `seat` (`None`: the button on the board) may say this to a proposal.

    Whoever sits where somebody else wants to sit may not agree to it for him, but may say no.
    """
    if seat is None or seat in proposal.seats_asked:
        return True
    return not yes and seat == proposal.by and proposal.kind() in SEATING_REQUESTS


def may_accept_at_board(
    proposal: SeatProposal, screens: Collection[Seat], away: Collection[Seat] = ()
) -> bool:
    """Whether a yes by a board's button counts, while these seats have a screen of their own open, and those
    `away` sit at another board: they are among `screens`.

    The button is everybody's there, so it never says yes for such a seat. What those at the board propose to
    the machine itself, as that it shuts down, is theirs to confirm, and that of seats that are away.
    """
    return (
        _seats_still_asked(proposal, None, screens, away) != proposal.seats_asked or not proposal.seats_asked
    )


def may_decline_at_board(proposal: SeatProposal, own_answers: Collection[Seat]) -> bool:
    """Whether a no by the board's button counts, while these seats answer for themselves.

    It is the no of a seat for which the button speaks, or of whoever has proposed it and thinks better of it.
    To somebody who asks for a seat anybody may say no.
    """
    own = set(own_answers)
    return proposal.kind() in SEATING_REQUESTS or not (proposal.by in own and proposal.seats_asked <= own)


def after_yes(
    proposal: SeatProposal, seat: Seat | None, screens: Collection[Seat] = (), away: Collection[Seat] = ()
) -> SeatProposal:
    """The proposal after `seat` said yes; `None` is the button on a board, which speaks for all but those
    whose own `screens` are open, or that are `away`, at another board: they are among `screens`.

    A seat whose screen is open moves to no other device unless that screen has said yes.
    """
    agree = proposal.seats_agreed if seat is None else proposal.seats_agreed | {seat}
    left = _seats_still_asked(proposal, seat, screens, away)
    if proposal.kind() == "move-seat" and proposal.subject() in set(screens) - agree:
        left |= {Seat(proposal.subject())}
    return proposal._replace(seats_asked=left, seats_agreed=agree)


def _seats_still_asked(
    proposal: SeatProposal, seat: Seat | None, screens: Collection[Seat], away: Collection[Seat]
) -> frozenset[Seat]:
    if seat is not None:
        return proposal.seats_asked - {seat}
    own_wish = not proposal.by and proposal.kind() in SERVICE_REQUESTS
    return proposal.seats_asked & frozenset(away if own_wish else screens)
