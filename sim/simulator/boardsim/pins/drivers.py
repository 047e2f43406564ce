"""The entry points of the simulated drivers: the real driver code over the simulated lowest layer.

`world` is a `World`, or the path of a world file where the world lives in another process.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boardsim.pins import pixels
from boardsim.pins.gpio import CopperFactory
from boardsim.pins.standin import replaced_modules
from boardsim.world.copper import Copper, CopperError
from boardsim.world.world import World
from boardware.errors import SettingError
from boardware.opening import Settings, with_settings_check
from boardware.parts import BoardDescription
from boardware.ports import MS, ConsolePort, LampPort, Micros, SensorPort

PINS = ("copper", "rpigpio")
"""Ways to the pins: a gpiozero factory of our own, or gpiozero's RPi.GPIO factory over fake-rpi."""
RowWait = Callable[[Micros], None]
SCAN_GAP_US = MS
"""Rows that are driven this far apart, or farther, belong to two scans."""


def _without_world(driver: str, board: BoardDescription, settings: Settings) -> dict[str, object]:
    """The settings that are left for the real driver. Raises `SettingError` about `world` and `pins`."""
    left = dict(settings)
    world = left.pop("world", None)
    if not isinstance(world, (World, str, Path)):
        found = "missing" if world is None else repr(world)
        raise SettingError(f"{driver}: world is {found}; try the path of a world file", "world")
    if not isinstance(world, World):
        try:
            Copper.attach(world, board).close()
        except CopperError as error:
            raise SettingError(f"{driver}: {error}", "world") from None
        except (OSError, ValueError) as error:
            raise SettingError(f"{driver}: world {str(world)!r} can't be opened: {error}", "world") from None
    return left


def _without_world_and_pins(driver: str, board: BoardDescription, settings: Settings) -> dict[str, object]:
    left = _without_world(driver, board, settings)
    pins = left.pop("pins", "copper")
    if pins not in PINS:
        raise SettingError(f"{driver}: pins is {pins!r}; try one of {', '.join(PINS)}", "pins")
    return left


def check_sensors(board: BoardDescription, settings: Settings) -> None:
    """Raises `SettingError`."""
    from boardware import gpio

    gpio.check_settings(board, _without_world_and_pins("gpio-sim", board, settings))


def check_console(board: BoardDescription, settings: Settings) -> None:
    """Raises `SettingError`."""
    from boardware import console

    console.check_settings(board, _without_world_and_pins("console-sim", board, settings))


def check_spi_lamps(board: BoardDescription, settings: Settings) -> None:
    """Raises `SettingError`, or `DriverError` for a board without such lamps."""
    from boardware import neopixel

    neopixel.check_spi(board, _without_world("neopixel-spi-sim", board, settings))


def check_pwm_lamps(board: BoardDescription, settings: Settings) -> None:
    """Raises `SettingError`, or `DriverError` for a board without such lamps."""
    from boardware import neopixel

    neopixel.check_pwm(board, _without_world("neopixel-pwm-sim", board, settings))


def _copper(board: BoardDescription, world: World | str | Path) -> Copper:
    return world.copper if isinstance(world, World) else Copper.attach(world, board)


def pin_factory(copper: Copper, pins: str = "copper") -> Any:
    """A gpiozero pin factory that ends in `copper`, by one of `PINS`."""
    if pins == "rpigpio":
        from boardsim.pins.fake_rpi import rpigpio_factory  # fake-rpi is only needed here

        return rpigpio_factory(copper)
    if pins != "copper":
        raise ValueError(f"pins = {pins!r}; try one of {', '.join(PINS)}")
    return CopperFactory(copper)


def _row_wait(copper: Copper, world: World | None) -> RowWait:
    """Lets a row settle, which virtual copper does by itself and at once, and notes when a scan begins."""
    last: Micros = 0

    def wait(span: Micros) -> None:
        nonlocal last
        now = world.now if world is not None else time.monotonic_ns() // 1000
        if now > last + SCAN_GAP_US:
            copper.discharge_columns()
        last = now

    return wait


@with_settings_check(check_sensors)
def open_sensors(
    board: BoardDescription, *, world: World | str | Path, pins: str = "copper", **settings: Any
) -> SensorPort:
    """`boardware.gpio` over simulated pins."""
    from boardware import gpio

    copper = _copper(board, world)
    wait = _row_wait(copper, world if isinstance(world, World) else None)
    return gpio.open_sensors(board, pin_factory=pin_factory(copper, pins), wait=wait, **settings)


@with_settings_check(check_console)
def open_console(
    board: BoardDescription, *, world: World | str | Path, pins: str = "copper", **settings: Any
) -> ConsolePort:
    """`boardware.console` over simulated pins."""
    from boardware import console

    return console.open_console(board, pin_factory=pin_factory(_copper(board, world), pins), **settings)


@with_settings_check(check_spi_lamps)
def open_spi_lamps(board: BoardDescription, *, world: World | str | Path, **settings: Any) -> LampPort:
    """`boardware.neopixel` by SPI: the real neopixel_spi over a bus that decodes."""
    from boardware import neopixel

    with replaced_modules(pixels.standin_modules(_copper(board, world)), pixels.REIMPORTED_MODULES):
        return neopixel.open_spi(board, **settings)


@with_settings_check(check_pwm_lamps)
def open_pwm_lamps(board: BoardDescription, *, world: World | str | Path, **settings: Any) -> LampPort:
    """`boardware.neopixel` by PWM: the real neopixel over a `neopixel_write` that decodes."""
    from boardware import neopixel

    with replaced_modules(pixels.standin_modules(_copper(board, world)), pixels.REIMPORTED_MODULES):
        return neopixel.open_pwm(board, **settings)
