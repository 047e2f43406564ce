"""One set-up under way: what was found and answered, and what answers do. Terminal and page both turn it.

Looking and flashing take seconds: a page calls them in a thread, one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from boardumpire.errors import BoardumpireError, ConfigError
from boardumpire.makers.machine import Machine
from boardumpire.makers.machine_checks import examined
from boardumpire.makers.setup import configuration_changes
from boardumpire.makers.setup.hardware_findings import Greet, SetupFindings, look
from boardumpire.makers.setup.questions import (
    AGAIN,
    BOARD,
    CONFIGURATION,
    DOCTOR,
    FLASH,
    LATER,
    LEAVE,
    MINE,
    NO,
    KnownConfiguration,
    SetupError,
    SetupQuestion,
    question,
)
from boardumpire.service import config
from boardumpire.service.config import Config
from boardware.description import load_board, readable_boards
from boardware.errors import BoardFileError
from boardware.parts import BoardDescription
from boardware.pico_flash import PicoFlasher
from boardware.pico_greeting import greeted
from boardware.pico_plan import plans

_HEAD = f'format = "{config.FORMAT}"\nversion = {config.VERSION}\n'

Sound = Callable[[Config], BoardDescription]
"""Refuses a configuration whose parts don't fit together."""


class SetupSession:
    """One set-up. `path` is the configuration's file; it need not be there yet."""

    def __init__(
        self,
        path: Path,
        environ: Mapping[str, str],
        sound: Sound,
        *,
        machine: Machine | None = None,
        greet: Greet = greeted,
        port: str = "",
    ) -> None:
        """`port`: where the board's only Pico is, if USB doesn't tell; kept in the configuration.

        Raises `ConfigError` for a configuration that can't be read.
        """
        self.path = path
        self._environ, self._sound, self._greet = environ, sound, greet
        self._machine = machine or Machine()
        self._port = port
        self._text = config.read_text(path) if path.exists() else ""
        self._before = config.load_text(self._text or _nothing(), path, environ)
        self._below = config.load_text(_HEAD, path, environ)
        """What counts where the file says nothing."""
        self.seen = SetupFindings()
        self.said: dict[str, str] = {}
        self.log: list[str] = []
        """What was done, in sentences."""
        self._todo: tuple[str, ...] = ()
        self.written = False
        """Whether the configuration is as was wanted."""
        self.left = False
        """Whether it was ended without writing anything."""

    # What is asked

    def look(self) -> None:
        """See what is there now. Takes seconds where a Pico says nothing."""
        sensors = self._before.sensors
        named = sensors.get("ports", {})
        ports = [self._port or sensors.get("port"), *(named.values() if isinstance(named, Mapping) else ())]
        self.seen = look(
            self._machine, self._boards(), self._greet, [each for each in ports if isinstance(each, str)]
        )
        self._examine()

    def question(self) -> SetupQuestion | None:
        """What is asked now; `None` once all is done."""
        if self.written or self.left:
            return None
        return question(self.seen, self.said, self._known())

    def answer(self, id_: str, value: str) -> str:
        """Take an answer; what it wants done: `look`, `flash`, `doctor`, `write`, or nothing.

        Raises `SetupError` for an answer to something else, or for one that there is not.
        """
        asked = self.question()
        if asked is None or asked.id != id_:
            raise SetupError(f"{id_[:60]!r} is not asked now")
        asked.checked(value)
        if value == AGAIN:
            return "look"
        if id_.startswith(FLASH) and value != NO:
            return "flash"
        if id_ == CONFIGURATION:
            self.left = value == LEAVE
            return "" if self.left else "write"
        self.said[id_] = value
        if id_ == DOCTOR and value != LATER:
            return "doctor"
        self._examine()
        return ""

    def back(self) -> None:
        """Take the last answer back."""
        if self.said:
            self.said.popitem()
            self._examine()

    # What answers do

    def flash(self, id_: str, path: str) -> None:
        """Put the firmware on the Pico at a port, as `id_` (a question's) says, and look again.

        Raises `DriverError`: then it has what it had, and is asked about again.
        """
        pico = id_.removeprefix(FLASH)
        plan = plans(self.board)[pico]
        try:
            PicoFlasher(plan, str(self._machine.path(path)), self.log.append).flash()
            self.log.append(f"{pico}: has the firmware now")
        finally:
            self.look()

    def draft(self) -> Config:
        """The configuration that the answers make. Raises `ConfigError` where its parts don't fit."""
        found = config.load_text(
            configuration_changes.rewritten(self._text, self._wanted(), self._below), self.path, self._environ
        )
        self._sound(found)
        return found

    def write(self, value: str) -> Config:
        """Write the configuration, checked before; what it says. Raises `ConfigError`: it is as it was."""
        if self.path.exists() and config.read_text(self.path) != self._text:
            raise ConfigError(f"{self.path}: was changed meanwhile; begin the set-up anew")
        keys = self._wanted()
        if value == MINE:
            for change in configuration_changes.changes(self._text, keys, self._below):
                if change.own:
                    del keys[change.where]
        text = configuration_changes.rewritten(self._text, keys, self._below)
        found = config.load_text(text, self.path, self._environ)
        self._sound(found)
        configuration_changes.write(self.path, text)
        self.written = True
        self.log.append(f"{self.path.name}: written")
        return found

    @property
    def board(self) -> BoardDescription:
        """The board that was chosen. Raises `SetupError` before."""
        board = self.seen.boards.get(self.said.get(BOARD, ""))
        if board is None:
            raise SetupError("no board was chosen yet")
        return board

    # Inside

    def _boards(self) -> dict[str, BoardDescription]:
        """The boards that ship, and those of the owner: files beside the configuration, and what calibration
        wrote."""
        found: dict[str, BoardDescription] = dict(readable_boards())
        makers = self._before.journal.path.parent / "makers"
        for folder in (self.path.parent, makers):
            for path in _files(folder):
                try:
                    found[str(path)] = load_board(path)
                except BoardFileError:
                    continue  # some other file
        named = self._before.board.name
        if named and named not in found:
            found[named] = load_board(named)
        return found

    def _wanted(self) -> dict[configuration_changes.Where, object]:
        keys = configuration_changes.keys(self.said, self.board)
        if self._port:
            keys["sensors", "port"] = self._port
        elif len(self.board.picos) > 1 and not self._before.sensors:
            placed = self.seen.placed(self.board)
            bare = [pico for pico in placed.values() if not pico.number]
            if bare:
                keys["sensors", "ports"] = {id_: pico.path for id_, pico in placed.items()}
        return keys

    def _known(self) -> KnownConfiguration:
        if self.said.get(BOARD) not in self.seen.boards:
            return KnownConfiguration(self._before.page.listen)
        found = configuration_changes.changes(self._text, self._wanted(), self._below)
        return KnownConfiguration(
            self._before.page.listen,
            tuple(change.text() for change in found if not change.own),
            tuple(change.text() for change in found if change.own),
            self._todo,
        )

    def _examine(self) -> None:
        """What this machine still lacks for what the answers make. Pins and Picos are left alone."""
        self._todo = ()
        if self.said.get(BOARD) not in self.seen.boards:
            return
        try:
            found = self.draft()
        except BoardumpireError as error:
            self._todo = (str(error),)
            return
        seen = examined(self._machine, found, self.board, running=True)
        self._todo = tuple(f"{each.text}: {each.do}" for each in seen if each.do)


def _files(folder: Path) -> Sequence[Path]:
    try:
        return sorted(path for path in folder.glob("*.toml") if path.is_file())
    except OSError:
        return ()


def _nothing() -> str:
    return f'{_HEAD}[board]\nname = ""\n'
