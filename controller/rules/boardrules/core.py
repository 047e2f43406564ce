"""The contract of every game: seats, actions, states, views, events, refusals, outcomes.

A game is a pure value: no input or output, no clock, no randomness. Chance is a seat (`CHANCE`) whose
actions are the faces of the die or the cards of the deck, and a time limit that runs out is an action of
the seat `CLOCK`. So a physical die, a generator and a replay are one and the same thing.
"""

from __future__ import annotations

import contextlib
import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from typing import Any, ClassVar, Final, NamedTuple

from boardrules.action_sample import ActionSample as ActionSample
from boardrules.errors import BadText as BadText
from boardrules.errors import NeedsHistory as NeedsHistory
from boardrules.errors import UnknownSeat as UnknownSeat
from boardrules.identifiers import CHANCE as CHANCE
from boardrules.identifiers import CLOCK as CLOCK
from boardrules.identifiers import NO_SEAT as NO_SEAT
from boardrules.identifiers import LayoutPiece as LayoutPiece
from boardrules.identifiers import Seat as Seat
from boardrules.identifiers import Space as Space
from boardrules.identifiers import joined_seats as joined_seats
from boardrules.identifiers import split_seats as split_seats

Layout = Mapping[Space, tuple[LayoutPiece, ...]]
"""What the board must physically hold: space -> the pieces on it, named as everybody may know them."""


class Refusal(NamedTuple):
    """Why an action is not allowed. People read it in their own language, programs by its code."""

    code: str
    """Stable: `stratego/lake`."""
    rule: str
    """The id of the rule it rests on: `Q11`."""
    params: tuple[tuple[str, str], ...] = ()
    public_code: str | None = None
    """The code that everybody may be told instead, where the true one would tell a secret."""
    further_refusals: tuple[Refusal, ...] = ()
    """What else is wrong, for whoever may hear the code: a set-up can have several faults at once."""

    def __repr__(self) -> str:
        return f"<refused: {self.public_code or self.code}>"


class IllegalAction(ValueError):  # noqa: N818 - the name every client of the core catches
    """An action that the rules refuse; the state it was tried on is unchanged.

    The message holds what everybody may be told; the whole reason is in `refusal`.
    """

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.public_code or f"{refusal.code} ({refusal.rule})")
        self.refusal = refusal

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.refusal,)


def expect_action(given: object) -> None:
    """Raises `TypeError` for what is no action, such as its text. A text may be a secret, so it isn't
    repeated."""
    if not isinstance(given, Action):
        raise TypeError(
            f"expected an Action, not {type(given).__name__}: parse(text, seat) makes an action of a text"
        )


def expect_seat(seat: object, seats: tuple[Seat, ...]) -> None:
    """Raises `UnknownSeat` for what is neither a player's seat nor `CHANCE` or `CLOCK`."""
    if seat not in seats and seat != CHANCE and seat != CLOCK:
        raise UnknownSeat(seat, (*seats, CHANCE, CLOCK))


def expect_viewer(seat: object, seats: tuple[Seat, ...]) -> None:
    """Raises `UnknownSeat` for what is neither a player's seat nor `None`, the spectator."""
    if seat is not None and seat not in seats:
        raise UnknownSeat(seat, seats)


class Action(ABC):
    """One thing a seat does. Immutable and hashable; `str()` is the text that `State.parse` reads back.

    The `repr` equals the text unless the action is `secret`: then it is redacted.
    """

    __slots__ = ()
    seat: Seat
    secret: bool = False
    """Whether other seats may not read its text before the game is over (a set-up, a hidden move)."""


class Event(NamedTuple):
    """Something that happened, for those who may know it."""

    kind: str
    """`setup`, `move`, `battle`, `over` ...: stable, per game documented."""
    data: tuple[tuple[str, Any], ...]
    """The facts, in a fixed order."""
    audience: frozenset[Seat] | None = None
    """The seats that may know it; `None` is everybody, the spectator included."""

    def __repr__(self) -> str:
        told = dict(self.data) if self.audience is None else "..."
        return f"<{self.kind}: {told}>"

    def visible_to(self, seat: Seat | None) -> bool:
        """Whether `seat` (`None`: the spectator) may know of this event."""
        return self.audience is None or seat in self.audience

    def json(self) -> dict[str, Any]:
        """As one JSON object: `{"kind": ..., **data}`."""
        return {"kind": self.kind, **dict(self.data)}


class Outcome(NamedTuple):
    """How the game ended."""

    winner: str | None
    """A seat, or several that win together with `+` between (`State.winners`); `None`: a draw."""
    reason: str
    """A member of the game's documented set of reasons: `flag`, `no-move`, `resignation` ..."""


class Step(NamedTuple):
    """A thing hands may do now, as far as everybody at the table can know.

    Steps are a sound over-approximation made from public knowledge alone: every legal action that hands
    carry out is among them, and two states that differ only in hidden things give equal steps.
    """

    origin: Space
    """The piece is lifted here ..."""
    target: Space
    """... and set down, or used to attack, here."""
    attack: bool
    """Whether it attacks another seat's piece on `target`, and only the ruling tells who stands there
    then."""
    takes: tuple[Space, ...] = ()
    """The spaces whose pieces it takes for certain, as in chess: `target`, or one beside the way (en
    passant)."""
    companion_moves: tuple[tuple[Space, Space], ...] = ()
    """Further pieces that go with it, each with its origin and target: the rook of a castling."""


class View(ABC):
    """What one seat may know of a state, and nothing else. Equal views mean that nothing differs for it."""

    __slots__ = ("seat",)

    def __init__(self, seat: Seat | None) -> None:
        self.seat: Final = seat
        """Whose view it is; `None`: the spectator's."""

    @abstractmethod
    def comparison_key(self) -> tuple[object, ...]:
        """All that it holds beside its seat."""

    @property
    @abstractmethod
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that the game waits for (`State.seats_to_act`)."""

    @abstractmethod
    def json(self) -> dict[str, Any]:
        """As one JSON object; it always holds `seat` and `to_act`, and `outcome` once the game is over."""

    def text(self) -> str:
        """The board as text for a terminal, made of nothing but `json`: that itself where a game draws
        none."""
        return json.dumps(self.json(), indent=2, ensure_ascii=False)

    def open_state(self) -> State | None:
        """The state, where nothing of it is hidden from anybody."""
        return None

    def for_player(self) -> View:
        """The view as the program that plays the seat is handed it, in a process of its own.

        It may hold values of the rules and of its game's package alone. A view that holds anything else, such
        as another library's object, returns one that is data (`boardrules.open_game.DataView`).
        """
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View) or type(self) is not type(other):
            return NotImplemented
        return self.seat == other.seat and self.comparison_key() == other.comparison_key()

    def __hash__(self) -> int:
        return hash((self.seat, self.comparison_key()))

    def __repr__(self) -> str:
        return f"<view of {self.seat or 'the spectator'}>"


class RulesState(ABC):
    """What the rules know of one position: who acts, what is legal, what follows, who may know what.

    Immutable and hashable; equal states behave equally for ever. What takes a seat raises `UnknownSeat` for
    one that the game does not have; what takes an action raises `TypeError` for a text. `str()` draws the
    board as everybody may see it.
    """

    __slots__ = ()

    def __str__(self) -> str:
        return self.view(None).text()

    @property
    @abstractmethod
    def game_id(self) -> str:
        """The id that the registry knows the game by."""

    @property
    @abstractmethod
    def seats(self) -> tuple[Seat, ...]:
        """The players' seats in order of play; neither `CHANCE` nor `CLOCK`."""

    @property
    @abstractmethod
    def options(self) -> Mapping[str, Any]:
        """Every option of the game with the value in force."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, or `None` while it goes on. Once set, nobody has an action."""

    @abstractmethod
    def seats_to_act(self) -> tuple[Seat, ...]:
        """Whom the game waits for, in a fixed order; empty once the game is over.

        A seat that is not waited for may still have actions: a set-up that is in may be changed until the
        other one is in too.
        """

    @abstractmethod
    def legal_actions(self, seat: Seat) -> Collection[Action]:
        """The game's own actions that `seat` may take, in a deterministic order, with a fast `in`.

        Where the whole set is astronomical (a set-up) it is a `ActionSample`: membership is exact and
        iterating gives some of it, or all where it is `whole`. Table actions (resigning, draws, take-backs)
        are never among them.
        """

    @abstractmethod
    def table_actions(self, seat: Seat) -> tuple[Action, ...]:
        """What `seat` may do about the game rather than in it: resign, offer or agree a draw ..."""

    @abstractmethod
    def refusal(self, action: Action) -> Refusal | None:
        """Why `action` is not allowed now; `None` exactly if `apply` accepts it or raises `NeedsHistory`."""

    @abstractmethod
    def apply(self, action: Action) -> tuple[State, tuple[Event, ...]]:
        """The state after `action` and what happened. Raises `IllegalAction`; `self` never changes.

        Raises `NeedsHistory` for an agreed take-back.
        """

    @abstractmethod
    def parse(self, text: str, seat: Seat) -> Action:
        """The action that `seat` writes as `text`, legal or not. Raises `BadText`."""

    @abstractmethod
    def view(self, seat: Seat | None) -> View:
        """What `seat` may know (`None`: the spectator)."""

    def possible_answers(self) -> Mapping[Seat, Collection[Action]]:
        """The seats that are asked about one thing, in the order in which their answers count, each with what
        it may answer; the first is to act. Empty where nobody is asked so."""
        return {}

    def answer_delays_others(self) -> bool:
        """Whether who is asked something delays somebody else's turn: then a limit for answers applies."""
        return True

    def may_ever_pass(self, seat: Seat) -> bool:
        """Whether this seat may ever be asked something that `pass` answers."""
        return False

    def chance(self) -> tuple[tuple[Action, int], ...]:
        """The actions open to `CHANCE` with their integer weights; empty when chance is not to act."""
        return ()

    def throwers(self) -> tuple[Seat, ...]:
        """The seats whose throw chance is to make now: with real dice they alone say what was thrown."""
        return self.seats if self.chance() else ()

    def winners(self) -> tuple[Seat, ...]:
        """The seats that have won: none while the game goes on, or of a draw."""
        outcome = self.outcome
        return () if outcome is None else tuple(seat for seat in self.seats if seat == outcome.winner)

    @abstractmethod
    def truth(self) -> dict[str, Any]:
        """The whole state as one JSON object, secrets included: for replays and tests, never for a table."""


class State(RulesState):
    """A position as a board of real pieces needs it, too: which piece stands where, and what hands mean.

    A game whose pieces hands move says `layout`, `steps` and `hand_action`; all else has a default.
    """

    __slots__ = ()

    has_interchangeable_pieces: ClassVar[bool] = False
    """Whether the pieces of a seat are all alike, so that which of them stands where makes no difference, and
    several of them may be moved in one turn."""
    is_for_people_only: ClassVar[bool] = False
    """Whether people alone act now, as they arrange pieces: no program is asked that plays a seat."""

    @abstractmethod
    def layout(self) -> Layout:
        """What the board must hold now, by public identities only. Spaces that hold nothing are absent."""

    def trays(self) -> Layout:
        """By tray the pieces in it, all alike. A tray is a place beside the board that nothing feels, and its
        name is no space of a board.

        A step may begin in one that holds a piece, and end in any. One that begins there takes nothing.
        """
        return {}

    def last_moved_pieces(self) -> Collection[LayoutPiece]:
        """The pieces of the layout that came to their spaces when any moved last: one that is missing in a
        space is likeliest one of them. Equal states may differ in it, as it is of the game before them."""
        return ()

    def side_of(self, seat: Seat) -> str:
        """The side of a seat. Pieces of one side never take one another, so two of them that were in hands
        together may have traded places. Each seat is a side of its own unless a game says otherwise."""
        return seat

    def piece_label(self, piece: LayoutPiece) -> str:
        """What everybody reads on a piece of the layout; empty where all of a seat look alike."""
        return ""

    def zone(self, seat: Seat) -> frozenset[Space]:
        """The spaces where `seat` may stand pieces of its set-up now; none where it isn't setting up."""
        return frozenset()

    def setup_text(self, pieces: Mapping[Space, str]) -> str:
        """How a seat writes a set-up: by space what is printed on the piece. Raises `BadText` without set-
        ups."""
        raise BadText(f"{self.game_id}: nobody sets up pieces by hand")

    def setup_placements(self, action: Action) -> Mapping[Space, str]:
        """By space what is printed on the piece that a set-up stands there; nothing for other actions."""
        return {}

    def labels(self, seat: Seat) -> Mapping[Space, str]:
        """By space what is printed on the pieces of `seat`, for its own eyes; nothing where pieces have no
        print."""
        return {}

    def public_hints(self) -> dict[str, Any]:
        """What helps people to think, worked out from what everybody knows, as JSON: for who asks for
        help."""
        return {}

    def unchecked_spaces(self) -> frozenset[Space]:
        """Spaces where hands may do as they like for now, such as the zone of a seat still setting up."""
        return frozenset()

    def unsettled_spaces(self) -> frozenset[Space]:
        """Spaces of the pieces with which hands have done what waits for an answer: until that has come they
        may be wherever hands have put them."""
        return frozenset()

    def steps(self) -> tuple[Step, ...]:
        """All that hands of the seats to act may do, by public knowledge, in a fixed order."""
        return ()

    def hand_action(self, seat: Seat, origin: Space, target: Space) -> Action:
        """The action that `seat` means by carrying the piece of `origin` to `target`, legal or not.

        Raises `BadText` where the game has no such action (a space it doesn't know).
        """
        raise BadText(f"{self.game_id}: no action by hand from {origin} to {target}")

    def straight_back_action(self, seat: Seat) -> Action | None:
        """What it means that hands of `seat` put the piece which they have just moved straight back; `None`
        where that is a move as any other."""
        return None

    def printed_facts(self) -> dict[str, Any]:
        """What is printed beside spaces and on cards, as JSON: public, and the same all game."""
        return {}

    def carry_actions(self, seat: Seat) -> Mapping[Space, Mapping[Space, Action]]:
        """By origin and target the legal actions that hands of `seat` carry out: exact, for its own eyes."""
        legal = self.legal_actions(seat)
        found: dict[Space, dict[Space, Action]] = {}
        for step in self.steps() if legal else ():
            with contextlib.suppress(BadText):
                action = self.hand_action(seat, step.origin, step.target)
                if action in legal:
                    found.setdefault(step.origin, {})[step.target] = action
        return found

    def button_actions(self) -> Mapping[str, Action]:
        """By button what a short press of it says now, for those who have no phone: public actions alone."""
        return {}

    def cursor_actions(self) -> tuple[tuple[str, Action], ...]:
        """Public actions with the space or the named lamp that each is about, in a fixed order; an action
        about several names them with a space between.

        A player without a phone steps through them; those of `CHANCE` are for a real die.
        """
        return ()

    def is_agreement(self, action: Action) -> bool:
        """Whether a pointed action is a yes to another seat: only that seat's own screen, while one is open,
        says it."""
        return False


class OptionError(ValueError):
    """An option that the game does not have, or a value that it does not take."""

    def __init__(self, message: str, option: str | None = None, clash: str | None = None) -> None:
        super().__init__(message)
        self.option = option
        """The option's name, where one is to blame."""
        self.conflict_name = clash
        """What options that each are taken, but not together, are called where people are told of them."""


def visible(events: Iterable[Event], seat: Seat | None) -> tuple[Event, ...]:
    """Those of `events` that `seat` (`None`: the spectator) may know of."""
    return tuple(event for event in events if event.visible_to(seat))
