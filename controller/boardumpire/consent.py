"""What seats agree on among themselves: a proposal, and who has still to say yes. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from boardrules.core import Seat


class Proposal(NamedTuple):
    """Something a seat wants that the rules of the game don't know."""

    by: Seat
    thing: str
    """`by-hand SPACE`, `by-reed SPACE`, `resign`, `turned`, `new-game`, `adjourn`, `as-felt`."""
    asked: frozenset[Seat]
    """The seats that have still to say yes."""

    def word(self) -> str:
        """The kind of thing, without what it is about."""
        return self.thing.partition(" ")[0]

    def about(self) -> str:
        """What it is about, such as a space; empty where it is about nothing in particular."""
        return self.thing.partition(" ")[2]


def propose(by: Seat, thing: str, seats: Sequence[Seat]) -> Proposal:
    """A proposal that all other seats are asked about; `resign` asks its own seat once more."""
    asked = {by} if thing == "resign" else set(seats) - {by}
    return Proposal(by, thing, frozenset(asked))


def agreed(proposal: Proposal, seat: Seat | None) -> Proposal:
    """The proposal after `seat` said yes; `None` is the button on the board, which all of them press."""
    return proposal._replace(asked=frozenset() if seat is None else proposal.asked - {seat})
