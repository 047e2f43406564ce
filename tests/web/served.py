"""The page as people get it: the real command in a process of its own, and browsers that look at it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    CDPSession,
    Error,
    Locator,
    Page,
    Response,
    WebSocket,
    sync_playwright,
)

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--in-process-gpu",
    "--process-per-site",
    "--disable-site-isolation-trials",
]
PATIENCE_MS, LOOKS_MS = 20_000, 50
HANDS = ('{"kind":"world"', '{"kind":"lamps"')
"""How frames begin that tell what simulated hands and lamps do."""
FILES = (".css", ".js", ".svg", ".webmanifest")
"""How paths end whose answer is the same for everybody at any time."""
GONE = ("No data found for resource", "navigated away from")
"""What the browser says of an answer whose page has moved on."""
DESKTOP = {"viewport": {"width": 1200, "height": 820}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SMALL_PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}

DUEL = {
    "red": "a1=F b1=B a2=B d3=9 e3=3 h3=2 g3=10 b3=3 c1=S a3=2",
    "blue": "a8=F b8=B b7=B d6=S e6=3 h6=2 g6=10 f8=9 d8=3 c7=2",
}
"""Two set-ups ..."""
MOVES = ["d3-d4", "d6-d5", "d4-d5", "e6-e5", "e3-e4", "e5-e4", "h3-h5", "h6-h5", "a3-a8"]
"""... and a whole game: moves, a Scout's slide, a won battle, two in which both fall, and the Flag."""


RULED = (
    "([origin, target]) => [...document.querySelectorAll('.history li')]"
    ".some((line) => line.textContent.includes(`${origin} to ${target}`)"
    " || line.textContent.includes(`${origin} attacks ${target}`))"
)

TIMERS = """(() => {
    const { setTimeout: start, clearTimeout: end } = window, waits = new Map(), begun = new Map();
    let stopped = false, last = 0;
    window.setTimeout = (...timer) => {
        if (!stopped) return start(...timer);
        waits.set(--last, timer);
        return last;
    };
    window.clearTimeout = (id) => waits.delete(id) || end(begun.get(id) ?? id);
    window.stopTimers = () => { stopped = true; };
    window.startTimers = () => {
        stopped = false;
        for (const [id, timer] of waits) begun.set(id, start(...timer));
        waits.clear();
    };
})()"""
"""Lets a test hold back the timers that a page begins."""

_WHERE = ("--listen", "127.0.0.1:0")


class Served:
    """`boardumpire page` and the links that it prints."""

    def __init__(self, state: Path, *more: str) -> None:
        self.state = state
        self.log = (state / "log").open("ab")
        if "--game" not in more and "--board" not in more:
            more = ("--game", "stratego-quick-duel", *more)
        self.process = subprocess.Popen(
            [Path(sys.executable).with_name("boardumpire"), "page", *_WHERE, "--state", state, *more],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        assert self.process.stdout is not None
        self.links: dict[str, str] = {}
        """By seat, and `table`."""
        self.watch = self.pin = ""
        for line in self.process.stdout:
            found = re.match(r"  ([\w-]+) +(http\S+)", line)
            pin = re.match(r"  PIN +(\d+)", line)
            self.pin = pin[1] if pin else self.pin
            if found and found[1] == "watch":
                self.watch = found[2]
            elif found:
                self.links[found[1]] = found[2]
            if "table" in self.links:
                break
        assert "table" in self.links, (state / "log").read_text()
        self.origin = self.links["table"].partition("/link")[0]

    def close(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(20)
        self._close_files()
        log = (self.state / "log").read_text()
        assert code == 0, log
        assert " has failed: " not in log, "a task ended by an error that nobody caught"

    def kill(self) -> None:
        """kill -9; nothing is said to anybody."""
        self.process.send_signal(signal.SIGKILL)
        assert self.process.wait(20) == -signal.SIGKILL
        self._close_files()

    def _close_files(self) -> None:
        self.log.close()
        assert self.process.stdout is not None
        self.process.stdout.close()


class Screen:
    """One browser window of a person, and every byte that came to it."""

    def __init__(self, context: BrowserContext, link: str | None, touch: bool = False) -> None:
        self.context = context
        self.page: Page = context.new_page()
        self.frames: list[str] = []
        self.said: list[str] = []
        """The frames that went to the umpire."""
        self.told: dict[str, list[str]] = {}
        """The frames that came, by the path of their socket."""
        self.answers: list[tuple[str, str, int, dict[str, str], bytes]] = []
        """What came over HTTP: method, path, status, headers, body."""
        self.unread: list[str] = []
        """Answers whose body the browser had thrown away before it could be read: the page had moved on."""
        self._socket: WebSocket | None = None
        self.errors: list[str] = []
        self._touch: CDPSession | None = context.new_cdp_session(self.page) if touch else None
        self.page.add_init_script(TIMERS)
        self.page.set_default_timeout(PATIENCE_MS)
        self.page.on("websocket", self._opened)
        self.page.on("response", self._response)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        if link is not None:
            self.page.goto(link)
            self.page.click("button.main")
            self.live()

    def _opened(self, socket: WebSocket) -> None:
        path = urlsplit(socket.url).path
        if path != "/hands":
            self._socket = socket
        here = self.told.setdefault(path, [])

        def came(payload: str | bytes) -> None:
            text = payload if isinstance(payload, str) else payload.decode()
            self.frames.append(text)
            here.append(text)

        def went(payload: str | bytes) -> None:
            self.said.append(payload if isinstance(payload, str) else payload.decode())

        socket.on("framereceived", came)
        if path != "/hands":
            socket.on("framesent", went)

    def _response(self, response: Response) -> None:
        bare = 300 <= response.status < 400 or response.request.method == "HEAD"
        where = urlsplit(response.url)
        path = response.url.removeprefix(f"{where.scheme}://{where.netloc}")
        try:
            body = b"" if bare else response.body()
        except Error as error:
            if not any(words in str(error) for words in GONE):
                raise
            if not path.endswith(FILES):
                self.unread.append(path)
                return
            body = self.context.request.get(response.url).body()
        ended = any('"outcome":' in text for text in self.frames)
        if path.startswith("/games") and not ended and "/replay" not in self.page.url:
            self.errors.append(f"{path} was asked for while the game goes on")
        self.answers.append((response.request.method, path, response.status, response.headers, body))

    def answered(self) -> list[str]:
        """What came over HTTP, but for what was sealed: a screen asks for that once the game is over."""
        assert not self.unread, self.unread
        return [body.decode() for _, path, *_, body in self.answers if not path.startswith("/games")]

    def until_frame(self, fits: Callable[[list[dict[str, Any]]], bool]) -> None:
        """Wait until what the table or the seat was told (newest last) fits."""
        assert self._socket is not None
        while not fits([json.loads(text) for text in self.told[urlsplit(self._socket.url).path]]):
            self.next_frame()

    def next_frame(self) -> None:
        """Wait for a frame, by whatever socket: a line that is lost is replaced by another one."""
        before = len(self.frames)
        for _ in range(PATIENCE_MS // LOOKS_MS):
            self.page.wait_for_timeout(LOOKS_MS)
            if len(self.frames) > before:
                return
        raise AssertionError(f"nothing more came: {self.shown()}")

    def until_view(self, view: dict[str, Any]) -> None:
        """Wait until the newest view that came here is this one."""
        assert self._socket is not None
        wanted = json.loads(json.dumps(view))
        while self.latest_view() != wanted:
            self.next_frame()

    def latest_view(self) -> dict[str, Any] | None:
        assert self._socket is not None
        told = self.told[urlsplit(self._socket.url).path]
        frames = (json.loads(text) for text in reversed(told) if '"view"' in text)
        return next((frame["view"] for frame in frames if "view" in frame), None)

    def shown(self) -> str:
        """What a person would read here now."""
        try:
            text = self.page.evaluate("document.body?.innerText ?? ''")
        except Error as error:  # it is closed, or has crashed: that is no reason to end a run
            text = f"nothing can be read here: {error}"
        latest = [frame.partition('"pad"')[0][:500] for frame in self.frames if not frame.startswith(HANDS)]
        return "\n".join((self.page.url, text, *self.errors, *latest[-16:]))

    def live(self) -> None:
        self.page.wait_for_selector("#line.live")
        self.page.wait_for_function("() => performance.getEntriesByName('usable').length > 0")

    def speak(self, language: str) -> None:
        """Choose a language, as a person does."""
        self.open("More")
        with self.page.expect_navigation():
            self.page.select_option('[data-key="language"]', language)
        self.live()
        self.page.wait_for_selector('[data-key="language"]', state="attached")
        assert self.page.evaluate("document.documentElement.lang") == language

    def until(self, script: str, *words: Any) -> None:
        self.page.wait_for_function(script, arg=list(words) or None)

    def until_told(self, text: str) -> None:
        self.until("([text]) => document.querySelector('.history')?.textContent.includes(text)", text)

    def until_todo(self, text: str) -> None:
        self.until("([text]) => document.querySelector('.todo')?.textContent.includes(text)", text)

    def place(self, selector: str) -> tuple[float, float]:
        box = self.page.eval_on_selector(
            selector,
            "e => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }",
        )
        return box[0], box[1]

    def square(self, space: str) -> tuple[float, float]:
        self.page.evaluate("scrollTo(0, 0)")
        return self.place(f'[data-space="{space}"]')

    def tap(self, what: Locator | tuple[float, float]) -> None:
        """Touch a thing or a spot on a phone, click it on a desk."""
        if isinstance(what, Locator):
            what.click() if self._touch is None else what.tap()
        elif self._touch is None:
            self.page.mouse.click(*what)
        else:
            self.page.touchscreen.tap(*what)

    def open(self, part: str) -> None:
        """Open a part that its heading opens and closes, in whatever language it is."""
        key = {"More": "menu", "Set-ups to begin with": "presets"}[part]
        closed = self.page.locator(f'[data-part="{key}"]:not([open]) > summary')
        self.page.wait_for_selector(f'[data-part="{key}"]')
        if closed.count():
            closed.click()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def drag(self, start: tuple[float, float], *way: tuple[float, float], let_go: bool = True) -> None:
        """Put the finger (or the mouse) down, lead it along, and let go: the finger holds still nowhere."""
        goes = self._mouse if self._touch is None else self._finger
        if not (way and let_go):
            goes(start, way, let_go)
            return
        with self._no_timer_begins():
            goes(start, way, let_go)

    @contextmanager
    def _no_timer_begins(self) -> Iterator[None]:
        """Else on a busy machine a finger's first step might come so late that the page takes the finger for
        one that holds still."""
        self.page.evaluate("stopTimers()")
        yield
        self.page.evaluate("startTimers()")

    def _mouse(self, start: tuple[float, float], way: tuple[tuple[float, float], ...], let_go: bool) -> None:
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        for stop in way:
            mouse.move(*stop, steps=10)
        if let_go:
            mouse.up()

    def _finger(self, start: tuple[float, float], way: tuple[tuple[float, float], ...], let_go: bool) -> None:
        assert self._touch is not None
        here = start
        self._dispatch("touchStart", here)
        for stop in way:
            self._go(here, stop)
            here = stop
        if let_go:
            self._dispatch("touchEnd", None)

    def _dispatch(self, kind: str, at: tuple[float, float] | None) -> None:
        assert self._touch is not None
        points = [] if at is None else [{"x": at[0], "y": at[1]}]
        self._touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def move(self, action: str, *, lift: bool = True) -> None:
        """Hold the piece until it is lifted, carry it, let go; or slide it, as the setting for it has it."""
        origin, _, target = action.partition("-")
        start, end = self.square(origin), self.square(target)
        if lift:
            self.drag(start, let_go=False)
            self.page.wait_for_selector(".piece.led.is-led")
            self.lead(start, end)
        else:
            self._slide(True)
            self.drag(start, end)
            self._slide(False)

    def _slide(self, on: bool) -> None:
        """Whether pieces slide that are dragged. The setting is in a part that may be closed."""
        box = """([on]) => {
            const box = document.querySelector('[data-key="slides"]');
            if (box.checked !== on) box.click();
        }"""
        self.page.evaluate(box, [on])

    def lead(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Go on with a finger that is down already, and let go."""
        if self._touch is None:
            self.page.mouse.move(*end, steps=10)
            self.page.mouse.up()
        else:
            self._go(start, end)
            self._dispatch("touchEnd", None)

    def carry_on(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Go on with a finger that is down already, and keep it there."""
        if self._touch is None:
            self.page.mouse.move(*end, steps=10)
        else:
            self._go(start, end)

    def _go(self, here: tuple[float, float], there: tuple[float, float]) -> None:
        for step in range(1, 11):
            part = step / 10
            at = (here[0] + (there[0] - here[0]) * part, here[1] + (there[1] - here[1]) * part)
            self._dispatch("touchMove", at)

    def set_up(self, army: str) -> None:
        """Every piece dragged from the tray onto its square, then ready."""
        for word in army.split():
            space, _, rank = word.partition("=")
            self.drag(self.place(f'[data-piece="army:{rank}"]'), self.square(space))
            self.page.wait_for_selector(f'[data-piece="draft:{space}"]', state="attached")
        self.press("Ready")

    def take_kept(self, game: str, seat: str, army: str) -> None:
        """Take a set-up that this device has kept, check it, and say ready."""
        self.page.evaluate(
            "([whose, army]) => localStorage.setItem('boardumpire set-ups',"
            " JSON.stringify({ [whose]: { Mine: `setup ${army}` } }))",
            [f"{game} {seat}", army],
        )
        self.page.reload()
        self.live()
        self.press("Mine")
        self.press("Check")
        self.page.get_by_text("This set-up is fine.").wait_for()
        self.press("Ready")


_RUNNING: list[Browser] = []
"""The browser of this process: Playwright runs once in each."""


def browsers() -> Iterator[Browser]:
    if _RUNNING:
        yield _RUNNING[0]
        return
    with sync_playwright() as playwright:
        _RUNNING.append(playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS))
        yield _RUNNING[0]
        _RUNNING.pop().close()


def play(
    screens: dict[str, Screen],
    moves: list[str],
    after: Callable[[str], None] = lambda move: None,
    first: int = 0,
) -> None:
    """Play moves by dragging, each on the screen of its seat, waiting for the umpire in between."""
    seats = ["red", "blue"]
    for number, action in enumerate(moves, first):
        seat = seats[number % 2]
        screens[seat].until_todo("Your turn")
        screens[seat].move(action, lift=number % 3 != 1)
        origin, target = action.split("-")
        screens[seat].until(RULED, origin, target)
        after(action)


def hidden_ranks(texts: list[str], other: str, army: str, moves: list[str]) -> list[str]:
    """Where `texts`, all that came to somebody, tells a rank of `other` that nobody was told."""
    words = dict(word.split("=") for word in army.split())
    told = _told_by_battles(texts)
    found = [
        f"{space}={rank}" for text in texts for space, rank in words.items() if f"{space}={rank}" in text
    ]
    for text in texts:
        for piece in _pieces(json.loads(text)) if text.startswith("{") else ():
            if piece.get("seat") == other and piece.get("rank") not in ("?", None, *told):
                found.append(json.dumps(piece))
    return found


def _told_by_battles(texts: list[str]) -> set[str]:
    """The ranks that battles have told everybody."""
    told = set()
    for text in texts:
        for piece in _pieces(json.loads(text)) if text.startswith("{") else ():
            if piece.get("kind") == "battle":
                told |= {piece["attacker"], piece["defender"]}
            elif piece.get("kind") == "told":
                told.add(piece.get("rank"))
    return told


def _pieces(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from _pieces(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _pieces(inner)
