"""A game to begin with: a row of pawns a side on 8 x 8 squares. Replace its rules by your own.

Rules, by the ids that refusals name.

- 1: each side begins with a pawn on each square of its last row. White moves first.
- 2: a pawn goes one square straight on, to an empty square.
- 3: it takes one square diagonally.
- 4: from the other side's last row a pawn may leave the board. Who brings two off wins, and so does who
  leaves the other without a move.
"""

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
from boardrules.package import GamePackage, Message, Sentences

ID: Final = "sample-game"
SEATS: Final = (Seat("white"), Seat("black"))
FILES: Final = "abcdefgh"
SQUARES: Final = frozenset(file + rank for file in FILES for rank in "12345678")
OFF: Final = Space("off")
"""Beside the board: where pawns go that leave it."""
WANTED: Final = 2
"""Who has brought so many off wins."""
RESIGN: Final = "resign"
TEXTS: Final = {
    "about": "Bring two pawns over the board and off it.",
    "seat white": "White",
    "seat black": "Black",
    "event move": "{seat}: {from} to {to}.",
    "event take": "{seat}: {from} takes {to}.",
    "event leave": "{seat}: the pawn from {from} leaves the board.",
    "space off": "the table beside the board",
    "event resign": "{seat} resigned.",
    "won off": "{winner} has brought two pawns off and wins.",
    "won no-move": "{winner} wins: the other side can't move.",
    "won resignation": "{winner} won by resignation.",
    "sample-game/over": "The game is over.",
    "sample-game/not-your-turn": "It isn't your turn: {seat}.",
    "sample-game/no-pawn": "No pawn of yours stands on {from}.",
    "sample-game/no-way": "A pawn can't go from {from} to {to}.",
}
"""What the game says. Every code of a refusal and every kind of event has its sentence here."""

Pawns = tuple[frozenset[Space], frozenset[Space]]
"""Where the pawns of white and of black stand."""


class SampleState(OpenState):
    """Where the pawns stand and who is to move. A state never changes; `apply` makes the next one."""

    __slots__ = ("_outcome", "off", "pawns", "side")
    game_id = ID
    seats = SEATS
    options: Mapping[str, Any] = {"players": 2}

    def __init__(
        self,
        pawns: Pawns,
        side: int = 0,
        outcome: Outcome | None = None,
        off: tuple[int, int] = (0, 0),
    ) -> None:
        self.pawns, self.side, self._outcome, self.off = pawns, side, outcome, off

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self._outcome

    def key(self) -> tuple[Any, ...]:
        """All that makes a position."""
        return self.pawns, self.side, self._outcome, self.off

    def facts(self) -> dict[str, Any]:
        """`board`: by square whose pawn stands there; `off`: by seat how many have left. `SampleGame.schema`
        says the same."""
        board = {at: {"seat": piece.seat} for at, (piece,) in self.layout().items()}
        return {"board": board, "off": dict(zip(SEATS, self.off, strict=True))}

    def layout(self) -> Layout:
        """By square its pawn: what has to stand on the board."""
        return {
            at: (LayoutPiece(seat, "pawn"),)
            for seat, own in zip(SEATS, self.pawns, strict=True)
            for at in sorted(own)
        }

    def trays(self) -> Layout:
        """Steps may lead off the board. Which pieces lie there nobody has to know."""
        return {OFF: ()}

    def seats_to_act(self) -> tuple[Seat, ...]:
        """The side to move."""
        return (SEATS[self.side],) if self._outcome is None else ()

    def legal_actions(self, seat: Seat) -> tuple[Action, ...]:
        """The moves by rules 2 to 4."""
        expect_seat(seat, SEATS)
        return tuple(_moves(self.pawns, self.side)) if seat in self.seats_to_act() else ()

    def table_actions(self, seat: Seat) -> tuple[Action, ...]:
        """Giving up, at any time."""
        expect_seat(seat, SEATS)
        return (TextAction(seat, RESIGN),) if seat in SEATS and self._outcome is None else ()

    def steps(self) -> tuple[Step, ...]:
        """What hands may do now: the legal moves, as nothing is hidden."""
        ways = [_move_squares(move) for seat in self.seats_to_act() for move in self.legal_actions(seat)]
        others = self.pawns[1 - self.side]
        return tuple(Step(one, to, False, (to,) if to in others else ()) for one, to in ways)

    def hand_action(self, seat: Seat, origin: Space, target: Space) -> Action:
        """What a hand means that carries a pawn from one square to another, allowed or not."""
        return self.parse(f"{origin}-{target}", seat)

    def parse(self, text: str, seat: Seat) -> Action:
        """`a1-a2`, `a8-off` or `resign`."""
        expect_seat(seat, SEATS)
        words = lenient_parsing.words(text)
        way = lenient_parsing.split_pair(words, {*SQUARES, OFF})
        if words != [RESIGN] and way is None:
            raise BadText(f"{text!r} is no action; try two squares such as a1-a2, a8-{OFF} or {RESIGN}")
        return TextAction(seat, RESIGN if way is None else "-".join(way))

    def refusal(self, action: Action) -> Refusal | None:
        """The first rule that is against it."""
        if self._outcome is not None:
            return Refusal(f"{ID}/over", "4")
        resigns = str(action) == RESIGN
        if action.seat not in (SEATS if resigns else self.seats_to_act()):
            return Refusal(f"{ID}/not-your-turn", "1", (("seat", action.seat),))
        if resigns or action in self.legal_actions(action.seat):
            return None
        origin, target = _move_squares(action)
        where = (("from", origin), ("to", target))
        if origin not in self.pawns[self.side]:
            return Refusal(f"{ID}/no-pawn", "2", where)
        return Refusal(f"{ID}/no-way", "2", where)

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
        origin, target = _move_squares(action)
        own, others = self.pawns[self.side], self.pawns[1 - self.side]
        kind = "leave" if target == OFF else "take" if target in others else "move"
        event = Event(kind, (("seat", seat), ("from", origin), ("to", target)))
        own, others = own - {origin} | ({target} - {OFF}), others - {target}
        pawns = (others, own) if self.side else (own, others)
        white, black = self.off
        off = (white + (target == OFF and not self.side), black + (target == OFF and self.side))
        if off[self.side] == WANTED:
            return self._end_game(pawns, Outcome(seat, "off"), event, off)
        if not _moves(pawns, 1 - self.side):
            return self._end_game(pawns, Outcome(seat, "no-move"), event, off)
        return SampleState(pawns, 1 - self.side, None, off), (event,)

    def _end_game(
        self, pawns: Pawns, outcome: Outcome, event: Event, off: tuple[int, int] | None = None
    ) -> tuple[State, tuple[Event, ...]]:
        over = Event("over", (("winner", outcome.winner), ("reason", outcome.reason)))
        return SampleState(pawns, self.side, outcome, off or self.off), (event, over)


def _move_squares(action: Action) -> tuple[Space, Space]:
    origin, _, target = str(action).partition("-")
    return Space(origin), Space(target)


def _moves(pawns: Pawns, side: int) -> list[Action]:
    """Rules 2 to 4."""
    own, others = pawns[side], pawns[1 - side]
    found: list[Action] = []
    for origin in sorted(own):
        file, rank = FILES.index(origin[0]), int(origin[1]) + (1 - 2 * side)
        if origin[1] == "81"[side]:
            found.append(TextAction(SEATS[side], f"{origin}-{OFF}"))
            continue
        for at in (file - 1, file, file + 1):
            target = Space(f"{FILES[at]}{rank}") if 0 <= at < len(FILES) else Space("")
            straight = at == file and target in SQUARES and target not in own | others
            if straight or (at != file and target in others):
                found.append(TextAction(SEATS[side], f"{origin}-{target}"))
    return found


class SampleGame(GamePackage):
    """The game with all that belongs to it."""

    id = ID
    title = "Sample game"

    def new(self, options: Mapping[str, Any]) -> State:
        """Rule 1."""
        no_options(self.id, options)
        white, black = (frozenset(Space(file + rank) for file in FILES) for rank in "18")
        return SampleState((white, black))

    def about(self) -> Message:
        """What it is about, for who has to choose a game."""
        return Message("about", {}, self.id)

    def schema(self) -> Mapping[str, Any]:
        """What its views hold."""
        board = schema.by_name(schema.fields({"seat": schema.TEXT}))
        return schema.view({"board": board, "off": schema.by_name(schema.NUMBER)})

    def space_names(self, state: State) -> Mapping[Space, Message]:
        """What people call the place beside the board."""
        return {OFF: Message("space off", {}, self.id)}

    def sentences(self) -> Sentences:
        """What the game says."""
        return Sentences(TEXTS)


GAME: Final = SampleGame()
