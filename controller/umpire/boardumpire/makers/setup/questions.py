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
from boardware.header_pico import fits_satellite
from boardware.parts import BoardDescription
from boardware.pico_plan import plans_by_pico
from boardwire.station import VERSION

AGAIN_ANSWER, LATER_ANSWER, NO_ANSWER, KEEP_ANSWER = "again", "later", "no", "keep"
NETWORK_PAGE_ANSWER, MACHINE_PAGE_ANSWER, NO_PAGE_ANSWER = "network", "machine", "none"
HANDS_DOCTOR_ANSWER, WATCH_DOCTOR_ANSWER = "hands", "watch"
WRITE_ANSWER, KEEP_OWN_ANSWER, WRITE_NOTHING_ANSWER = "write", "mine", "leave"
GAME_QUESTION, BOARD_QUESTION, PARTS_QUESTION, PAGE_QUESTION, DOCTOR_QUESTION, CONFIGURATION_QUESTION = (
    "game",
    "board",
    "parts",
    "page",
    "doctor",
    "configuration",
)
ELSEWHERE_ANSWER = "elsewhere"
"""To the first question: the game is at another board, and this is its second one."""
HOST_QUESTION, CODE_QUESTION = "host", "code"
"""Where that board is, and the code that its page shows: asked after `ELSEWHERE_ANSWER`."""
ENTRY_MAX_CHARS = 200
PAGE_PORT = 8080
LISTEN_BY_ANSWER = {
    NETWORK_PAGE_ANSWER: f"0.0.0.0:{PAGE_PORT}",
    MACHINE_PAGE_ANSWER: f"127.0.0.1:{PAGE_PORT}",
    NO_PAGE_ANSWER: "",
}
"""Where the page is served, by the answer."""
FLASH_QUESTION_PREFIX, PAD_QUESTION_PREFIX = "flash ", "pad "
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
    entry: str = ""
    """What a person may type instead; nothing: one of the choices alone."""

    def check_answer(self, value: str) -> str:
        """The answer. Raises `SetupError` for one that there is not."""
        if self.entry and 0 < len(value) <= ENTRY_MAX_CHARS and value.isascii() and value.isprintable():
            return value
        if value not in [choice.value for choice in self.choices]:
            listed = ", ".join(choice.value for choice in self.choices)
            raise SetupError(f"{self.id}: found {value[:60]!r}; try one of {listed}")
        return value


class KnownConfiguration(NamedTuple):
    """What the configuration says already, and what would change in it."""

    listen: str = ""
    changes: tuple[str, ...] = ()
    """Each as `[section] key: before, after`."""
    own_changes: tuple[str, ...] = ()
    """Those of them that replace what the owner wrote."""
    todo_notes: tuple[str, ...] = ()
    """What this machine still lacks, with what to type."""


def next_question(
    seen: SetupFindings, said: Mapping[str, str], known: KnownConfiguration
) -> SetupQuestion | None:
    """What to ask next; `None` once all is answered."""
    return next((each for each in _open_questions(seen, said, known) if each.id not in said), None)


def _open_questions(
    seen: SetupFindings, said: Mapping[str, str], known: KnownConfiguration
) -> Iterator[SetupQuestion]:
    """Those of the questions that can be asked as far as answers go. Each needs the answers before it."""
    yield _game_question(seen)
    if GAME_QUESTION not in said:
        return
    if said[GAME_QUESTION] == ELSEWHERE_ANSWER:
        yield from _elsewhere_questions(seen, said)
        return
    game = said[GAME_QUESTION]
    yield _board_question(seen, {name: each for name, each in seen.boards.items() if game in each.games})
    board = seen.boards.get(said.get(BOARD_QUESTION, ""))
    if board is None:
        return
    yield from _pico_questions(seen, board)
    yield from _pad_questions(seen, board, said)
    yield _page_question(known)
    if not seen.missing_parts(board) and not seen.unready_picos(board):
        yield _doctor_question()
    yield _configuration_question(known)


def _game_question(seen: SetupFindings) -> SetupQuestion:
    ids = registry.usable_games(dict.fromkeys(game for board in seen.boards.values() for game in board.games))
    fits = {game: _game_rank(seen, game) for game in ids}
    ordered = sorted(ids, key=lambda game: (fits[game], game != GameSection().id))
    choices = tuple(SetupChoice(game, boardrules.package(game).title) for game in ordered)
    choices += (
        SetupChoice(
            ELSEWHERE_ANSWER,
            "The game is at another board",
            "this is its second board: real pieces in two homes",
        ),
    )
    found = [seen.model or "This machine is no Raspberry Pi: a board has to hang on Picos."]
    found += [f"Pico at {pico.description()}" for pico in seen.picos]
    found += [
        "A Pico waits in its boot loader: copy MicroPython's file onto its drive (docs/build/pico.md)."
    ] * seen.boot_loader_count
    return SetupQuestion(GAME_QUESTION, "Which game is the board for?", choices, tuple(found))


def _elsewhere_questions(seen: SetupFindings, said: Mapping[str, str]) -> Iterator[SetupQuestion]:
    carried = {name: each for name, each in seen.boards.items() if fits_satellite(each)}
    yield _board_question(seen, carried)
    board = seen.boards.get(said.get(BOARD_QUESTION, ""))
    if board is None:
        return
    yield from _pico_questions(seen, board)
    found = tuple(SetupChoice(host, f"At {host}") for host in seen.hosts)
    yield SetupQuestion(
        HOST_QUESTION,
        "Where is the other board?",
        (*found, SetupChoice(AGAIN_ANSWER, "Look again")),
        ("On its page press More, The table's settings, Play with another board.",)
        + (() if found else ("No board that waits for this one was found in this network.",)),
        "The address of the other board, as its page shows it",
    )
    yield SetupQuestion(
        CODE_QUESTION, "Which code does the page of the other board show?", (), (), "Eight digits"
    )


def _game_rank(seen: SetupFindings, game: str) -> tuple[int, int]:
    """The less the better a game fits what was found."""
    boards = [board for board in seen.boards.values() if game in board.games]
    return min((_board_rank(seen, board) for board in boards), default=(9, 9))


def _board_rank(seen: SetupFindings, board: BoardDescription) -> tuple[int, int]:
    """First boards whose Picos are there and say so, then those for which all is there; unused Picos last."""
    idle = max(0, len(seen.picos) - len(board.picos))
    said = len(board.picos) > 0 and len(seen.identified_picos(board)) == len(board.picos)
    return (0 if said else 1 if not seen.missing_parts(board) else 2, idle)


def _pico_questions(seen: SetupFindings, board: BoardDescription) -> Iterator[SetupQuestion]:
    """About what a board lacks, and the firmware of its Picos."""
    if lacks := seen.missing_parts(board):
        yield _parts_question(seen, lacks)
    for id_ in seen.unready_picos(board):
        if seen.candidates(board, id_):
            yield _flash_question(seen, board, id_)


def _board_question(seen: SetupFindings, carrying: Mapping[str, BoardDescription]) -> SetupQuestion:
    ordered = sorted(carrying, key=lambda name: _board_rank(seen, carrying[name]))
    choices = tuple(
        SetupChoice(
            name, carrying[name].name, "; ".join(seen.missing_parts(carrying[name])) or "all it needs is here"
        )
        for name in ordered
    )
    return SetupQuestion(BOARD_QUESTION, "Which board is it?", choices)


def _parts_question(seen: SetupFindings, lacks: tuple[str, ...]) -> SetupQuestion:
    choices = (
        SetupChoice(AGAIN_ANSWER, "Look again", "after plugging in what is missing"),
        SetupChoice(LATER_ANSWER, "Go on without", "the board waits for it, and says so"),
    )
    notes = [f"It {each}" for each in lacks] + [f"Pico at {pico.description()}" for pico in seen.picos]
    return SetupQuestion(PARTS_QUESTION, "Something that this board needs is missing.", choices, tuple(notes))


def _flash_question(seen: SetupFindings, board: BoardDescription, id_: str) -> SetupQuestion:
    candidates = seen.candidates(board, id_)
    choices = [
        SetupChoice(pico.path, f"Put it on the Pico at {pico.path}", _flash_note(pico.description()))
        for pico in candidates
    ]
    several = len(board.picos) > 1 and len(candidates) > 1
    notes = ("Can't you tell which is which? Unplug all others, and look again.",) if several else ()
    works = any(
        told is not None and told.is_compatible(plans_by_pico(board)[id_])
        for told in (pico.greeting for pico in candidates)
    )
    skipped = "it works as it is" if works else "the board waits until it is done: boardumpire flash"
    choices += [SetupChoice(NO_ANSWER, "Not now", skipped), SetupChoice(AGAIN_ANSWER, "Look again")]
    text = f"The Pico {id_} needs the firmware {VERSION} of this program."
    return SetupQuestion(FLASH_QUESTION_PREFIX + id_, text, tuple(choices), notes)


def _flash_note(described: str) -> str:
    return f"{described}; firmware of ours that is there is kept, to go back to"


def _pad_questions(
    seen: SetupFindings, board: BoardDescription, said: Mapping[str, str]
) -> Iterator[SetupQuestion]:
    for pad in board.pads.values():
        if pad.pico is None:
            taken = {said.get(PAD_QUESTION_PREFIX + other) for other in board.pads if other != pad.id}
            free = [path for path in seen.serial_paths if path not in taken]
            choices = [SetupChoice(path, f"At {path}") for path in free]
            choices += [
                SetupChoice(LATER_ANSWER, "I'll write it into the configuration myself"),
                SetupChoice(AGAIN_ANSWER, "Look again"),
            ]
            yield SetupQuestion(
                PAD_QUESTION_PREFIX + pad.id, f"Where does the pad {pad.id} hang?", tuple(choices)
            )


def _page_question(known: KnownConfiguration) -> SetupQuestion:
    own = known.listen not in LISTEN_BY_ANSWER.values()
    keep = [SetupChoice(KEEP_ANSWER, f"Leave it as it is: {known.listen}")] if own else []
    choices = [
        *keep,
        SetupChoice(
            NETWORK_PAGE_ANSWER, "Phones in this network", "every seat has a private screen; port 8080"
        ),
        SetupChoice(MACHINE_PAGE_ANSWER, "Browsers on this machine alone", "port 8080"),
        SetupChoice(NO_PAGE_ANSWER, "Nobody: there is no page", "the board is played by hands and buttons"),
    ]
    return SetupQuestion(PAGE_QUESTION, "Who may open the board's page?", tuple(choices))


def _doctor_question() -> SetupQuestion:
    choices = (
        SetupChoice(
            WATCH_DOCTOR_ANSWER,
            "Only watch the empty board",
            "some seconds: finds what is stuck or dead by itself",
        ),
        SetupChoice(
            HANDS_DOCTOR_ANSWER,
            "Look at all of it",
            "some minutes: you are asked to place a piece and to look at lamps",
        ),
        SetupChoice(LATER_ANSWER, "Later", "on the makers' screen, or by boardumpire doctor"),
    )
    return SetupQuestion(DOCTOR_QUESTION, "Is the board in order? The doctor finds out.", choices)


def _configuration_question(known: KnownConfiguration) -> SetupQuestion:
    mine = (
        [SetupChoice(KEEP_OWN_ANSWER, "Write it, and keep what I wrote myself")] if known.own_changes else []
    )
    choices = (
        SetupChoice(WRITE_ANSWER, "Write all of it" if known.own_changes else "Write it, and begin"),
        *mine,
        SetupChoice(WRITE_NOTHING_ANSWER, "Write nothing"),
    )
    notes = [*known.changes, *(f"You wrote that yourself: {each}" for each in known.own_changes)]
    notes += [f"Still to do: {each}" for each in known.todo_notes]
    return SetupQuestion(CONFIGURATION_QUESTION, "This goes into the configuration.", choices, tuple(notes))
