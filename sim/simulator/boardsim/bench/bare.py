"""Reeds and buttons of a board without pins, firmware or lamps between: for soaking what lies above them.

Contacts bounce as ever and are debounced as on a Pico, by the same code; lamps keep their lights and
send nothing. A board too large for a header would need five processes in lockstep otherwise, and much more
time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boardsim.world.world import World
from boardware.console import HOLD_MS
from boardware.gpio import LIFT_LOCKOUT_MS, PLACE_DEBOUNCE_MS, SCAN_MS
from boardware.grid import TimeGrid
from boardware.ports import (
    MS,
    ButtonHeld,
    ButtonPressed,
    ConsoleEvent,
    ConsolePort,
    HardwareTrouble,
    LampId,
    LampPort,
    Light,
    Micros,
    SensorChanged,
    SensorEvent,
    SensorPort,
    SlotId,
    Tone,
)
from boardwire.debounce import EagerLiftDeferredPlace


class DebouncedContacts:
    """Named contacts looked at on a grid of moments, debounced."""

    def __init__(self, names: Sequence[str], debounce: EagerLiftDeferredPlace, period: Micros) -> None:
        self._bits = {name: 1 << number for number, name in enumerate(names)}
        self._debounce = debounce
        self._grid = TimeGrid(period)
        self._began = False
        self._told: tuple[int, frozenset[str]] = 0, frozenset()
        """What was told closed last, as bits and as names."""

    def due(self) -> Micros:
        """The next moment of the grid."""
        return self._grid.due()

    def due_after(self, at: Micros) -> Micros:
        """The first moment of the grid at or after `at`."""
        return self._grid.due_after(at)

    def is_quiet(self) -> bool:
        """Whether no contact is bouncing."""
        return self._debounce.quiet()

    def is_closed(self, name: str) -> bool:
        """Whether a contact is closed now."""
        raise NotImplementedError

    def scan_changes(self, now: Micros) -> list[tuple[str, bool]]:
        """Look if a look is due: what is told to have changed."""
        if not self._grid.take_if_due(now):
            return []
        mask = sum(bit for name, bit in self._bits.items() if self.is_closed(name))
        if not self._began:
            self._began = True
            self._debounce.begin(0, mask)
            return []
        changed = self._debounce.update(0, mask, now)
        told = self._debounce.told[0]
        return (
            [(name, bool(told & bit)) for name, bit in self._bits.items() if changed & bit] if changed else []
        )

    def reported_closed(self) -> frozenset[str]:
        """The contacts told closed."""
        told = self._debounce.told[0]
        if told != self._told[0]:
            self._told = told, frozenset(name for name, bit in self._bits.items() if told & bit)
        return self._told[1]

    def close(self) -> None:
        """There is nothing to release."""


class BareSensors(DebouncedContacts):
    """The reeds of a world as a `SensorPort`."""

    def __init__(self, world: World) -> None:
        debounce = EagerLiftDeferredPlace(1, round(PLACE_DEBOUNCE_MS * MS), round(LIFT_LOCKOUT_MS * MS))
        super().__init__(
            [slot for slot in world.board.slots if world.copper.has_reed(slot)], debounce, round(SCAN_MS * MS)
        )
        self._copper = world.copper

    def is_closed(self, name: str) -> bool:
        """Whether the reed of a slot is closed now."""
        return self._copper.closed(SlotId(name))

    def step(self, now: Micros) -> Sequence[SensorEvent]:
        """The pieces that came or went since the last look."""
        return [SensorChanged(now, SlotId(slot), present) for slot, present in self.scan_changes(now)]

    def present(self) -> frozenset[SlotId]:
        """The slots that hold a piece."""
        return frozenset(map(SlotId, self.reported_closed()))


class BareConsole(DebouncedContacts):
    """The buttons of a world as a `ConsolePort` without a buzzer."""

    def __init__(self, world: World) -> None:
        super().__init__(list(world.board.buttons), EagerLiftDeferredPlace(1, 20 * MS, 40 * MS), 20 * MS)
        self._copper = world.copper
        self._down: dict[str, Micros | None] = {}
        """When each that is down is told held; `None`: it was told so."""

    def is_closed(self, name: str) -> bool:
        """Whether a button is down now."""
        return self._copper.is_button_down(name)

    def step(self, now: Micros) -> Sequence[ConsoleEvent]:
        """The buttons let go since the last look, and those that have been down for long."""
        told: list[ConsoleEvent] = []
        for button, down in self.scan_changes(now):
            if down:
                self._down[button] = self.due_after(now + round(HOLD_MS * MS))
            elif (due := self._down.pop(button, None)) is not None:
                told.append(ButtonPressed(now, button, now - (due - round(HOLD_MS * MS))))
        for button, due in self._down.items():
            if due is not None and now >= due:
                self._down[button] = None
                told.append(ButtonHeld(now, button, round(HOLD_MS * MS)))
        return told

    def sound(self, tones: Sequence[Tone], now: Micros) -> None:
        """Nothing sounds."""

    def next_own_change(self) -> Micros | None:
        """When a button that stays down is told held."""
        return min((due for due in self._down.values() if due is not None), default=None)


class BareLamps:
    """Lamps that keep what they are told."""

    def __init__(self) -> None:
        self.lights: Mapping[LampId, Light] = {}

    def show(self, lights: Mapping[LampId, Light], now: Micros) -> None:
        """Keep these lights."""
        self.lights = lights

    def prepare_hints(self, hints: Mapping[SlotId, Mapping[LampId, Light]], now: Micros) -> None:
        """Nothing is lit beforehand."""

    def step(self, now: Micros) -> None:
        """Nothing is sent."""

    def due(self) -> Micros | None:
        """Never."""
        return None

    def take_troubles(self) -> Sequence[HardwareTrouble]:
        """None."""
        return ()

    def close(self) -> None:
        """They go dark."""
        self.lights = {}


def open_drivers(world: World) -> tuple[SensorPort, LampPort, ConsolePort]:
    """Fresh ones over this world."""
    return BareSensors(world), BareLamps(), BareConsole(world)
