"""The page's own files and those of games, scripts made whole and all compressed when they are first wanted.

No path leads to any other file.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from boardumpire.web.game_files import game_files
from boardumpire.web.script_bundler import bundle_module, bundle_shared, minify

MAIN_SCRIPT_NAME, SHARED_SCRIPT_NAME = "main.js", "shared.js"
_CSS_COMMENT_PATTERN = re.compile(r"/\*.*?\*/", re.DOTALL)
_CSS_SPACE_PATTERN = re.compile(r"\s*([{};,])\s*")
"""Of styles: space around what separates rules. Before a colon it may mean something."""

CONTENT_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}


class Asset(NamedTuple):
    """One file, compressed."""

    content_type: str
    body: bytes
    etag: str


class Assets:
    """The files of some packages' `static` directories by their names, those of games by their addresses."""

    def __init__(self, *packages: str) -> None:
        self._files: dict[str, Traversable] = {}
        self._read: dict[str, Asset] = {}
        for package in packages:
            for file in (resources.files(package) / "static").iterdir():
                if file.name.rpartition(".")[2] in CONTENT_TYPES:
                    self._files[file.name] = file

    def respond(self, request: Request, name: str, replacements: Mapping[str, str] | None = None) -> Response:
        """The file called `name`; a browser that has it already is told so. In it the words of `replacements`
        stand for others."""
        asset = self._asset(name)
        if asset is not None and replacements:
            asset = _replace_words(asset, replacements)
        if asset is None:
            return PlainTextResponse("there is nothing here\n", 404)
        return asset_response(request, asset)

    def prepare(self, games: Sequence[str]) -> None:
        """Make the scripts that screens of these games begin with: whoever asks first, of any `Assets`, does
        not wait for it."""
        for name in (MAIN_SCRIPT_NAME, SHARED_SCRIPT_NAME):
            self._asset(name)
        for game in games:
            for path in game_files(game):
                self._asset(path)

    def script_texts(self, game: str = "") -> Sequence[str]:
        """The texts of all scripts of the page, or of this game, as they are written."""
        files = game_files(game) if game else {n: f for n, f in self._files.items() if "/" not in n}
        return [files[name].read_text(encoding="utf-8") for name in sorted(files) if name.endswith(".js")]

    def read_text(self, name: str) -> str:
        """That file, as it is written. Raises `KeyError` for one that there isn't."""
        self._has(name)
        return self._files[name].read_text(encoding="utf-8")

    def _has(self, name: str) -> bool:
        """Whether there is such a file; those of a game are looked for when one is first asked for."""
        if name not in self._files and name.startswith("game/"):
            self._files.update(game_files(name.split("/")[1]))
        return name in self._files

    def bundle_script(self, script: str) -> str:
        """A script with all modules that it imports, for a page that can ask nobody. Raises as
        `bundle_module`."""
        text = bundle_module("", lambda name: self._script_text(name) if name else script, shared=())
        if "</script" in text:
            raise ValueError("a script that stands in a page holds '</script'")
        return text

    def _script_text(self, name: str) -> str:
        if not self._has(f"{name}.js"):
            raise ValueError(f"{name}.js: there is no such script")
        return self.read_text(f"{name}.js")

    def _text_to_send(self, stem: str, kind_of: str) -> str:
        """A file as it is sent: scripts with what they import, styles without comments and layout."""
        if kind_of == "js":
            return minify(bundle_module(stem, self._script_text))
        text = self.read_text(f"{stem}.{kind_of}")
        return _CSS_SPACE_PATTERN.sub(r"\1", _CSS_COMMENT_PATTERN.sub("", text)) if kind_of == "css" else text

    def _asset(self, name: str) -> Asset | None:
        if name == SHARED_SCRIPT_NAME and name not in self._read:
            self._read[name] = make_asset("js", minify(bundle_shared(self._script_text)))
        if name not in self._read and self._has(name):
            stem, _, kind_of = name.rpartition(".")
            self._read[name] = make_asset(kind_of, self._text_to_send(stem, kind_of))
        return self._read.get(name)


IMMUTABLE_CACHE_CONTROL = "private, max-age=31536000, immutable"
"""What is said of a file whose address names what is in it: a browser asks for it once."""


def asset_response(request: Request, asset: Asset, *, immutable: bool = False) -> Response:
    """It; a browser that has it already is told so. One that is `immutable` is never asked for again."""
    vary = "accept-encoding" if immutable else "accept-encoding, accept-language, cookie"
    headers = {
        "etag": asset.etag,
        "cache-control": IMMUTABLE_CACHE_CONTROL if immutable else "no-cache",
        "vary": vary,
    }
    if request.headers.get("if-none-match") == asset.etag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(asset.body, headers=headers, media_type=asset.content_type)
    return Response(gzip.decompress(asset.body), headers=headers, media_type=asset.content_type)


@lru_cache(maxsize=64)
def make_asset(kind: str, text: str) -> Asset:
    """A text that is the same for everybody, as an asset."""
    return _compress_asset(CONTENT_TYPES[kind], text.encode())


def _compress_asset(kind: str, text: bytes, level: int = 9) -> Asset:
    body = gzip.compress(text, level, mtime=0)
    return Asset(kind, body, f'"{hashlib.sha256(body).hexdigest()[:20]}"')


def _replace_words(asset: Asset, put: Mapping[str, str]) -> Asset:
    text = gzip.decompress(asset.body).decode()
    for word, other in put.items():
        text = text.replace(word, other)
    return _compress_asset(asset.content_type, text.encode(), 6)
