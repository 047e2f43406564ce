"""The page's own files and those of games, scripts made whole and all compressed when they are first wanted.

No path leads to any other file.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from boardumpire.web.game_files import game_files
from boardumpire.web.script_bundler import dense, together, whole

SHARED = "shared.js"
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_LAYOUT = re.compile(r"\s*([{};,])\s*")
"""Of styles: space around what separates rules. Before a colon it may mean something."""

TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}


class Asset(NamedTuple):
    """One file, compressed."""

    kind: str
    body: bytes
    tag: str


class Assets:
    """The files of some packages' `static` directories by their names, those of games by their addresses."""

    def __init__(self, *packages: str) -> None:
        self._files: dict[str, Traversable] = {}
        self._read: dict[str, Asset] = {}
        for package in packages:
            for file in (resources.files(package) / "static").iterdir():
                if file.name.rpartition(".")[2] in TYPES:
                    self._files[file.name] = file

    def answer(self, request: Request, name: str, put: Mapping[str, str] | None = None) -> Response:
        """The file called `name`; a browser that has it already is told so. In it the words of `put` stand
        for others."""
        asset = self._asset(name)
        if asset is not None and put:
            asset = _filled(asset, put)
        if asset is None:
            return PlainTextResponse("there is nothing here\n", 404)
        return answered(request, asset)

    def scripts(self, game: str = "") -> Sequence[str]:
        """The texts of all scripts of the page, or of this game, as they are written."""
        files = game_files(game) if game else {n: f for n, f in self._files.items() if "/" not in n}
        return [files[name].read_text(encoding="utf-8") for name in sorted(files) if name.endswith(".js")]

    def text(self, name: str) -> str:
        """That file, as it is written. Raises `KeyError` for one that there isn't."""
        self._has(name)
        return self._files[name].read_text(encoding="utf-8")

    def _has(self, name: str) -> bool:
        """Whether there is such a file; those of a game are looked for when one is first asked for."""
        if name not in self._files and name.startswith("game/"):
            self._files.update(game_files(name.split("/")[1]))
        return name in self._files

    def bundled(self, script: str) -> str:
        """A script with all modules that it imports, for a page that can ask nobody. Raises as `whole`."""
        text = whole("", lambda name: self._script(name) if name else script, shared=())
        if "</script" in text:
            raise ValueError("a script that stands in a page holds '</script'")
        return text

    def _script(self, name: str) -> str:
        if not self._has(f"{name}.js"):
            raise ValueError(f"{name}.js: there is no such script")
        return self.text(f"{name}.js")

    def _sent(self, stem: str, kind_of: str) -> str:
        """A file as it is sent: scripts with what they import, styles without comments and layout."""
        if kind_of == "js":
            return dense(whole(stem, self._script))
        text = self.text(f"{stem}.{kind_of}")
        return _LAYOUT.sub(r"\1", _COMMENT.sub("", text)) if kind_of == "css" else text

    def _asset(self, name: str) -> Asset | None:
        if name == SHARED and name not in self._read:
            self._read[name] = _packed(TYPES["js"], dense(together(self._script)).encode())
        if name not in self._read and self._has(name):
            stem, _, kind_of = name.rpartition(".")
            self._read[name] = _packed(TYPES[kind_of], self._sent(stem, kind_of).encode())
        return self._read.get(name)


KEPT = "private, max-age=31536000, immutable"
"""What is said of a file whose address names what is in it: a browser asks for it once."""


def answered(request: Request, asset: Asset, *, kept: bool = False) -> Response:
    """It; a browser that has it already is told so. One that is `kept` is never asked for again."""
    vary = "accept-encoding" if kept else "accept-encoding, accept-language, cookie"
    headers = {"etag": asset.tag, "cache-control": KEPT if kept else "no-cache", "vary": vary}
    if request.headers.get("if-none-match") == asset.tag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(asset.body, headers=headers, media_type=asset.kind)
    return Response(gzip.decompress(asset.body), headers=headers, media_type=asset.kind)


def packed(kind: str, text: str) -> Asset:
    """A text that is made rather than read, as an asset."""
    return _packed(TYPES[kind], text.encode())


def _packed(kind: str, text: bytes, level: int = 9) -> Asset:
    body = gzip.compress(text, level, mtime=0)
    return Asset(kind, body, f'"{hashlib.sha256(body).hexdigest()[:20]}"')


def _filled(asset: Asset, put: Mapping[str, str]) -> Asset:
    text = gzip.decompress(asset.body).decode()
    for word, other in put.items():
        text = text.replace(word, other)
    return _packed(asset.kind, text.encode(), 6)
