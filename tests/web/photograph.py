"""`make screenshots`: plays a game on the page and photographs it for docs/players/."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from boardumpire.messages.languages import ENGLISH, LANGUAGES
from web.served import (
    DUEL,
    MOVES,
    PHONE,
    SMALL_PHONE,
    Screen,
    Served,
    browsers,
    play,
)

WHERE = Path(__file__).parents[2] / "docs" / "players"
DESK = {"viewport": {"width": 1120, "height": 760}}


def main() -> None:
    WHERE.mkdir(parents=True, exist_ok=True)
    for take, more in ((_duel, ()), (_classic, ("--board", "classic-10x10", "--game", "stratego-classic"))):
        with tempfile.TemporaryDirectory() as directory:
            served = Served(Path(directory), *more)
            try:
                for browser in browsers():
                    take(browser, served)
            finally:
                served.close()


def _opened(browser: Any, link: str, scheme: str, **how: Any) -> Screen:
    context = browser.new_context(**how, color_scheme=scheme, reduced_motion="reduce")
    return Screen(context, link, touch="has_touch" in how)


def _classic(browser: Any, served: Served) -> None:
    red = _opened(browser, served.links["red"], "dark", **SMALL_PHONE)
    blue = _opened(browser, served.links["blue"], "light", **PHONE)
    for screen in (red, blue):
        screen.press("Random")
    blue.page.evaluate("scrollTo(0, 0)")
    _shot(blue, "classic-set-up-phone")
    red.press("Ready")
    red.until_told("Red has set up")
    blue.press("Ready")
    red.until_todo("Your turn")
    _shot(red, "classic-small-phone")


def _duel(browser: Any, served: Served) -> None:
    red = _opened(browser, served.links["red"], "dark", **DESK)
    blue = _opened(browser, served.links["blue"], "light", **PHONE)
    table = _opened(browser, served.links["table"], "light", **DESK)
    screens = {"red": red, "blue": blue}
    for word in DUEL["blue"].split()[:6]:
        space, _, rank = word.partition("=")
        blue.drag(blue.place(f'[data-piece="army:{rank}"]'), blue.square(space))
    _shot(blue, "set-up-phone")
    for language in LANGUAGES:
        if language != ENGLISH:
            blue.speak(language)
        _shot(blue, f"{language}/set-up")
    blue.speak(ENGLISH)
    blue.press("Clear")
    blue.page.reload()
    blue.live()
    red.set_up(DUEL["red"])
    blue.set_up(DUEL["blue"])
    play(screens, MOVES[:4])
    red.until_todo("Your turn")
    red.drag(red.square("d5"), let_go=False)
    red.page.wait_for_selector(".piece.led.is-led")
    red.page.wait_for_selector(".hint")
    red.until("() => [...document.querySelectorAll('.sign')].some((sign) => sign.textContent === '•')")
    _shot(red, "seat-lifted")
    _shot(table, "table")
    red.lead(red.square("d5"), red.square("d5"))
    _turns(red)
    play(screens, MOVES[4:6], first=4)
    red.press("Offer a draw")
    red.page.locator("dialog").get_by_role("button", name="Offer a draw").click()
    blue.page.get_by_text("Red offers a draw.").first.wait_for()
    blue.page.evaluate("scrollTo(0, 0)")
    _shot(blue, "seat-phone")
    blue.press("Decline the draw")
    red.until_told("declines")
    play(screens, MOVES[6:], first=6)
    small = _opened(browser, served.links["table"], "dark", **SMALL_PHONE)
    small.until_todo("Red wins")
    _shot(small, "small-phone")
    table.page.goto(f"{served.origin}/replay")
    table.page.wait_for_selector(".tabs button")
    for _ in range(6):
        table.page.get_by_role("button", name="Next step").click()
    table.page.wait_for_selector(".piece")
    _shot(table, "replay")


def _turns(red: Screen) -> None:
    """The same moment on a phone in every language: a piece is lifted, its squares are lit."""
    red.page.set_viewport_size(PHONE["viewport"])
    for language in (*(each for each in LANGUAGES if each != ENGLISH), ENGLISH):
        red.speak(language)
        red.drag(red.square("d5"), let_go=False)
        red.page.wait_for_selector(".piece.led.is-led")
        red.page.wait_for_selector(".hint")
        _shot(red, f"{language}/turn")
        red.lead(red.square("d5"), red.square("d5"))
        red.page.wait_for_selector(".piece.led", state="detached")
    red.page.set_viewport_size(DESK["viewport"])


def _shot(screen: Screen, name: str) -> None:
    path = WHERE / f"{name}.png"
    path.parent.mkdir(exist_ok=True)
    screen.page.wait_for_timeout(300)  # what moves on the screen comes to rest
    screen.page.screenshot(path=path)
    print(f"{path}: {path.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
