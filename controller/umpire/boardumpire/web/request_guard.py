"""Stands before every route: which names and origins may ask, how much, and what every answer carries."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boardumpire.service.clock import loop_time_s
from boardumpire.web.limits import BODY_MAX_BYTES, RateLimiter

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
SECURITY_HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
FILE_CONTENT_TYPES = ("text/css", "text/javascript", "application/json")
"""What a page is made of, by the beginnings of its kinds: rules for what a page may do mean nothing there."""
FILE_HEADERS = ("x-content-type-options", "cross-origin-resource-policy")
ALLOWED_METHODS = ("GET", "HEAD", "POST")
REQUESTS_PER_S, REQUEST_BURST = 30.0, 240.0
"""Requests a second from one address, those of a seat by themselves; a first visit makes about twenty."""


class RequestGuard:
    """Refuses with a clear word what no browser of a player would send."""

    def __init__(
        self,
        app: ASGIApp,
        names: Iterable[str],
        holder: Callable[[HTTPConnection], str | None],
        proxies: Iterable[Network] = (),
        clock: Callable[[], float] = loop_time_s,
    ) -> None:
        """`holder`: the seat (or `table`) whose link the device that asks has: it is counted by that, so that
        others at its address don't use up what it may ask.

        `proxies`: where requests come from that a proxy has received and forwards: it says whether that was
        by https. Nobody else is believed.
        """
        self._app, self._holder, self._proxies = app, holder, tuple(proxies)
        self._names = {"localhost", *(name.lower() for name in names)}
        self._asked = RateLimiter(REQUESTS_PER_S, REQUEST_BURST, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] not in ("http", "websocket"):
            return
        self._settle_scheme(scope)
        refused = self._refusal(scope)
        if refused is not None:
            await self._send_refusal(*refused, scope, receive, send)
        elif scope["type"] == "http":
            await self._app(scope, receive, _with_security_headers(send))
        else:
            await self._app(scope, receive, send)

    def _settle_scheme(self, scope: Scope) -> None:
        """Note by which scheme the device has asked, if a proxy has taken its request."""
        stated = Headers(scope=scope).get("x-forwarded-proto", "")
        if stated in ("http", "https") and self._is_known_proxy(
            scope["client"][0] if scope["client"] else ""
        ):
            plain = "http" if scope["type"] == "http" else "ws"
            scope["scheme"] = plain + ("s" if stated == "https" else "")

    def _is_known_proxy(self, client: str) -> bool:
        if not self._proxies:
            return False
        try:
            address = ipaddress.ip_address(client)
        except ValueError:
            return False
        address = getattr(address, "ipv4_mapped", None) or address
        return any(address in network for network in self._proxies)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_known_host(host, scope):
            return (
                421,
                "this board is not known by that name: open it by its address, or name it in [page] names",
            )
        if not scope.get("query_string", b"").isascii():
            return 400, "no browser asks so: expected plain letters after the `?`"
        address = scope["client"][0] if scope["client"] else ""
        if not self._asked.take_token(f"{self._holder(HTTPConnection(scope)) or ''} {address}"):
            return 429, "too many requests from this address: wait a moment"
        origin = headers.get("origin")
        scheme = "https" if scope["scheme"] in ("https", "wss") else "http"
        if origin is not None and origin.lower() != f"{scheme}://{host.lower()}":
            return 403, "another site may not speak for this device"
        if scope["type"] == "websocket":
            return None if origin is not None else (403, "a socket is opened from the page only")
        if scope["method"] not in ALLOWED_METHODS:
            return 405, f"only {', '.join(ALLOWED_METHODS)} are answered here"
        if scope["method"] == "POST":
            if origin is None:
                return 403, "this is sent from the page only"
            if "transfer-encoding" in headers:
                return 411, "expected a body whose length is stated"
            if headers.get("content-length", "0") not in map(str, range(BODY_MAX_BYTES + 1)):
                return 413, f"too large: at most {BODY_MAX_BYTES} bytes"
        return None

    def _is_known_host(self, host: str, scope: Scope) -> bool:
        """Addresses can't be rebound to, names can: only our own are answered.

        Anybody in the network may be called something in `.local`, and say that this is at this machine's own
        loopback address: what comes from there asks by another name, or through a proxy that is known.
        """
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if name in self._names:
            return True
        if name.endswith(".local"):
            client = scope["client"][0] if scope["client"] else ""
            return self._is_known_proxy(client) or not _is_loopback(client)
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    async def _send_refusal(self, status: int, why: str, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {**SECURITY_HEADERS, "cache-control": "no-store"}
        if status == 411:
            headers["connection"] = "close"  # or a body without an end would be read
        response = PlainTextResponse(f"{why}\n", status, headers)
        await response(scope, receive, send)


def _is_loopback(client: str) -> bool:
    try:
        address = ipaddress.ip_address(client)
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def _with_security_headers(send: Send) -> Send:
    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            part = headers.get("content-type", "").startswith(FILE_CONTENT_TYPES)
            for name, value in SECURITY_HEADERS.items():
                if not part or name in FILE_HEADERS:
                    headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return dressed
