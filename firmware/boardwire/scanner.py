"""Says what changed of reeds and buttons from one look at the pins to the next. MicroPython subset.

Something strobes the rows of all banks, one after the other, and keeps what all pins read during each: the
`words` of a look, a bit a pin. It gives only looks that differ from the one before. So whatever waits for a
contact to stay as it is says when it is `due`.
"""

from boardwire.debounce import EagerLiftDeferredPlace
from boardwire.ghosts import believed_contacts

PLACE_DEBOUNCE_US = 5000
"""How long a contact is closed before a place is told: reeds bounce for less than 2 ms."""
LIFT_LOCKOUT_US = 20_000
"""How long after a lift nothing is told of its contact: a magnet leaving slowly lets a reed chatter."""


class Bank:
    """One bank: ghosts held back, debounced, contacts numbered from `base` on, row by row."""

    def __init__(self, at, rows, first, columns, base, diodes) -> None:  # type: ignore[no-untyped-def]
        """Its rows are the words from `at` on, its columns neighbouring pins from `first` on."""
        self.size = rows * columns
        self._at = at
        self._first = first
        self._every = (1 << columns) - 1
        self._all_rows = (1 << rows) - 1
        self._columns = columns
        self._base = base
        self._diodes = diodes
        self._raw = [0] * rows
        self._believed = self._raw if diodes else [0] * rows
        self._contacts = EagerLiftDeferredPlace(rows, PLACE_DEBOUNCE_US, LIFT_LOCKOUT_US)
        self._ghosts = EagerLiftDeferredPlace(rows, PLACE_DEBOUNCE_US, LIFT_LOCKOUT_US)
        self.waits = False
        """Whether something may be `due`."""

    def begin(self, words) -> None:  # type: ignore[no-untyped-def]
        """Take the board as it is, telling nothing."""
        self._read_words(words)
        for row, mask in enumerate(self._believed):
            self._contacts.begin(row, mask)

    def look(self, words, rows: int, now: int) -> list[tuple[str, int]]:  # type: ignore[no-untyped-def]
        """What changed by this look, as (`lifted`, `placed` or `ghost`, contact).

        `rows`: the words that differ from those of the look before, as bits.
        """
        told: list[tuple[str, int]] = []
        contacts = self._contacts
        rows = rows >> self._at & self._all_rows
        if not self._diodes:
            if rows or contacts.pending_rows or self._ghosts.pending_rows:
                self._look_for_ghosts(words, told, now)
                self.waits = True
            return told
        raw, first, every, row = self._raw, self._first, self._every, 0
        rows |= contacts.pending_rows
        while rows:
            if rows & 1:
                mask = raw[row] = words[self._at + row] >> first & every
                changed = contacts.update(row, mask, now)
                if changed:
                    self._report_changes(told, row, changed)
            rows >>= 1
            row += 1
        self.waits = contacts.pending_rows != 0
        return told

    def _look_for_ghosts(self, words, told, now: int) -> None:  # type: ignore[no-untyped-def]
        self._read_words(words)
        for row, mask in enumerate(self._believed):
            self._report_changes(told, row, self._contacts.update(row, mask, now))
        for row, mask in enumerate(self._raw):
            new = self._ghosts.update(row, mask & ~self._believed[row], now)
            self._append_events(told, "ghost", row, new & self._ghosts.told[row])

    def _report_changes(self, told, row: int, changed: int) -> None:  # type: ignore[no-untyped-def]
        placed = changed & self._contacts.told[row]
        if placed:
            self._append_events(told, "placed", row, placed)
        if changed != placed:
            self._append_events(told, "lifted", row, changed & ~placed)

    def word(self, contact: int) -> int:
        """In which word of a look a contact of this bank is."""
        return int(self._at + (contact - self._base) // self._columns)

    def due(self) -> int | None:
        """When something is told if the copper stays as it is; `None`: never."""
        contact = self._contacts.due()
        if self._diodes:
            return contact
        ghost = self._ghosts.due()
        return ghost if contact is None or (ghost is not None and ghost < contact) else contact

    def rebase(self, by: int) -> None:
        """Count moments from a start that is `by` later."""
        self._contacts.rebase(by)
        self._ghosts.rebase(by)

    def coming(self) -> list[int]:
        """The contacts that were closed at the last look and have not been told placed yet."""
        numbers: list[int] = []
        if not self._contacts.pending_rows:
            return numbers
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

    def set_closed_bits(self, closed: bytearray) -> None:
        """Set the bits of the contacts told closed, the lowest first. A row at once: it is asked for in the
        midst of a game."""
        at = self._base
        for mask in self._contacts.told:
            place = at >> 3
            mask <<= at & 7
            while mask:
                closed[place] |= mask & 0xFF
                mask >>= 8
                place += 1
            at += self._columns

    def _read_words(self, words) -> None:  # type: ignore[no-untyped-def]
        raw, at, first, every = self._raw, self._at, self._first, self._every
        for row in range(len(raw)):
            raw[row] = words[at + row] >> first & every
        if not self._diodes:
            self._believed = believed_contacts(raw, self._believed)

    def _append_events(self, told: list[tuple[str, int]], name: str, row: int, mask: int) -> None:
        number = self._base + row * self._columns
        while mask:
            if mask & 1:
                told.append((name, number))
            mask >>= 1
            number += 1


class Buttons:
    """Buttons between a pin and ground, pulled up."""

    PRESS_DEBOUNCE_US = 20_000
    """How long a button is down before a press is told."""
    RELEASE_LOCKOUT_US = 40_000
    """How long after its release a button is deaf."""

    def __init__(self, gpios) -> None:  # type: ignore[no-untyped-def]
        self._gpios = gpios
        self._mask = sum([1 << gpio for gpio in gpios])
        self._levels = -1
        self.waits = False
        """Whether something may be `due`."""
        self._presses = EagerLiftDeferredPlace(1, self.PRESS_DEBOUNCE_US, self.RELEASE_LOCKOUT_US)

    def begin(self, levels: int) -> None:
        """Take what is held down now as no press."""
        self._presses.begin(0, self._pressed_mask(levels))

    def look(self, levels: int, now: int) -> list[tuple[str, int]]:
        """What changed, as (`pressed` or `released`, button), by what all pins read."""
        if levels & self._mask == self._levels and not self._presses.pending_rows:
            return []
        self._levels = levels & self._mask
        down = self._pressed_mask(levels)
        changed = self._presses.update(0, down, now)
        self.waits = self._presses.pending_rows != 0
        if not changed:
            return []
        return [
            ("pressed" if down >> number & 1 else "released", number)
            for number in range(len(self._gpios))
            if changed >> number & 1
        ]

    def due(self) -> int | None:
        """When a press is told if nothing changes; `None`: never."""
        return self._presses.due()

    def rebase(self, by: int) -> None:
        """Count moments from a start that is `by` later."""
        self._presses.rebase(by)

    def _pressed_mask(self, levels: int) -> int:
        down = 0
        for number, gpio in enumerate(self._gpios):
            if not levels >> gpio & 1:
                down |= 1 << number
        return down
