"""Whole games in browsers of three sizes: after each thing that happens every screen is measured.

What a walk asserts of each state is here; who plays and how is in test_walks.py. Pictures of each new title
are kept beside, to be looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from web.served import Screen
from web.test_one_view import LAID_OUT, amiss
from web.test_panels import KEPT, both

PICTURES = Path(__file__).parents[2] / "build" / "walks"
"""Where the pictures of a run go, by walk."""

DEVICES: dict[str, dict[str, Any]] = {
    "360x640": {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True},
    "390x844": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "1280x800": {"viewport": {"width": 1280, "height": 800}},
}
"""Two phones that are touched, and a desk with a mouse."""

RESTS = """() => {
    const look = JSON.stringify([document.documentElement.scrollHeight, scrollY,
        document.querySelector(".now").getBoundingClientRect(),
        document.querySelector(".board").getAttribute("viewBox"),
        document.querySelector(".todo").textContent]);
    const same = window.restedSo === look;
    window.restedSo = look;
    return same;
}"""
"""Whether nothing has moved since the last frame."""

CUT = """() => {
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let text = words.nextNode(); text; text = words.nextNode()) {
        const own = text.parentElement;
        if (!text.textContent.trim()) continue;
        if (own.closest("svg, option, script, style, [hidden], .skip, #said")) continue;
        if (!own.checkVisibility({ checkVisibilityCSS: true })) continue;
        if (getComputedStyle(own).textOverflow === "ellipsis" && own.scrollWidth > own.clientWidth + 1)
            found.push(`ends in dots: ${text.textContent}`);
        const range = document.createRange();
        range.selectNodeContents(text);
        const box = range.getBoundingClientRect();
        if (!box.width || !box.height) continue;
        if (box.left < -1 || box.right > innerWidth + 1) found.push(`beside the window: ${text.textContent}`);
        for (let around = own; around !== document.body && around; around = around.parentElement) {
            const { overflowX, overflowY, position } = getComputedStyle(around);
            const edge = around.getBoundingClientRect();
            const clips = overflowX !== "visible" && (box.left < edge.left - 1 || box.right > edge.right + 1);
            const low = overflowY === "hidden" || around.classList.contains("banner");
            const short = low && (box.top < edge.top - 2 || box.bottom > edge.bottom + 2);
            if (clips || short) {
                found.push(`cut by ${around.tagName}.${around.className}: ${text.textContent}`);
                break;
            }
            if (position === "fixed") break;
        }
    }
    return [...new Set(found)];
}"""
"""Text of which a part is out of sight: beside the window, or beside an element that shows no more than
itself. What a list scrolls to, and what is drawn on the board, isn't meant."""

LEAVE = """() => {
    for (const one of document.querySelectorAll("#side details[data-part]")) one.open = !one.open;
    const notes = document.querySelector('[data-key="notes"]');
    if (notes) {
        notes.value = "seen in Kiel";
        notes.dispatchEvent(new Event("input", { bubbles: true }));
        notes.setSelectionRange(4, 7);
    }
    scrollTo(0, 0);
}"""
"""A person has looked at everything: what was closed is open, what was open closed, something is noted."""


class Walk:
    """The screens of a game, and what was wrong on any of them."""

    def __init__(self, name: str, screens: dict[str, Screen]) -> None:
        self.screens = screens
        self.wrong: list[str] = []
        self.states = self.measured = self.kept = 0
        self._titles: set[tuple[str, str]] = set()
        self._pictures = PICTURES / name
        self._pictures.mkdir(parents=True, exist_ok=True)
        for old in self._pictures.glob("*.png"):
            old.unlink()

    def leave(self) -> None:
        """Everybody opens and closes panels, and goes back to the board."""
        for screen in self.screens.values():
            screen.page.evaluate(LEAVE)

    def act(self, seat: str, does: Callable[[], None], done: Callable[[], None]) -> None:
        """A seat does something; once `done` returns, all screens show it. On nobody else's screen a panel
        has changed by it, and on every screen all is in sight."""
        others = {name: screen for name, screen in self.screens.items() if name != seat}
        before = {name: screen.page.evaluate(KEPT) for name, screen in others.items()}
        does()
        done()
        if seat in self.screens:
            self.screens[seat].page.evaluate("scrollTo(0, 0)")
        self.look()
        for name, screen in others.items():
            try:
                both(before[name], screen.page.evaluate(KEPT))
                self.kept += 1
            except AssertionError as error:
                self.wrong.append(f"{name}, when {seat} acted: a panel changed: {error}")
                print(self.wrong[-1], flush=True)

    def look(self) -> None:
        """Measure every screen as it is now."""
        self.states += 1
        for name, screen in self.screens.items():
            screen.page.wait_for_function(RESTS)
            laid = screen.page.evaluate(LAID_OUT)
            title = screen.page.inner_text("#todo") if screen.page.locator("#todo").count() else ""
            amount = [*amiss(laid), *screen.page.evaluate(CUT)]
            self.measured += 1
            self._picture(name, screen, title, bool(amount))
            where = f"{laid['size'][0]}x{laid['size'][1]} {name}, {title!r}"
            self.wrong += [f"{where}: {each}" for each in amount]
            for each in amount:
                print(f"{where}: {each}", flush=True)

    def _picture(self, name: str, screen: Screen, title: str, anyway: bool) -> None:
        """One of each title on each screen, and of what is wrong."""
        known = (name, re.sub(r"\d+", "#", title))
        if known in self._titles and not (anyway and len(self._titles) < 400):
            return
        self._titles.add(known)
        words = re.sub(r"\W+", "-", title)[:40].strip("-").lower()
        kind = "WRONG-" if anyway else ""
        screen.page.screenshot(path=self._pictures / f"{self.states:03d}-{name}-{kind}{words}.png")

    def errors(self) -> Iterable[str]:
        """What the browsers have complained of."""
        return [error for screen in self.screens.values() for error in screen.errors]

    def found(self) -> list[str]:
        """What was wrong, each thing once."""
        return list(dict.fromkeys(self.wrong))
