"""What games without secrets have in common, so that such a game is little more than its rules."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from boardrules.core import Action, OptionError, Outcome, Seat, State, View, expect_viewer
from boardrules.ranges import value_text


class TextAction(Action):
    """An action that is no more than its text: `a2-a3`, `resign`."""

    __slots__ = ("seat", "text")

    def __init__(self, seat: Seat, text: str) -> None:
        self.seat = seat
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextAction) and (self.seat, self.text) == (other.seat, other.text)

    def __hash__(self) -> int:
        return hash((self.seat, self.text))


class OpenState(State):
    """A position of which everybody sees everything. It equals another one of its class with the same
    `key`."""

    __slots__ = ()

    @abstractmethod
    def key(self) -> tuple[Any, ...]:
        """All that makes this position, hashable."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """What everybody sees, as one JSON object."""

    def board_text(self) -> str:
        """The board as text for a terminal; nothing where the game draws none."""
        return ""

    def view(self, seat: Seat | None) -> View:
        """The same for everybody."""
        expect_viewer(seat, self.seats)
        return OpenView(seat, self)

    def truth(self) -> dict[str, Any]:
        """What everybody sees."""
        return self.view(None).json()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, OpenState) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"<{self.game_id}: {' and '.join(self.seats_to_act()) or 'nobody'} to act>"


class OpenView(View):
    """The view of an `OpenState`."""

    __slots__ = ("_state",)

    def __init__(self, seat: Seat | None, state: OpenState) -> None:
        super().__init__(seat)
        self._state = state

    def open_state(self) -> State:
        """The state."""
        return self._state

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that the game waits for."""
        return self._state.seats_to_act()

    def json(self) -> dict[str, Any]:
        """`game`, `seat`, `to_act`, the facts, and `outcome` once it is over."""
        outcome: Outcome | None = self._state.outcome
        over = {} if outcome is None else {"outcome": outcome._asdict()}
        head = {"game": self._state.game_id, "seat": self.seat, "to_act": list(self.to_act)}
        return {**head, **self._state.facts(), **over}

    def text(self) -> str:
        """The board as the game draws it, else the JSON."""
        return self._state.board_text() or super().text()

    def for_player(self) -> View:
        """The view as data: a state may hold what no other process knows."""
        return DataView(self.seat, self.json(), self.text())

    def comparison_key(self) -> tuple[object, ...]:
        """All that it holds beside its seat."""
        return (self._state,)

    def __repr__(self) -> str:
        return f"<view of {self.seat or 'the spectator'}: {self._state!r}>"


class DataView(View):
    """A view as the game's schema says it, and nothing else: what any process reads."""

    __slots__ = ("_facts", "_text")

    def __init__(self, seat: Seat | None, facts: dict[str, Any], text: str) -> None:
        """`facts`, `text`: what `json` and `text` return."""
        super().__init__(seat)
        self._facts, self._text = facts, text

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that the game waits for."""
        return tuple(self._facts["to_act"])

    def json(self) -> dict[str, Any]:
        """All of it."""
        return self._facts

    def text(self) -> str:
        """The board as the game draws it."""
        return self._text

    def comparison_key(self) -> tuple[object, ...]:
        """All that it holds beside its seat."""
        return json.dumps(self._facts, sort_keys=True), self._text

    def __reduce__(self) -> tuple[Any, ...]:
        return DataView, (self.seat, self._facts, self._text)


def no_options(game_id: str, given: Mapping[str, Any], players: int = 2) -> None:
    """Refuse any option but `players`, for a game that has none. Raises `OptionError`."""
    for name, value in given.items():
        if (name, value) != ("players", players) or isinstance(value, bool):
            raise OptionError(f"{game_id}: option {name} is {value_text(value)}; try players {players}", name)
