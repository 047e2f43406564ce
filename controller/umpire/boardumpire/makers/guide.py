"""Leads a person through a check of the board: asks, lights lamps, waits for what was asked for.

A check is a generator of asks; it is sent what came of each. The guide is turned by `step(now)` like a table,
over the same ports, so it runs in real time, in virtual time and over any driver. It is answered by the
board's buttons `confirm` and `cancel` once they are known to work, and by `answer`, from a terminal or a
page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from typing import Any, NamedTuple

from boardumpire.lamps.legend import BOARD_LEGEND
from boardumpire.makers.bare_board import ContactId, LampNumber
from boardumpire.messages.sounds import SOUNDS
from boardware.ports import (
    MS,
    ButtonPressed,
    HardwareTrouble,
    Micros,
    PartialDriver,
    Ports,
    ReaderId,
    SensorChanged,
    TagGone,
    TagId,
    TagSeen,
)

CONTACTS_REST_US: Micros = 400 * MS
"""How long nothing may change before a piece counts as set down."""

READING_TIME_MIN_US: Micros = 500 * MS
"""Nobody reads an ask faster: a button that is told before was meant for the one before."""

CONFIRM_BUTTON, CANCEL_BUTTON = "confirm", "cancel"
KINDS_WITHOUT_ANSWER = ("watch", "arrive")
"""Asks of nobody."""


class VisibleSign(NamedTuple):
    """What a person is asked to look for: for drawings on a page, and for simulated people."""

    code: str
    """`all-lit`, `any-lit`, `any-dark`, `colour red`, `blinks-at a3`, `heard`, `in-order`, `emptied` ..."""
    lamps: tuple[LampNumber, ...] = ()
    """The lamps it is about."""
    spaces: tuple[str, ...] = ()
    """And where the board file has them."""


class GuideRequest(NamedTuple):
    """One thing that a person is asked to do or to say."""

    kind: str
    """`watch` (nothing), `answer` (yes or no), `place` (a piece), `press` (a button), or `arrive`: nothing,
    until all Picos answer."""
    text: str
    marks: Mapping[LampNumber, str] = {}
    expected_sign: VisibleSign | None = None
    """Of `answer`."""
    duration: Micros = 0
    """Of `watch`: how long. Of `arrive`: at most."""
    button: str = ""
    """Of `press`."""
    space: str | None = None
    """Of `place`: where, if the lamps can't say it."""
    ring: int = 0
    """Of `place`: which ring of the space where the lamp blinks, from 1 in the order of its slots; 0: any."""
    slots_to_clear: tuple[str, ...] = ()
    """Of `place`: where to take pieces off first, as far as the lamps can't say it."""
    ignored_contacts: frozenset[ContactId] = frozenset()
    """Of `place`: contacts that may change meanwhile, and mean nothing."""
    buttons_may_answer: bool = False
    """Whether the buttons `confirm` and `cancel` may answer: they were found to work."""
    sound: str = ""
    """What the buzzer plays first."""
    readers: Sequence[ReaderId] = ()
    """The readers of tags to look at often meanwhile."""
    contacts_to_open: frozenset[ContactId] = frozenset()
    """Of `place`: contacts that have to open, as pieces are taken away; they may close again."""


class GuideReply(NamedTuple):
    """What came of an ask."""

    answer: bool | None = None
    """What was said: of a placing, yes is "it stands there", no is "no lamp is lit"."""
    closed_contacts: frozenset[ContactId] = frozenset()
    """The contacts closed at the end."""
    newly_closed: frozenset[ContactId] = frozenset()
    """Those that closed meanwhile, and still are."""
    newly_opened: frozenset[ContactId] = frozenset()
    """Those that were closed at the beginning, and are no more."""
    pressed_button: str | None = None
    change_counts: Mapping[ContactId, int] = {}
    """How often each contact was told to change."""
    absent_picos: tuple[str, ...] = ()
    """Picos that have not answered."""
    tagged_readers: frozenset[ReaderId] = frozenset()
    """Readers of tags that read one at the end."""
    mute_readers: frozenset[ReaderId] = frozenset()
    """Readers of tags that don't answer."""


Check = Generator[GuideRequest, GuideReply, Any]
"""A check: asks, is sent what came, and returns what it found."""


class Guide:
    """Turns one check over open ports of a bare board."""

    def __init__(self, ports: Ports, check: Check, now: Micros) -> None:
        self.ports = ports
        self.result: Any = None
        """What the check returned, once `is_done`."""
        self.is_done = False
        self.troubles: list[HardwareTrouble] = []
        """What the drivers said is wrong."""
        self.request_number = -1
        """How many asks came before the present one."""
        self._check = check
        self._closed: set[ContactId] = set()
        self._tags: set[tuple[ReaderId, TagId]] = set()
        """Where one is read now. Which it is nobody is told."""
        self._mute: set[ReaderId] = set()
        self._begun = False
        self._said: bool | None = None
        self._begin_request(GuideRequest("watch", ""), now)
        self._check_contacts(now)
        self._begin_request(next(check), now)

    # For the runner

    @property
    def all_ports(self) -> tuple[Ports, ...]:
        """The drivers of the board."""
        return (self.ports,)

    @property
    def marks(self) -> Mapping[LampNumber, str]:
        """What the lamps show."""
        return self.request.marks

    def step(self, now: Micros) -> Micros | None:
        """Turn once. Returns when to turn next, the scan grids of the polled ports aside."""
        self._check_contacts(now)
        self._check_tags(now)
        self._check_buttons(now)
        while not self.is_done and (came := self._reply_if_done(now)) is not None:
            try:
                self._begin_request(self._check.send(came), now)
            except StopIteration as end:
                self.result, self.is_done = end.value, True
                self.request = GuideRequest("watch", "")
        lamps = self.ports.lamps
        lamps.show(BOARD_LEGEND.to_lights(self.request.marks), now)
        lamps.step(now)
        self.troubles += lamps.take_troubles()
        tags = self.ports.tags
        times = [lamps.due(), self._next_deadline(now), None if tags is None else tags.due()]
        return min((time for time in times if time is not None), default=None)

    def answer(self, yes: bool) -> None:
        """The person answers; turn the guide afterwards. What nobody asked for is ignored."""
        if self.request.kind not in KINDS_WITHOUT_ANSWER:
            self._said = yes

    def close(self) -> None:
        """Dark lamps, free pins."""
        self.ports.close()

    # Inside

    def _begin_request(self, ask: GuideRequest, now: Micros) -> None:
        self.request = ask
        self.request_number += 1
        if ask.sound:
            self.ports.console.sound(SOUNDS[ask.sound].tones, now)
        self._since = self._changed_at = now
        self._said = None
        self._pressed: str | None = None
        self._before = frozenset(self._closed)
        self._appeared: set[ContactId] = set()
        self._changes: Counter[ContactId] = Counter()
        if self.ports.tags is not None:
            self.ports.tags.watch(ask.readers)

    def _check_contacts(self, now: Micros) -> None:
        events = self.ports.sensors.step(now)
        if not self._begun:
            self._begun = True
            self._closed = set(self.ports.sensors.present())
        for event in events:
            if not isinstance(event, SensorChanged):
                self.troubles.append(event)
                continue
            self._changes[event.slot] += 1
            (self._closed.add if event.present else self._closed.discard)(event.slot)
            if event.slot in self.request.ignored_contacts:
                continue
            self._changed_at = now
            (self._appeared.add if event.present else self._appeared.discard)(event.slot)

    def _check_tags(self, now: Micros) -> None:
        for event in self.ports.tags.step(now) if self.ports.tags is not None else ():
            match event:
                case TagSeen(_, reader, tag):
                    self._tags.add((reader, tag))
                case TagGone(_, reader, tag):
                    self._tags.discard((reader, tag))
                case HardwareTrouble(_, "reader-mute" | "reader-back" as code, where, _):
                    (self._mute.add if code == "reader-mute" else self._mute.discard)(ReaderId(where))
                case HardwareTrouble():
                    self.troubles.append(event)

    def _check_buttons(self, now: Micros) -> None:
        for event in self.ports.console.step(now):
            if not isinstance(event, ButtonPressed):
                continue
            if self.request.kind == "press":
                self._pressed = event.button
            elif (
                self.request.buttons_may_answer
                and event.button in (CONFIRM_BUTTON, CANCEL_BUTTON)
                and now >= self._since + READING_TIME_MIN_US
            ):
                self.answer(event.button == CONFIRM_BUTTON)

    def _reply_if_done(self, now: Micros) -> GuideReply | None:
        """What came of the present ask; `None` while it is open."""
        ask = self.request
        match ask.kind:
            case "arrive":
                over = not self._absent_picos() or now >= self._since + ask.duration
            case "watch":
                over = now >= self._since + ask.duration
            case "answer":
                over = self._said is not None
            case "press":
                over = self._pressed is not None or self._said is not None
            case _:
                rests = now >= self._changed_at + CONTACTS_REST_US
                put = (
                    bool(self._appeared)
                    and rests
                    and not (ask.contacts_to_open & self._closed) - self._appeared
                )
                over = put or self._said is not None
        if not over:
            return None
        closed = frozenset(self._closed)
        return GuideReply(
            self._said,
            closed,
            frozenset(self._appeared),
            self._before - closed,
            self._pressed,
            dict(self._changes),
            self._absent_picos(),
            frozenset(reader for reader, _ in self._tags),
            frozenset(self._mute),
        )

    def _absent_picos(self) -> tuple[str, ...]:
        sensors = self.ports.sensors
        return tuple(sensors.silent_parts()) if isinstance(sensors, PartialDriver) else ()

    def _next_deadline(self, now: Micros) -> Micros | None:
        if self.is_done:
            return None
        if self.request.kind in KINDS_WITHOUT_ANSWER:
            return self._since + self.request.duration
        if self.request.kind == "place" and self._appeared and now < self._changed_at + CONTACTS_REST_US:
            return self._changed_at + CONTACTS_REST_US
        return None


def join_shortened(names: Sequence[str], most: int = 6) -> str:
    """Names in a text, the middle of a long list left out."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[: most - 2])} ... {names[-1]}"
