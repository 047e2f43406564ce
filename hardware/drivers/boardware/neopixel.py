"""WS2812 lamps through Adafruit's libraries: by SPI (no root), by PWM, or by the PIO of a Pi 5.

By SPI the data leaves GPIO10: it needs the group `spi` alone, but takes the SPI bus, and its timing hangs on
the core clock (`core_freq=250` on a Pi 3, `core_freq_min=500` on a Pi 4 keep it still). By PWM it leaves
GPIO18: it needs root and takes the PWM that analogue sound uses. A Pi 5 has PIO instead, at the same pin:
that needs the group `gpio` alone. All send the whole frame for one changed lamp: 30 us a lamp.

Without a way of its own the driver takes SPI where that opens, else GPIO18.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from boardware.errors import DriverError, install_hint
from boardware.header import PWM_GPIO
from boardware.opening import Settings, read_whole_number, refuse_unknown_settings, with_settings_check
from boardware.parts import BoardDescription, LampChain
from boardware.ports import SECOND, HardwareTrouble, LampId, Light, Micros, SlotId
from boardwire.strip import Strip

DEFAULT_BRIGHTNESS_PERCENT = 50
"""Percent."""
SEND_ATTEMPTS = 3
"""How often a frame is sent before it is given up for `RETRY_INTERVAL_US`."""
RETRY_INTERVAL_US: Micros = SECOND

_FAILURES = (OSError, RuntimeError)
"""What the two libraries raise when a bus does not take a frame."""
_SETTINGS = ("brightness",)
_SPI_DRIVER, _PWM_DRIVER, _ANY_DRIVER = "neopixel-spi", "neopixel-pwm", "neopixel"
EXTRAS_BY_DRIVER = {_SPI_DRIVER: "pi", _PWM_DRIVER: "pwm"}
"""Which extra brings the libraries of a way; `pwm` also brings those of a Pi 5's PIO."""


def check_spi(board: BoardDescription, settings: Settings) -> None:
    """Raises `SettingError`, or `DriverError` for a board without such lamps."""
    _chain_and_brightness(board, "spi", _SPI_DRIVER, settings)


def check_pwm(board: BoardDescription, settings: Settings) -> None:
    """Raises `SettingError`, or `DriverError` for a board without such lamps."""
    _chain_and_brightness(board, "pwm", _PWM_DRIVER, settings)


def check_any(board: BoardDescription, settings: Settings) -> None:
    """Raises `SettingError`, or `DriverError` for a board without such lamps."""
    _chain_and_brightness(board, None, _ANY_DRIVER, settings)


@with_settings_check(check_any)
def open_any(board: BoardDescription, **settings: object) -> PixelLamps:
    """The lamps of the first chain on the header, by the first way that opens: SPI, then GPIO18.

    Setting: `brightness` in percent. Raises `SettingError`, and `DriverError` with why each way failed.
    """
    chain, _ = _chain_and_brightness(board, None, _ANY_DRIVER, settings)
    failures = []
    for way, opens in (("spi", open_spi), ("pwm", open_pwm)):
        if way in chain.drive_methods:
            try:
                return opens(board, **settings)
            except DriverError as error:
                failures.append(str(error))
    raise DriverError(f"{_ANY_DRIVER}: {'; '.join(failures)}; try it on the Pi of the board")


@with_settings_check(check_spi)
def open_spi(board: BoardDescription, *, spi: Any = None, **settings: object) -> PixelLamps:
    """The lamps of the chain that SPI drives.

    `spi` is an object with the methods of `busio.SPI`; without one it is the Pi's own. Setting: `brightness`
    in percent. Raises `SettingError` and `DriverError`.
    """

    def build(chain: LampChain) -> Any:
        library = import_module("neopixel_spi")
        bus = import_module("board").SPI() if spi is None else spi
        return library.NeoPixel_SPI(bus, chain.length, pixel_order=chain.colour_order, auto_write=False)

    return _open_chain(board, "spi", _SPI_DRIVER, build, settings)


@with_settings_check(check_pwm)
def open_pwm(board: BoardDescription, **settings: object) -> PixelLamps:
    """The lamps of the chain that PWM drives. Setting: `brightness` in percent.

    Raises `SettingError` and `DriverError`.
    """

    def build(chain: LampChain) -> Any:
        library = import_module("neopixel")
        pin = getattr(import_module("board"), f"D{PWM_GPIO}")
        return library.NeoPixel(pin, chain.length, pixel_order=chain.colour_order, auto_write=False)

    return _open_chain(board, "pwm", _PWM_DRIVER, build, settings)


def _chain_and_brightness(
    board: BoardDescription, way: str | None, driver: str, settings: Settings
) -> tuple[LampChain, int]:
    """The chain that is driven that way (`None`: by any of the header), and its brightness in percent."""
    refuse_unknown_settings(driver, settings, *_SETTINGS)
    percent = read_whole_number(driver, settings, "brightness", DEFAULT_BRIGHTNESS_PERCENT, 1, 100)
    ways = {"spi", "pwm"} if way is None else {way}
    chain = next((chain for chain in board.chains.values() if ways & {*chain.drive_methods}), None)
    if chain is None:
        listed = " or ".join(f"by = [{one!r}]" for one in sorted(ways, reverse=True))
        raise DriverError(f"{driver}: board {board.id} has no chain of lamps with {listed}")
    return chain, percent


def _open_chain(
    board: BoardDescription, way: str, driver: str, build: Callable[[LampChain], Any], settings: Settings
) -> PixelLamps:
    chain, percent = _chain_and_brightness(board, way, driver, settings)
    share = board.current_limit_ma * chain.length // sum(one.length for one in board.chains.values())
    strip = Strip(chain.length, share, max(1, percent * 255 // 100))
    try:
        pixels = build(chain)
        pixels.show()  # dark; PWM without root fails here rather than at the first move
    except ImportError as error:
        raise DriverError(
            f"{driver} needs a library that is not here ({error}): {install_hint(EXTRAS_BY_DRIVER[driver])}"
        ) from error
    except (NotImplementedError, AttributeError) as error:  # Blinka's ways to say "this is no Pi"
        raise DriverError(f"{driver}: no lamps on this machine: it is no Raspberry Pi ({error})") from error
    except _FAILURES as error:
        raise DriverError(f"{driver}: no lamps on this machine: {error}") from error
    return PixelLamps(board, chain, strip, pixels)


class PixelLamps:
    """One chain as a `LampPort`: keeps the last frame sent, sends only one that differs."""

    def __init__(self, board: BoardDescription, chain: LampChain, strip: Strip, pixels: Any) -> None:
        self._indices = {lamp: at.index for lamp, at in board.lamps.items() if at.chain == chain.id}
        self._chain = chain.id
        self._strip = strip
        self.pixels = pixels
        """The chain, as Adafruit's libraries have it; `None` once it is closed."""
        self._sent: list[tuple[int, int, int]] | None = None
        self._due: Micros | None = 0
        self._retry_at: Micros | None = None
        self._failure = ""
        self._troubles: list[HardwareTrouble] = []

    def show(self, lights: Mapping[LampId, Light], now: Micros) -> None:
        """From now on show these lights; `step` sends them."""
        indices = self._indices
        self._strip.show(
            {indices[lamp]: light.code for lamp, light in lights.items() if lamp in indices}, now
        )
        if self._retry_at is None:
            self._due = now

    def prepare_hints(self, hints: Mapping[SlotId, Mapping[LampId, Light]], now: Micros) -> None:
        """Nothing to prepare: the lamps are driven here."""

    def step(self, now: Micros) -> None:
        """Send the frame of this moment if it differs from the last one sent.

        After `SEND_ATTEMPTS` failures in a row the lamps are left alone for a second, then tried again.
        """
        if self.pixels is None or (self._retry_at is not None and now < self._retry_at):
            return
        frame = self._strip.frame(now)
        if frame != self._sent and not self._send(frame):
            if self._retry_at is None:
                self._troubles.append(HardwareTrouble(now, "lamps-silent", self._chain, self._failure))
            self._retry_at = self._due = now + RETRY_INTERVAL_US
            return
        if self._retry_at is not None:
            self._troubles.append(HardwareTrouble(now, "lamps-back", self._chain))
            self._retry_at = None
        self._due = self._strip.next_change_us(now)

    def due(self) -> Micros | None:
        """When a pattern changes next, or a failed frame is tried again."""
        return self._due

    def take_troubles(self) -> Sequence[HardwareTrouble]:
        """`lamps-silent` and `lamps-back` since the last call."""
        troubles, self._troubles = self._troubles, []
        return troubles

    def close(self) -> None:
        """Dark lamps, then release."""
        pixels, self.pixels, self._due = self.pixels, None, None
        if pixels is not None:
            try:
                pixels.deinit()
            except _FAILURES as error:
                self._failure = str(error)

    def _send(self, frame: list[tuple[int, int, int]]) -> bool:
        pixels, sent = self.pixels, self._sent
        for index in range(len(frame)) if sent is None else _changed_lamps(frame, sent):
            pixels[index] = frame[index]
        self._sent = None  # until the frame is out, nobody knows what the lamps show
        for _ in range(SEND_ATTEMPTS):
            try:
                pixels.show()
            except _FAILURES as error:
                self._failure = str(error)
            else:
                self._sent = frame
                return True
        return False


def _changed_lamps(frame: list[tuple[int, int, int]], sent: list[tuple[int, int, int]]) -> list[int]:
    """The lamps whose colour is not what was sent."""
    return [index for index, (new, old) in enumerate(zip(frame, sent, strict=True)) if new != old]
