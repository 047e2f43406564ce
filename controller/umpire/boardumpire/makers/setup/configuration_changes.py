"""Answers become keys of the configuration, and keys a new text of it: comments and all else stay.

Nothing but the board, its drivers, the game, where its table is, the page's address and the ports of pads is
ever touched.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import tomlkit
import tomlkit.exceptions

from boardumpire.errors import ConfigError
from boardumpire.makers.setup.questions import (
    BOARD_QUESTION,
    ELSEWHERE_ANSWER,
    GAME_QUESTION,
    HOST_QUESTION,
    LISTEN_BY_ANSWER,
    PAD_QUESTION_PREFIX,
    PAGE_QUESTION,
)
from boardumpire.privileges import act_as_owner, open_folder, read_link
from boardumpire.service.config import FORMAT, VERSION, Config
from boardware.parts import BoardDescription
from boardware.tomlfile import quote_value

_SYMLINKS_MAX = 40

SectionKey = tuple[str, str]
WantedKeys = Mapping[SectionKey, Any]
"""Section and key, with what is to stand there."""


class ConfigurationChange(NamedTuple):
    """One key that would change."""

    section_key: SectionKey
    old_value: Any
    new_value: Any
    replaces_own_value: bool
    """Whether the owner wrote what is there: it is no default."""

    def text(self) -> str:
        """As people read it."""
        section, key = self.section_key
        after, before = (
            "nothing" if value in (None, "") else quote_value(value)
            for value in (self.new_value, self.old_value)
        )
        return f"[{section}] {key}: {after} instead of {before}"


def config_keys_of_answers(said: Mapping[str, str], board: BoardDescription) -> dict[SectionKey, Any]:
    """What the answers mean."""
    if said[GAME_QUESTION] == ELSEWHERE_ANSWER:
        return {**_board_keys(said, board), ("satellite", "host"): said[HOST_QUESTION]}
    found: dict[SectionKey, Any] = {
        **_board_keys(said, board),
        ("game", "id"): said[GAME_QUESTION],
        ("satellite", "host"): "",
    }
    if said.get(PAGE_QUESTION) in LISTEN_BY_ANSWER:
        found["page", "listen"] = LISTEN_BY_ANSWER[said[PAGE_QUESTION]]
    ports = {
        pad: said[PAD_QUESTION_PREFIX + pad]
        for pad in board.pads
        if said.get(PAD_QUESTION_PREFIX + pad, "").startswith("/")
    }
    if ports:
        found["tags", "ports"] = ports
    return found


def _board_keys(said: Mapping[str, str], board: BoardDescription) -> dict[SectionKey, Any]:
    """The board, with its drivers."""
    driven = {("drivers", kind): name for kind, name in drivers_for_board(board).items()}
    return {("board", "name"): said[BOARD_QUESTION], **driven}


def drivers_for_board(board: BoardDescription) -> dict[str, str]:
    """The drivers that a board wants, by where its parts hang."""
    picos = {
        "sensors": any(bank.pico for bank in board.banks.values()) or bool(board.picos),
        "lamps": any(chain.pico for chain in board.chains.values()),
        "console": any(button.pico for button in board.buttons.values()),
    }
    names = {
        "sensors": ("gpio", "pico"),
        "lamps": ("neopixel", "pico-lamps"),
        "console": ("console-gpio", "pico-console"),
    }
    found = {kind: names[kind][picos[kind]] for kind in names}
    pads = [pad.pico for pad in board.pads.values()]
    on_pico = bool(board.reader_banks) or any(pads)
    return {**found, "tags": "pico-tags" if on_pico else "pn532" if pads else ""}


def pending_changes(text: str, wanted: WantedKeys, below: Config) -> list[ConfigurationChange]:
    """What would change in a configuration; what it lacks is as `below` has it. Raises `ConfigError` for one
    that is no TOML."""
    document, found = _parse_document(text), []
    for where, after in wanted.items():
        section, key = where
        table = document.get(section, {})
        before = table[key] if isinstance(table, Mapping) and key in table else None
        if before != after and not (before is None and after == _config_value(below, where)):
            own = before is not None and before not in ("", {}, _config_value(Config(), where))
            found.append(ConfigurationChange(where, before, after, own))
    return found


def rewrite_configuration(text: str, wanted: WantedKeys, below: Config) -> str:
    """The same text with those keys. Raises `ConfigError`."""
    document = _parse_document(text)
    for change in pending_changes(text, wanted, below):
        section, key = change.section_key
        if not isinstance(document.get(section), Mapping):
            document[section] = tomlkit.table()
        table = document[section]
        assert isinstance(table, Mapping)
        table[key] = _as_inline_table(change.new_value)  # type: ignore[index]  # tomlkit's tables may be written
    return tomlkit.dumps(document)


def _as_inline_table(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    table = tomlkit.inline_table()
    table.update(value)
    return table


def _parse_document(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text or f'format = "{FORMAT}"\nversion = {VERSION}\n')
    except tomlkit.exceptions.TOMLKitError as error:
        raise ConfigError(f"not TOML: {error}") from None


def _config_value(config: Config, where: SectionKey) -> Any:
    section, key = where
    found = getattr(config, section)
    return found.get(key) if isinstance(found, Mapping) else getattr(found, key)


def write_configuration(path: Path, text: str) -> None:
    """Replace a file at once or not at all; its owner and mode stay. Raises `ConfigError`.

    Root acts as the owner of the folder, and follows links that are root's alone: others may write in that
    folder, too, at the same moment.
    """
    try:
        with contextlib.ExitStack() as opened:
            folder, name, had = _open_target_folder(path, opened)
            with act_as_owner(folder):
                _replace_file(folder, name, had, text)
    except OSError as error:
        hint = ": type sudo before it" if isinstance(error, PermissionError) and os.geteuid() != 0 else ""
        raise ConfigError(f"{path}: can't be written: {error.strerror}{hint}") from None


def _open_target_folder(path: Path, opened: contextlib.ExitStack) -> tuple[int, str, os.stat_result | None]:
    """The open folder of a file, behind links; its name there, and what is there. Raises `OSError`."""
    for _ in range(_SYMLINKS_MAX):
        folder = open_folder(path.parent)
        opened.callback(os.close, folder)
        try:
            found = os.open(path.name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
        except FileNotFoundError:
            return folder, path.name, None
        opened.callback(os.close, found)
        had = os.fstat(found)
        if not stat.S_ISLNK(had.st_mode):
            return folder, path.name, had
        path = path.parent / read_link(found, path)
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _replace_file(folder: int, name: str, had: os.stat_result | None, text: str) -> None:
    draft = f".{name}.{secrets.token_hex(8)}"
    number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=folder)
    try:
        with open(number, "w", encoding="utf-8") as file:
            if had is not None and (had.st_uid, had.st_gid) != (os.geteuid(), os.getegid()):
                with contextlib.suppress(PermissionError):  # who isn't root can't give files away
                    os.fchown(number, had.st_uid, had.st_gid)
            # The board's group owns its folder: it reads what root writes there, and nobody else does.
            os.fchmod(number, 0o640 if had is None else had.st_mode & 0o777)
            file.write(text)
            file.flush()
            os.fsync(number)
        os.replace(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft, dir_fd=folder)
        raise
    os.fsync(folder)
