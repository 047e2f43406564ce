"""The reed matrix on the Pi's own header, through gpiozero.

A row is driven high, its columns are read once they have settled, then it rests: low where diodes keep rows
apart, floating where none do (two rows joined by reeds must not fight). Devices are gpiozero's; they are read
through `Pin.state`, which costs a third of `InputDevice.value`. No gpiozero thread or callback is used.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import gpiozero

from boardware.grid import NO_PINS_PERIOD_US, TimeGrid
from boardware.opening import (
    Settings,
    check_pin_factory_name,
    load_pin_factory,
    open_pin_device,
    read_milliseconds,
    refuse_parts_on_pico,
    refuse_unknown_settings,
    with_settings_check,
)
from boardware.parts import BoardDescription, MatrixBank, SensorAt
from boardware.ports import HardwareTrouble, Micros, SensorChanged, SensorEvent, SlotId
from boardwire.debounce import EagerLiftDeferredPlace
from boardwire.ghosts import believed_contacts

SCAN_MS = 10.0
"""Between scans. A scan of 8 x 8 pins is some 100 calls into the kernel and 8 settle times: an
estimated 2 to 5 ms of a Pi (nobody measured it). Every 10 ms leaves most of a core to the rest, still finds
the shortest tap of a hand (some 30 ms) and adds 5 ms on average to an answer, felt as immediate below 50."""
PLACE_DEBOUNCE_MS = 5.0
"""How long a contact is closed before a place is told: reeds bounce for less than 2 ms."""
LIFT_LOCKOUT_MS = 20.0
"""How long after a lift nothing is told of its contact: a magnet leaving slowly lets a reed chatter."""

SleepFunction = Callable[[Micros], None]
"""Lets that many microseconds pass."""

_SETTINGS = ("pins", "scan_ms", "place_ms", "lockout_ms")
_DRIVER = "gpio"


class ScanTiming(NamedTuple):
    """The settings as they are used."""

    period: Micros
    place_debounce: Micros
    lift_lockout: Micros
    pin_factory_name: str


def check_settings(board: BoardDescription, settings: Settings) -> ScanTiming:
    """The settings, none of them wrong. Raises `SettingError`."""
    refuse_unknown_settings(_DRIVER, settings, *_SETTINGS)
    return ScanTiming(
        read_milliseconds(_DRIVER, settings, "scan_ms", SCAN_MS, 0.5, 1000),
        read_milliseconds(_DRIVER, settings, "place_ms", PLACE_DEBOUNCE_MS, 0, 1000),
        read_milliseconds(_DRIVER, settings, "lockout_ms", LIFT_LOCKOUT_MS, 0, 1000),
        check_pin_factory_name(_DRIVER, settings.get("pins", "gpiod")),
    )


def check_on_header(board: BoardDescription, settings: Settings) -> ScanTiming:
    """Check for the header: `DriverError`, too, for a bank whose pins are a Pico's."""
    refuse_parts_on_pico(_DRIVER, board, [(f"bank {bank.id}", bank.pico) for bank in board.banks.values()])
    return check_settings(board, settings)


@with_settings_check(check_on_header)
def open_sensors(
    board: BoardDescription, *, pin_factory: Any = None, wait: SleepFunction | None = None, **settings: object
) -> ReedMatrix:
    """The reeds of all banks of `board`.

    `pin_factory` is a gpiozero factory; without one the setting `pins` names it (`gpiod`, the default, or
    `lgpio`). `wait` lets a row settle: a sleep unless told otherwise. Settings: `pins`, `scan_ms`,
    `place_ms`, `lockout_ms`. Raises `SettingError` and `DriverError`.
    """
    period, place, lockout, pins = (check_on_header if pin_factory is None else check_settings)(
        board, settings
    )
    if pin_factory is None and board.banks:
        pin_factory = load_pin_factory(_DRIVER, pins)
    banks: list[ReedBank] = []
    try:
        for bank in board.banks.values():
            banks.append(ReedBank(bank, pin_factory, wait or _sleep))
    except BaseException:
        for opened in banks:
            opened.close()
        raise
    return ReedMatrix(board, banks, period, place, lockout)


def _sleep(span: Micros) -> None:
    time.sleep(span / 1_000_000)


class ReedBank:
    """The pins of one bank: reads it row by row."""

    def __init__(self, bank: MatrixBank, pin_factory: Any, wait: SleepFunction) -> None:
        self.bank = bank
        self._wait = wait
        self._devices: list[Any] = []
        try:
            for gpio in bank.rows:
                row = open_pin_device(_DRIVER, gpiozero.OutputDevice, gpio, pin_factory=pin_factory)
                self._devices.append(row)
            for gpio in bank.columns:
                column = open_pin_device(
                    _DRIVER, gpiozero.InputDevice, gpio, pull_up=False, pin_factory=pin_factory
                )
                self._devices.append(column)
        except BaseException:
            self.close()
            raise
        pins = [device.pin for device in self._devices]
        self._rows = pins[: len(bank.rows)]
        self._columns = [(1 << number, pin) for number, pin in enumerate(pins[len(bank.rows) :])]
        if not bank.has_diodes:
            for pin in self._rows:
                pin.function = "input"

    def read_rows(self, masks: list[int]) -> bool:
        """Read every row into `masks`, a closed contact being a 1. Returns whether any row differs."""
        bank, wait, columns = self.bank, self._wait, self._columns
        differs = False
        for number, row in enumerate(self._rows):
            if bank.has_diodes:
                row.state = True
            else:
                row.output_with_state(True)
            try:
                wait(bank.settle_us)
                mask = 0
                for bit, column in columns:
                    if column.state:
                        mask |= bit
            finally:
                if bank.has_diodes:
                    row.state = False
                else:
                    row.function = "input"
            if mask != masks[number]:
                masks[number] = mask
                differs = True
        return differs

    def close(self) -> None:
        """Release the pins."""
        while self._devices:
            self._devices.pop().close()


class ReedMatrix:
    """All banks of a board as one `SensorPort`.

    Without diodes, contacts that might be ghosts keep the state they had before; one that looks closed but is
    not believed is told as `HardwareTrouble("ghost", its slot)` once it has lasted.
    """

    def __init__(
        self,
        board: BoardDescription,
        banks: Sequence[ReedBank],
        period: Micros,
        place: Micros,
        lockout: Micros,
    ) -> None:
        self.banks = banks
        self.period = period
        """Between two scans."""
        self._grid = TimeGrid(period if banks else NO_PINS_PERIOD_US)
        self._sides = [_BankInterpreter(bank, board, place, lockout) for bank in banks]
        self._present: frozenset[SlotId] | None = frozenset()
        self._began = False

    def step(self, now: Micros) -> Sequence[SensorEvent]:
        """Scan if a scan is due, and tell what changed."""
        if not self._grid.take_if_due(now):
            return ()
        if not self._began:
            self._began = True
            self._present = None
            for side in self._sides:
                side.begin_scanning(now)
            return ()
        events: list[SensorEvent] | None = None
        for side in self._sides:
            if (side.bank.read_rows(side.raw_masks) or not side.is_quiet()) and (
                told := side.interpret_masks(now)
            ):
                events = told if events is None else events + told
                self._present = None
        return () if events is None else events

    def present(self) -> frozenset[SlotId]:
        """The slots that hold a piece."""
        if self._present is None:
            self._present = frozenset(slot for side in self._sides for slot in side.occupied_slots())
        return self._present

    def due(self) -> Micros:
        """The next moment of the scan grid."""
        return self._grid.due()

    def due_after(self, at: Micros) -> Micros:
        """The first moment of the scan grid at or after `at`."""
        return self._grid.due_after(at)

    def is_quiet(self) -> bool:
        """Whether, as of the last scan, nothing is waiting to be told."""
        return self._began and all(side.is_quiet() for side in self._sides)

    def close(self) -> None:
        """Release the pins."""
        for side in self._sides:
            side.bank.close()


class _BankInterpreter:
    """What one bank's looks mean: ghosts held back, debounced, named by slot."""

    def __init__(self, bank: ReedBank, board: BoardDescription, place: Micros, lockout: Micros) -> None:
        rows = len(bank.bank.rows)
        self.bank = bank
        self.raw_masks = [0] * rows
        self._believed = [0] * rows
        self._contacts = EagerLiftDeferredPlace(rows, place, lockout)
        self._ghosts = EagerLiftDeferredPlace(rows, place, lockout)
        self._slots = {
            (at.row, 1 << at.column): slot
            for at, slot in board.slots_by_contact.items()
            if at.bank == bank.bank.id
        }

    def begin_scanning(self, now: Micros) -> None:
        self.bank.read_rows(self.raw_masks)
        self._update_believed()
        for row, mask in enumerate(self._believed):
            self._contacts.begin(row, mask)
        self.interpret_masks(now)

    def interpret_masks(self, now: Micros) -> list[SensorEvent]:
        """What the masks of `raw_masks` tell."""
        self._update_believed()
        events: list[SensorEvent] = []
        for row, mask in enumerate(self._believed):
            changed = self._contacts.update(row, mask, now)
            while changed:
                bit = changed & -changed
                changed ^= bit
                slot = self._slots.get((row, bit))
                if slot is not None:
                    events.append(SensorChanged(now, slot, bool(self._contacts.told[row] & bit)))
        if not self.bank.bank.has_diodes:
            events += self._ghost_troubles(now)
        return events

    def _update_believed(self) -> None:
        self._believed = (
            self.raw_masks if self.bank.bank.has_diodes else believed_contacts(self.raw_masks, self._believed)
        )

    def _ghost_troubles(self, now: Micros) -> list[SensorEvent]:
        events: list[SensorEvent] = []
        for row, mask in enumerate(self.raw_masks):
            new = self._ghosts.update(row, mask & ~self._believed[row], now) & self._ghosts.told[row]
            while new:
                bit = new & -new
                new ^= bit
                events.append(
                    HardwareTrouble(
                        now, "ghost", self._contact_name(row, bit), "a corner of a rectangle, no diodes"
                    )
                )
        return events

    def _contact_name(self, row: int, bit: int) -> str:
        at = SensorAt(self.bank.bank.id, row, bit.bit_length() - 1)
        return self._slots.get((row, bit), f"{at.bank}:{at.row},{at.column}")

    def is_quiet(self) -> bool:
        return self._contacts.quiet() and self._ghosts.quiet()

    def occupied_slots(self) -> list[SlotId]:
        told = self._contacts.told
        return [slot for (row, bit), slot in self._slots.items() if told[row] & bit]
