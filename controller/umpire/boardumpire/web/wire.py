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


class Hello(TypedDict):
    """The first message of a screen: the last frame it has, and its language."""

    do: Literal["hello"]
    epoch: str | None
    n: int
    language: str


class Say(TypedDict):
    """What a seat says, or has checked."""

    do: Literal["say", "check"]
    id: str
    text: str


class Suggest(TypedDict):
    """A seat that sets up asks for a set-up: one that is ready, or by chance around what stands already."""

    do: Literal["suggest"]
    id: str
    preset: str
    text: str


class Here(TypedDict):
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


class Window(TypedDict):
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


class Told(TypedDict):
    """One message of the umpire; what else it has follows from its kind."""

    t: int
    kind: str


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
    window: Window | None
    over: bool
    waits: str | None
    silent: NotRequired[list[str]]
    reeds: NotRequired[list[dict[str, Any]]]
    free: list[str]


class Snapshot(TypedDict):
    """All that a screen needs that knows nothing yet."""

    kind: Literal["snapshot"]
    epoch: str
    n: int
    seats: list[Seat]
    players: NotRequired[dict[str, str]]
    told: list[Told]
    board: Status
    away: NotRequired[list[Seat]]
    """The seats whose people have no screen open."""
    clocks: Clocks | None
    view: dict[str, Any]
    may: NotRequired[dict[str, Any]]


class View(TypedDict):
    """How the game stands for this screen."""

    kind: Literal["view"]
    n: int
    view: dict[str, Any]
    may: NotRequired[dict[str, Any]]


class Board(TypedDict):
    """The board's state has changed."""

    kind: Literal["board"]
    n: int
    board: Status


class Heard(TypedDict):
    """The umpire told something, perhaps with a sound."""

    kind: Literal["told"]
    n: int
    told: Told
    sound: NotRequired[str]


class Caught(TypedDict):
    """Nothing was missed up to frame `n`."""

    kind: Literal["here"]
    n: int
    clocks: Clocks | None
    away: NotRequired[list[Seat]]


class Away(TypedDict):
    """Somebody has come or gone; it has no number, as only the present is of interest."""

    kind: Literal["away"]
    away: list[Seat]


Frame = Snapshot | View | Board | Heard | Caught | Away
"""What the umpire sends of its own accord."""
Message = Hello | Say | Suggest | Here
"""What a screen sends."""
