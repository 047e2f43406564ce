"""A small game that only tests have: it keeps the contract honest.

Two seats race two pieces each along a track. Chance deals each a hidden card and rolls a die every turn. The
roller walks a piece (pieces may share a space) or rests (an action without a piece); then the other seat may
play its card to block the walk: the window opens whether or not it holds one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from boardrules.core import (
    CHANCE,
    Action,
    BadText,
    Event,
    IllegalAction,
    Layout,
    LayoutPiece,
    OptionError,
    Outcome,
    Refusal,
    Seat,
    State,
    Step,
    View,
    expect_action,
    expect_seat,
    expect_viewer,
)
from boardrules.package import GamePackage

SEATS = ("north", "south")
LENGTH = 6
WORDS = {
    "north": ("walk a", "walk b", "rest", "block", "let"),
    "south": ("walk c", "walk d", "rest", "block", "let"),
    CHANCE: (
        "deal north card",
        "deal north blank",
        "deal south card",
        "deal south blank",
        "roll 1",
        "roll 2",
        "roll 3",
    ),
}
PIECES = {"north": ("a", "b"), "south": ("c", "d")}


class Word(Action):
    __slots__ = ("seat", "secret", "words")

    def __init__(self, seat: Seat, words: str) -> None:
        self.seat, self.words = seat, words
        self.secret = words.startswith("deal")

    def __str__(self) -> str:
        return self.words

    def __repr__(self) -> str:
        return "deal ..." if self.secret else self.words

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Word) and (self.seat, self.words) == (other.seat, other.words)

    def __hash__(self) -> int:
        return hash((self.seat, self.words))

    def __reduce__(self) -> tuple[Any, ...]:
        return Word, (self.seat, self.words)


class Position(NamedTuple):
    phase: str = "deal"  # deal, roll, walk, answer
    turn: int = 0
    die: int = 0
    walker: str = ""
    on: tuple[int, int, int, int] = (0, 0, 0, 0)
    dealt: int = 0


class ToyState(State):
    __slots__ = ("cards", "position")
    game_id = "toy"
    seats = SEATS

    def __init__(self, position: Position, cards: tuple[str | None, str | None]) -> None:
        self.position, self.cards = position, cards

    @property
    def options(self) -> Mapping[str, Any]:
        return {"players": 2}

    @property
    def outcome(self) -> Outcome | None:
        on = self.position.on
        for seat, home in (("north", on[:2]), ("south", on[2:])):
            if min(home) >= LENGTH and self.position.phase == "roll":
                return Outcome(seat, "home")
        return None

    def seats_to_act(self) -> tuple[Seat, ...]:
        if self.outcome is not None:
            return ()
        turn = SEATS[self.position.turn]
        other = SEATS[1 - self.position.turn]
        return ({"deal": CHANCE, "roll": CHANCE, "walk": turn, "answer": other}[self.position.phase],)

    def legal_actions(self, seat: Seat) -> tuple[Word, ...]:
        expect_seat(seat, SEATS)
        actions = [Word(seat, words) for words in WORDS.get(seat, ())]
        return tuple(action for action in actions if self.refusal(action) is None)

    def table_actions(self, seat: Seat) -> tuple[Action, ...]:
        expect_seat(seat, SEATS)
        return ()

    def refusal(self, action: Action) -> Refusal | None:
        expect_action(action)
        if not isinstance(action, Word) or action.words not in WORDS.get(action.seat, ()):
            return Refusal("toy/unknown", "1")
        if action.seat not in self.seats_to_act():
            return Refusal("toy/not-now", "2")
        words, position = action.words.split(), self.position
        opens = {
            "deal": "deal",
            "roll": "roll",
            "walk": "walk",
            "rest": "walk",
            "block": "answer",
            "let": "answer",
        }
        if opens[words[0]] != position.phase or (words[0] == "deal" and words[1] != SEATS[position.dealt]):
            return Refusal("toy/not-now", "2")
        if words[0] == "walk" and self._square(words[1]) >= LENGTH:
            return Refusal("toy/home", "3")
        if words[0] == "block" and self.cards[SEATS.index(action.seat)] != "card":
            return Refusal("toy/no-card", "4", public_code="toy/not-allowed")
        return None

    def _square(self, piece: str) -> int:
        return self.position.on["abcd".index(piece)]

    def apply(self, action: Action) -> tuple[State, tuple[Event, ...]]:
        refusal = self.refusal(action)
        if refusal is not None:
            raise IllegalAction(refusal)
        words, position = str(action).split(), self.position
        match words:
            case ["deal", seat, card]:
                cards = (card, self.cards[1]) if seat == "north" else (self.cards[0], card)
                phase = "roll" if position.dealt else "deal"
                told = (Event("dealt", (("seat", seat),)), Event("card", (("is", card),), frozenset((seat,))))
                return ToyState(position._replace(phase=phase, dealt=position.dealt + 1), cards), told
            case ["roll", pips]:
                event = Event("roll", (("pips", int(pips)),))
                return ToyState(position._replace(phase="walk", die=int(pips)), self.cards), (event,)
            case ["rest"]:
                return self._next(position, (Event("rest", ()),))
            case ["walk", piece]:
                event = Event("walk", (("piece", piece),))
                return ToyState(position._replace(phase="answer", walker=piece), self.cards), (event,)
            case ["block"]:
                cards = (self.cards[0], "blank") if position.turn == 0 else ("blank", self.cards[1])
                return ToyState(position, cards)._next(position, (Event("block", ()),))
        on = list(position.on)
        walker = "abcd".index(position.walker)
        on[walker] = min(LENGTH, on[walker] + position.die)
        return self._next(position._replace(on=(on[0], on[1], on[2], on[3])), (Event("let", ()),))

    def _next(self, position: Position, events: tuple[Event, ...]) -> tuple[State, tuple[Event, ...]]:
        after = ToyState(
            position._replace(phase="roll", turn=1 - position.turn, die=0, walker=""), self.cards
        )
        if after.outcome is not None:
            events = (*events, Event("over", (("winner", after.outcome.winner), ("reason", "home"))))
        return after, events

    def parse(self, text: str, seat: Seat) -> Action:
        expect_seat(seat, SEATS)
        if text in WORDS.get(seat, ()):
            return Word(seat, text)
        raise BadText(f"{text!r} is no action of {seat}; try one of {', '.join(WORDS.get(seat, ()))}")

    def view(self, seat: Seat | None) -> View:
        expect_viewer(seat, SEATS)
        card = None if seat is None else self.cards[SEATS.index(seat)]
        return ToyView(seat, self.position, card, self.seats_to_act(), self.outcome)

    def layout(self) -> Layout:
        squares: dict[str, tuple[LayoutPiece, ...]] = {}
        for piece, square in zip("abcd", self.position.on, strict=True):
            owner = next(seat for seat, own in PIECES.items() if piece in own)
            squares[f"s{square}"] = (*squares.get(f"s{square}", ()), LayoutPiece(owner, piece))
        return squares

    def steps(self) -> tuple[Step, ...]:
        if self.position.phase != "walk":
            return ()
        squares = [self._square(piece) for piece in PIECES[SEATS[self.position.turn]]]
        return tuple(
            Step(f"s{square}", f"s{min(LENGTH, square + self.position.die)}", False)
            for square in sorted(set(squares))
            if square < LENGTH
        )

    def chance(self) -> tuple[tuple[Action, int], ...]:
        weights = {"card": 1, "blank": 2}
        return tuple(
            (action, weights.get(action.words.split()[-1], 1)) for action in self.legal_actions(CHANCE)
        )

    def truth(self) -> dict[str, Any]:
        return {**self.view(None).json(), "cards": list(self.cards)}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ToyState) and (self.position, self.cards) == (other.position, other.cards)

    def __hash__(self) -> int:
        return hash((self.position, self.cards))

    def __reduce__(self) -> tuple[Any, ...]:
        return ToyState, (self.position, self.cards)

    def __repr__(self) -> str:
        return f"<toy: {self.position}>"


class ToyView(View):
    __slots__ = ("_key",)

    def __init__(
        self,
        seat: Seat | None,
        position: Position,
        card: str | None,
        to_act: tuple[Seat, ...],
        outcome: Outcome | None,
    ) -> None:
        super().__init__(seat)
        self._key = (position, card, to_act, outcome)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        return self._key[2]

    def json(self) -> dict[str, Any]:
        position, card, to_act, outcome = self._key
        told = {"seat": self.seat, "to_act": list(to_act), **position._asdict(), "card": card}
        return told if outcome is None else {**told, "outcome": outcome._asdict()}

    def comparison_key(self) -> tuple[object, ...]:
        return self._key

    def __repr__(self) -> str:
        return f"<toy view of {self.seat}>"


class Toy(GamePackage):
    id = "toy"
    title = "A toy"

    def new(self, options: Mapping[str, Any]) -> State:
        for name, value in options.items():
            if (name, value) != ("players", 2):
                raise OptionError(f"toy: {name} is {value!r}; try players 2", name)
        return ToyState(Position(), (None, None))


def new(game_id: str, options: Mapping[str, Any]) -> State:
    """The registry of the toy alone."""
    assert game_id == "toy"
    return Toy().new(options)
