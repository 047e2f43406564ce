"""Where the board can't be reached a device says so, and has kept nothing of a game for that."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from web.served import PHONE, Screen, Served
from web.wire import ask

KEPT = """async () => {
    const found = {};
    for (const name of await caches.keys()) {
        const kept = await caches.open(name);
        for (const { url } of await kept.keys())
            found[new URL(url).pathname] = await (await kept.match(url)).text();
    }
    return found;
}"""


@pytest.mark.slow
def test_a_board_that_is_off_is_explained_by_what_every_device_keeps_alike(
    tmp_path: Path, screen: Callable[..., Screen]
) -> None:
    served = Served(tmp_path)
    try:
        phones = {
            seat: screen(served.links[seat], **PHONE, service_workers="allow") for seat in ("red", "blue")
        }
        kept = {}
        for seat, phone in phones.items():
            phone.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
            phone.page.reload()
            phone.live()
            kept[seat] = phone.page.evaluate(KEPT)
        assert kept["red"] == kept["blue"], "nothing in it is a seat's"
        assert kept["red"].keys() == {"/away", "/style.css", "/icon.svg"}
        assert "red" not in kept["red"]["/away"].lower()
    finally:
        served.close()
    page = phones["red"].page
    page.goto(f"{served.origin}/seat/red")
    assert page.get_by_role("heading").inner_text() == "The board can't be reached"
    assert page.evaluate("getComputedStyle(document.body).margin") == "0px", "in the page's own style"


@pytest.mark.slow
def test_the_page_can_be_installed(served: Served) -> None:
    assert '<link rel="manifest" href="/boardumpire.webmanifest">' in ask(served.origin, "/watch").text
    answer = ask(served.origin, "/boardumpire.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = json.loads(answer.text)
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    for icon in manifest["icons"]:
        drawn = ask(served.origin, icon["src"])
        assert (drawn.status, drawn.headers["content-type"]) == (200, icon["type"])
