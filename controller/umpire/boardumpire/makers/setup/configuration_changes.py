"""Answers become keys of the configuration, and keys a new text of it: comments and all else stay.

Nothing but the board, its drivers, the game, the page's address and the ports of pads is ever touched.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import tomlkit
import tomlkit.exceptions

from boardumpire.errors import ConfigError
from boardumpire.makers.setup.questions import BOARD, GAME, LISTENS, PAD, PAGE
from boardumpire.service.config import FORMAT, VERSION, Config
from boardware.parts import BoardDescription
from boardware.tomlfile import shown

Where = tuple[str, str]
Keys = Mapping[Where, Any]
"""Section and key, with what is to stand there."""


class ConfigurationChange(NamedTuple):
    """One key that would change."""

    where: Where
    before: Any
    after: Any
    own: bool
    """Whether the owner wrote what is there: it is no default."""

    def text(self) -> str:
        """As people read it."""
        section, key = self.where
        after, before = (
            "nothing" if value in (None, "") else shown(value) for value in (self.after, self.before)
        )
        return f"[{section}] {key}: {after} instead of {before}"


def keys(said: Mapping[str, str], board: BoardDescription) -> dict[Where, Any]:
    """What the answers mean."""
    found: dict[Where, Any] = {
        ("board", "name"): said[BOARD],
        **{("drivers", kind): name for kind, name in drivers(board).items()},
        ("game", "id"): said[GAME],
    }
    if said.get(PAGE) in LISTENS:
        found["page", "listen"] = LISTENS[said[PAGE]]
    ports = {pad: said[PAD + pad] for pad in board.pads if said.get(PAD + pad, "").startswith("/")}
    if ports:
        found["tags", "ports"] = ports
    return found


def drivers(board: BoardDescription) -> dict[str, str]:
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


def changes(text: str, wanted: Keys) -> list[ConfigurationChange]:
    """What would change in a configuration. Raises `ConfigError` for one that is no TOML."""
    document, found = _document(text), []
    for where, after in wanted.items():
        section, key = where
        table = document.get(section, {})
        before = table[key] if isinstance(table, Mapping) and key in table else None
        if before != after and not (before is None and after == _default(where)):
            own = before is not None and before not in ("", {}, _default(where))
            found.append(ConfigurationChange(where, before, after, own))
    return found


def rewritten(text: str, wanted: Keys) -> str:
    """The same text with those keys. Raises `ConfigError`."""
    document = _document(text)
    for change in changes(text, wanted):
        section, key = change.where
        if not isinstance(document.get(section), Mapping):
            document[section] = tomlkit.table()
        table = document[section]
        assert isinstance(table, Mapping)
        table[key] = _inline(change.after)  # type: ignore[index]  # tomlkit's tables may be written
    return tomlkit.dumps(document)


def _inline(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    table = tomlkit.inline_table()
    table.update(value)
    return table


def _document(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text or f'format = "{FORMAT}"\nversion = {VERSION}\n')
    except tomlkit.exceptions.TOMLKitError as error:
        raise ConfigError(f"not TOML: {error}") from None


def _default(where: Where) -> Any:
    section, key = where
    found = getattr(Config(), section)
    return found.get(key) if isinstance(found, Mapping) else getattr(found, key)


def write(path: Path, text: str) -> None:
    """Replace a file at once or not at all; its owner and mode stay. Raises `ConfigError`."""
    if os.geteuid() == 0 and path.is_symlink() and path.lstat().st_uid != 0:
        raise ConfigError(f"{path}: a link that somebody else than root has laid, expected a file")
    path = Path(os.path.realpath(path))
    try:
        with _draft(path) as (number, draft), open(number, "w", encoding="utf-8") as file:
            if path.exists():
                had = path.stat()
                os.fchmod(number, stat.S_IMODE(had.st_mode))
                if (had.st_uid, had.st_gid) != (os.geteuid(), os.getegid()):
                    with contextlib.suppress(PermissionError):  # who isn't root can't give files away
                        os.fchown(number, had.st_uid, had.st_gid)
            else:
                os.fchmod(number, 0o644)
            file.write(text)
            file.flush()
            os.fsync(number)
            os.replace(draft, path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        hint = ": type sudo before it" if isinstance(error, PermissionError) else ""
        raise ConfigError(f"{path}: can't be written: {error.strerror}{hint}") from None


@contextlib.contextmanager
def _draft(path: Path) -> Iterator[tuple[int, str]]:
    """A new file beside it, open, and its name: the board's own user may write in that folder, too."""
    number, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        yield number, draft
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft)
