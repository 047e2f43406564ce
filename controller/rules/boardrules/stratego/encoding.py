"""The games of Stratego in numbers: a plane of squares for each thing that may be on one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from boardrules.core import Event, Space, View
from boardrules.encoding import GameEncoding, one_hot, seat_parts
from boardrules.stratego.actions import SEATS
from boardrules.stratego.pieces import RANK_BY_SIGN, RANK_SIGNS
from boardrules.stratego.rules import StrategoRules

_RANKS: Final = RANK_SIGNS[1:]
_RESULTS: Final = ("attacker", "defender", "both")
_PHASES: Final = ("setup", "play", "over")


class StrategoEncoding(GameEncoding):
    """The encoding of one of the games."""

    told = ("attacker", "defender", "result", "scout")

    def __init__(self, rules: StrategoRules) -> None:
        board = rules.board
        names, squares = board.names, len(board.names)
        self.actions = tuple(
            f"{origin}-{names[target]}"
            for square, origin in enumerate(names)
            for direction in board.squares_by_direction[square]
            for target in direction
        )
        self.placements = names
        self.parts = {
            "seat": 2,
            "to_act": 2,
            "phase": len(_PHASES),
            "coming": len(_RANKS),
            "captured_own": len(_RANKS),
            "captured_others": len(_RANKS),
            "lakes": squares,
            "own": len(_RANKS) * squares,  # a plane a rank: S 2 3 ... 10 B F
            "own_known": squares,  # the own pieces whose rank everybody was told
            "others": len(RANK_SIGNS) * squares,  # the same with a plane for hidden ranks before them
            "moved": squares,
        }
        self._board, self._army = board, rules.army
        self._lakes = [float(board.lakes >> square & 1) for square in range(squares)]

    def observe(self, view: View, placed: Mapping[Space, str], coming: str | None) -> list[float]:
        """Planes count squares from a1 along the rows; captured pieces as shares of the army's."""
        shown = view.json()
        numbers, squares = self._board.squares, len(self._board.names)
        own, known = [0.0] * (len(_RANKS) * squares), [0.0] * squares
        others, moved = [0.0] * (len(RANK_SIGNS) * squares), [0.0] * squares
        for space, piece in shown["board"].items():
            square, rank = numbers[space], RANK_BY_SIGN.get(piece["rank"], 0)
            moved[square] = float(piece["moved"])
            if piece["seat"] == view.seat:
                own[(rank - 1) * squares + square] = 1.0
                known[square] = float(piece["known"])
            else:
                others[rank * squares + square] = 1.0
        for space, sign in placed.items():
            own[(RANK_BY_SIGN[sign] - 1) * squares + numbers[space]] = 1.0
        captured = [
            shown["captured"][seat].count(sign) / self._army.get(sign, 1)
            for seat in sorted(SEATS, key=lambda seat: seat != view.seat)
            for sign in _RANKS
        ]
        head = [*seat_parts(SEATS, view), *one_hot(_PHASES, shown["phase"]), *one_hot(_RANKS, coming)]
        return [*head, *captured, *self._lakes, *own, *known, *others, *moved]

    def tell(self, events: Iterable[Event]) -> tuple[float, ...]:
        """The ranks and the result of a battle, and whether a Scout gave itself away."""
        attacker = defender = result = scout = 0.0
        for event in events:
            data = dict(event.data)
            if event.kind == "battle":
                attacker = RANK_BY_SIGN.get(data.get("attacker", ""), 0) / len(_RANKS)
                defender = RANK_BY_SIGN.get(data.get("defender", ""), 0) / len(_RANKS)
                result = (_RESULTS.index(data["result"]) + 1) / len(_RESULTS)
            elif event.kind == "told":
                scout = 1.0
        return attacker, defender, result, scout
