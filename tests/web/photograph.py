"""`make screenshots`: plays a game on the page and photographs it for docs/players/."""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import boardrules
from boardrules.colditz.bots.players import turn
from boardrules.core import CHANCE
from boardumpire.messages.languages import ENGLISH, LANGUAGES
from boardumpire.messages.secrecy import SeatMessage
from boardware.description import load_board
from web.castle import PositionDesk, played
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
from web.test_frame import Toy

WHERE = Path(__file__).parents[2] / "docs" / "players"
SMALLEST = {**SMALL_PHONE, "viewport": {"width": 360, "height": 640}}
DESK = {"viewport": {"width": 1120, "height": 760}}


def main() -> None:
    WHERE.mkdir(parents=True, exist_ok=True)
    for browser in browsers():
        _positions(browser)
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


def _positions(browser: Any) -> None:
    """A moment of each game that has a script of its own, on a desk and on a phone."""
    for game, seat, fits, names in (
        ("escape-from-colditz", "american", _rolled, ("colditz-turn", "colditz-phone")),
        ("fall-of-the-fuhrer", "tank-spy", _asking, ("hunt-table", "hunt-phone")),
    ):
        desk = _reached(game, seat, fits)
        page = Toy(desk)
        try:
            phone = _opened(browser, page.link(seat), "dark", **SMALLEST)
            origins = desk.choices(seat)["moves"]
            if origins:
                phone.page.mouse.click(*phone.square(sorted(origins)[0]))
            _shot(phone, names[1])
            if game == "escape-from-colditz":
                phone.page.set_viewport_size(DESK["viewport"])
                phone.page.locator('[data-key="whole"]').click()
                _shot(phone, names[0])
            else:
                table = _opened(browser, page.link("table"), "light", **DESK)
                _shot(table, names[0])
        finally:
            page.close()


def _reached(game: str, seat: str, fits: Callable[[dict[str, Any]], bool]) -> PositionDesk:
    """A game that has come to a moment in which that seat is asked something that fits."""
    draws = random.Random(3)
    if game == "escape-from-colditz":
        first = next(played(7, rounds=25, do_or_die="classic"))[0]
    else:
        first = boardrules.new(game, {"players": 3})
    desk = PositionDesk(first, board=load_board(game))
    told: list[SeatMessage] = []
    while not (seat in desk.state.seats_to_act() and fits(desk.view(seat))):
        (acts,) = desk.state.seats_to_act()
        legal = desk.state.legal_actions(acts)
        if game == "escape-from-colditz":
            view: Any = desk.state.view(None if acts == CHANCE else acts)
            desk.do(turn(view, legal, draws))
        else:
            desk.do(draws.choice([each for each in legal if str(each) != "resign"]))
        told += desk.take_messages()
    desk.history = told[-40:]
    return desk


def _rolled(view: dict[str, Any]) -> bool:
    return view["points"] > 5 and not view["open"] and len(view["hand"]) > 1


def _asking(view: dict[str, Any]) -> bool:
    return view["phase"] == "ask" and len(view["asked"]) == 1 and bool(view["round"] > 3)


def _classic(browser: Any, served: Served) -> None:
    red = _opened(browser, served.links["red"], "dark", **SMALL_PHONE)
    blue = _opened(browser, served.links["blue"], "light", **PHONE)
    for screen in (red, blue):
        screen.press("Random")
    blue.page.evaluate("scrollTo(0, 0)")
    _shot(blue, "classic-set-up-phone")
    red.press("Ready")
    red.until_told("Red has finished setting up")
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
    blue.page.get_by_text("Red offered a draw.").first.wait_for()
    blue.page.evaluate("scrollTo(0, 0)")
    _shot(blue, "seat-phone")
    blue.press("Decline the draw")
    red.until_told("declined")
    play(screens, MOVES[6:], first=6)
    small = _opened(browser, served.links["table"], "dark", **SMALL_PHONE)
    small.until_todo("Red has captured the Flag and wins.")
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
