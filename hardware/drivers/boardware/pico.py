"""A board on Raspberry Pi Picos, over USB: reeds, lamps, buttons and buzzer by one cable a Pico.

The three ports of a board share its cables: whichever is turned reads and writes. Say the port of a Pico
where the sensors are configured (`port`, or `ports` by the ids of several), or the `satellite` on which they
hang; without, Picos are found by their USB identity. A Pico that goes away is told as
`HardwareTrouble("bank-silent")` and looked for until it is back; what changed meanwhile is sensed then,
without order.
"""

from __future__ import annotations

import re
import select
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence

from boardware.errors import DriverError, SettingError
from boardware.opening import (
    Settings,
    is_serial_path,
    read_milliseconds,
    read_whole_number,
    refuse_unknown_settings,
    with_nonblocking_open,
    with_settings_check,
)
from boardware.parts import HEADER, BoardDescription
from boardware.pico_cable import Opener, PicoCable
from boardware.pico_plan import plans_by_pico
from boardware.pico_port import open_serial, usb_paths
from boardware.pico_remote import satellite_paths
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
from boardware.tomlfile import quote_value

DEFAULT_BRIGHTNESS_PERCENT = 50
"""Percent."""
ANSWER_MS = 5000.0
"""How long the start waits for all Picos to answer; one that was just plugged in needs two seconds."""
TAG_EVENTS_MAX = 4096
"""What is kept of the readers of a board: more than a turn brings, and no more where nobody asks for it."""
HOLD_MS = 2000.0
"""As on the Pi's own header."""

_DRIVER = "pico"
_hubs_by_board: dict[tuple[str, str], PicoHub] = {}
"""The cables in use, by board."""
_match_name = re.compile(r"([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)?").fullmatch
_lending_reasons: dict[tuple[str, str], str] = {}
"""The boards whose Picos are not looked for now, and why."""

WaitFunction = Callable[[Micros, Sequence[int]], Micros]
"""Lets time pass until a moment, or until a file descriptor is readable. Returns the time it is then."""


def check_sensors(board: BoardDescription, settings: Settings) -> tuple[dict[str, str], Micros]:
    """Where Picos are and how long one may take to answer. Raises `SettingError` and `DriverError`."""
    refuse_unknown_settings(_DRIVER, settings, "port", "ports", "satellite", "answer_ms")
    answer = read_milliseconds(_DRIVER, settings, "answer_ms", ANSWER_MS, 100, 60_000)
    _require_pico(board)
    return configured_ports(board, settings), answer


def begin_sensors(board: BoardDescription, **settings: object) -> PicoSensors:
    """As `open_sensors`, but waits for nothing: `missing` says which Pico has not told yet what it feels."""
    paths, _ = check_sensors(board, settings)
    hub = shared_hub(board)
    hub.set_port_paths(paths, configured_satellite(settings))
    return PicoSensors(hub)


@with_settings_check(check_sensors)
@with_nonblocking_open(begin_sensors)
def open_sensors(
    board: BoardDescription, *, wait: WaitFunction | None = None, **settings: object
) -> PicoSensors:
    """The reeds of all Picos of `board`; waits until each has told what it feels.

    Settings: `port`, `ports` or `satellite`; `answer_ms`. Raises `SettingError`, and `DriverError` if one
    does not answer.
    """
    _, answer = check_sensors(board, settings)
    sensors = begin_sensors(board, **settings)
    try:
        sensors.wait_for_all_picos(wait or wait_until, answer)
    except BaseException:
        sensors.close()
        raise
    return sensors


def check_lamps(board: BoardDescription, settings: Settings) -> tuple[int, bool]:
    """Brightness in percent, and whether there are hints. Raises `SettingError` and `DriverError`."""
    refuse_unknown_settings("pico-lamps", settings, "brightness", "hints")
    hints = settings.get("hints", True)
    if not isinstance(hints, bool):
        raise SettingError(f"pico-lamps: hints is {quote_value(hints)}; try true or false", "hints")
    percent = read_whole_number("pico-lamps", settings, "brightness", DEFAULT_BRIGHTNESS_PERCENT, 1, 100)
    _require_pico(board)
    return percent, hints


@with_settings_check(check_lamps)
def open_lamps(board: BoardDescription, **settings: object) -> PicoLamps:
    """The lamps of all Picos.

    Settings: `brightness` in percent; `hints`, whether a Pico may answer a lift ahead of the host. Raises
    `SettingError` and `DriverError`.
    """
    percent, hints = check_lamps(board, settings)
    hub = shared_hub(board)
    hub.brightness = max(1, percent * 255 // 100)
    return PicoLamps(hub, hints=hints)


def check_console(board: BoardDescription, settings: Settings) -> Micros:
    """How long a button is held. Raises `SettingError` and `DriverError`."""
    refuse_unknown_settings("pico-console", settings, "hold_ms")
    _require_pico(board)
    return read_milliseconds("pico-console", settings, "hold_ms", HOLD_MS, 200, 60_000)


@with_settings_check(check_console)
def open_console(board: BoardDescription, **settings: object) -> PicoConsole:
    """The buttons and the buzzer of all Picos. Setting: `hold_ms`. Raises `SettingError`, `DriverError`."""
    hold = check_console(board, settings)
    return PicoConsole(shared_hub(board), hold)


def _require_pico(board: BoardDescription) -> None:
    if not board.picos:
        raise DriverError(f"{_DRIVER}: board {board.id} has no Pico")


def shared_hub(board: BoardDescription) -> PicoHub:
    """The cables of a board, shared by all its ports."""
    key = _key(board)
    if key not in _hubs_by_board:
        _hubs_by_board[key] = PicoHub(board)
    return _hubs_by_board[key]


def _key(board: BoardDescription) -> tuple[str, str]:
    """What tells a board from others in use."""
    return board.id, board.place


def configured_satellite(settings: Settings) -> str:
    """The satellite on which the Picos hang; empty for this machine. Raises `SettingError`."""
    name = settings.get("satellite", "")
    if not isinstance(name, str) or not _match_name(name):
        raise SettingError(
            f"{_DRIVER}: satellite is {quote_value(name)}; try a name of small letters, digits and hyphens",
            "satellite",
        )
    if name and {"port", "ports"} & settings.keys():
        raise SettingError(f"{_DRIVER}: found port or ports, too; a satellite finds its own", "satellite")
    return name


def configured_ports(board: BoardDescription, settings: Settings) -> dict[str, str]:
    """Where each Pico is, as far as the configuration says it. Raises `SettingError`."""
    configured_satellite(settings)
    port, ports = settings.get("port"), settings.get("ports", {})
    if port is not None:
        if not is_serial_path(port) or len(board.picos) != 1 or ports:
            raise SettingError(
                f"{_DRIVER}: port is {quote_value(port)}; try the path of a board's only Pico", "port"
            )
        return {next(iter(board.picos)): str(port)}
    if not isinstance(ports, Mapping):
        raise SettingError(
            f"{_DRIVER}: ports is {quote_value(ports)}; try a table of Picos and their paths", "ports"
        )
    for pico, path in ports.items():
        if pico not in board.picos or not is_serial_path(path):
            raise SettingError(
                f"{_DRIVER}: ports has {pico} = {quote_value(path)}; try {', '.join(board.picos)}", "ports"
            )
    return dict(ports)


def wait_until(until: Micros, filenos: Sequence[int]) -> Micros:
    """Wait by the real clock until that moment, or until a file descriptor is readable; the time then."""
    left = max(0, until - time.monotonic_ns() // 1000)
    select.select(filenos, [], [], left / 1_000_000)
    return time.monotonic_ns() // 1000


class PicoHub:
    """The cables of one board. The ports over it count as users; when the last closes, so do the cables."""

    def __init__(self, board: BoardDescription, open_: Opener = open_serial) -> None:
        self.board = board
        self.open_port = open_
        self.user_count = 0
        self.brightness = DEFAULT_BRIGHTNESS_PERCENT * 255 // 100
        self.cables: list[PicoCable] = []
        self.sensor_events: list[SensorEvent] = []
        self.button_events: list[tuple[Micros, str, bool | None]] = []
        self.tag_events: deque[TagEvent] = deque(maxlen=TAG_EVENTS_MAX)
        self._paths: dict[str, str] = {}
        self._satellite = ""
        self._present: set[SlotId] = set()
        self._frozen: frozenset[SlotId] | None = frozenset()
        self._turned: Micros | None = None

    def set_port_paths(self, paths: Mapping[str, str], satellite: str = "") -> None:
        """Look for these Picos there, for all others by USB identity, or at a satellite."""
        self._paths, self._satellite = dict(paths), satellite

    def _connect(self) -> None:
        for plan in plans_by_pico(self.board).values():
            find = self._make_port_finder(plan.pico)
            self.cables.append(
                PicoCable(plan, self, find, lambda path: self.open_port(path), self.brightness)
            )

    def _make_port_finder(self, pico: str) -> Callable[[], Sequence[str]]:
        def free() -> list[str]:
            if why := _lending_reasons.get(_key(self.board)):
                raise OSError(why)
            if pico in self._paths:
                return [self._paths[pico]]
            taken = {cable.path for cable in self.cables}
            if self._satellite:
                found = satellite_paths(self._satellite)
            else:
                found = usb_paths(self.board.picos[pico].usb_serial_number)
            return [path for path in found if path not in taken]

        return free

    def wait_for_all_picos(self, wait: WaitFunction, patience: Micros) -> None:
        """Turn the cables until every Pico has told what it feels. Raises `DriverError`."""
        if missing := self.wait_until_reported(wait, patience):
            raise DriverError(missing)
        self.sensor_events.clear()
        self.button_events.clear()

    def wait_until_reported(self, wait: WaitFunction, patience: Micros) -> str:
        """Turn the cables until every Pico has told what it feels, or patience ends; what is missing then."""
        now = wait(0, ())
        end = now + patience
        self.poll_cables(now)
        while (missing := self.missing()) and now < end:
            self.sensor_events.clear()
            now = wait(min(self.due(), end), self.filenos())
            self.poll_cables(now)
        return missing

    def missing(self) -> str:
        """The Picos that have not told what they feel, or are silent again, and why; empty for none."""
        if not self.cables:
            return f"{_DRIVER}: not looked for yet"
        said = self.silent_parts().values()
        return f"{_DRIVER}: {'; '.join(said)}" if said else ""

    def silent_parts(self) -> dict[str, str]:
        """By id the same of each of them that was looked for."""
        return {
            cable.plan.pico: self._silence_reason(cable) for cable in self.cables if not cable.is_reporting
        }

    def _silence_reason(self, cable: PicoCable) -> str:
        elsewhere = f"satellite {self._satellite}" if self._satellite else "any USB port"
        where = cable.path or self._paths.get(cable.plan.pico) or elsewhere
        why = f"no answer ({cable.open_failure})" if cable.open_failure else "no answer"
        name = "the header" if cable.plan.pico == HEADER else f"Pico {cable.plan.pico}"
        return f"{name} at {where}: {cable.refusal_reason or why}"

    def unfit_firmware(self, enough: Callable[[str], bool]) -> dict[str, str]:
        """As `FlashableDriver` has it. A Pico at a satellite is flashed there: `boardumpire flash`."""
        if self._satellite:
            return {}
        found = {cable.plan.pico: cable.unfit_firmware(enough) for cable in self.cables}
        return {pico: told for pico, told in found.items() if told}

    def lend_parts(self, picos: Collection[str], why: str, now: Micros) -> tuple[str, ...]:
        """As `FlashableDriver` has it. No other Pico of the board is looked for meanwhile: by USB alone
        nobody knows which is which."""
        for cable in self.cables:
            if cable.plan.pico in picos or not cable.is_reporting:
                cable.release_port(now, why)
        apart = [cable for cable in self.cables if not cable.path]
        paths = tuple(dict.fromkeys(path for cable in apart for path in cable.possible_paths))
        _lending_reasons[_key(self.board)] = why
        return paths

    def reclaim_parts(self) -> None:
        """As `FlashableDriver` has it."""
        _lending_reasons.pop(_key(self.board), None)

    def poll_cables(self, now: Micros) -> None:
        """Read and write all cables, once a moment."""
        if not self.cables:
            self._connect()
        if now != self._turned:
            self._turned = now
            for cable in self.cables:
                cable.poll(now)

    def flush(self, now: Micros) -> None:
        """Tell what was said or has waited since `poll_cables`."""
        for cable in self.cables:
            cable.flush(now)

    def due(self) -> Micros:
        """When to turn next if nothing comes: at once if a cable was lost while something was told to it."""
        if self.sensor_events:
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

    def release_user(self) -> None:
        """One user less."""
        self.user_count -= 1
        if self.user_count <= 0:
            for cable in self.cables:
                cable.close()
            if _hubs_by_board.get(_key(self.board)) is self:
                del _hubs_by_board[_key(self.board)]

    def wire_errors(self) -> dict[str, dict[str, int]]:
        """By Pico what went wrong on its cable so far."""
        links = {cable.plan.pico: cable.link for cable in self.cables}
        return {
            pico: {"repeated": link.retransmitted_count, "noise": link.noise_count}
            for pico, link in links.items()
        }

    # What cables tell

    def on_sensor_change(self, at: Micros, slot: SlotId, present: bool) -> None:
        """A slot changed."""
        (self._present.add if present else self._present.discard)(slot)
        self._frozen = None
        self.sensor_events.append(SensorChanged(at, slot, present))

    def last_report_time(self, button: str) -> Micros:
        """The last moment of which a button's Pico has told."""
        (cable,) = [cable for cable in self.cables if button in cable.plan.buttons]
        return cable.last_report_time

    def on_button(self, at: Micros, name: str, down: bool | None) -> None:
        """A button went down or came up; `None`: nobody knows whether it is down still."""
        self.button_events.append((at, name, down))

    def on_trouble(self, trouble: HardwareTrouble) -> None:
        """Something is wrong, or well again."""
        self.sensor_events.append(trouble)

    def on_tag(self, event: TagEvent) -> None:
        """A tag was read, or is gone."""
        self.tag_events.append(event)


class HubPort:
    """What the three ports of a hub have in common. Nothing is polled: what comes wakes the crank."""

    def __init__(self, hub: PicoHub) -> None:
        self._hub: PicoHub = hub
        self._open = True
        hub.user_count += 1

    def filenos(self) -> tuple[int, ...]:
        """What becomes readable when `step` has something to do."""
        return self._hub.filenos()

    def due_after(self, at: Micros) -> Micros:
        """There is no grid: any moment is one."""
        return at

    def is_quiet(self) -> bool:
        """Always: the Picos look by themselves."""
        return True

    def close(self) -> None:
        """Let go of the cables; the last port closes them, lamps dark. Closing twice is allowed."""
        if self._open:
            self._open = False
            self._hub.release_user()


class PicoSensors(HubPort):
    """The reeds of all Picos as one `SensorPort`. Times of events are those of the Picos' clocks."""

    def step(self, now: Micros) -> Sequence[SensorEvent]:
        """What was sensed, and what is wrong, since the last call."""
        hub = self._hub
        hub.poll_cables(now)
        if not hub.sensor_events:
            return ()
        told, hub.sensor_events = hub.sensor_events, []
        # Times of several Picos, in the order of one board.
        return sorted(told, key=lambda event: event.at)

    def missing(self) -> str:
        """Which Picos have not told yet what they feel."""
        return self._hub.missing()

    def silent_parts(self) -> Mapping[str, str]:
        """The same by the id of each Pico."""
        return self._hub.silent_parts()

    def unfit_firmware(self, enough: Callable[[str], bool]) -> Mapping[str, str]:
        """The Picos with other firmware, and what is known of it."""
        return self._hub.unfit_firmware(enough)

    def lend_parts(self, parts: Collection[str], why: str, now: Micros) -> Sequence[str]:
        """Leave these Picos to somebody else; where they may be."""
        return self._hub.lend_parts(parts, why, now)

    def reclaim_parts(self) -> None:
        """Look for them again."""
        self._hub.reclaim_parts()

    def wait_for_all_picos(self, wait: WaitFunction, patience: Micros) -> None:
        """Wait until none is missing. Raises `DriverError`."""
        self._hub.wait_for_all_picos(wait, patience)

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

    def prepare_hints(self, hints: Mapping[SlotId, Mapping[LampId, Light]], now: Micros) -> None:
        """What the lamps show on top as soon as a slot is lifted; an empty table ends that."""
        for cable in self._hub.cables if self._hints else ():
            cable.prepare_hints(hints, now)

    def step(self, now: Micros) -> None:
        """Send what was said."""
        self._hub.poll_cables(now)
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
        hub.poll_cables(now)
        told: list[ConsoleEvent] = []
        events, hub.button_events = hub.button_events, []
        for at, name, down in events:
            told += self._held_events(name, at)
            self._holds.pop(name, None)
            if down:
                self._downs[name], self._holds[name] = at, at + self._hold
            elif down is False:
                since = self._downs.pop(name, None)
                if since is not None and at - since < self._hold:
                    told.append(ButtonPressed(at, name, at - since))
        for name in list(self._holds):
            told += self._held_events(name, hub.last_report_time(name))
        return told

    def _held_events(self, name: str, until: Micros) -> list[ConsoleEvent]:
        """That a button is held for long, if it was known down `until` then: a release may be on its way."""
        if name not in self._holds or until < self._holds[name]:
            return []
        self._downs.pop(name, None)
        return [ButtonHeld(self._holds.pop(name), name, self._hold)]

    def sound(self, tones: Sequence[Tone], now: Micros) -> None:
        """Have the buzzer play it."""
        for cable in self._hub.cables:
            cable.play_sound(tones)
        self._hub.flush(now)

    def due(self) -> Micros:
        """When a Pico is spoken to again: that a button is held, it is known by its signs of life."""
        return self._hub.due()

    def next_own_change(self) -> Micros | None:
        """The same: nothing here is found by looking at contacts."""
        return self.due()
