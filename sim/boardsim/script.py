"""Hand scripts: what hands and phones do, a line at a time, and what the umpire makes of it.

    setup red a1=F b1=B ...   stand these pieces and say so on red's phone
    say red TEXT ...          anything else red's phone may say: resign, yes, no
    lift a3                   take the piece up
    place a4 [a3]             set down the piece last taken, or the one lifted from a3
    slide a3 a4 [a5 ...]      push it over the board; squares in between may be left out
    tap a3 a4                 touch the piece on a4 with the one from a3, which stays in the air
    knock e5                  knock it over
    nudge e5                  push against it: for a moment it isn't felt
    straddle a4 b4 [a3]       set the held piece down between two squares, a little more on the first
    centre a4                 push that piece to the middle of its square
    stand red e5 [LABEL]      a piece from the box, red's or anybody's
    aside [a3]                put the held piece beside the board
    fetch red [LABEL]         take a piece from beside the board, the one put there last
    clear                     take all pieces off the board, one after the other
    rebuild                   stand them back where they were
    turn-board                turn the board half round under its pieces
    press confirm             a button of the board
    hold confirm 2500         the same, but for that many milliseconds
    wait 300                  milliseconds
    hands slow                hands move at this pace from now on: human, slow, fast, or the run's own: usual
    bounce off                reeds and buttons don't chatter from now on; `bounce on`
    path red/3/7 140:42.5,42.5,35 ...   lead a piece along a way: in so many milliseconds straight to x, y
                              and height in mm. It is named by owner, label and a number of its own, and comes
                              from the box at first. The next line doesn't wait. `falls`: it lies at the end
    button confirm 150        press it for so many milliseconds from now on; the next line doesn't wait
    diode e5 shorted          solder: fine, absent, broken, shorted
    reed e5 closed            its reed sticks: closed, open; `fine` again
    fault lamp-dead lamps:3   a part fails (`boardsim.faults` has the names)
    mend lamp-dead lamps:3    that part is sound again
    kill                      cut the power: the table is dropped, nothing is closed
    start                     power on again, over the same world and journal
    # ...                     a comment, also behind a line

A verb begins when the one before it has ended. The whole file is read, and its hands are tried on a board of
their own, before anything runs. At the end time goes on for two seconds.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from boardsim import faults
from boardsim.bench import Bench, Setting, placements
from boardsim.copper import Diode
from boardsim.hands import PACES, Hands, HandsError
from boardsim.physics import Leg, Point
from boardsim.runner import wrong_lamps
from boardsim.table import Message, TableFactory
from boardsim.world import REED, Piece, World
from boardware.parts import Board
from boardware.ports import MS, SECOND, Micros
from boardwire.marks import words

LAST: Micros = 2 * SECOND
"""How long time goes on after the last line, so that what it led to is told."""


USUAL = "usual"
"""The pace that the run was started with."""
STUCK: Mapping[str, bool | None] = {"open": False, "closed": True, "fine": None}


class ScriptError(ValueError):
    """A line that is wrong: `FILE:LINE: what was found, expected what`."""


class Command(NamedTuple):
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
    "knock": _Verb("knock SPACE", ("space",)),
    "nudge": _Verb("nudge SPACE", ("space",)),
    "straddle": _Verb("straddle SPACE SPACE [LIFTED-FROM]", ("space", "space", "space?")),
    "centre": _Verb("centre SPACE", ("space",)),
    "stand": _Verb("stand OWNER SPACE [LABEL]", ("text", "space", "text?")),
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


def read_script(text: str, name: str, board: Board, seats: Collection[str]) -> list[Command]:
    """The commands of a script, each checked by itself and all tried by hands on an empty board.

    `name` is what errors call the file. Raises `ScriptError`.
    """
    commands = []
    for number, line in enumerate(text.splitlines(), 1):
        found = line.partition("#")[0].split()
        if found:
            try:
                commands.append(_command(number, found, board, seats))
            except ValueError as error:
                raise ScriptError(f"{name}:{number}: {error}") from None
    _rehearse(commands, name, board)
    return commands


def _command(number: int, found: Sequence[str], board: Board, seats: Collection[str]) -> Command:
    verb, rest = found[0], found[1:]
    if verb not in VERBS:
        raise ValueError(f"unknown verb {verb!r}, expected one of {', '.join(VERBS)}")
    usage, kinds = VERBS[verb]
    least = sum(not kind.endswith("?") for kind in kinds)
    endless = bool(kinds) and kinds[-1].endswith("+")
    if len(rest) < least or (len(rest) > len(kinds) and not endless):
        raise ValueError(f"{len(rest)} words after {verb!r}, expected {usage!r}")
    for place, word in enumerate(rest):
        kind = kinds[min(place, len(kinds) - 1)].rstrip("?+")
        expected = _expected(kind, word, board, seats)
        if expected:
            raise ValueError(f"found {word!r}, expected {expected} in {usage!r}")
    if verb in ("fault", "mend"):
        faults.parse(" ".join(rest), board)
    return Command(number, verb, tuple(rest))


def _expected(kind: str, word: str, board: Board, seats: Collection[str]) -> str | None:
    """What should stand in place of `word`; `None` if it is right."""
    known: dict[str, tuple[Collection[str], str]] = {
        "seat": (seats, f"a seat ({', '.join(seats)})"),
        "space": ({*board.spaces, *board.slots}, f"a space of {board.id}"),
        "button": (board.buttons, f"a button of {board.id} ({', '.join(board.buttons)})"),
        "pace": ((*PACES, USUAL), f"a pace ({', '.join((*PACES, USUAL))})"),
        "stuck": (STUCK, "open, closed or fine"),
        "switch": (("on", "off"), "on or off"),
        "reed": (board.contacts.values(), f"a slot of {board.id} with a reed"),
        "diode": ([each.name.lower() for each in Diode], "fine, absent, broken or shorted"),
    }
    if kind in known:
        allowed, expected = known[kind]
        return None if word in allowed else expected
    if kind == "ms":
        return None if word.isascii() and word.isdigit() else "whole milliseconds"
    if kind == "piece-name":
        return None if _named(word) else "OWNER/LABEL/NUMBER"
    if kind == "leg":
        return (
            None if word == "falls" or _leg(word) else "MS:X,Y,Z in milliseconds and mm, or falls at the end"
        )
    if kind == "piece":
        space, equals, label = word.partition("=")
        return None if space in board.spaces and equals and label else f"SPACE=PIECE on a space of {board.id}"
    return None


def _named(word: str) -> Piece | None:
    """The piece that OWNER/LABEL/NUMBER names."""
    owner, label, number = word.split("/") if word.count("/") == 2 else ("", "", "")
    return Piece(owner, label, int(number)) if owner and number.isascii() and number.isdigit() else None


def _leg(word: str) -> Leg | None:
    """The stretch that MS:X,Y,Z names."""
    span, _, place = word.partition(":")
    try:
        x, y, z = (float(each) for each in place.split(","))
    except ValueError:
        return None
    whole = span.isascii() and span.isdigit()
    return Leg(int(span) * MS, Point(x, y, z)) if whole and isfinite(x + y + z) else None


def perform(hands: Hands, command: Command, now: Micros) -> Micros | None:
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
        case "knock", (space,):
            return hands.knock(space, now)
        case "stand", (owner, space, *label):
            return hands.stand(owner, space, now, *label)
        case "aside", origin:
            return hands.aside(now, *origin)
        case "nudge", (space,):
            return hands.nudge(space, now)
        case "straddle", (space, other, *origin):
            return hands.straddle(space, other, now, *origin)
        case "centre", (space,):
            return hands.centre(space, now)
        case "fetch", (owner, *label):
            return hands.fetch(_beside(hands, owner, *label), now)
        case "clear", ():
            return hands.clear(now)
        case "rebuild", ():
            return hands.rebuild(now)
        case "turn-board", ():
            hands.world.plan(now, hands.world.turn)
            return now
        case "press", (button,):
            return hands.press(button, now)
        case "hold", (button, ms):
            return hands.hold(button, int(ms) * MS, now)
    return None


def _beside(hands: Hands, owner: str, label: str | None = None) -> Piece:
    for piece in reversed(hands.beside):
        if piece.owner == owner and label in (None, piece.label):
            return piece
    raise HandsError(f"no piece of {' '.join(filter(None, (owner, label)))} beside the board")


def _rehearse(commands: Sequence[Command], name: str, board: Board) -> None:
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
                raise HandsError(f"{command.verb!r}, but the table is off here; expected 'start' before")
            if command.verb == "setup":
                for space, label in placements(" ".join(command.words)):
                    world.advance(hands.stand(command.words[0], space, world.now, label))
            else:
                end = perform(hands, command, world.now)
                world.advance(world.now if end is None else end)
        except HandsError as error:
            raise ScriptError(f"{name}:{command.line}: {error}") from None


class Telling(NamedTuple):
    """What of a run is written."""

    lamps: bool = False
    secret: Collection[str] = ()
    """Seats whose private messages are written too."""


class Stage:
    """Runs commands and writes what happens, one JSON object a line."""

    def __init__(
        self,
        setting: Setting,
        factory: TableFactory,
        write: Callable[[str], object],
        telling: Telling = Telling(),  # noqa: B008 - immutable
    ) -> None:
        self._write = write
        self._telling = telling
        self._lit: dict[str, str] = {}
        self._shown: Mapping[str, str] = {}
        self._shown_at: Micros = 0
        self._wrong: set[str] = set()
        self.bench = Bench(setting, factory, told=self._told, turned=self._turned)

    def run(self, commands: Sequence[Command]) -> bool:
        """Run them all, from power on to the end. False if lamps showed what they shouldn't."""
        self.bench.start()
        for command in commands:
            self.do(command)
        self.bench.wait(LAST)
        return not self._wrong

    def do(self, command: Command) -> None:
        """Run one command to its end."""
        bench = self.bench
        match command.verb, command.words:
            case "wait", (ms,):
                bench.wait(int(ms) * MS)
            case "setup", (seat, *pieces):
                self._say(seat, lambda: bench.set_up(seat, " ".join(["setup", *pieces])))
            case "say", (seat, *text):
                self._say(seat, lambda: bench.say(seat, " ".join(text)))
            case "hands", (pace,):
                bench.hands.pace = PACES.get(pace, bench.setting.pace)
            case "bounce", (switch,):
                bench.world.bounce = REED if switch == "on" else None
            case "diode", (space, state):
                solder = partial(bench.world.solder, space, Diode[state.upper()])
                bench.world.plan(bench.now, solder)
            case "reed", (space, state):
                bench.world.plan(bench.now, partial(bench.world.stick, space, STUCK[state]))
                bench.let(bench.now)
            case "path", (name, *legs):
                self._lead(name, legs)
            case "button", (button, ms):
                bench.world.plan(bench.now, partial(bench.world.button, button, True))
                bench.world.plan(bench.now + int(ms) * MS, partial(bench.world.button, button, False))
            case "fault" | "mend", parts:
                fault = faults.parse(" ".join(parts), bench.board)
                mend = command.verb == "mend"
                bench.world.plan(bench.now, lambda at: faults.inject(bench.world, fault, at, mend=mend))
                bench.let(bench.now)
            case "kill", ():
                bench.kill()
            case "start", ():
                bench.start()
            case _:
                end = perform(bench.hands, command, bench.now)
                bench.let(bench.now if end is None else end)

    def _lead(self, name: str, legs: Sequence[str]) -> None:
        piece = _named(name)
        assert piece is not None, "checked when the script was read"
        ways = [leg for word in legs if (leg := _leg(word)) is not None]
        self.bench.physics.follow(piece, ways, self.bench.now, falls=legs[-1] == "falls")

    def _say(self, seat: str, speak: Callable[[], None]) -> None:
        try:
            speak()
        except ValueError as error:
            # That a phone was refused is no secret, why may be one.
            why = {"text": str(error)} if seat in self._telling.secret else {}
            self._line(self.bench.now, "phone", {"seat": seat, "ok": False, **why})

    def _told(self, message: Message) -> None:
        if message.seat is None:
            self._line(message.at, message.kind, message.data)
        elif message.seat in self._telling.secret:
            data = {key: value for key, value in message.data.items() if key != "pad"}
            self._line(message.at, message.kind, {"to": message.seat, **data})

    def _turned(self, now: Micros) -> None:
        marks = self.bench.table.marks if self.bench.table is not None else {}
        if self._telling.lamps:
            lit = {lamp: words(marks[lamp]) for lamp in self.bench.board.lamps if lamp in marks}
            if lit != self._lit:
                self._lit = lit
                self._line(now, "lamps", {"on": lit})
        if marks != self._shown:
            self._shown, self._shown_at = marks, now
        if now < self._shown_at + self.bench.lamps_lag:
            return
        wrong = wrong_lamps(self.bench.world, marks)
        if wrong.keys() - self._wrong:
            self._wrong |= wrong.keys()
            self._line(now, "lamps-wrong", {"lamps": {lamp: list(shown) for lamp, shown in wrong.items()}})

    def _line(self, at: Micros, kind: str, data: dict[str, Any]) -> None:
        self._write(json.dumps({"t": at // MS, "kind": kind, **data}, ensure_ascii=False))


def run_script(
    commands: Sequence[Command],
    setting: Setting,
    factory: TableFactory,
    write: Callable[[str], object],
    telling: Telling = Telling(),  # noqa: B008 - immutable
) -> bool:
    """Run a script. A script that kills needs a journal: without one, a file is made for the run."""
    with tempfile.TemporaryDirectory() as folder:
        if setting.journal is None and any(command.verb == "kill" for command in commands):
            setting = setting._replace(journal=Path(folder) / "journal.db")
        stage = Stage(setting, factory, write, telling)
        try:
            return stage.run(commands)
        finally:
            stage.bench.close()
