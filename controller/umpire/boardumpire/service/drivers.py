"""Opens the drivers that a configuration names: entry points of the group `boardumpire.drivers`."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn, get_type_hints

from boardrules.registry import installed_entry_points
from boardumpire.errors import ConfigError, DriverError
from boardumpire.service.config import Config
from boardware.errors import BoardwareError, SettingError
from boardware.header_pico import header_as_pico
from boardware.parts import BoardDescription
from boardware.ports import Ports

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINT_GROUP = "boardumpire.drivers"
_DRIVER_KINDS = {
    "sensors": ("present", "feels no pieces"),
    "lamps": ("show", "drives no lamps"),
    "console": ("sound", "reads no buttons"),
    "tags": ("watch", "reads no tags"),
}
"""By key: a method that the ports of that kind alone have, and what is said of a driver without."""


@functools.cache
def _known_drivers() -> Mapping[str, EntryPoint]:
    """All of them by their names; nobody takes the place of one of ours."""
    entries = sorted(
        installed_entry_points(ENTRY_POINT_GROUP),
        key=lambda entry: entry.value.startswith(("boardware.", "boardsim.")),
    )
    return {entry.name: entry for entry in entries}


def open_ports(board: BoardDescription, config: Config, *, tags: bool = True, wait: bool = True) -> Ports:
    """Open the drivers of a board; if one fails, none stays open. Raises `ConfigError`, `DriverError`.

    `tags` is whether anybody is going to read tags: what speaks and is not read would wake a runner for ever.
    Without `wait` what they drive may come later, or never (`ports.LateDriver`).
    """
    with contextlib.ExitStack() as opened:
        lamps = _open_driver("lamps", board, config, wait=wait)
        opened.callback(lamps.close)
        sensors = _open_driver("sensors", board, config, wait=wait)
        opened.callback(sensors.close)
        console = _open_driver("console", board, config, wait=wait)
        opened.callback(console.close)
        readers = _open_driver("tags", board, config, wait=wait) if tags and config.drivers.tags else None
        opened.pop_all()
    return Ports(sensors, lamps, console, readers)


def check_drivers(board: BoardDescription, config: Config) -> None:
    """Refuse what opening would refuse whatever the machine. Raises `ConfigError` and `DriverError`."""
    for key in driver_keys(config):
        _check_driver(key, board, config)


def driver_keys(config: Config, *, tags: bool = True) -> tuple[str, ...]:
    """The keys of the drivers that a configuration wants, in the order in which they are opened."""
    return ("lamps", "sensors", "console", *(["tags"] if tags and config.drivers.tags else []))


def begin_opening(key: str, board: BoardDescription, config: Config) -> Any:
    """Open one driver, without waiting for what it drives where it can tell later (`ports.LateDriver`).

    Raises `ConfigError`, and `DriverError` where trying again may help.
    """
    return _open_driver(key, board, config, wait=False)


def _open_driver(key: str, board: BoardDescription, config: Config, *, wait: bool = True) -> Any:
    opener = _check_driver(key, board, config)
    if not wait:
        opener = getattr(opener, "begin", opener)
    try:
        port = opener(_board_for_drivers(board, config), **getattr(config, key))
    except BoardwareError as error:
        _refuse_setting(key, config, error)
    if not hasattr(port, _DRIVER_KINDS[key][0]):
        port.close()
        _refuse_kind(key, config)
    return port


def _board_for_drivers(board: BoardDescription, config: Config) -> BoardDescription:
    """The board; where a satellite has it on its header, with all parts on one Pico. Raises `DriverError`."""
    return header_as_pico(board) if config.sensors.get("satellite") else board


@functools.cache
def _class_opened_by(opener: Any) -> object:
    """What an opener says that it opens, as a class; `None` where it does not say."""
    try:
        return get_type_hints(opener).get("return")
    except (NameError, TypeError):  # written for type checkers alone
        return None


def _refuse_kind(key: str, config: Config) -> NoReturn:
    name = getattr(config.drivers, key)
    place, lacks = config.origin.locate("drivers", key), _DRIVER_KINDS[key][1]
    raise ConfigError(f"{place}: found {name!r}, which {lacks}; try a driver for {key}")


def _check_driver(key: str, board: BoardDescription, config: Config) -> Any:
    """What opens a driver, its settings checked by itself, or by its signature where it can't."""
    name, settings = getattr(config.drivers, key), getattr(config, key)
    place = config.origin.locate("drivers", key)
    found = _known_drivers().get(name)
    if found is None:
        known = ", ".join(sorted(_known_drivers()))
        raise ConfigError(f"{place}: no driver {name!r}; try one of {known}")
    try:
        opener = found.load()
    except ImportError as error:
        raise DriverError(f"{place}: {name} can't be loaded: {error}") from None
    opened = _class_opened_by(opener)
    if isinstance(opened, type) and not hasattr(opened, _DRIVER_KINDS[key][0]):
        _refuse_kind(key, config)
    try:
        described = _board_for_drivers(board, config)
        if hasattr(opener, "check"):
            opener.check(described, settings)
        else:
            inspect.signature(opener).bind(described, **settings)
    except BoardwareError as error:
        _refuse_setting(key, config, error)
    except TypeError as error:
        raise ConfigError(f"{config.origin.locate(key)}: {name}: {error}") from None
    return opener


def _refuse_setting(key: str, config: Config, error: BoardwareError) -> NoReturn:
    name, place = getattr(config.drivers, key), config.origin.locate
    if not isinstance(error, SettingError):
        said = str(error) if str(error).startswith(name) else f"{name}: {error}"
        raise DriverError(f"{place('drivers', key)}: {said}", said) from None
    where = (key,) if error.setting is None else (key, error.setting)
    raise ConfigError(f"{place(*where)}: {error}") from None
