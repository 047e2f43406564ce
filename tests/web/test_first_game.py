"""First games that lead by the hand, and the rules that a refusal leads to, as somebody new uses them."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import TimeoutError

from boardrules import registry
from boardumpire.messages.languages import LANGUAGES, catalogue
from web.served import SMALL_PHONE, Screen, Served
from web.test_axe import too_small, violations
from web.test_start import DUEL, HUNT, Started

CASTLE = "escape-from-colditz"
LESSONS = [(game, seat) for game, package in registry.games().items() for seat in package.lessons()]
LOW_PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}
ZOOMED = {"viewport": {"width": 640, "height": 400}}
"""1280 by 800 at 200 %."""
PATIENCE_S = 120
MARKED = "[...document.querySelectorAll('.touch-here')].map((mark) => mark.dataset.touch)"
PRESSED = (
    "[...document.querySelectorAll('button.touch')].filter((b) => b.offsetParent).map((b) => b.dataset.key)"
)
SPOT = """(space) => {
    const box = document.querySelector(`.touch-here[data-touch="${space}"]`)?.getBoundingClientRect();
    return box ? [box.x + box.width / 2, box.y + box.height / 2] : null;
}"""
FOCUS = """(what) => {
    const found = document.querySelector(what);
    found?.focus();
    return found !== null && document.activeElement === found;
}"""
GONE_MS = 2000
"""A button that can't be pressed for so long has gone."""
NEAR = "(n) => performance.getEntriesByName(`guided ${n}`).length > 0"


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Started]:
    program = Started(tmp_path)
    yield program
    program.close()


class Learner:
    """Somebody who does what the page says, by keys alone or by pointing."""

    def __init__(self, screen: Screen, started: Started, game: str, seat: str, *, keys: bool) -> None:
        self.screen, self.page, self.keys = screen, screen.page, keys
        self.page.goto(f"{started.origin}/?game={game}")
        button = self.page.locator(f'button[value="{seat}"]')
        if keys:
            button.focus()
            self.page.keyboard.press("Enter")
        else:
            button.click()
        self.page.wait_for_selector(".guide .ask", timeout=60_000)

    def asked(self) -> str:
        return str(self.page.inner_text(".guide .ask"))

    def step(self, number: int, look: Callable[[], None]) -> None:
        """Do what is asked until that step is done; `look` when something is asked."""
        end, seen = time.monotonic() + PATIENCE_S, False
        while not self.page.evaluate(NEAR, number):
            assert time.monotonic() < end, f"step {number} never ends: {self.page.inner_text('.guide')}"
            marked, pressed = self.page.evaluate(f"[{MARKED}, {PRESSED}]")
            if (marked or pressed) and not seen:
                seen = True
                look()
            if pressed:
                self._press(pressed[0])
            elif marked:
                self._touch(marked[0])
            self.page.wait_for_timeout(400)

    def _press(self, key: str) -> None:
        """Do nothing if the button has gone: others act, too."""
        button = f'button.touch[data-key="{key}"]'
        if self.keys:
            self._enter(button)
        else:
            with suppress(TimeoutError):
                self.page.locator(button).first.click(timeout=GONE_MS)

    def _touch(self, space: str) -> None:
        if self.keys:
            self._enter(f'.layer-touch [data-space="{space}"]')
            return
        spot = self.page.evaluate(SPOT, space)
        if spot is not None:  # what is marked may change at any moment
            self.page.mouse.click(*spot)

    def _enter(self, what: str) -> None:
        if self.page.evaluate(FOCUS, what):
            self.page.keyboard.press("Enter")


def in_sight(screen: Screen) -> list[str]:
    """What is asked and marked and is not wholly within the window."""
    found: list[str] = screen.page.evaluate(
        "[...document.querySelectorAll('.guide .ask, button.touch, .touch-here')]"
        ".filter((e) => e.tagName !== 'BUTTON' || e.offsetParent).map((e) => [e, e.getBoundingClientRect()])"
        ".filter(([, r]) => r.left < -1 || r.top < -1 || r.right > innerWidth + 1"
        " || r.bottom > innerHeight + 1)"
        ".map(([e, r]) => `${e.outerHTML.slice(0, 90)} ${JSON.stringify(r)}`)"
    )
    return found


def played(learner: Learner, steps: int, look: Callable[[], None]) -> None:
    for number in range(1, steps + 1):
        learner.step(number, look)
    assert not learner.screen.errors


@pytest.mark.slow
@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("game", "seat", "language", "how", "keys"),
    [
        (DUEL, "red", "en", DESK, False),
        (HUNT, "allies", "de", LOW_PHONE, True),
        (HUNT, "hitler", "nl", DESK, True),
        (CASTLE, "american", "fr", LOW_PHONE, False),
    ],
)
def test_a_first_game_leads_to_its_end_with_all_that_it_asks_for_in_sight(
    started: Started,
    screen: Callable[..., Screen],
    game: str,
    seat: str,
    language: str,
    how: dict[str, Any],
    keys: bool,
) -> None:
    here = screen(None, locale=language, **how)
    learner = Learner(here, started, game, seat, keys=keys)
    hidden: list[str] = []
    lesson = registry.package(game).lessons()[seat]
    assert catalogue(language, game).gettext(lesson.goal) in here.page.inner_text(".guide")
    played(learner, len(lesson.steps), lambda: hidden.extend(in_sight(here)))
    assert not hidden
    assert learner.asked() == catalogue(language, game).gettext(lesson.end)
    here.page.reload()
    here.page.wait_for_selector('[data-key="once-more"]')
    assert learner.asked() == catalogue(language, game).gettext(lesson.end)
    here.page.click('[data-key="once-more"]')
    here.page.wait_for_selector(".guide .then >> text=" + catalogue(language, game).gettext(lesson.goal))
    learner.step(1, lambda: None)


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "seat"), LESSONS)
def test_every_first_game_in_every_language_is_clean_on_every_screen(
    started: Started,
    screen: Callable[..., Screen],
    game: str,
    seat: str,
    record_property: Callable[[str, object], None],
) -> None:
    """One lesson in nine languages, each begun again from its end, by keys alone and by pointing in turn. At
    each step nothing is too small or too wide at 320 pixels, at 200 % and on a desktop, and axe-core finds
    nothing, dark or light."""
    here = screen(None, **DESK)
    lesson = registry.package(game).lessons()[seat]
    learner = Learner(here, started, game, seat, keys=False)
    found: list[str] = []
    looked = 0

    def look() -> None:
        nonlocal looked
        looked += 1
        asked = f"{here.page.evaluate('document.documentElement.lang')}, {learner.asked()}"
        for how in (DESK, ZOOMED, SMALL_PHONE):
            here.page.set_viewport_size(how["viewport"])
            found.extend(f"{how['viewport']['width']}, {asked}: {each}" for each in too_small(here))
        found.extend(violations(here, asked))
        here.page.set_viewport_size(DESK["viewport"])

    for number, language in enumerate(LANGUAGES):
        words = catalogue(language, game)
        if number:
            here.speak(language)
            here.page.click('[data-key="once-more"]')
            here.page.wait_for_function(
                "(goal) => document.querySelector('.guide .then')?.textContent === goal",
                arg=words.gettext(lesson.goal),
            )
            here.page.evaluate("performance.clearMarks()")
        learner.keys = number % 2 == 1
        played(learner, len(lesson.steps), look)
        assert learner.asked() == words.gettext(lesson.end)
        print(game, seat, language, looked, found, flush=True)
    record_property("first games", len(LANGUAGES))
    record_property("screens looked at", looked)
    assert not found


@pytest.mark.nightly
def test_somebody_who_does_something_else_is_told_so_and_may_begin_again(
    started: Started, screen: Callable[..., Screen]
) -> None:
    here = screen(None, **DESK)
    learner = Learner(here, started, HUNT, "allies", keys=False)
    here.press("Roll the die")
    here.page.wait_for_selector("text=You could do that, but")
    here.page.click('[data-key="once-more"]')
    here.page.wait_for_selector(".guide .then >> text=Hitler hides in a city", timeout=60_000)
    here.page.wait_for_selector("text=You could do that, but", state="detached")
    learner.step(1, lambda: None)


@pytest.mark.nightly
def test_a_first_game_goes_on_in_another_window_and_one_that_knows_nothing_of_it_may_begin_it_again(
    started: Started, screen: Callable[..., Screen]
) -> None:
    """A window is closed in mid-game; then another first game was led here before, or another device was."""
    here = screen(None, **LOW_PHONE)
    learner = Learner(here, started, DUEL, "red", keys=False)
    learner.step(1, lambda: None)
    closed, here.page = here.page, here.context.new_page()
    closed.close()
    here.page.goto(f"{started.origin}/seat/red")
    here.page.wait_for_selector(".guide >> text=First game: 2 of 5")
    here.page.evaluate(
        "for (const place of [localStorage, sessionStorage])"
        " place.setItem('boardumpire first game', JSON.stringify({ run: 'other', step: 5, done: 0 }))"
    )
    here.page.reload()
    here.page.wait_for_selector(".guide >> text=First game: 1 of 5")
    assert not too_small(here)
    here.page.click('[data-key="once-more"]')
    here.until_told("Both armies are set up")
    here.until("() => !document.querySelector('.history').textContent.includes('d3 to d4')")
    here.page.wait_for_selector(".guide .ask")


@pytest.mark.slow
def test_a_seat_that_does_not_learn_gets_no_lesson_and_no_lesson_says_what_others_do(
    started: Started, screen: Callable[..., Screen]
) -> None:
    """It goes to the device of the seat that learns; the others' set-ups and moves stay with the umpire."""
    here = screen(None, **DESK)
    Learner(here, started, DUEL, "red", keys=False)
    told = here.page.evaluate("fetch('/lesson.json?seat=red').then((answer) => answer.text())")
    assert json.loads(told)["steps"][0]["does"] == ["d3-d4"]
    assert not re.search(r"setup|b6=10|a7-a6", told)
    guest = screen(None, **DESK)
    guest.page.goto(f"{started.origin}/watch")
    for seat in ("red", "blue", ""):
        status = guest.page.evaluate(f"fetch('/lesson.json?seat={seat}').then((answer) => answer.status)")
        assert status == 404, seat
    again = "fetch('/lesson/again', {method: 'POST'}).then((answer) => answer.status)"
    assert guest.page.evaluate(again) in (403, 404)


@pytest.mark.slow
def test_why_not_opens_the_rule_of_a_refusal(
    served: Served, playing: dict[str, Screen], screen: Callable[..., Screen]
) -> None:
    """Beside what a seat's own screen says by itself, and beside what everybody was told."""
    red, table = playing["red"], screen(served.links["table"])
    for each, line in ((red, "#toast"), (table, ".history")):
        each.move("d3-e4")  # diagonally
        each.page.click(f"{line} .why")
        assert "never diagonally" in each.page.inner_text("dialog .why")
        each.page.keyboard.press("Escape")
        each.page.wait_for_selector("dialog.help", state="detached")


@pytest.mark.slow
def test_the_rules_are_shown_on_any_screen_by_keys_alone_in_its_language(
    served: Served, screen: Callable[..., Screen]
) -> None:
    here = screen(served.links["red"], locale="nl", **SMALL_PHONE)
    here.page.focus("button.rules")
    here.page.keyboard.press("Enter")
    here.page.wait_for_selector("dialog.help")
    text = here.page.inner_text("dialog.help")
    options = registry.new(DUEL).options
    for chapter in registry.package(DUEL).help():
        assert catalogue("nl", DUEL).gettext(chapter.title) in text
        for entry in chapter.entries:
            said = catalogue("nl", DUEL).gettext(entry.text).partition("{n}")[0]
            assert (said in text) == entry.applies_to(options), said
    assert not violations(here, "rules") + too_small(here)
    here.page.keyboard.press("Escape")
    here.page.wait_for_selector("dialog.help", state="detached")
    assert here.page.evaluate("document.activeElement.className").endswith("rules")


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("seat", ["security", "american"])
def test_a_first_castle_is_begun_again_though_it_could_go_on_without_one(
    started: Started, screen: Callable[..., Screen], seat: str
) -> None:
    here = screen(None, **DESK)
    learner = Learner(here, started, CASTLE, seat, keys=False)
    first = here.latest_view()
    learner.step(1, lambda: None)
    here.until_frame(lambda _: here.latest_view() != first)
    here.page.evaluate("fetch('/lesson/again', { method: 'POST' })")
    here.until_view(first)
