"""Where a browser's address line finds nothing, it is shown a page in its language, not a bare line."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boardumpire.web.page_language import _, notice_page, screen_language
from boardumpire.web.seat_links import TABLE_LINK

PAGE_TEXTS: Final = {
    403: (
        _("Not on this device"),
        _("This page opens only on the device that has the table's link."),
    ),
    404: (_("There is nothing here"), _("The address is wrong, or what was here is gone.")),
}
"""By the status of an answer the title and the text of its page."""


class ErrorPages:
    """ASGI: answers of plain text with a status of `PAGE_TEXTS` become pages, where a page was asked for.

    Scripts and programs don't ask for pages: they are answered as before.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self._app(scope, receive, send)
            return
        failed = 0

        async def pass_on(message: Message) -> None:
            nonlocal failed
            if message["type"] == "http.response.start" and _is_plain_error(message):
                failed = message["status"]
            if not failed:
                await send(message)

        await self._app(scope, receive, pass_on)
        if failed:
            language = screen_language(HTTPConnection(scope), TABLE_LINK)
            await notice_page(language, *PAGE_TEXTS[failed], failed)(scope, receive, send)


def _is_plain_error(message: Message) -> bool:
    kind = Headers(raw=message["headers"]).get("content-type", "")
    return message["status"] in PAGE_TEXTS and kind.startswith("text/plain")
