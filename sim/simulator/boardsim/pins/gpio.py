"""The Pi's header, as gpiozero sees it: pins whose wires end in the simulated copper.

Replaces the lowest layer of gpiozero (its lgpio or RPi.GPIO pin factory); the devices and the driver above
are the real ones. Checked against gpiozero's own mock pins: the same states, functions, pulls and refusals
for the same calls (tests/sim/test_gpio.py). Unlike the mock's, these pins keep no list of past states, know
no thread and no clock, and their edge callbacks never fire: drivers poll.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from gpiozero.exc import PinFixedPull, PinInvalidFunction, PinInvalidPull, PinSetInput
from gpiozero.pins.pi import PiFactory, PiPin

from boardsim.world.copper import Copper, ReedGrid

PULLS = {"up": 1, "down": 0, "floating": None}
REVISION = 0xC04170
"""A Raspberry Pi 5, for gpiozero's table of pins."""


class PinWires:
    """Where the pins of one process end: in a matrix, at a button, at the buzzer, or nowhere."""

    def __init__(self, copper: Copper) -> None:
        self._copper = copper
        self._grids: dict[int, tuple[ReedGrid, int]] = {}
        for bank in copper.board.banks.values():
            grid = copper.grid(bank.id)
            for wire, gpio in enumerate(bank.rows + bank.columns):
                self._grids[gpio] = (grid, wire)
        self._buttons = {button.gpio: name for name, button in copper.board.buttons.items()}
        self._buzzer = copper.board.buzzer.gpio if copper.board.buzzer is not None else None
        self._loose: dict[int, tuple[int | None, int | None]] = {}

    def connect(self, gpio: int, drive: int | None, pull: int | None) -> None:
        """What a process does to a pin: drive it high or low, or let it float with a pull (or none)."""
        if gpio in self._grids:
            grid, wire = self._grids[gpio]
            grid.pull[wire] = pull
            grid.set_drive(wire, drive)
        else:
            self._loose[gpio] = (drive, pull)
            if gpio == self._buzzer:
                self._copper.set_buzzing(drive == 1)  # a pull is too weak for its transistor

    def level_reader(self, gpio: int) -> Callable[[], int]:
        """What reads the level of a pin, again and again."""
        if gpio in self._grids:
            grid, wire = self._grids[gpio]
            return partial(grid.level, wire)
        return partial(self.read, gpio)

    def read(self, gpio: int) -> int:
        """The level of a pin, 0 or 1."""
        if gpio in self._grids:
            grid, wire = self._grids[gpio]
            return grid.level(wire)
        drive, pull = self._loose.get(gpio, (None, None))
        if drive is not None:
            return drive
        if gpio in self._buttons and self._copper.is_button_down(self._buttons[gpio]):
            return 0
        return pull or 0


class CopperPin(PiPin):  # type: ignore[misc]  # gpiozero has no types
    """One pin of the header. See `CopperFactory`."""

    def __init__(self, factory: CopperFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._wires = factory.wires
        self._get_state = factory.wires.level_reader(self._number)
        self._function = "input"
        self._pull = info.pull or "floating"
        self._frequency: float | None = None
        self._connect(None)

    def close(self) -> None:
        """Back to a floating input."""
        self._function = "input"
        self._pull = self.info.pull or "floating"
        self._connect(None)

    def _connect(self, drive: int | None) -> None:
        self._wires.connect(self._number, drive, PULLS[self._pull] if drive is None else None)

    def _get_function(self) -> str:
        return self._function

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise PinInvalidFunction("function must be input or output")
        level = self._wires.read(self._number)
        self._function = value
        self._connect(level if value == "output" else None)

    def _set_state(self, value: float) -> None:
        if self._function == "input":
            raise PinSetInput(f"cannot set state of pin {self!r}")
        self._connect(int(bool(value)))

    def _get_pull(self) -> str:
        return str(self._pull)

    def _set_pull(self, value: str) -> None:
        if self._function != "input":
            raise PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        if self.info.pull and value != self.info.pull:
            raise PinFixedPull(f"{self!r} has a fixed pull resistor")
        if value not in PULLS:
            raise PinInvalidPull("pull must be floating, up, or down")
        self._pull = value
        self._connect(None)

    def _get_frequency(self) -> float | None:
        return self._frequency

    def _set_frequency(self, value: float | None) -> None:
        """A pin that pulses drives as one that is high: how fast it does is heard, not wired."""
        if value is not None and self._function == "input":
            raise PinSetInput(f"cannot pulse pin {self!r}")
        self._frequency = value
        if value is None and self._function == "output":
            self._connect(0)

    def _get_bounce(self) -> None:
        return None

    def _set_bounce(self, value: float | None) -> None:
        """Accepted and ignored, as by the mock: no edge callback ever fires."""

    def _get_edges(self) -> str:
        return "both"

    def _set_edges(self, value: str) -> None:
        """Accepted and ignored, as above."""

    def _enable_event_detect(self) -> None:
        """Nothing to enable: drivers poll."""

    def _disable_event_detect(self) -> None:
        """Nothing to disable."""


class CopperFactory(PiFactory):  # type: ignore[misc]
    """A gpiozero pin factory over one board's copper; every factory drives wires of its own."""

    def __init__(self, copper: Copper) -> None:
        super().__init__()
        self.wires = PinWires(copper)
        self.pin_class = CopperPin

    def _get_revision(self) -> int:
        return REVISION

    @staticmethod
    def ticks() -> float:
        """Opaque to gpiozero; these pins know no time."""
        return 0.0

    @staticmethod
    def ticks_diff(later: float, earlier: float) -> float:
        """See `ticks`."""
        return later - earlier
