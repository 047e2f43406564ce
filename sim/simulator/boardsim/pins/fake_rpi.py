"""RPi.GPIO over the simulated copper, for gpiozero's real RPi.GPIO pin factory.

Replaces the C library RPi.GPIO with fake-rpi's class of the same calls, completed where fake-rpi does
nothing: `setup`, `input`, `output` and `cleanup` act on the copper, `gpio_function` tells the truth. Checked
against gpiozero's real `RPiGPIOFactory`, which is loaded once for each factory as a module of its own: its
`from RPi import GPIO` finds the stand-in, and `sys.modules` is as before afterwards.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
from collections import defaultdict
from types import ModuleType
from typing import Any

from boardsim.pins.gpio import PinWires
from boardsim.pins.standin import replaced_modules
from boardsim.world.copper import Copper

REVISION = 0xA02082
"""A Raspberry Pi 3B: RPi.GPIO does not work on a Pi 5."""

with contextlib.redirect_stdout(io.StringIO()):  # it greets on import
    import fake_rpi
    from fake_rpi.RPi import _GPIO

    fake_rpi.toggle_print(False)


class CopperGPIO(_GPIO):  # type: ignore[misc]  # fake-rpi has no types
    """The module `RPi.GPIO`, as an object."""

    def __init__(self, copper: Copper) -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            super().__init__()
        self.wires = PinWires(copper)
        self._modes: dict[int, int] = {}

    def setup(
        self, channel: int, state: int, pull_up_down: int | None = None, initial: int | None = None
    ) -> None:
        """Make a pin an input with a pull, or an output; without `initial` an output keeps its level."""
        if state == self.OUT:
            level = self.wires.read(channel) if initial is None or initial < 0 else int(bool(initial))
            self.wires.connect(channel, level, None)
        elif state == self.IN:
            pull = {self.PUD_UP: 1, self.PUD_DOWN: 0}.get(pull_up_down or self.PUD_OFF)
            self.wires.connect(channel, None, pull)
        else:
            raise ValueError("An invalid direction was passed to setup()")
        self._modes[channel] = state

    def input(self, channel: int) -> int:
        """The level of a pin. Raises `RuntimeError` before `setup`, as RPi.GPIO does."""
        if channel not in self._modes:
            raise RuntimeError("You must setup() the GPIO channel first")
        return self.wires.read(channel)

    def output(self, channel: int, state: int) -> None:
        """Drive an output. Raises `RuntimeError` where the pin is none, as RPi.GPIO does."""
        if self._modes.get(channel) != self.OUT:
            raise RuntimeError("The GPIO channel has not been set up as an OUTPUT")
        self.wires.connect(channel, int(bool(state)), None)

    def gpio_function(self, channel: int) -> int:
        """What a pin is set up as; an input until then."""
        return self._modes.get(channel, int(self.IN))

    def cleanup(self, channel: int | None = None) -> None:
        """Let one pin float, or all of them."""
        for each in [channel] if channel is not None else list(self._modes):
            self.wires.connect(each, None, None)
            self._modes.pop(each, None)


def rpigpio_factory(copper: Copper) -> Any:
    """gpiozero's real `RPiGPIOFactory` over an `RPi.GPIO` that ends in `copper`."""
    gpio = CopperGPIO(copper)
    package = ModuleType("RPi")
    package.GPIO = gpio  # type: ignore[attr-defined]
    found = importlib.util.find_spec("gpiozero.pins.rpigpio")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    with replaced_modules({"RPi": package, "RPi.GPIO": gpio}):
        found.loader.exec_module(module)
    real = module.RPiGPIOFactory

    class FakeRpiFactory(real):  # type: ignore[misc, valid-type]
        """The real factory: with a revision, which it would read from a Pi's own files."""

        def __init__(self) -> None:
            super().__init__()
            # gpiozero shares these between all local factories of a process; each copper has its own pins.
            self.pins: dict[Any, Any] = {}
            self._reservations: defaultdict[Any, list[Any]] = defaultdict(list)

        def _get_revision(self) -> int:
            return REVISION

    return FakeRpiFactory()
