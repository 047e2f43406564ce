"""A game that is being played: the way into the rules for any program.

    game = Game("stratego-quick-duel")
    game.push("setup a1=F b1=B ...", "red")
    game.push("a3-a4")
    print(game)

A `State` is one position and never changes. A `Game` is a row of them with what led from one to the next: it
reads texts, takes back, keeps the record, and throws for chance where it is given something to throw with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, overload

from boardrules import english, record, registry
from boardrules.core import (
    CHANCE,
    CLOCK,
    Action,
    ActionSample,
    BadText,
    Event,
    IllegalAction,
    Outcome,
    Refusal,
    Seat,
    State,
    UnknownSeat,
    View,
    expect_action,
)
from boardrules.history import GameHistory
from boardrules.players import Chance
from boardrules.random_source import RandomSource


class RefusedAction(IllegalAction):
    """An action that the rules refuse, and the sentence that everybody may hear of it.

    `Game.why` has the whole reason, for the seat that tried it.
    """

    def __init__(self, refusal: Refusal, sentence: str) -> None:
        super().__init__(refusal)
        self.sentence = sentence
        self.args = (f"{sentence} [{super().__str__()}]",)

    def __reduce__(self) -> tuple[Any, ...]:
        return RefusedAction, (self.refusal, self.sentence)


class LegalActions(Sequence[Action]):
    """What one seat may do. `in` takes an action or its text.

    Where there are too many actions to list, as for a set-up, `in` is exact and all else shows some of them.
    """

    def __init__(self, state: State, seat: Seat) -> None:
        self._state = state
        self._found = state.legal_actions(seat)
        self._listed: Sequence[Action] = ()
        self.seat = seat

    @property
    def whole(self) -> bool:
        """Whether all of them are listed."""
        return not isinstance(self._found, ActionSample) or self._found.whole

    def _listed_actions(self) -> Sequence[Action]:
        self._listed = self._listed or tuple(self._found)
        return self._listed

    def contains_text(self, text: str) -> bool:
        """Whether the text is that of one of them."""
        try:
            return self._state.parse(text, self.seat) in self._found
        except BadText:
            return False

    def __contains__(self, wanted: object) -> bool:
        return self.contains_text(wanted) if isinstance(wanted, str) else wanted in self._found

    @overload
    def __getitem__(self, place: int) -> Action: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Action]: ...
    def __getitem__(self, place: int | slice) -> Action | Sequence[Action]:
        return self._listed_actions()[place]

    def __iter__(self) -> Iterator[Action]:
        return iter(self._listed_actions())

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        shown = ", ".join([repr(action) for action in self._listed_actions()[:8]])
        more = ", ..." if len(self) > 8 or not self.whole else ""
        return f"<{len(self)} actions of {self.seat}: {shown}{more}>"


class _PushedAction(NamedTuple):
    action: Action
    event_count: int
    """How many events it brought."""
    by_chance: bool
    """Whether the game threw for it by itself."""


class Game:
    """A game with its history. `push` actions, `pop` them again, and ask what stands."""

    def __init__(self, game: str | State, /, *, rng: RandomSource | None = None, **options: Any) -> None:
        """Begin the game of that id with these options, or go on from a state.

        With `rng`, such as `random.Random(7)`, chance acts by itself whenever it is its turn. Raises
        `UnknownGame`, or `OptionError` naming the option, what was given and what is allowed.
        """
        if isinstance(game, State):
            if options:
                raise TypeError("a state has its options already; give none beside it")
            start = game
        else:
            start = _new_state(game, options)
        self.package = registry.package(start.game_id)
        """The game with all that belongs to it: its title, its sentences."""
        self._fold = GameHistory(start)
        self._pushed: list[_PushedAction] = []
        self._events: list[Event] = []
        self._rng = rng
        self._act_for_chance()

    @classmethod
    def read(cls, text: str) -> Game:
        """The game of a record, at its end. Raises `RecordError` with the line that can't be played."""
        written = record.parse(text)
        game = cls(record.begin_history(written).state)
        for step in record.replay(written):
            game._apply_action(game.state.parse(step.text, step.seat))
        return game

    @classmethod
    def from_position(cls, game: str, text: str, **options: Any) -> Game:
        """A game that begins with the position of a text (`GamePackage.read_position`).

        Raises `UnknownGame`, `OptionError`, `NotationError`.
        """
        return cls(registry.package(game).read_position(text, options))

    def position(self) -> str:
        """The text of the position, secrets included. Raises `NotationError` where the game has none."""
        return self.package.write_position(self.state)

    def resample(self, seat: Seat, rng: Chance) -> State:
        """A random state that `seat` can't tell from the real one. Raises `ValueError` as `GamePackage`'s."""
        return self.package.resample(self.state.view(seat), rng)

    def count_consistent(self, seat: Seat) -> int:
        """How many states `seat` can't tell from the real one (`GamePackage.count_consistent`)."""
        return self.package.count_consistent(self.state.view(seat))

    # What stands

    @property
    def id(self) -> str:
        """The id of the game."""
        return self.state.game_id

    @property
    def title(self) -> str:
        """The game's name as people write it."""
        return self.package.title

    @property
    def state(self) -> State:
        """The position: a value that never changes, for search."""
        return self._fold.state

    @property
    def start(self) -> State:
        """The position that it was begun from."""
        return self._fold.start

    @property
    def options(self) -> Mapping[str, Any]:
        """Every option with the value in force."""
        return self.state.options

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players' seats in order of play."""
        return self.state.seats

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Whom the game waits for; nobody once it is over."""
        return self.state.seats_to_act()

    @property
    def turn(self) -> Seat | None:
        """The first of `to_act`: a seat, `chance`, or `None` once the game is over."""
        return next(iter(self.to_act), None)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.outcome is not None

    @property
    def result(self) -> Outcome | None:
        """How it ended: `winner` (`None`: a draw) and `reason`; `None` while it goes on."""
        return self.state.outcome

    @property
    def actions(self) -> tuple[Action, ...]:
        """All that was pushed, in order; each has its `seat` and its text."""
        return tuple(pushed.action for pushed in self._pushed)

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened, in order. Some may be told to some seats only: `core.visible` picks them."""
        return tuple(self._events)

    def view(self, seat: Seat | None = None) -> View:
        """What a seat may know (`None`: what everybody may); its `json()` is data. Raises `UnknownSeat`."""
        return self.state.view(seat)

    def board(self, seat: Seat | None = None) -> str:
        """The board as text, as a seat may see it (`None`: as everybody may). Raises `UnknownSeat`."""
        return self.state.view(seat).text()

    def __str__(self) -> str:
        return self.board()

    def __repr__(self) -> str:
        return f"<game {self.state!r}>"

    # What may be done

    def legal(self, seat: Seat | None = None) -> LegalActions:
        """The game's own actions that a seat may take; without one, the seat whose turn it is.

        Raises `UnknownSeat`.
        """
        return LegalActions(self.state, self._acting_seat() if seat is None else seat)

    def table_actions(self, seat: Seat | None = None) -> tuple[Action, ...]:
        """What a seat may do about the game: resign, offer a draw ... Raises `UnknownSeat`."""
        return self.state.table_actions(self._acting_seat() if seat is None else seat)

    def parse(self, text: str, seat: Seat | None = None) -> Action:
        """The action that a seat writes so, legal or not.

        Without a seat it is that of the one whose turn it is; where several are to act, that of the one that
        may do it. Raises `UnknownSeat`, or `BadText` with what was expected.
        """
        if seat is not None:
            return self._parse_for_seat(text, seat)
        waiting = self.to_act if len(self.to_act) > 1 else ()
        may = [other for other in waiting if LegalActions(self.state, other).contains_text(text)]
        return self._parse_for_seat(text, may[0] if may else self._acting_seat())

    def why(self, action: Action | str, seat: Seat | None = None, *, public: bool = False) -> str | None:
        """Why an action is refused, as a sentence; `None` if it may be taken now.

        It is the whole reason, for the seat that tries it alone: `public` is what everybody may hear. Raises
        `UnknownSeat` and `BadText`.
        """
        refusal = self.state.refusal(self._resolve_action(action, seat))
        return None if refusal is None else english.refusal_text(refusal, self.package, public=public)

    def tell(self, event: Event) -> str:
        """What an event says, as a sentence."""
        return english.event_text(event, self.package)

    # What is done

    def push(self, action: Action | str, seat: Seat | None = None) -> tuple[Event, ...]:
        """Take an action, or the one that a text writes, and return what happened.

        Raises `RefusedAction` (an `IllegalAction`), `UnknownSeat` or `BadText`, and then nothing has changed.
        """
        return self._apply_action(self._resolve_action(action, seat)) + self._act_for_chance()

    def throw(self, rng: RandomSource) -> tuple[Event, ...]:
        """Take one action of chance, drawn by its weight. Raises `ValueError` where chance is not to act."""
        choices = self.state.chance()
        if not choices:
            raise ValueError(f"chance is not to act; expected {' or '.join(self.to_act) or 'nobody'}")
        left = rng.random() * sum([weight for _, weight in choices])
        picked = choices[-1][0]
        for action, weight in choices:
            if left < weight:
                picked = action
                break
            left -= weight
        return self._apply_action(picked)

    def pop(self) -> Action:
        """Undo the last action, with what chance did after it by itself, and return it.

        Raises `IndexError` where nothing was pushed.
        """
        if all(pushed.by_chance for pushed in self._pushed):
            raise IndexError("nothing was pushed that could be popped")
        while True:
            pushed = self._pushed.pop()
            self._fold.pop()
            del self._events[len(self._events) - pushed.event_count :]
            if not pushed.by_chance:
                return pushed.action

    def copy(self) -> Game:
        """Another game that stands where this one does. Each goes on by itself; `rng` is shared."""
        other = Game.__new__(Game)
        other.package, other._rng, other._fold = self.package, self._rng, self._fold.copy()
        other._pushed, other._events = list(self._pushed), list(self._events)
        return other

    def record(self, **header: Any) -> str:
        """The game written down, with its secrets; `header`: `seed`, `board`, `date`. `read` takes it back.

        Raises `ValueError` for a game that was begun from a position: a record holds whole games.
        """
        if self._fold.start != self.package.new(self.options):
            raise ValueError("this game was begun from a position; only one from its beginning has a record")
        actions = tuple((action.seat, str(action)) for action in self.actions)
        return record.write(
            record.record_of(self._fold.start, actions, **header)._replace(result=self.result)
        )

    # Inside

    def _acting_seat(self) -> Seat:
        """Whose turn it is; once the game is over the first seat, which is then refused."""
        return self.turn or self.seats[0]

    def _resolve_action(self, given: Action | str, seat: Seat | None) -> Action:
        if isinstance(given, str):
            return self.parse(given, seat)
        expect_action(given)
        if seat is not None and seat != given.seat:
            raise ValueError(f"the action is one of {given.seat}, not of {seat!r}")
        return given

    def _parse_for_seat(self, text: str, seat: Seat) -> Action:
        try:
            return self.state.parse(text, seat)
        except UnknownSeat:
            raise UnknownSeat(seat, (*self.seats, CHANCE, CLOCK)) from None
        except BadText as error:
            raise BadText(f"{error}{_similar_names_hint(text, self._public_action_texts(seat))}") from None

    def _public_action_texts(self, seat: Seat) -> list[str]:
        """Texts that a slip may have been meant for. Others may read the error, so no secret is asked."""
        state = self.state
        steps = state.steps() if seat in self.to_act else ()
        known = [
            *self.table_actions(seat),
            *[state.hand_action(seat, one.origin, one.target) for one in steps],
        ]
        public = [*state.button_actions().values(), *[action for _, action in state.cursor_actions()]]
        return list(dict.fromkeys([str(action) for action in (*known, *public) if action.seat == seat]))

    def _apply_action(self, action: Action) -> tuple[Event, ...]:
        try:
            events = self._fold.push(action)
        except IllegalAction as error:
            sentence = english.refusal_text(error.refusal, self.package, public=True)
            raise RefusedAction(error.refusal, sentence) from None
        self._pushed.append(_PushedAction(action, len(events), by_chance=False))
        self._events += events
        return events

    def _act_for_chance(self) -> tuple[Event, ...]:
        """What chance does by itself, as long as it is to act."""
        thrown: tuple[Event, ...] = ()
        while self._rng is not None and self.state.chance():
            thrown += self.throw(self._rng)
            self._pushed[-1] = self._pushed[-1]._replace(by_chance=True)
        return thrown


def _new_state(game: str, options: Mapping[str, Any]) -> State:
    try:
        return registry.new(game, options)
    except registry.UnknownGame as error:
        raise registry.UnknownGame(f"{error}{_similar_names_hint(str(game), registry.ids())}") from None


def _similar_names_hint(text: str, known: Sequence[str]) -> str:
    """`; did you mean ...?`, where something that is known looks much like the text."""
    from difflib import get_close_matches  # only for who has slipped

    close = [one for one in known if len(text) > 3 and text in one] or get_close_matches(text, known, 3)
    return f"; did you mean {' or '.join(close[:3])}?" if close else ""
