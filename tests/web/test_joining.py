"""Sitting down: by a code, again after a lost phone, one phone for both; and clocks that run out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import segno
from playwright.sync_api import expect

from boardumpire.messages.languages import catalogue
from boardumpire.web.page import AccessPolicy
from web.served import DUEL, MOVES, PHONE, SMALL_PHONE, Screen, Served, play
from web.test_classic import ARMIES
from web.test_frame import Toy
from web.wire import Socket, ask, sit_down


class Game(NamedTuple):
    """What is played, and where: two set-ups and a whole game of moves."""

    served: Served
    id: str
    armies: dict[str, str]
    moves: list[str]


@pytest.fixture(params=["stratego-quick-duel", pytest.param("stratego-classic", marks=pytest.mark.nightly)])
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Game]:
    """The same evening on the small board and on the large one, where Blue's Flag stands in front."""
    if request.param == "stratego-classic":
        served = Served(tmp_path, "--board", "classic-10x10", "--game", request.param)
        blue = ARMIES["blue"].replace("a10=F", "a10=2").replace("a7=2", "a7=F")
        yield Game(
            served, request.param, {**ARMIES, "blue": blue}, ["a4-a5", "j7-j6", "a5-a6", "j6-j5", "a6-a7"]
        )
    else:
        served = Served(tmp_path)
        yield Game(served, request.param, DUEL, MOVES)
    served.close()


def codes(screen: Screen) -> list[str]:
    """The seats that a screen offers: where no other device reaches the page, as windows."""
    return [str(text) for text in screen.page.locator(".free .row a").all_inner_texts()]


def sat_down(served: Served, screen: Callable[..., Screen], **phones: dict[str, Any]) -> dict[str, Screen]:
    return {seat: screen(served.links[seat], **how) for seat, how in phones.items()}


def ready(screens: dict[str, Screen], game: Game) -> None:
    for seat, text in game.armies.items():
        screens[seat].take_kept(game.id, seat, text)
    screens["red"].until_todo("Your turn")


def stood(frames: list[dict[str, Any]]) -> bool:
    """Whether a battle's chores were told, and done."""
    told = [frame["board"]["chores"] for frame in frames if frame["kind"] == "board"]
    return any(told) and not told[-1]


@pytest.mark.slow
def test_whose_screen_is_closed_and_where_the_machine_plays_is_read_on_the_others(
    tmp_path: Path, screen: Callable[..., Screen]
) -> None:
    words = ("--option", "players=3", "--machine", "british=1")
    served = Served(tmp_path, "--game", "escape-from-colditz", *words)
    try:
        mine, other = (screen(served.links[seat], **PHONE) for seat in ("american", "security"))
        seats, away = mine.page.locator(".seats").first, mine.page.locator(".away")
        expect(seats).to_contain_text("British (machine, level 1)")
        expect(seats).not_to_contain_text("Security Officer (machine")
        expect(away).to_have_count(0)
        other.page.goto("about:blank")
        expect(away).to_have_text("No screen open: Security Officer")
        other.page.goto(f"{served.origin}/seat/security")
        expect(away).to_have_count(0)
        assert mine.errors == []
    finally:
        served.close()


@pytest.mark.slow
def test_a_copied_cookie_shows_on_the_screen_of_whom_it_belongs_to(
    tmp_path: Path, screen: Callable[..., Screen]
) -> None:
    served = Served(tmp_path)
    try:
        red, blue = (screen(served.links[seat]) for seat in ("red", "blue"))
        cookie = "; ".join(f"{each['name']}={each['value']}" for each in red.page.context.cookies())
        told = red.page.get_by_text("Your seat is open on 2 devices.")
        thief = Socket(served.origin, "/socket/red", cookie=cookie, source="127.0.0.2")
        thief.hello()
        expect(told).to_have_count(1)
        thief.close()
        expect(told).to_have_count(0)
        expect(blue.page.get_by_text("devices")).to_have_count(0)
    finally:
        served.close()


@pytest.mark.nightly
def test_a_game_by_codes_with_a_lost_phone_and_another_language_on_the_way(
    game: Game, screen: Callable[..., Screen]
) -> None:
    served, moves = game.served, game.moves
    table = screen(served.links["table"])
    table.page.wait_for_selector(".free .row a")
    assert codes(table) == ["Red", "Blue"]
    cookie = sit_down(served.origin, served.links["table"])
    phone = "192.0.2.7:8017"  # as a device in the network asks
    link = json.loads(ask(served.origin, "/join.json", Cookie=cookie, Host=phone).body)["seats"][0]["link"]
    assert link == served.links["red"].replace(served.origin, f"http://{phone}")
    drawn = ask(served.origin, "/qr/red.svg", Cookie=cookie, Host=phone).text
    size = segno.make(link, error="m", micro=False).symbol_size(6, 4)[0]
    assert f'width="{size}"' in drawn
    seats = sat_down(served, screen, red=PHONE, blue=SMALL_PHONE)
    table.until("() => !document.querySelector('.free')")
    assert ask(served.origin, "/qr/red.svg", Cookie=cookie).status == 404, (
        "shown only until somebody sits there"
    )
    assert ask(served.origin, "/qr/red.svg").status == 403, "a passer-by sees no code at all"
    ready(seats, game)
    play(seats, moves[:1])
    seats["blue"].speak("de")
    german = catalogue("de").gettext
    seats["blue"].until_todo(german("Your turn"))
    seats["blue"].move(moves[1])
    seats["blue"].speak("en")
    play(seats, moves[2:3], first=2)
    # Red's phone is lost: another one photographs the code of the seat, and Blue is asked.
    if moves is MOVES:  # Red's third is an attack there: nothing is in Red's hand any more
        table.until_frame(stood)
    seats["blue"].until_todo("Your turn")
    seats["red"].page.goto("about:blank")
    found = screen(None, **PHONE)
    found.page.goto(served.links["red"])
    found.page.get_by_role("button", name="Ask the others").click()
    found.page.get_by_text("Asking the others").wait_for()
    seats["blue"].until_todo("Someone wants to play Red on another device")
    seats["blue"].press("Yes")
    found.page.wait_for_url("**/seat/red")
    found.live()
    assert ask(served.origin, "/seat/red").status == 403
    seats["red"] = found
    play(seats, moves[3:], first=3)
    for each in (table, *seats.values()):
        each.until_todo("Red has captured the Flag and wins.")
        assert [error for error in each.errors if "403" not in error] == [], "but for the seat that was taken"


@pytest.mark.nightly
def test_the_others_may_say_no(served: Served, screen: Callable[..., Screen]) -> None:
    seats = sat_down(served, screen, red=PHONE, blue=PHONE)
    thief = screen(None, **PHONE)
    thief.page.goto(served.links["red"])
    thief.page.get_by_role("button", name="Ask the others").click()
    seats["blue"].until_todo("use another device")
    seats["blue"].press("No")
    thief.page.get_by_text("The answer was no").wait_for()
    assert thief.context.cookies() == [] or all("red" not in each["name"] for each in thief.context.cookies())
    seats["red"].live()


@pytest.mark.nightly
def test_a_seat_whose_screen_is_open_is_not_taken_by_the_others_yes(
    served: Served, screen: Callable[..., Screen]
) -> None:
    seats = sat_down(served, screen, red=PHONE, blue=PHONE)
    thief = screen(None, **PHONE)
    thief.page.goto(served.links["red"])
    thief.page.get_by_role("button", name="Ask the others").click()
    seats["blue"].until_todo("use another device")
    seats["blue"].press("Yes")
    seats["red"].until_todo("use another device")
    cookie = "; ".join(f"{each['name']}={each['value']}" for each in thief.context.cookies())
    assert ask(served.origin, "/seat/red", Cookie=cookie).status == 403
    seats["red"].press("No")
    thief.page.get_by_text("The answer was no").wait_for()
    seats["red"].live()


@pytest.mark.nightly
def test_one_phone_is_passed_round_behind_a_curtain(game: Game, screen: Callable[..., Screen]) -> None:
    served = game.served
    phone = screen(served.links["red"], **PHONE)
    phone.page.goto(served.links["blue"])
    phone.page.click("button.main")
    phone.live()
    phone.open("More")
    phone.page.get_by_role("button", name="Pass this phone round").click()
    for seat, army in game.armies.items():
        other = "blue" if seat == "red" else "red"
        phone.page.goto(f"{served.origin}/seat/{seat}")
        behind_the_curtain(phone, seat)
        phone.page.evaluate(
            "([whose, army]) => localStorage.setItem('boardumpire set-ups',"
            " JSON.stringify({ [whose]: { Mine: army } }))",
            [f"{game.id} {seat}", f"setup {army}"],
        )
        look(phone)
        phone.press("Mine")
        phone.press("Ready")
        phone.page.wait_for_url(f"**/seat/{other}" if seat == "red" else "**/seat/red")
    for number, move in enumerate(game.moves):
        seat = ("red", "blue")[number % 2]
        phone.page.wait_for_url(f"**/seat/{seat}")
        behind_the_curtain(phone, seat)
        look(phone)
        phone.until_todo("Your turn")
        phone.move(move)
    phone.until("() => document.querySelector('.todo')?.textContent.includes('wins')")
    assert phone.errors == []


def behind_the_curtain(phone: Screen, seat: str) -> None:
    """Nothing of the seat is shown, or even in the document, before somebody taps."""
    phone.page.wait_for_selector("#curtain button")
    assert phone.page.inner_text("#curtain h1").lower() == seat
    assert not phone.page.is_visible("#room")
    assert phone.page.locator("[data-piece]").count() == 0
    assert phone.page.inner_text(".todo") == ""


def look(phone: Screen) -> None:
    phone.page.get_by_role("button", name="Show my screen").click()
    phone.page.wait_for_selector("#room:not([hidden]) .todo h2")


@pytest.mark.nightly
def test_a_new_game_with_a_clock_begins_and_time_runs_out(game: Game, screen: Callable[..., Screen]) -> None:
    served = game.served
    seats = sat_down(served, screen, red=PHONE, blue=SMALL_PHONE)
    ready(seats, game)
    red = seats["red"].page
    seats["red"].press("Resign")
    red.get_by_role("dialog").get_by_role("button", name="Resign").click()
    seats["red"].until_todo("Blue won by resignation")
    seats["red"].press("New game")
    red.get_by_label("Clock", exact=True).select_option("turn")
    red.get_by_label("Seconds for each turn").fill("6")
    red.get_by_role("button", name="Begin").click()
    seats["blue"].press("Go to the new game")
    for each in seats.values():
        each.until_todo("set up your army")
    ready(seats, game)
    for each in seats.values():
        each.until_told("Time is short: Red")
    for each in seats.values():
        each.until_todo("Blue won on time")
        assert [error for error in each.errors if "403" not in error] == []
        assert each.page.inner_text("[data-clock=red] b") == "0:00.0"


@pytest.mark.few(1)
@pytest.mark.parametrize("path", ["/join.json", "/qr/blue.svg", "/table.json"])
def test_a_passer_by_is_shown_no_seat(served: Served, path: str) -> None:
    assert ask(served.origin, path).status == 403


@pytest.mark.slow
def test_a_seat_is_renewed_with_the_pin(served: Served) -> None:
    cookie = sit_down(served.origin, served.links["red"])
    old = Socket(served.origin, "/socket/red", cookie=cookie)
    old.hello()
    table = sit_down(served.origin, served.links["table"])
    order = json.dumps({"do": "links", "renew": "red", "pin": served.pin}).encode()
    assert ask(served.origin, "/table/do", "POST", order, Origin=served.origin, Cookie=table).status == 200
    assert old.until_closed()[0] == 4403
    old.close()
    assert ask(served.origin, "/seat/red", Cookie=cookie).status == 403


@pytest.mark.nightly
def test_a_code_is_shown_only_where_a_phone_reaches_the_page(screen: Callable[..., Screen]) -> None:
    """Where no other device does, each free seat is a window of this computer's, until it is taken."""
    near = Toy(door=AccessPolicy(external_url=lambda request: ""))
    far = Toy(door=AccessPolicy(external_url=lambda request: "http://boardumpire.local:8080"))
    try:
        here, there = screen(near.link("table")), screen(far.link("table"))
        there.page.wait_for_selector(".free figure img")
        assert there.page.locator(".free figcaption").all_inner_texts() == ["North", "South"]
        assert there.page.locator(".free .row a").count() == 0
        there.open("More")
        there.page.locator(".watch summary").click()
        for drawn in (".free img", ".watch img"):
            image = there.page.locator(drawn).first
            expect(image).to_be_visible()
            assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
        here.page.wait_for_selector(".free .row a")
        assert codes(here) == ["North", "South"]
        assert here.page.locator("img[src^='/qr/']").count() == 0, "a code would lead a phone nowhere"
        assert here.page.locator("[data-part='lost']").count() == 0
        with here.context.expect_page() as opened:
            here.page.locator(".free .row a").first.click()
        opened.value.get_by_role("button", name="Sit down as North").click()
        opened.value.wait_for_selector("#line.live")
        here.until("() => document.querySelectorAll('.free .row a').length === 1")
        assert codes(here) == ["South"]
        assert here.errors == there.errors == []
    finally:
        near.close()
        far.close()
