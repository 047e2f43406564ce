"""A game that is over as one file: a page that opens in any browser, with nothing else beside it.

It holds what the replay of the page shows, every seat's view and the truth, with scripts, style and words.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
from collections.abc import Mapping
from typing import Any

from boardumpire.web.assets import Assets
from boardumpire.web.page_language import index_replacements

_ENTRY_SCRIPT = """import { about } from "/place.js";
import { entitle, Replay } from "/replay.js";
%s
const packed = Uint8Array.from(atob(document.getElementById("game").textContent), (one) => one.charCodeAt(0));
const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
const game = await new Response(stream).json();
entitle();
document.getElementById("room").removeAttribute("aria-busy");
await new Replay(about, %s, game).open(document.getElementById("side"));
"""


def saved_game_page(
    assets: Assets, about: Mapping[str, Any], game: Mapping[str, Any], language: str
) -> bytes:
    """The file. `about` is what the page's frame is sent with, `game` all steps of the game."""
    looks = about["printed"].get("looks", {})
    scene, style = looks.get("scene", ""), looks.get("style", "")
    sheet = assets.read_text(style.removeprefix("/")) if style else ""
    styled = f'<style data-sheet="{style}">{sheet}</style>' if style else ""
    known = f'import {{ Scene }} from "{scene}";' if scene else ""
    script = assets.bundle_script(_ENTRY_SCRIPT % (known, "new Scene(about.printed)" if scene else "null"))
    put = {
        **index_replacements(language),
        "<title>Boardumpire</title>": f"<title>{html.escape(about['printed']['name'])} · Boardumpire</title>",
        '<link rel="icon" id="icon" href="/icon.svg">': "",
        '<link rel="stylesheet" href="/style.css">': (
            f"<style>{assets.read_text('style.css')}</style>{styled}"
        ),
        '<link rel="modulepreload" href="/main.js">': "",
        '<link rel="modulepreload" href="/shared.js">': "",
        '<script type="module" src="/main.js"></script>': "",
        '<a class="brand" href="/"': '<a class="brand"',
        '<img src="/icon.svg" alt="" width="28" height="28">': "",
        "</body>": (
            f'<script type="text/plain" id="game">{_gzip_base64(game)}</script>\n'
            f'<script type="module">{script}</script>\n</body>'
        ),
    }
    page = assets.read_text("index.html")
    for text, instead in put.items():
        page = page.replace(text, instead)
    sent = json.dumps(about, separators=(",", ":")).replace("<", "\\u003c")
    return page.replace(ABOUT_PLACEHOLDER, sent).encode()


ABOUT_PLACEHOLDER = '{"about":"is put here when it is sent"}'
"""What stands in `index.html` for what its device sees."""


def _gzip_base64(game: Mapping[str, Any]) -> str:
    return base64.b64encode(gzip.compress(json.dumps(game).encode(), 9, mtime=0)).decode()
