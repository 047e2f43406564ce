"""axe-core finds nothing against WCAG 2.2 AA or best practices on any screen, on the smallest phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from web.served import DUEL, SMALL_PHONE, Screen, Served
from web.test_classic import ARMIES
from web.test_one_view import GAMES, Shown, moments

RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": [
        "violations"
    ],  # what passes isn't listed element by element, which takes ten times as long
}


def violations(screen: Screen, what: str) -> list[str]:
    """What axe-core has against what a screen shows now, dark and light."""
    found = []
    for scheme in ("dark", "light"):
        screen.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found += [
            f"{what}, {scheme}: {each['id']}: {each['help']}: {node['html'][:160]}"
            for each in Axe().run(screen.page, options=RULES).response["violations"]
            for node in each["nodes"]
        ]
    return found


def too_small(screen: Screen) -> list[str]:
    """One hand on 320 pixels: what is scrolled sideways, what is too small to be tapped (2.5.8)."""
    wide = screen.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    small: list[str] = screen.page.evaluate(
        "[...document.querySelectorAll('button, select, summary, input')].filter((e) => e.offsetParent)"
        ".filter((e) => [e, e.closest('label') ?? e].map((o) => o.getBoundingClientRect())"
        ".every((r) => r.width < 24 || r.height < 24)).map((e) => e.outerHTML.slice(0, 120))"
    )
    return [f"{wide} pixels too wide"] * (wide > 0) + small


def resigned(red: Screen, table: Screen) -> None:
    red.press("Resign")
    red.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    for each in (red, table):
        each.until_todo("Blue won by resignation")


@pytest.mark.nightly
def test_no_screen_has_a_violation(served: Served, screen: Callable[..., Screen]) -> None:
    found: list[str] = []
    guest = screen(None, **SMALL_PHONE)
    guest.page.goto(served.links["red"])
    found += violations(guest, "sitting down")
    guest.page.goto(f"{served.origin}/seat/red")
    found += violations(guest, "somebody else's seat")
    guest.page.goto(f"{served.origin}/watch")
    guest.page.wait_for_selector("#room:not([aria-busy])")
    found += violations(guest, "a spectator's screen") + too_small(guest)
    table = screen(served.links["table"], **SMALL_PHONE)
    table.page.wait_for_selector(".free .row a")
    found += violations(table, "the table with free seats") + too_small(table)
    red, blue = (screen(served.links[seat], **SMALL_PHONE) for seat in DUEL)
    found += violations(red, "setting up") + too_small(red)
    guest.page.goto(served.links["red"])
    found += violations(guest, "a taken seat")
    for seat, army in DUEL.items():
        {"red": red, "blue": blue}[seat].take_kept("stratego-quick-duel", seat, army)
    red.until_todo("Your turn")
    guest.page.get_by_role("button", name="Ask the others").click()
    guest.page.get_by_text("Asking the others").wait_for()
    found += violations(guest, "waiting for the others")
    blue.until_todo("use another device")
    found += violations(blue, "being asked")
    blue.press("No")
    red.until_todo("Your turn")
    red.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    found += violations(red, "playing, all opened")
    red.press("The table's settings …")
    red.page.get_by_label("The table's PIN").wait_for()
    found += violations(red, "settings")
    red.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    resigned(red, table)
    for each in (red, table):
        found += violations(each, "the end")
    red.press("New game")
    red.page.get_by_label("Clock", exact=True).wait_for()
    found += violations(red, "a new game")
    found += with_a_clock({"red": red, "blue": blue}, table)
    for path in ("/replay", "/makers"):
        table.page.goto(served.origin + path)
        table.page.wait_for_load_state("networkidle")
        found += violations(table, path)
    assert found == []


@pytest.mark.slow
def test_a_seat_that_sets_up_and_plays_has_no_violation(
    served: Served, screen: Callable[..., Screen]
) -> None:
    """The two screens that people look at most; all others are a proof."""
    seats = {seat: screen(served.links[seat], **SMALL_PHONE) for seat in DUEL}
    found = violations(seats["red"], "setting up") + too_small(seats["red"])
    for seat, army in DUEL.items():
        seats[seat].take_kept("stratego-quick-duel", seat, army)
    seats["red"].until_todo("Your turn")
    assert found + violations(seats["red"], "playing") + too_small(seats["red"]) == []


def with_a_clock(seats: dict[str, Screen], table: Screen) -> list[str]:
    """From the dialog that begins a game: one in which a clock runs, and runs short."""
    page = seats["red"].page
    page.get_by_label("Clock", exact=True).select_option("turn")
    page.get_by_label("Seconds for each turn").fill("60")
    found = violations(seats["red"], "a new game with a clock")
    page.get_by_role("button", name="Begin").click()
    seats["blue"].press("Go to the new game")
    for seat, army in DUEL.items():
        seats[seat].until_todo("set up your army")
        seats[seat].take_kept("stratego-quick-duel", seat, army)
    seats["red"].until_todo("Your turn")
    for each in (*seats.values(), table):
        each.page.wait_for_selector("[data-clock=red] b")
        found += violations(each, "a clock runs") + too_small(each)
    resigned(seats["red"], table)
    return found


@pytest.mark.nightly
def test_the_large_board_has_no_violation(tmp_path: Path, screen: Callable[..., Screen]) -> None:
    served = Served(tmp_path, "--board", "classic-10x10", "--game", "stratego-classic")
    try:
        found = []
        seats = {seat: screen(served.links[seat], **SMALL_PHONE) for seat in ARMIES}
        found += violations(seats["red"], "setting up") + too_small(seats["red"])
        for seat, army in ARMIES.items():
            seats[seat].take_kept("stratego-classic", seat, army)
        seats["red"].until_todo("Your turn")
        found += violations(seats["red"], "playing") + too_small(seats["red"])
        assert found == []
    finally:
        served.close()


@pytest.mark.slow
def test_the_curtain_has_no_violation(served: Served, screen: Callable[..., Screen]) -> None:
    phone = screen(served.links["red"], **SMALL_PHONE)
    phone.page.goto(served.links["blue"])
    phone.page.click("button.main")
    phone.live()
    phone.open("More")
    phone.page.get_by_role("button", name="Pass this phone round").click()
    phone.page.wait_for_selector("#curtain")
    assert violations(phone, "the curtain") == []


UNHEARD = """() => {
    const all = [...document.querySelectorAll("progress, [role=img]")];
    const shown = all.filter((one) => one.checkVisibility());
    const named = (one) => one.getAttribute("aria-label") || one.getAttribute("aria-labelledby");
    return shown.filter((one) => !named(one)).map((one) => one.outerHTML.slice(0, 120));
}"""
"""Bars and signs that say nothing to whoever listens."""
SAID = {"runOnly": ["aria-prohibited-attr", "aria-allowed-attr"], "resultTypes": ["violations", "incomplete"]}
"""A label on what may have none isn't read by many: axe-core leaves it to a person to say so."""


@pytest.mark.slow
def test_a_hunt_is_told_to_whoever_listens_in_the_language_of_the_screen(
    screen: Callable[..., Screen],
) -> None:
    """Round, die, tickets (also the last one spent), and what the board is called."""
    states = [state for state, _ in moments(GAMES["fall-of-the-fuhrer"][1]()).values()]
    phases = {state.view(None).json()["phase"]: state for state in states}

    def russian(link: str | None, **how: Any) -> Screen:
        return screen(link, locale="ru", **how)

    at = Shown("fall-of-the-fuhrer", russian, phases["move"])
    found: list[str] = []
    try:
        for phase in ("move", "over"):
            shown = at.show(phases[phase], "hitler")
            shown.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
            said = Axe().run(shown.page, options=SAID).response
            found += [node["html"] for kind in ("violations", "incomplete") for each in said[kind]
                      for node in each["nodes"]]  # fmt: skip
            found += shown.page.evaluate(UNHEARD)
        spent = phases["over"].view(None).json()["tickets"]
        label = f"Осталось авиабилетов: {spent}"
        assert {one.inner_text() for one in shown.page.get_by_label(label).all()} == {"✈" * spent or "–"}
        assert shown.page.locator("svg[role=group][aria-label='Доска']").count() == 1
    finally:
        at.close()
    assert found == []
