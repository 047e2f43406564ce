"""How often people err at a board, kind by kind, and the profiles by which one calls them."""

from __future__ import annotations

from typing import NamedTuple

ACTIONS_MAX = 80
"""After so many actions whoever is to move resigns."""


class ErrorRates(NamedTuple):
    """How often people err, as chances an action in which it can happen."""

    illegal: float = 0.0
    """Try something that the rules refuse."""
    out_of_turn: float = 0.0
    """Move a piece when it's the other's turn."""
    put_back: float = 0.0
    """Lift a piece, think, and set it down again."""
    slide: float = 0.0
    """Push a piece instead of lifting it. Of quiet moves."""
    adjust: float = 0.0
    """Straighten two pieces, pushing or lifting them, one after the other or together."""
    knock: float = 0.0
    """Knock over one to three pieces near the hand."""
    forgotten: float = 0.0
    """Leave the loser of a battle on the board, or where it is a piece that was only said. Of those."""
    early: float = 0.0
    """Reply before the last action has been ruled on, or before its chores are done."""
    between: float = 0.0
    """Set a piece down on the border of its square. Of quiet moves."""
    take_back: float = 0.0
    """Ask to take the move back. Of moves that told nothing."""
    swap: float = 0.0
    """Set two pieces down in each other's place, or one from the box in the place of another."""
    away: float = 0.0
    """Walk away with a piece in the hand."""
    chess: float = 0.0
    """Capture as in chess: set the attacker on the other's square. Of attacks."""
    withdraw: float = 0.0
    """Begin an attack, and put both pieces back."""
    fiddle: float = 0.0
    """Fiddle with pieces while the other thinks, with one in the hand."""
    probe: float = 0.0
    """Lift and tap pieces against the one that the other holds, to learn what it is."""
    child: float = 0.0
    """A child takes a piece away, and brings it back or not."""
    dead: float = 0.0
    """A reed feels nothing from now on; two a game at most."""
    stuck: float = 0.0
    """A reed stays closed from now on; two a game at most."""
    push: float = 0.0
    """Push a piece a square nearer to one that the other has in the hand."""
    push_home: float = 0.0
    """Push a piece from beside to where the other has lifted the one in his hand."""
    push_far: float = 0.0
    """The same, over two or three squares."""
    second: float = 0.0
    """Push or set a second own piece where the one in the hand was lifted."""
    push_chore: float = 0.0
    """Push a piece where a chore wants another. Of battles."""
    push_early: float = 0.0
    """Reply before the chores are done, pushing a piece where one of them wants another. Of battles."""
    astray: float = 0.0
    """Set the piece that a chore asks for beside the one that was pushed into its place. Of those."""
    words: float = 0.0
    """Have something to say just after the other has given the sign of an attack. Of such signs."""


CLUMSY = ErrorRates(0.03, 0.01, 0.05, 0.20, 0.02, 0.005, 0.03, 0.05, 0.02, 0.01, 0.003, 0.002)._replace(
    chess=0.10, withdraw=0.02, child=0.002, dead=0.0005, stuck=0.0005
)
HOSTILE = CLUMSY._replace(
    put_back=0.10, early=0.10, chess=0.30, withdraw=0.10, fiddle=0.30, probe=0.25, child=0.02
)._replace(push=0.10, push_home=0.10, second=0.05, push_chore=0.40, push_early=0.40, words=0.50)
PUSHER = HOSTILE._replace(
    push=0.2, push_home=0.15, push_far=0.1, second=0.15, push_chore=0.4, push_early=0.4, astray=0.5, words=0.5
)
TAGS_PROFILE = "tags"
"""People as clumsy, whose pieces have tags, which pads or a reader a square read: they say no set-up."""
PROFILES = {
    "clumsy": CLUMSY,
    "careful": ErrorRates(slide=0.20),
    "hostile": HOSTILE,
    "pusher": PUSHER,
    "wild": ErrorRates(*(min(0.3, 8 * rate) for rate in CLUMSY)),
    TAGS_PROFILE: CLUMSY,
}
"""Whom one may have at the board."""
ERROR_KINDS = ErrorRates._fields


class TurnError(NamedTuple):
    """One error in one turn."""

    turn: int
    kind: str
