"""A board on Raspberry Pi Picos, over USB: reeds, lamps, buttons and buzzer by one cable a Pico.

The three ports of a board share its cables: whichever is turned reads and writes. Say the port of a Pico
where the sensors are configured (`port`, or `ports` by the ids of several); without, Picos are found by their
USB identity. A Pico that goes away is told as `Trouble("bank-silent")` and looked for until it is back; what
changed meanwhile is sensed then, without order.
"""

from __future__ import annotations

import select
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence

from boardware.errors import DriverError, SettingError
from boardware.opening import Settings, begun_by, checked_by, is_path, known_settings, milliseconds, whole
from boardware.parts import BoardDescription
from boardware.pico_cable import Opener, PicoCable
from boardware.pico_plan import plans
from boardware.pico_port import open_serial, usb_paths
from boardware.ports import (
    ButtonHeld,
    ButtonPressed,
    ConsoleEvent,
    HardwareTrouble,
    LampId,
    Light,
    Micros,
    SensorChanged,
    SensorEvent,
    SlotId,
    TagEvent,
    Tone,
)
from boardware.tomlfile import shown

BRIGHTNESS = 50
"""Percent."""
ANSWER_MS = 5000.0
"""How long the start waits for all Picos to answer; one that was just plugged in needs two seconds."""
MOST_TAG_EVENTS = 4096
"""What is kept of the readers of a board: more than a turn brings, and no more where nobody asks for it."""
HOLD_MS = 2000.0
"""As on the Pi's own header."""

_DRIVER = "pico"
_hubs: dict[str, PicoHub] = {}
"""The cables in use, by board."""
_lent: dict[str, str] = {}
"""The boards whose Picos are not looked for now, and why."""

Wait = Callable[[Micros, Sequence[int]], Micros]
"""Lets time pass until a moment, or until a file descriptor is readable. Returns the time it is then."""


def check_sensors(board: BoardDescription, settings: Settings) -> tuple[dict[str, str], Micros]:
    """Where Picos are and how long one may take to answer. Raises `SettingError` and `DriverError`."""
    known_settings(_DRIVER, settings, "port", "ports", "answer_ms")
    answer = milliseconds(_DRIVER, settings, "answer_ms", ANSWER_MS, 100, 60_000)
    _has_pico(board)
    return paths_of(board, settings), answer


def begin_sensors(board: BoardDescription, **settings: object) -> PicoSensors:
    """As `open_sensors`, but waits for nothing: `missing` says which Pico has not told yet what it feels."""
    paths, _ = check_sensors(board, settings)
    hub = hub_of(board)
    hub.find_at(paths)
    return PicoSensors(hub)


@checked_by(check_sensors)
@begun_by(begin_sensors)
def open_sensors(board: BoardDescription, *, wait: Wait | None = None, **settings: object) -> PicoSensors:
    """The reeds of all Picos of `board`; waits until each has told what it feels.

    Settings: `port` or `ports`, `answer_ms`. Raises `SettingError`, and `DriverError` if one does not answer.
    """
    _, answer = check_sensors(board, settings)
    sensors = begin_sensors(board, **settings)
    try:
        sensors.await_all(wait or wait_for, answer)
    except BaseException:
        sensors.close()
        raise
    return sensors


def check_lamps(board: BoardDescription, settings: Settings) -> tuple[int, bool]:
    """Brightness in percent, and whether there are hints. Raises `SettingError` and `DriverError`."""
    known_settings("pico-lamps", settings, "brightness", "hints")
    hints = settings.get("hints", True)
    if not isinstance(hints, bool):
        raise SettingError(f"pico-lamps: hints is {shown(hints)}; try true or false", "hints")
    percent = whole("pico-lamps", settings, "brightness", BRIGHTNESS, 1, 100)
    _has_pico(board)
    return percent, hints


@checked_by(check_lamps)
def open_lamps(board: BoardDescription, **settings: object) -> PicoLamps:
    """The lamps of all Picos.

    Settings: `brightness` in percent; `hints`, whether a Pico may answer a lift ahead of the host. Raises
    `SettingError` and `DriverError`.
    """
    percent, hints = check_lamps(board, settings)
    hub = hub_of(board)
    hub.brightness = max(1, percent * 255 // 100)
    return PicoLamps(hub, hints=hints)


def check_console(board: BoardDescription, settings: Settings) -> Micros:
    """How long a button is held. Raises `SettingError` and `DriverError`."""
    known_settings("pico-console", settings, "hold_ms")
    _has_pico(board)
    return milliseconds("pico-console", settings, "hold_ms", HOLD_MS, 200, 60_000)


@checked_by(check_console)
def open_console(board: BoardDescription, **settings: object) -> PicoConsole:
    """The buttons and the buzzer of all Picos. Setting: `hold_ms`. Raises `SettingError`, `DriverError`."""
    hold = check_console(board, settings)
    return PicoConsole(hub_of(board), hold)


def _has_pico(board: BoardDescription) -> None:
    if not board.picos:
        raise DriverError(f"{_DRIVER}: board {board.id} has no Pico")


def hub_of(board: BoardDescription) -> PicoHub:
    """The cables of a board, shared by all its ports."""
    if board.id not in _hubs:
        _hubs[board.id] = PicoHub(board)
    return _hubs[board.id]


def paths_of(board: BoardDescription, settings: Settings) -> dict[str, str]:
    """Where each Pico is, as far as the configuration says it. Raises `SettingError`."""
    port, ports = settings.get("port"), settings.get("ports", {})
    if port is not None:
        if not is_path(port) or len(board.picos) != 1 or ports:
            raise SettingError(
                f"{_DRIVER}: port is {shown(port)}; try the path of a board's only Pico", "port"
            )
        return {next(iter(board.picos)): str(port)}
    if not isinstance(ports, Mapping):
        raise SettingError(
            f"{_DRIVER}: ports is {shown(ports)}; try a table of Picos and their paths", "ports"
        )
    for pico, path in ports.items():
        if pico not in board.picos or not is_path(path):
            raise SettingError(
                f"{_DRIVER}: ports has {pico} = {shown(path)}; try {', '.join(board.picos)}", "ports"
            )
    return dict(ports)


def wait_for(until: Micros, filenos: Sequence[int]) -> Micros:
    """Wait by the real clock until that moment, or until a file descriptor is readable; the time then."""
    left = max(0, until - time.monotonic_ns() // 1000)
    select.select(filenos, [], [], left / 1_000_000)
    return time.monotonic_ns() // 1000


class PicoHub:
    """The cables of one board. The ports over it count as users; when the last closes, so do the cables."""

    def __init__(self, board: BoardDescription, open_: Opener = open_serial) -> None:
        self.board = board
        self.open = open_
        self.users = 0
        self.brightness = BRIGHTNESS * 255 // 100
        self.cables: list[PicoCable] = []
        self.felt_events: list[SensorEvent] = []
        self.button_events: list[tuple[Micros, str, bool | None]] = []
        self.tag_events: deque[TagEvent] = deque(maxlen=MOST_TAG_EVENTS)
        self._paths: dict[str, str] = {}
        self._present: set[SlotId] = set()
        self._frozen: frozenset[SlotId] | None = frozenset()
        self._turned: Micros | None = None

    def find_at(self, paths: Mapping[str, str]) -> None:
        """Look for these Picos there, for all others by USB identity."""
        self._paths = dict(paths)

    def _connect(self) -> None:
        for plan in plans(self.board).values():
            find = self._finder(plan.pico)
            self.cables.append(PicoCable(plan, self, find, lambda path: self.open(path), self.brightness))

    def _finder(self, pico: str) -> Callable[[], Sequence[str]]:
        def free() -> list[str]:
            if why := _lent.get(self.board.id):
                raise OSError(why)
            if pico in self._paths:
                return [self._paths[pico]]
            taken = {cable.path for cable in self.cables}
            return [path for path in usb_paths(self.board.picos[pico].usb) if path not in taken]

        return free

    def await_all(self, wait: Wait, patience: Micros) -> None:
        """Turn the cables until every Pico has told what it feels. Raises `DriverError`."""
        if missing := self.look(wait, patience):
            raise DriverError(missing)
        self.felt_events.clear()
        self.button_events.clear()

    def look(self, wait: Wait, patience: Micros) -> str:
        """Turn the cables until every Pico has told what it feels, or patience ends; what is missing then."""
        now = wait(0, ())
        end = now + patience
        self.turn(now)
        while (missing := self.missing()) and now < end:
            self.felt_events.clear()
            now = wait(min(self.due(), end), self.filenos())
            self.turn(now)
        return missing

    def missing(self) -> str:
        """The Picos that have not told what they feel, or are silent again, and why; empty for none."""
        if not self.cables:
            return f"{_DRIVER}: not looked for yet"
        said = self.absent().values()
        return f"{_DRIVER}: {'; '.join(said)}" if said else ""

    def absent(self) -> dict[str, str]:
        """By id the same of each of them that was looked for."""
        return {cable.plan.pico: self._why(cable) for cable in self.cables if not cable.here}

    def _why(self, cable: PicoCable) -> str:
        where = cable.path or self._paths.get(cable.plan.pico) or "any USB port"
        why = f"no answer ({cable.failure})" if cable.failure else "no answer"
        return f"Pico {cable.plan.pico} at {where}: {cable.refused or why}"

    def unfit(self, enough: Callable[[str], bool]) -> dict[str, str]:
        """As `Flashable` has it."""
        found = {cable.plan.pico: cable.unfit(enough) for cable in self.cables}
        return {pico: told for pico, told in found.items() if told}

    def lend(self, picos: Collection[str], why: str, now: Micros) -> tuple[str, ...]:
        """As `Flashable` has it. No other Pico of the board is looked for meanwhile: by USB alone nobody
        knows which is which."""
        for cable in self.cables:
            if cable.plan.pico in picos or not cable.here:
                cable.let_go(now, why)
        apart = [cable for cable in self.cables if not cable.path]
        paths = tuple(dict.fromkeys(path for cable in apart for path in cable.places))
        _lent[self.board.id] = why
        return paths

    def take_back(self) -> None:
        """As `Flashable` has it."""
        _lent.pop(self.board.id, None)

    def turn(self, now: Micros) -> None:
        """Read and write all cables, once a moment."""
        if not self.cables:
            self._connect()
        if now != self._turned:
            self._turned = now
            for cable in self.cables:
                cable.turn(now)

    def flush(self, now: Micros) -> None:
        """Tell what was said or has waited since `turn`."""
        for cable in self.cables:
            cable.flush(now)

    def due(self) -> Micros:
        """When to turn next if nothing comes: at once if a cable was lost while something was told to it."""
        if self.felt_events:
            return self._turned or 0
        return min((cable.due() for cable in self.cables), default=0)

    def filenos(self) -> tuple[int, ...]:
        """What becomes readable when something comes."""
        return tuple(number for cable in self.cables if (number := cable.fileno()) is not None)

    def present(self) -> frozenset[SlotId]:
        """The slots that hold a piece, as far as it was told."""
        if self._frozen is None:
            self._frozen = frozenset(self._present)
        return self._frozen

    def release(self) -> None:
        """One user less."""
        self.users -= 1
        if self.users <= 0:
            for cable in self.cables:
                cable.close()
            if _hubs.get(self.board.id) is self:
                del _hubs[self.board.id]

    def wire_errors(self) -> dict[str, dict[str, int]]:
        """By Pico what went wrong on its cable so far."""
        links = {cable.plan.pico: cable.link for cable in self.cables}
        return {pico: {"repeated": link.repeated, "noise": link.noise} for pico, link in links.items()}

    # What cables tell

    def felt(self, at: Micros, slot: SlotId, present: bool) -> None:
        """A slot changed."""
        (self._present.add if present else self._present.discard)(slot)
        self._frozen = None
        self.felt_events.append(SensorChanged(at, slot, present))

    def heard(self, button: str) -> Micros:
        """The last moment of which a button's Pico has told."""
        (cable,) = [cable for cable in self.cables if button in cable.plan.buttons]
        return cable.heard

    def button(self, at: Micros, name: str, down: bool | None) -> None:
        """A button went down or came up; `None`: nobody knows whether it is down still."""
        self.button_events.append((at, name, down))

    def trouble(self, trouble: HardwareTrouble) -> None:
        """Something is wrong, or well again."""
        self.felt_events.append(trouble)

    def tag(self, event: TagEvent) -> None:
        """A tag was read, or is gone."""
        self.tag_events.append(event)


class HubPort:
    """What the three ports of a hub have in common. Nothing is polled: what comes wakes the crank."""

    def __init__(self, hub: PicoHub) -> None:
        self._hub: PicoHub = hub
        self._open = True
        hub.users += 1

    def filenos(self) -> tuple[int, ...]:
        """What becomes readable when `step` has something to do."""
        return self._hub.filenos()

    def due_after(self, at: Micros) -> Micros:
        """There is no grid: any moment is one."""
        return at

    def quiet(self) -> bool:
        """Always: the Picos look by themselves."""
        return True

    def close(self) -> None:
        """Let go of the cables; the last port closes them, lamps dark. Closing twice is allowed."""
        if self._open:
            self._open = False
            self._hub.release()


class PicoSensors(HubPort):
    """The reeds of all Picos as one `SensorPort`. Times of events are those of the Picos' clocks."""

    def step(self, now: Micros) -> Sequence[SensorEvent]:
        """What was sensed, and what is wrong, since the last call."""
        hub = self._hub
        hub.turn(now)
        if not hub.felt_events:
            return ()
        told, hub.felt_events = hub.felt_events, []
        # Times of several Picos, in the order of one board.
        return sorted(told, key=lambda event: event.at)

    def missing(self) -> str:
        """Which Picos have not told yet what they feel."""
        return self._hub.missing()

    def absent(self) -> Mapping[str, str]:
        """The same by the id of each Pico."""
        return self._hub.absent()

    def unfit(self, enough: Callable[[str], bool]) -> Mapping[str, str]:
        """The Picos with other firmware, and what is known of it."""
        return self._hub.unfit(enough)

    def lend(self, parts: Collection[str], why: str, now: Micros) -> Sequence[str]:
        """Leave these Picos to somebody else; where they may be."""
        return self._hub.lend(parts, why, now)

    def take_back(self) -> None:
        """Look for them again."""
        self._hub.take_back()

    def await_all(self, wait: Wait, patience: Micros) -> None:
        """Wait until none is missing. Raises `DriverError`."""
        self._hub.await_all(wait, patience)

    def present(self) -> frozenset[SlotId]:
        """The slots that hold a piece."""
        return self._hub.present()

    def wire_errors(self) -> dict[str, dict[str, int]]:
        """As the hub's."""
        return self._hub.wire_errors()

    def due(self) -> Micros:
        """When a Pico is spoken to again if nothing comes."""
        return self._hub.due()


class PicoLamps(HubPort):
    """The lamps of all Picos as one `LampPort`: tells differences, and hints beforehand."""

    def __init__(self, hub: PicoHub, *, hints: bool = True) -> None:
        super().__init__(hub)
        self._hints = hints

    def show(self, lights: Mapping[LampId, Light], now: Micros) -> None:
        """From now on show these lights; `step` sends them."""
        for cable in self._hub.cables:
            cable.show(lights, now)

    def foresee(self, hints: Mapping[SlotId, Mapping[LampId, Light]], now: Micros) -> None:
        """What the lamps show on top as soon as a slot is lifted; an empty table ends that."""
        for cable in self._hub.cables if self._hints else ():
            cable.foresee(hints, now)

    def step(self, now: Micros) -> None:
        """Send what was said."""
        self._hub.turn(now)
        self._hub.flush(now)

    def due(self) -> Micros | None:
        """Patterns move on the Picos: nothing is due here but what the cables want."""
        return self._hub.due()

    def take_troubles(self) -> Sequence[HardwareTrouble]:
        """Nothing: a Pico can't feel its lamps, and a lost cable is the sensors' trouble."""
        return ()


class PicoConsole(HubPort):
    """The buttons and the buzzer of all Picos as one `ConsolePort`."""

    def __init__(self, hub: PicoHub, hold: Micros) -> None:
        super().__init__(hub)
        self._hold = hold
        self._downs: dict[str, Micros] = {}
        """Since when a button is down whose press was told as nothing yet."""
        self._holds: dict[str, Micros] = {}
        """When it is told held."""

    def step(self, now: Micros) -> Sequence[ConsoleEvent]:
        """Buttons pressed, and held for long, since the last call."""
        hub = self._hub
        hub.turn(now)
        told: list[ConsoleEvent] = []
        events, hub.button_events = hub.button_events, []
        for at, name, down in events:
            told += self._held(name, at)
            self._holds.pop(name, None)
            if down:
                self._downs[name], self._holds[name] = at, at + self._hold
            elif down is False:
                since = self._downs.pop(name, None)
                if since is not None and at - since < self._hold:
                    told.append(ButtonPressed(at, name, at - since))
        for name in list(self._holds):
            told += self._held(name, hub.heard(name))
        return told

    def _held(self, name: str, until: Micros) -> list[ConsoleEvent]:
        """That a button is held for long, if it was known down `until` then: a release may be on its way."""
        if name not in self._holds or until < self._holds[name]:
            return []
        self._downs.pop(name, None)
        return [ButtonHeld(self._holds.pop(name), name, self._hold)]

    def sound(self, tones: Sequence[Tone], now: Micros) -> None:
        """Have the buzzer play it."""
        for cable in self._hub.cables:
            cable.sound(tones)
        self._hub.flush(now)

    def due(self) -> Micros:
        """When a Pico is spoken to again: that a button is held, it is known by its signs of life."""
        return self._hub.due()

    def wants(self) -> Micros | None:
        """The same: nothing here is found by looking at contacts."""
        return self.due()
