"""Says whether a configuration or a board file is right, before anybody plays with it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path

import boardrules
from boardrules.core import OptionError
from boardumpire import config
from boardumpire.drivers import GROUP
from boardumpire.errors import ConfigError
from boardware.description import load_board
from boardware.errors import BoardFileError


def configuration(path: Path | None, environ: Mapping[str, str]) -> str:
    """One line that says it is right, as far as one can tell with drivers closed. Raises `ConfigError`."""
    found = config.load(path, environ)
    known = entry_points(group=GROUP).names
    for key in ("sensors", "lamps", "console"):
        name = getattr(found.drivers, key)
        if name not in known:
            raise ConfigError(f"[drivers] {key}: found {name!r}, expected one of {', '.join(sorted(known))}")
    try:
        board_ = load_board(found.board.name)
        boardrules.new(found.game.id, found.game.options)
    except BoardFileError as error:
        raise ConfigError(f"[board] name: {error}") from None
    except (OptionError, boardrules.UnknownGame) as error:
        raise ConfigError(f"[game] {error}") from None
    if found.game.id not in board_.games:
        raise ConfigError(
            f"[game] id: board {board_.id} carries {', '.join(board_.games)}: not {found.game.id}"
        )
    drivers = ", ".join((found.drivers.sensors, found.drivers.lamps, found.drivers.console))
    return f"{path or 'the defaults'}: right: {found.game.id} on {board_.id} through {drivers}"


def board(name_or_path: str) -> str:
    """One line that says what the board has. Raises `BoardFileError`."""
    found = load_board(name_or_path)
    felt = sum(slot.sensor is not None for place in found.spaces.values() for slot in place.slots)
    counts = (
        f"{len(found.spaces)} spaces, {felt} sensors, {len(found.lamps)} lamps, {len(found.buttons)} buttons"
    )
    return f"{found.id}: {counts}; for {', '.join(found.games)}"
