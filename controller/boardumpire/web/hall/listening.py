"""Hears what all boards tell a broker, again and again for as long as it takes.

The broker keeps what is told while this listener is away for a moment, where it keeps sessions at all.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Callable

from aiomqtt import Client, Message, MqttError, ProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from boardumpire.service.config import MqttSection
from boardumpire.web.hall.topics import ROOT

FIRST_S, LAST_S = 1.0, 15.0
"""Between two attempts to reach the broker: twice as long after each."""
SESSION_S = 3600
"""How long the broker keeps what was told while this listener was away."""
WAITING = 20_000
"""Messages that wait to be taken; a hall of 200 boards tells 100 a second in its busiest moments."""

log = logging.getLogger("boardumpire")


class Listening:
    """One listener. `take` is called with the topic and the payload of each message."""

    def __init__(self, section: MqttSection, take: Callable[[str, bytes], object], name: str) -> None:
        """`name`: by which the broker knows this listener again."""
        self._section, self._take, self._name = section, take, name
        self.connected = False
        self._said = ""

    async def run(self) -> None:
        """Listen until cancelled; a broker that is away is tried again."""
        pause = FIRST_S
        while True:
            try:
                async with self._client() as client:
                    await client.subscribe(f"{ROOT}/+/+", qos=1)
                    self._say("")
                    pause, self.connected = FIRST_S, True
                    async for message in client.messages:
                        self._hear(message)
            except (MqttError, OSError) as error:
                self._say(str(error) or type(error).__name__)
            finally:
                self.connected = False
            await asyncio.sleep(pause)
            pause = min(2 * pause, LAST_S)

    def _hear(self, message: Message) -> None:
        payload = message.payload
        self._take(str(message.topic), payload if isinstance(payload, bytes) else str(payload or "").encode())

    def _client(self) -> Client:
        section = self._section
        host, port = section.where
        kept = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        kept.SessionExpiryInterval = SESSION_S
        return Client(
            host,
            port,
            identifier=self._name,
            username=section.user or None,
            password=section.password or None,
            protocol=ProtocolVersion.V5,
            clean_start=False,
            properties=kept,
            max_queued_incoming_messages=WAITING,
            tls_context=ssl.create_default_context() if section.secure else None,
        )

    def _say(self, why: str) -> None:
        if why and why != self._said:
            log.warning("broker %s: %s; tried again until it answers", self._section.broker, why)
        elif self._said and not why:
            log.info("broker %s is there", self._section.broker)
        self._said = why
