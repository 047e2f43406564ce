"""What a set-up asks, one question after the other. Pure: what is known goes in, the next question comes out.

A question goes away by being answered, or because what it was about is there now: a Pico that was flashed,
one that was plugged in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import boardrules
from boardrules import registry
from boardumpire.errors import BoardumpireError
from boardumpire.makers.setup.hardware_findings import SetupFindings
from boardumpire.service.config import GameSection
from boardware.parts import BoardDescription
from boardware.pico_plan import plans
from boardwire.station import VERSION

AGAIN, LATER, NO, KEEP = "again", "later", "no", "keep"
NETWORK, MACHINE, NONE = "network", "machine", "none"
HANDS, WATCH = "hands", "watch"
WRITE, MINE, LEAVE = "write", "mine", "leave"
GAME, BOARD, PARTS, PAGE, DOCTOR, CONFIGURATION = "game", "board", "parts", "page", "doctor", "configuration"
PORT = 8080
LISTENS = {NETWORK: f"0.0.0.0:{PORT}", MACHINE: f"127.0.0.1:{PORT}", NONE: ""}
"""Where the page is served, by the answer."""
FLASH, PAD = "flash ", "pad "
"""Questions about one Pico, one pad: its id follows."""


class SetupError(BoardumpireError):
    """What was said is no answer to what is asked, or it could not be done."""


class SetupChoice(NamedTuple):
    """One answer to a question."""

    value: str
    text: str
    note: str = ""


class SetupQuestion(NamedTuple):
    """What is asked now. The first choice is the likeliest."""

    id: str
    text: str
    choices: tuple[SetupChoice, ...]
    notes: tuple[str, ...] = ()

    def checked(self, value: str) -> str:
        """The answer. Raises `SetupError` for one that there is not."""
        if value not in [choice.value for choice in self.choices]:
            listed = ", ".join(choice.value for choice in self.choices)
            raise SetupError(f"{self.id}: found {value[:60]!r}; try one of {listed}")
        return value


class KnownConfiguration(NamedTuple):
    """What the configuration says already, and what would change in it."""

    listen: str = ""
    changes: tuple[str, ...] = ()
    """Each as `[section] key: before, after`."""
    own: tuple[str, ...] = ()
    """Those of them that replace what the owner wrote."""
    todo: tuple[str, ...] = ()
    """What this machine still lacks, with what to type."""


def question(seen: SetupFindings, said: Mapping[str, str], known: KnownConfiguration) -> SetupQuestion | None:
    """What to ask next; `None` once all is answered."""
    return next((each for each in _all(seen, said, known) if each.id not in said), None)


def _all(seen: SetupFindings, said: Mapping[str, str], known: KnownConfiguration) -> Iterator[SetupQuestion]:
    """Those of the questions that can be asked as far as answers go. Each needs the answers before it."""
    yield _game(seen)
    if GAME not in said:
        return
    yield _board(seen, said[GAME])
    board = seen.boards.get(said.get(BOARD, ""))
    if board is None:
        return
    if lacks := seen.lacks(board):
        yield _parts(seen, lacks)
    for id_ in seen.unfit(board):
        if seen.candidates(board, id_):
            yield _flash(seen, board, id_)
    yield from _pads(seen, board, said)
    yield _page(known)
    if not lacks and not seen.unfit(board):
        yield _doctor()
    yield _configuration(known)


def _game(seen: SetupFindings) -> SetupQuestion:
    ids = registry.usable(dict.fromkeys(game for board in seen.boards.values() for game in board.games))
    fits = {game: _best(seen, game) for game in ids}
    ordered = sorted(ids, key=lambda game: (fits[game], game != GameSection().id))
    choices = tuple(SetupChoice(game, boardrules.package(game).title) for game in ordered)
    found = [seen.model or "This machine is no Raspberry Pi: a board has to hang on Picos."]
    found += [f"Pico at {pico.described()}" for pico in seen.picos]
    found += [
        "A Pico waits in its boot loader: copy MicroPython's file onto its drive (docs/build/pico.md)."
    ] * seen.boot_loaders
    return SetupQuestion(GAME, "Which game is the board for?", choices, tuple(found))


def _best(seen: SetupFindings, game: str) -> tuple[int, int]:
    """The less the better a game fits what was found."""
    boards = [board for board in seen.boards.values() if game in board.games]
    return min((_rank(seen, board) for board in boards), default=(9, 9))


def _rank(seen: SetupFindings, board: BoardDescription) -> tuple[int, int]:
    """First boards whose Picos are there and say so, then those for which all is there; unused Picos last."""
    idle = max(0, len(seen.picos) - len(board.picos))
    said = len(board.picos) > 0 and len(seen.placed(board)) == len(board.picos)
    return (0 if said else 1 if not seen.lacks(board) else 2, idle)


def _board(seen: SetupFindings, game: str) -> SetupQuestion:
    carrying = {name: board for name, board in seen.boards.items() if game in board.games}
    ordered = sorted(carrying, key=lambda name: _rank(seen, carrying[name]))
    choices = tuple(
        SetupChoice(
            name, carrying[name].name, "; ".join(seen.lacks(carrying[name])) or "all it needs is here"
        )
        for name in ordered
    )
    return SetupQuestion(BOARD, "Which board is it?", choices)


def _parts(seen: SetupFindings, lacks: tuple[str, ...]) -> SetupQuestion:
    choices = (
        SetupChoice(AGAIN, "Look again", "after plugging in what is missing"),
        SetupChoice(LATER, "Go on without", "the board waits for it, and says so"),
    )
    notes = [f"It {each}" for each in lacks] + [f"Pico at {pico.described()}" for pico in seen.picos]
    return SetupQuestion(PARTS, "Something that this board needs is missing.", choices, tuple(notes))


def _flash(seen: SetupFindings, board: BoardDescription, id_: str) -> SetupQuestion:
    candidates = seen.candidates(board, id_)
    choices = [
        SetupChoice(pico.path, f"Put it on the Pico at {pico.path}", _has(pico.described()))
        for pico in candidates
    ]
    several = len(board.picos) > 1 and len(candidates) > 1
    notes = ("Can't you tell which is which? Unplug all others, and look again.",) if several else ()
    works = any(
        told is not None and told.works(plans(board)[id_]) for told in (pico.greeting for pico in candidates)
    )
    skipped = "it works as it is" if works else "the board waits until it is done: boardumpire flash"
    choices += [SetupChoice(NO, "Not now", skipped), SetupChoice(AGAIN, "Look again")]
    text = f"The Pico {id_} needs the firmware {VERSION} of this program."
    return SetupQuestion(FLASH + id_, text, tuple(choices), notes)


def _has(described: str) -> str:
    return f"{described}; firmware of ours that is there is kept, to go back to"


def _pads(seen: SetupFindings, board: BoardDescription, said: Mapping[str, str]) -> Iterator[SetupQuestion]:
    for pad in board.pads.values():
        if pad.pico is None:
            taken = {said.get(PAD + other) for other in board.pads if other != pad.id}
            free = [path for path in seen.serials if path not in taken]
            choices = [SetupChoice(path, f"At {path}") for path in free]
            choices += [
                SetupChoice(LATER, "I'll write it into the configuration myself"),
                SetupChoice(AGAIN, "Look again"),
            ]
            yield SetupQuestion(PAD + pad.id, f"Where does the pad {pad.id} hang?", tuple(choices))


def _page(known: KnownConfiguration) -> SetupQuestion:
    own = known.listen not in LISTENS.values()
    keep = [SetupChoice(KEEP, f"Leave it as it is: {known.listen}")] if own else []
    choices = [
        *keep,
        SetupChoice(NETWORK, "Phones in this network", "every seat has a private screen; port 8080"),
        SetupChoice(MACHINE, "Browsers on this machine alone", "port 8080"),
        SetupChoice(NONE, "Nobody: there is no page", "the board is played by hands and buttons"),
    ]
    return SetupQuestion(PAGE, "Who may open the board's page?", tuple(choices))


def _doctor() -> SetupQuestion:
    choices = (
        SetupChoice(
            WATCH, "Only watch the empty board", "some seconds: finds what is stuck or dead by itself"
        ),
        SetupChoice(
            HANDS, "Look at all of it", "some minutes: you are asked to place a piece and to look at lamps"
        ),
        SetupChoice(LATER, "Later", "on the makers' screen, or by boardumpire doctor"),
    )
    return SetupQuestion(DOCTOR, "Is the board in order? The doctor finds out.", choices)


def _configuration(known: KnownConfiguration) -> SetupQuestion:
    mine = [SetupChoice(MINE, "Write it, and keep what I wrote myself")] if known.own else []
    choices = (
        SetupChoice(WRITE, "Write all of it" if known.own else "Write it, and begin"),
        *mine,
        SetupChoice(LEAVE, "Write nothing"),
    )
    notes = [*known.changes, *(f"You wrote that yourself: {each}" for each in known.own)]
    notes += [f"Still to do: {each}" for each in known.todo]
    return SetupQuestion(CONFIGURATION, "This goes into the configuration.", choices, tuple(notes))
