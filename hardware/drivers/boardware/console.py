"""Buttons and a buzzer on the Pi's own header, through gpiozero.

Polled, not called back: gpiozero's `Button` would watch edges from a thread, so its plain `InputDevice` is
used; its `Buzzer` would beep from a thread, so its plain `OutputDevice` is. A button lies between its pin and
ground; the pin is pulled up. With the setting `tonal` the buzzer has no tone of its own (a bare piezo disc),
and gpiozero's `TonalBuzzer` gives it the pitches of the tones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import gpiozero
from gpiozero.tones import Tone as Pitch

from boardware.errors import SettingError
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
from boardware.parts import BoardDescription
from boardware.ports import ButtonHeld, ButtonPressed, ConsoleEvent, Micros, Tone, tone_and_rest_ms
from boardware.tomlfile import quote_value
from boardwire.debounce import EagerLiftDeferredPlace
from boardwire.sounds import SoundPlayer

SCAN_MS = 20.0
"""Between looks: a hand presses for 60 ms and more."""
PRESS_DEBOUNCE_MS = 20.0
"""How long a button is down before that counts."""
RELEASE_LOCKOUT_MS = 40.0
"""How long after its release a button is deaf, so that a bouncing release is no second press."""
HOLD_MS = 2000.0
"""How long after it went down a button still down is told held: nobody does that by mistake."""

TONAL_OCTAVES = 2
"""How far the pitches of a tonal buzzer may lie from a' = 440 Hz."""

_SETTINGS = ("pins", "scan_ms", "press_ms", "lockout_ms", "hold_ms", "tonal")
_DRIVER = "console-gpio"


class ButtonTiming(NamedTuple):
    """The spans of a console."""

    period: Micros
    press_debounce: Micros
    release_lockout: Micros
    hold: Micros


def check_settings(board: BoardDescription, settings: Settings) -> tuple[ButtonTiming, str, bool]:
    """The settings, none of them wrong: spans, the way to the pins, a tonal buzzer. Raises `SettingError`."""
    refuse_unknown_settings(_DRIVER, settings, *_SETTINGS)
    timing = ButtonTiming(
        read_milliseconds(_DRIVER, settings, "scan_ms", SCAN_MS, 1, 1000),
        read_milliseconds(_DRIVER, settings, "press_ms", PRESS_DEBOUNCE_MS, 0, 1000),
        read_milliseconds(_DRIVER, settings, "lockout_ms", RELEASE_LOCKOUT_MS, 0, 1000),
        read_milliseconds(_DRIVER, settings, "hold_ms", HOLD_MS, 200, 60_000),
    )
    tonal = settings.get("tonal", False)
    if not isinstance(tonal, bool):
        raise SettingError(f"{_DRIVER}: tonal is {quote_value(tonal)}; try true or false", "tonal")
    pins = check_pin_factory_name(_DRIVER, settings.get("pins", "lgpio" if tonal else "gpiod"))
    if tonal and pins == "gpiod":
        raise SettingError(
            f"{_DRIVER}: gpiod gives a tonal buzzer no pitch; leave pins out, or try 'lgpio'", "pins"
        )
    return timing, pins, tonal


def check_on_header(board: BoardDescription, settings: Settings) -> tuple[ButtonTiming, str, bool]:
    """Check for the header: `DriverError`, too, for a button or a buzzer on a Pico's pin."""
    parts = [(f"button {id_}", button.pico) for id_, button in board.buttons.items()]
    refuse_parts_on_pico(
        _DRIVER, board, [*parts, ("the buzzer", board.buzzer.pico if board.buzzer else None)]
    )
    return check_settings(board, settings)


@with_settings_check(check_on_header)
def open_console(board: BoardDescription, *, pin_factory: Any = None, **settings: object) -> Console:
    """The buttons and the buzzer of `board`.

    `pin_factory` is a gpiozero factory; without one the setting `pins` names it (`gpiod`, or
    `lgpio`, which a tonal buzzer needs).
    Settings: `pins`, `scan_ms`, `press_ms`, `lockout_ms`, `hold_ms`, `tonal`. Raises `SettingError` and
    `DriverError`.
    """
    timing, pins, tonal = (check_on_header if pin_factory is None else check_settings)(board, settings)
    if pin_factory is None and (board.buttons or board.buzzer):
        pin_factory = load_pin_factory(_DRIVER, pins)
    return Console(board, pin_factory, timing, tonal)


class Console:
    """The buttons and the buzzer of a board as a `ConsolePort`.

    Tones begin and end at looks, as presses are told at looks: at moments of one grid.
    """

    def __init__(
        self, board: BoardDescription, pin_factory: Any, timing: ButtonTiming, tonal: bool = False
    ) -> None:
        self._grid = TimeGrid(timing.period if board.buttons or board.buzzer else NO_PINS_PERIOD_US)
        self._names = {1 << place: name for place, name in enumerate(board.buttons)}
        self._presses = EagerLiftDeferredPlace(1, timing.press_debounce, timing.release_lockout)
        self._hold = timing.hold
        self._holds: dict[int, Micros] = {}
        """When a button that is down, by its bit, is told held; none that was told so."""
        self._began = False
        self._player = SoundPlayer()
        self._sounding = False
        self._pitches: Iterator[int] = iter(())
        self._tonal = tonal
        self._buzzer: Any = None
        self._devices: list[Any] = []
        try:
            for button in board.buttons.values():
                device = open_pin_device(
                    _DRIVER, gpiozero.InputDevice, button.gpio, pull_up=True, pin_factory=pin_factory
                )
                self._devices.append(device)
            self._pins = [(1 << place, device.pin) for place, device in enumerate(self._devices)]
            if board.buzzer is not None:
                device = gpiozero.OutputDevice
                if tonal:
                    device = partial(gpiozero.TonalBuzzer, octaves=TONAL_OCTAVES)
                self._buzzer = open_pin_device(_DRIVER, device, board.buzzer.gpio, pin_factory=pin_factory)
                self._devices.append(self._buzzer)
        except BaseException:
            self.close()
            raise

    def step(self, now: Micros) -> Sequence[ConsoleEvent]:
        """Look if a look is due. A button that is down at the first look is told neither pressed nor held."""
        if not self._grid.take_if_due(now):
            return ()
        self._player.step(now)
        self._drive_buzzer()
        down = self.read_buttons()
        if not self._began:
            self._began = True
            self._presses.begin(0, down)
            return ()
        changed = self._presses.update(0, down, now)
        return self._button_events(changed, down, now) if changed or self._holds else ()

    def sound(self, tones: Sequence[Tone], now: Micros) -> None:
        """Cut what plays, and begin this sound at the first look after `now`."""
        if self._buzzer is not None:
            # From a moment of the grid, so that looks that come a little late still find every edge; from
            # one after `now`, so that it doesn't matter whether the look of `now` was taken already.
            self._player.play(tone_and_rest_ms(tones), self._grid.due_after(now + 1))
            self._drive_buzzer()
            self._pitches = iter([tone.pitch_hz for tone in tones])

    def read_buttons(self) -> int:
        """The buttons that are down at this moment, as bits in the order of the board file."""
        down = 0
        for bit, pin in self._pins:
            if not pin.state:
                down |= bit
        return down

    def switch_buzzer(self, on: bool, pitch_hz: int) -> None:
        """Have the buzzer sound, or be silent; the pitch is that of a tonal one."""
        if self._buzzer is None:
            return
        if not self._tonal:
            self._buzzer.value = on
        elif on:
            self._buzzer.play(Pitch.from_frequency(pitch_hz))
        else:
            self._buzzer.stop()

    def due(self) -> Micros:
        """The next moment of the grid."""
        return self._grid.due()

    def due_after(self, at: Micros) -> Micros:
        """The first moment of the grid at or after `at`."""
        return self._grid.due_after(at)

    def is_quiet(self) -> bool:
        """Whether, as of the last look, no press is waiting to be told."""
        return not self._pins or (self._began and self._presses.quiet())

    def next_own_change(self) -> Micros | None:
        """The look at which a tone begins or ends, or a button that stays down is told held."""
        moments = [*self._holds.values()]
        tone = self._player.due()
        if tone is not None:
            moments.append(tone)
        return self._grid.due_after(min(moments)) if moments else None

    def close(self) -> None:
        """Release the pins; the buzzer is silent."""
        self._pins = []
        self._buzzer = None
        while self._devices:
            self._devices.pop().close()

    def _drive_buzzer(self) -> None:
        if self._buzzer is not None and self._player.on != self._sounding:
            self._sounding = self._player.on
            self.switch_buzzer(self._sounding, next(self._pitches) if self._sounding else 0)

    def _button_events(self, changed: int, down: int, now: Micros) -> list[ConsoleEvent]:
        """Of the buttons let go at this look after a short press, and of those held since."""
        told: list[ConsoleEvent] = []
        for bit, name in self._names.items():
            if changed & bit and down & bit:
                self._holds[bit] = now + self._hold
            elif changed & bit:
                held_at = self._holds.pop(bit, None)
                if held_at is not None:
                    told.append(ButtonPressed(now, name, now - (held_at - self._hold)))
            elif now >= self._holds.get(bit, now + 1):
                del self._holds[bit]
                told.append(ButtonHeld(now, name, self._hold))
        return told
