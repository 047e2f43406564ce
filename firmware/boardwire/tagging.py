"""All that reads tags on one Pico: banks of readers, then pads, numbered through. MicroPython subset."""

from boardwire.pn532 import UartPad
from boardwire.rfid import Readers

MAX_DUE_DELAY_US = 10_000_000
_NO_EVENTS: "list[tuple]" = []  # type: ignore[type-arg]
"""What most steps tell."""


class Bank:
    """A bank of readers; `contacts` gives the contact over each, `None` where there is none."""

    def __init__(self, readers: Readers, contacts: list[int | None]) -> None:
        self.readers = readers
        self.contacts = contacts


class Tagging:
    """The readers of one Pico."""

    def __init__(self, banks: list[Bank], pads: list[UartPad]) -> None:
        self._banks = banks
        self._pads = pads
        self._over: dict[int, tuple[Readers, int]] = {}
        for bank in banks:
            for number, contact in enumerate(bank.contacts):
                if contact is not None:
                    self._over[contact] = (bank.readers, number)
        self._coming: list[int] = []
        self._turn = 0
        self._first_pad = sum([len(bank.contacts) for bank in banks])

    def begin(self, closed: list[int]) -> None:
        """The contacts that are closed at the start."""
        for contact in closed:
            if contact in self._over:
                readers, number = self._over[contact]
                readers.begin(number, True)

    def changed(self, contact: int, closed: bool) -> None:
        """A contact was told lifted or placed."""
        if contact in self._over and not (closed and contact in self._coming):
            readers, number = self._over[contact]
            readers.changed(number, closed)

    def coming(self, contacts: list[int]) -> None:
        """These are closed and may be told placed soon: by then they may have been read."""
        for contact in contacts:
            if contact not in self._coming and contact in self._over:
                readers, number = self._over[contact]
                readers.changed(number, True)
        self._coming = contacts

    def watch(self, numbers: list[int], now: int) -> None:
        """Look often at these, until told otherwise."""
        first = 0
        for bank in self._banks:
            count = len(bank.contacts)
            bank.readers.watch([number - first for number in numbers if first <= number < first + count])
            first += count
        for place, one in enumerate(self._pads):
            one.pad.watch(first + place in numbers, now)

    def known(self) -> list[tuple]:  # type: ignore[type-arg]
        """What a host that knows nothing has to be told: (`tag`, reader, id), (`mute`, reader)."""
        told: list[tuple] = []  # type: ignore[type-arg]
        first = 0
        for bank in self._banks:
            for number, tag in bank.readers.known():
                told.append(("tag", first + number, tag))
            for number in bank.readers.mute_readers():
                told.append(("mute", first + number))
            first += len(bank.contacts)
        for place, one in enumerate(self._pads):
            for tag in sorted(one.pad.tags.told):
                told.append(("tag", first + place, tag))
            if one.pad.is_mute:
                told.append(("mute", first + place))
        return told

    def step(self, now: int) -> list[tuple]:  # type: ignore[type-arg]
        """One bounded step of one bank or pad that wants one; what is to be told because of it."""
        for _ in range(len(self._banks) + len(self._pads)):
            self._turn = (self._turn + 1) % (len(self._banks) + len(self._pads))
            place = self._turn - len(self._banks)
            if place >= 0:
                if self._pads[place].due() <= now:
                    number = self._first_pad + place
                    told = self._pads[place].step(now)
                    return [(event[0], number) + event[1:] for event in told] if told else told  # noqa: RUF005
            elif self._banks[self._turn].readers.due() <= now:
                told = self._banks[self._turn].readers.step(now)
                if not told:
                    return told
                first = sum([len(bank.contacts) for bank in self._banks[: self._turn]])
                # MicroPython has no such `*`
                return [(event[0], first + event[1]) + event[2:] for event in told]  # noqa: RUF005
        return _NO_EVENTS

    def rebase(self, by: int) -> None:
        """Count moments from a start that is `by` later."""
        for bank in self._banks:
            bank.readers.rebase(by)
        for one in self._pads:
            one.rebase(by)

    def reading(self) -> bool:
        """Whether a bank reads, or has been asked to at once."""
        for bank in self._banks:  # noqa: SIM110 - a list would be allocated
            if bank.readers.reading:
                return True
        return False

    def reads(self) -> int:
        """How many reads of banks have ended."""
        count = 0
        for bank in self._banks:
            count += bank.readers.reads
        return count

    def due(self, now: int) -> int:
        """When `step` has something to do next. Asked often: it allocates nothing."""
        first = now + MAX_DUE_DELAY_US
        for bank in self._banks:
            at = bank.readers.due()
            if at < first:
                first = at
        for one in self._pads:
            at = one.due()
            if at < first:
                first = at
        return first
