"""A game whose pieces come from beside the board: of two kinds, each in a tray of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from boardrules import lenient_parsing, schema
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
from boardrules.open_game import OpenState, TextAction, no_options
from boardrules.package import GamePackage, PieceAppearance, Sentences

SEATS: Final = (Seat("white"), Seat("black"))
FILES: Final = "abcdefgh"
SQUARES: Final = frozenset(file + rank for file in FILES for rank in "12345678")
KINDS: Final = ("guard", "pawn")
TRAYS: Final = {
    Space(f"{seat[0]}{kind}"): LayoutPiece(seat, kind) for seat in SEATS for kind in KINDS
}  # fmt: skip
RESIGN: Final = "resign"
LONGEST: Final = 120
TEXTS: Final = {
    "seat white": "White",
    "seat black": "Black",
    "piece pawn": "pawn",
    "piece guard": "guard",
    "event move": "{seat}: {from} to {to}.",
    "event take": "{seat}: {from} takes {to}.",
    "event drop": "{seat}: a new {piece} on {to}.",
    "event resign": "{seat} resigned.",
    "won across": "{winner} has come across and wins.",
    "won no-move": "{winner} wins: the other side can't move.",
    "won resignation": "{winner} won by resignation.",
    "draw long": "A draw: it goes on for too long.",
    "drops/over": "The game is over.",
    "drops/not-your-turn": "It isn't your turn: {seat}.",
    "drops/no-way": "{from} to {to} is no move.",
}
Pieces = Mapping[Space, LayoutPiece]


class DropState(OpenState):
    """What stands where, and how many of each kind wait beside the board."""

    __slots__ = ("_outcome", "number", "pieces", "reserve")
    game_id = "drops"
    seats = SEATS
    options: Mapping[str, Any] = {"players": 2}

    def __init__(
        self, pieces: Pieces, reserve: Mapping[Space, int], number: int = 0, outcome: Outcome | None = None
    ) -> None:
        self.pieces, self.reserve, self.number, self._outcome = pieces, reserve, number, outcome

    @property
    def outcome(self) -> Outcome | None:
        return self._outcome

    @property
    def mover(self) -> Seat:
        return SEATS[self.number % 2]

    def key(self) -> tuple[Any, ...]:
        stands = tuple(sorted(self.pieces.items()))
        return stands, tuple(sorted(self.reserve.items())), self.number, self._outcome

    def facts(self) -> dict[str, Any]:
        board = {at: {"seat": piece.seat, "kind": piece.name} for at, piece in sorted(self.pieces.items())}
        return {"board": board, "reserve": dict(self.reserve)}

    def layout(self) -> Layout:
        return {at: (piece,) for at, piece in sorted(self.pieces.items())}

    def trays(self) -> Layout:
        return {tray: (piece,) * self.reserve[tray] for tray, piece in TRAYS.items()}

    def seats_to_act(self) -> tuple[Seat, ...]:
        return (self.mover,) if self._outcome is None else ()

    def legal_actions(self, seat: Seat) -> tuple[Action, ...]:
        expect_seat(seat, SEATS)
        return tuple(self._moves()) if seat in self.seats_to_act() else ()

    def table_actions(self, seat: Seat) -> tuple[Action, ...]:
        expect_seat(seat, SEATS)
        return (TextAction(seat, RESIGN),) if seat in SEATS and self._outcome is None else ()

    def steps(self) -> tuple[Step, ...]:
        ways = [_way(move) for seat in self.seats_to_act() for move in self.legal_actions(seat)]
        return tuple(Step(one, to, False, (to,) if to in self.pieces else ()) for one, to in ways)

    def hand_action(self, seat: Seat, origin: Space, target: Space) -> Action:
        return self.parse(f"{origin}-{target}", seat)

    def parse(self, text: str, seat: Seat) -> Action:
        """`a1-a2`, `wpawn-a3` or `resign`."""
        expect_seat(seat, SEATS)
        words = lenient_parsing.words(text)
        way = lenient_parsing.split_pair(words, {*SQUARES, *TRAYS})
        if words != [RESIGN] and way is None:
            raise BadText(f"{text!r} is no action; try a1-a2, wpawn-a3 or {RESIGN}")
        return TextAction(seat, RESIGN if way is None else "-".join(way))

    def refusal(self, action: Action) -> Refusal | None:
        if self._outcome is not None:
            return Refusal("drops/over", "1")
        resigns = str(action) == RESIGN
        if action.seat not in (SEATS if resigns else self.seats_to_act()):
            return Refusal("drops/not-your-turn", "1", (("seat", action.seat),))
        if resigns or action in self.legal_actions(action.seat):
            return None
        origin, target = _way(action)
        return Refusal("drops/no-way", "2", (("from", origin), ("to", target)))

    def apply(self, action: Action) -> tuple[State, tuple[Event, ...]]:
        refusal = self.refusal(action)
        if refusal is not None:
            raise IllegalAction(refusal)
        seat = action.seat
        other = SEATS[1 - SEATS.index(seat)]
        if str(action) == RESIGN:
            return self._over(Outcome(other, "resignation"), Event(RESIGN, (("seat", seat),)))
        origin, target = _way(action)
        pieces, reserve = dict(self.pieces), dict(self.reserve)
        if origin in TRAYS:
            reserve[origin] -= 1
            piece = TRAYS[origin]
            event = Event("drop", (("seat", seat), ("piece", piece.name), ("to", target)))
        else:
            taken, piece = pieces.get(target), pieces.pop(origin)
            if taken is not None:
                reserve[Space(f"{taken.seat[0]}{taken.name}")] += 1
            kind = "move" if taken is None else "take"
            event = Event(kind, (("seat", seat), ("from", origin), ("to", target)))
        pieces[target] = piece
        after = DropState(pieces, reserve, self.number + 1)
        if piece.name == "pawn" and target[1] == "81"[SEATS.index(seat)]:
            return after._over(Outcome(seat, "across"), event)
        if not after._moves():
            return after._over(Outcome(seat, "no-move"), event)
        return after._over(Outcome(None, "long"), event) if after.number == LONGEST else (after, (event,))

    def _over(self, outcome: Outcome, event: Event) -> tuple[State, tuple[Event, ...]]:
        over = Event("over", (("winner", outcome.winner), ("reason", outcome.reason)))
        return DropState(self.pieces, self.reserve, self.number, outcome), (event, over)

    def _moves(self) -> list[Action]:
        seat, found = self.mover, []
        on = 1 - 2 * SEATS.index(seat)
        for origin, piece in sorted(self.pieces.items()):
            if piece.seat != seat:
                continue
            sides = (
                [(-1, on), (0, on), (1, on)] if piece.name == "pawn" else [(0, 1), (0, -1), (1, 0), (-1, 0)]
            )
            for across, up in sides:
                file, rank = FILES.index(origin[0]) + across, int(origin[1]) + up
                target = Space(f"{FILES[file]}{rank}") if 0 <= file < 8 and 1 <= rank <= 8 else Space("")
                there = self.pieces.get(target)
                takes = there is not None and there.seat != seat and bool(across) and piece.name == "pawn"
                goes = there is None and (not across or piece.name == "guard")
                if target and (takes or goes):
                    found.append(TextAction(seat, f"{origin}-{target}"))
        own = "34" if on == 1 else "56"
        free = sorted(file + rank for file in FILES for rank in own if file + rank not in self.pieces)
        waits = [tray for tray, piece in TRAYS.items() if piece.seat == seat and self.reserve[tray]]
        return [*found, *(TextAction(seat, f"{tray}-{at}") for tray in waits for at in free)]


def _way(action: Action) -> tuple[Space, Space]:
    origin, _, target = str(action).partition("-")
    return Space(origin), Space(target)


class Drops(GamePackage):
    """The game with all that belongs to it."""

    id = "drops"
    title = "Drops"

    def new(self, options: Mapping[str, Any]) -> State:
        no_options(self.id, options)
        pieces = {
            Space(file + rank): LayoutPiece(seat, "pawn")
            for seat, rank in zip(SEATS, "18", strict=True)
            for file in FILES[::2]
        }
        return DropState(pieces, dict.fromkeys(TRAYS, 2))

    def schema(self) -> Mapping[str, Any]:
        piece = schema.fields({"seat": schema.TEXT, "kind": schema.TEXT})
        return schema.view({"board": schema.by_name(piece), "reserve": schema.by_name(schema.NUMBER)})

    def sentences(self) -> Sentences:
        return Sentences(TEXTS, name_families={"piece": "piece"})

    def piece_appearance(self) -> PieceAppearance:
        return PieceAppearance(signs={"pawn": "P", "guard": "G"})

    def simulated_people_kind(self) -> str:
        return "open"


GAME: Final = Drops()
