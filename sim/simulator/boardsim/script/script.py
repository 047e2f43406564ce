"""Hand scripts: what hands and phones do, a line at a time, and what the umpire makes of it.

    setup red a1=F b1=B ...   stand these pieces and say so on red's phone
    say red TEXT ...          anything else red's phone may say: resign, yes, no
    lift a3                   take the piece up
    place a4 [a3]             set down the piece last taken, or the one lifted from a3
    slide a3 a4 [a5 ...]      push it over the board; squares in between may be left out
    tap a3 a4                 touch the piece on a4 with the one from a3, which stays in the air
    sign a3                   tap the held piece from a3 on a3 and keep it: the sign that an attack is meant
    knock e5                  knock it over
    nudge e5                  push against it: for a moment it isn't felt
    straddle a4 b4 [a3]       set the held piece down between two squares, a little more on the first
    centre a4                 push that piece to the middle of its square
    stand red e5 [LABEL]      a piece from the box, red's or anybody's
    take red 3                take a piece from the box, and keep it in the hand
    show pad-red [a3]         hold the piece last taken, or the one lifted from a3, over a pad until it can be
                              read (with --tags)
    over pad-red red/3/7 900  that piece is over the pad for so many milliseconds from now on; the next line
                              doesn't wait (with --tags)
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
    fault lamp-dead lamps:3   a part fails (`boardsim.world.faults` has the names)
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
from pathlib import Path
from typing import Any, NamedTuple

from boardrules.core import Seat
from boardrules.marks import mark_name
from boardsim.bench.bench import Bench, BenchSettings
from boardsim.bench.runner import wrong_lamps
from boardsim.bench.table import BenchMessage, BenchTableFactory
from boardsim.hands.hands import PACES
from boardsim.script.lines import (
    REED_STATES,
    VERBS,
    ScriptCommand,
    ScriptError,
    parse_path_leg,
    parse_piece_name,
    perform,
    read_script,
)
from boardsim.world import faults
from boardsim.world.copper import SolderedDiode
from boardsim.world.world import REED
from boardware.ports import MS, SECOND, Micros, SlotId

END_DELAY_US: Micros = 2 * SECOND
"""How long time goes on after the last line, so that what it led to is told."""


__all__ = [
    "END_DELAY_US",
    "VERBS",
    "ScriptCommand",
    "ScriptError",
    "ScriptOutput",
    "ScriptRunner",
    "read_script",
    "run_script",
]


class ScriptOutput(NamedTuple):
    """What of a run is written."""

    lamps: bool = False
    private_seats: Collection[str] = ()
    """Seats whose private messages are written too."""


class ScriptRunner:
    """Runs commands and writes what happens, one JSON object a line."""

    def __init__(
        self,
        setting: BenchSettings,
        factory: BenchTableFactory,
        write: Callable[[str], object],
        telling: ScriptOutput = ScriptOutput(),  # noqa: B008 - immutable
    ) -> None:
        self._write = write
        self._telling = telling
        self._lit: dict[str, str] = {}
        self._shown: Mapping[str, str] = {}
        self._shown_at: Micros = 0
        self._wrong: set[str] = set()
        self._wrong_since: dict[str, Micros] = {}
        self.bench = Bench(setting, factory, told=self._write_message, turned=self._write_lamps)

    def run(self, commands: Sequence[ScriptCommand]) -> bool:
        """Run them all, from power on to the end. False if lamps showed what they shouldn't."""
        self.bench.start()
        for command in commands:
            self.do(command)
        self.bench.wait(END_DELAY_US)
        return not self._wrong

    def do(self, command: ScriptCommand) -> None:
        """Run one command to its end."""
        bench = self.bench
        match command.verb, command.words:
            case "wait", (ms,):
                bench.wait(int(ms) * MS)
            case "setup", (seat, *pieces):
                self._say(Seat(seat), lambda: bench.set_up(Seat(seat), " ".join(["setup", *pieces])))
            case "say", (seat, *text):
                self._say(Seat(seat), lambda: bench.say(Seat(seat), " ".join(text)))
            case "hands", (pace,):
                bench.hands.pace = PACES.get(pace, bench.setting.pace)
            case "bounce", (switch,):
                bench.world.bounce = REED if switch == "on" else None
            case "diode", (space, state):
                solder = partial(bench.world.solder, SlotId(space), SolderedDiode[state.upper()])
                bench.world.plan(bench.now, solder)
            case "reed", (space, state):
                bench.world.plan(bench.now, partial(bench.world.stick, SlotId(space), REED_STATES[state]))
                bench.run_until(bench.now)
            case "path", (name, *legs):
                self._lead(name, legs)
            case "show", (pad, *origin):
                assert bench.tags is not None, "checked when the script was read"
                bench.run_until(bench.tags.show(bench.hands, pad, bench.now, origin or (None,)))
            case "over", (pad, name, ms):
                self._hold_over(pad, name, int(ms) * MS)
            case "button", (button, ms):
                bench.world.plan(bench.now, partial(bench.world.set_button, button, True))
                bench.world.plan(bench.now + int(ms) * MS, partial(bench.world.set_button, button, False))
            case "fault" | "mend", parts:
                fault = faults.parse(" ".join(parts), bench.board)
                mend = command.verb == "mend"
                bench.world.plan(bench.now, lambda at: faults.inject(bench.world, fault, at, mend=mend))
                bench.run_until(bench.now)
            case "kill", ():
                bench.kill()
            case "start", ():
                bench.start()
            case _:
                end = perform(bench.hands, command, bench.now)
                bench.run_until(bench.now if end is None else end)

    def _lead(self, name: str, legs: Sequence[str]) -> None:
        piece = parse_piece_name(name)
        assert piece is not None, "checked when the script was read"
        ways = [leg for word in legs if (leg := parse_path_leg(word)) is not None]
        self.bench.physics.follow(piece, ways, self.bench.now, falls=legs[-1] == "falls")

    def _hold_over(self, pad: str, name: str, span: Micros) -> None:
        tags, piece, world = self.bench.tags, parse_piece_name(name), self.bench.world
        assert tags is not None, "checked when the script was read"
        assert piece is not None, "checked when the script was read"
        world.plan(self.bench.now, lambda at: tags.put_over_pad(pad, piece))
        world.plan(self.bench.now + span, lambda at: tags.remove_from_pad(pad, piece))

    def _say(self, seat: Seat, speak: Callable[[], None]) -> None:
        try:
            speak()
        except ValueError as error:
            # That a phone was refused is no secret, why may be one.
            why = {"text": str(error)} if seat in self._telling.private_seats else {}
            self._line(self.bench.now, "phone", {"seat": seat, "ok": False, **why})

    def _write_message(self, message: BenchMessage) -> None:
        if message.seat is None:
            self._line(message.at, message.kind, message.data)
        elif message.seat in self._telling.private_seats:
            data = {key: value for key, value in message.data.items() if key != "pad"}
            self._line(message.at, message.kind, {"to": message.seat, **data})

    def _write_lamps(self, now: Micros) -> None:
        table = self.bench.table
        marks: Mapping[str, str] = table.marks if table is not None else {}
        if self._telling.lamps:
            lit = {lamp: mark_name(marks[lamp]) for lamp in self.bench.board.lamps if lamp in marks}
            if lit != self._lit:
                self._lit = lit
                self._line(now, "lamps", {"on": lit})
        if marks != self._shown:
            self._shown, self._shown_at, self._wrong_since = marks, now, {}
        if now < self._shown_at + self.bench.lamps_lag:
            return
        wrong = wrong_lamps(self.bench.world, table.lights if table is not None else {})
        since = self._wrong_since = {lamp: self._wrong_since.get(lamp, now) for lamp in wrong}
        wrong = {lamp: rgb for lamp, rgb in wrong.items() if now - since[lamp] >= self.bench.lamps_ahead}
        if wrong.keys() - self._wrong:
            self._wrong |= wrong.keys()
            self._line(now, "lamps-wrong", {"lamps": {lamp: list(shown) for lamp, shown in wrong.items()}})

    def _line(self, at: Micros, kind: str, data: dict[str, Any]) -> None:
        self._write(json.dumps({"t": at // MS, "kind": kind, **data}, ensure_ascii=False))


def run_script(
    commands: Sequence[ScriptCommand],
    setting: BenchSettings,
    factory: BenchTableFactory,
    write: Callable[[str], object],
    telling: ScriptOutput = ScriptOutput(),  # noqa: B008 - immutable
) -> bool:
    """Run a script. A script that kills needs a journal: without one, a file is made for the run."""
    with tempfile.TemporaryDirectory() as folder:
        if setting.journal is None and any(command.verb == "kill" for command in commands):
            setting = setting._replace(journal=Path(folder) / "journal.db")
        stage = ScriptRunner(setting, factory, write, telling)
        try:
            return stage.run(commands)
        finally:
            stage.bench.close()
