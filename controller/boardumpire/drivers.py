"""Opens the drivers that a configuration names: entry points of the group `boardumpire.drivers`."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import Any

from boardumpire.config import Config
from boardumpire.errors import ConfigError, DriverError
from boardware.errors import BoardwareError, SettingError
from boardware.parts import Board
from boardware.ports import Ports

GROUP = "boardumpire.drivers"


def open_ports(board: Board, config: Config) -> Ports:
    """Open the drivers of a board; if one fails, none stays open. Raises `ConfigError`, `DriverError`."""
    with contextlib.ExitStack() as opened:
        lamps = _open("lamps", config.drivers.lamps, board, config.lamps)
        opened.callback(lamps.close)
        sensors = _open("sensors", config.drivers.sensors, board, config.sensors)
        opened.callback(sensors.close)
        console = _open("console", config.drivers.console, board, config.console)
        opened.pop_all()
    return Ports(sensors, lamps, console)


def _open(key: str, name: str, board: Board, settings: Mapping[str, Any]) -> Any:
    """One driver. What it opens is the port that its key stands for: no registry can say so."""
    found = entry_points(group=GROUP, name=name)
    if not found:
        known = ", ".join(sorted(entry_points(group=GROUP).names))
        raise ConfigError(f"[drivers] {key}: found {name!r}, expected one of {known}")
    try:
        opener = next(iter(found)).load()
    except ImportError as error:
        raise DriverError(f"[drivers] {key}: {name} can't be loaded: {error}") from None
    try:
        return opener(board, **settings)
    except SettingError as error:
        raise ConfigError(f"[{key}] {error}") from None
    except BoardwareError as error:
        raise DriverError(f"[drivers] {key}: {name}: {error}") from None
