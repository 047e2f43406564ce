"""A chip of pins that ends in the simulated copper: what the kernel is to the library gpiod.

Everything above it is real: gpiod's settings, the factory of pins, gpiozero's devices.
"""

from __future__ import annotations

import errno
from collections import defaultdict
from typing import Any

from gpiod.chip_info import ChipInfo
from gpiod.line import Bias, Direction, Value
from gpiod.line_settings import LineSettings

from boardsim.pins.gpio import REVISION, PinWires
from boardsim.world.copper import Copper
from boardware.gpiod_pins import GpiodFactory

_PULLS = {Bias.PULL_UP: 1, Bias.PULL_DOWN: 0, Bias.DISABLED: None}


class CopperChip:
    """Stands in for `gpiod.Chip`."""

    def __init__(self, copper: Copper | None = None, label: str = "pinctrl-rp1") -> None:
        self.wires = PinWires(copper) if copper else None
        self.label = label
        self.consumers: dict[int, str] = {}
        self.closed = False

    def __enter__(self) -> CopperChip:
        return self

    def __exit__(self, *_: object) -> None:
        """A program that asks who has a pin: the chip goes on."""

    def get_info(self) -> ChipInfo:
        return ChipInfo("gpiochip0", self.label, 54)

    def get_line_info(self, gpio: int) -> Any:
        return type("LineInfo", (), {"consumer": self.consumers.get(gpio, "")})

    def request_lines(self, config: dict[int, LineSettings], consumer: str) -> CopperRequest:
        ((gpio, settings),) = config.items()
        if gpio in self.consumers:
            raise OSError(errno.EBUSY, "Device or resource busy")
        self.consumers[gpio] = consumer
        request = CopperRequest(self, gpio)
        request.reconfigure_lines({gpio: settings})
        return request

    def close(self) -> None:
        self.closed = True


class CopperRequest:
    """Stands in for `gpiod.LineRequest`, of one line."""

    def __init__(self, chip: CopperChip, gpio: int) -> None:
        self._chip, self._gpio = chip, gpio
        self._output = False

    def reconfigure_lines(self, config: dict[int, LineSettings]) -> None:
        settings = config[self._gpio]
        self._output = settings.direction is Direction.OUTPUT
        if self._output:
            assert settings.bias is Bias.AS_IS
            self._wires.connect(self._gpio, int(settings.output_value is Value.ACTIVE), None)
        else:
            self._wires.connect(self._gpio, None, _PULLS[settings.bias])

    def get_value(self, gpio: int) -> Value:
        assert gpio == self._gpio
        return Value.ACTIVE if self._wires.read(gpio) else Value.INACTIVE

    def set_value(self, gpio: int, value: Value) -> None:
        if not self._output:
            raise PermissionError(errno.EPERM, "Operation not permitted")
        self._wires.connect(gpio, int(value is Value.ACTIVE), None)

    def release(self) -> None:
        del self._chip.consumers[self._gpio]

    @property
    def _wires(self) -> PinWires:
        assert self._chip.wires is not None
        return self._chip.wires


class CopperGpiodFactory(GpiodFactory):
    """The real factory over the copper. Real ones share the pins of a process; each of these has its own."""

    def __init__(self, copper: Copper) -> None:
        super().__init__(CopperChip(copper))
        self.pins = {}
        self._reservations = defaultdict(list)

    def _get_revision(self) -> int:
        return REVISION
