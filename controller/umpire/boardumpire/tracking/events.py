"""What the tracker reports and shows: intents, faults, reminders, corrections. All of it is public."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from boardrules.core import Seat
from boardumpire.tracking.model import NOWHERE, Place
from boardumpire.tracking.questions import TrackerQuestion


class HandIntent(NamedTuple):
    """What the hands of the seat to move seem to mean: carry the piece of `origin` to `target`."""

    origin: Place
    target: Place


class MovePutBack(NamedTuple):
    """The last move was put back by its owner before the other side touched a piece."""

    origin: Place
    target: Place


class FaultCode(StrEnum):
    """What can be wrong with the board, as it is named on the wire and in the journal."""

    NOT_AT_HOME = "not-at-home"
    NOT_YOUR_TURN = "not-your-turn"
    EXTRA_PIECE = "extra-piece"
    BETWEEN_SPACES = "between-spaces"
    BETWEEN_RINGS = "between-rings"
    """The same, between two slots of one space."""
    PIECES_DOWN = "pieces-down"
    TOUCH_MOVE = "touch-move"
    """Another piece was touched and has to be moved."""
    NO_ATTACK = "no-attack"
    """Two pieces are up, and neither can attack the other: nothing has to be put back."""
    UNCLEAR_MOVES = "muddle"
    """Several pieces moved, and it can't be told which."""
    PIECES_SWAPPED = "swapped"
    """Another piece stands there, by its tag."""
    PIECE_LYING = "lying"
    """A piece lies on its side, by its tag."""
    NOT_READY = "not-ready"
    """A piece was moved while a side still sets up."""


class BoardFault(NamedTuple):
    """The board is wrong, by hands rather than by the rules. Chores lead back."""

    code: FaultCode
    spaces: tuple[Place, ...]


class LiftReminder(NamedTuple):
    """A piece has been up for long."""

    home: Place
    may_be_attacked: bool = False
    """Whether it may be up because it is attacked, by a piece whose lift was not felt."""


class OverdueCorrection(NamedTuple):
    """Chores have been open for long, and hands have done nothing about them."""

    open_count: int
    """How many are open."""


class UnconfirmedCorrection(NamedTuple):
    """Chores have been open for a while: they may be done, and the reeds of these spaces may not feel it."""

    spaces: tuple[Place, ...]


class SuspectSpace(NamedTuple):
    """A piece must have left this space twice, and its reed never opened."""

    space: Place


class TakeBackWithdrawn(NamedTuple):
    """A piece that was put back to ask for a take-back stands again where it had moved."""

    origin: Place
    target: Place


class BoardInOrder(NamedTuple):
    """All chores are done: the board equals the layout."""


TrackerEvent = (
    HandIntent
    | MovePutBack
    | TakeBackWithdrawn
    | BoardFault
    | TrackerQuestion
    | LiftReminder
    | OverdueCorrection
    | UnconfirmedCorrection
    | SuspectSpace
    | BoardInOrder
)


class CorrectionKind(StrEnum):
    """What is to be done with a piece, as it is named on the wire."""

    PUT = "put"
    TAKE = "take"
    CENTRE = "centre"
    RING = "ring"


class Correction(NamedTuple):
    """One thing to do with a piece so that the board equals the layout."""

    kind: CorrectionKind
    """`put` a piece on the space, `take` the piece off it, `centre` it on its space, set it on a `ring`: of
    one that has a seat, on a ring of its own."""
    space: Place
    seat: Seat | None
    """Whose piece it is, where that is known; of one to be taken off that is not `is_leaving`, whose piece
    belongs there instead."""
    is_beaten: bool = False
    """Whether it is to be taken off because it lost a battle there."""
    printed_name: str = ""
    """What everybody reads on the piece, if anything."""
    is_leaving: bool = False
    """Whether this very piece is to be taken off, and no other of those that stand in the space."""
    has_rings: bool = False
    """Whether the space has several rings: each piece needs one of its own."""
    origin: Place = NOWHERE
    """Where the piece to be `put` stood before the last move, where nothing on the board shows that."""


class BoardGuidance(NamedTuple):
    """What the board shows about hands now: everything here is public."""

    corrections: tuple[Correction, ...]
    lifted_places: tuple[Place, ...]
    hints: Mapping[Place, bool]
    """Where the lifted piece may go; true: an attack."""
    question: TrackerQuestion | None
    overdue_pieces: tuple[Place, ...] = ()
    """Homes of pieces that have been up for long."""
