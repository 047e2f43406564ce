"""The cable to one Pico: finds it, opens it again and again, turns what it says into events of a board."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

from boardware.log_throttle import LogThrottle
from boardware.parts import HEADER
from boardware.pico_clock import PicoClock
from boardware.pico_lights import PicoLights
from boardware.pico_plan import PicoPlan
from boardware.pico_presses import PressDeduplicator
from boardware.pico_remote import LineBroken
from boardware.ports import (
    MS,
    SECOND,
    HardwareTrouble,
    LampId,
    Light,
    Micros,
    ReaderId,
    SlotId,
    TagEvent,
    TagGone,
    TagId,
    TagSeen,
    Tone,
    tone_and_rest_ms,
)
from boardwire import wire
from boardwire.errors import RemoteProtocolError
from boardwire.framing import crc16
from boardwire.link import OPEN, SILENCE_TIMEOUT_US, HostLink
from boardwire.sounds import TIME_UNIT_MS

log = logging.getLogger("boardumpire.pico")

REOPEN_INTERVAL_US: Micros = 500 * MS
"""Between two attempts to open a Pico that is not there."""
_SESSION_END_REASONS = {
    "silence": f"nothing was heard from it for {SILENCE_TIMEOUT_US / SECOND:g} s",
    "stranger": f"it began anew, or heard nothing from here for {SILENCE_TIMEOUT_US / SECOND:g} s",
}
"""Why a session ended, for people."""
OUTPUT_BACKLOG_MAX_BYTES = 1024
"""Bytes that wait for a port that takes none; more are dropped, as on a bad cable, and said again."""

LOG_LINES_PER_MINUTE = 20
"""Lines of its own that a Pico writes into the log in a minute."""

Opener = Callable[[str], Any]
Finder = Callable[[], Sequence[str]]


class CableListener(Protocol):
    """Whom a cable tells what the Pico told."""

    def on_sensor_change(self, at: Micros, slot: SlotId, present: bool) -> None:
        """A slot changed."""

    def on_button(self, at: Micros, name: str, down: bool | None) -> None:
        """A button went down or came up; `None`: nobody knows whether it is down still."""

    def on_trouble(self, trouble: HardwareTrouble) -> None:
        """Something is wrong, or well again."""

    def on_tag(self, event: TagEvent) -> None:
        """A tag was read, or is gone."""


def _escape_unprintable(text: str) -> str:
    """What a Pico said, fit for a line of a log or a page."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


class PicoCable:
    """One Pico of a board. `poll` never waits and raises nothing for what the Pico or the cable does."""

    def __init__(
        self, plan: PicoPlan, listener: CableListener, find: Finder, open_: Opener, brightness: int = 128
    ) -> None:
        self.plan = plan
        self.link = HostLink(plan.board.id, plan.wiring_hash, plan.pico)
        self.has_reported = False
        """Whether the Pico has told what it feels, in this session."""
        self.closed_contacts: set[int] = set()
        """The contacts told closed."""
        self.in_bytes = self.out_bytes = 0
        """How much came and went, for those who count."""
        self._listener = listener
        self._find = find
        self._open = open_
        self._brightness = brightness
        self._port: Any = None
        self._path = ""
        self._tried = ""
        self._home = ""
        """Where it was spoken to last, and is looked for first: another port may be another Pico's."""
        self._open_at: Micros = 0
        self._out = b""
        self._clock = PicoClock()
        self._log = LogThrottle(log)
        self._misnumbered = False
        """Whether it was told, in this session, that the Pico reports contacts that there are not."""
        self._away = False
        """Whether the players were told that it is silent."""
        self._refused = ""
        self.open_failure = ""
        """Why its port can't be opened; nothing while it is open."""
        self._told_at: Micros = 0
        self.last_report_time: Micros = 0
        """When it felt what it told last. All that was before is known: it tells things in their order."""
        self._presses = PressDeduplicator()
        self._lights = PicoLights(plan, self._queue_message)
        self._watched: list[int] = []
        self._told_watched: list[int] | None = None

    # For the crank

    def poll(self, now: Micros) -> None:
        """Read what came, tell it, write what has to go."""
        if self._port is None and (now < self._open_at or not self._connect(now)):
            return
        try:
            self._read(now)
            self._lights.send_waiting(looked=False)
            self._write(now)
        except OSError as error:
            self._handle_lost_port(now, error)

    def flush(self, now: Micros) -> None:
        """Tell what was said or has waited since `poll`; raises nothing either."""
        if self._port is None:
            return
        self._lights.send_waiting(looked=True)
        try:
            self._write(now)
        except OSError as error:
            self._handle_lost_port(now, error)

    def due(self) -> Micros:
        """When `poll` has something to do next if nothing comes."""
        if self._port is None:
            return self._open_at
        at = self.link.due()
        return self._open_at + 3600_000 * MS if at is None else at

    def fileno(self) -> int | None:
        """What becomes readable when something comes."""
        return None if self._port is None else int(self._port.fileno())

    @property
    def path(self) -> str:
        """Where it is open; nothing while it is not."""
        return self._path if self._port is not None else ""

    @property
    def is_reporting(self) -> bool:
        """Whether it has told what it feels, and was not given up since."""
        return self.has_reported and not self._away

    @property
    def refusal_reason(self) -> str:
        """Why the Pico that answered can't be spoken to; nothing if it can."""
        return self._refused

    @property
    def possible_paths(self) -> Sequence[str]:
        """Where the Pico may be. Raises `OSError` if it may not be looked for."""
        return self._find()

    def unfit_firmware(self, enough: Callable[[str], bool]) -> str:
        """Why its firmware can't be used, or its version if that is not `enough`; nothing if all is well, or
        if it has not answered."""
        told = self.link.version if self.link.state == OPEN else ""
        return self._refused or (told if told and not enough(told) else "")

    def release_port(self, now: Micros, why: str) -> None:
        """Close the port; the Pico counts as silent until it is found again."""
        self._refused = ""
        self._presses.note_power_lost()  # it may begin anew meanwhile
        self._close_port(now)
        self._report_silence(now, why)

    def close(self) -> None:
        """Dark lamps, then close the port. Closing twice is allowed."""
        port, self._port = self._port, None
        if port is not None:
            try:
                if self._queue_message("dark"):
                    port.write(self.link.data_to_send(self._told_at))
                port.close()
            except OSError as error:
                log.debug("%s: %s", self.plan.pico, error)

    # For the lamps

    def show(self, lights: Mapping[LampId, Light], now: Micros) -> None:
        """From now on show these lights of lamps that hang on this Pico."""
        self._lights.show(lights)

    def prepare_hints(self, hints: Mapping[SlotId, Mapping[LampId, Light]], now: Micros) -> None:
        """What to show at once when a slot is lifted, until other lights or hints come; nothing disarms."""
        self._lights.prepare_hints(hints)

    def play_sound(self, tones: Sequence[Tone]) -> None:
        """Have the buzzer play it, if somebody is there to hear it now: a late sound tells nothing."""
        if self.plan.has_buzzer:
            self._queue_message("sound", bytes(span // TIME_UNIT_MS for span in tone_and_rest_ms(tones)))

    def _queue_message(self, name: str, *values: object) -> bool:
        """Queue a message, if there is a session and room for it; whether there was."""
        if self.link.state != OPEN or not self.link.room:
            return False
        self.link.send(name, *values)
        return True

    # Inside

    def _warn(self, kind: str, now: Micros, text: str, *values: object) -> None:
        self._log.write(logging.WARNING, kind, now, text, *values)

    def _connect(self, now: Micros) -> bool:
        self._open_at = now + REOPEN_INTERVAL_US
        try:
            paths = list(self._find())
            if not paths:
                self.open_failure = "none is plugged in"
                return False
            later = [path for path in paths if path > self._tried]
            self._tried = self._home if self._home in paths else (later or paths)[0]
            self._port = self._open(self._tried)
        except OSError as error:
            self._port = None
            self.open_failure = os.strerror(error.errno) if error.errno else str(error)
            log.debug("%s: %s", self.plan.pico, error)
            return False
        self.open_failure = ""
        self._path, self._out = self._tried, b""
        self.link.greet(now)
        return True

    def _read(self, now: Micros) -> None:
        data = self._port.read(4096)
        if data:
            self.in_bytes += len(data)
            self.link.receive_data(data)
        self._handle_events(now)

    def _write(self, now: Micros) -> None:
        self._send_watched_readers()
        data = self.link.data_to_send(now)
        if len(self._out) <= OUTPUT_BACKLOG_MAX_BYTES:
            self.out_bytes += len(data)
            self._out += data
        if self._out:
            self._out = self._out[self._port.write(self._out) :]
        self._handle_events(now)

    def _handle_events(self, now: Micros) -> None:
        while True:
            try:
                event = self.link.next_event()
            except RemoteProtocolError as error:
                # Noise has no right checksum: it talks nonsense, and is asked again after a while.
                self._warn("invalid", now, "%s sent an invalid message: %s", self.plan.pico, error)
                self._close_port(now)
                self._report_silence(now, str(error))
                return
            if event is None:
                return
            self._handle_event(event, now)

    def _handle_event(self, event: tuple[Any, ...], now: Micros) -> None:
        match event:
            case ("opened",):
                self._refused, self._home = "", self._path
                self._misnumbered = False
                self._clock = PicoClock()
                self._begin_session(now)
            case ("lost", why):
                self._report_silence(now, _SESSION_END_REASONS.get(why, why))
            case ("refused", why):
                self._refuse(now, why)
            case ("snapshot", time, felt):
                self._apply_snapshot(self._ordered_time(time, now), now, felt)
            case (("lifted" | "hinted" | "placed" | "ghost") as name, _, contact, *_) if contact >= len(
                self.plan.contact_slots
            ):
                told = "%s reported contact %d (%s), which the board doesn't have"
                self._warn("no-contact", now, told, self.plan.pico, contact, name)
                if not self._misnumbered:
                    self._misnumbered = True
                    where = f"{self.plan.pico}:{contact}"
                    self._listener.on_trouble(
                        HardwareTrouble(now, "no-contact", where, "the Pico has no such contact")
                    )
            case (("lifted" | "placed") as name, time, contact):
                self._report_contact(self._ordered_time(time, now), contact, name == "placed")
            case ("hinted", time, contact, heard):
                self._report_contact(self._ordered_time(time, now), contact, False)
                self._lights.note_hint_followed(contact, heard)
            case (("pressed" | "released") as name, time, button):
                at = self.last_report_time = self._clock.host_time(time, now)
                if button < len(self.plan.buttons) and self._presses.accept_if_new(event, at):
                    at = self._presses.event_time(event, at)
                    self._listener.on_button(at, self.plan.buttons[button], name == "pressed")
            case (("tag" | "gone" | "mute" | "heard") as name, time, reader, *uid):
                self._report_tag_event(name, self._clock.host_time(time, now), reader, uid)
            case ("ghost", time, contact):
                where = self._slot(contact) or f"{self.plan.pico}:{contact}"
                at = self._ordered_time(time, now)
                self._listener.on_trouble(
                    HardwareTrouble(at, "ghost", where, "a corner of a rectangle, no diodes")
                )
            case ("alive", time, felt):
                self.last_report_time = self._ordered_time(time, now)
                if (
                    self.has_reported
                    and crc16(wire.bits(sorted(self.closed_contacts), len(self.plan.contact_slots))) != felt
                ):
                    told = "%s and the host disagree on closed contacts: asked for all"
                    self._warn("disagreement", now, told, self.plan.pico)
                    self._queue_message(
                        "look"
                    )  # not in a session that has ended since; the next sign of life asks
            case ("log", text):
                told = _escape_unprintable(text)
                self._log.write(
                    logging.INFO, "log", now, "%s: %s", self.plan.pico, told, burst=LOG_LINES_PER_MINUTE
                )

    def _report_tag_event(self, name: str, at: Micros, reader: int, uid: list[bytes]) -> None:
        if reader >= len(self.plan.reader_ids):
            return
        where = self.plan.reader_ids[reader]
        if name in ("tag", "gone"):
            tag = TagId(uid[0])
            self._listener.on_tag(TagSeen(at, where, tag) if name == "tag" else TagGone(at, where, tag))
        else:
            code, why = (
                ("reader-mute", "nothing that makes sense comes") if name == "mute" else ("reader-back", "")
            )
            self._listener.on_tag(HardwareTrouble(at, code, where, why))

    def watch(self, readers: Collection[ReaderId]) -> None:
        """Have these read often."""
        watched = [number for number, name in enumerate(self.plan.reader_ids) if name in readers]
        if watched != self._watched:
            self._watched = watched
            self._send_watched_readers()

    def _send_watched_readers(self) -> None:
        if not self.plan.reader_ids or self._watched == self._told_watched:
            return
        if self._queue_message("watch", wire.bits(self._watched, len(self.plan.reader_ids))):
            self._told_watched = self._watched

    def _forget_sent(self) -> None:
        self._lights.reset_session()
        self._told_watched = None

    def _begin_session(self, now: Micros) -> None:
        """Begin a session, if it still lasts: whatever the Pico showed before is forgotten."""
        self._forget_sent()
        if self.link.state != OPEN:
            return
        if not (self._queue_message("bright", self._brightness) and self._lights.begin_session()):
            self.link.greet(now)  # it opened more sessions at once than there is room for greetings
            return
        self._send_watched_readers()

    def _ordered_time(self, time: int, now: Micros) -> Micros:
        self._told_at = max(self._told_at, self._clock.ordered_time(time, now))
        return self._told_at

    def _slot(self, contact: int) -> SlotId | None:
        return self.plan.contact_slots[contact] if contact < len(self.plan.contact_slots) else None

    def _report_contact(self, at: Micros, contact: int, closed: bool) -> None:
        self._lights.note_contact_changed(contact, lifted=not closed)
        if closed:
            self.closed_contacts.add(contact)
        else:
            self.closed_contacts.discard(contact)
        slot = self._slot(contact)
        if slot is not None:
            self._listener.on_sensor_change(at, slot, closed)

    def _apply_snapshot(self, at: Micros, now: Micros, felt: bytes) -> None:
        self._lights.note_contact_changed(None)
        closed = {number for number in wire.numbers(felt) if number < len(self.plan.contact_slots)}
        for contact in sorted(self.closed_contacts ^ closed):
            self._report_contact(at, contact, contact in closed)
        if not self.has_reported:
            self.has_reported = True
            self._presses.start_counting(at)
        if self._away:
            self._away = False
            self._listener.on_trouble(HardwareTrouble(now, "bank-back", self.plan.pico, "it answers again"))

    def _report_silence(self, now: Micros, why: str) -> None:
        self._forget_sent()
        for name in self.plan.buttons:
            self._listener.on_button(self.last_report_time, name, None)
        if self.has_reported and not self._away:
            self._away = True
            self._warn("silent", now, "%s is silent: %s", self.plan.pico, why)
            self._listener.on_trouble(HardwareTrouble(now, "bank-silent", self.plan.pico, why))

    def _refuse(self, now: Micros, why: str) -> None:
        """Another Pico than the one that was looked for, or one with other firmware: look further."""
        why = _escape_unprintable(why)  # it names what the Pico said that it is
        self._home = ""
        if self.plan.pico == HEADER:
            why = why.replace(": flash it", ": both machines need one version of Boardumpire and board file")
        if why != self._refused:
            self._refused = why
            self._log.write(logging.ERROR, "refused", now, "%s at %s: %s", self.plan.pico, self._path, why)
            if self.has_reported:
                self._listener.on_trouble(HardwareTrouble(now, "bank-refused", self.plan.pico, why))
        self._close_port(now)

    def _handle_lost_port(self, now: Micros, error: OSError) -> None:
        why = str(error)
        if not isinstance(error, LineBroken):
            self._presses.note_power_lost()  # it had no power: its clock begins anew
            why = f"unplugged ({why})"
        self._close_port(now)
        self._report_silence(now, why)

    def _close_port(self, now: Micros) -> None:
        port, self._port, self._out = self._port, None, b""
        self.link = HostLink(self.plan.board.id, self.plan.wiring_hash, self.plan.pico)
        self._open_at = now + REOPEN_INTERVAL_US
        try:
            if port is not None:
                port.close()
        except OSError as error:
            log.debug("%s: %s", self.plan.pico, error)
