"""The lines of hand scripts: read, checked one by one, and tried by hands on an empty board.

`boardsim.script.script` says what each verb means.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import isfinite
from typing import NamedTuple

from boardrules.core import Seat
from boardsim.bench.bench import parse_setup
from boardsim.hands.hands import PACES, Hands, HandsError
from boardsim.world import faults
from boardsim.world.copper import SolderedDiode
from boardsim.world.physics import FootPosition, PathLeg
from boardsim.world.world import Piece, World
from boardware.parts import BoardDescription
from boardware.ports import MS, Micros

USUAL = "usual"
"""The pace that the run was started with."""
REED_STATES: Mapping[str, bool | None] = {"open": False, "closed": True, "fine": None}


class ScriptError(ValueError):
    """A line that is wrong: `FILE:LINE: what was found; try what`."""


class ScriptCommand(NamedTuple):
    """One line of a script."""

    line: int
    verb: str
    words: tuple[str, ...]


class _Verb(NamedTuple):
    usage: str
    kinds: tuple[str, ...]
    """Of the words after the verb. `?` may be missing, `+` may be repeated."""


VERBS = {
    "setup": _Verb("setup SEAT SPACE=PIECE ...", ("seat", "piece+")),
    "say": _Verb("say SEAT TEXT ...", ("seat", "text+")),
    "lift": _Verb("lift SPACE", ("space",)),
    "place": _Verb("place SPACE [LIFTED-FROM]", ("space", "space?")),
    "slide": _Verb("slide SPACE SPACE ...", ("space", "space+")),
    "tap": _Verb("tap FROM SPACE", ("space", "space")),
    "sign": _Verb("sign FROM", ("space",)),
    "knock": _Verb("knock SPACE", ("space",)),
    "nudge": _Verb("nudge SPACE", ("space",)),
    "straddle": _Verb("straddle SPACE SPACE [LIFTED-FROM]", ("space", "space", "space?")),
    "centre": _Verb("centre SPACE", ("space",)),
    "stand": _Verb("stand OWNER SPACE [LABEL]", ("text", "space", "text?")),
    "take": _Verb("take OWNER LABEL", ("text", "text")),
    "show": _Verb("show PAD [LIFTED-FROM]", ("pad", "space?")),
    "over": _Verb("over PAD OWNER/LABEL/NUMBER MILLISECONDS", ("pad", "piece-name", "ms")),
    "aside": _Verb("aside [LIFTED-FROM]", ("space?",)),
    "fetch": _Verb("fetch OWNER [LABEL]", ("text", "text?")),
    "clear": _Verb("clear", ()),
    "rebuild": _Verb("rebuild", ()),
    "turn-board": _Verb("turn-board", ()),
    "press": _Verb("press BUTTON", ("button",)),
    "hold": _Verb("hold BUTTON MILLISECONDS", ("button", "ms")),
    "wait": _Verb("wait MILLISECONDS", ("ms",)),
    "hands": _Verb("hands PACE", ("pace",)),
    "bounce": _Verb("bounce on|off", ("switch",)),
    "diode": _Verb("diode SLOT STATE", ("reed", "diode")),
    "reed": _Verb("reed SLOT STATE", ("reed", "stuck")),
    "path": _Verb("path OWNER/LABEL/NUMBER MS:X,Y,Z ...", ("piece-name", "leg+")),
    "button": _Verb("button BUTTON MILLISECONDS", ("button", "ms")),
    "fault": _Verb("fault KIND WHERE", ("text", "text")),
    "mend": _Verb("mend KIND WHERE", ("text", "text")),
    "kill": _Verb("kill", ()),
    "start": _Verb("start", ()),
}


TAG_VERBS = ("show", "over")
"""What is of no use where pieces have no tags."""


def read_script(
    text: str, name: str, board: BoardDescription, seats: Collection[Seat], *, tags: bool = False
) -> list[ScriptCommand]:
    """The commands of a script, each checked by itself and all tried by hands on an empty board.

    `name` is what errors call the file; `tags` says whether pieces have any. Raises `ScriptError`.
    """
    commands = []
    for number, line in enumerate(text.splitlines(), 1):
        found = line.partition("#")[0].split()
        if found:
            try:
                commands.append(_command(number, found, board, seats))
                if found[0] in TAG_VERBS and not tags:
                    raise ValueError(f"{found[0]!r}, but pieces have no tags here; try --tags")
            except ValueError as error:
                raise ScriptError(f"{name}:{number}: {error}") from None
    _rehearse(commands, name, board)
    return commands


def _command(
    number: int, found: Sequence[str], board: BoardDescription, seats: Collection[Seat]
) -> ScriptCommand:
    verb, rest = found[0], found[1:]
    if verb not in VERBS:
        raise ValueError(f"unknown verb {verb!r}; try one of {', '.join(VERBS)}")
    usage, kinds = VERBS[verb]
    least = sum(not kind.endswith("?") for kind in kinds)
    endless = bool(kinds) and kinds[-1].endswith("+")
    if len(rest) < least or (len(rest) > len(kinds) and not endless):
        raise ValueError(f"{len(rest)} words after {verb!r}; try {usage!r}")
    for place, word in enumerate(rest):
        kind = kinds[min(place, len(kinds) - 1)].rstrip("?+")
        expected = _expected(kind, word, board, seats)
        if expected:
            raise ValueError(f"found {word!r}; try {expected} in {usage!r}")
    if verb in ("fault", "mend"):
        faults.parse(" ".join(rest), board)
    return ScriptCommand(number, verb, tuple(rest))


def _expected(kind: str, word: str, board: BoardDescription, seats: Collection[Seat]) -> str | None:
    """What should stand in place of `word`; `None` if it is right."""
    known: dict[str, tuple[Collection[str], str]] = {
        "seat": (seats, f"a seat ({', '.join(seats)})"),
        "space": ({*board.spaces, *board.slots}, f"a space of {board.id}"),
        "pad": (board.pads, f"a pad of {board.id} ({', '.join(board.pads) or 'it has none'})"),
        "button": (board.buttons, f"a button of {board.id} ({', '.join(board.buttons)})"),
        "pace": ((*PACES, USUAL), f"a pace ({', '.join((*PACES, USUAL))})"),
        "stuck": (REED_STATES, "open, closed or fine"),
        "switch": (("on", "off"), "on or off"),
        "reed": (board.slots_by_contact.values(), f"a slot of {board.id} with a reed"),
        "diode": ([each.name.lower() for each in SolderedDiode], "fine, absent, broken or shorted"),
    }
    if kind in known:
        allowed, expected = known[kind]
        return None if word in allowed else expected
    if kind == "ms":
        return None if word.isascii() and word.isdigit() else "whole milliseconds"
    if kind == "piece-name":
        return None if parse_piece_name(word) else "OWNER/LABEL/NUMBER"
    if kind == "leg":
        return (
            None
            if word == "falls" or parse_path_leg(word)
            else "MS:X,Y,Z in milliseconds and mm, or falls at the end"
        )
    if kind == "piece":
        space, equals, label = word.partition("=")
        return None if space in board.spaces and equals and label else f"SPACE=PIECE on a space of {board.id}"
    return None


def parse_piece_name(word: str) -> Piece | None:
    """The piece that OWNER/LABEL/NUMBER names."""
    owner, label, number = word.split("/") if word.count("/") == 2 else ("", "", "")
    return Piece(Seat(owner), label, int(number)) if owner and number.isascii() and number.isdigit() else None


def parse_path_leg(word: str) -> PathLeg | None:
    """The stretch that MS:X,Y,Z names."""
    span, _, place = word.partition(":")
    try:
        x, y, z = (float(each) for each in place.split(","))
    except ValueError:
        return None
    whole = span.isascii() and span.isdigit()
    return PathLeg(int(span) * MS, FootPosition(x, y, z)) if whole and isfinite(x + y + z) else None


def perform(hands: Hands, command: ScriptCommand, now: Micros) -> Micros | None:
    """Have hands carry out a command; the end, or `None` if it is none for hands. Raises `HandsError`."""
    match command.verb, command.words:
        case "lift", (space,):
            return hands.lift(space, now)
        case "place", (space, *origin):
            return hands.place(space, now, *origin)
        case "slide", spaces:
            return hands.slide(spaces, now)
        case "tap", (origin, space):
            return hands.tap(origin, space, now)
        case "sign", (origin,):
            return hands.tap_own_square(origin, now)
        case "knock", (space,):
            return hands.knock(space, now)
        case "stand", (owner, space, *label):
            return hands.stand(Seat(owner), space, now, *label)
        case "take", (owner, label):
            return hands.take(Seat(owner), label, now)
        case "aside", origin:
            return hands.put_beside_board(now, *origin)
        case "nudge", (space,):
            return hands.nudge(space, now)
        case "straddle", (space, other, *origin):
            return hands.straddle(space, other, now, *origin)
        case "centre", (space,):
            return hands.centre(space, now)
        case "fetch", (owner, *label):
            return hands.fetch(_find_piece_beside(hands, Seat(owner), *label), now)
        case "clear", ():
            return hands.clear(now)
        case "rebuild", ():
            return hands.rebuild(now)
        case "turn-board", ():
            hands.world.plan(now, hands.world.turn_board)
            return now
        case "press", (button,):
            return hands.press(button, now)
        case "hold", (button, ms):
            return hands.hold(button, int(ms) * MS, now)
    return None


def _find_piece_beside(hands: Hands, owner: Seat, label: str | None = None) -> Piece:
    for piece in reversed(hands.beside):
        if piece.owner == owner and label in (None, piece.label):
            return piece
    raise HandsError(f"no piece of {' '.join(filter(None, (owner, label)))} beside the board")


def _rehearse(commands: Sequence[ScriptCommand], name: str, board: BoardDescription) -> None:
    """Try all hands on a board with no umpire: a piece that isn't there is an error of the script."""
    world = World(board, bounce=None)
    hands = Hands(world)
    powered = True
    for command in commands:
        try:
            if command.verb in ("kill", "start"):
                if powered == (command.verb == "start"):
                    raise HandsError(f"{command.verb!r}, but the table is {'on' if powered else 'off'} here")
                powered = not powered
            elif command.verb in ("say", "setup") and not powered:
                raise HandsError(f"{command.verb!r}, but the table is off here; put 'start' before it")
            if command.verb == "setup":
                for space, label in parse_setup(" ".join(command.words)):
                    world.advance(hands.stand(Seat(command.words[0]), space, world.now, label))
            elif command.verb == "show":
                hands.held_piece(*command.words[1:])
            else:
                end = perform(hands, command, world.now)
                world.advance(world.now if end is None else end)
        except HandsError as error:
            raise ScriptError(f"{name}:{command.line}: {error}") from None
