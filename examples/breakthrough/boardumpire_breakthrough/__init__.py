"""Breakthrough (Dan Troyka, 2000): who first brings a pawn to the other side of the board wins.

Rules, by the ids that refusals name.

- B1: each side begins with its two rows nearest to it full. White moves first.
- B2: a pawn goes one square forward, straight or diagonally, to an empty square.
- B3: it takes only diagonally.
- B4: who has a pawn on the other side's last row wins, and so does who has taken every pawn.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
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
from boardrules.marks import Mark
from boardrules.open_game import OpenState, TextAction, no_options
from boardrules.package import GamePackage, Sentences

SEATS: Final = (Seat("white"), Seat("black"))
FILES: Final = "abcdefgh"
SQUARES: Final = frozenset(file + rank for file in FILES for rank in "12345678")
RESIGN: Final = "resign"
TEXTS: Final = {
    "seat white": "White",
    "seat black": "Black",
    "event move": "{seat}: {from} to {to}.",
    "event take": "{seat}: {from} takes {to}.",
    "event resign": "{seat} resigned.",
    "won across": "{winner} has broken through and wins.",
    "won none-left": "{winner} has taken every pawn and wins.",
    "won resignation": "{winner} won by resignation.",
    "breakthrough/over": "The game is over.",
    "breakthrough/not-your-turn": "It isn't your turn: {seat}.",
    "breakthrough/no-pawn": "No pawn of yours stands on {from}.",
    "breakthrough/no-way": "A pawn goes one square forward, straight or diagonally; {to} isn't one of those.",
    "breakthrough/blocked": "{to} is taken: a pawn takes diagonally only.",
    "breakthrough/own-pawn": "Your own pawn stands on {to}.",
}

Pawns = tuple[frozenset[Space], frozenset[Space]]
"""Where the pawns of white and of black stand."""


class BreakthroughState(OpenState):
    """Where the pawns stand and who is to move."""

    __slots__ = ("_outcome", "pawns", "side")
    game_id = "breakthrough"
    seats = SEATS
    options: Mapping[str, Any] = {"players": 2}

    def __init__(self, pawns: Pawns, side: int = 0, outcome: Outcome | None = None) -> None:
        self.pawns, self.side, self._outcome = pawns, side, outcome

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self._outcome

    def key(self) -> tuple[Any, ...]:
        """All that makes a position."""
        return self.pawns, self.side, self._outcome

    def facts(self) -> dict[str, Any]:
        """`board`: by square whose pawn stands there."""
        return {"board": {at: {"seat": piece.seat} for at, (piece,) in self.layout().items()}}

    def layout(self) -> Layout:
        """By square its pawn."""
        return {
            at: (LayoutPiece(seat, "pawn"),)
            for seat, own in zip(SEATS, self.pawns, strict=True)
            for at in sorted(own)
        }

    def seats_to_act(self) -> tuple[Seat, ...]:
        """The side to move."""
        return (SEATS[self.side],) if self._outcome is None else ()

    def legal_actions(self, seat: Seat) -> tuple[Action, ...]:
        """B2, B3."""
        expect_seat(seat, SEATS)
        own = sorted(self.pawns[self.side]) if seat in self.seats_to_act() else ()
        moves = [
            self.hand_action(seat, origin, target)
            for origin in own
            for target in self._forward_squares(origin)
        ]
        return tuple(move for move in moves if self.refusal(move) is None)

    def table_actions(self, seat: Seat) -> tuple[Action, ...]:
        """Giving up, at any time."""
        expect_seat(seat, SEATS)
        return (TextAction(seat, RESIGN),) if seat in SEATS and self._outcome is None else ()

    def steps(self) -> tuple[Step, ...]:
        """What hands may do now: the legal moves, as nothing is hidden."""
        moves = [map(Space, str(move).split("-")) for move in self.legal_actions(SEATS[self.side])]
        others = self.pawns[1 - self.side]
        return tuple(Step(one, to, False, (to,) if to in others else ()) for one, to in moves)

    def hand_action(self, seat: Seat, origin: Space, target: Space) -> Action:
        """The move between two squares, legal or not."""
        return self.parse(f"{origin}-{target}", seat)

    def parse(self, text: str, seat: Seat) -> Action:
        """`a2-a3` or `resign`."""
        expect_seat(seat, SEATS)
        words = lenient_parsing.words(text)
        way = lenient_parsing.split_pair(words, SQUARES)
        if words != [RESIGN] and way is None:
            raise BadText(f"{text!r} is no action; try two squares such as a2-a3, or {RESIGN}")
        return TextAction(seat, RESIGN if way is None else "-".join(way))

    def _forward_squares(self, origin: Space) -> list[Space]:
        file, rank = FILES.index(origin[0]), int(origin[1]) + (1 - 2 * self.side)
        around = (at for at in (file - 1, file, file + 1) if 0 <= at < 8 and 1 <= rank <= 8)
        return [Space(f"{FILES[at]}{rank}") for at in around]

    def refusal(self, action: Action) -> Refusal | None:
        """The first rule that is against it."""
        if self._outcome is not None:
            return Refusal("breakthrough/over", "B4")
        resigns = str(action) == RESIGN
        if action.seat not in (SEATS if resigns else self.seats_to_act()):
            return Refusal("breakthrough/not-your-turn", "B1", (("seat", action.seat),))
        if resigns:
            return None
        origin, target = map(Space, str(action).split("-"))
        own, others = self.pawns[self.side], self.pawns[1 - self.side]
        where = (("from", origin), ("to", target))
        if origin not in own:
            return Refusal("breakthrough/no-pawn", "B2", where)
        if target not in self._forward_squares(origin):
            return Refusal("breakthrough/no-way", "B2", where)
        if target in own:
            return Refusal("breakthrough/own-pawn", "B2", where)
        if target in others and target[0] == origin[0]:
            return Refusal("breakthrough/blocked", "B3", where)
        return None

    def apply(self, action: Action) -> tuple[State, tuple[Event, ...]]:
        """The next position and what happened. Raises `IllegalAction`."""
        refusal = self.refusal(action)
        if refusal is not None:
            raise IllegalAction(refusal)
        seat = action.seat
        if str(action) == RESIGN:
            winner = SEATS[1 - SEATS.index(seat)]
            return self._end_game(
                self.pawns, Outcome(winner, "resignation"), Event(RESIGN, (("seat", seat),))
            )
        origin, target = map(Space, str(action).split("-"))
        own, others = self.pawns[self.side], self.pawns[1 - self.side]
        kind = "take" if target in others else "move"
        event = Event(kind, (("seat", seat), ("from", origin), ("to", target)))
        own, others = own - {origin} | {target}, others - {target}
        pawns = (others, own) if self.side else (own, others)
        if target[1] == "81"[self.side]:  # B4
            return self._end_game(pawns, Outcome(seat, "across"), event)
        if not others:
            return self._end_game(pawns, Outcome(seat, "none-left"), event)
        return BreakthroughState(pawns, 1 - self.side), (event,)

    def _end_game(self, pawns: Pawns, outcome: Outcome, event: Event) -> tuple[State, tuple[Event, ...]]:
        over = Event("over", (("winner", outcome.winner), ("reason", outcome.reason)))
        return BreakthroughState(pawns, self.side, outcome), (event, over)


class Breakthrough(GamePackage):
    """The game with all that belongs to it."""

    id = "breakthrough"
    title = "Breakthrough"

    def new(self, options: Mapping[str, Any]) -> State:
        """B1."""
        no_options(self.id, options)
        white, black = (
            frozenset(Space(file + rank) for file in FILES for rank in ranks) for ranks in ("12", "78")
        )
        return BreakthroughState((white, black))

    def schema(self) -> Mapping[str, Any]:
        """What its views hold."""
        return schema.view({"board": schema.by_name(schema.fields({"seat": schema.TEXT}))})

    def sentences(self) -> Sentences:
        """What the game says."""
        return Sentences(TEXTS)

    def marks(self) -> Mapping[str, Mark]:
        """Whose turn it is, and pawns that are nearly across."""
        across = Mark("magenta", "slow pulse", "one more step, and this pawn is across")
        return {**super().marks(), "nearly-across": across}

    def lamps(self, view: Mapping[str, Any], lamps: Container[str]) -> Mapping[str, str]:
        """B4 is a step away."""
        ranks = {"white": "7", "black": "2"}
        near = [at for at, pawn in view["board"].items() if at[1] == ranks[pawn["seat"]]]
        return {**super().lamps(view, lamps), **dict.fromkeys(near, "nearly-across")}


GAME: Final = Breakthrough()
