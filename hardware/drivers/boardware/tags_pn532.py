"""Pads on serial lines of the Pi: PN532 through Adafruit's library over pyserial.

The library waits for answers and sleeps between looks; a crank can't. So its serial line is one of ours: an
acknowledgement is there as soon as a command was written (what the chip really sends is passed over). The
library is asked to read an answer once the whole of it has come. Frames are made and read by the
library; it never waits but while a pad is opened.
"""

from __future__ import annotations

import logging
import os
import select
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from typing import Any

import serial

from boardware.errors import DriverError, SettingError, install_hint
from boardware.opening import (
    Settings,
    is_serial_path,
    read_milliseconds,
    refuse_unknown_settings,
    with_nonblocking_open,
    with_settings_check,
)
from boardware.parts import BoardDescription
from boardware.ports import MS, HardwareTrouble, Micros, ReaderId, TagEvent, TagGone, TagId, TagSeen
from boardware.tomlfile import quote_value
from boardwire.pads import SAM_CONFIGURATION, WAKE_PREAMBLE, Pad
from boardwire.pn532 import next_frame

ANSWER_MS = 1000.0
"""How long the start waits for a pad to answer."""
SINGLE_ATTEMPT_TIMEOUT_MS = 300.0
"""The same for one attempt of several: nothing else goes on meanwhile. A PN532 answers in some 20 ms."""
REOPEN_INTERVAL_US: Micros = 500 * MS
"""Between two attempts to open a line that went away."""
BAUD_RATE = 115200
_DRIVER = "pn532"
_ACK_FRAME = b"\x00\x00\xff\x00\xff\x00"
_RESPONSE_MAX_BYTES = 255
"""Of an answer, for the library: it takes what is there."""

Opener = Callable[[str], Any]
PortWaitFunction = Callable[[Micros, Any], Micros]
"""Lets time pass until a moment, or until that port is readable. Returns the time it is then."""

log = logging.getLogger("boardumpire.tags.tag_roster")


def check_settings(board: BoardDescription, settings: Settings) -> tuple[dict[str, str], Micros]:
    """The port of each pad, and how long one may take to answer. Raises `SettingError`, `DriverError`."""
    refuse_unknown_settings(_DRIVER, settings, "port", "ports", "answer_ms")
    answer = read_milliseconds(_DRIVER, settings, "answer_ms", ANSWER_MS, 50, 60_000)
    pads = [pad.id for pad in board.pads.values() if pad.pico is None]
    if not pads:
        raise DriverError(f"{_DRIVER}: board {board.id} has no pad on a line of the Pi")
    others = [*board.reader_banks, *(pad.id for pad in board.pads.values() if pad.pico is not None)]
    if others:
        raise DriverError(
            f"{_DRIVER}: {', '.join(others)} of board {board.id}: on a Pico, where it reads nothing;"
            f" put all pads on the Pi and no other reader, or all readers on Picos and use pico-tags"
        )
    port, ports = settings.get("port"), settings.get("ports", {})
    if port is not None:
        if not is_serial_path(port) or len(pads) != 1 or ports:
            raise SettingError(
                f"{_DRIVER}: port is {quote_value(port)}; try the path of the only pad", "port"
            )
        return {pads[0]: str(port)}, answer
    named = isinstance(ports, Mapping) and all(is_serial_path(path) for path in ports.values())
    if not isinstance(ports, Mapping) or not named or set(ports) != set(pads):
        expected = ", ".join(f'{pad} = "/dev/..."' for pad in pads)
        raise SettingError(f"{_DRIVER}: ports is {quote_value(ports)}; try {{ {expected} }}", "ports")
    return dict(ports), answer


def open_serial(path: str) -> Any:
    """The serial port at `path`, exclusive, never waiting. Raises `OSError`."""
    return serial.Serial(path, BAUD_RATE, timeout=0, write_timeout=0, exclusive=True)


def _wait_until(until: Micros, port: Any) -> Micros:
    left = max(0, until - time.monotonic_ns() // 1000)
    if port is not None:
        select.select([port], [], [], left / 1_000_000)
    return time.monotonic_ns() // 1000


def begin_pads(board: BoardDescription, **settings: object) -> PadReaders:
    """As `open_pads`, for whoever tries again: a pad has at most `SINGLE_ATTEMPT_TIMEOUT_MS` to answer."""
    _, answer = check_settings(board, settings)
    hurried: Any = {**settings, "answer_ms": min(answer / MS, SINGLE_ATTEMPT_TIMEOUT_MS)}
    return open_pads(board, **hurried)


@with_settings_check(check_settings)
@with_nonblocking_open(begin_pads)
def open_pads(
    board: BoardDescription,
    *,
    opener: Opener = open_serial,
    wait: PortWaitFunction = _wait_until,
    **settings: object,
) -> PadReaders:
    """The pads of `board` on lines of the Pi, each having answered.

    Settings: `port` or `ports` by the ids of pads, `answer_ms`. Raises `SettingError` and `DriverError`.
    """
    paths, answer = check_settings(board, settings)
    try:
        library = import_module("adafruit_pn532.uart")
    except ImportError as error:
        raise DriverError(
            f"{_DRIVER} needs a library that is not here ({error}): {install_hint('pi')}"
        ) from error
    lines: list[PadLine] = []
    try:
        for pad, path in paths.items():
            lines.append(PadLine(pad, path, opener, library.PN532_UART, wait, answer))
    except BaseException:
        for line in lines:
            line.close()
        raise
    return PadReaders(lines)


class _BufferedUart:
    """The serial line as the library sees it: what is there is there at once."""

    def __init__(self, port: Any) -> None:
        self.port = port
        self.wait_first_answer: Callable[[], bytes] | None = None
        """While a pad is opened: waits for an answer and returns it. Raises `OSError` if none comes."""
        self._ready = b""

    def write(self, data: bytes) -> None:
        """Write a frame; its acknowledgement counts as having come."""
        self.port.write(data)
        self._ready = _ACK_FRAME if data[:3] == b"\x00\x00\xff" else b""

    def set_answer(self, frame: bytes) -> None:
        """The whole answer to what was written has come."""
        self._ready = frame

    @property
    def in_waiting(self) -> int:
        """How much may be read."""
        if not self._ready and self.wait_first_answer is not None:
            self._ready = self.wait_first_answer()
        return len(self._ready)

    def read(self, count: int) -> bytes:
        """At most so many bytes."""
        taken, self._ready = self._ready[:count], self._ready[count:]
        return taken

    def reset_input_buffer(self) -> None:
        """Forget what came before."""
        self._ready = b""


class PadLine:
    """One pad on its line. `poll` never waits, and raises nothing for what the pad or the cable does."""

    def __init__(
        self,
        pad: str,
        path: str,
        opener: Opener,
        library: Callable[[Any], Any],
        wait: PortWaitFunction,
        answer: Micros,
    ) -> None:
        self.id = pad
        self._path = path
        self._opener = opener
        self._came = b""
        self._open_at: Micros = 0
        try:
            self._port: Any = opener(path)
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else str(error)
            raise DriverError(f"{_DRIVER}: pad {pad} at {path} can't be opened: {why}") from None
        self._uart = _BufferedUart(self._port)
        now = wait(0, None)
        end = now + answer

        def first() -> bytes:
            nonlocal now
            while True:
                frame, self._came = next_frame(self._came)
                if frame:
                    return frame
                if now >= end:
                    raise TimeoutError("no answer")
                now = wait(end, self._port)
                self._came += self._port.read(4096)

        self._uart.wait_first_answer = first
        try:
            self._chip = library(self._uart)
        except (OSError, RuntimeError) as error:
            self._port.close()
            raise DriverError(f"{_DRIVER}: pad {pad} at {path}: {error}") from None
        self._uart.wait_first_answer = None
        self.pad = Pad(now)

    def poll(self, now: Micros) -> list[TagEvent]:
        """Read what came, tell it, ask what is due."""
        if self._port is None and not self._reopen(now):
            return []
        try:
            told = self._read_answers(now)
            told += self._to_tag_events(self.pad.step(now), now)
            self._send_question(now)
        except OSError as error:
            log.warning("pad %s: %s", self.id, error)
            self._close_port(now)
            return self._to_tag_events(self.pad.lost(now), now)
        return told

    def due(self) -> Micros:
        """When to turn next if nothing comes."""
        return self.pad.due() if self._port is not None else self._open_at

    def fileno(self) -> int | None:
        """What becomes readable when an answer comes."""
        return None if self._port is None else int(self._port.fileno())

    def close(self) -> None:
        """Let go of the line. Closing twice is allowed."""
        if self._port is not None:
            self._port.close()
            self._port = None

    def _reopen(self, now: Micros) -> bool:
        if now < self._open_at:
            return False
        self._open_at = now + REOPEN_INTERVAL_US
        try:
            self._port = self._opener(self._path)
        except OSError:
            return False
        self._came = b""
        self._uart.port = self._port
        return True

    def _close_port(self, now: Micros) -> None:
        self._open_at = now + REOPEN_INTERVAL_US
        port, self._port = self._port, None
        try:
            port.close()
        except OSError as error:
            log.debug("pad %s: %s", self.id, error)

    def _read_answers(self, now: Micros) -> list[TagEvent]:
        self._came += self._port.read(4096)
        told: list[TagEvent] = []
        while self.pad.asked is not None:
            frame, self._came = next_frame(self._came)
            if not frame:
                break
            # The library wants what it would find on its line: a preamble, and a last byte.
            self._uart.set_answer(b"\x00" + frame + b"\x00")
            try:
                content = self._chip.process_response(self.pad.asked, response_length=_RESPONSE_MAX_BYTES)
            except (RuntimeError, IndexError):  # the library's words for an answer that makes no sense
                told += self._to_tag_events(self.pad.handle_garbled(now), now)
                continue
            told += self._to_tag_events(self.pad.handle_answer(bytes(content), now), now)
        return told

    def _send_question(self, now: Micros) -> None:
        question = self.pad.next_question(now)
        if question is None:
            return
        self._came = b""
        command, parameters = question
        if command == SAM_CONFIGURATION:
            self._port.write(WAKE_PREAMBLE)
        if not self._chip.send_command(command, params=parameters):
            raise OSError("the line takes no command")

    def _to_tag_events(self, events: Sequence[tuple[Any, ...]], now: Micros) -> list[TagEvent]:
        told: list[TagEvent] = []
        for event in events:
            match event:
                case ("tag", uid):
                    told.append(TagSeen(now, self.id, TagId(uid)))
                case ("gone", uid):
                    told.append(TagGone(now, self.id, TagId(uid)))
                case ("mute",):
                    told.append(
                        HardwareTrouble(now, "reader-mute", self.id, "nothing that makes sense comes")
                    )
                case ("heard",):
                    told.append(HardwareTrouble(now, "reader-back", self.id, "it answers again"))
        return told


class PadReaders:
    """Pads as a `TagPort`."""

    def __init__(self, lines: Sequence[PadLine]) -> None:
        self._lines = lines
        self._now: Micros = 0

    def step(self, now: Micros) -> Sequence[TagEvent]:
        """Read all lines."""
        self._now = now
        return [event for line in self._lines for event in line.poll(now)]

    def watch(self, readers: Collection[ReaderId]) -> None:
        """Pads that are watched are asked ten times a second, others now and then."""
        for line in self._lines:
            line.pad.watch(line.id in readers, self._now)

    def due(self) -> Micros | None:
        """When a pad is asked next, or given up."""
        return min((line.due() for line in self._lines), default=None)

    def filenos(self) -> tuple[int, ...]:
        """What becomes readable when a pad answers."""
        return tuple(number for line in self._lines if (number := line.fileno()) is not None)

    def close(self) -> None:
        """Let go of all lines."""
        for line in self._lines:
            line.close()
