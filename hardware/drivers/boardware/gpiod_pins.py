"""gpiozero's pins through the library gpiod, which speaks to the kernel as every Linux from 5.10 on answers.

gpiozero has no such factory of its own: its others need a library that is compiled for each Python (lgpio) or
drive the chip past the kernel (RPi.GPIO, pigpio). The header's chip is found by its label, because its number
differs between kernels. Not supported, as no driver needs it: edges, PWM.
"""

from __future__ import annotations

import glob
from typing import Any

import gpiod
from gpiod.line import Bias, Direction, Value
from gpiozero.exc import (
    PinFixedPull,
    PinInvalidFunction,
    PinInvalidPull,
    PinPWMUnsupported,
    PinSetInput,
)
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from boardware.header import CHIP_LABELS

CONSUMER = "boardumpire"
"""Who has a pin, as `gpioinfo` shows it."""
_BIAS_BY_PULL = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}


class NoHeaderChipError(OSError):
    """No chip of this machine is the header of a Raspberry Pi, or none of them may be opened."""


class GpiodFactory(LocalPiFactory):  # type: ignore[misc]  # gpiozero has no types
    """A gpiozero factory of pins of the header, or of another chip. Raises `NoHeaderChipError`."""

    def __init__(self, chip: gpiod.Chip | None = None) -> None:
        super().__init__()
        self.chip = chip or open_header_chip()
        self.pin_class = GpiodPin

    def close(self) -> None:
        """Release all pins."""
        pins = [*self.pins.values()]
        super().close()
        for pin in pins:
            pin.release()
        self.chip.close()


class GpiodPin(LocalPiPin):  # type: ignore[misc]
    """One pin: a request of one line, which is configured anew when its function or pull changes."""

    def __init__(self, factory: GpiodFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._function, self._pull = "input", info.pull or "floating"
        self._request = factory.chip.request_lines({self._number: self._settings()}, consumer=CONSUMER)

    def close(self) -> None:
        """A floating input again; it stays this program's until its factory is closed."""
        self._function, self._pull = "input", self.info.pull or "floating"
        if self._request:
            self._configure()

    def release(self) -> None:
        """Give it back to the kernel."""
        self._request.release()

    def output_with_state(self, state: float) -> None:
        """Drive it, at this level from the first moment on."""
        self._function = "output"
        self._configure(bool(state))

    def input_with_pull(self, pull: str) -> None:
        """Let it float with that pull."""
        self._check_pull(pull)
        self._function, self._pull = "input", pull
        self._configure()

    def _settings(self, high: bool = False) -> gpiod.LineSettings:
        if self._function == "output":
            return gpiod.LineSettings(
                direction=Direction.OUTPUT, output_value=Value.ACTIVE if high else Value.INACTIVE
            )
        return gpiod.LineSettings(direction=Direction.INPUT, bias=_BIAS_BY_PULL[self._pull])

    def _configure(self, high: bool = False) -> None:
        self._request.reconfigure_lines({self._number: self._settings(high)})

    def _get_function(self) -> str:
        return self._function

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise PinInvalidFunction(f"function of {self!r} is {value!r}; it is input or output")
        high = self._get_state()
        self._function = value
        self._configure(high)

    def _get_state(self) -> bool:
        return bool(self._request.get_value(self._number) is Value.ACTIVE)

    def _set_state(self, value: float) -> None:
        if self._function == "input":
            raise PinSetInput(f"{self!r} is an input: nothing drives it")
        self._request.set_value(self._number, Value.ACTIVE if value else Value.INACTIVE)

    def _get_pull(self) -> str:
        return str(self._pull)

    def _set_pull(self, value: str) -> None:
        if self._function != "input":
            raise PinFixedPull(f"{self!r} is an output: it has no pull")
        self.input_with_pull(value)

    def _check_pull(self, pull: str) -> None:
        if pull not in _BIAS_BY_PULL:
            raise PinInvalidPull(f"pull of {self!r} is {pull!r}; it is {', '.join(_BIAS_BY_PULL)}")
        if self.info.pull and pull != self.info.pull:
            raise PinFixedPull(f"{self!r} has a resistor on the Pi that pulls it {self.info.pull}")

    def _get_frequency(self) -> None:
        return None

    def _set_frequency(self, value: float | None) -> None:
        if value is not None:
            raise PinPWMUnsupported(f"{self!r} gives no pulses through gpiod")

    def _get_bounce(self) -> None:
        return None

    def _set_bounce(self, value: float | None) -> None:
        """Accepted and ignored: it is about edges."""

    def _get_edges(self) -> str:
        return "none"

    def _set_edges(self, value: str) -> None:
        """Accepted and ignored: drivers poll."""

    def _enable_event_detect(self) -> None:
        """Nothing to enable: drivers poll."""

    def _disable_event_detect(self) -> None:
        """Nothing to disable."""


def open_header_chip() -> gpiod.Chip:
    """The chip that the header's pins hang on. Raises `NoHeaderChipError`."""
    seen = []
    for path in sorted(glob.glob("/dev/gpiochip*")):
        try:
            chip = gpiod.Chip(path)
        except OSError as error:
            seen.append(f"{path}: {error.strerror}")
            continue
        label = chip.get_info().label
        if label in CHIP_LABELS.values():
            return chip
        chip.close()
        seen.append(f"{path} is {label}")
    raise NoHeaderChipError(
        f"no header of a Raspberry Pi ({', '.join(seen) or 'there is no /dev/gpiochip*'})"
    )


def pin_consumer(gpio: int) -> str:
    """Who has a pin of the header, by the name that it was asked for under; empty where nobody has."""
    with open_header_chip() as chip:
        return str(chip.get_line_info(gpio).consumer)
