"""A board whose parts are not all there yet: opens each driver as soon as what it drives has come.

A Pico that is plugged in late, a bus or a serial line that the kernel brings up after the daemon: none of
them is a mistake of the configuration. What is there already is kept open, so that lamps can say that a part
is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from boardumpire.errors import DriverError
from boardumpire.lamps import policy
from boardumpire.lamps.legend import BOARD_LEGEND
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.service import drivers
from boardumpire.service.config import Config
from boardware.parts import BoardDescription
from boardware.ports import SECOND, LampId, LateDriver, Light, Micros, Ports, SlotId, Tone

FIRST_RETRY_US: Micros = SECOND
RETRY_MAX_US: Micros = 10 * SECOND
"""Between two attempts to open a driver: twice as long after each, from the first to the last of these."""


class MissingHardware:
    """Turned instead of a table until every driver of the board is open and has what it drives."""

    def __init__(
        self,
        board: BoardDescription,
        config: Config,
        *,
        tags: bool,
        report_missing: Callable[[Sequence[str]], None],
    ) -> None:
        """`report_missing` is called with what is missing whenever that changes, at last with nothing."""
        self._board, self._config, self._report_missing = board, config, report_missing
        self._keys = drivers.driver_keys(config, tags=tags)
        self._open: dict[str, Any] = {}
        self._failures: dict[str, str] = {}
        self._absent = _MissingPort()
        self._pause = FIRST_RETRY_US
        self._try_at: Micros = 0
        self.missing_parts: tuple[str, ...] | None = None
        """What is missing, each as a sentence; `None` before the first turn."""
        self._shown = policy.missing_part_lights(board.lamps)

    @property
    def is_complete(self) -> bool:
        """Whether all is there."""
        return self.missing_parts == ()

    @property
    def marks(self) -> Mapping[LampId, str]:
        """What the lamps show."""
        return {} if self.is_complete else self._shown

    @property
    def ports(self) -> Ports:
        """The drivers; what is not open yet is a port that does nothing."""
        found, absent = self._open, self._absent
        return Ports(
            found.get("sensors", absent),
            found.get("lamps", absent),
            found.get("console", absent),
            found.get("tags"),
        )

    @property
    def all_ports(self) -> tuple[Ports, ...]:
        """The same, as those of the only board."""
        return (self.ports,)

    def step(self, now: Micros) -> Micros | None:
        """Look whether more has come. Nothing is turned any more once all has. Raises `ConfigError`."""
        if self.is_complete:
            return None
        if len(self._open) < len(self._keys) and now >= self._try_at:
            self._try_to_open(now)
        self._step_ports(now)
        waits = [port.missing() for port in self._open.values() if isinstance(port, LateDriver)]
        missing = (*self._failures.values(), *(said for said in waits if said))
        if missing != self.missing_parts:
            self.missing_parts = missing
            self._report_missing(missing)
        lamps = self.ports.lamps.due()
        return min([self._absent.next_try, *([] if lamps is None else [lamps])])

    def _try_to_open(self, now: Micros) -> None:
        self._failures.clear()
        for key in self._keys:
            if key not in self._open:
                try:
                    self._open[key] = drivers.begin_opening(key, self._board, self._config)
                except DriverError as error:
                    self._failures[key] = error.text
        self._absent.next_try = self._try_at = now + self._pause
        self._pause = min(2 * self._pause, RETRY_MAX_US)
        if not self._failures:
            self._absent.next_try = now + RETRY_MAX_US

    def _step_ports(self, now: Micros) -> None:
        """Let what is open look and shine. What it feels is not lost: it knows what is present."""
        ports = self.ports
        ports.sensors.step(now)
        ports.console.step(now)
        ports.lamps.show(BOARD_LEGEND.to_lights(self._shown), now)
        ports.lamps.step(now)

    def take_messages(self) -> Sequence[SeatMessage]:
        """Nothing: there is no game yet."""
        return ()

    def close(self) -> None:
        """Close what is open."""
        self.ports.close()


class _MissingPort:
    """A port of any kind that is not there: it wants to be turned when it is looked for again."""

    next_try: Micros = 0

    def step(self, now: Micros) -> Sequence[Any]:
        return ()

    def present(self) -> frozenset[SlotId]:
        return frozenset()

    def due(self) -> Micros:
        return self.next_try

    def due_after(self, at: Micros) -> Micros:
        return max(at, self.next_try)

    def is_quiet(self) -> bool:
        return True

    def next_own_change(self) -> Micros | None:
        return None

    def show(self, lights: Mapping[LampId, Light], now: Micros) -> None:
        pass

    def prepare_hints(self, hints: Mapping[SlotId, Mapping[LampId, Light]], now: Micros) -> None:
        pass

    def sound(self, tones: Sequence[Tone], now: Micros) -> None:
        pass

    def take_troubles(self) -> Sequence[Any]:
        return ()

    def watch(self, readers: Collection[str]) -> None:
        pass

    def close(self) -> None:
        pass
