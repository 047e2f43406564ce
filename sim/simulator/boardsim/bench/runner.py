"""Virtual time: turns the table and the world together, and jumps over the time in which nothing happens.

The drivers look at their pins on a grid of moments. While a driver is quiet, looking changes nothing until
the copper does, so the runner goes straight to the first moment of the grid at or after the next edge. To
make that exact, a driver is handed to the table inside `_OnGrid`: turned at any other moment it does not
look, as it would not if every moment of its grid were visited. That jumping changes nothing is a property
in tests/sim/test_runner.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from boardrules.core import Seat
from boardsim.bench.table import BenchMessage, BenchTable
from boardsim.world.copper import DARK, RGB
from boardsim.world.world import World
from boardware.ports import (
    ConsoleEvent,
    ConsolePort,
    LampId,
    LampPort,
    Light,
    Micros,
    PartialDriver,
    PolledDriver,
    Ports,
    SensorEvent,
    SensorPort,
    SlotId,
    TagPort,
    Tone,
)
from boardwire.lights import rgb


class _OnGrid:
    """A polled driver that looks at moments of its grid alone, and knows which edge it hasn't looked at."""

    def __init__(self, port: PolledDriver, *, jump: bool) -> None:
        self._polled = port
        self._jump = jump
        self._begun = False
        self.unscanned_edge: Micros | None = None

    def next_scan_time(self, next_edge: Micros | None) -> Micros | None:
        """When it has to be turned next."""
        if not self._jump or not self._polled.is_quiet():
            return self._polled.due()
        edge = self.unscanned_edge if self.unscanned_edge is not None else next_edge
        return None if edge is None else self._polled.due_after(edge)

    def _would_change_nothing(self, now: Micros) -> bool:
        """Whether looking now would tell nothing, as it didn't at the last moment of the grid."""
        gridless = self._polled.due_after(now + 1) == now + 1  # it doesn't look, it is told
        return not gridless and self._polled.is_quiet()

    def due(self) -> Micros:
        """As the driver says."""
        return self._polled.due()

    def due_after(self, at: Micros) -> Micros:
        """As the driver says."""
        return self._polled.due_after(at)

    def is_quiet(self) -> bool:
        """As the driver says."""
        return self._polled.is_quiet()

    def _should_scan(self, now: Micros) -> bool:
        if self._begun and self._polled.due_after(now) != now:
            return False
        if self._begun and self._jump and self.unscanned_edge is None and self._would_change_nothing(now):
            return False
        self._begun = True
        self.unscanned_edge = None
        return True


class GridSensors(_OnGrid):
    """Sensors that look on their grid alone."""

    def __init__(self, port: SensorPort, *, jump: bool = True) -> None:
        super().__init__(port, jump=jump)
        self._port = port

    def step(self, now: Micros) -> Sequence[SensorEvent]:
        """Scan if `now` is a moment of the grid."""
        return self._port.step(now) if self._should_scan(now) else ()

    def present(self) -> frozenset[SlotId]:
        """As the driver says."""
        return self._port.present()

    def silent_parts(self) -> Mapping[str, str]:
        """As the driver says, if it says so."""
        return self._port.silent_parts() if isinstance(self._port, PartialDriver) else {}

    def close(self) -> None:
        """Close the driver."""
        self._port.close()


class GridConsole(_OnGrid):
    """Buttons and a buzzer that are looked at on their grid alone."""

    def __init__(self, port: ConsolePort, *, jump: bool = True) -> None:
        super().__init__(port, jump=jump)
        self._port = port

    def next_scan_time(self, next_edge: Micros | None) -> Micros | None:
        """When it has to be turned next, for the copper's sake or its own."""
        times = (super().next_scan_time(next_edge), self._port.next_own_change())
        return min((time for time in times if time is not None), default=None)

    def _would_change_nothing(self, now: Micros) -> bool:
        wants = self._port.next_own_change()
        return super()._would_change_nothing(now) and (wants is None or wants > now)

    def step(self, now: Micros) -> Sequence[ConsoleEvent]:
        """Look if `now` is a moment of the grid."""
        return self._port.step(now) if self._should_scan(now) else ()

    def sound(self, tones: Sequence[Tone], now: Micros) -> None:
        """Have the driver play it."""
        self._port.sound(tones, now)

    def next_own_change(self) -> Micros | None:
        """As the driver says."""
        return self._port.next_own_change()

    def close(self) -> None:
        """Close the driver."""
        self._port.close()


class BenchRunner:
    """Turns one table over one world, or over one for each of its boards. `told` gets every message, `turned`
    is called after every turn."""

    def __init__(
        self,
        world: World,
        *,
        jump: bool = True,
        told: Callable[[BenchMessage], None] = lambda message: None,
        turned: Callable[[Micros], None] = lambda now: None,
    ) -> None:
        self.worlds = [world]
        self.now: Micros = world.now
        self.table: BenchTable | None = None
        self._jump = jump
        self._told = told
        self._turned = turned
        self._wants: Micros | None = None
        self._polled: list[tuple[World, _OnGrid]] = []

    def join(self, world: World) -> None:
        """A further board's world runs in the same time."""
        self.worlds.append(world)

    def start(
        self,
        sensors: SensorPort,
        lamps: LampPort,
        console: ConsolePort,
        open_: TableOpener,
        tags: TagPort | None = None,
    ) -> BenchTable:
        """Power on: have `open_(ports, now)` make the table over these drivers, and turn it."""
        return self.start_all([Ports(sensors, lamps, console, tags)], lambda all_, now: open_(all_[0], now))

    def start_all(
        self, drivers: Sequence[Ports], open_: Callable[[Sequence[Ports], Micros], BenchTable]
    ) -> BenchTable:
        """The same with the drivers of each world."""
        self.now = max(self.now, *(world.now for world in self.worlds))  # a Pico needs time to answer
        self._polled, gridded = [], []
        for world, ports in zip(self.worlds, drivers, strict=True):
            feel = GridSensors(ports.sensors, jump=self._jump)
            hear = GridConsole(ports.console, jump=self._jump)
            self._polled += [(world, feel), (world, hear)]
            gridded.append(ports._replace(sensors=feel, console=hear))
        self.table = open_(gridded, self.now)
        self._step_table(self.now)
        return self.table

    def kill(self) -> None:
        """Power off: the table is dropped, nothing is closed or said. The world goes on."""
        self.table = None
        self._wants = None
        self._polled = []
        for world in self.worlds:
            world.copper.set_buzzing(False)  # nothing drives its pin any more

    def say(self, seat: Seat, text: str) -> None:
        """Say it to the table now and turn it. Raises what the table raises."""
        if self.table is not None:
            try:
                self.table.say(seat, text, self.now)
            finally:
                self._step_table(self.now)

    def run(self, until: Micros) -> None:
        """Let time pass up to and including `until`."""
        while (due := self._due()) is not None and due <= until:
            self._advance(due)
            self._step_table(due)
        self._advance(until)

    def _due(self) -> Micros | None:
        if self.table is None:
            edges = (world.next_edge() for world in self.worlds)
            return min((edge for edge in edges if edge is not None), default=None)
        times = [self._wants, *(port.next_scan_time(world.next_edge()) for world, port in self._polled)]
        return min((max(time, self.now) for time in times if time is not None), default=None)

    def _advance(self, now: Micros) -> None:
        for world, port in self._polled:
            edge = world.next_edge()
            if edge is not None and edge <= now and port.unscanned_edge is None:
                port.unscanned_edge = edge
        for world in self.worlds:
            world.advance(now)
        self.now = now

    def _step_table(self, now: Micros) -> None:
        if self.table is None:
            return
        self._wants = self.table.step(now)
        for message in self.table.take_messages():
            self._told(message)
        self._turned(now)


TableOpener = Callable[[Ports, Micros], BenchTable]


def wrong_lamps(world: World, lights: Mapping[LampId, Light]) -> dict[LampId, RGB]:
    """The lamps that show what `lights` never show: another hue than their light's, or any without one.

    A pattern may have its lamp dark at the moment, and brightness is free.
    """
    return {
        lamp: shown
        for lamp, shown in world.copper.lamps().items()
        if shown != DARK and not (lamp in lights and _same_hue(shown, rgb(lights[lamp].code)))
    }


def _same_hue(shown: RGB, full: RGB) -> bool:
    """Whether `shown` is a dimmer `full`, give or take the rounding of each channel."""
    scale = max(shown) / max(full)
    return all(
        abs(here - there * scale) <= 1 + 0.02 * 255 * scale for here, there in zip(shown, full, strict=True)
    )
