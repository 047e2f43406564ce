"""A position, split into what everybody at the table knows (`StrategoFacts`) and what is hidden
(`HiddenRanks`).

All that may be shown in public is made from `StrategoFacts` alone: the spectator's view, `layout`, `steps`,
public refusals, the repetition rules. So nothing there can tell a secret.

A piece is a number: Red's from 0 in the order of the squares they were set up on, then Blue's alike. Piece
numbers follow squares, never ranks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from boardrules.core import LayoutPiece, Outcome, Seat
from boardrules.stratego.actions import BLUE, RED, SEATS, StrategoMove
from boardrules.stratego.board import Mask
from boardrules.stratego.pieces import IMMOVABLE_RANKS, SCOUT, Result
from boardrules.stratego.repetition import Chase, Places, Run
from boardrules.stratego.rules import StrategoRules


class Battle(NamedTuple):
    """A battle as it was told."""

    origin: str
    target: str
    attacker: int
    """The piece's number; its rank, if it was told, is in `RevealedRanks.announced_ranks`."""
    defender: int
    result: Result


class RevealedRanks(NamedTuple):
    """What has been told and shown so far; changes by battles and by Scouts that give themselves away."""

    start_squares: Places
    """By piece the square it was set up on."""
    red_count: int
    """How many pieces are Red's: these come first."""
    scout_counts: tuple[int, int]
    """By side how many Scouts its army has."""
    announced_ranks: bytes
    """By piece the rank that was announced or shown, else `UNKNOWN` (Q16, Q24)."""
    visible_ranks: bytes
    """By piece the rank that a view shows on its square (`reveal_after_battle`)."""
    battles: tuple[Battle, ...]
    last_battle_ply: int
    """How many turns had been played when the last battle was over."""


class OpenOffer(NamedTuple):
    """A seat waits for the other one's answer."""

    seat: Seat
    thing: str
    """`draw` or `take-back`."""


@dataclass(slots=True, unsafe_hash=True)
class StrategoFacts:
    """What everybody at the table knows of a position. *Own* is the side whose turn it is."""

    rules: Final[StrategoRules]
    square_by_piece: Final[Places]
    """By piece the square where it stands, or `GONE`."""
    own_squares: Final[Mask]
    """Where the pieces of the side to move stand ..."""
    enemy_squares: Final[Mask]
    """... and the other side's."""
    side: Final[int]
    """Whose turn it is: an index of `SEATS`."""
    ply: Final[int]
    """How many turns have been played."""
    reached_squares: Final[Mask]
    """The squares that a piece has come to so far: who stands on one has moved, all others never did."""
    revealed: Final[RevealedRanks]
    last_move: Final[StrategoMove | None]
    """The last turn, made by the other side ..."""
    previous_own_move: Final[StrategoMove | None]
    """... and the one before it."""
    own_run: Final[Run]
    """How the side to move has gone back and forth (Q12) ..."""
    foe_run: Final[Run]
    """... and the other side."""
    chase: Final[Chase]
    """The running chase of the side to move (Q13), if there is one ..."""
    foe_chase: Final[Chase]
    """... and the other side's, its last threat just answered or not."""
    has_revealed: Final[bool]
    """Whether the last turn told something: then it can't be taken back."""
    offer: Final[OpenOffer | None]
    outcome: Final[Outcome | None]

    @property
    def red_squares(self) -> Mask:
        """Where Red's pieces stand."""
        return self.enemy_squares if self.side else self.own_squares

    @property
    def blue_squares(self) -> Mask:
        """Where Blue's pieces stand."""
        return self.own_squares if self.side else self.enemy_squares

    def owner_side(self, piece: int) -> int:
        """The side that a piece belongs to."""
        return int(piece >= self.revealed.red_count)

    def layout_piece(self, piece: int) -> LayoutPiece:
        """A piece as everybody may call it: its seat and where it was set up."""
        return LayoutPiece(
            SEATS[self.owner_side(piece)], self.rules.board.names[self.revealed.start_squares[piece]]
        )

    def piece_on(self, square: int) -> int:
        """The piece on a square, or -1."""
        return self.square_by_piece.find(square)


RanksBySeat = Mapping[Seat | None, bytes]
"""By seat, `None` being the spectator, the ranks of its own pieces."""
Standing = tuple[tuple[int, ...], ...]
"""By side some of its pieces that stand."""


class HiddenRanks:
    """The hidden part: which rank each piece has. Its `repr` tells nothing."""

    __slots__ = ("ranks", "ranks_by_seat", "scouts", "walkers")

    def __init__(self, ranks: bytes, ranks_by_seat: RanksBySeat, walkers: Standing, scouts: Standing) -> None:
        self.ranks: Final = ranks
        """By piece its rank."""
        self.ranks_by_seat: Final = ranks_by_seat
        self.walkers: Final = walkers
        """By side the standing pieces that go one step ..."""
        self.scouts: Final = scouts
        """... and its standing Scouts."""

    def without_pieces(self, fallen: tuple[int, ...]) -> HiddenRanks:
        """The same ranks with fewer pieces standing."""
        walkers, scouts = [
            tuple([tuple([piece for piece in side if piece not in fallen]) for side in kind])
            for kind in (self.walkers, self.scouts)
        ]
        return HiddenRanks(self.ranks, self.ranks_by_seat, walkers, scouts)

    def has_movers(self, side: int) -> bool:
        """Whether a side has a piece left that can move at all."""
        return bool(self.walkers[side] or self.scouts[side])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HiddenRanks) and self.ranks == other.ranks

    def __hash__(self) -> int:
        return hash(self.ranks)

    def __reduce__(self) -> tuple[Any, ...]:
        return HiddenRanks, (self.ranks, self.ranks_by_seat, self.walkers, self.scouts)

    def __repr__(self) -> str:
        return "<hidden ranks>"


def initial_hidden_ranks(ranks: bytes, reds: int) -> HiddenRanks:
    """The hidden part of a game that begins: by piece its rank, Red's `reds` first."""
    sides = (range(reds), range(reds, len(ranks)))
    movers = [[piece for piece in side if ranks[piece] not in IMMOVABLE_RANKS] for side in sides]
    blind = bytes(len(ranks))
    return HiddenRanks(
        ranks,
        ranks_by_seat={RED: ranks[:reds] + blind[reds:], BLUE: blind[:reds] + ranks[reds:], None: blind},
        walkers=tuple([tuple([piece for piece in side if ranks[piece] != SCOUT]) for side in movers]),
        scouts=tuple([tuple([piece for piece in side if ranks[piece] == SCOUT]) for side in movers]),
    )
