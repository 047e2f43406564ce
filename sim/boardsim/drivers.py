"""The entry points of the simulated drivers: the real driver code over the simulated lowest layer.

`world` is a `World`, or the path of a world file where the world lives in another process.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from boardsim import pixels
from boardsim.copper import Copper
from boardsim.gpio import CopperFactory
from boardsim.standin import stand_in
from boardsim.world import World
from boardware.parts import Board
from boardware.ports import ConsolePort, LampPort, SensorPort

PINS = ("copper", "rpigpio")
"""Ways to the pins: a gpiozero factory of our own, or gpiozero's RPi.GPIO factory over fake-rpi."""


def _copper(board: Board, world: World | str | Path) -> Copper:
    return world.copper if isinstance(world, World) else Copper.attach(world, board)


def pin_factory(copper: Copper, pins: str = "copper") -> Any:
    """A gpiozero pin factory that ends in `copper`, by one of `PINS`."""
    if pins == "rpigpio":
        from boardsim.fake_rpi import rpigpio_factory  # fake-rpi is only needed here

        return rpigpio_factory(copper)
    if pins != "copper":
        raise ValueError(f"pins = {pins!r}; expected one of {', '.join(PINS)}")
    return CopperFactory(copper)


def open_sensors(
    board: Board, *, world: World | str | Path, pins: str = "copper", **settings: Any
) -> SensorPort:
    """`boardware.gpio` over simulated pins."""
    from boardware import gpio

    factory = pin_factory(_copper(board, world), pins)
    # Virtual copper has settled at once.
    return gpio.open_sensors(board, pin_factory=factory, wait=lambda span: None, **settings)


def open_console(
    board: Board, *, world: World | str | Path, pins: str = "copper", **settings: Any
) -> ConsolePort:
    """`boardware.console` over simulated pins."""
    from boardware import console

    return console.open_console(board, pin_factory=pin_factory(_copper(board, world), pins), **settings)


def open_spi_lamps(board: Board, *, world: World | str | Path, **settings: Any) -> LampPort:
    """`boardware.neopixel` by SPI: the real neopixel_spi over a bus that decodes."""
    from boardware import neopixel

    with stand_in(pixels.modules(_copper(board, world)), pixels.AFRESH):
        return neopixel.open_spi(board, **settings)


def open_pwm_lamps(board: Board, *, world: World | str | Path, **settings: Any) -> LampPort:
    """`boardware.neopixel` by PWM: the real neopixel over a `neopixel_write` that decodes."""
    from boardware import neopixel

    with stand_in(pixels.modules(_copper(board, world)), pixels.AFRESH):
        return neopixel.open_pwm(board, **settings)
