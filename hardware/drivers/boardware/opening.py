"""What every driver does while it opens: check its settings, find its pin factory."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from boardware.errors import DriverError, SettingError, install_hint
from boardware.parts import HEADER, BoardDescription
from boardware.ports import MS, Micros
from boardware.tomlfile import quote_value

Settings = Mapping[str, object]
"""What a configuration says for one driver."""
_AT_SATELLITE = "a satellite's header; try the drivers 'pico', 'pico-lamps' and 'pico-console'"
_Opener = TypeVar("_Opener", bound=Callable[..., Any])

PIN_FACTORIES_BY_SETTING = {
    "gpiod": ("boardware.gpiod_pins", "GpiodFactory"),
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
}
"""Setting `pins` -> module, class. gpiod has wheels for every Python; lgpio has none from 3.13 on, but
alone lets a pin pulse at a pitch."""


def with_settings_check(
    check: Callable[[BoardDescription, Settings], object],
) -> Callable[[_Opener], _Opener]:
    """Marks what opens a driver with what checks its settings alone: `opener.check(board, settings)`.

    The check opens nothing and raises the `SettingError`, or the `DriverError` about the board, that opening
    would raise.
    """

    def mark(opener: _Opener) -> _Opener:
        vars(opener)["check"] = check
        return opener

    return mark


def with_nonblocking_open(begin: Callable[..., Any]) -> Callable[[_Opener], _Opener]:
    """Marks what opens a driver, and waits for what it drives, with what opens it and waits for nothing.

    `opener.begin(board, **settings)` gives a port that is a `LateDriver`.
    """

    def mark(opener: _Opener) -> _Opener:
        vars(opener)["begin"] = begin
        return opener

    return mark


def refuse_unknown_settings(driver: str, settings: Mapping[str, object], *names: str) -> None:
    """Refuse, by name, any setting that the driver does not have. Raises `SettingError`."""
    for name in settings:
        if name not in names:
            known = f"try one of {', '.join(names)}" if names else "it has none"
            raise SettingError(f"{driver}: unknown setting {name!r}; {known}", name)


def is_serial_path(port: object) -> bool:
    """Whether it can be the path of a serial port: text, not empty, without the zero that ends a path."""
    return isinstance(port, str) and port != "" and "\0" not in port


def refuse_parts_on_pico(
    driver: str, board: BoardDescription, parts: Sequence[tuple[str, str | None]]
) -> None:
    """Refuse what hangs on a Pico: the pins of that number on the Pi's header are others.

    `parts`: each by name, with its Pico if it has one. Raises `DriverError`.
    """
    for part, pico in parts:
        if pico is not None:
            where = _AT_SATELLITE if pico == HEADER else f"Pico {pico}, not on the header"
            raise DriverError(f"{driver}: {part} of board {board.id} hangs on {where}")


def read_milliseconds(
    driver: str, settings: Mapping[str, object], name: str, default: float, low: float, high: float
) -> Micros:
    """A span set in ms, as microseconds. Raises `SettingError` outside `low` to `high`."""
    value = settings.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise SettingError(f"{driver}: {name} is {quote_value(value)}; try {low:g} to {high:g} ms", name)
    return round(value * MS)


def read_whole_number(
    driver: str, settings: Mapping[str, object], name: str, default: int, low: int, high: int
) -> int:
    """A whole number. Raises `SettingError` outside `low` to `high`."""
    value = settings.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise SettingError(
            f"{driver}: {name} is {quote_value(value)}; try a whole number from {low} to {high}", name
        )
    return value


def check_pin_factory_name(driver: str, name: object) -> str:
    """The name of a way to the pins. Raises `SettingError` for what is none."""
    if not isinstance(name, str) or name not in PIN_FACTORIES_BY_SETTING:
        raise SettingError(
            f"{driver}: pins is {quote_value(name)}; try one of {', '.join(PIN_FACTORIES_BY_SETTING)}", "pins"
        )
    return name


def load_pin_factory(driver: str, name: str) -> Any:
    """The gpiozero pin factory of that name, one a process: all drivers share its claim on the pins.

    Raises `DriverError` if its library is missing or finds no pins.
    """
    try:
        return _make_pin_factory(name)
    except ImportError as error:
        raise DriverError(
            f"{driver}: pins = {name!r} needs a library that is not here ({error}): " + install_hint("pi")
        ) from error
    except Exception as error:  # each library has errors of its own for "this is no Pi"
        raise DriverError(f"{driver}: {name} finds no pins on this machine: {error}") from error


def open_pin_device(driver: str, device: Callable[..., Any], gpio: int, **how: Any) -> Any:
    """A gpiozero device on one pin. Raises `DriverError`, naming the pin, if it can't be had."""
    try:
        return device(gpio, **how)
    except Exception as error:  # gpiozero's own, or whatever its factory's library raises
        holder = _pin_holder(gpio)
        raise DriverError(f"{driver}: GPIO{gpio} can't be had: {error}{holder}") from error


def _pin_holder(gpio: int) -> str:
    """Who has a pin, by the name that it was asked for under: a driver's (`spi0 CS0`), a program's."""
    pins = sys.modules.get("boardware.gpiod_pins")
    if pins is None:
        return ""
    try:
        name = pins.pin_consumer(gpio)
    except OSError:
        return ""
    return f"; {name!r} has it" if name else ""


@cache
def _make_pin_factory(name: str) -> Any:
    module, class_ = PIN_FACTORIES_BY_SETTING[name]
    return getattr(import_module(module), class_)()
