"""The shapes of what the page's sockets carry. `tests/scripts/wire.d.ts` is made of them for the scripts.

What a game's view and choices hold is the game's own affair; here they are mappings.
"""

from typing import Any, Literal, NotRequired, TypedDict

from boardrules.core import Seat


class Question(TypedDict):
    """What the umpire asks."""

    code: str
    spaces: list[str]
    seat: Seat | None
    text: str


class Proposal(TypedDict):
    """What the table is asked, and who answers."""

    seat: Seat | None
    thing: str
    asked: list[str]
    answer: str
    text: str


class HelloMessage(TypedDict):
    """The first message of a screen: the last frame it has, and its language."""

    do: Literal["hello"]
    epoch: str | None
    n: int
    language: str


class SayMessage(TypedDict):
    """What a seat says, or has checked."""

    do: Literal["say", "check"]
    id: str
    text: str


class SuggestMessage(TypedDict):
    """A seat that sets up asks for a set-up: one that is ready, or by chance around what stands already."""

    do: Literal["suggest"]
    id: str
    preset: str
    text: str


class PingMessage(TypedDict):
    """Is anybody there?"""

    do: Literal["here"]
    id: str


class Answer(TypedDict):
    """The answer to a message, by its id; the text says why it was refused, and by which rule."""

    kind: Literal["answer"]
    id: str | None
    ok: bool
    text: str
    rule: NotRequired[str]
    setup: NotRequired[dict[str, str]]


class AnswerWindow(TypedDict):
    """How long what is open may still be answered."""

    left_ms: int
    runs: bool


class Clocks(TypedDict):
    """What each seat has left, and whose clock runs."""

    kind: str
    base_ms: int
    extra_ms: int
    short_ms: int
    left_ms: dict[str, int]
    runs: str | None


class UmpireMessage(TypedDict):
    """One message of the umpire; what else it has follows from its kind."""

    t: int
    kind: str


class BoardStatus(TypedDict):
    """What everybody can see at one of several boards of a table."""

    name: str
    seats: list[str]
    """Whose hands act there."""
    chores: list[dict[str, Any]]
    text: list[str]
    marks: dict[str, str]
    question: Question | None
    waits: str | None


class Status(TypedDict):
    """What everybody can see on the board."""

    chores: list[dict[str, Any]]
    text: list[str]
    marks: dict[str, str]
    question: Question | None
    proposal: Proposal | None
    """The newest of `proposals`."""
    proposals: list[Proposal]
    clocks: Clocks | None
    window: AnswerWindow | None
    over: bool
    waits: str | None
    silent: NotRequired[list[str]]
    reeds: NotRequired[list[dict[str, Any]]]
    free: list[str]
    boards: NotRequired[list[BoardStatus]]
    """Where a table has several: each of them, the first one first."""


class Snapshot(TypedDict):
    """All that a screen needs that knows nothing yet."""

    kind: Literal["snapshot"]
    epoch: str
    n: int
    seats: list[Seat]
    players: NotRequired[dict[str, str]]
    told: list[UmpireMessage]
    board: Status
    away: NotRequired[list[Seat]]
    """The seats whose people have no screen open."""
    devices: NotRequired[int]
    """Told to a seat alone: from how many addresses its screens are open."""
    clocks: Clocks | None
    view: dict[str, Any]
    may: NotRequired[dict[str, Any]]


class ViewFrame(TypedDict):
    """How the game stands for this screen."""

    kind: Literal["view"]
    n: int
    view: dict[str, Any]
    may: NotRequired[dict[str, Any]]


class BoardFrame(TypedDict):
    """The board's state has changed."""

    kind: Literal["board"]
    n: int
    board: Status


class AnnouncementFrame(TypedDict):
    """The umpire told something, perhaps with a sound."""

    kind: Literal["told"]
    n: int
    told: UmpireMessage
    sound: NotRequired[str]


class CaughtUpFrame(TypedDict):
    """Nothing was missed up to frame `n`."""

    kind: Literal["here"]
    n: int
    clocks: Clocks | None
    away: NotRequired[list[Seat]]
    devices: NotRequired[int]


class AwaySeatsFrame(TypedDict):
    """Somebody has come or gone; it has no number, as only the present is of interest."""

    kind: Literal["away"]
    away: list[Seat]
    devices: NotRequired[int]


Frame = Snapshot | ViewFrame | BoardFrame | AnnouncementFrame | CaughtUpFrame | AwaySeatsFrame
"""What the umpire sends of its own accord."""
Message = HelloMessage | SayMessage | SuggestMessage | PingMessage
"""What a screen sends."""
