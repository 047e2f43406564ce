"""The rules begin with the goal and a picture; a touched piece, circle or city says what it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from boardrules import registry
from boardumpire.web.teaching.texts import help_chapters
from web.served import PHONE, Screen, Served

GAMES = ("stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz")
TOLD = "document.querySelector('.explained')?.textContent ?? ''"


@pytest.mark.parametrize("game", GAMES)
def test_every_piece_of_a_game_has_words(game: str) -> None:
    state = registry.new(game, {})
    told = help_chapters(game, state.options, "en")
    assert told["goal"].endswith(".")
    assert told["face"] == f"/game/{game}/face.svg"
    entries = [entry for chapter in told["chapters"] for entry in chapter["entries"] if "explains" in entry]
    explained = {what for entry in entries for what in entry["explains"]}
    assert [entry["text"] for entry in entries if not entry["text"].endswith(".")] == []
    names = {
        "stratego-quick-duel": {"10", "9", "8", "7", "6", "5", "4", "3", "2", "S", "B", "F", "?"},
        "fall-of-the-fuhrer": {"tank", "spy", "infantry", "★"},
        "escape-from-colditz": {"security", "american", "british", "dutch", "french", "polish"},
    }
    assert names[game] <= explained


@pytest.mark.slow
def test_a_touched_piece_says_what_it_can_do(playing: dict[str, Screen]) -> None:
    for seat, screen in playing.items():
        spaces = {"red": ("h3", "a1", "g6"), "blue": ("c7", "a8", "e3")}[seat]
        scout, flag, hidden = (screen.square(space) for space in spaces)
        screen.tap(scout)
        screen.until(f"() => {TOLD}.startsWith('Scout: Goes as far as it likes')")
        assert not screen.page.locator(".rings").is_visible()
        before = screen.page.evaluate("document.querySelector('.view').getBoundingClientRect().height")
        screen.tap(scout)
        screen.until(f"() => {TOLD} === ''")
        screen.tap(flag)
        screen.until(f"() => {TOLD}.startsWith('Flag: Never moves.')")
        assert (
            screen.page.evaluate("document.querySelector('.view').getBoundingClientRect().height") == before
        )
        screen.tap(flag)
        screen.tap(hidden)
        screen.until(f"() => {TOLD}.includes('only its owner knows this piece')")
        screen.tap(hidden)
        screen.tap(screen.square("c4"))
        screen.until(f"() => {TOLD} === 'A lake: no piece goes there.'")
        screen.tap(screen.square("c4"))
        assert screen.errors == []


@pytest.mark.slow
def test_the_rules_begin_with_the_goal_and_a_picture(served: Served, screen: Callable[..., Screen]) -> None:
    red = screen(served.links["red"], **PHONE)
    red.page.get_by_role("button", name="Rules").click()
    goal = red.page.locator("dialog .goal")
    goal.get_by_text("Find the enemy's Flag, and guard your own.").wait_for()
    red.until("() => document.querySelector('dialog .goal img').naturalWidth > 0")
    first = red.page.evaluate("document.querySelector('dialog .goal + details summary').textContent")
    assert first == "What beats what"
    assert red.errors == []
