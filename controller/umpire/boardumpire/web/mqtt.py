"""What spectators may see, told to an MQTT broker: for a hall with many boards, or a house that joins in.

A broker is one more spectator's screen: it is sent the frames that `/watch` is, as late as those, and no
others. Topics below `boardumpire/NAME`:

online   `true`, or `false`: by the broker itself, too, once the board is gone (retained)
state    what a spectator sees, as one JSON object, with the latest messages (retained)
told     each message to everybody, as it is told, numbered

While the broker is away the latest state is kept and the last `EVENTS_KEPT` messages; older ones are let go,
and their numbers are missing then. `hall.topics` describes all of it, `hall.discovery` tells Home Assistant.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import socket
import ssl
from collections import deque
from collections.abc import Callable, Coroutine
from importlib.metadata import version
from typing import Any, NamedTuple

from aiomqtt import Client, MqttError, ProtocolVersion, Will

from boardumpire.messages.languages import ENGLISH
from boardumpire.service.config import MqttSection, is_host_label
from boardumpire.supervision import start_task
from boardumpire.web.feed import to_compact_json
from boardumpire.web.hall.discovery import discovery_messages
from boardumpire.web.hall.topics import FORMAT, FORMAT_VERSION, MESSAGES_IN_STATE, TOPIC_ROOT
from boardumpire.web.screen_hub import ScreenHub

EVENTS_KEPT = 200
"""Messages that wait for a broker."""
RETRY_MIN_S, RETRY_MAX_S = 1.0, 60.0
"""Between two attempts to reach it: twice as long after each, from the first to the last of these."""
BROKER_TIMEOUT_S = 10.0
DISCONNECT_TIMEOUT_S = 1.0
"""How long a board that stops waits until the broker knows."""

log = logging.getLogger("boardumpire")


class MqttMessage(NamedTuple):
    """Something to publish."""

    topic: str
    payload: str
    retain: bool


class MqttScreen:
    """A spectator's screen that makes topics of its frames. Nothing else is known here."""

    address, language = "mqtt", ENGLISH

    def __init__(self, name: str, woken: Callable[[], object] = lambda: None, run: str = "0") -> None:
        """`woken` is called when there is something to publish; `run` names this start of the board."""
        self.topic_prefix = f"{TOPIC_ROOT}/{name}"
        self._woken = woken
        self._run, self._number = run, 0
        self._latest: deque[dict[str, Any]] = deque(maxlen=MESSAGES_IN_STATE)
        self._state: dict[str, Any] = {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "run": run,
            "table": False,
        }
        self._told: deque[str] = deque(maxlen=EVENTS_KEPT)
        self._dirty = True

    @property
    def waiting_count(self) -> int:
        """How many messages wait to be published."""
        return len(self._told)

    def send(self, text: str) -> None:
        """A frame, as every spectator gets it."""
        frame = json.loads(text)
        match frame["kind"]:
            case "snapshot":
                kept = ("seats", "view", "board", "clocks")
                players = {"players": frame.get("players", {})}
                self._state |= {"table": True, **{name: frame[name] for name in kept}, **players}
            case "view" | "board":
                self._state[frame["kind"]] = frame[frame["kind"]]
            case "told":
                self._number += 1
                told = {**frame["told"], "run": self._run, "number": self._number}
                self._told.append(to_compact_json(told))
                self._latest.append(told)
            case _:
                return
        self._dirty = True
        self._woken()

    def hang_up(self, code: int, why: str) -> None:
        """The table is put away. It comes back by itself, with a snapshot."""
        self._state["table"] = False
        self._dirty = True
        self._woken()

    def republish_state(self) -> None:
        """Whoever listens knows nothing yet: the state is to be published."""
        self._dirty = True

    def next_message(self) -> MqttMessage | None:
        """What to publish first; `None` while there is nothing."""
        if self._told:
            return MqttMessage(f"{self.topic_prefix}/told", self._told[0], retain=False)
        return (
            MqttMessage(f"{self.topic_prefix}/state", self._state_json(), retain=True)
            if self._dirty
            else None
        )

    def _state_json(self) -> str:
        return to_compact_json({**self._state, "told": list(self._latest)})

    def mark_published(self, out: MqttMessage) -> None:
        """That is published."""
        if out.retain:
            self._dirty = self._state_json() != out.payload
        elif self._told and self._told[0] == out.payload:
            self._told.popleft()


class MqttPublisher:
    """Publishes what spectators are shown, from `run` to `stop`. What a broker does raises nothing."""

    def __init__(self, section: MqttSection, screen_hub: ScreenHub) -> None:
        self._section = section
        self._stirred, self._leaving, self._left = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._name = section.name or _machine_name()
        self._watching = MqttScreen(self._name, self._stirred.set, secrets.token_hex(4))
        self._said = ""
        (screen_hub.delayed_spectators or screen_hub).enter(None, self._watching, None, 0)

    @property
    def waiting_count(self) -> int:
        """How many messages wait for the broker."""
        return self._watching.waiting_count

    @property
    def trouble(self) -> str:
        """Which broker is told nothing, and why; empty while it is."""
        return f"broker {self._section.broker}: {self._said}" if self._said else ""

    def note_failure(self, why: str) -> None:
        """`run` has failed, which nobody had foreseen."""
        self._said = why

    def stop(self) -> None:
        """Leave. Stopping twice is allowed."""
        self._leaving.set()
        self._stirred.set()

    async def wait_closed(self) -> None:
        """After `stop`: until the broker knows, a second at most."""
        try:
            async with asyncio.timeout(DISCONNECT_TIMEOUT_S):
                await self._left.wait()
        except TimeoutError:
            log.warning("[mqtt] the broker could not be told that the board is off; its last will says so")

    async def run(self) -> None:
        """Publish until told to stop; a broker that is away is tried again."""
        pause = RETRY_MIN_S
        while not self._leaving.is_set():
            try:
                async with self._make_client() as client:
                    self._log_connection("")
                    pause = RETRY_MIN_S
                    await self._publish_until_stopped(client)
            except (MqttError, OSError) as error:
                self._log_connection(str(error) or type(error).__name__)
            if not self._leaving.is_set():
                await _wait_for_first(self._leaving.wait(), asyncio.sleep(pause))
                pause = min(2 * pause, RETRY_MAX_S)
        self._left.set()

    def _make_client(self) -> Client:
        section, online = self._section, f"{self._watching.topic_prefix}/online"
        host, port = section.address
        return Client(
            host,
            port,
            username=section.user or None,
            password=section.password or None,
            protocol=ProtocolVersion.V5,
            will=Will(online, "false", qos=1, retain=True),
            timeout=BROKER_TIMEOUT_S,
            tls_context=ssl.create_default_context() if section.secure else None,
        )

    async def _publish_until_stopped(self, client: Client) -> None:
        watching, online = self._watching, f"{self._watching.topic_prefix}/online"
        await client.publish(online, "true", qos=1, retain=True)
        await self._publish_discovery(client)
        watching.republish_state()
        while not self._leaving.is_set():
            self._stirred.clear()
            while (out := watching.next_message()) is not None:
                await client.publish(out.topic, out.payload, qos=1, retain=out.retain)
                watching.mark_published(out)
            await _wait_for_first(self._stirred.wait(), _wait_for_disconnect(client))
        await client.publish(online, "false", qos=1, retain=True)

    async def _publish_discovery(self, client: Client) -> None:
        """Tell Home Assistant of this board, where that is wanted."""
        prefix = self._section.discovery
        if prefix:
            for topic, payload in discovery_messages(
                prefix, self._name, self._watching.topic_prefix, version("boardumpire")
            ):
                await client.publish(topic, payload, qos=1, retain=True)

    def _log_connection(self, why: str) -> None:
        """Log that the broker is away, each reason once, or that it is there again."""
        if why and why != self._said:
            log.warning("[mqtt] broker %s: %s; retrying until it answers", self._section.broker, why)
        elif self._said and not why:
            log.info("[mqtt] broker %s: connected", self._section.broker)
        self._said = why


async def _wait_for_disconnect(client: Client) -> None:
    """Until the line to the broker is lost: raises `MqttError`."""
    async for _ in client.messages:  # nothing is subscribed to
        pass


async def _wait_for_first(*waits: Coroutine[Any, Any, object]) -> None:
    """Until the first of these is done; raises what it raised."""
    tasks = [start_task(each, "[mqtt]", awaited=True) for each in waits]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()


def _machine_name() -> str:
    """What the machine is called, where that can be part of a topic."""
    name = socket.gethostname().partition(".")[0].lower()
    return name if is_host_label(name) else TOPIC_ROOT
