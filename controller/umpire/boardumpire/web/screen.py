"""One socket: a screen of a seat or of the table, what it says and how it is answered.

A screen first says `{"do":"hello","epoch":...,"n":...,"language":"de"}`: the last frame it has, and what it
speaks. Then, from a seat: `{"do":"say","id":"x1","text":"resign"}`, `check` alike, `suggest` (with a
`preset`: a set-up that is ready), and `here` (is anybody there?) without a text. Every one is answered with
its `id`; one that comes again, because the answer was lost, is not done again.

Whoever listens to an encrypted line sees lengths: a page fills every message up with `pad` to a multiple of
`limits.PADDED_MESSAGE_BYTES` bytes, and is answered so.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from boardrules.core import Seat
from boardumpire.errors import BoardumpireError, SeatError, public_error_text
from boardumpire.messages import announce
from boardumpire.messages.languages import ENGLISH, known_language
from boardumpire.supervision import start_task
from boardumpire.web import limits
from boardumpire.web.delayed_spectators import DelayedSpectators
from boardumpire.web.feed import to_padded_json
from boardumpire.web.limits import TokenBucket
from boardumpire.web.screen_hub import SEAT_LOST_CODE, Audience, ScreenHub, TooManyScreens
from boardumpire.web.table_api import TableApi

MESSAGES_PER_S, MESSAGE_BURST = 10.0, 40.0
"""Messages a second from one screen."""
ANSWERS_KEPT_MAX = 64
"""How many answers are kept for ids that come again."""
_TEXT_FIELDS_BY_VERB = {"say": ("text",), "check": ("text",), "suggest": ("preset", "text"), "here": ()}


class BadMessage(ValueError):  # noqa: N818
    """A message that no page of ours sends: what was found, what was expected."""


class SeatLost(Exception):  # noqa: N818 - what it is
    """The device had the seat when it opened the socket, and has it no more."""


class AnswerMemory:
    """What a seat's screens were answered, by the id of what they said."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, dict[str, Any]] = OrderedDict()

    def get(self, id_: str) -> dict[str, Any] | None:
        """The answer given before."""
        return self._kept.get(id_)

    def keep(self, id_: str, answer: dict[str, Any]) -> None:
        """Keep it for a while."""
        self._kept[id_] = answer
        if len(self._kept) > ANSWERS_KEPT_MAX:
            self._kept.popitem(last=False)


class ScreenOutbox:
    """Sends in order without anybody waiting; a screen that does not read is hung up on."""

    def __init__(self, socket: WebSocket) -> None:
        self.address = socket.client.host if socket.client else ""
        self._socket = socket
        self._queue: asyncio.Queue[str | tuple[int, str]] = asyncio.Queue()
        self._waiting = 0
        self.language = ENGLISH
        """What the screen is told in."""
        self.is_closed = False
        """Whether it was hung up on."""

    def send(self, text: str) -> None:
        """Send a frame, without waiting."""
        self._waiting += len(text)
        if self._waiting > limits.BACKLOG_MAX_BYTES:
            self.hang_up(1013, "this screen does not read what it is sent")
        elif not self.is_closed:
            self._queue.put_nowait(text)

    def hang_up(self, code: int, why: str) -> None:
        """End it, after what was sent before."""
        if not self.is_closed:
            self.is_closed = True
            self._queue.put_nowait((code, why))

    async def run(self) -> None:
        """Send until it is over."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                item = await self._queue.get()
                if isinstance(item, tuple):
                    await self._socket.close(*item)
                    return
                await self._socket.send_text(item)
                self._waiting -= len(item)


def _close_broken_socket(socket: WebSocket) -> None:
    """End a conversation in which nothing can be sent any more: the screen comes back with a new one."""
    start_task(socket.close(1011), "a screen")


class ScreenSession:
    """A conversation with one screen."""

    def __init__(
        self,
        table_api: TableApi,
        screen_hub: ScreenHub | DelayedSpectators,
        audience: Audience,
        answers: AnswerMemory,
        may_enter: Callable[[], bool] = lambda: True,
    ) -> None:
        """`may_enter`: whether this device still may, once it says hello: the seat may have got another link
        since the socket was opened."""
        self._may_enter = may_enter
        self._table_api, self._screen_hub, self._audience, self._answers = (
            table_api,
            screen_hub,
            audience,
            answers,
        )

    async def serve(self, socket: WebSocket) -> None:
        """Talk until either end hangs up."""
        await socket.accept()
        outbox = ScreenOutbox(socket)
        sending = start_task(outbox.run(), "a screen", lambda why: _close_broken_socket(socket))
        bucket = TokenBucket(MESSAGES_PER_S, MESSAGE_BURST)
        try:
            await self._enter(socket, outbox)
            while True:
                message = await _receive_message(socket)
                if outbox.is_closed:  # It was hung up on, and does not read that.
                    return
                if not bucket.take_token():
                    raise TooManyScreens("too many messages: wait a moment")
                outbox.send(self.answer_message(message, outbox.language))
        except TooManyScreens as error:
            outbox.hang_up(1013, str(error))
        except BadMessage as error:
            outbox.hang_up(1008, str(error))
        except SeatLost as error:
            outbox.hang_up(SEAT_LOST_CODE, str(error))
        except WebSocketDisconnect:
            pass
        finally:
            self._screen_hub.leave(self._audience, outbox)
            if not outbox.is_closed:
                sending.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sending

    async def _enter(self, socket: WebSocket, outbox: ScreenOutbox) -> None:
        try:
            async with asyncio.timeout(limits.REQUEST_TIMEOUT_S):
                hello = await _receive_message(socket)
        except TimeoutError:
            raise BadMessage('expected {"do":"hello"} soon') from None
        if hello.get("do") != "hello":
            raise BadMessage('expected {"do":"hello"} first')
        if not self._table_api.has_table:
            raise TooManyScreens("the umpire is off: it comes back")
        if not self._may_enter():
            raise SeatLost("this seat has a new link")
        outbox.language = known_language(hello.get("language"))
        self._screen_hub.enter(self._audience, outbox, hello.get("epoch"), hello.get("n"))

    def answer_message(self, message: Mapping[str, Any], language: str = ENGLISH) -> str:
        """What is sent back on a message: as long as any other answer."""
        return to_padded_json(
            announce.translate(self._answer_once(message), language), limits.PADDED_MESSAGE_BYTES
        )

    def _answer_once(self, message: Mapping[str, Any]) -> dict[str, Any]:
        id_ = message.get("id")
        if not isinstance(id_, str) or not 0 < len(id_) <= 40:
            return {"kind": "answer", "id": None, "ok": False, "text": "bad message: expected an id"}
        answer = self._answers.get(id_)
        if answer is None:
            answer = {"kind": "answer", "id": id_, **self._execute_checked(message)}
            self._answers.keep(id_, answer)
        return answer

    def _execute_checked(self, message: Mapping[str, Any]) -> dict[str, Any]:
        try:
            checked = _check_message(message)
            if self._audience is not None:
                return {"ok": True, "text": "", **self._execute(self._audience, checked)}
            if checked["do"] != "here":
                raise BadMessage("only a seat can say something")
        except SeatError as error:
            ruled = {"rule": error.rule} if error.rule else {}
            return {"ok": False, "text": public_error_text(error), **ruled}
        except (BoardumpireError, ValueError) as error:
            return {"ok": False, "text": public_error_text(error)}
        return {"ok": True, "text": ""}

    def _execute(self, seat: Seat, message: Mapping[str, Any]) -> dict[str, Any]:
        """Do it; what is answered besides that it was done."""
        match message["do"]:
            case "say":
                self._table_api.submit_command(seat, message["text"])
            case "check":
                self._table_api.check_action(seat, message["text"])
            case "suggest":
                return {
                    "setup": dict(self._table_api.suggest_setup(seat, message["preset"], message["text"]))
                }
        return {}


def _check_message(message: Mapping[str, Any]) -> Mapping[str, Any]:
    verb = message.get("do")
    if not isinstance(verb, str) or verb not in _TEXT_FIELDS_BY_VERB:
        raise BadMessage(f"bad message: expected `do` as one of {', '.join(_TEXT_FIELDS_BY_VERB)}")
    for name in _TEXT_FIELDS_BY_VERB[verb]:
        if not isinstance(message.get(name), str):
            raise BadMessage(f"bad message: {verb} expects a text as `{name}`")
    return message


async def _receive_message(socket: WebSocket) -> dict[str, Any]:
    """The next message. Raises `BadMessage`, which never quotes it."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text = message.get("text")
    if text is None:
        raise BadMessage("bad message: expected text, found bytes")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise BadMessage("bad message: not JSON") from None
    if not isinstance(value, dict):
        raise BadMessage("bad message: expected one object")
    return value
