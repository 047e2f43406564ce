"""The host's end: accepts satellites, and gives the ports of their Picos to the driver.

A satellite is known by its name, which stands in the settings of a board's sensors, and by a key from its
pairing. What it sends reaches the driver of its own board alone, as if its Picos hung here: bytes that may be
anything. What its hands may do is decided by the table.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from boardumpire.errors import BoardumpireError
from boardumpire.satellite import handshake, keys, line
from boardumpire.satellite.channel import ChannelError
from boardumpire.satellite.line import LineError, MessageStream, SealedLine
from boardumpire.satellite.pairing import PairingError, make_code
from boardumpire.service.clock import loop_time_s
from boardumpire.web.limits import RateLimiter, TokenBucket
from boardware.log_throttle import LogThrottle
from boardware.pico_remote import LineBroken, RemotePort, register_machine, unregister_machine
from boardware.ports import SECOND

log = logging.getLogger("boardumpire.satellite")

CODE_LIFETIME_S = 600.0
ATTEMPTS_PER_ADDRESS = 5
ATTEMPTS_MAX = 100
"""Attempts with one code by all addresses; then it is void. Who tries wrong ones from a few keeps nobody out,
and one code in a million is guessed."""
HELLOS_PER_S, HELLOS_BURST = 0.5, 20.0
"""Connections that one address may begin."""
STRANGERS_MAX = 16
"""Connections whose satellite has proven nothing yet."""
BYTES_PER_S, BYTES_BURST = 32768.0, 262144.0
"""What a satellite may send: ten times what the Picos of the largest board do while a hand sweeps over it."""


class OpenCode(NamedTuple):
    """A code that a person is shown."""

    code: str
    name: str
    """What the satellite that pairs with it becomes."""
    until: float


class SatelliteHost:
    """All satellites of one service."""

    def __init__(self, names: Collection[str], key_file: Path) -> None:
        """`names`: those that boards of the configuration have. Raises `KeyFileError`."""
        self._key_file = key_file
        self._keys = dict(keys.load_host_keys(key_file))
        self._machines: dict[str, _Satellite] = {}
        self._on_pairing: dict[str, Callable[[], None]] = {}
        self._open_code: OpenCode | None = None
        self._attempts: Counter[str] = Counter()
        self._hellos = RateLimiter(HELLOS_PER_S, HELLOS_BURST)
        self._stranger_count = 0
        self._log = LogThrottle(log)
        for name in names:
            self.add(name)

    def add(self, name: str, on_pairing: Callable[[], None] = lambda: None) -> None:
        """One more may pair and connect: `on_pairing` is called once it has paired."""
        if name not in self._machines:
            self._machines[name] = machine = _Satellite(name)
            register_machine(name, machine)
        self._on_pairing[name] = on_pairing

    def close(self) -> None:
        """Hang up on all. Closing twice is allowed."""
        for name, machine in self._machines.items():
            machine.leave("the host stops")
            unregister_machine(name)

    def states(self) -> dict[str, str]:
        """By name: `connected`, `paired` and away, or `unpaired`."""
        return {
            name: "connected" if machine.is_connected else "paired" if name in self._keys else "unpaired"
            for name, machine in self._machines.items()
        }

    def open_pairing(self, name: str) -> OpenCode:
        """Show a code for the satellite of that name; an earlier one is void. Raises `BoardumpireError`."""
        if name not in self._machines:
            known = ", ".join(sorted(self._machines)) or "none"
            raise BoardumpireError(f"no board hangs on a satellite {name!r}; the configuration has: {known}")
        self._attempts.clear()
        self._open_code = OpenCode(make_code(), name, loop_time_s() + CODE_LIFETIME_S)
        return self._open_code

    async def serve(self, stream: MessageStream, address: str) -> None:
        """Serve one connection until it ends."""
        if not self._hellos.take_token(address) or self._stranger_count >= STRANGERS_MAX:
            stream.send(b"M")
            return
        self._stranger_count += 1
        try:
            begun = await self._begin(stream, address)
        except (LineError, ChannelError, PairingError) as error:
            self._log.write(logging.WARNING, "stranger", _now_us(), "satellite at %s: %s", address, error)
            return
        finally:
            self._stranger_count -= 1
        if begun is not None:
            await self._carry(*begun)

    async def _begin(self, stream: MessageStream, address: str) -> tuple[_Satellite, SealedLine] | None:
        """The satellite that has proven who it is, with its line; `None` after a pairing or a refusal."""
        hello = await line.receive_within(stream, handshake.ANSWER_S)
        kind, rest = hello[len(handshake.HELLO) :][:1], hello[len(handshake.HELLO) + 1 :]
        if not hello.startswith(handshake.HELLO):
            stream.send(b"V")
            return None
        if kind == handshake.PAIRING:
            await self._pair(stream, rest, address)
            return None
        if kind != handshake.SESSION:
            raise LineError("what came is no hello")
        name, channel = await handshake.accept_session(stream, rest, self._find_key)
        machine, sealed = self._machines.get(name), SealedLine(stream, channel)
        first, body = await sealed.receive()  # of a stranger it does not open
        if machine is None or first != line.PORTS:
            raise LineError("its first message names no ports")
        machine.join(sealed)
        machine.handle(first, body)
        return machine, sealed

    def _find_key(self, name: str) -> bytes | None:
        return self._keys.get(name) if name in self._machines else None

    async def _carry(self, machine: _Satellite, sealed: SealedLine) -> None:
        log.info("satellite %s is connected", machine.name)
        allowed = TokenBucket(BYTES_PER_S / 64, BYTES_BURST / 64)

        def handle(kind: bytes, body: bytes) -> None:
            for _ in range(1 + len(body) // 64):
                if not allowed.take_token():
                    raise LineError("it sends more than any board does")
            if machine.carries(sealed):
                machine.handle(kind, body)

        why = await sealed.run(handle)
        if machine.carries(sealed):
            log.warning("satellite %s is away: %s", machine.name, why)
            machine.leave(why)

    async def _pair(self, stream: MessageStream, share: bytes, address: str) -> None:
        code = self._open_code
        if code is None or loop_time_s() >= code.until or self._attempts.total() >= ATTEMPTS_MAX:
            self._open_code = None
            stream.send(b"C")
            return
        if self._attempts[address] >= ATTEMPTS_PER_ADDRESS:
            stream.send(b"C")
            return
        self._attempts[address] += 1
        paired = await handshake.accept_pairing(stream, share, code.code, code.name)
        if self._open_code is not code:
            raise PairingError("pairing: the code was used meanwhile")
        self._open_code = None
        self._keys[code.name] = paired.key
        keys.save_host_keys(self._key_file, self._keys)
        self._machines[code.name].leave("it was paired anew")
        log.info("satellite %s is paired", code.name)
        handshake.finish_pairing(stream)
        self._on_pairing[code.name]()


def _now_us() -> int:
    return int(loop_time_s() * SECOND)


class _Satellite:
    """One satellite, as the driver of its board knows it (`pico_remote.RemoteMachine`)."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._line: SealedLine | None = None
        self._paths: tuple[str, ...] = ()
        self._ports: dict[int, RemotePort] = {}
        self._last_channel = 0
        self._away_reason = "the satellite is not connected"

    @property
    def is_connected(self) -> bool:
        """Whether there is a line to it."""
        return self._line is not None

    def carries(self, sealed: SealedLine) -> bool:
        """Whether that is its line, and not one from before it came back."""
        return self._line is sealed

    def join(self, sealed: SealedLine) -> None:
        """It came, maybe again before anybody noticed that it was gone."""
        self.leave("it has connected anew")
        self._line = sealed

    def leave(self, why: str) -> None:
        """Its line has ended."""
        sealed, self._line, self._paths = self._line, None, ()
        self._away_reason = f"the satellite is not connected ({why})"
        ports, self._ports = self._ports, {}
        for port in ports.values():
            port.fail(why)
        if sealed is not None:
            sealed.close()

    def handle(self, kind: bytes, body: bytes) -> None:
        """A message of it. Raises `LineError`."""
        if kind == line.PORTS:
            self._paths = _read_paths(body)
            return
        channel, rest = line.split_channel(body)
        port = self._ports.get(channel)
        if port is None:
            return  # it was closed here, and the satellite had not heard it
        if kind == line.DATA:
            port.feed(rest)
        elif kind == line.CLOSE:
            del self._ports[channel]
            port.fail(rest[: line.PATH_MAX_CHARS].decode(errors="replace"))
        else:
            raise LineError(f"a message of an unknown kind came: {kind!r}")

    # For the driver

    def port_paths(self) -> Sequence[str]:
        """The ports of its Picos. Raises `LineBroken` while it is not connected."""
        if self._line is None:
            raise LineBroken(self._away_reason)
        return self._paths

    def open_port(self, path: str) -> RemotePort:
        """Open one of them. Raises `LineBroken`."""
        sealed = self._line
        if sealed is None or len(self._ports) >= line.CHANNELS // 2:
            raise LineBroken(self._away_reason)
        while (channel := (self._last_channel + 1) % line.CHANNELS) in self._ports:
            self._last_channel = channel
        self._last_channel = channel

        def close() -> None:
            if self._ports.pop(channel, None) is not None:
                sealed.send(line.CLOSE, bytes((channel,)))

        port = RemotePort(lambda data: sealed.send_data(channel, data), close)
        self._ports[channel] = port
        sealed.send(line.OPEN, bytes((channel,)) + path.encode())
        return port


def _read_paths(body: bytes) -> tuple[str, ...]:
    paths = tuple(body.decode(errors="replace").split("\n")) if body else ()
    fit = len(paths) <= line.PORTS_MAX and all(
        path.isprintable() and 0 < len(path) <= line.PATH_MAX_CHARS for path in paths
    )
    if not fit:
        raise LineError("its list of ports is none")
    return paths
