"""What is wired to one simulated Pico: reeds, lamps, buttons, a buzzer, readers of tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardsim.pins import pixels
from boardsim.world.world import World
from boardware.pico_plan import PicoPlan
from boardware.ports import Micros

if TYPE_CHECKING:
    from boardsim.readers.readers import TagWorld

PULL_UP = 1


class PicoBench:
    """Everything at the pins of one Pico."""

    def __init__(self, world: World, plan: PicoPlan, tags: TagWorld | None = None) -> None:
        self.led = False
        self.has_unscanned_change = True
        """Whether a contact changed that no scan has looked at."""
        self.pulls: dict[int, int] = {}
        """How each pin is pulled, as MicroPython numbers it."""
        uarts = {} if tags is None else tags.uarts
        self.lines = {pad.uart[0]: uarts[pad.id] for pad in plan.pads if pad.uart and pad.id in uarts}
        """What hangs on the serial lines, by the pin that sends."""
        self._plan = plan
        self._copper = world.copper
        self._built = world.board
        """What is soldered and plugged where. The firmware knows the plan alone, which may be another."""
        self._readers = [] if tags is None else [tags.banks[bank.id] for bank in plan.reader_banks]
        self._grids = {bank.id: world.copper.grid(bank.id) for bank in plan.banks}
        for grid in self._grids.values():
            grid.pull[grid.rows :] = [0] * grid.columns

    def power_on(self) -> None:
        """All pins float."""
        for grid in self._grids.values():
            grid.drive = [None] * len(grid.drive)

    def read_levels(self, enable: int, out: int) -> int:
        """What all pins read while those of `enable` are driven to `out`."""
        self.has_unscanned_change = False
        levels = out
        for bank in self._plan.banks:
            grid, built = self._grids[bank.id], self._built.banks[bank.id]
            for wire, gpio in enumerate(built.rows + built.columns):
                driven = out >> gpio & 1 if gpio >= 0 and enable >> gpio & 1 else None
                if grid.drive[wire] != driven:
                    grid.set_drive(wire, driven)
            for wire, gpio in enumerate(built.columns, len(built.rows)):
                if gpio >= 0:
                    levels |= grid.level(wire) << gpio
        for name in self._plan.buttons:
            gpio = self._plan.board.buttons[name].gpio
            if self.pulls.get(gpio) == PULL_UP and not self._copper.is_button_down(name):
                levels |= 1 << gpio
        return levels

    def send_to_lamps(self, gpio: int, data: bytes) -> bool:
        """Lamps are sent this by a pin; whether any hang there."""
        chains = [chain for chain in self._plan.chains if chain.gpio == gpio]
        for chain in chains:
            self._copper.set_chain(chain.id, pixels.decode(data, self._built.chains[chain.id]))
        return bool(chains)

    def transfer_spi(self, gpio: int, at: Micros, byte_ns: int, data: bytes) -> bytes:
        """What a bus whose clock is that pin answers."""
        for bank in self._readers:
            if bank.bank.spi[0] == gpio:
                return bank.transfer(data, at, byte_ns / 1000)
        return b"\xff" * len(data)  # nothing is soldered there, and a pull-up

    def drive_pin(self, gpio: int, level: bool) -> None:
        """A single pin is driven."""
        for bank in self._readers:
            bank.set_pin(gpio, int(level))
        buzzer = self._plan.board.buzzer
        if self._plan.has_buzzer and buzzer is not None and gpio == buzzer.gpio:
            self._copper.set_buzzing(level)
        else:
            self.led = level
