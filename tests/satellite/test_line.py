"""Pairing, sessions and limits of the line between a host and its satellites, in virtual time."""

from __future__ import annotations

import asyncio
import hashlib
import random
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from nacl import bindings

from boardumpire.errors import BoardumpireError, KeyFileError
from boardumpire.satellite import handshake, host, keys, line, pairing
from boardumpire.satellite.channel import ChannelError, SecureChannel
from boardumpire.satellite.client import Satellite
from boardumpire.satellite.handshake import RefusedError
from boardumpire.satellite.host import SatelliteHost
from boardumpire.satellite.keys import SatelliteKey
from boardumpire.satellite.line import LineError, SealedLine
from boardumpire.satellite.pairing import PairingError, PairingSide
from boardumpire.satellite.websocket import HostAddress
from boardumpire.service import mdns
from boardware.pico_port import open_serial
from boardware.pico_remote import LineBroken, satellite_paths
from evenings import virtual_loop
from satellite.network import Faults, Network

FINE = Faults()
KEY = bytes(range(32))
NORTH = SatelliteKey("north", KEY)


class Echo:
    """A serial port whose other end says everything twice."""

    def __init__(self, path: str) -> None:
        self.path, self.closed = path, False
        self._coming = b""

    def read(self, size: int) -> bytes:
        data, self._coming = self._coming[:size], self._coming[size:]
        return data

    def write(self, data: bytes) -> int:
        self._coming += data + data
        return len(data)

    def close(self) -> None:
        self.closed = True


class Scene:
    """A host with one satellite, `north`, over a network."""

    def __init__(self, folder: Path, faults: Faults) -> None:
        self.file = folder / "satellites.json"
        keys.save_host_keys(self.file, {"north": KEY})
        self.host = SatelliteHost({"north"}, self.file)
        self.network = Network(self.host, faults)
        self.opened: list[Echo] = []

    def satellite(self, key: SatelliteKey = NORTH) -> Satellite:
        def open_port(path: str) -> Echo:
            self.opened.append(Echo(path))
            return self.opened[-1]

        return Satellite(self.network.connect, key, lambda: ["/dev/one"], open_port, watches=False)


def happens(scene: Callable[[Scene], Awaitable[None]], folder: Path, faults: Faults = FINE) -> None:
    async def all_of_it() -> None:
        made = Scene(folder, faults)
        try:
            await scene(made)
        finally:
            made.host.close()

    virtual_loop.run(all_of_it(), 1)


@pytest.mark.parametrize(("name", "point"), [("M", pairing.POINT_M), ("N", pairing.POINT_N)])
def test_the_points_are_those_of_rfc_9382(name: str, point: bytes) -> None:
    def hashes() -> Iterator[bytes]:
        text = f"edwards25519 point generation seed ({name})".encode()
        while True:
            text = hashlib.sha256(text).digest()
            yield text

    assert next(text for text in hashes() if bindings.crypto_core_ed25519_is_valid_point(text)) == point


def test_only_the_same_code_gives_the_same_key() -> None:
    a, b, c = (
        PairingSide(code, is_host=at) for code, at in (("1" * 8, True), ("1" * 8, False), ("2" * 8, False))
    )
    assert tuple(a.finish(b.share)) == tuple(b.finish(a.share))
    assert not set(a.finish(c.share)) & set(c.finish(a.share))
    assert repr(a.finish(b.share)) == "<PairingResult: redacted>"


IDENTITY = (1).to_bytes(32, "little")


@pytest.mark.parametrize("share", [b"", bytes(32), IDENTITY, b"\xff" * 32, bytes(31), bytes(33)])
def test_what_is_no_share_is_refused(share: bytes) -> None:
    with pytest.raises(PairingError):
        PairingSide("1" * 8, is_host=True).finish(share)


def channels(key: bytes = KEY) -> tuple[SecureChannel, SecureChannel]:
    nonces = b"s" * 32, b"h" * 32
    return SecureChannel(KEY, *nonces, is_host=True), SecureChannel(key, *nonces, is_host=False)


def test_what_was_changed_repeated_or_left_out_does_not_open() -> None:
    host_end, satellite_end = channels()
    first, second = satellite_end.seal(b"one"), satellite_end.seal(b"two")
    with pytest.raises(ChannelError):
        host_end.open(second)
    for place in range(len(first)):
        with pytest.raises(ChannelError):
            host_end.open(first[:place] + bytes([first[place] ^ 1]) + first[place + 1 :])
    assert host_end.open(first) == b"one"
    for sealed in (first, host_end.seal(b"mine"), b"", channels(b"k" * 32)[1].seal(b"two")):
        with pytest.raises(ChannelError):
            host_end.open(sealed)
    assert host_end.open(second) == b"two"


@pytest.mark.parametrize("faults", [Faults(), Faults(0.15, 0.05, 0.05)])
def test_bytes_go_both_ways_and_a_broken_line_comes_back(faults: Faults, tmp_path: Path) -> None:
    async def scene(made: Scene) -> None:
        satellite = made.satellite()
        task = asyncio.get_running_loop().create_task(satellite.run())
        with pytest.raises(LineBroken, match="not connected"):
            satellite_paths("north")
        for number in range(3):
            await asyncio.sleep(20)
            assert made.host.states() == {"north": "connected"}
            (path,) = satellite_paths("north")
            port = open_serial(path)
            for _ in range(40):
                port.write(b"ab")
            await asyncio.sleep(5)
            satellite.read_ports()
            await asyncio.sleep(5)
            assert port.read(1000) == b"ab" * 80
            if number == 0:
                made.network.cut()
            elif number == 1:
                made.network.half_open()
            else:
                made.network.part(8)
            await asyncio.sleep(7)
            with pytest.raises(LineBroken):
                port.read(1)
            port.close()
            assert made.opened[-1].closed
        task.cancel()

    happens(scene, tmp_path, faults)


def test_another_key_a_foreign_name_and_a_replay_come_to_nothing(tmp_path: Path) -> None:
    async def scene(made: Scene) -> None:
        for key in (SatelliteKey("north", b"x" * 32), SatelliteKey("south", KEY), SatelliteKey("", KEY)):
            stream = await made.network.connect()
            with pytest.raises(RefusedError, match="no such key"):
                await handshake.begin_session(stream, key)
        task = asyncio.get_running_loop().create_task(made.satellite().run())
        await asyncio.sleep(3)
        assert made.host.states() == {"north": "connected"}
        said = [data for _, data in made.network.lines[-1][0].sent]
        task.cancel()
        await asyncio.sleep(3)
        assert made.host.states() == {"north": "paired"}
        thief = await made.network.connect("thief")
        for data in said:
            thief.send(data)
        await asyncio.sleep(3)
        assert made.host.states() == {"north": "paired"}

    happens(scene, tmp_path)


def test_a_wrong_key_is_answered_as_long_as_an_unknown_name(tmp_path: Path) -> None:
    async def scene(made: Scene) -> None:
        answers = []
        for name in ("north", "south"):
            stream = await made.network.connect()
            stream.send(handshake.HELLO + b"S" + bytes(32) + name.encode())
            answers.append(await stream.receive())
        assert len(answers[0]) == len(answers[1]) == 32 + 16 + 4
        assert answers[0] != answers[1]

    happens(scene, tmp_path)


def test_a_code_pairs_one_satellite_in_time(tmp_path: Path) -> None:
    async def scene(made: Scene) -> None:
        assert made.host.states() == {"north": "paired"}
        with pytest.raises(BoardumpireError, match="the configuration has: north"):
            made.host.open_pairing("south")
        code = made.host.open_pairing("north").code
        assert len(code) == pairing.CODE_DIGITS
        key = await handshake.pair(await made.network.connect(), code)
        assert key.name == "north"
        assert keys.load_host_keys(made.file) == {"north": key.key}
        assert made.file.stat().st_mode & 0o777 == 0o600
        with pytest.raises(RefusedError, match="no code is open"):
            await handshake.pair(await made.network.connect(), code)
        with pytest.raises(RefusedError, match="no such key"):
            await handshake.begin_session(await made.network.connect(), NORTH)
        await handshake.begin_session(await made.network.connect(), key)
        late = made.host.open_pairing("north").code
        await asyncio.sleep(host.CODE_LIFETIME_S)
        with pytest.raises(RefusedError, match="no code is open"):
            await handshake.pair(await made.network.connect(), late)

    happens(scene, tmp_path)


def wrong(code: str) -> str:
    return f"{(int(code) + 1) % 10**8:08}"


def test_wrong_codes_from_one_address_keep_no_other_out(tmp_path: Path) -> None:
    async def scene(made: Scene) -> None:
        code = made.host.open_pairing("north").code
        for _ in range(host.ATTEMPTS_PER_ADDRESS):
            with pytest.raises(RefusedError, match="another code"):
                await handshake.pair(await made.network.connect("10.0.0.66"), wrong(code))
        with pytest.raises(RefusedError, match="no code is open"):
            await handshake.pair(await made.network.connect("10.0.0.66"), code)
        assert keys.load_host_keys(made.file) == {"north": KEY}
        paired = await handshake.pair(await made.network.connect("10.0.0.7"), code)
        assert keys.load_host_keys(made.file) == {"north": paired.key}

    happens(scene, tmp_path)


def test_a_code_is_void_after_wrong_attempts_from_everywhere(tmp_path: Path) -> None:
    async def scene(made: Scene) -> None:
        code = made.host.open_pairing("north").code
        for number in range(host.ATTEMPTS_MAX):
            with pytest.raises(RefusedError, match="another code"):
                await handshake.pair(await made.network.connect(f"10.0.1.{number}"), wrong(code))
            await asyncio.sleep(handshake.ANSWER_S)
        with pytest.raises(RefusedError, match="no code is open"):
            await handshake.pair(await made.network.connect("10.0.0.7"), code)
        assert keys.load_host_keys(made.file) == {"north": KEY}

    happens(scene, tmp_path)


def test_a_reflected_confirmation_pairs_nobody(tmp_path: Path) -> None:
    async def scene(made: Scene) -> None:
        made.host.open_pairing("north")
        stream = await made.network.connect()
        stream.send(handshake.HELLO + b"P" + PairingSide("0" * 8, is_host=False).share)
        answer = await stream.receive()
        stream.send(answer[32 : 32 + pairing.CONFIRMATION_BYTES])
        with pytest.raises(LineError):
            await stream.receive()
        assert keys.load_host_keys(made.file) == {"north": KEY}

    happens(scene, tmp_path)


def test_strangers_are_few_slow_ones_are_hung_up_on(tmp_path: Path) -> None:
    async def scene(made: Scene) -> None:
        silent = [await made.network.connect(f"10.0.0.{number}") for number in range(host.STRANGERS_MAX)]
        with pytest.raises(RefusedError, match="too many"):
            await handshake.begin_session(await made.network.connect("10.0.1.1"), NORTH)
        await asyncio.sleep(handshake.ANSWER_S + 1)
        for stream in silent:
            with pytest.raises(LineError):
                await stream.receive()
        begun, refused = 0, ""
        while not refused:
            try:
                await handshake.begin_session(await made.network.connect("10.0.1.2"), NORTH)
                begun += 1
            except RefusedError as error:
                refused = str(error)
        assert "too many" in refused
        assert begun < 2 * host.HELLOS_BURST

    happens(scene, tmp_path)


@pytest.mark.parametrize("seed", range(20))
def test_a_stranger_who_says_anything_changes_nothing(seed: int, tmp_path: Path) -> None:
    async def scene(made: Scene) -> None:
        chance = random.Random(seed)
        made.host.open_pairing("north")
        stream = await made.network.connect()
        for _ in range(3):
            begin = chance.choice([b"", handshake.HELLO, handshake.HELLO + b"S", handshake.HELLO + b"P"])
            stream.send(begin + chance.randbytes(chance.choice([0, 1, 31, 32, 33, 100, 4000])))
        await asyncio.sleep(2 * handshake.ANSWER_S)
        assert made.host.states() == {"north": "paired"}
        assert keys.load_host_keys(made.file) == {"north": KEY}

    happens(scene, tmp_path)


@pytest.mark.parametrize(
    ("kind", "body", "why"),
    [
        (line.PORTS, b"a\x00b", "list of ports is none"),
        (line.PORTS, b"\n".join([b"p"] * 9), "list of ports is none"),
        (line.DATA, b"", "without a channel"),
        (b"?", b"\x01", ""),
    ],
)
def test_a_satellite_that_talks_nonsense_loses_its_line(
    kind: bytes, body: bytes, why: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(made: Scene) -> None:
        stream = await made.network.connect()
        sealed = SealedLine(stream, await handshake.begin_session(stream, NORTH))
        sealed.send(line.PORTS, b"/dev/one")
        await asyncio.sleep(1)
        port = open_serial(satellite_paths("north")[0])
        sealed.send(kind, b"\x01" if kind == b"?" else body)
        await asyncio.sleep(1)
        assert made.host.states() == {"north": "paired"}
        with pytest.raises(LineBroken):
            port.write(b"x")
        port.close()
        assert why in caplog.text

    happens(scene, tmp_path)


def test_a_satellite_that_floods_loses_its_line(tmp_path: Path) -> None:
    async def scene(made: Scene) -> None:
        stream = await made.network.connect()
        sealed = SealedLine(stream, await handshake.begin_session(stream, NORTH))
        sealed.send(line.PORTS, b"/dev/one")
        await asyncio.sleep(1)
        port = open_serial(satellite_paths("north")[0])
        for _ in range(200):
            sealed.send(line.DATA, b"\x01" + b"x" * 4000)
        await asyncio.sleep(1)
        assert made.host.states() == {"north": "paired"}
        assert len(port.read(1 << 20)) <= 1 << 16
        port.close()

    happens(scene, tmp_path)


def test_a_satellite_opens_no_path_but_its_own(tmp_path: Path) -> None:
    async def scene(made: Scene) -> None:
        task = asyncio.get_running_loop().create_task(made.satellite().run())
        await asyncio.sleep(3)
        port = open_serial("satellite:north:/etc/shadow")
        await asyncio.sleep(1)
        with pytest.raises(LineBroken, match="no such port"):
            port.read(1)
        port.close()
        assert made.opened == []
        task.cancel()

    happens(scene, tmp_path)


@pytest.mark.parametrize(
    "text",
    ["{}", "[]", "nothing", '{"format":"boardumpire-satellite","version":2}'],
)
def test_a_key_file_that_is_none_says_so(text: str, tmp_path: Path) -> None:
    file = tmp_path / "key.json"
    file.write_text(text)
    file.chmod(0o600)
    with pytest.raises(KeyFileError, match=r"key\.json: "):
        keys.load_satellite_key(file)


def test_a_key_file_that_others_may_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "key.json"
    keys.save_satellite_key(file, NORTH)
    assert keys.load_satellite_key(file) == NORTH
    assert KEY.hex() not in repr(NORTH)
    file.chmod(0o640)
    with pytest.raises(KeyFileError, match="chmod 600"):
        keys.load_satellite_key(file)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("home", ("home", 8474, "/", False)),
        ("192.168.1.10:99", ("192.168.1.10", 99, "/", False)),
        ("[fd00::1]:99", ("fd00::1", 99, "/", False)),
        ("wss://club.example/table", ("club.example", 443, "/table", True)),
    ],
)
def test_an_address_of_a_host(text: str, found: tuple[str, int, str, bool]) -> None:
    assert tuple(HostAddress.parse(text)) == found


@pytest.mark.parametrize("text", ["", "a b", "home:0", "home:70000", "ftp://home", "home/\n"])
def test_an_address_that_is_none(text: str) -> None:
    with pytest.raises(BoardumpireError, match="--to: found"):
        HostAddress.parse(text)


def find_hosts() -> Sequence[str]:
    """Found in a thread: in this one Playwright's loop may be running."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(mdns.find_hosts).result()


@pytest.mark.slow
def test_a_host_is_found_in_the_network_while_it_is_announced() -> None:
    name = mdns.MdnsName("boardumpire-far", "127.0.0.1", 8474, type_=mdns.SATELLITES_TYPE)
    announced, over = threading.Event(), threading.Event()

    async def announce() -> None:
        await name.start()
        announced.set()
        await asyncio.to_thread(over.wait)
        await name.stop()

    serving = threading.Thread(target=asyncio.run, args=(announce(),))
    serving.start()
    announced.wait()
    try:
        if not name.is_announced:
            pytest.skip("multicast is not to be had on the loopback here")
        assert "127.0.0.1:8474" in find_hosts()  # others of this network may be there, too
    finally:
        over.set()
        serving.join()
    assert "127.0.0.1:8474" not in find_hosts()
