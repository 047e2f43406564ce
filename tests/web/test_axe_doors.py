"""The doors to a game and the set-up of a hunt: axe-core, keys alone, 200 %, 320 pixels, dark and light."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from boardrules import registry
from boardumpire.messages.languages import LANGUAGES
from web.served import SMALL_PHONE, Screen, Served
from web.test_axe import too_small, violations
from web.test_hall import HALL, Shown, broker, hall, state, told
from web.test_mqtt import Broker
from web.test_start import HUNT, Started, started

__all__ = ["broker", "hall", "started"]
DESK = {"viewport": {"width": 1280, "height": 800}}
SIZES = {
    "320 pixels": SMALL_PHONE["viewport"],
    "200 %": {"width": 640, "height": 400},  # of 1280 by 800
    "a desk": DESK["viewport"],
}

REACHED = """() => {
    const here = document.activeElement;
    if (!here || here === document.body) return null;
    here.dataset.reached = "";
    const { left, top, right, bottom } = here.getBoundingClientRect();
    const { outlineStyle, outlineWidth, stroke } = getComputedStyle(here);
    const drawn = (outlineStyle !== "none" && outlineWidth !== "0px") || stroke !== "none";
    const sight = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
    return [here.outerHTML.slice(0, 120), drawn, sight];
}"""
"""What the keyboard is on, whether that is drawn, and whether it is in sight."""

TO_THE_TOP = """() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
    for (const each of document.querySelectorAll("[data-reached]")) delete each.dataset.reached;
    scrollTo(0, 0);
}"""

LEFT_OUT = """() => [...document.querySelectorAll(
    "a[href], button, select, input, textarea, summary"
)].filter(
    (each) => each.checkVisibility({ checkVisibilityCSS: true }) && !each.disabled
        && !("reached" in each.dataset)
).map((each) => each.outerHTML.slice(0, 120))"""


def by_keys(page: Page) -> list[str]:
    """What Tab doesn't lead to, or leads to without showing where it is. Once round the whole page."""
    page.evaluate(TO_THE_TOP)
    wrong = []
    for _ in range(200):
        page.keyboard.press("Tab")
        reached = page.evaluate(REACHED)
        if reached is None:
            break
        what, drawn, sight = reached
        wrong += [f"the focus isn't drawn: {what}"] * (not drawn) + [f"out of sight: {what}"] * (not sight)
    else:
        wrong.append("Tab never comes to an end")
    return wrong + [f"no key leads there: {what}" for what in page.evaluate(LEFT_OUT)]


def clean(screen: Screen, what: str) -> list[str]:
    """What is wrong with what a screen shows now, at each size; for axe-core on the smallest."""
    found = []
    for size, viewport in SIZES.items():
        screen.page.set_viewport_size(viewport)
        found += [f"{size}, {what}: {each}" for each in (*too_small(screen), *by_keys(screen.page))]
    screen.page.set_viewport_size(SMALL_PHONE["viewport"])
    screen.page.evaluate(TO_THE_TOP)  # what the bar of actions covers while one scrolls is not meant
    return [*found, *violations(screen, what), *screen.errors]


def opened(page: Page) -> None:
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")


@pytest.mark.nightly
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_start_page_is_clean_for_every_game_in_every_language(
    started: Started, screen: Callable[..., Screen], language: str
) -> None:
    """At 320 pixels, at 200 % and on a desk, by keys alone, dark and light."""
    guest = screen(None, locale=language, **DESK)
    guest.page.goto(started.origin)
    found = clean(guest, "the games")
    for game in registry.games():
        guest.page.goto(f"{started.origin}/?game={game}")
        opened(guest.page)
        found += clean(guest, game)
    assert found == []


@pytest.mark.slow
def test_the_start_page_is_clean_and_a_game_begins_by_keys_alone(
    started: Started, screen: Callable[..., Screen]
) -> None:
    """With what it refuses, too."""
    guest = screen(None, locale="de", **DESK)
    page = guest.page
    page.goto(started.origin)
    found = clean(guest, "the games")
    tab_to(page, f'a[href="/?game={HUNT}"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("form.start")
    opened(page)
    found += clean(guest, "the hunt's options")
    page.set_viewport_size(DESK["viewport"])
    page.select_option("#rules", "own")
    page.select_option('[name="option-tank_roll"]', '"always"')
    page.select_option('[name="option-liberation"]', '"declared"')
    tab_to(page, "form.start button.main")
    page.keyboard.press("Enter")
    page.wait_for_selector(".refused p, .refused:not(:empty)")
    guest.errors.clear()  # a browser notes each answer that says no
    found += clean(guest, "what does not go together")
    assert found == []
    page.goto(f"{started.origin}/?game={HUNT}")
    tab_to(page, "form.start button.main")
    page.keyboard.press("Enter")
    guest.live()
    assert guest.errors == []


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the keyboard is there."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("(there) => document.activeElement?.matches(there)", selector):
            return
    raise AssertionError(f"Tab never leads to {selector}")


@pytest.mark.slow
def test_the_hall_is_clean(broker: Broker, hall: Shown, screen: Callable[..., Screen]) -> None:
    """With boards in play, untidy, over and away, and long words on one of them."""
    for number in range(1, 6):
        seats = ["red", "blue"]
        board = {
            "text": ["Put the piece on e4 back."] if number == 3 else [],
            "over": number == 4,
            "clocks": {"left_ms": {"red": 65_000 * number, "blue": 900_000}},
        }
        said = "Donaudampfschifffahrtsgesellschaft" * 2 if number == 2 else "Red moves from a1 to a2."
        payload = state(
            view={"game": "stratego-quick-duel", "to_act": [seats[number % 2]]},
            seats=seats,
            board=board,
            told=[json.loads(told(1, text=said))],
        )
        topic = f"boardumpire/{HALL if number == 1 else f'table-{number}'}"
        broker.client.publish(f"{topic}/state", payload, qos=1, retain=True)
        broker.client.publish(f"{topic}/online", str(number != 5).lower(), qos=1, retain=True)
    guest = screen(None, **DESK)
    guest.page.goto(hall.origin)
    guest.page.get_by_text("5 boards").wait_for()
    assert clean(guest, "the hall") == []


@pytest.fixture
def hunt(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path, "--board", HUNT, "--game", HUNT, "--option", "players=3")
    yield served
    served.close()


@pytest.mark.nightly
def test_the_set_up_of_a_hunt_is_clean_and_done_by_keys_alone(
    hunt: Served, screen: Callable[..., Screen]
) -> None:
    """Tank, Spy and Infantry start where the keyboard says; hands put them there, and Hitler hides."""
    seats = {seat: screen(hunt.links[seat], **SMALL_PHONE) for seat in ("hitler", "tank-spy", "infantry")}
    table = screen(hunt.links["table"], **SMALL_PHONE)
    found: list[str] = []
    for seat, place in (("tank-spy", "bonn"), ("tank-spy", "kiel"), ("infantry", "ulm")):
        here = seats[seat]
        here.page.wait_for_selector(".hint")
        found += clean(here, f"{seat} before {place}")
        chosen(here, place)
        found += clean(here, f"{seat} at {place}")
        said(here, f" {place}")
    for name, each in {**seats, "table": table}.items():
        if name != "hitler":
            each.until_todo("Put these pieces on the board")
        found += clean(each, f"{name}, pieces to be put")
    seats["hitler"].until_todo("Choose the city where you start")
    chosen(seats["hitler"], "berlin")
    found += clean(seats["hitler"], "Hitler hides")
    said(seats["hitler"], "hide berlin")
    tab_to(seats["tank-spy"].page, '[data-key="tidy"]')
    seats["tank-spy"].page.keyboard.press("Enter")
    seats["tank-spy"].until_todo("What does your Tank do?")
    found += clean(seats["tank-spy"], "the first round")
    assert found == []


def chosen(screen: Screen, place: str) -> None:
    """Walk to a city by Tab and arrows, and choose it."""
    page, tried = screen.page, set[tuple[str, str]]()
    tab_to(page, "[data-space]")
    for _ in range(160):
        here, *ways = page.evaluate(TOWARDS, place)
        if here == place:
            page.keyboard.press("Enter")
            return
        way = next((each for each in ways if (here, each) not in tried), ways[-1])
        tried.add((here, way))
        page.keyboard.press(way)
    raise AssertionError(f"no arrow leads to {place}")


TOWARDS = """(place) => {
    const middle = (one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    };
    const [x, y] = middle(document.activeElement);
    const [tx, ty] = middle(document.querySelector(`[data-space="${place}"]`));
    const ways = { ArrowRight: tx - x, ArrowLeft: x - tx, ArrowDown: ty - y, ArrowUp: y - ty };
    return [document.activeElement.dataset.space, ...Object.keys(ways).sort((a, b) => ways[b] - ways[a])];
}"""
"""Where the keyboard is, and the arrows, with those that lead nearest to a city first."""


def said(screen: Screen, ends: str) -> None:
    """Press what says an act that ends so."""
    tab_to(screen.page, f'.now .acts [data-key$="{ends}"]')
    screen.page.keyboard.press("Enter")
    screen.page.wait_for_selector(f'.now .acts [data-key$="{ends}"]', state="detached")


@pytest.mark.slow
def test_a_key_that_leads_nowhere_is_found(screen: Callable[..., Screen]) -> None:
    page = screen(None, **DESK).page
    page.set_content("<button>a</button><button tabindex=-1>b</button><a href=x style='outline: none'>c</a>")
    assert by_keys(page) == [
        """the focus isn't drawn: <a href="x" style="outline: none" data-reached="">c</a>""",
        """no key leads there: <button tabindex="-1">b</button>""",
    ]
