"""Asks a Pico who it is, whatever board it was flashed for: its firmware, its board, its name there.

Nothing is said to it afterwards: it takes the host for gone, and drives nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from boardware.pico import WaitFunction, wait_until
from boardware.pico_cable import Opener
from boardware.pico_plan import PicoPlan
from boardware.pico_port import open_serial
from boardware.ports import MS, Micros
from boardwire import wire
from boardwire.errors import RemoteProtocolError
from boardwire.framing import Deframer, frame
from boardwire.station import VERSION

RETRY_INTERVAL_US: Micros = 200 * MS
ANSWER_TIMEOUT_US: Micros = 2500 * MS
"""How long a Pico has: one that was just plugged in boots for two seconds."""


class PicoGreeting(NamedTuple):
    """What a Pico says of itself."""

    version: str
    wire_hash: int
    board: str
    plan_hash: int
    pico: str

    def is_up_to_date(self, plan: PicoPlan) -> bool:
        """Whether it can be used as that Pico of a board, and has nothing older than this program brings."""
        return self.is_compatible(plan) and version_parts(self.version) >= version_parts(VERSION)

    def is_compatible(self, plan: PicoPlan) -> bool:
        """Whether it can be used as that Pico of a board as it is."""
        return (self.wire_hash, self.board, self.plan_hash, self.pico) == (
            wire.DECLARATION_HASH,
            plan.board.id,
            plan.wiring_hash,
            plan.pico,
        )


def version_parts(version: str) -> tuple[int, ...]:
    """A version, to be compared."""
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def request_greeting(
    path: str,
    wait: WaitFunction = wait_until,
    opener: Opener = open_serial,
    patience: Micros = ANSWER_TIMEOUT_US,
) -> PicoGreeting | None:
    """Who is at a port; `None` where nothing answers that speaks our wire. Raises `OSError`."""
    port: Any = opener(path)
    try:
        now = wait(0, ())
        end, again = now + patience, now
        deframer = Deframer()
        session = now & 0xFFFF
        while now < end:
            if now >= again:
                port.write(frame(0, wire.encode("hello", session, wire.DECLARATION_HASH)))
                again = now + RETRY_INTERVAL_US
            now = wait(min(end, again), (port.fileno(),))
            for _, payload in deframer.receive(port.read(4096)):
                if (told := _parse_welcome(payload)) is not None:
                    return told
        return None
    finally:
        port.close()


def _parse_welcome(payload: bytes) -> PicoGreeting | None:
    try:
        messages = wire.decode(payload, wire.PICO)
    except RemoteProtocolError:
        return None
    for name, *values in messages:
        if name == "welcome":
            _, hash_, version, board, plan, pico = values
            return PicoGreeting(version, hash_, board, plan, pico)
    return None
