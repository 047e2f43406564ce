"""Drivers over a simulated board that are looked at only when something has changed on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boardsim.bench import bare
from boardsim.bench.runner import GridConsole, GridSensors
from boardsim.world.world import World
from boardware.ports import ConsoleEvent, Micros, Ports, SensorEvent

FAR: Micros = 10**15
"""When a look is due that nothing calls for."""


class _OnChange:
    """Says that its next look is due once it can tell anything new.

    tests/sim/test_runner.py shows that looks at a board that hasn't changed tell nothing.
    """

    def __init__(self, polled: Any, world: World) -> None:
        self._polled_port, self._world = polled, world
        self.changed = True
        """Whether the board has changed since the last look."""

    def due(self) -> Micros:
        if self.changed or not self._polled_port.is_quiet():
            return int(self._polled_port.due())
        edge = self._world.next_edge()
        return FAR if edge is None else int(self._polled_port.due_after(edge))

    def rests(self, now: Micros) -> bool:
        """Whether a look now would tell nothing; else it is taken to happen."""
        if not self.changed and self._polled_port.is_quiet():
            return True
        if self._polled_port.due() <= now:
            self.changed = False
        return False


class SensorsOnChange(GridSensors):
    """Sensors that look when something has changed."""

    def __init__(self, port: Any, world: World) -> None:
        super().__init__(port)
        self.looks = _OnChange(port, world)

    def due(self) -> Micros:
        return self.looks.due()

    def step(self, now: Micros) -> Sequence[SensorEvent]:
        return () if self.looks.rests(now) else self._port.step(now)


class ConsoleOnChange(GridConsole):
    """Buttons that are looked at when something has changed, or when a tone ends."""

    def __init__(self, port: Any, world: World) -> None:
        super().__init__(port)
        self.looks = _OnChange(port, world)

    def due(self) -> Micros:
        wants = self._port.next_own_change()
        return self.looks.due() if wants is None else min(wants, self.looks.due())

    def step(self, now: Micros) -> Sequence[ConsoleEvent]:
        wants = self._port.next_own_change()
        rests = self.looks.rests(now) and (wants is None or wants > now)
        return () if rests else self._port.step(now)


class Opener:
    """Opens drivers over one world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._open: tuple[_OnChange, ...] = ()
        self.lamps = bare.BareLamps()
        """The lamps that were opened last."""

    def open(self, board: Any, config: Any, *, tags: bool = True, wait: bool = True) -> Ports:
        """As `service.drivers.open_ports`."""
        sensors, lamps, console = bare.open_drivers(self._world)
        feel, hear = SensorsOnChange(sensors, self._world), ConsoleOnChange(console, self._world)
        self._open = feel.looks, hear.looks
        assert isinstance(lamps, bare.BareLamps)
        self.lamps = lamps
        return Ports(feel, lamps, hear, None)

    def changed(self) -> None:
        """Something may have changed on the board."""
        for looks in self._open:
            looks.changed = True
