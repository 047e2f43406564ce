"""A position of chess as the rest of Boardumpire knows positions.

A pawn that reaches its last rank moves first, as hands do it; then its owner says what it becomes. Both
together are one move of python-chess.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import chess

from boardrules import lenient_parsing
from boardrules.core import (
    CLOCK,
    Action,
    BadText,
    Event,
    IllegalAction,
    Layout,
    LayoutPiece,
    NeedsHistory,
    Outcome,
    Refusal,
    Seat,
    Space,
    State,
    Step,
    expect_seat,
)
from boardrules.open_game import OpenState, TextAction

WHITE: Final = Seat("white")
BLACK: Final = Seat("black")
SEATS: Final = (WHITE, BLACK)
SIGNS: Final = {
    "king": "\u265a\ufe0e",
    "queen": "\u265b\ufe0e",
    "rook": "\u265c\ufe0e",
    "bishop": "\u265d\ufe0e",
    "knight": "\u265e\ufe0e",
    "pawn": "\u265f\ufe0e",
}
"""What is drawn on a piece; the second character keeps phones from making a picture of it."""
PROMOTION_KINDS: Final = {
    "queen": chess.QUEEN,
    "knight": chess.KNIGHT,
    "rook": chess.ROOK,
    "bishop": chess.BISHOP,
}
"""What a pawn may become, in the order in which `choose` goes through them."""
RESIGN, OFFER, AGREE, DECLINE, CLAIM = "resign", "offer-draw", "agree-draw", "decline-draw", "claim-draw"
ASK, GIVE, KEEP, WITHDRAW = "ask-take-back", "agree-take-back", "decline-take-back", "withdraw-take-back"
TEXT_COMMANDS: Final = (RESIGN, OFFER, AGREE, DECLINE, CLAIM, ASK, GIVE, KEEP, WITHDRAW)
ANSWERS: Final = {AGREE: "draw", DECLINE: "draw", GIVE: "take-back", KEEP: "take-back"}
"""What is answered by which word."""
SEAT_BY_TIMEOUT_TEXT: Final = {f"time {side}": side for side in SEATS}
"""What the clock says, and whose time has run out."""
_OVER: Final = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "insufficient",
    chess.Termination.SEVENTYFIVE_MOVES: "seventy-five",
    chess.Termination.FIVEFOLD_REPETITION: "fivefold",
}


class ChessState(OpenState):
    """A position: a board without its moves, how often each position has been there, and what waits."""

    __slots__ = (
        "_fen",
        "_options",
        "_outcome",
        "_seen",
        "board",
        "moved",
        "offering_seat",
        "pending_promotion",
    )
    game_id = "chess"
    seats = SEATS

    def __init__(
        self,
        board: chess.Board,
        options: Mapping[str, Any],
        seen: Mapping[str, int],
        *,
        reached: chess.Move | None = None,
        offer: tuple[Seat, str] | None = None,
        outcome: Outcome | None = None,
        moved: Mapping[Seat, int] = {},
    ) -> None:
        self.board = board
        """Nobody changes it."""
        self._options = options
        self._seen = seen
        """By position, as far as repetition goes, how often it has been there."""
        self.pending_promotion = reached
        """The move of a pawn to its last rank, until it is said what it becomes. The board is that before
        it."""
        self.offering_seat = offer
        """Who has offered what: a draw, or to take a move back."""
        self.moved = moved
        """By side that has moved of how many actions its last move was: of two where a pawn has become
        something."""
        self._outcome = outcome
        self._fen = board.fen()

    @classmethod
    def begin(cls, board: chess.Board, options: Mapping[str, Any]) -> ChessState:
        """The first position."""
        return cls(board, options, {_repetition_key(board): 1})

    # What stands

    @property
    def options(self) -> Mapping[str, Any]:
        """Every option with the value in force."""
        return self._options

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self._outcome

    @property
    def side(self) -> Seat:
        """The side to move."""
        return _seat(self.board.turn)

    def key(self) -> tuple[Any, ...]:
        """All that makes a position."""
        moved = tuple(sorted(self.moved.items()))
        return (
            self._fen,
            self.pending_promotion,
            self.offering_seat,
            self._outcome,
            moved,
            frozenset(self._seen.items()),
        )

    def facts(self) -> dict[str, Any]:
        """`board`: by square seat and kind; `fen`; `reached`: the pawn that becomes something; `offer`;
        `check`; `chess960`; `arranging`: whether a position is set up."""
        return board_facts(self.layout(), self.board, self._fen) | {
            "reached": None if self.pending_promotion is None else _target_space(self.pending_promotion),
            "offer": None
            if self.offering_seat is None
            else {"seat": self.offering_seat[0], "thing": self.offering_seat[1]},
        }

    def board_text(self) -> str:
        """The board as text, White's side below: capitals are White's pieces, a dot is an empty square."""
        board = self.board
        if self.pending_promotion is not None:
            board = board.copy(stack=False)
            board.set_piece_at(
                self.pending_promotion.to_square, board.remove_piece_at(self.pending_promotion.from_square)
            )
        rows = [f"{8 - number} {row}" for number, row in enumerate(str(board).split("\n"))]
        waits = " and ".join(self.seats_to_act()) or "nobody"
        what = (
            ""
            if self.pending_promotion is None
            else f": what the pawn on {_target_space(self.pending_promotion)} becomes"
        )
        over = f", {self._outcome.winner or 'draw'} ({self._outcome.reason})" if self._outcome else ""
        head = f"chess: {waits} to act{what}{', check' if board.is_check() else ''}{over}"
        return "\n".join([head, "", *rows, "  a b c d e f g h"])

    def layout(self) -> Layout:
        """By square its piece; a pawn that has reached its last rank stands there."""
        pieces = self.board.piece_map()
        if self.pending_promotion is not None:
            pieces[self.pending_promotion.to_square] = pieces.pop(self.pending_promotion.from_square)
        named = {square: LayoutPiece(_seat(piece.color), _name(piece)) for square, piece in pieces.items()}
        return {_space(square): (named[square],) for square in sorted(named)}

    def seats_to_act(self) -> tuple[Seat, ...]:
        """The side to move, also while it says what a pawn becomes."""
        return (self.side,) if self._outcome is None else ()

    # What may be done

    def legal_actions(self, seat: Seat) -> tuple[Action, ...]:
        """The moves; or what a pawn may become."""
        expect_seat(seat, SEATS)
        if seat not in self.seats_to_act():
            return ()
        if self.pending_promotion is not None:
            return tuple(TextAction(seat, kind) for kind in PROMOTION_KINDS)
        texts = dict.fromkeys(_text(move) for move in self.board.legal_moves)
        return tuple(TextAction(seat, text) for text in texts)

    def table_actions(self, seat: Seat) -> tuple[Action, ...]:
        """Resigning, the draw, and for the clock the time of either side."""
        expect_seat(seat, SEATS)
        if self._outcome is not None:
            return ()
        if seat == CLOCK:
            return tuple(TextAction(CLOCK, late) for late in SEAT_BY_TIMEOUT_TEXT)
        found = (TextAction(seat, word) for word in TEXT_COMMANDS if seat in SEATS)
        return tuple(action for action in found if self.refusal(action) is None)

    def steps(self) -> tuple[Step, ...]:
        """The legal moves, with what they take and who goes along."""
        if self._outcome is not None or self.pending_promotion is not None:
            return ()
        moves = [move for move in self.board.legal_moves if self._is_clear_to_hands(move)]
        return tuple(dict.fromkeys(self._step(move) for move in moves))

    def _is_clear_to_hands(self, move: chess.Move) -> bool:
        """Whether hands show which move they do. In Chess960 some castlings they can't: a king that stays, or
        goes where it might go without castling, or where a piece stands. Those are said."""
        board = self.board
        if not board.chess960 or not board.is_castling(move):
            return True
        king, rook = _castling_targets(board, move)
        free = all(board.piece_at(square) is None for square in (king, rook))
        return free and chess.Move(move.from_square, king) not in board.legal_moves

    def _step(self, move: chess.Move) -> Step:
        board, name = self.board, _space
        takes: tuple[Space, ...] = ()
        if board.is_en_passant(move):
            beside = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
            takes = (name(beside),)
        elif board.is_capture(move):
            takes = (name(move.to_square),)
        elif board.is_castling(move):
            king, rook = _castling_targets(board, move)
            return Step(
                name(move.from_square),
                name(king),
                False,
                (),
                ((name(_castling_rook_square(board, move)), name(rook)),),
            )
        return Step(name(move.from_square), name(move.to_square), False, takes)

    def hand_action(self, seat: Seat, origin: Space, target: Space) -> Action:
        """The move between two squares, legal or not; in Chess960 a castling by where its king goes."""
        meant = self.parse(f"{origin}-{target}", seat)
        for move in self.board.legal_moves if self.board.chess960 and self.refusal(meant) else ():
            king = _castling_targets(self.board, move)[0] if self.board.is_castling(move) else None
            if king is not None and (_space(move.from_square), _space(king)) == (origin, target):
                return TextAction(seat, _text(move))
        return meant

    def button_actions(self) -> Mapping[str, Action]:
        """`turn`: the pawn becomes a queen, for those who have no phone."""
        return {} if self.pending_promotion is None else {"turn": TextAction(self.side, "queen")}

    def cursor_actions(self) -> tuple[tuple[str, Action], ...]:
        """What a pawn becomes, each at a square of its file from the last rank down: queen, knight, rook,
        bishop. Else at the lamp of the side to move a draw that it may claim."""
        if self._outcome is not None:
            return ()
        if self.pending_promotion is not None:
            last = self.pending_promotion.to_square
            down = -8 if chess.square_rank(last) == 7 else 8
            squares = [chess.square_name(last + down * number) for number in range(len(PROMOTION_KINDS))]
            return tuple(
                (at, TextAction(self.side, kind)) for at, kind in zip(squares, PROMOTION_KINDS, strict=True)
            )
        claims = self._claim() is not None
        return ((f"turn-{self.side}", TextAction(self.side, CLAIM)),) if claims else ()

    def parse(self, text: str, seat: Seat) -> Action:
        """`e2-e4`, a kind that a pawn becomes, a word such as `resign`, or what the clock says. In Chess960 a
        castling is the king's square and the rook's."""
        expect_seat(seat, SEATS)
        typed_words = lenient_parsing.words(text)
        words = " ".join(typed_words)
        if words in (*TEXT_COMMANDS, *PROMOTION_KINDS) or (seat == CLOCK and words in SEAT_BY_TIMEOUT_TEXT):
            return TextAction(seat, words)
        way = lenient_parsing.split_pair(typed_words, chess.SQUARE_NAMES)
        if way is not None:
            return TextAction(seat, "-".join(way))
        known = ", ".join((*PROMOTION_KINDS, *TEXT_COMMANDS))
        raise BadText(f"{text!r} is no action; try two squares such as e2-e4, {known}")

    def refusal(self, action: Action) -> Refusal | None:
        """The first rule that is against it."""
        text, seat = str(action), action.seat
        if self._outcome is not None:
            return Refusal("chess/over", "5")
        if seat == CLOCK and text in SEAT_BY_TIMEOUT_TEXT:
            return None
        if seat in SEATS and text in TEXT_COMMANDS:
            return self._text_refusal(text, seat)
        if seat != self.side:
            return Refusal("chess/not-your-turn", "1.3", (("seat", seat),))
        if text in PROMOTION_KINDS:
            return Refusal("chess/no-promotion", "3.7.3") if self.pending_promotion is None else None
        if self.pending_promotion is not None:
            at = _target_space(self.pending_promotion)
            return Refusal("chess/promote-first", "3.7.3.3", (("at", at),))
        return None if self._matching_moves(text) else self._move_refusal(text)

    def _text_refusal(self, word: str, seat: Seat) -> Refusal | None:
        if word in (OFFER, ASK) and self.offering_seat is not None:
            return Refusal("chess/offer-open", "9.1")
        if word == ASK and seat not in self.moved:
            return Refusal("chess/nothing-to-take-back", "4.7")
        other = SEATS[1 - SEATS.index(seat)]
        if word in ANSWERS and self.offering_seat != (other, ANSWERS[word]):
            return Refusal("chess/no-offer", "9.1", (("seat", seat),))
        if word == WITHDRAW and self.offering_seat != (seat, "take-back"):
            return Refusal("chess/no-offer", "9.1", (("seat", seat),))
        if word == CLAIM and (
            seat != self.side or self.pending_promotion is not None or self._claim() is None
        ):
            return Refusal("chess/no-claim", "9.2")
        return None

    def _move_refusal(self, text: str) -> Refusal:
        origin, target = text.split("-")
        start, to = chess.parse_square(origin), chess.parse_square(target)
        piece = self.board.piece_at(start)
        where = (("from", origin), ("to", target))
        if piece is None or piece.color != self.board.turn:
            return Refusal("chess/no-piece", "3.1", where)
        if self._is_pseudo_legal(start, to):
            return Refusal("chess/check", "3.9.2", where)
        if piece.piece_type == chess.KING and abs(chess.square_file(start) - chess.square_file(to)) == 2:
            return Refusal("chess/no-castling", "3.8.2", where)
        return Refusal("chess/no-way", "3", (*where, ("piece", _name(piece))))

    def _is_pseudo_legal(self, start: chess.Square, to: chess.Square) -> bool:
        """Whether the move is one but for the check."""
        moves = self.board.pseudo_legal_moves
        return any((move.from_square, move.to_square) == (start, to) for move in moves)

    def _matching_moves(self, text: str) -> list[chess.Move]:
        return [move for move in self.board.legal_moves if _text(move) == text]

    def _claim(self) -> str | None:
        """What draw the side to move may claim (9.2, 9.3), for the position as it stands."""
        if self._seen.get(_repetition_key(self.board), 0) >= 3:
            return "repetition"
        return "fifty" if self.board.halfmove_clock >= 100 else None

    # What happens

    def apply(self, action: Action) -> tuple[State, tuple[Event, ...]]:
        """The next position and what happened. Raises `IllegalAction`, and `NeedsHistory` for an agreed take-
        back."""
        refusal = self.refusal(action)
        if refusal is not None:
            raise IllegalAction(refusal)
        text, seat = str(action), action.seat
        if text in TEXT_COMMANDS or text in SEAT_BY_TIMEOUT_TEXT:
            return self._apply_text(text, seat)
        if text in PROMOTION_KINDS:
            assert self.pending_promotion is not None
            move = chess.Move(
                self.pending_promotion.from_square, self.pending_promotion.to_square, PROMOTION_KINDS[text]
            )
            at = _target_space(move)
            return self._apply_move(move, (_event("promote", seat=seat, at=at, piece=text),))
        move = self._matching_moves(text)[0]
        told = self._move_events(move, seat)
        if move.promotion is not None:
            at = _target_space(move)
            moved = {**self.moved, seat: 1}
            offer = self.offering_seat if self.offering_seat == (seat, "draw") else None
            waits = self._changed_copy(reached=move, offer=offer, moved=moved)
            return waits, (*told, _event("reach", seat=seat, at=at))
        return self._apply_move(move, told)

    def _move_events(self, move: chess.Move, seat: Seat) -> tuple[Event, ...]:
        step = self._step(move)
        facts = {"seat": seat, "from": step.origin, "to": step.target}
        if self.board.is_castling(move):
            return (_event("castle", **facts),)
        if step.takes and step.takes[0] != step.target:
            return (_event("en-passant", **facts, at=step.takes[0]),)
        return (_event("take" if step.takes else "move", **facts),)

    def _apply_move(self, move: chess.Move, told: tuple[Event, ...]) -> tuple[State, tuple[Event, ...]]:
        board = self.board.copy(stack=False)
        fresh = board.is_irreversible(move)
        board.push(move)
        board.clear_stack()
        seen = Counter({} if fresh else dict(self._seen))
        seen[_repetition_key(board)] += 1
        checked = (*told, _event("check")) if board.is_check() else told
        own = self.offering_seat == (self.side, "draw")
        offer = self.offering_seat if own else None  # who moves declines it (9.1.2.1)
        moved = {**self.moved, self.side: 1 if self.pending_promotion is None else 2}
        after = ChessState(board, self._options, dict(seen), offer=offer, moved=moved)
        ended = board.outcome()
        if ended is None and seen[_repetition_key(board)] >= 5:
            return after._end_game(checked, None, "fivefold")  # 9.6.1
        if ended is None:
            return after, checked
        winner = None if ended.winner is None else _seat(ended.winner)
        return after._end_game(checked, winner, _OVER[ended.termination])

    def _apply_text(self, text: str, seat: Seat) -> tuple[State, tuple[Event, ...]]:
        if text in SEAT_BY_TIMEOUT_TEXT:
            late = SEAT_BY_TIMEOUT_TEXT[text]
            winner = SEATS[1 - SEATS.index(late)]
            dead = self.board.has_insufficient_material(winner == WHITE)  # 6.9
            return self._end_game((_event("time", seat=late),), None if dead else winner, "time")
        if text == RESIGN:
            other = SEATS[1 - SEATS.index(seat)]
            return self._end_game((_event("resign", seat=seat),), other, "resignation")
        if text in (OFFER, ASK):
            thing = "draw" if text == OFFER else "take-back"
            return self._changed_copy(offer=(seat, thing)), (_event("offer", seat=seat, thing=thing),)
        if text in (DECLINE, KEEP):
            return self._changed_copy(offer=None), (_event("decline", seat=seat, thing=ANSWERS[text]),)
        if text == WITHDRAW:
            return self._changed_copy(offer=None), (_event("withdraw", seat=seat, thing="take-back"),)
        if text == GIVE:
            asked = SEATS[1 - SEATS.index(seat)]
            raise NeedsHistory(asked, (_event("take-back", seat=asked),), self.moved[asked])
        if text == AGREE:
            return self._end_game((_event("agree", seat=seat, thing="draw"),), None, "agreed")
        reason = self._claim()
        assert reason is not None
        return self._end_game((_event("claim", seat=seat),), None, reason)

    def _changed_copy(self, **changed: Any) -> ChessState:
        kept: dict[str, Any] = {
            "reached": self.pending_promotion,
            "offer": self.offering_seat,
            "outcome": self._outcome,
            "moved": self.moved,
        }
        kept.update(changed)
        return ChessState(self.board, self._options, self._seen, **kept)

    def _end_game(
        self, told: tuple[Event, ...], winner: Seat | None, reason: str
    ) -> tuple[State, tuple[Event, ...]]:
        over = _event("over", winner=winner, reason=reason)
        return self._changed_copy(outcome=Outcome(winner, reason), offer=None), (*told, over)


def board_facts(layout: Layout, board: chess.Board, fen: str = "") -> dict[str, Any]:
    """What everybody sees of a board: `layout` is what stands on it, `fen` its own unless it is known."""
    return {
        "board": {at: {"seat": piece.seat, "kind": piece.name} for at, (piece,) in layout.items()},
        "fen": fen or board.fen(),
        "reached": None,
        "offer": None,
        "check": board.is_check(),
        "chess960": board.chess960,
        "arranging": False,
    }


def _event(kind: str, **facts: Any) -> Event:
    return Event(kind, tuple(facts.items()))


def _seat(color: chess.Color) -> Seat:
    return SEATS[0] if color else SEATS[1]


def _name(piece: chess.Piece) -> str:
    return chess.piece_name(piece.piece_type)


def _target_space(move: chess.Move) -> Space:
    """Where a move leads."""
    return _space(move.to_square)


def _space(square: chess.Square) -> Space:
    """The space of the board that a square of python-chess is."""
    return Space(chess.square_name(square))


def _text(move: chess.Move) -> str:
    """The squares; what a pawn becomes is said afterwards."""
    return f"{chess.square_name(move.from_square)}-{chess.square_name(move.to_square)}"


def _castling_targets(board: chess.Board, move: chess.Move) -> tuple[chess.Square, chess.Square]:
    """Where a castling brings the king and the rook."""
    rank, short = chess.square_rank(move.from_square), board.is_kingside_castling(move)
    return chess.square(6 if short else 2, rank), chess.square(5 if short else 3, rank)


def _castling_rook_square(board: chess.Board, move: chess.Move) -> chess.Square:
    """From where a castling takes the rook."""
    if board.chess960:
        return move.to_square
    return chess.square(7 if board.is_kingside_castling(move) else 0, chess.square_rank(move.from_square))


def _repetition_key(board: chess.Board) -> str:
    """A position as far as repetition goes (9.2.3): pieces, whose turn, castling, and a true en passant."""
    return board.fen(en_passant="legal").rsplit(" ", 2)[0]
