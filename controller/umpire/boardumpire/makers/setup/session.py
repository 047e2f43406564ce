"""One set-up under way: what was found and answered, and what answers do. Terminal and page both turn it.

Looking and flashing take seconds: a page calls them in a thread, one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from boardumpire.errors import BoardumpireError, ConfigError
from boardumpire.makers.machine import Machine
from boardumpire.makers.machine_checks import examine_machine
from boardumpire.makers.setup import configuration_changes
from boardumpire.makers.setup.hardware_findings import GreetPico, SetupFindings, find_hardware
from boardumpire.makers.setup.questions import (
    AGAIN_ANSWER,
    BOARD_QUESTION,
    CODE_QUESTION,
    CONFIGURATION_QUESTION,
    DOCTOR_QUESTION,
    ELSEWHERE_ANSWER,
    FLASH_QUESTION_PREFIX,
    GAME_QUESTION,
    HOST_QUESTION,
    KEEP_OWN_ANSWER,
    LATER_ANSWER,
    NO_ANSWER,
    WRITE_NOTHING_ANSWER,
    KnownConfiguration,
    SetupError,
    SetupQuestion,
    next_question,
)
from boardumpire.service import config
from boardumpire.service.config import Config
from boardware.description import load_board, readable_boards
from boardware.errors import BoardFileError
from boardware.parts import BoardDescription
from boardware.pico_flash import PicoFlasher
from boardware.pico_greeting import request_greeting
from boardware.pico_plan import plans_by_pico

_CONFIG_HEAD = f'format = "{config.FORMAT}"\nversion = {config.VERSION}\n'

CheckConfig = Callable[[Config], BoardDescription]
"""Refuses a configuration whose parts don't fit together."""


class OtherMachines(NamedTuple):
    """What a set-up wants of the network."""

    find_hosts: Callable[[], Sequence[str]] = tuple
    """As `SetupFindings.hosts`. Takes seconds."""
    pair: Callable[[str, str, Path], None] = lambda host, code, key_file: None
    """Pair with a host by its code, and write the key into that file. Takes seconds. Raises
    `BoardumpireError`."""


class SetupSession:
    """One set-up. `path` is the configuration's file; it need not be there yet."""

    def __init__(
        self,
        path: Path,
        environ: Mapping[str, str],
        sound: CheckConfig,
        *,
        machine: Machine | None = None,
        greet: GreetPico = request_greeting,
        port: str = "",
        others: OtherMachines = OtherMachines(),  # noqa: B008 - a value
    ) -> None:
        """`port`: where the board's only Pico is, if USB doesn't tell; kept in the configuration.

        Raises `ConfigError` for a configuration that can't be read.
        """
        self.path = path
        self._environ, self._sound, self._greet = environ, sound, greet
        self._machine = machine or Machine()
        self._port, self._others = port, others
        self._text = config.read_text(path) if path.exists() else ""
        self._before = config.load_text(self._text or _empty_config_text(), path, environ)
        self._below = config.load_text(_CONFIG_HEAD, path, environ)
        """What counts where the file says nothing."""
        self.findings = SetupFindings()
        self.answers: dict[str, str] = {}
        self.log_lines: list[str] = []
        """What was done, in sentences."""
        self._todo: tuple[str, ...] = ()
        self.is_written = False
        """Whether the configuration is as was wanted."""
        self.was_abandoned = False
        """Whether it was ended without writing anything."""

    # What is asked

    def look_for_hardware(self) -> None:
        """See what is there now. Takes seconds where a Pico says nothing."""
        sensors = self._before.sensors
        named = sensors.get("ports", {})
        ports = [self._port or sensors.get("port"), *(named.values() if isinstance(named, Mapping) else ())]
        self.findings = find_hardware(
            self._machine,
            self._available_boards(),
            self._greet,
            [each for each in ports if isinstance(each, str)],
            self._others.find_hosts() if self._is_elsewhere else (),
        )
        self._update_todo()

    def next_question(self) -> SetupQuestion | None:
        """What is asked now; `None` once all is done."""
        if self.is_written or self.was_abandoned:
            return None
        return next_question(self.findings, self.answers, self._known_configuration())

    def submit_answer(self, id_: str, value: str) -> str:
        """Take an answer; what it wants done: `look`, `flash`, `doctor`, `write`, `pair`, or nothing.

        Raises `SetupError` for an answer to something else, or for one that there is not.
        """
        asked = self.next_question()
        if asked is None or asked.id != id_:
            raise SetupError(f"{id_[:60]!r} is not asked now")
        asked.check_answer(value)
        if value == AGAIN_ANSWER:
            return "look"
        if id_.startswith(FLASH_QUESTION_PREFIX) and value != NO_ANSWER:
            return "flash"
        if id_ == CONFIGURATION_QUESTION:
            self.was_abandoned = value == WRITE_NOTHING_ANSWER
            return "" if self.was_abandoned else "write"
        if id_ == CODE_QUESTION:
            return "pair"
        self.answers[id_] = value
        if value == ELSEWHERE_ANSWER:
            return "look"
        if id_ == DOCTOR_QUESTION and value != LATER_ANSWER:
            return "doctor"
        self._update_todo()
        return ""

    def undo_answer(self) -> None:
        """Take the last answer back."""
        if self.answers:
            self.answers.popitem()
            self._update_todo()

    # What answers do

    def flash_pico(self, id_: str, path: str) -> None:
        """Put the firmware on the Pico at a port, as `id_` (a question's) says, and look again.

        Raises `DriverError`: then it has what it had, and is asked about again.
        """
        pico = id_.removeprefix(FLASH_QUESTION_PREFIX)
        plan = plans_by_pico(self.board)[pico]
        try:
            PicoFlasher(plan, str(self._machine.path(path)), self.log_lines.append).flash()
            self.log_lines.append(f"{pico}: has the firmware now")
        finally:
            self.look_for_hardware()

    def pair_machine(self, code: str) -> Config:
        """Pair with the table that was named, and write where it is. Raises `BoardumpireError`: the code is
        asked for again."""
        key_file = self._before.satellite.key
        self._others.pair(self.answers[HOST_QUESTION], code, key_file)
        return self.write_config("")

    def draft_config(self) -> Config:
        """The configuration that the answers make. Raises `ConfigError` where its parts don't fit."""
        found = config.load_text(
            configuration_changes.rewrite_configuration(self._text, self._wanted_keys(), self._below),
            self.path,
            self._environ,
        )
        self._sound(found)
        return found

    def write_config(self, value: str) -> Config:
        """Write the configuration, checked before; what it says. Raises `ConfigError`: it is as it was."""
        if self.path.exists() and config.read_text(self.path) != self._text:
            raise ConfigError(f"{self.path}: was changed meanwhile; begin the set-up anew")
        keys = self._wanted_keys()
        if value == KEEP_OWN_ANSWER:
            for change in configuration_changes.pending_changes(self._text, keys, self._below):
                if change.replaces_own_value:
                    del keys[change.section_key]
        text = configuration_changes.rewrite_configuration(self._text, keys, self._below)
        found = config.load_text(text, self.path, self._environ)
        self._sound(found)
        configuration_changes.write_configuration(self.path, text)
        self.is_written = True
        self.log_lines.append(f"{self.path.name}: written")
        return found

    @property
    def board(self) -> BoardDescription:
        """The board that was chosen. Raises `SetupError` before."""
        board = self.findings.boards.get(self.answers.get(BOARD_QUESTION, ""))
        if board is None:
            raise SetupError("no board was chosen yet")
        return board

    # Inside

    @property
    def _is_elsewhere(self) -> bool:
        return self.answers.get(GAME_QUESTION) == ELSEWHERE_ANSWER

    def _available_boards(self) -> dict[str, BoardDescription]:
        """The boards that ship, and those of the owner: files beside the configuration, and what calibration
        wrote."""
        found: dict[str, BoardDescription] = dict(readable_boards())
        makers = self._before.journal.path.parent / "makers"
        for folder in (self.path.parent, makers):
            for path in _toml_files(folder):
                try:
                    found[str(path)] = load_board(path)
                except BoardFileError:
                    continue  # some other file
        named = self._before.board.name
        if named and named not in found:
            found[named] = load_board(named)
        return found

    def _wanted_keys(self) -> dict[configuration_changes.SectionKey, object]:
        keys = configuration_changes.config_keys_of_answers(self.answers, self.board)
        if self._is_elsewhere and not self._port:
            return keys
        if self._port:
            keys["sensors", "port"] = self._port
        elif len(self.board.picos) > 1 and not self._before.sensors:
            placed = self.findings.identified_picos(self.board)
            bare = [pico for pico in placed.values() if not pico.usb_serial_number]
            if bare:
                keys["sensors", "ports"] = {id_: pico.path for id_, pico in placed.items()}
        return keys

    def _known_configuration(self) -> KnownConfiguration:
        if self._is_elsewhere or self.answers.get(BOARD_QUESTION) not in self.findings.boards:
            return KnownConfiguration(self._before.page.listen)
        found = configuration_changes.pending_changes(self._text, self._wanted_keys(), self._below)
        return KnownConfiguration(
            self._before.page.listen,
            tuple(change.text() for change in found if not change.replaces_own_value),
            tuple(change.text() for change in found if change.replaces_own_value),
            self._todo,
        )

    def _update_todo(self) -> None:
        """What this machine still lacks for what the answers make. Pins and Picos are left alone."""
        self._todo = ()
        if self._is_elsewhere or self.answers.get(BOARD_QUESTION) not in self.findings.boards:
            return
        try:
            found = self.draft_config()
        except BoardumpireError as error:
            self._todo = (str(error),)
            return
        seen = examine_machine(self._machine, found, self.board, running=True)
        self._todo = tuple(f"{each.text}: {each.remedy_command}" for each in seen if each.remedy_command)


def _toml_files(folder: Path) -> Sequence[Path]:
    try:
        return sorted(path for path in folder.glob("*.toml") if path.is_file())
    except OSError:
        return ()


def _empty_config_text() -> str:
    return f'{_CONFIG_HEAD}[board]\nname = ""\n'
