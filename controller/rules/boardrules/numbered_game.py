"""A game in numbers: actions, observations and returns as programs that learn want them.

    game = NumberedGame("stratego-quick-duel")
    while not game.over:
        game.push(random.choice(game.legal()))
    game.returns()

It is what adapters to other libraries are made of. It knows the secrets of all seats: a program that plays
one seat is handed what `observation`, `information` and `legal` say, and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from boardrules import registry
from boardrules.core import CHANCE, Action, Event, Seat, Space, State, visible

LONGEST: Final = 1000
"""After so many numbers, placements and words among them, a game is cut off if nothing else is said."""
_MOST_SAID: Final = 16
"""A word that was said more often counts as so often."""


class _Step(NamedTuple):
    seat: Seat
    number: int
    secret: bool
    """Whether other seats may not know the number."""
    unfinished: bool
    """Whether other seats don't even hear that it was done: a piece of a set-up or a word of an action, as
    long as that isn't in."""
    events: tuple[Event, ...]


class NumberedGame:
    """A game with certain options that is being played by numbers. Everything is in the order of `seats`."""

    def __init__(self, game: str, *, longest: int = LONGEST, **options: Any) -> None:
        """Begin the game of that id. Raises `UnknownGame`, `OptionError`; `ValueError` for a game that isn't
        written in numbers (`GamePackage.encoding`), or a length that isn't positive."""
        if longest < 1:
            raise ValueError(f"longest is {longest}; expected 1 or more actions")
        self.package = registry.package(game)
        self.state: State = self.package.new(options)
        """The position. It may lack pieces that have a place, of a set-up that isn't in yet."""
        self.encoding = self.package.encoding(self.state.options)
        self.longest = longest
        self._numbers = {text: number for number, text in enumerate(self.encoding.actions)}
        self._places = {space: len(self._numbers) + at for at, space in enumerate(self.encoding.placements)}
        self._armies = {
            seat: [print_ for print_, count in army.items() for _ in range(count)]
            for seat, army in self.package.armies().items()
            if self._places
        }
        self._words = {
            word: len(self._numbers) + len(self._places) + at for at, word in enumerate(self.encoding.words)
        }
        self._placed: dict[Space, str] = {}
        self._said: tuple[str, ...] = ()
        self._steps: list[_Step] = []

    # What there is in each game with these options

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players' seats in order of play."""
        return self.state.seats

    @property
    def action_count(self) -> int:
        """How many numbers there are for actions of the seats, legal or not."""
        return len(self._numbers) + len(self._places) + len(self._words)

    @property
    def parts(self) -> Mapping[str, int]:
        """What an observation holds, in order: by name how many numbers. At the end is what the seat has
        said of an action that takes several numbers: by word how often."""
        said = {"said": len(self._words)} if self._words else {}
        return {**self.encoding.parts, **said}

    @property
    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return sum(self.parts.values())

    @property
    def information_size(self) -> int:
        """How many numbers `information` has."""
        return self.observation_size + self.longest * (2 + len(self.encoding.told))

    def text(self, number: int) -> str:
        """How a seat writes the action of that number: `a3-a4`, `place a1`, or one word of it: `rope`. Raises
        `IndexError`."""
        if not 0 <= number < self.action_count:
            raise IndexError(f"{number} is no action; expected 0 to {self.action_count - 1}")
        at = number - len(self._numbers)
        if at < 0:
            return self.encoding.actions[number]
        word = at - len(self._places)
        return f"place {self.encoding.placements[at]}" if word < 0 else self.encoding.words[word]

    # What stands

    @property
    def over(self) -> bool:
        """Whether the game has ended or was cut off."""
        return self.state.outcome is not None or self.cut_off

    @property
    def cut_off(self) -> bool:
        """Whether it has come to its longest without an end."""
        return self.state.outcome is None and len(self._steps) >= self.longest

    @property
    def length(self) -> int:
        """How many actions there were."""
        return len(self._steps)

    @property
    def turn(self) -> Seat | None:
        """Who is to act: a seat, `CHANCE`, or `None` once it is over. Of several the first comes first: what
        it does then, the others don't hear."""
        return None if self.over else self.state.seats_to_act()[0]

    def returns(self) -> list[float]:
        """By seat 1 for who has won, -1 for who has lost; 0 for all as long as nobody has."""
        won = self.state.winners()
        return [(1.0 if seat in won else -1.0) if won else 0.0 for seat in self.seats]

    def chances(self) -> list[tuple[int, float]]:
        """The numbers of what chance may do now, each with its probability; none where it isn't to act."""
        weighed = () if self.over else self.state.chance()
        total = sum(weight for _, weight in weighed)
        return sorted((self.encoding.chances.index(str(one)), weight / total) for one, weight in weighed)

    def legal(self) -> list[int]:
        """The numbers of what the seat to act may do, from the lowest on; none for chance."""
        seat = self.turn
        if seat is None or seat == CHANCE:
            return []
        if self._coming(seat) is not None:
            return sorted(self._places[space] for space in self.state.zone(seat) - self._placed.keys())
        words = self.encoding.next_words(self.state, seat, self._said) if self._words else ()
        numbers = [self._words[word] for word in words]
        if not self._said:
            said = self.encoding.takes_words
            numbers += [self._numbers[str(one)] for one in self.state.legal_actions(seat) if not said(one)]
        return sorted(numbers)

    def numbers(self, action: Action) -> tuple[int, ...]:
        """The numbers that do an action of the seat to act, in order: most have one, a trade has several.

        Raises `ValueError` for what is not allowed, while some of another action is said, and for a set-up,
        which is placed piece by piece.
        """
        if self._said or self._placed or self.state.zone(action.seat) or action.seat != self.turn:
            raise ValueError("expected an action of the seat to act, of which nothing is said or placed yet")
        if self.state.refusal(action) is not None:
            raise ValueError("expected an action that is allowed")
        said = self.encoding.said_words(self.state, action)
        known = self._numbers if said[0] in self._numbers else self._words
        return tuple(known[one] for one in said)

    # What is done

    def push(self, number: int) -> None:
        """Do what the number says, for the seat to act or for chance.

        Raises `ValueError` for what is not allowed, and then nothing has changed. The message says nothing
        of what is hidden.
        """
        seat = self.turn
        if seat is None:
            raise ValueError("the game is over; expected no action")
        if seat == CHANCE:
            known = ", ".join(str(each) for each, _ in self.chances())
            if number not in dict(self.chances()):
                raise ValueError(f"chance can't do {number}; expected one of {known}")
            self._apply(self.state.parse(self.encoding.chances[number], CHANCE), number)
        elif number not in self.legal():
            raise ValueError(f"{seat} may not do {number}; expected one of legal()")
        elif self._coming(seat) is not None:
            self._place(seat, number)
        elif number >= self.action_count - len(self._words):
            self._say(seat, number)
        else:
            self._apply(self.state.parse(self.text(number), seat), number)

    def copy(self) -> NumberedGame:
        """Another one that stands where this one does. Each goes on by itself."""
        other = NumberedGame.__new__(NumberedGame)
        other.__dict__.update(self.__dict__)
        other._placed, other._steps = dict(self._placed), list(self._steps)
        return other

    def __deepcopy__(self, memo: object) -> NumberedGame:
        return self.copy()

    def _place(self, seat: Seat, number: int) -> None:
        coming = self._coming(seat)
        assert coming is not None
        self._placed[self.encoding.placements[number - len(self._numbers)]] = coming
        if self._coming(seat) is not None:
            self._steps.append(_Step(seat, number, secret=True, unfinished=True, events=()))
            return
        whole = self.state.parse(self.state.setup_text(self._placed), seat)
        self._placed = {}
        self._apply(whole, number)

    def _say(self, seat: Seat, number: int) -> None:
        said = (*self._said, self.text(number))
        whole = self.encoding.said_action(self.state, seat, said)
        if whole is None:
            self._said = said
            self._steps.append(_Step(seat, number, secret=True, unfinished=True, events=()))
            return
        action = self.state.parse(whole, seat)
        first = len(self._steps) - len(self._said)
        if not action.secret:  # now that it is done, everybody hears what was said
            self._steps[first:] = [
                one._replace(secret=False, unfinished=False) for one in self._steps[first:]
            ]
        self._said = ()
        self._apply(action, number)

    def _apply(self, action: Action, number: int) -> None:
        self.state, events = self.state.apply(action)
        self._steps.append(_Step(action.seat, number, action.secret, unfinished=False, events=events))

    def _coming(self, seat: Seat) -> str | None:
        """The print of the piece that the seat stands next; `None` where it isn't setting up."""
        army = self._armies.get(seat)
        if not army or not self.state.zone(seat) or len(self._placed) == len(army):
            return None
        return army[len(self._placed)]

    # What a seat may know

    def observation(self, seat: Seat) -> list[float]:
        """What the seat sees now, `observation_size` numbers by `parts`, each from 0 to 1.

        Raises `UnknownSeat`.
        """
        view = self.state.view(seat)
        own = seat == self.turn
        seen = self.encoding.observe(view, self._placed if own else {}, self._coming(seat) if own else None)
        said = self._said if own else ()
        return seen + [min(1.0, said.count(word) / _MOST_SAID) for word in self._words]

    def information(self, seat: Seat) -> list[float]:
        """What the seat sees now and has heard from the beginning: `information_size` numbers from 0 to 1.

        After the observation come `longest` rows, one for each action that it has heard of: who did it, which
        it was (0 where it may not know), and `encoding.told`. Two games are the same to the seat exactly
        if these numbers are equal. Raises `UnknownSeat`.
        """
        found = self.observation(seat)
        actors = (CHANCE, *self.seats)
        most = max(self.action_count, len(self.encoding.chances))
        for step in self._heard(seat):
            known = not step.secret or step.seat == seat
            found.append((actors.index(step.seat) + 1) / len(actors))
            found.append((step.number + 1) / most if known else 0.0)
            found += self.encoding.tell(visible(step.events, seat))
        return found + [0.0] * (self.information_size - len(found))

    def information_text(self, seat: Seat) -> str:
        """The same as a text: a line for each action. Raises `UnknownSeat`."""
        self.state.view(seat)
        lines = [f"seat {seat}"]
        for step in self._heard(seat):
            known = not step.secret or step.seat == seat
            events = [event.json() for event in visible(step.events, seat)]
            done = self.encoding.chances[step.number] if step.seat == CHANCE else self.text(step.number)
            lines.append(f"{step.seat}: {done if known else '?'} {json.dumps(events, ensure_ascii=False)}")
        return "\n".join(lines)

    def observation_text(self, seat: Seat) -> str:
        """What the seat sees now, as a text. Raises `UnknownSeat`."""
        view = self.state.view(seat).json()
        if seat == self.turn and self._placed:
            view["placed"] = self._placed
        if seat == self.turn and self._said:
            view["said"] = self._said
        return json.dumps(view, ensure_ascii=False)

    def _heard(self, seat: Seat) -> Sequence[_Step]:
        return [step for step in self._steps if not step.unfinished or step.seat == seat]

    def __repr__(self) -> str:
        return f"<numbered {self.state!r}>"
