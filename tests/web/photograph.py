"""`make screenshots`: plays games on the page and photographs them for docs/play/ and the README."""

from __future__ import annotations

import base64
import random
import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))

import boardrules
from boardrules.colditz.bots.simple_players import choose_by_odds
from boardrules.core import CHANCE
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.messages.languages import ENGLISH, LANGUAGES
from boardware.description import load_board
from web.castle import PositionDesk, played
from web.served import (
    DUEL,
    MOVES,
    PHONE,
    RULED,
    SMALL_PHONE,
    Screen,
    Served,
    browsers,
    play,
)
from web.test_frame import Toy

WHERE = Path(__file__).parents[2] / "docs" / "play"
SMALLEST = {**SMALL_PHONE, "viewport": {"width": 360, "height": 640}}
DESK = {"viewport": {"width": 1120, "height": 760}}
FILM = 560
"""How wide the animation is, in pixels."""


def main() -> None:
    """Take all pictures anew."""
    for path in taken(WHERE):
        print(f"{path}: {path.stat().st_size // 1024} kB")


def taken(where: Path) -> list[Path]:
    """Take all pictures, into a folder."""
    album = Album(where)
    for browser in browsers():
        _positions(browser, album)
    for take, more in ((_duel, ()), (_classic, ("--board", "classic-10x10", "--game", "stratego-classic"))):
        with tempfile.TemporaryDirectory() as directory:
            served = Served(Path(directory), *more)
            try:
                for browser in browsers():
                    take(browser, served, album)
            finally:
                served.close()
    return album.paths


class Album:
    """Where pictures go."""

    def __init__(self, where: Path) -> None:
        self.where = where
        self.paths: list[Path] = []

    def path(self, name: str) -> Path:
        """Where a picture of that name goes; its ending belongs to the name."""
        path = self.where / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self.paths.append(path)
        return path

    def shot(self, screen: Screen, name: str) -> None:
        """A picture of a screen as it is now."""
        screen.page.wait_for_load_state("networkidle")  # the picture of a board comes apart
        screen.page.wait_for_timeout(300)  # what moves on the screen comes to rest
        screen.page.screenshot(path=self.path(f"{name}.png"))


def _opened(browser: Any, link: str, scheme: str, **how: Any) -> Screen:
    context = browser.new_context(**how, color_scheme=scheme, reduced_motion="reduce")
    return Screen(context, link, touch="has_touch" in how)


def _positions(browser: Any, album: Album) -> None:
    """A moment of each game that has a script of its own, on a desk and on a phone."""
    for game, seat, reached, names in (
        ("escape-from-colditz", "american", reached_rolled, ("colditz-turn", "colditz-phone")),
        ("fall-of-the-fuhrer", "tank-spy", reached_asking, ("hunt-table", "hunt-phone")),
    ):
        desk = reached()
        page = Toy(desk)
        try:
            phone = _opened(browser, page.link(seat), "dark", **SMALLEST)
            origins = desk.choices(seat)["moves"]
            if origins:
                phone.page.mouse.click(*phone.square(sorted(origins)[0]))
            album.shot(phone, names[1])
            if game == "escape-from-colditz":
                phone.page.set_viewport_size(DESK["viewport"])
                phone.page.locator('[data-key="whole"]').click()
                album.shot(phone, names[0])
            else:
                table = _opened(browser, page.link("table"), "light", **DESK)
                album.shot(table, names[0])
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
            desk.do(choose_by_odds(view, legal, draws))
        else:
            desk.do(draws.choice([each for each in legal if str(each) != "resign"]))
        told += desk.take_messages()
    desk.history = told[-40:]
    return desk


def reached_rolled() -> PositionDesk:
    """The castle, where the American may move."""
    return _reached("escape-from-colditz", "american", _rolled)


def reached_asking() -> PositionDesk:
    """A hunt, where the Spy asks."""
    return _reached("fall-of-the-fuhrer", "tank-spy", _asking)


def _rolled(view: dict[str, Any]) -> bool:
    return view["points"] > 5 and not view["open"] and len(view["hand"]) > 1


def _asking(view: dict[str, Any]) -> bool:
    return view["phase"] == "ask" and len(view["asked"]) == 1 and bool(view["round"] > 3)


def _classic(browser: Any, served: Served, album: Album) -> None:
    red = _opened(browser, served.links["red"], "dark", **SMALL_PHONE)
    blue = _opened(browser, served.links["blue"], "light", **PHONE)
    for screen in (red, blue):
        screen.press("Random")
        screen.page.wait_for_selector('[data-key="ready"]:not([disabled])')
    blue.page.evaluate("scrollTo(0, 0)")
    album.shot(blue, "classic-set-up-phone")
    red.press("Ready")
    red.until_told("Red has finished setting up")
    blue.press("Ready")
    red.until_todo("Your turn")
    album.shot(red, "classic-small-phone")


def _duel(browser: Any, served: Served, album: Album) -> None:
    red = _opened(browser, served.links["red"], "dark", **DESK)
    blue = _opened(browser, served.links["blue"], "light", **PHONE)
    table = _opened(browser, served.links["table"], "light", **DESK)
    screens = {"red": red, "blue": blue}
    for word in DUEL["blue"].split()[:6]:
        space, _, rank = word.partition("=")
        blue.drag(blue.place(f'[data-piece="army:{rank}"]'), blue.square(space))
    album.shot(blue, "set-up-phone")
    for language in LANGUAGES:
        if language != ENGLISH:
            blue.speak(language)
        album.shot(blue, f"{language}/set-up")
    blue.speak(ENGLISH)
    blue.press("Clear")
    blue.page.reload()
    blue.live()
    red.set_up(DUEL["red"])
    blue.set_up(DUEL["blue"])
    play(screens, MOVES[:2])
    red.until_todo("Your turn")
    _film(red, MOVES[2], album.path("battle.webp"))
    play(screens, MOVES[3:4], first=3)
    red.until_todo("Your turn")
    red.drag(red.square("d5"), let_go=False)
    red.page.wait_for_selector(".piece.led.is-led")
    red.page.wait_for_selector(".hint")
    red.until("() => [...document.querySelectorAll('.sign')].some((sign) => sign.textContent === '•')")
    album.shot(red, "seat-lifted")
    album.shot(table, "table")
    red.lead(red.square("d5"), red.square("d5"))
    _turns(red, album)
    play(screens, MOVES[4:6], first=4)
    red.press("Offer a draw")
    red.page.locator("dialog").get_by_role("button", name="Offer a draw").click()
    blue.page.get_by_text("Red offered a draw.").first.wait_for()
    blue.page.evaluate("scrollTo(0, 0)")
    album.shot(blue, "seat-phone")
    blue.press("Decline the draw")
    red.until_told("declined")
    play(screens, MOVES[6:], first=6)
    small = _opened(browser, served.links["table"], "dark", **SMALL_PHONE)
    small.until_todo("Red has captured the Flag and wins.")
    album.shot(small, "small-phone")
    table.page.goto(f"{served.origin}/replay")
    table.page.wait_for_selector(".tabs button")
    for _ in range(6):
        table.page.get_by_role("button", name="Next step").click()
    table.page.wait_for_selector(".piece")
    album.shot(table, "replay")


def _turns(red: Screen, album: Album) -> None:
    """The same moment on a phone in every language: a piece is lifted, its squares are lit."""
    red.page.set_viewport_size(PHONE["viewport"])
    for language in (*(each for each in LANGUAGES if each != ENGLISH), ENGLISH):
        red.speak(language)
        red.drag(red.square("d5"), let_go=False)
        red.page.wait_for_selector(".piece.led.is-led")
        red.page.wait_for_selector(".hint")
        album.shot(red, f"{language}/turn")
        red.lead(red.square("d5"), red.square("d5"))
        red.page.wait_for_selector(".piece.led", state="detached")
    red.page.set_viewport_size(DESK["viewport"])


def _film(red: Screen, move: str, path: Path) -> None:
    """A short animation of one move, from the piece at rest to the end of its battle."""
    red.page.emulate_media(reduced_motion="no-preference")
    frames: list[tuple[float, bytes]] = []
    camera = red.context.new_cdp_session(red.page)

    def keep(frame: dict[str, Any]) -> None:
        frames.append((frame["metadata"]["timestamp"], base64.b64decode(frame["data"])))
        camera.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    camera.on("Page.screencastFrame", keep)
    camera.send("Page.startScreencast", {"format": "png", "everyNthFrame": 4})
    red.move(move)
    red.until(RULED, *move.split("-"))
    red.page.wait_for_timeout(2500)  # the banner and what leaves the board
    camera.send("Page.stopScreencast")
    red.page.emulate_media(reduced_motion="reduce")
    pictures = [Image.open(BytesIO(data)).convert("RGB") for _, data in frames]
    small = [picture.resize((FILM, picture.height * FILM // picture.width)) for picture in pictures]
    times = [at for at, _ in frames]
    spans = [max(40, round(1000 * (then - now))) for now, then in pairwise([*times, times[-1] + 2])]
    small[0].save(path, save_all=True, append_images=small[1:], duration=spans, loop=0, quality=55, method=4)


if __name__ == "__main__":
    main()
