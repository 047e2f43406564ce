"""A broker is told what spectators are shown, and knows when a board is gone; twin games tell it the same."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardumpire.commands import check_config
from boardumpire.errors import ConfigError
from boardumpire.service import config as configs
from boardumpire.service.config import MqttSection
from boardumpire.web.mqtt import EVENTS_KEPT, MqttMessage, MqttScreen
from daemon.service import Service
from daemon.test_daemon import set_up
from daemon.test_waits import free_port
from table.twins import begun, setups, shared_play, unsealed
from web.test_twins import Watched

HALL = "hall-1"


def taken(watching: MqttScreen) -> Iterator[MqttMessage]:
    """All that is to be published, as if each were."""
    while (out := watching.next_message()) is not None:
        yield out
        watching.mark_published(out)


class Hall(Watched):
    """A game with two brokers: one that is told at once, one an action late."""

    def _turned(self, now: int) -> None:
        if not hasattr(self, "outs"):
            self.outs: dict[str, list[MqttMessage]] = {"live": [], "late": []}
            self.brokers: dict[str, MqttScreen] = {}
        super()._turned(now)
        assert self.room is not None
        assert self.room.delayed_spectators is not None
        if not self.brokers:
            self.brokers = {"live": MqttScreen(HALL), "late": MqttScreen(HALL)}
            self.room.enter(None, self.brokers["live"], None, 0)
            self.room.delayed_spectators.enter(None, self.brokers["late"], None, 0)
        for name, broker in self.brokers.items():
            self.outs[name] += taken(broker)


def _hall(setup: dict[str, str], moves: list[tuple[str, str, str]], seed: int, announce: str) -> Hall:
    game = Hall(setup, seed, {"announce": announce})
    for _, origin, target in moves:
        game.carry(origin, target)
    game.bench.close()
    return game


@settings(max_examples=2, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), announce=st.sampled_from(["ranks", "silent"]))
def test_twin_games_tell_a_broker_the_same(seed: int, announce: str) -> None:
    first, second = setups(seed)
    options = {"announce": announce}
    moves = shared_play(begun(first, options), begun(second, options), seed, turns=8)
    one, two = (_hall(setup, moves, seed, announce) for setup in (first, second))
    for name in ("live", "late"):
        told = [[(out.topic, unsealed(out.payload)) for out in game.outs[name]] for game in (one, two)]
        assert told[0] == told[1]
    count = {name: sum(out.topic.endswith("/told") for out in one.outs[name]) for name in one.outs}
    assert 0 < count["late"] < count["live"], "who is to see it late is told it late"
    assert all('"private"' not in out.payload for out in one.outs["live"])


def test_what_waits_for_a_broker_is_bounded_and_the_latest_state_is_kept() -> None:
    watching = MqttScreen(HALL)
    for number in range(EVENTS_KEPT + 50):
        watching.send(json.dumps({"kind": "told", "told": {"kind": "ruling", "t": number}}))
        watching.send(json.dumps({"kind": "view", "view": {"turn": number}}))
    out = list(taken(watching))
    told = [json.loads(each.payload) for each in out if not each.retain]
    assert [each["t"] for each in told] == list(range(50, EVENTS_KEPT + 50))
    assert [each["number"] for each in told] == list(range(51, EVENTS_KEPT + 51)), (
        "whoever listens sees the gap"
    )
    (state,) = [json.loads(each.payload) for each in out if each.retain]
    assert state["view"] == {"turn": EVENTS_KEPT + 49}


def test_what_fails_on_its_way_is_published_again() -> None:
    watching = MqttScreen(HALL)
    watching.send(json.dumps({"kind": "told", "told": {"kind": "over"}}))
    payload = '{"kind":"over","run":"0","number":1}'
    assert (
        watching.next_message()
        == watching.next_message()
        == MqttMessage(f"boardumpire/{HALL}/told", payload, False)
    )


@pytest.mark.parametrize(
    ("broker", "secure", "where"),
    [
        ("hall", False, ("hall", 1883)),
        ("hall.local:1884", False, ("hall.local", 1884)),
        ("192.0.2.1", True, ("192.0.2.1", 8883)),
        ("[2001:db8::1]:99", False, ("2001:db8::1", 99)),
    ],
)
def test_a_broker_is_named_by_host_and_port(broker: str, secure: bool, where: tuple[str, int]) -> None:
    assert MqttSection(broker, secure=secure).address == where


@pytest.mark.parametrize("wrong", ["mqtt://hall", "hall:0", "hall:99999", "a b", "2001:db8::1"])
def test_what_is_no_broker_is_refused_with_its_line(tmp_path: Path, wrong: str) -> None:
    path = tmp_path / "boardumpire.toml"
    path.write_text(f'format = "boardumpire-config"\nversion = 1\n[mqtt]\nbroker = "{wrong}"\n')
    with pytest.raises(ConfigError, match=r"4: \[mqtt\] broker: .*try HOST or HOST:PORT"):
        configs.load(path, {})


@pytest.mark.parametrize("key", ["user", "password"])
def test_what_mqtt_has_no_room_for_is_refused_and_not_shown(tmp_path: Path, key: str) -> None:
    path = tmp_path / "boardumpire.toml"
    head = 'format = "boardumpire-config"\nversion = 1\n[page]\nlisten = "127.0.0.1:0"\n'
    path.write_text(f'{head}[mqtt]\nbroker = "hall"\n{key} = "{"ü" * 32768}"\n')
    with pytest.raises(ConfigError) as refused:
        check_config.load_checked_board(configs.load(path, {}))
    assert str(refused.value).endswith(f"boardumpire.toml:7: [mqtt] {key}: too long; use at most 65535 bytes")


def test_a_broker_without_a_page_is_refused_in_advance(tmp_path: Path) -> None:
    path = tmp_path / "boardumpire.toml"
    path.write_text('format = "boardumpire-config"\nversion = 1\n[mqtt]\nbroker = "hall"\n')
    with pytest.raises(ConfigError, match=r"4: \[mqtt\] broker: .*set \[page\] listen, too"):
        check_config.load_checked_board(configs.load(path, {}))


class Broker:
    """A real mosquitto, and somebody who hears all of it."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        self._config.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self.heard: list[tuple[str, str, bool]] = []
        self._changed = threading.Condition()
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            ["mosquitto", "-c", self._config], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr is not None
        assert any(line.rstrip().endswith("running") for line in self.process.stderr)
        self.client = paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
        self.client.on_message = self._hear
        self.client.connect("127.0.0.1", self.port)
        self.client.subscribe("boardumpire/#", qos=1)
        self.client.loop_start()

    def stop(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()
        self.process.terminate()
        self.process.communicate(timeout=20)

    def _hear(self, client: Any, data: Any, message: Any) -> None:
        with self._changed:
            self.heard.append((message.topic, message.payload.decode(), message.retain))
            self._changed.notify_all()

    def last(self, topic: str) -> Any:
        found = [payload for name, payload, _ in list(self.heard) if name == f"boardumpire/{HALL}/{topic}"]
        return json.loads(found[-1]) if found else None

    def until(self, done: Callable[[], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(done, timeout=60), self.heard[-3:]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    if shutil.which("mosquitto") is None:
        pytest.skip("mosquitto is not on this machine: apt-get install mosquitto")
    broker = Broker(tmp_path)
    yield broker
    broker.stop()


@pytest.mark.slow
def test_a_board_and_its_broker_through_a_game_kill_9_and_a_broker_that_goes(
    broker: Broker, tmp_path: Path
) -> None:
    sections = '[page]\nlisten = "127.0.0.1:0"\nmdns = ""\n[mqtt]\n'
    service = Service(tmp_path, config=f'{sections}broker = "127.0.0.1:{broker.port}"\nname = "{HALL}"\n')
    try:
        service.start()
        broker.until(lambda: broker.last("online") is True)
        set_up(service)
        broker.until(lambda: (broker.last("state") or {}).get("view", {}).get("to_act") == ["red"])
        told = [payload for name, payload, _ in broker.heard if name.endswith("/told")]
        assert [json.loads(each)["kind"] for each in told].count("ruling") == 2
        assert all(json.loads(each).get("action") is None for each in told if '"ruling"' in each), "sealed"

        service.kill()
        broker.until(lambda: broker.last("online") is False)  # its last will
        service.start()
        broker.until(lambda: broker.last("online") is True)

        broker.stop()
        broker.heard.clear()
        broker.start()
        broker.until(lambda: broker.last("online") is True and broker.last("state") is not None)
        assert broker.last("state")["view"]["to_act"] == ["red"], "it is told anew to a broker that forgot"

        assert service.end(signal.SIGTERM) == 0
        broker.until(lambda: broker.last("online") is False)
        assert "Traceback" not in service.log
    finally:
        service.close()
