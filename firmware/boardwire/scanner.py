"""Reads a reed matrix row by row and says what changed. Pins and time are passed in. MicroPython subset.

`pins` has five methods, each one operation on the pins of a whole mask: `high` and `low` set what driven pins
give, `drive` and `release` begin and end to drive, `levels` is what all pins read. A scan costs four
operations a row, whatever the number of columns: they are read at once.
"""

from boardwire.debounce import EagerLiftDeferredPlace
from boardwire.ghosts import believed

PLACE_US = 5000
"""How long a contact is closed before a place is told: reeds bounce for less than 2 ms."""
LOCKOUT_US = 20_000
"""How long after a lift nothing is told of its contact: a magnet leaving slowly lets a reed chatter."""


class Matrix:
    """The pins of one bank. Columns are `columns` neighbours from pin `first` on."""

    def __init__(self, pins, rows, first, columns, diodes, settle) -> None:  # type: ignore[no-untyped-def]
        """`settle()` lets a row settle. With diodes a resting row is driven low, without it floats."""
        self.rows = [1 << row for row in rows]
        self._pins = pins
        self._first = first
        self._mask = (1 << columns) - 1
        self._diodes = diodes
        self._settle = settle
        every = sum(self.rows)
        if diodes:
            pins.low(every)
            pins.drive(every)
        else:
            pins.release(every)
            pins.high(every)

    def read(self, masks: list[int]) -> bool:
        """Read every row into `masks`, a closed contact being a 1. Returns whether any row differs."""
        pins, settle, first, every = self._pins, self._settle, self._first, self._mask
        begin, end = (pins.high, pins.low) if self._diodes else (pins.drive, pins.release)
        differs = False
        for number, row in enumerate(self.rows):
            begin(row)
            settle()
            mask = pins.levels() >> first & every
            end(row)
            if mask != masks[number]:
                masks[number] = mask
                differs = True
        return differs


class Bank:
    """One bank: ghosts held back, debounced, contacts numbered from `base` on, row by row."""

    def __init__(self, matrix: Matrix, columns: int, base: int, diodes: bool) -> None:
        rows = len(matrix.rows)
        self.size = rows * columns
        self._matrix = matrix
        self._columns = columns
        self._base = base
        self._diodes = diodes
        self._raw = [0] * rows
        self._believed = [0] * rows
        self._contacts = EagerLiftDeferredPlace(rows, PLACE_US, LOCKOUT_US)
        self._ghosts = EagerLiftDeferredPlace(rows, PLACE_US, LOCKOUT_US)

    def begin(self) -> None:
        """Take the board as it is, telling nothing."""
        self._matrix.read(self._raw)
        self._believe()
        for row, mask in enumerate(self._believed):
            self._contacts.begin(row, mask)

    def scan(self, now: int) -> list[tuple[str, int]]:
        """Look at every row; what changed as (`lifted`, `placed` or `ghost`, contact)."""
        if not self._matrix.read(self._raw) and self.quiet():
            return []
        self._believe()
        told: list[tuple[str, int]] = []
        for row, mask in enumerate(self._believed):
            changed = self._contacts.update(row, mask, now)
            if changed:
                closed = self._contacts.told[row]
                self._tell(told, "placed", row, changed & closed)
                self._tell(told, "lifted", row, changed & ~closed)
        if not self._diodes:
            for row, mask in enumerate(self._raw):
                new = self._ghosts.update(row, mask & ~self._believed[row], now)
                self._tell(told, "ghost", row, new & self._ghosts.told[row])
        return told

    def coming(self) -> list[int]:
        """The contacts that were closed at the last look and have not been told placed yet."""
        numbers = []
        for row, mask in enumerate(self._believed):
            mask &= ~self._contacts.told[row]
            number = self._base + row * self._columns
            while mask:
                if mask & 1:
                    numbers.append(number)
                mask >>= 1
                number += 1
        return numbers

    def closed(self) -> list[int]:
        """The contacts told closed."""
        numbers = []
        for row, mask in enumerate(self._contacts.told):
            number = self._base + row * self._columns
            while mask:
                if mask & 1:
                    numbers.append(number)
                mask >>= 1
                number += 1
        return numbers

    def quiet(self) -> bool:
        """Whether nothing waits to be told: while the copper stays as it is, looking changes nothing."""
        return self._contacts.quiet() and self._ghosts.quiet()

    def _believe(self) -> None:
        self._believed = self._raw if self._diodes else believed(self._raw, self._believed)

    def _tell(self, told: list[tuple[str, int]], name: str, row: int, mask: int) -> None:
        number = self._base + row * self._columns
        while mask:
            if mask & 1:
                told.append((name, number))
            mask >>= 1
            number += 1


class Buttons:
    """Buttons between a pin and ground, pulled up."""

    PRESS_US = 20_000
    """How long a button is down before a press is told."""
    LOCKOUT_US = 40_000
    """How long after its release a button is deaf."""

    def __init__(self, pins, gpios) -> None:  # type: ignore[no-untyped-def]
        self._pins = pins
        self._gpios = gpios
        self._presses = EagerLiftDeferredPlace(1, self.PRESS_US, self.LOCKOUT_US)

    def begin(self) -> None:
        """Take what is held down now as no press."""
        self._presses.begin(0, self._down())

    def scan(self, now: int) -> list[tuple[str, int]]:
        """What changed, as (`pressed` or `released`, button)."""
        if not self._gpios:
            return []
        down = self._down()
        changed = self._presses.update(0, down, now)
        if not changed:
            return []
        return [
            ("pressed" if down >> number & 1 else "released", number)
            for number in range(len(self._gpios))
            if changed >> number & 1
        ]

    def quiet(self) -> bool:
        """Whether no press waits to be told."""
        return self._presses.quiet()

    def _down(self) -> int:
        levels = self._pins.levels()
        down = 0
        for number, gpio in enumerate(self._gpios):
            if not levels >> gpio & 1:
                down |= 1 << number
        return down
