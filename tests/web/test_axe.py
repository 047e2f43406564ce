"""axe-core finds nothing against WCAG 2.2 AA on any screen, dark or light, on the smallest phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from web.served import DUEL, SMALL_PHONE, Screen, Served

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}


def violations(screen: Screen, what: str) -> list[str]:
    """What axe-core has against what a screen shows now."""
    found = Axe().run(screen.page, options=RULES).response["violations"]
    return [
        f"{what}: {each['id']}: {each['help']}: {node['html'][:160]}"
        for each in found
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_no_screen_has_a_violation(served: Served, screen: Callable[..., Screen], scheme: Any) -> None:
    phone = {**SMALL_PHONE, "color_scheme": scheme}
    found: list[str] = []
    guest = screen(None, **phone)
    guest.page.goto(served.links["red"])
    found += violations(guest, "sitting down")
    guest.page.goto(f"{served.origin}/seat/red")
    found += violations(guest, "somebody else's seat")
    table = screen(served.links["table"], **phone)
    table.page.wait_for_selector(".free img")
    found += violations(table, "the table with free seats")
    red, blue = (screen(served.links[seat], **phone) for seat in DUEL)
    found += violations(red, "setting up")
    guest.page.goto(served.links["red"])
    found += violations(guest, "a taken seat")
    for seat, army in DUEL.items():
        {"red": red, "blue": blue}[seat].take_kept("stratego-quick-duel", seat, army)
    red.until_todo("Your turn")
    guest.page.get_by_role("button", name="Ask the others").click()
    guest.page.get_by_text("The others are asked").wait_for()
    found += violations(guest, "waiting for the others")
    blue.until_todo("on another device")
    found += violations(blue, "being asked")
    blue.press("No")
    red.until_todo("Your turn")
    red.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    found += violations(red, "playing, all opened")
    red.press("The table's settings …")
    red.page.get_by_label("The table's PIN").wait_for()
    found += violations(red, "settings")
    red.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    red.press("Resign")
    found += violations(red, "really resign")
    red.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    for each in (red, table):
        each.until_todo("Blue wins by resignation")
        found += violations(each, "the end")
    red.press("New game")
    red.page.get_by_label("The table's PIN").wait_for()
    found += violations(red, "a new game")
    for path in ("/replay", "/makers"):
        table.page.goto(served.origin + path)
        table.page.wait_for_load_state("networkidle")
        found += violations(table, path)
    assert found == []


def test_the_curtain_has_no_violation(served: Served, screen: Callable[..., Screen]) -> None:
    phone = screen(served.links["red"], **SMALL_PHONE)
    phone.page.goto(served.links["blue"])
    phone.page.click("button.main")
    phone.live()
    phone.page.get_by_role("button", name="This phone is passed round").click()
    phone.page.wait_for_selector("#curtain")
    assert violations(phone, "the curtain") == []


def test_a_game_with_clocks_fits_on_the_smallest_phone(served: Served, screen: Callable[..., Screen]) -> None:
    """One hand on 320 pixels: nothing to be scrolled sideways, and what is tapped is large enough (2.5.8)."""
    table = screen(served.links["table"], **SMALL_PHONE)
    table.page.wait_for_selector(".free img")
    for each in (table, screen(served.links["red"], **SMALL_PHONE)):
        assert each.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        small = each.page.evaluate(
            "[...document.querySelectorAll('button, select, summary, input')].filter((e) => e.offsetParent)"
            ".filter((e) => [e, e.closest('label') ?? e].map((o) => o.getBoundingClientRect())"
            ".every((r) => r.width < 24 || r.height < 24)).map((e) => e.outerHTML.slice(0, 120))"
        )
        assert small == []
