"""Where Hitler may be, worked out by listing every way he may have gone: slow and plain.

It reads nothing but what everybody hears and the options. A guess is a whole path, with whether a flag lay in
his city when he entered it; every event throws out those that it contradicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from boardrules.core import Event


class Guess(NamedTuple):
    """One way that he may have gone."""

    start: str
    path: tuple[str, ...]
    """By round the city where he ended his turn."""
    bound: bool
    """Whether his city bore a flag when he entered it, and he has not re-captured it since."""

    @property
    def at(self) -> str:
        """Where he is by this guess."""
        return self.path[-1] if self.path else self.start


class Field(NamedTuple):
    """A map as plain sets."""

    beside: Mapping[str, frozenset[str]]
    airports: frozenset[str]


def field(text: str) -> Field:
    """The map of a text that is known to be right."""
    beside: dict[str, set[str]] = {}
    airports: set[str] = set()
    for row in text.split("\n"):
        match row.split():
            case ["city", city, *_]:
                beside[city] = set()
            case ["airport", *cities]:
                airports |= set(cities)
            case ["link", city, *others]:
                for other in others:
                    beside[city].add(other)
                    beside[other].add(city)
    return Field({city: frozenset(near) for city, near in beside.items()}, frozenset(airports))


class Guesses:
    """All the ways that what was told leaves."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = options
        self.map = field(options["map"])
        self.flags: set[str] = set()
        self.pieces: dict[str, str] = {}
        self.left: set[Guess] = set()
        self._ends: dict[tuple[str, frozenset[str], tuple[str | None, ...]], frozenset[str]] = {}

    def cities(self) -> set[str]:
        """Where he may be."""
        return {guess.at for guess in self.left}

    def hear(self, events: Sequence[Event]) -> None:
        """Take in what everybody was told of one action."""
        told = [event.json() for event in events if event.audience is None]
        kinds = [event["kind"] for event in told]
        if "hidden" in kinds:
            entries = self.options["first_round"] == "allies_only"
            self.left = {Guess(city, (city,) if entries else (), False) for city in self.map.beside}
        if "moved" in kinds:
            self._move(told)
        for event in told:
            self._hear(event)
        ended = [event["piece"] for event in told if event["kind"] in ("went", "stayed")]
        if "infantry" in ended and "captured" not in kinds:
            self.left = {guess for guess in self.left if guess.at != self.pieces["infantry"]}

    def _hear(self, event: Mapping[str, Any]) -> None:
        match event["kind"]:
            case "placed":
                self.pieces[event["piece"]] = event["at"]
            case "went":
                self.pieces[event["piece"]] = event["to"]
            case "liberated":
                self.flags.add(event["at"])
            case "lowered":
                self.flags.discard(event["at"])
            case "recaptured" if self.options["recapture"] == "at_once":
                self.flags.discard(event["at"])
            case "answer":
                here = event["thing"] == "yes"
                self.left = {guess for guess in self.left if (guess.at == event["at"]) == here}
            case "captured":
                self.left = {guess for guess in self.left if guess.at == event["at"]}

    def _move(self, told: Sequence[Mapping[str, Any]]) -> None:
        flights = tuple(event.get("from") for event in told if event["kind"] in ("ticket", "flight"))
        retaken = [event["at"] for event in told if event["kind"] == "recaptured"]
        tokens = [event["at"] for event in told if event["kind"] == "token"]
        number = next(event["round"] for event in told if event["kind"] == "moved")
        known = (guess for guess in self.left if not tokens or guess.path[number - 3] == tokens[0])
        self.left = {new for guess in known for new in self._moved(guess, flights, retaken)}

    def _moved(self, guess: Guess, flights: tuple[str | None, ...], retaken: list[str]) -> Iterator[Guess]:
        start, path, bound = guess
        at = guess.at
        if retaken:
            if at == retaken[0] and at in self.flags:
                yield Guess(start, (*path, at), False)
            return
        held = bound or (self.options["trapped"] == "flagged" and at in self.flags)
        if not flights:
            yield Guess(start, (*path, at), bound)
        if held:
            return
        for end in self._reached(at, flights):
            if flights or end != at:
                yield Guess(start, (*path, end), self.options["trapped"] == "entered" and end in self.flags)

    def _reached(self, city: str, flights: tuple[str | None, ...]) -> frozenset[str]:
        key = (city, frozenset(self.flags), flights)
        if key not in self._ends:
            self._ends[key] = frozenset(self._routes(city, 0, flights, first=True))
        return self._ends[key]

    def _routes(self, city: str, moves: int, flights: tuple[str | None, ...], first: bool) -> Iterator[str]:
        """Every city in which a route that has come to `city` may end, once all flights are flown."""
        if not flights:
            yield city
        if city in self.flags and not first:
            return
        cost = self.options["flight"]
        if flights and city in self.map.airports and flights[0] in (None, city):
            price = {"move": 1, "turn": 3, "free": 0}[cost]
            if moves + price <= 3:
                for other in self.map.airports - {city}:
                    yield from self._routes(other, moves + price, flights[1:], first=False)
        if moves < 3:
            for other in self.map.beside[city]:
                yield from self._routes(other, moves + 1, flights, first=False)
