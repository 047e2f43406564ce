"""What one Pico has been told to show: lights, and what it lights by itself when a contact opens.

Only differences are told, and what an armed hint shows already is not told again: a Pico that has followed
one says so (`hinted`), and shows it until it hears of another light or the piece is back. What was on its way
to it meanwhile may have taken the hint away; so both ends count what is said of lamps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from boardware.pico_plan import PicoPlan
from boardware.ports import LampId, Light, SlotId
from boardwire import wire

LightCodes = dict[tuple[int, int], int]
"""Lights by chain and index; what is dark is missing."""


class SendMessage(Protocol):
    """Queues a message, if there is a session and room for it; whether there was."""

    def __call__(self, name: str, *values: object) -> bool:
        """Queue it."""


class PicoLights:
    """The lamps of one Pico. What there was no room for is told by `send_waiting`, the latest of it only."""

    def __init__(self, plan: PicoPlan, say: SendMessage) -> None:
        self._plan = plan
        self._queue = say
        self._wanted: LightCodes = {}
        self._hints: Mapping[int, LightCodes] = {}
        self._lights_wait = self._hints_wait = False
        """For room in the link."""
        self._put_back = False
        """Whether the Pico took away by itself what it had shown by itself: the table is to look first."""
        self._epoch = 0
        self.reset_session()

    def reset_session(self) -> None:
        """A session begins or has ended: the Pico shows nothing that was told."""
        self._told: LightCodes = {}
        self._told_hints: Mapping[int, LightCodes] = {}
        self._untold: list[tuple[Any, ...]] = []
        """Of the table of hints that is being told: what the link had no room for yet."""
        self._armed = False
        self._follows = False
        """Whether the Pico may follow a hint: armed once, it stays so while hands do nothing else."""
        self._unsure = False
        """Whether it may show one that this end knows nothing of."""
        self._over: Mapping[tuple[int, int], int] = {}
        """What the Pico shows on top of what it was told: a hint that it followed."""
        self._lifted: int | None = None
        """The contact whose hint that is."""
        self._said = 0
        """How many messages since `dark`."""
        self._harmless = 0
        """How many since one that takes away what a hint shows."""

    def begin_session(self) -> bool:
        """Tell all to a Pico of which nothing is known; `False` if there was no room even to begin."""
        self.reset_session()
        if not self._queue("dark"):
            return False
        self._send_lights()
        self._send_hints()
        return True

    def send_waiting(self, *, looked: bool) -> None:
        """Tell what waits, as far as there is room; `looked`: the table knows what hands did."""
        if self._lights_wait or (looked and self._put_back):
            self._send_lights()
            self._hints_wait |= not self._hints
        if self._hints_wait:
            self._send_hints()

    def show(self, lights: Mapping[LampId, Light]) -> None:
        """From now on show these lights of lamps that hang on this Pico."""
        self._wanted = self._codes_on_pico(lights)
        self._send_lights()

    def prepare_hints(self, hints: Mapping[SlotId, Mapping[LampId, Light]]) -> None:
        """What to show at once when a slot is lifted, until other lights or hints come; nothing disarms."""
        self._hints = {
            contact: lights
            for contact, slot in enumerate(self._plan.contact_slots)
            if slot is not None and slot in hints and (lights := self._codes_on_pico(hints[slot]))
        }
        self._send_hints()

    def note_hint_followed(self, contact: int, heard: int) -> None:
        """The Pico lit its hint for a contact, when it had heard so many messages of lamps (modulo 256)."""
        if self._said - heard & 0xFF <= self._harmless:  # else one that is on its way takes the hint away
            self._over, self._lifted = self._told_hints.get(contact, {}), contact

    def note_contact_changed(self, contact: int | None, *, lifted: bool = False) -> None:
        """A contact changed, or was `lifted`; `None`: any may have."""
        # The Pico follows one lift; hands that do anything else disarm it. A lift without one is nothing.
        if not lifted or contact in self._told_hints:
            self._armed = False
        self._hints_wait = False  # they were for the board before; those that come after it are told
        if self._lifted is not None and contact in (None, self._lifted):
            self._over, self._lifted = {}, None
            self._put_back = True
        if contact is None and self._follows:
            self._unsure = self._put_back = True

    def _codes_on_pico(self, lights: Mapping[LampId, Light]) -> LightCodes:
        lamps = self._plan.lamp_addresses
        return {lamps[lamp]: light.code for lamp, light in lights.items() if lamp in lamps}

    def _send_message(self, name: str, *values: object) -> bool:
        queued = self._queue(name, *values)
        self._said += queued
        if queued and name in ("light", "mask", "forget", "arm"):
            self._follows = name == "arm"
        self._harmless = 0 if name in ("light", "mask", "forget") else self._harmless + queued
        return queued

    def _send_lights(self) -> None:
        self._lights_wait = self._put_back = False
        if self._lifted is not None and self._wanted == {**self._told, **self._over}:
            return
        groups: dict[tuple[int, int], list[int]] = {}
        for at in sorted(self._wanted.keys() | self._told.keys()):
            light = self._wanted.get(at, 0)
            if light != self._told.get(at, 0):
                groups.setdefault((at[0], light), []).append(at[1])
        if not groups and (self._lifted is not None or self._unsure):
            groups[0, 0] = []  # any light takes away what a hint shows
        for (chain, light), indices in groups.items():
            length = self._plan.chains[chain].length
            name, lamps = wire.lamps_message(indices, length) if indices else ("light", b"")
            if not self._send_message(name, chain, light, lamps):
                self._lights_wait = True
                return
            for index in indices:
                self._told[chain, index] = light
                if not light:
                    del self._told[chain, index]
            self._armed = self._unsure = False
            self._over, self._lifted = {}, None

    def _send_hints(self) -> None:
        # Lights that wait go first: they would disarm the hints.
        self._hints_wait = self._lights_wait or not self._send_all_hints()

    def _send_all_hints(self) -> bool:
        if self._hints and self._hints != self._told_hints:
            if not self._send_message("forget", (self._epoch + 1) & 0xFF):
                return False
            self._epoch = (self._epoch + 1) & 0xFF
            self._untold = self._hint_messages()
            self._told_hints = self._hints
            self._note_hints_forgotten()
        elif not self._hints and (self._armed or self._untold):
            if not self._send_message("forget", self._epoch):
                return False
            self._told_hints, self._untold = {}, []
            self._note_hints_forgotten()
        elif (
            not self._hints
            and self._follows
            and self._lifted is None
            and not self._send_message("light", 0, 0, b"")
        ):
            return False  # any light disarms; the Pico keeps its table
        while self._untold:
            if not self._send_message("hint", *self._untold[0]):
                return False
            del self._untold[0]
        if self._hints and not self._armed:
            self._armed = self._send_message("arm", self._epoch)
            return self._armed
        return True

    def _note_hints_forgotten(self) -> None:
        """The Pico was told to forget its hints: what one of them shows goes as well."""
        self._armed = False
        if self._lifted is not None:
            self._over, self._lifted = {}, None
            self._send_lights()

    def _hint_messages(self) -> list[tuple[Any, ...]]:
        messages = []
        for contact, lights in self._hints.items():
            groups: dict[tuple[int, int], list[int]] = {}
            for (chain, index), light in lights.items():
                groups.setdefault((chain, light), []).append(index)
            for (chain, light), indices in groups.items():
                lamps = wire.bits(indices, self._plan.chains[chain].length)
                messages.append((contact, chain, light, lamps))
        return messages
