"""How a game is written in numbers, for programs that learn (`boardrules.numbered_game`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence

from boardrules.core import Action, Event, Seat, Space, State, View


class GameEncoding(ABC):
    """The numbers of a game with certain options. Equal options give equal numbers.

    An action has the number of its text in `actions`. Where a seat sets up an army by hand, it stands one
    piece after the other in the order of `GamePackage.armies`, and the number of a space in `placements`,
    counted on from `actions`, says where. An action that may name many things takes a number for each of its
    `words`, counted on from `placements`.
    """

    actions: Sequence[str]
    """By number what a seat writes, whatever the seat."""
    chances: Sequence[str] = ()
    """By number what chance writes."""
    placements: Sequence[Space] = ()
    """The spaces of set-ups; none where nobody sets up an army by hand."""
    words: Sequence[str] = ()
    """The words of actions that take several numbers: `trade dutch ...`, `rope`, `done`."""
    parts: Mapping[str, int]
    """What an observation holds, in order: by name how many numbers, each from 0 to 1."""
    told: Sequence[str] = ()
    """What the events of one action tell beside the action itself: a number from 0 to 1 each."""

    @abstractmethod
    def observe(self, view: View, placed: Mapping[Space, str], coming: str | None) -> list[float]:
        """What a seat's view holds, by `parts`.

        `placed`: by space the print of what the seat has stood in the set-up that it is about; `coming`: the
        print of its next piece.
        """

    def tell(self, events: Iterable[Event]) -> tuple[float, ...]:
        """What these events, which a seat may know of, say: one number for each of `told`, 0 for nothing."""
        return ()

    def takes_words(self, action: Action) -> bool:
        """Whether an action is said by `words`, and has no number in `actions`."""
        return False

    def next_words(self, state: State, seat: Seat, said: Sequence[str]) -> Sequence[str]:
        """The words that may follow those that a seat has said of one action; where none are said, those
        that begin one. Each leads to an action that is allowed."""
        return ()

    def said_action(self, state: State, seat: Seat, said: Sequence[str]) -> str | None:
        """The text of the action that these words say; `None` where more are to follow."""
        return None

    def said_words(self, state: State, action: Action) -> Sequence[str]:
        """What a seat says one after the other for an action that is allowed: texts of `actions`, or
        `words`."""
        return (str(action),)


def one_hot(values: Sequence[object], *found: object) -> list[float]:
    """By value 1.0 for those that are among the found ones."""
    return [float(value in found) for value in values]


def seat_parts(seats: Sequence[Seat], view: View) -> list[float]:
    """Whose view it is, and who is to act: a number a seat each."""
    return [*one_hot(seats, view.seat), *one_hot(seats, *view.to_act)]
