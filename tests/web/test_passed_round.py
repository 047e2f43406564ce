"""All play on one device: it shows nothing of a seat from before it is handed over until its player taps."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from web.served import DUEL, MOVES, PHONE, Screen
from web.test_start import HUNT, Started
from web.wire import ask

GAME = "stratego-quick-duel"
WATCHED = """(() => {
  let tapped = false;
  const seen = () =>
    document.getElementById("room")?.checkVisibility() && document.querySelector("[data-piece]");
  addEventListener("click", ({ target }) => { tapped ||= Boolean(target.closest("#curtain button")); }, true);
  addEventListener("pagehide", () => seen() && console.error("in sight as the device is handed over"));
  new MutationObserver(() => tapped || !seen() || console.error("in sight before a tap"))
    .observe(document, { subtree: true, childList: true, attributes: true });
})()"""
"""Says on the console when a seat's screen is in sight where it may not be."""


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Started]:
    program = Started(tmp_path)
    yield program
    program.close()


@pytest.mark.slow
def test_a_device_passed_round_shows_nothing_in_between(
    started: Started, screen: Callable[..., Screen]
) -> None:
    phone = screen(None, **PHONE)
    page = phone.page
    page.goto(f"{started.origin}/?game={GAME}")
    page.get_by_label("All here, one after the other").check()
    page.add_init_script(WATCHED)
    page.get_by_role("button", name="Begin").click()
    for seat, army in DUEL.items():
        _tap(phone, seat)
        page.evaluate(
            "([whose, army]) => localStorage.setItem('boardumpire set-ups',"
            " JSON.stringify({ [whose]: { Mine: army } }))",
            [f"{GAME} {seat}", f"setup {army}"],
        )
        page.reload()
        _tap(phone, seat)
        phone.press("Mine")
        phone.press("Ready")
    for seat, move in zip(DUEL, MOVES, strict=False):
        _tap(phone, seat)
        phone.until_todo("Your turn")
        phone.move(move)
    _handed_to(phone, "red")
    assert page.evaluate("document.querySelectorAll('[data-piece]').length") == 0
    assert phone.errors == []


def _handed_to(phone: Screen, seat: str) -> None:
    phone.page.wait_for_url(f"**/seat/{seat}", wait_until="commit")
    phone.page.wait_for_selector("#curtain button")
    assert phone.page.inner_text("#curtain h1").lower() == seat


def _tap(phone: Screen, seat: str) -> None:
    _handed_to(phone, seat)
    phone.page.get_by_role("button", name="Show my screen").click()
    phone.page.wait_for_selector("#room:not([hidden]) .todo h2")


@pytest.mark.slow
def test_one_device_sits_down_where_people_play(started: Started, tmp_path: Path) -> None:
    wanted = {"option_players": 3, "seat_infantry": "1", "all_here": "yes"}
    answer = started.choose(HUNT, **wanted)
    link = answer.headers["location"]
    assert (answer.status, link[-4:]) == (307, "/all")
    started.until(r"  table +(http\S+)")
    seated = ask(started.origin, link, "POST", b"", Origin=started.origin)
    assert (seated.status, seated.headers["location"]) == (303, "/seat/hitler?round")
    links = json.loads((tmp_path / "key" / "links.json").read_text())["links"]
    assert [name for name, each in links.items() if each["device"]] == ["hitler", "tank-spy"]
    again = ask(started.origin, link, "POST", b"", Origin=started.origin)
    assert (again.status, again.headers["location"]) == (303, link.removesuffix("/all")), "taken by then"
    seat = f"/link/{links['hitler']['token']}/all"
    assert ask(started.origin, seat, "POST", b"", Origin=started.origin).status == 404
