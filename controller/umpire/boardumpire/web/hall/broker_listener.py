"""Hears what all boards tell a broker, again and again for as long as it takes.

The broker keeps what is told while this listener is away for a moment, where it keeps sessions at all.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Callable
from typing import Any, cast

from aiomqtt import Client, Message, MqttError, ProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from boardumpire.service.config import MqttSection
from boardumpire.web.hall.topics import TOPIC_ROOT

RETRY_MIN_S, RETRY_MAX_S = 1.0, 15.0
"""Between two attempts to reach the broker: twice as long after each."""
SESSION_EXPIRY_S = 3600
"""How long the broker keeps what was told while this listener was away."""

log = logging.getLogger("boardumpire")


class ImmediateQueue(asyncio.Queue[Message]):
    """Takes each message as it comes. One that waited here would be lost with the line, or once too many
    wait: the broker believes that it was heard and keeps it no more. What is not read waits at the broker."""

    def __init__(self, take: Callable[[Message], object]) -> None:
        super().__init__()
        self._take = take

    def put_nowait(self, item: Message) -> None:
        """Nothing is ever put in."""
        self._take(item)


class BrokerListener:
    """One listener. `take` is called with the topic and the payload of each message."""

    def __init__(self, section: MqttSection, take: Callable[[str, bytes], object], name: str) -> None:
        """`name`: by which the broker knows this listener again."""
        self._section, self._take, self._name = section, take, name
        self.is_connected = False
        self._said = ""

    async def run(self) -> None:
        """Listen until cancelled; a broker that is away is tried again."""
        pause = RETRY_MIN_S
        while True:
            try:
                async with self._make_client() as client:
                    await client.subscribe(f"{TOPIC_ROOT}/+/+", qos=1)
                    self._log_connection("")
                    pause, self.is_connected = RETRY_MIN_S, True
                    async for _ in client.messages:
                        pass  # until the line is lost: `ImmediateQueue` has heard them
            except (MqttError, OSError) as error:
                self._log_connection(str(error) or type(error).__name__)
            finally:
                self.is_connected = False
            await asyncio.sleep(pause)
            pause = min(2 * pause, RETRY_MAX_S)

    def _handle_message(self, message: Message) -> None:
        payload = message.payload
        self._take(str(message.topic), payload if isinstance(payload, bytes) else str(payload or "").encode())

    def _make_client(self) -> Client:
        section = self._section
        host, port = section.address
        kept = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        kept.SessionExpiryInterval = SESSION_EXPIRY_S
        return Client(
            host,
            port,
            identifier=self._name,
            username=section.user or None,
            password=section.password or None,
            protocol=ProtocolVersion.V5,
            clean_start=False,
            properties=kept,
            queue_type=cast(Any, lambda maxsize: ImmediateQueue(self._handle_message)),
            tls_context=ssl.create_default_context() if section.secure else None,
        )

    def _log_connection(self, why: str) -> None:
        if why and why != self._said:
            log.warning("broker %s: %s; retrying until it answers", self._section.broker, why)
        elif self._said and not why:
            log.info("broker %s: connected", self._section.broker)
        self._said = why
