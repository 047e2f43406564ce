"""What the simulator needs of a table; it is handed a factory and never imports the daemon."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from boardrules.core import Seat
from boardware.ports import LampId, Light, Micros, Ports


class BenchMessage(Protocol):
    """Something told at a moment, to everybody (`seat` is `None`) or to one seat."""

    @property
    def at(self) -> Micros:
        """When."""

    @property
    def seat(self) -> str | None:
        """To whom."""

    @property
    def kind(self) -> str:
        """`ruling`, `fault`, `question`, `chores` ..."""

    @property
    def data(self) -> dict[str, Any]:
        """The rest, ready for JSON."""


class BenchDeadlines(Protocol):
    """What is asked for a limited time."""

    def json(self, now: Micros | None = None) -> dict[str, Any] | None:
        """What screens show as of `now`: `left_ms`, and whether it `runs`; `None` where nothing is open."""


class BenchTable(Protocol):
    """One game on one board, turned by `step`."""

    @property
    def answer_deadlines(self) -> BenchDeadlines:
        """What is asked for a limited time."""

    @property
    def marks(self) -> Mapping[LampId, str]:
        """What the lamps are told to show, by the names of what it means ..."""

    @property
    def lights(self) -> Mapping[LampId, Light]:
        """... and with how it looks."""

    def step(self, now: Micros) -> Micros | None:
        """Turn once; when to turn next, the scan grids of the polled ports aside."""

    def say(self, seat: Seat, text: str, now: Micros) -> None:
        """What a seat says on its phone. Raises a `ValueError` whose text is for that seat alone."""

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """What a seat may know."""

    def take_messages(self) -> Sequence[BenchMessage]:
        """What was told since the last call, oldest first."""

    def export_record(self) -> str:
        """The record of the game; it is over."""

    def close(self) -> None:
        """Dark lamps, free pins."""


class FurtherBenchBoard(NamedTuple):
    """A board of a table beside its first one."""

    name: str
    """By which the table knows it."""
    board: str
    """A shipped board or the path of a board file."""
    ports: Ports
    home: frozenset[Seat]
    """The seats whose hands act there."""


class BenchTableFactory(Protocol):
    """Opens a table: begins a game, or goes on with the unfinished one of the journal."""

    def traced(self, begin: Callable[[], Callable[[str], object]], sensors: str) -> BenchTableFactory:
        """A factory whose tables write traces: `begin` gives for each what takes its lines."""

    def with_dice(self, dice: Callable[[Sequence[int]], int]) -> BenchTableFactory:
        """A factory whose umpire throws and deals by `dice`: given weights, which of it comes."""

    def __call__(
        self,
        board_name: str,
        game: str,
        options: Mapping[str, Any],
        ports: Ports,
        journal: Path | None,
        settings: Mapping[str, Any],
        now: Micros,
        enrolled: str = "",
        further: Sequence[FurtherBenchBoard] = (),
    ) -> BenchTable:
        """A table that has been turned once at `now`; `enrolled` says which tag is in which piece, `further`
        are its boards beside the first one."""
