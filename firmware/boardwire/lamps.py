"""The lamps of one Pico: lights from the wire, hints that answer a lift at once, frames to the pixels.

MicroPython subset.
"""

from boardwire import lights, wire
from boardwire.errors import RemoteProtocolError
from boardwire.moments import shift_optional_moment
from boardwire.strip import Strip

_COUNTED_MESSAGES = ("light", "mask", "forget", "hint", "arm")


class Chain:
    """One chain. `pixels` takes colours by index; `write` sends so many of them, if none are on their way."""

    def __init__(self, pixels, length: int, limit_ma: int) -> None:  # type: ignore[no-untyped-def]
        self.length = length
        self._lights: dict[int, int] = {}
        """What the host said, by index ..."""
        self._over: dict[int, int] = {}
        """... and what a hint shows on top."""
        self._touched: set[int] = set()
        """The lamps whose light may be another than what is shown."""
        self._limit_ma = limit_ma
        self._pixels = pixels
        self._strip = Strip(length, limit_ma)
        self._sent: list[tuple[int, int, int] | None] = [None] * length
        self._unsent = 0
        """How many lamps from the first on have not been sent as they are."""
        self._shift = 0
        self.due: int | None = 0

    def set_brightness(self, level: int, now: int) -> None:
        """Another brightness, 1 to 255. Patterns begin anew."""
        self._strip = Strip(self.length, self._limit_ma, level)
        self._touched.update(self._lights)
        self._touched.update(self._over)
        self.due = now

    def set_dimming_shift(self, shift: int, now: int) -> None:
        """Show everything at 1 part in 2 ** `shift`."""
        if shift != self._shift:
            self._shift = shift
            self._strip.mark_all_changed()
            self.due = now

    def put(self, indices: list[int], light: int) -> None:
        """What these lamps show when they are shown next; 0: nothing."""
        lights = self._lights
        self._touched.update(indices)
        for index in indices:
            if light:
                lights[index] = light
            else:
                lights.pop(index, None)

    def clear(self) -> None:
        """No lamp shows anything."""
        self._touched.update(self._lights)
        self._lights = {}

    def precompute_light(self, light: int) -> None:
        """Work out what will have to be lit at once."""
        self._strip.look(light)

    def show(self, over: dict[int, int], now: int) -> None:
        """From now on show the lights with `over` on top."""
        lights, touched = self._lights, self._touched
        touched.update(self._over)
        touched.update(over)
        self._over = over
        if touched:
            self._strip.change_lights(
                {index: over.get(index, lights.get(index, 0)) for index in touched}, now
            )
            touched.clear()
            self.due = now

    def begin(self, lights: list[tuple[int, list[int]]], now: int) -> None:
        """Let lamps have these lights at once, before `show` says so: if the cap leaves room for all."""
        if self._shift or not self._strip.room(lights):
            return
        sent, pixels = self._sent, self._pixels
        for light, indices in lights:
            pixel = self._strip.begins(light)
            for index in indices:
                if sent[index] != pixel:
                    sent[index] = pixels[index] = pixel
                    if index >= self._unsent:
                        self._unsent = index + 1
        if self._unsent and not pixels.write(self._unsent, now):
            self._unsent = 0

    def rebase(self, by: int) -> None:
        """Count moments from a start that is `by` later, a multiple of `BEAT_US`."""
        self.due = shift_optional_moment(self.due, by)
        self._strip.rebase(by)
        self._pixels.rebase(by)

    def step(self, now: int) -> bool:
        """Send the frame of this moment if it differs from the last one sent; whether it did."""
        if self.due is None or now < self.due:
            return False
        shift, sent, pixels = self._shift, self._sent, self._pixels
        for index, colour in self._strip.changes(now):
            if shift:
                colour = (colour[0] >> shift, colour[1] >> shift, colour[2] >> shift)
            if colour != sent[index]:
                sent[index] = pixels[index] = colour
                if index >= self._unsent:
                    self._unsent = index + 1
        self.due = self._strip.next_change_us(now)
        if not self._unsent:
            return False
        free = pixels.write(self._unsent, now)
        if free:
            self.due = free if self.due is None else min(free, self.due)
            return False
        self._unsent = 0
        return True


class Lamps:
    """All chains, and the hints of a turn.

    A hint says which lights come on top when a contact opens. Hints are followed while they are armed. What
    one shows stays until its contact closes, or the host says other lights, which disarms all hints as well.
    So does a second piece in the air, or one that is placed. A lift without a hint disarms nothing.
    """

    DIM_SHIFT = 2
    """Lamps of a silent host are shown at a quarter."""

    def __init__(self, chains: list[Chain]) -> None:
        self.chains = chains
        self.hint_epoch: int | None = None
        self.are_hints_armed = False
        self.message_count = 0
        """How many messages of lights and hints since `dark`, modulo 256."""
        self.hints = 0
        """How many hints have come, for those who count."""
        self._hints: dict[int, dict[int, list[tuple[int, list[int]]]]] = {}
        """By contact and chain the lights that come on top, and on which lamps."""
        self._lifted: int | None = None
        self._changed = False

    def handle_message(self, message: tuple, now: int) -> bool:  # type: ignore[type-arg]
        """Take a message; whether it was one for lamps. Raises `RemoteProtocolError` for no such lamp."""
        name = message[0]
        if name in _COUNTED_MESSAGES:
            self.message_count = (self.message_count + 1) & 0xFF
        if name == "light" or name == "mask":
            self._set_light(message)
        elif name == "hint":
            _, contact, chain, light, mask = message
            lamps = self._check_lamps(chain, light, wire.numbers(mask))
            by_chain = self._hints.setdefault(contact, {})
            if light:
                by_chain.setdefault(chain, []).append((light, lamps))
                self.chains[chain].precompute_light(light)
            self.hints += 1
        elif name == "forget":
            self.forget_hints()
            self.hint_epoch = message[1]
        elif name == "arm":
            self.are_hints_armed = message[1] == self.hint_epoch
        elif name == "dark":
            self.forget_hints()
            self.message_count = 0
            for chain in self.chains:
                chain.clear()
            self._changed = True
        elif name == "bright":
            if not message[1]:
                raise RemoteProtocolError("lamps can't be 0 bright")
            for chain in self.chains:
                chain.set_brightness(message[1], now)
            self._changed = True
        else:
            return False
        return True

    def _set_light(self, message: tuple) -> None:  # type: ignore[type-arg]
        name, chain, light, lamps = message
        indices = self._check_lamps(chain, light, list(lamps) if name == "light" else wire.numbers(lamps))
        self.chains[chain].put(indices, light)
        self.are_hints_armed = False
        self._lifted = None
        self._changed = True

    def _check_lamps(self, chain: int, light: int, indices: list[int]) -> list[int]:
        """These lamps, if they and that light exist."""
        if chain >= len(self.chains):
            raise RemoteProtocolError("no chain " + str(chain))
        if indices and max(indices) >= self.chains[chain].length:
            raise RemoteProtocolError("no lamp " + str(max(indices)) + " in chain " + str(chain))
        if not lights.known(light):
            raise RemoteProtocolError("no pattern " + str(light & 15))
        return indices

    def forget_hints(self) -> None:
        """Drop all hints and what they show."""
        self._hints = {}
        self.hint_epoch = None
        self.are_hints_armed = False
        self._changed = self._changed or self._lifted is not None
        self._lifted = None

    def handle_lift(self, contact: int, now: int) -> bool:
        """A contact opened; whether a hint answers it: then its lamps begin at once."""
        hinted = self.are_hints_armed and self._lifted is None and contact in self._hints
        if hinted:
            self._lifted = contact
            self._changed = True
            for chain, shown in self._hints[contact].items():
                self.chains[chain].begin(shown, now)
        elif contact in self._hints:
            self._end_or_disarm_hint(contact)
        return hinted

    def handle_place(self, contact: int) -> None:
        """A contact closed: a lift that is over, or hands doing something that no hint foresees."""
        self._end_or_disarm_hint(contact)

    def _end_or_disarm_hint(self, contact: int) -> None:
        if contact == self._lifted:
            self._lifted = None
            self._changed = True
        else:
            self.are_hints_armed = False  # what is shown stays until the host has seen it, too

    def set_dimmed(self, dimmed: bool, now: int) -> None:
        """Dim everything while the host is silent."""
        for chain in self.chains:
            chain.set_dimming_shift(self.DIM_SHIFT if dimmed else 0, now)

    def settle(self, now: int) -> None:
        """From now on show what was heard since the last time, all at once."""
        if not self._changed:
            return
        self._changed = False
        hinted = {} if self._lifted is None else self._hints.get(self._lifted, {})
        for number, one in enumerate(self.chains):
            over: dict[int, int] = {}
            for light, indices in hinted.get(number, ()):
                for index in indices:
                    over[index] = light
            one.show(over, now)

    def step(self, now: int) -> None:
        """Send what differs to the pixels."""
        for chain in self.chains:
            chain.step(now)

    def rebase(self, by: int) -> None:
        """Count moments from a start that is `by` later, a multiple of `BEAT_US`."""
        for chain in self.chains:
            chain.rebase(by)

    def due(self) -> int | None:
        """When a pattern changes next."""
        first = None
        for chain in self.chains:
            if chain.due is not None and (first is None or chain.due < first):
                first = chain.due
        return first
