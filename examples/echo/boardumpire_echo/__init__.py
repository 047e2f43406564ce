"""Echo, a game of memory on four squares with one piece: the chain of squares gets longer by one each round.

E1. The piece stands on a1. One plays, against the board.
E2. The board adds a square to the chain, and its lamp shows it until the piece leaves.
E3. The piece goes the whole chain from its beginning. If it stands there already, that counts. A square
    never comes twice running.
E4. A wrong square ends the game, and the board has won.
E5. Who goes a chain of twelve squares has won.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any, Final

from boardrules import lenient_parsing, schema
from boardrules.core import (
    CHANCE,
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

SQUARES: Final = tuple(map(Space, ("a1", "b1", "a2", "b2")))
PLAYER: Final = Seat("player")
RESIGN: Final = "resign"
ENOUGH: Final = 12
"""E5"""


class EchoState(OpenState):
    """The chain, how far the piece has gone along it, and where it stands."""

    __slots__ = ("_outcome", "at", "chain", "gone")
    game_id = "echo"
    seats = (PLAYER,)
    options: Mapping[str, Any] = {"players": 1}

    def __init__(
        self,
        at: Space = SQUARES[0],
        chain: tuple[Space, ...] = (),
        gone: int = 0,
        outcome: Outcome | None = None,
    ) -> None:
        """`gone`: how many squares of the chain were gone in this round."""
        self.at, self.chain, self.gone, self._outcome = at, chain, gone, outcome

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self._outcome

    def key(self) -> tuple[Any, ...]:
        """All that makes a position."""
        return self.at, self.chain, self.gone, self._outcome

    def facts(self) -> dict[str, Any]:
        """`board`: the piece. `length`: of the chain. `new`: the square that the board shows. `chain`: once
        the game is over; until then everybody has to remember it."""
        over = {"chain": list(self.chain)} if self._outcome else {}
        board = {self.at: {"seat": PLAYER, "kind": "piece"}}
        return {"board": board, "length": len(self.chain), "new": self._shown_square(), **over}

    def layout(self) -> Layout:
        """The piece."""
        return {self.at: (LayoutPiece(PLAYER, "piece"),)}

    def seats_to_act(self) -> tuple[Seat, ...]:
        """Who is to move; chance while the board is to add a square."""
        if self._outcome is not None:
            return ()
        return (CHANCE,) if self.chance() else (PLAYER,)

    def chance(self) -> tuple[tuple[Action, int], ...]:
        """E2, E3: any square but the last one; all are as likely."""
        if self._outcome is not None or self.gone < len(self.chain):
            return ()
        return tuple((TextAction(CHANCE, f"add {to}"), 1) for to in SQUARES if to != self.at)

    def legal_actions(self, seat: Seat) -> tuple[Action, ...]:
        """To any other square: which one is right has to be remembered."""
        expect_seat(seat, self.seats)
        if seat == CHANCE:
            return tuple(action for action, _ in self.chance())
        there = SQUARES if seat in self.seats_to_act() else ()
        return tuple(self.hand_action(seat, self.at, to) for to in there if to != self.at)

    def table_actions(self, seat: Seat) -> tuple[Action, ...]:
        """Giving up, at any time."""
        expect_seat(seat, self.seats)
        return (TextAction(seat, RESIGN),) if seat in self.seats and self._outcome is None else ()

    def steps(self) -> tuple[Step, ...]:
        """To any other square."""
        there = SQUARES if self._outcome is None and not self.chance() else ()
        return tuple(Step(self.at, to, attack=False) for to in there if to != self.at)

    def hand_action(self, seat: Seat, origin: Space, target: Space) -> Action:
        """From a square to another one."""
        return self.parse(f"{origin}-{target}", seat)

    def parse(self, text: str, seat: Seat) -> Action:
        """`a1-b2`, `resign`; of chance `add b2`."""
        expect_seat(seat, self.seats)
        words = lenient_parsing.words(text)
        if seat == CHANCE and len(words) == 2 and words[0] == "add" and words[1] in SQUARES:
            return TextAction(seat, " ".join(words))
        way = lenient_parsing.split_pair(words, SQUARES)
        if words != [RESIGN] and way is None:
            raise BadText(f"{text!r} is no action; try two squares such as a1-b2, or {RESIGN}")
        return TextAction(seat, RESIGN if way is None else "-".join(way))

    def refusal(self, action: Action) -> Refusal | None:
        """The first rule that is against it."""
        if self._outcome is not None:
            return Refusal("echo/over", "E4")
        if action.seat == CHANCE:
            adds = any(action == face for face, _ in self.chance())
            return None if adds else Refusal("echo/not-now", "E2")
        resigns = str(action) == RESIGN
        if action.seat not in (self.seats if resigns else self.seats_to_act()):
            return Refusal("echo/not-your-turn", "E1")
        if resigns:
            return None
        origin, target = map(Space, str(action).split("-"))
        if origin != self.at:
            return Refusal("echo/no-piece", "E1", (("at", self.at),))
        return Refusal("echo/same-square", "E3") if target == origin else None

    def apply(self, action: Action) -> tuple[State, tuple[Event, ...]]:
        """The next position and what happened. Raises `IllegalAction`."""
        refusal = self.refusal(action)
        if refusal is not None:
            raise IllegalAction(refusal)
        text = str(action)
        if text == RESIGN:
            return self._end_game(self.at, None, RESIGN, Event(RESIGN, (("seat", PLAYER),)))
        if action.seat == CHANCE:
            new = Space(text.split()[1])
            chain = (*self.chain, new)
            event = Event("remember", (("at", new), ("length", len(chain))))
            return EchoState(self.at, chain, int(self.at == chain[0])), (event,)  # E3
        target, right = Space(text.split("-")[1]), self.chain[self.gone]
        if target != right:  # E4
            event = Event("wrong", (("at", target), ("right", right)))
            return self._end_game(target, None, "wrong", event)
        gone = self.gone + 1
        event = Event("right", (("at", target), ("number", gone), ("length", len(self.chain))))
        if gone == ENOUGH:  # E5
            return self._end_game(target, PLAYER, "enough", event)
        return EchoState(target, self.chain, gone), (event,)

    def _shown_square(self) -> Space | None:
        """E2: what the board has just added, until the piece leaves."""
        if self._outcome is not None or self.gone == len(self.chain):
            return None
        return self.chain[-1] if self.gone == int(self.at == self.chain[0]) else None

    def _end_game(
        self, at: Space, winner: Seat | None, reason: str, event: Event
    ) -> tuple[State, tuple[Event, ...]]:
        over = Event("over", (("winner", winner), ("reason", reason)))
        return EchoState(at, self.chain, self.gone, Outcome(winner, reason)), (event, over)


TEXTS: Final = {
    "seat player": "Player",
    "event remember": "Remember {at}: the chain has {length}.",
    "event right": "{at}: {number} of {length}.",
    "event wrong": "{at} is wrong: {right} was next.",
    "event resign": "{seat} gave up.",
    "won enough": "All twelve: {winner} forgets nothing.",
    "draw wrong": "The board wins this time.",
    "draw resign": "The board wins this time.",
    "echo/over": "The game is over.",
    "echo/not-now": "The board adds nothing now.",
    "echo/not-your-turn": "It isn't your turn.",
    "echo/no-piece": "The piece stands on {at}.",
    "echo/same-square": "The piece has to go to another square.",
}


class Echo(GamePackage):
    """The game with all that belongs to it."""

    id = "echo"
    title = "Echo"
    player_counts = (1,)

    def new(self, options: Mapping[str, Any]) -> State:
        """E1."""
        no_options(self.id, options, players=1)
        return EchoState()

    def schema(self) -> Mapping[str, Any]:
        """What its views hold."""
        piece = schema.fields({"seat": schema.TEXT, "kind": schema.TEXT})
        return schema.view(
            {
                "board": schema.by_name(piece),
                "length": schema.NUMBER,
                "new": schema.nullable(schema.TEXT),
            },
            {"chain": schema.list_of(schema.TEXT)},
        )

    def record_line_prefixes(self) -> tuple[str, ...]:
        """What the board adds."""
        return ("chance ",)

    def sentences(self) -> Sentences:
        """What the game says."""
        return Sentences(TEXTS)

    def marks(self) -> Mapping[str, Mark]:
        """What the board adds, and the whole chain at the end."""
        return {**super().marks(), "remember": Mark("magenta", "blink", "remember this square")}

    def lamps(self, view: Mapping[str, Any], lamps: Container[str]) -> Mapping[str, str]:
        """E2."""
        return {view["new"]: "remember"} if view["new"] else {}

    def finale(self, view: Mapping[str, Any]) -> Sequence[Mapping[str, str]]:
        """The chain, square by square."""
        return [{at: "remember"} for at in view["chain"]]


GAME: Final = Echo()
