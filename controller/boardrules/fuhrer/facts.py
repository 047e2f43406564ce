"""A position, split into what everybody at the table knows (`Facts`) and what is hidden (`Sheet`).

All that may be shown in public is made from `Facts` alone: the spectator's view, `layout`, `steps`, public
refusals, the possible places. So nothing there can tell where Hitler is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from boardrules.core import Outcome, Seat
from boardrules.fuhrer.maps import Cities
from boardrules.fuhrer.reach import Marks, Turn

if TYPE_CHECKING:
    from boardrules.fuhrer.rules import Rules
    from boardrules.fuhrer.stages import Stage

TICKETS = 2
"""F19."""
ROUNDS = 24
"""F21."""
EVERYWHERE: Marks = -1
"""Every mark there is."""
LAG = 2
"""F13: by how many rounds the token is late."""


class Answer(NamedTuple):
    """Whether Hitler is in a city, as he told: asked by the Spy, or by Infantry that ended its turn there."""

    round: int
    piece: int
    city: int
    here: bool


class Told(NamedTuple):
    """What everybody heard of a turn of Hitler."""

    round: int
    turn: Turn
    token: int
    """F13: the city of the entry two rounds ago, or -1."""


class Lore(NamedTuple):
    """What is known of Hitler: what he told so far, and where he may be by that."""

    tickets: int
    """How many are left."""
    possible: Marks
    """Exactly the marks that public knowledge leaves."""
    kept: Marks
    """What the answers since his last turn leave."""
    earlier: Marks
    """The marks that were left for the entry before the last, once its round was over."""
    last: Turn
    """His last turn."""
    log: tuple[Answer | Told, ...]
    """All answers and turns, in order."""


class Facts(NamedTuple):
    """What everybody at the table knows of a position."""

    rules: Rules
    stage: Stage
    """What happens next ..."""
    waits: tuple[Seat, ...]
    """... and whose it is."""
    round: int
    """0 until the set-up is done."""
    at: tuple[int, ...]
    """By Allied piece its city; pieces that are not set up yet are missing."""
    flags: Cities
    rising: Cities
    """`liberation=full-round`: the city that is being liberated."""
    falling: Cities
    """`recapture=round_end`: the city whose flag goes at the end of the round."""
    die: int
    """What was rolled for the piece that moves, else 0."""
    asked: tuple[int, ...]
    """The cities that the Spy has named this turn."""
    lore: Lore
    undo: Seat | None
    """H1: the seat that may ask to take its last action back."""
    offer: Seat | None
    """H1: the seat that has asked."""
    outcome: Outcome | None


Known = tuple[
    "Rules", "Stage", tuple[Seat, ...], int, tuple[int, ...], Cities, Cities, Cities, int, tuple[int, ...],
    "Heard", Seat | None, Seat | None, Outcome | None,
]  # fmt: skip
"""`Facts` without the names. One is made every action, and a plain tuple is made and taken apart faster."""
Heard = tuple[int, Marks, Marks, Marks, Turn, tuple[Answer | Told, ...]]
"""`Lore` without the names."""


def named(known: Known) -> Facts:
    """The facts with their names."""
    return known if isinstance(known, Facts) else Facts(*known[:10], Lore(*known[10]), *known[11:])


class Sheet(NamedTuple):
    """What Hitler alone knows."""

    mark: Marks
    """Where he is, as a set of one mark; 0 before he has chosen."""
    city: int
    """The same as a city, or -1."""
    entries: tuple[int, ...]
    """F12: by round the city in which he ended his turn."""
    start: int
    """Where he began, or -1."""

    def __repr__(self) -> str:
        return "<hidden sheet>"


NOWHERE = Sheet(0, -1, (), -1)


_new = tuple.__new__  # Told(...) without its wrapper


def answer(heard: Heard, rules: Rules, number: int, piece: int, city: int, here: bool) -> Heard:
    """What is known once an answer was given in round `number` (F10, F11)."""
    tickets, possible, kept, earlier, last, log = heard
    marks = rules.spots[city] if here else ~rules.spots[city]
    said = _new(Answer, (number, piece, city, here))
    return tickets, possible & marks, kept & marks, earlier, last, (*log, said)


def earlier(heard: Heard, rules: Rules, token: int) -> Marks:
    """The marks left for the last entry, once the token has told the one before it (-1: it didn't, F13)."""
    _, possible, kept, before, last, _ = heard
    if token < 0:
        return possible
    return rules.trap.after(before & rules.spots[token], last) & kept


def moved(heard: Heard, rules: Rules, number: int, turn: Turn, token: int) -> Heard:
    """What is known once Hitler has made his turn of round `number`."""
    before = earlier(heard, rules, token)
    told = _new(Told, (number, turn, token))
    tickets, _, _, _, _, log = heard
    possible = rules.trap.after(before, turn)
    return tickets - len(turn.origins), possible, EVERYWHERE, before, turn, (*log, told)
