"""What a seat sees. A view holds public facts and the seat's own ranks; JSON is made when asked for."""

from __future__ import annotations

from typing import Any, Final

from boardrules.core import Outcome, Seat, View
from boardrules.stratego.actions import SEATS
from boardrules.stratego.board import CAPTURED_SQUARE
from boardrules.stratego.facts import Battle, StrategoFacts
from boardrules.stratego.pieces import RANK_SIGNS, UNKNOWN

_SEATS_BY_SIDE: Final = tuple((seat,) for seat in SEATS)


class StrategoView(View):
    """The game as one seat, or the spectator, may know it."""

    __slots__ = ("facts", "own_ranks")

    def __init__(self, seat: Seat | None, facts: StrategoFacts, own: bytes) -> None:
        super().__init__(seat)
        self.facts: Final = facts
        self.own_ranks: Final = own
        """By piece the rank, for the seat's own pieces."""

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The side to move."""
        return _SEATS_BY_SIDE[self.facts.side] if self.facts.outcome is None else ()

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self.facts.outcome

    def json(self) -> dict[str, Any]:
        """`board`: by square seat, rank (or `?`), whether it moved, and whether everybody knows its rank;
        `battles` in order; `captured`."""
        facts = self.facts
        over = facts.outcome
        json: dict[str, Any] = {
            "game": facts.rules.game_id,
            "seat": self.seat,
            "to_act": list(self.to_act),
            "phase": "play" if over is None else "over",
            "turn": facts.ply + 1,
            "board": self._board_json(),
            "captured": self._captured_json(),
            "battles": [self._battle_json(battle) for battle in facts.revealed.battles],
            "last": None if facts.last_move is None else str(facts.last_move),
            "offer": None if facts.offer is None else facts.offer._asdict(),
        }
        if over is not None:
            json["outcome"] = over._asdict()
        return json

    def text(self) -> str:
        """The board with the pieces as the seat knows them."""
        from boardrules.stratego.text_board import board_text  # for people alone

        return board_text(self.json(), self.facts.rules.board)

    def _board_json(self) -> dict[str, Any]:
        facts = self.facts
        board: dict[str, Any] = {}
        for square, name in enumerate(facts.rules.board.names):
            piece = facts.piece_on(square)
            if piece >= 0:
                board[name] = {
                    "seat": SEATS[facts.owner_side(piece)],
                    "rank": RANK_SIGNS[self.own_ranks[piece] or facts.revealed.visible_ranks[piece]],
                    "moved": bool(facts.reached_squares >> square & 1),
                    "known": self._is_rank_known(piece),
                }
        return board

    def _is_rank_known(self, piece: int) -> bool:
        """Whether everybody was told its rank: of its own pieces a seat may see it, of others as far as they
        are shown."""
        revealed = self.facts.revealed
        return (revealed.announced_ranks if self.own_ranks[piece] else revealed.visible_ranks)[
            piece
        ] != UNKNOWN

    def _rank_sign(self, piece: int) -> str:
        """A rank that a battle or the seat's own memory tells."""
        return RANK_SIGNS[self.own_ranks[piece] or self.facts.revealed.announced_ranks[piece]]

    def _captured_json(self) -> dict[str, list[str]]:
        facts = self.facts
        gone = [piece for piece, square in enumerate(facts.square_by_piece) if square == CAPTURED_SQUARE]
        return {
            seat: [self._rank_sign(piece) for piece in gone if facts.owner_side(piece) == side]
            for side, seat in enumerate(SEATS)
        }

    def _battle_json(self, battle: Battle) -> dict[str, str]:
        return {
            "from": battle.origin,
            "to": battle.target,
            "attacker": self._rank_sign(battle.attacker),
            "defender": self._rank_sign(battle.defender),
            "result": battle.result,
        }

    def __repr__(self) -> str:
        return f"<view of {self.seat or 'the spectator'}: turn {self.facts.ply + 1}>"

    def comparison_key(self) -> tuple[object, ...]:
        """All that it holds beside its seat."""
        return self.facts, self.own_ranks


def full_json(facts: StrategoFacts, ranks: bytes) -> dict[str, Any]:
    """The whole position with every rank, as a view of somebody who knows all."""
    all_known = StrategoView(None, facts, ranks).json()
    told = {
        facts.rules.board.names[square]: RANK_SIGNS[facts.revealed.announced_ranks[piece]]
        for piece, square in enumerate(facts.square_by_piece)
        if square != CAPTURED_SQUARE and facts.revealed.announced_ranks[piece] != UNKNOWN
    }
    return {**all_known, "told": dict(sorted(told.items())), "options": dict(facts.rules.options)}
