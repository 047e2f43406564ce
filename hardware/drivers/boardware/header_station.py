"""The firmware of a Pico on the header of a Pi: `boardwire.station` over the drivers of the header.

A satellite runs it for a board on its own header, so that its host speaks to a Pico (`header_pico`).
"""

from __future__ import annotations

import logging

from boardware.console import Console
from boardware.gpio import ReedMatrix
from boardware.header_pico import header_as_pico
from boardware.log_throttle import LogThrottle
from boardware.neopixel import RETRY_INTERVAL_US, PixelLamps
from boardware.parts import HEADER, BoardDescription
from boardware.pico_plan import PicoPlan
from boardware.ports import MS, Micros
from boardwire.lamps import Chain, Lamps
from boardwire.link import PicoLink
from boardwire.scanner import Bank, Buttons
from boardwire.station import VERSION, Station

log = logging.getLogger("boardumpire.header")

LOOK_AGAIN_US: Micros = 2 * MS
"""Between looks while a contact may bounce ..."""
UNSURE_US: Micros = 8 * MS
"""... which is for so long after it changed: longer than it takes until a place is told."""
PITCH_HZ = 880
"""Of all tones of a buzzer without a tone of its own: the wire tells only how long they are."""
_FIRST_BUTTON = 32
"""The bit of the first button in a look; the columns of a bank come before it."""
_FAILURES = (OSError, RuntimeError)
"""What Adafruit's libraries raise when a bus does not take a frame."""


class HeaderStation:
    """One header. Whoever turns it calls `step` at `due`, or when something comes."""

    def __init__(
        self, board: BoardDescription, sensors: ReedMatrix, lamps: PixelLamps, console: Console, now: Micros
    ) -> None:
        """Drivers that are open; nothing else may turn them. Raises `DriverError` as `header_as_pico`."""
        plan = PicoPlan(header_as_pico(board), HEADER)
        self._drivers = sensors, lamps, console
        self._looks = _Looks(sensors, console, len(plan.buttons), now)
        banks: list[Bank] = []
        row = contact = 0
        for each in plan.banks:
            rows, columns = len(each.rows), len(each.columns)
            banks.append(Bank(row, rows, 0, columns, contact, each.has_diodes))
            row, contact = row + rows, contact + rows * columns
        chains = [Chain(_Pixels(lamps), each.length, board.current_limit_ma) for each in plan.chains]
        buttons = Buttons(range(_FIRST_BUTTON, _FIRST_BUTTON + len(plan.buttons)))
        self._station = Station(
            PicoLink(VERSION, board.id, plan.wiring_hash, HEADER),
            self._looks,
            banks,
            buttons,
            Lamps(chains),
            lambda on: console.switch_buzzer(on, PITCH_HZ),
            now,
        )

    def step(self, now: Micros, data: bytes) -> bytes:
        """Take what came from the host, look, and light; what has to be sent to the host."""
        out: bytes = self._station.step(now, data)
        self._station.light(now)
        return out

    def due(self) -> Micros:
        """When to step next if nothing comes."""
        return min(self._station.due(), self._looks.due)

    def close(self) -> None:
        """Dark lamps, free pins. Closing twice is allowed."""
        for driver in self._drivers:
            driver.close()


class _Looks:
    """What pins read, row after row, as `boardwire.station` wants it: the columns of a row from bit 0 on, in
    the first word the buttons, too."""

    def __init__(self, sensors: ReedMatrix, console: Console, buttons: int, now: Micros) -> None:
        self._sensors, self._console = sensors, console
        self._rows = [[0] * len(bank.bank.rows) for bank in sensors.banks]
        self._buttons = (1 << buttons) - 1
        self.words: list[int] = []
        self.rows = 0
        self.row_us = 0
        self.half_us = sensors.period // 2
        self.due = now + sensors.period
        """When the next look is to be taken."""
        self._unsure_until = now
        self._look()

    def next(self, until: Micros) -> Micros:
        """Look, if a look is due; `until`, if it differs from the one before, else less than 0."""
        if until < self.due:
            return -1
        before = self.words
        self._look()
        differ = [new != old for new, old in zip(self.words, before, strict=True)]
        self.rows = sum(1 << place for place, differs in enumerate(differ) if differs)
        if self.rows:
            self._unsure_until = until + UNSURE_US
        self.due = until + (LOOK_AGAIN_US if until < self._unsure_until else self._sensors.period)
        return until if self.rows else -1

    def _look(self) -> None:
        for bank, rows in zip(self._sensors.banks, self._rows, strict=True):
            bank.read_rows(rows)
        words = [word for rows in self._rows for word in rows] or [0]
        words[0] |= (self._buttons & ~self._console.read_buttons()) << _FIRST_BUTTON
        self.words = words


class _Pixels:
    """The chain, as `boardwire.lamps` wants it."""

    def __init__(self, lamps: PixelLamps) -> None:
        self._pixels = lamps.pixels
        self._log = LogThrottle(log)

    def __setitem__(self, index: int, colour: tuple[int, int, int]) -> None:
        self._pixels[index] = colour

    def write(self, count: int, now: Micros) -> Micros:
        """Send what was set; 0, or when to try again because the bus takes nothing."""
        try:
            self._pixels.show()
        except _FAILURES as error:
            self._log.write(logging.WARNING, "lamps", now, "the lamps take nothing: %s", error)
            return now + RETRY_INTERVAL_US
        return 0
