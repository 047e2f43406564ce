"""Sends what is newest of each kind: a screen that reads slowly skips what is past, never what is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


class LatestOnlySender:
    """What waits to be sent to one screen: of each kind one text, so it can't grow."""

    def __init__(self, send: Callable[[str], Awaitable[None]]) -> None:
        self._send = send
        self._waiting: dict[str, str] = {}
        self._some = asyncio.Event()

    def put(self, kind: str, text: str) -> None:
        """Send a text, without waiting, instead of one of its kind that has not gone yet."""
        self._waiting.pop(kind, None)
        self._waiting[kind] = text
        self._some.set()

    async def run(self) -> None:
        """Send until cancelled, or until sending fails."""
        while True:
            await self._some.wait()
            while self._waiting:
                await self._send(self._waiting.pop(next(iter(self._waiting))))
            self._some.clear()
