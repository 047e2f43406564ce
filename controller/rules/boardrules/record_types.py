"""What a game that was written down holds, in whatever way it was written."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from boardrules.core import Event, Outcome, Seat, State

DRAW_WINNER: Final = "draw"
"""What stands for the winner of a draw."""
UNKNOWN_WINNER: Final = "unknown"
"""What stands for the winner where the source names none."""
HEADER_POSITION: Final = -1
"""Where a comment stands that comes before `actions`."""


class RecordError(ValueError):
    """A record that can't be read or played. The message begins with `LINE n: `."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"LINE {line}: {message}")
        self.line = line
        self.bare_message = message
        """The message without its line."""


class StatedResult(NamedTuple):
    """How a game ended as its source has it. The moves need not give that: a game may be forfeited."""

    winner: str
    """A seat, `draw`, or `unknown`."""
    reason: str
    """In the source's own words; empty where it has none."""


class RecordedCommitment(NamedTuple):
    """What was published when a hidden action was made, and once the game was over, its proof."""

    entry: int
    """The number of the action's entry in the journal it comes from."""
    seat: Seat
    digest: str
    """SHA-256 of salt and text, 64 hexadecimal digits."""
    salt: str | None = None
    """Hexadecimal; `None` while it is sealed."""


class RecordComment(NamedTuple):
    """A line that somebody wrote beside the game."""

    action_count: int
    """How many actions stand before it; `HEADER_POSITION` in the header."""
    text: str


class Record(NamedTuple):
    """A game as it is written down. It holds the game's secrets."""

    game: str
    options: Mapping[str, Any]
    actions: tuple[tuple[Seat, str], ...]
    """Seat and text of every action, in order."""
    seed: int | None = None
    """The seed of the generator that played chance, if one did."""
    board: str | None = None
    date: str | None = None
    result: Outcome | None = None
    """How the actions end the game."""
    players: Mapping[Seat, str] = MappingProxyType({})
    """By seat who sat there."""
    event: str | None = None
    place: str | None = None
    source: str | None = None
    stated: StatedResult | None = None
    """How the source says the game ended, where it says it in other words than `result`."""
    tags: Mapping[str, Any] = MappingProxyType({})
    """By name what else a source says of the game, as JSON."""
    commitments: tuple[RecordedCommitment, ...] = ()
    comments: tuple[RecordComment, ...] = ()
    """In the order of their places."""
    line_numbers: Mapping[str, int] = MappingProxyType({})
    """Where things stand in the text it was read from: `game`, `option NAME`, `player SEAT`, `stated`,
    `result`, an action's count from 0, and `end`, the last line. Not part of a record's meaning."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and tuple(self)[:-1] == tuple(other)[:-1]

    def __hash__(self) -> int:
        return hash((self.game, self.actions, self.seed))

    def __repr__(self) -> str:
        return f"<record of {self.game}, {len(self.actions)} actions>"


class ReplayStep(NamedTuple):
    """A step of a replay."""

    seat: Seat
    text: str
    state: State
    """The state after the action."""
    events: tuple[Event, ...]


def to_stated_result(outcome: Outcome) -> StatedResult:
    """An outcome as a source would state it."""
    return StatedResult(outcome.winner or DRAW_WINNER, outcome.reason)


def comments_from_text(after: int, text: str) -> tuple[RecordComment, ...]:
    """A text as comments, one a line."""
    return tuple(RecordComment(after, line.rstrip()) for line in text.split("\n"))
