"""Many boards at one broker that is started anew now and then: nothing is lost, nothing grows without end.

Each board is the publisher of a board in service, fed with what a spectator's screen was sent of a game that
hands played. The broker is mosquitto, the listener the hall's own.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import resource
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from paho.mqtt.client import MQTTMessage

from boardumpire.service.config import MqttSection
from boardumpire.web.hall.board_list import BoardList
from boardumpire.web.hall.broker_listener import BrokerListener
from boardumpire.web.mqtt import EVENTS_KEPT, MqttPublisher
from boardumpire.web.screen_hub import ScreenHub
from boardumpire.web.table_api import ScreenListener
from daemon.test_waits import free_port
from loops import run
from table.twins import begun, setups, shared_play
from web.test_twins import Watched

MEMORY_KB = 1024


class Spectated:
    """What spectators of one game see, again and again: all that a publisher knows of a room."""

    delayed_spectators = None

    def __init__(self, frames: list[str]) -> None:
        self._frames = frames
        self._screens: list[ScreenListener] = []
        self.told = 0
        self.view: Any = None

    def enter(self, audience: None, screen: ScreenListener, epoch: object, number: object) -> None:
        self._screens.append(screen)
        self._say(self._frames[0])

    async def play(self, acts: int, pause: Callable[[], float]) -> None:
        """So many acts; each is what is told of one, with the view and the board after it."""
        batches = itertools.cycle(_acts(self._frames[1:]))
        for _ in range(acts):
            await asyncio.sleep(pause())
            for frame in next(batches):
                self._say(frame)

    def _say(self, frame: str) -> None:
        found = json.loads(frame)
        self.told += found["kind"] == "told"
        self.view = found.get("view", self.view)
        for screen in self._screens:
            screen.send(frame)


def _acts(frames: list[str]) -> list[list[str]]:
    """Frames that belong together: up to each change of the board."""
    acts: list[list[str]] = [[]]
    for frame in frames:
        acts[-1].append(frame)
        if json.loads(frame)["kind"] == "board":
            acts.append([])
    return [act for act in acts if act]


class Mosquitto:
    """A broker that keeps what its sessions have to be told, as the page about halls says."""

    def __init__(self, folder: Path) -> None:
        if shutil.which("mosquitto") is None:
            pytest.skip("mosquitto is not on this machine: apt-get install mosquitto")
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        self._config.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence true\n"
            f"persistence_location {folder}/\nmax_queued_messages 0\nuser root\n"
        )
        self.cpu_s = 0.0
        self.memory_kb = 0

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            "mosquitto", "-c", str(self._config), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        assert self.process.stderr is not None
        while b"running" not in (line := await self.process.stderr.readline()):
            assert line
        self._reads = asyncio.create_task(self.process.stderr.read())

    async def stop(self) -> None:
        """As `systemctl stop`."""
        self._measure()
        self.process.terminate()
        await self.process.wait()
        await self._reads

    def _measure(self) -> None:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        self.cpu_s += (int(fields[11]) + int(fields[12])) / 100
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        self.memory_kb = max(self.memory_kb, int(text.partition("VmHWM:")[2].split()[0]))


def _frames() -> list[str]:
    """What a spectator was sent of a duel that hands played on the bench."""
    setup, _ = setups(7)
    moves = shared_play(begun(setup), begun(setup), 7, turns=12)
    game = Watched(setup, 7, {})
    for _, origin, target in moves:
        game.carry(origin, target)
    game.bench.close()
    return list(game.ears[None].texts)


class Came:
    """What the hall's listener heard: the hall itself, and every number beside it."""

    def __init__(self) -> None:
        self.boards = BoardList()
        self.numbers: dict[str, set[int]] = {}
        self.messages = self.bytes = 0

    def take(self, topic: str, payload: bytes) -> None:
        self.messages += 1
        self.bytes += len(topic) + len(payload)
        name, kind = topic.split("/")[1:]
        if kind == "told":
            self.numbers.setdefault(name, set()).add(json.loads(payload)["number"])
        self.boards.apply_payload(topic, payload)


async def _evening(folder: Path, count: int, acts: int, pause_s: float, restarts: int) -> dict[str, Any]:
    """`count` boards, each with so many acts, one every `pause_s` on average; how it went."""
    frames, dice = _frames(), random.Random(23)
    broker, came = Mosquitto(folder), Came()
    await broker.start()
    section = MqttSection(f"127.0.0.1:{broker.port}")
    listening = asyncio.create_task(BrokerListener(section, came.take, "hall").run())
    rooms = {f"board-{number}": Spectated(frames) for number in range(count)}
    publishers = {
        name: MqttPublisher(MqttSection(section.broker, name), cast(ScreenHub, room))
        for name, room in rooms.items()
    }
    tasks = [asyncio.create_task(publisher.run()) for publisher in publishers.values()]
    began = time.monotonic()

    def pause() -> float:
        return dice.expovariate(1 / pause_s)

    plays = [asyncio.create_task(room.play(acts, pause)) for room in rooms.values()]
    waiting = 0

    async def watch() -> None:
        nonlocal waiting
        while True:
            waiting = max(waiting, *(publisher.waiting_count for publisher in publishers.values()))
            await asyncio.sleep(0.05)

    watches = asyncio.create_task(watch())
    for _ in range(restarts):
        await asyncio.sleep(acts * pause_s / (restarts + 1))
        await broker.stop()
        await asyncio.sleep(2.0)
        await broker.start()
    await asyncio.gather(*plays)
    played = time.monotonic() - began
    wanted = {name: set(range(1, room.told + 1)) for name, room in rooms.items()}
    end = time.monotonic() + 90
    while came.numbers != wanted and time.monotonic() < end:
        await asyncio.sleep(0.1)
    settled = time.monotonic() - began - played
    missing = {name: len(numbers - came.numbers.get(name, set())) for name, numbers in wanted.items()}
    assert came.numbers == wanted, (
        f"not come: {[f'{name}: {each}' for name, each in missing.items() if each]}"
    )
    while any(publisher.waiting_count for publisher in publishers.values()):
        await asyncio.sleep(0.1)
    for publisher in publishers.values():
        publisher.stop()
    for publisher in publishers.values():
        await publisher.wait_closed()
    await asyncio.gather(*tasks)
    while any(board.online for board in came.boards):
        assert time.monotonic() < end, "each board has said that it leaves"
        await asyncio.sleep(0.1)
    watches.cancel()
    listening.cancel()
    await broker.stop()
    await asyncio.gather(watches, listening, return_exceptions=True)
    for board in came.boards:
        assert board.missed_count == 0
        assert json.loads(json.dumps(board.state["view"])) == rooms[board.name].view, "and its latest state"
    assert len(list(came.boards)) == count
    assert waiting <= EVENTS_KEPT
    told = sum(room.told for room in rooms.values())
    return {
        "boards": count,
        "restarts of the broker": restarts,
        "messages told": told,
        "lost": sum(len(wanted[name] - came.numbers[name]) for name in wanted),
        "seconds": round(played),
        "seconds until all was heard": round(settled, 1),
        "messages a second": round(came.messages / played),
        "kB a second": round(came.bytes / played / 1000),
        "bytes a message": round(came.bytes / came.messages),
        "most that waited at a board": waiting,
        "broker: CPU s": round(broker.cpu_s, 1),
        "broker: memory MB": round(broker.memory_kb / MEMORY_KB, 1),
    }


@pytest.mark.nightly
def test_ten_boards_and_a_broker_that_is_started_anew(tmp_path: Path) -> None:
    """Ten boards tell a hall all that spectators see, through one restart of the broker: nothing is lost."""
    found = run(_evening(tmp_path, 10, acts=16, pause_s=0.3, restarts=1))
    assert found["lost"] == 0
    assert found["messages told"] > 100


def test_what_a_broker_tells_in_one_go_is_heard_before_anything_else_runs() -> None:
    """A hall that is busy reads later; what it has read is never dropped."""
    heard: list[bytes] = []
    listening = BrokerListener(
        MqttSection("127.0.0.1:1"), lambda topic, payload: heard.append(payload), "hall"
    )

    async def told() -> None:
        client = listening._make_client()
        for number in range(50_000):
            client._on_message(client._client, None, message(b"%d" % number))  # as paho does
        assert len(heard) == 50_000

    run(told())


def message(payload: bytes) -> MQTTMessage:
    made = MQTTMessage(1, b"boardumpire/one/told")
    made.payload = payload
    return made


@pytest.mark.nightly
def test_two_hundred_boards_for_ten_minutes(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """200 boards tell one mosquitto all that spectators see, through three restarts: nothing is lost."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = run(_evening(tmp_path, 200, acts=300, pause_s=2.0, restarts=3))
    for name, figure in found.items():
        record_property(name, figure)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / MEMORY_KB
    record_property("memory of all boards and the hall, MB", round(grown, 1))
    record_property("seed", 23)
    assert found["lost"] == 0
    assert found["seconds"] >= 500
    assert grown < 200
