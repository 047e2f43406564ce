"""A whole Quick Duel against the machine in a browser's tab, from a folder: nothing else is asked for."""

from __future__ import annotations

import contextlib
import functools
import json
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import FrameLocator, Page, Request
from playwright.sync_api import TimeoutError as NotThere

from web.conftest import browser
from web.test_axe import RULES
from web.wire import apart

__all__ = ["browser"]

ROOT = Path(__file__).resolve().parents[2]
LOADS_MS = 300_000
"""Python and all rules, on a machine that runs other tests."""
TURN_MS = 120_000
TURNS = 150
"""More than a Quick Duel takes in which one side only goes forward."""
CUT_AT = 4
"""The turn at which the power is cut."""

HEAR = """() => {
    window.heardFrames = [];
    const heard = TabSocket.prototype.heard;
    TabSocket.prototype.heard = function (told, text, code) {
        if (told === "message") heardFrames.push(text);
        return heard.call(this, told, text, code);
    };
}"""
"""What comes to the screen is kept, as a test of the page keeps the frames of its WebSocket."""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make tab` builds, where nothing else is."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm here: apt-get install npm")
    if not (ROOT / "node_modules" / "pyodide").exists():
        subprocess.run([npm, "ci", "--silent"], cwd=ROOT, check=True)
    into = tmp_path_factory.mktemp("tab") / "site"
    subprocess.run([sys.executable, ROOT / "package/tab/build.py", "--into", into], check=True)
    return into


class TabScreen:
    """The tab, with the screen of a seat in it."""

    def __init__(self, page: Page, here: str) -> None:
        """`here`: the address of the folder."""
        self.page = page
        self.errors: list[str] = []
        self.strays: list[str] = []
        """What was asked for outside of the folder."""
        inside = (here, "blob:", "data:", "about:")

        def asked(request: Request) -> None:
            if not request.url.startswith(inside):
                self.strays.append(request.url)

        page.on("request", asked)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on(
            "console",
            lambda said: self.errors.append(said.text) if said.type in ("error", "warning") else None,
        )
        page.goto(here + "index.html")
        page.evaluate(HEAR)
        self.screen: FrameLocator = page.frame_locator("#screen")
        self.live(LOADS_MS)

    def live(self, within_ms: float = TURN_MS) -> None:
        self.screen.locator("#line.live").wait_for(timeout=within_ms)

    def press(self, name: str) -> None:
        self.screen.get_by_role("button", name=name, exact=True).click()

    def frames(self) -> list[dict[str, Any]]:
        """What the seat was told, the newest first."""
        texts = self.page.evaluate("heardFrames.filter((text) => !text.startsWith('{\"pieces\"'))")
        return [json.loads(text) for text in reversed(texts)]

    def view(self) -> dict[str, Any]:
        return next(frame["view"] for frame in self.frames() if "view" in frame)

    def moves(self) -> list[tuple[str, str]]:
        """Where the person may go: from where, and to where."""
        found = next(found for frame in self.frames() if (found := _moves(frame)) is not None)
        return [(origin, target) for origin, targets in sorted(found.items()) for target in targets]

    def until(self, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The view, once it fits."""
        for _ in range(TURN_MS // 100):
            view = self.view()
            if fits(view):
                return view
            asked = self.screen.get_by_role("button", name="Attack", exact=True)
            if asked.count():  # where the browser is slow the piece may be carried too late to be a sign
                with contextlib.suppress(NotThere):  # it was one: nothing is asked any more
                    asked.click(timeout=1000)
            self.page.wait_for_timeout(100)
        raise AssertionError(f"{self.view()}\n{self.screen.locator('body').inner_text()}")

    def square(self, space: str) -> tuple[float, float]:
        box = self.screen.locator(f'[data-space="{space}"]').bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def move(self, origin: str, target: str) -> None:
        """Hold the piece until it is lifted, carry it, and let go."""
        start, end = self.square(origin), self.square(target)
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.screen.locator(".piece.led.is-led").wait_for()
        self.page.mouse.move(*end, steps=10)
        self.page.mouse.up()


def _moves(told: Any) -> dict[str, list[str]] | None:
    if isinstance(told, dict):
        if "moves" in told and "acts" in told:
            return dict(apart(told)["moves"])
        told = list(told.values())
    if isinstance(told, list):
        return next((found for each in told if (found := _moves(each)) is not None), None)
    return None


@pytest.fixture
def page(browser: Any) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    yield context.new_page()
    context.close()


@contextlib.contextmanager
def static_server(folder: Path) -> Iterator[str]:
    """Any server of files, with this folder; its address."""
    handler = functools.partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            serving.join()


class QuietHandler(SimpleHTTPRequestHandler):
    """Says nothing of what it is asked for."""

    def log_message(self, *given: object) -> None:
        pass


def chosen(tab: TabScreen, view: dict[str, Any], draws: random.Random) -> tuple[str, str]:
    """An attack if there is one, else a step forward, else anything."""
    moves = tab.moves()
    attacks = [move for move in moves if move[1] in view["board"]]
    forward = [move for move in moves if move[1][1] > move[0][1]]
    return draws.choice(attacks or forward or moves)


@pytest.mark.nightly
def test_a_whole_duel_is_played_in_a_tab_and_outlasts_a_power_cut(
    page: Page, folder: Path, tmp_path: Path
) -> None:
    """The journal brings the game back, and after its end the replay opens every seal."""
    tab = TabScreen(page, folder.as_uri() + "/")
    tab.screen.locator('[data-part="presets"] > summary').click()
    tab.press("Fortress")
    tab.press("Ready")
    draws = random.Random(4)
    for turn in range(TURNS):
        view = tab.until(lambda view: view["phase"] == "over" or bool(tab.moves()))
        if view["phase"] == "over":
            break
        if turn == CUT_AT:
            tab.page.get_by_role("button", name="Cut the power").click()
            tab.screen.locator("#line:not(.live)").wait_for()
            tab.live()
            again = tab.until(lambda view: bool(tab.moves()))
            assert {**again} == {**view}, "the journal has brought the game back"
        before = view["turn"]
        tab.move(*chosen(tab, view, draws))
        tab.until(lambda view, before=before: view["phase"] == "over" or view["turn"] >= before + 2)  # type: ignore[misc]
    assert view["phase"] == "over"
    tab.page.screenshot(path=tmp_path / "end.png")
    tab.screen.get_by_role("link", name="Watch it again").click()
    tab.screen.get_by_role("button", name="Everything revealed").wait_for()
    tab.page.screenshot(path=tmp_path / "replay.png")
    assert not tab.errors
    assert not tab.strays


@pytest.mark.nightly
def test_a_static_server_serves_it_as_well(page: Page, folder: Path) -> None:
    with static_server(folder) as here:
        tab = TabScreen(page, here)
        tab.screen.locator('[data-part="presets"] > summary').click()
        tab.press("Fortress")
        tab.press("Ready")
        tab.until(lambda view: view["to_act"] == ["red"])
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert Axe().run(page, options=RULES).response["violations"] == []
        assert not tab.errors
        assert not tab.strays
