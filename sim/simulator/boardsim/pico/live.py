"""Simulated Picos by the real clock, and the drivers over them.

`pico-sim`, `pico-lamps-sim` and `pico-console-sim` are for a program that runs the world itself, as
`boardumpire page` does: their setting `picos` is a `LivePicos`. They are the real drivers of
`boardware.pico`, over pseudo-terminals.

The program that runs the world is also the host, and a busy machine may let it wait for seconds. The world
then comes up to the present bit by bit: whenever something has come to the host, it reads and answers before
the Picos' time goes on. So a wait is no silence of either end.
"""

from __future__ import annotations

import asyncio
import logging
import select
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from boardsim.pico.cabled import CabledPico, PicoError
from boardsim.pico.picos import SimPicos, SimSerialPort
from boardsim.pins.terminals import unread_bytes
from boardsim.world.world import World
from boardware import pico
from boardware.errors import SettingError
from boardware.opening import Settings, with_settings_check
from boardware.parts import BoardDescription
from boardware.pico import PicoConsole, PicoHub, PicoLamps, PicoSensors
from boardware.ports import SECOND, Micros

log = logging.getLogger("boardumpire.pico-sim")


class _Cable(NamedTuple):
    """Says to a Pico, in the world's present, that bytes of the host come."""

    picos: LivePicos
    pico: CabledPico

    def prepare_host_read(self) -> None:
        """The host is about to read."""
        self.picos.advance_to_now()

    def carry_from_host(self, count: int) -> None:
        """The host has written that many bytes."""
        self.picos.advance_to_now()
        self.pico.carry_from_host(count)
        self.picos.on_schedule_changed()


class LivePicos(SimPicos):
    """The Picos under a world that goes by the real clock.

    `clock` tells the world's time; `planned` is called whenever the host gave the world something to do.
    """

    def __init__(
        self,
        world: World,
        clock: Callable[[], Micros],
        planned: Callable[[], None],
        *,
        seed: int = 0,
        board: BoardDescription | None = None,
        unpowered: Collection[str] = (),
        charging_only: Collection[str] = (),
    ) -> None:
        """The others as `SimPicos` takes them."""
        self.clock = clock
        self.on_schedule_changed = planned
        self._taken: set[str] = set()
        self._is_host_elsewhere = False
        super().__init__(world, seed=seed, board=board, unpowered=unpowered, charging_only=charging_only)
        for each in self.picos_by_name.values():
            each.on_firmware_ended = _log_firmware_end

    def advance_to_now(self) -> None:
        """Let the world come to the present, or to the moment when something comes to the host before."""
        world, now = self.world, self.clock()
        if self._is_host_elsewhere:
            world.advance(now)
            return
        before = self._delivered()
        while (edge := world.next_edge()) is not None and edge <= now:
            world.advance(edge)
            if self._delivered() != before:
                return
        world.advance(now)

    def wait_for_other_process(self) -> None:
        """From now on another process is the host, and opens the ports itself. Needs a running loop."""
        self._is_host_elsewhere = True
        loop = asyncio.get_running_loop()
        for each in self.picos_by_name.values():
            each.read_elsewhere = True

            def watch(fd: int, pico: CabledPico = each) -> None:
                loop.add_reader(fd, self._carry_from_host, pico)

            each.on_port_opened, each.on_port_closing = watch, loop.remove_reader
            if each.plugged:
                watch(each.host_data_fd)

    def _carry_from_host(self, pico: CabledPico) -> None:
        self.advance_to_now()
        if pico.plugged and (count := unread_bytes(pico.host_data_fd)):
            pico.carry_from_host(count)
        self.on_schedule_changed()

    def _delivered(self) -> int:
        return sum(each.delivered for each in self.picos_by_name.values())

    def hub(self, kind: str, board: BoardDescription) -> PicoHub:
        """The cables for a table's `sensors`, `lamps` or `console`; asked twice for one, another table's.

        `board` is what the host takes the board for.
        """
        if self._hub is None or kind in self._taken:
            self._hang_up()
            self._taken.clear()
            self._hub = PicoHub(board, self._open)
            self._hub.set_port_paths({id_: str(each.port) for id_, each in self.picos_by_name.items()})
        self._taken.add(kind)
        return self._hub

    def wait(self, until: Micros, filenos: Sequence[int]) -> Micros:
        """As a driver waits: the world goes on meanwhile."""
        edge = self.world.next_edge()
        left = (until if edge is None else min(until, edge)) - self.clock()
        select.select(filenos, [], [], max(0, left) / SECOND)
        self.advance_to_now()
        return self.clock()

    def _open(self, path: str) -> SimSerialPort:
        port = super()._open(path)
        port.pico = _Cable(self, next(each for each in self.picos_by_name.values() if str(each.port) == path))
        return port


def _log_firmware_end(error: PicoError) -> None:
    log.error("%s; its watchdog restarts it", error)


def _split_settings(driver: str, settings: Settings) -> tuple[LivePicos, dict[str, object]]:
    left = dict(settings)
    picos = left.pop("picos", None)
    if not isinstance(picos, LivePicos):
        found = "missing" if picos is None else repr(picos)
        why = "the Picos of a board that this program simulates, as `boardumpire page` does"
        raise SettingError(f"{driver}: picos is {found}; try {why}", "picos")
    return picos, left


def check_sensors(board: BoardDescription, settings: Settings) -> None:
    """Raises `SettingError`, or `DriverError` for a board without a Pico."""
    pico.check_sensors(board, _split_settings("pico-sim", settings)[1])


def check_lamps(board: BoardDescription, settings: Settings) -> None:
    """Raises `SettingError`, or `DriverError` for a board without a Pico."""
    pico.check_lamps(board, _split_settings("pico-lamps-sim", settings)[1])


def check_console(board: BoardDescription, settings: Settings) -> None:
    """Raises `SettingError`, or `DriverError` for a board without a Pico."""
    pico.check_console(board, _split_settings("pico-console-sim", settings)[1])


@with_settings_check(check_sensors)
def open_sensors(board: BoardDescription, **settings: Any) -> PicoSensors:
    """`boardware.pico` over simulated Picos. Setting besides `picos`: `answer_ms`."""
    picos, left = _split_settings("pico-sim", settings)
    _, answer = pico.check_sensors(board, left)
    hub = picos.hub("sensors", board)
    sensors = PicoSensors(hub)
    try:
        hub.wait_for_all_picos(picos.wait, answer)
    except BaseException:
        sensors.close()
        raise
    return sensors


@with_settings_check(check_lamps)
def open_lamps(board: BoardDescription, **settings: Any) -> PicoLamps:
    """The lamps of simulated Picos. Settings besides `picos`: `brightness`, `hints`."""
    picos, left = _split_settings("pico-lamps-sim", settings)
    percent, hints = pico.check_lamps(board, left)
    hub = picos.hub("lamps", board)
    hub.brightness = max(1, percent * 255 // 100)
    return PicoLamps(hub, hints=hints)


@with_settings_check(check_console)
def open_console(board: BoardDescription, **settings: Any) -> PicoConsole:
    """The buttons and the buzzer of simulated Picos. Setting besides `picos`: `hold_ms`."""
    picos, left = _split_settings("pico-console-sim", settings)
    return PicoConsole(picos.hub("console", board), pico.check_console(board, left))
