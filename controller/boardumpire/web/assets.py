"""The page's own files, scripts made whole and all compressed when they are first wanted.

No path leads to any other file.
"""

from __future__ import annotations

import gzip
import hashlib
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from boardumpire.web.modules import whole

TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}


class Asset(NamedTuple):
    """One file, compressed."""

    kind: str
    body: bytes
    tag: str


class Assets:
    """The files of some packages' `static` directories, by their names."""

    def __init__(self, *packages: str) -> None:
        self._files: dict[str, Traversable] = {}
        self._read: dict[str, Asset] = {}
        for package in packages:
            for file in (resources.files(package) / "static").iterdir():
                if file.name.rpartition(".")[2] in TYPES:
                    self._files[file.name] = file

    def answer(self, request: Request, name: str) -> Response:
        """The file called `name`; a browser that has it already is told so."""
        asset = self._asset(name)
        if asset is None:
            return PlainTextResponse("there is nothing here\n", 404)
        headers = {"etag": asset.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == asset.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(asset.body, headers=headers, media_type=asset.kind)
        return Response(gzip.decompress(asset.body), headers=headers, media_type=asset.kind)

    def _script(self, name: str) -> str:
        return self._files[f"{name}.js"].read_text(encoding="utf-8")

    def _asset(self, name: str) -> Asset | None:
        if name not in self._read and name in self._files:
            stem, _, kind_of = name.rpartition(".")
            text = whole(stem, self._script).encode() if kind_of == "js" else self._files[name].read_bytes()
            body = gzip.compress(text, 9, mtime=0)
            kind = TYPES[kind_of]
            self._read[name] = Asset(kind, body, f'"{hashlib.sha256(body).hexdigest()[:20]}"')
        return self._read.get(name)
