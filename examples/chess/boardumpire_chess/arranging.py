"""A position that people set up with the pieces, before a game.

Sensors tell no piece from another one. So the pieces begin where they are known to stand, and hands carry one
after the other: to an empty square, off the board into the tray of its kind, or from there onto the board.
Then somebody says who moves first. Castling is open to a king and rooks that stand where games begin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import chess

from boardrules import lenient_parsing
from boardrules.core import (
    Action,
    BadText,
    Event,
    IllegalAction,
    Layout,
    LayoutPiece,
    Outcome,
    Refusal,
    Seat,
    Space,
    State,
    Step,
    expect_seat,
)
from boardrules.open_game import OpenState, TextAction
from boardumpire_chess.play import BLACK, RESIGN, SEATS, WHITE, ChessState, board_facts

BEGIN_ACTIONS: Final = {"white-begins": WHITE, "black-begins": BLACK}
"""By what is said who moves first."""
SET_OF_PIECES: Final = {"king": 1, "queen": 2, "rook": 2, "bishop": 2, "knight": 2, "pawn": 8}
"""What a side's box holds: sets have a second queen."""
TRAYS: Final = {
    Space(f"{seat[0]}{kind}"): LayoutPiece(seat, kind) for seat in SEATS for kind in SET_OF_PIECES
}
"""By tray what lies in it."""
SQUARES: Final = tuple(Space(name) for name in chess.SQUARE_NAMES)
_TRAY_BY_PIECE: Final = {piece: tray for tray, piece in TRAYS.items()}
Pieces = Mapping[Space, LayoutPiece]


class ArrangingState(OpenState):
    """What stands where. Both seats act: hands carry the pieces of either."""

    __slots__ = ("_options", "_outcome", "pieces")
    game_id = ChessState.game_id
    seats = SEATS
    is_for_people_only = True

    def __init__(self, pieces: Pieces, options: Mapping[str, Any], outcome: Outcome | None = None) -> None:
        self.pieces = dict(sorted(pieces.items()))
        """Nobody changes it."""
        self._options, self._outcome = options, outcome

    @classmethod
    def begin(cls, board: chess.Board, options: Mapping[str, Any]) -> ArrangingState:
        """With the pieces of a board."""
        found = {
            Space(chess.square_name(square)): LayoutPiece(
                WHITE if piece.color else BLACK, chess.piece_name(piece.piece_type)
            )
            for square, piece in board.piece_map().items()
        }
        return cls(found, options)

    @property
    def options(self) -> Mapping[str, Any]:
        """Every option with the value in force."""
        return self._options

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self._outcome

    def key(self) -> tuple[Any, ...]:
        """All that makes a position."""
        return tuple(self.pieces.items()), self._outcome

    def facts(self) -> dict[str, Any]:
        """As those of a game, with `arranging`."""
        return {**board_facts(self.layout(), self.board(WHITE)), "arranging": True}

    def board_text(self) -> str:
        """The board as text, White's side below."""
        rows = [f"{8 - number} {row}" for number, row in enumerate(str(self.board(WHITE)).split("\n"))]
        return "\n".join(["chess: a position is set up", "", *rows, "  a b c d e f g h"])

    def board(self, first: Seat) -> chess.Board:
        """What stands, with that side to move."""
        board = chess.Board(None, chess960=self._options["chess960"])
        for at, piece in self.pieces.items():
            kind = chess.PIECE_NAMES.index(piece.name)
            board.set_piece_at(chess.parse_square(at), chess.Piece(kind, piece.seat == WHITE))
        board.turn = first == WHITE
        board.castling_rights = chess.BB_CORNERS
        board.castling_rights = board.clean_castling_rights()
        return board

    def layout(self) -> Layout:
        """By square its piece."""
        return {at: (piece,) for at, piece in self.pieces.items()}

    def trays(self) -> Layout:
        """By kind what is left of a set."""
        used = Counter(self.pieces.values())
        return {
            tray: (piece,) * max(0, SET_OF_PIECES[piece.name] - used[piece]) for tray, piece in TRAYS.items()
        }

    def seats_to_act(self) -> tuple[Seat, ...]:
        """Both."""
        return SEATS if self._outcome is None else ()

    def legal_actions(self, seat: Seat) -> tuple[Action, ...]:
        """Where its pieces may be carried, and who may move first."""
        expect_seat(seat, SEATS)
        if seat not in self.seats_to_act():
            return ()
        carried = (TextAction(seat, "-".join(way)) for way in self._ways(seat))
        said = (TextAction(seat, text) for text in BEGIN_ACTIONS)
        return (*carried, *(action for action in said if self.refusal(action) is None))

    def _ways(self, seat: Seat) -> list[tuple[Space, Space]]:
        empty = [at for at in SQUARES if at not in self.pieces]
        own = [(at, piece) for at, piece in self.pieces.items() if piece.seat == seat]
        ways = [(at, to) for at, piece in own for to in (*empty, _TRAY_BY_PIECE[piece])]
        full = [tray for tray, pieces in self.trays().items() if pieces and pieces[0].seat == seat]
        return [*ways, *((tray, to) for tray in full for to in empty)]

    def table_actions(self, seat: Seat) -> tuple[Action, ...]:
        """Leaving it."""
        expect_seat(seat, SEATS)
        return (TextAction(seat, RESIGN),) if seat in SEATS and self._outcome is None else ()

    def steps(self) -> tuple[Step, ...]:
        """Every way of a piece."""
        seats = SEATS if self._outcome is None else ()
        return tuple(Step(*way, False) for seat in seats for way in self._ways(seat))

    def hand_action(self, seat: Seat, origin: Space, target: Space) -> Action:
        """From a square or a tray to another one."""
        return self.parse(f"{origin}-{target}", seat)

    def cursor_actions(self) -> tuple[tuple[str, Action], ...]:
        """At the lamp of a side, that it moves first."""
        return tuple(
            (f"turn-{first}", action)
            for text, first in BEGIN_ACTIONS.items()
            for action in (TextAction(first, text),)
            if self.refusal(action) is None
        )

    def parse(self, text: str, seat: Seat) -> Action:
        """`e2-e4`, `e2-wpawn` (off the board), `wqueen-e5` (onto it), `white-begins` or `resign`."""
        expect_seat(seat, SEATS)
        words = lenient_parsing.words(text)
        said = " ".join(words)
        if said == RESIGN or said in BEGIN_ACTIONS:
            return TextAction(seat, said)
        way = lenient_parsing.split_pair(words, {*SQUARES, *TRAYS})
        if way is not None:
            return TextAction(seat, "-".join(way))
        known = ", ".join(BEGIN_ACTIONS)
        raise BadText(f"{text!r} sets nothing up; try e2-e4, e2-wpawn, wqueen-e5, {known} or {RESIGN}")

    def refusal(self, action: Action) -> Refusal | None:
        """Why not."""
        text, seat = str(action), action.seat
        if self._outcome is not None:
            return Refusal("chess/over", "5")
        if seat not in SEATS:
            return Refusal("chess/not-your-turn", "1.3", (("seat", seat),))
        if text == RESIGN:
            return None
        if text in BEGIN_ACTIONS:
            first = BEGIN_ACTIONS[text]
            board = self.board(first)
            over = board.is_valid() and board.is_game_over(claim_draw=False)
            if over or not board.is_valid():
                return Refusal("chess/no-position", "3", (("seat", first),))
            return None
        origin, target = map(Space, text.split("-"))
        piece = self._piece_from(origin)
        where = (("from", origin), ("to", target))
        if piece is None or piece.seat != seat:
            return Refusal("chess/no-piece", "3.1", where)
        if target in self.pieces or (target in TRAYS and (origin in TRAYS or TRAYS[target] != piece)):
            return Refusal("chess/not-there", "3", where)
        return None

    def _piece_from(self, origin: Space) -> LayoutPiece | None:
        """What hands take up there."""
        if origin in TRAYS:
            return next(iter(self.trays()[origin]), None)
        return self.pieces.get(origin)

    def apply(self, action: Action) -> tuple[State, tuple[Event, ...]]:
        """The next position and what happened. Raises `IllegalAction`."""
        refusal = self.refusal(action)
        if refusal is not None:
            raise IllegalAction(refusal)
        text, seat = str(action), action.seat
        if text == RESIGN:
            outcome = Outcome(SEATS[1 - SEATS.index(seat)], "resignation")
            events = Event("resign", (("seat", seat),)), Event("over", tuple(outcome._asdict().items()))
            return ArrangingState(self.pieces, self._options, outcome), events
        if text in BEGIN_ACTIONS:
            first = BEGIN_ACTIONS[text]
            begun = ChessState.begin(self.board(first), self._options)
            return begun, (Event("begin", (("seat", first),)),)
        origin, target = map(Space, text.split("-"))
        piece = self._piece_from(origin)
        assert piece is not None
        left = {at: other for at, other in self.pieces.items() if at != origin}
        if target not in TRAYS:
            left[target] = piece
        kind = "clear" if target in TRAYS else "place"
        facts = (("seat", seat), ("piece", piece.name), ("at", origin if target in TRAYS else target))
        return ArrangingState(left, self._options), (Event(kind, facts),)
