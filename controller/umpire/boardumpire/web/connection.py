"""One connection: uvicorn's, with a deadline on everything that it waits for, and a place in the pool."""

from __future__ import annotations

import asyncio
import sys
from http import HTTPStatus
from typing import Any

import h11
import uvicorn.server
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.wsproto_impl import WSProtocol

from boardumpire.web import limits
from boardumpire.web.connection_pool import ConnectionPool
from boardumpire.web.request_guard import SECURITY_HEADERS

ERROR_TEXTS = {
    400: "this is no request that a browser sends\n",
    431: f"too large: at most {limits.HEAD_MAX_BYTES} bytes of request line and headers\n",
}
"""What is said of requests that can't be read, by status."""
TIMEOUTS_S = {
    "head": limits.REQUEST_TIMEOUT_S,
    "body": limits.REQUEST_TIMEOUT_S,
    "answer": limits.ANSWER_TIMEOUT_S,
    "next": limits.KEEP_ALIVE_S,
}
"""How long a connection may take for each thing that it can be at."""


class ServerState(uvicorn.server.ServerState):
    """What all connections of a server share."""

    def __init__(self) -> None:
        super().__init__()
        self.pool = ConnectionPool()


class _SizeLimitedConnection(h11.Connection):
    """h11 bounds only what is not whole yet: a long head that comes in one piece would be taken."""

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            size = len(event.method) + len(event.target) + sum(len(a) + len(b) + 4 for a, b in event.headers)
            if size > limits.HEAD_MAX_BYTES:
                raise h11.RemoteProtocolError("the head is too long", error_status_hint=431)
        return event


class Connection(H11Protocol):
    """One connection that asks. Whoever is late is hung up on: he would keep everybody else out."""

    server_state: ServerState
    _deadline: asyncio.TimerHandle | None = None
    _phase = ""
    """What it is at: a key of `TIMEOUTS_S`."""
    _ignores_input = False
    """Whether it was refused: what still comes is thrown away."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn = _SizeLimitedConnection(h11.SERVER, limits.HEAD_MAX_BYTES)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """As asyncio calls it."""
        super().connection_made(transport)
        self._update_deadline()
        if self.client is not None:
            self.server_state.pool.add(self.client, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """As asyncio calls it."""
        self._cancel_deadline()
        if self.client is not None:
            self.server_state.pool.remove(self.client)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """As asyncio calls it."""
        if not self._ignores_input:
            super().data_received(data)
            self._update_deadline()

    def on_response_complete(self) -> None:
        """As uvicorn calls it when an answer was written."""
        super().on_response_complete()
        self._update_deadline()

    def send_400_response(self, msg: str) -> None:
        """As uvicorn calls it while it handles what h11 raised, which knows the status.

        To close at once would lose the word: a line that is closed with something unread on it is reset.
        So our end is closed, theirs is left open for a while and not listened to.
        """
        error = sys.exception()
        status = getattr(error, "error_status_hint", 400)
        text = ERROR_TEXTS.get(status, ERROR_TEXTS[400]).encode()
        head = [
            ("content-type", "text/plain; charset=utf-8"),
            ("connection", "close"),
            *SECURITY_HEADERS.items(),
        ]
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            response = h11.Response(status_code=status, headers=head, reason=HTTPStatus(status).phrase)
            for event in (response, h11.Data(text), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self._ignores_input = True
        if self.cycle is not None:  # what answers the rest of this request has nobody left to tell
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.transport.can_write_eof():
            self.transport.write_eof()
            self.loop.call_later(limits.REQUEST_TIMEOUT_S, self.transport.abort)
        else:  # TLS says goodbye by itself
            self.transport.close()

    def _update_deadline(self) -> None:
        """Give it so long for what it is at now, unless it was at that before: a byte begins nothing anew."""
        if self.transport.get_protocol() is not self:
            self._cancel_deadline()  # it became a WebSocket
            return
        at = self._current_phase()
        if at != self._phase:
            self._cancel_deadline()
            self._phase = at
            # Not `close`, which waits until all is read that was written.
            self._deadline = self.loop.call_later(TIMEOUTS_S[at], self.transport.abort)

    def _current_phase(self) -> str:
        if self.conn.their_state is h11.IDLE:
            return "head" if self.cycle is None or self.conn.trailing_data[0] else "next"
        return "body" if self.conn.their_state is h11.SEND_BODY else "answer"

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class SocketConnection(WSProtocol):
    """A connection that became a WebSocket. uvicorn waits without end for what is not read; this does not."""

    def __init__(self, config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any]) -> None:
        super().__init__(config, server_state, app_state)
        self._pool = server_state.pool

    def connection_lost(self, exc: Exception | None) -> None:
        """As asyncio calls it."""
        if self.client is not None:
            self._pool.remove(self.client)
        super().connection_lost(exc)

    def keepalive_timeout(self) -> None:
        """As uvicorn calls it when a ping was not answered."""
        super().keepalive_timeout()
        self.transport.abort()

    async def send(self, message: ASGISendEvent) -> None:
        """ASGI."""
        if message["type"] == "websocket.close":
            self.loop.call_later(limits.CLOSE_TIMEOUT_S, self.transport.abort)
        await super().send(message)
