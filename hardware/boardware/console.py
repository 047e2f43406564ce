"""Buttons on the Pi's own header, through gpiozero.

Polled, not called back: gpiozero's `Button` would watch edges from a thread, so its plain `InputDevice` is
used. A button lies between its pin and ground; the pin is pulled up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gpiozero

from boardware.grid import NOTHING_TO_POLL, Grid
from boardware.opening import factory_named, known_settings, milliseconds, pin_device
from boardware.parts import Board
from boardware.ports import Micros, Pressed
from boardwire.debounce import EagerLiftDeferredPlace

SCAN_MS = 20.0
"""Between looks: a hand presses for 60 ms and more."""
PRESS_MS = 20.0
"""How long a button is down before a press is told."""
LOCKOUT_MS = 40.0
"""How long after its release a button is deaf, so that a bouncing release is no second press."""

_SETTINGS = ("pins", "scan_ms", "press_ms", "lockout_ms")
_DRIVER = "console-gpio"


def open_console(board: Board, *, pin_factory: Any = None, **settings: object) -> Buttons:
    """The buttons of `board`.

    `pin_factory` is a gpiozero factory; without one the setting `pins` names it (`lgpio` or `rpigpio`).
    Settings: `pins`, `scan_ms`, `press_ms`, `lockout_ms`. Raises `SettingError` and `DriverError`.
    """
    known_settings(_DRIVER, settings, *_SETTINGS)
    period = milliseconds(_DRIVER, settings, "scan_ms", SCAN_MS, 1, 1000)
    press = milliseconds(_DRIVER, settings, "press_ms", PRESS_MS, 0, 1000)
    lockout = milliseconds(_DRIVER, settings, "lockout_ms", LOCKOUT_MS, 0, 1000)
    if pin_factory is None and board.buttons:
        pin_factory = factory_named(_DRIVER, settings.get("pins", "lgpio"))
    return Buttons(board, pin_factory, period, press, lockout)


class Buttons:
    """The buttons of a board as a `ConsolePort`."""

    def __init__(
        self, board: Board, pin_factory: Any, period: Micros, press: Micros, lockout: Micros
    ) -> None:
        self._grid = Grid(period if board.buttons else NOTHING_TO_POLL)
        self._names = {1 << place: name for place, name in enumerate(board.buttons)}
        self._presses = EagerLiftDeferredPlace(1, press, lockout)
        self._began = False
        self._devices: list[Any] = []
        try:
            for button in board.buttons.values():
                device = pin_device(
                    _DRIVER, gpiozero.InputDevice, button.gpio, pull_up=True, pin_factory=pin_factory
                )
                self._devices.append(device)
        except BaseException:
            self.close()
            raise
        self._pins = [(1 << place, device.pin) for place, device in enumerate(self._devices)]

    def step(self, now: Micros) -> Sequence[Pressed]:
        """Look if a look is due, and tell what was pressed. A button held down at the first look is not."""
        if not self._grid.take(now):
            return ()
        down = 0
        for bit, pin in self._pins:
            if not pin.state:
                down |= bit
        if not self._began:
            self._began = True
            self._presses.begin(0, down)
            return ()
        pressed = self._presses.update(0, down, now) & down
        if not pressed:
            return ()
        return [Pressed(now, name) for bit, name in self._names.items() if pressed & bit]

    def due(self) -> Micros:
        """The next moment of the grid."""
        return self._grid.due()

    def due_after(self, at: Micros) -> Micros:
        """The first moment of the grid at or after `at`."""
        return self._grid.due_after(at)

    def quiet(self) -> bool:
        """Whether, as of the last look, no press is waiting to be told."""
        return not self._pins or (self._began and self._presses.quiet())

    def close(self) -> None:
        """Release the pins."""
        self._pins = []
        while self._devices:
            self._devices.pop().close()
