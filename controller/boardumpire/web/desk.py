"""What the page may ask of whoever runs the table. There is no way from here to a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from boardumpire.secrecy import Message


class Desk(Protocol):
    """The daemon, or whatever else runs a table. What is refused is a `ValueError` or `BoardumpireError`."""

    @property
    def seats(self) -> tuple[str, ...]:
        """The players' seats."""

    @property
    def alive(self) -> bool:
        """Whether a table is running: after a power cut there is none for a while."""

    def say(self, seat: str, text: str) -> None:
        """As `Table.say`."""

    def check(self, seat: str, text: str) -> None:
        """As `Table.check`."""

    def view(self, seat: str | None) -> dict[str, Any]:
        """As `Table.view`."""

    def choices(self, seat: str) -> dict[str, Any]:
        """As `Table.choices`."""

    def status(self) -> dict[str, Any]:
        """What everybody can see on the board: `chores`, `marks`, `question`, `proposal`, `over`."""

    def told(self) -> Sequence[Message]:
        """What was told in public of this game before the table was opened, from the journal."""

    def printed(self) -> dict[str, Any]:
        """What is printed on the board (`describe.printed`)."""

    def new(self) -> None:
        """Begin another game."""

    def games(self) -> list[dict[str, Any]]:
        """The games that are over: number, when, what, how it ended."""

    def replay(self, number: int, first: int, count: int) -> Mapping[str, Any]:
        """Steps of a game that is over. Raises `JournalError` for one that is not, or is none."""
