"""The end of a game stays on a seat's screen until its person goes on; the next one begins empty."""

from __future__ import annotations

import pytest

from web.served import Screen, play


def _top(screen: Screen) -> float:
    """Where the board begins, in px below the top of the page."""
    box = screen.page.locator("#table svg").first.bounding_box()
    assert box is not None
    return float(box["y"]) + float(screen.page.evaluate("scrollY"))


def _sure(screen: Screen, name: str) -> None:
    screen.press(name)
    screen.page.locator("dialog").get_by_role("button", name=name).click()


@pytest.mark.nightly
def test_a_game_that_one_seat_begins_takes_nobodys_end_away(playing: dict[str, Screen]) -> None:
    red, blue = playing["red"], playing["blue"]
    _sure(blue, "Resign")
    red.until_todo("You win")
    red.press("New game")
    red.page.locator("dialog").get_by_role("button", name="Begin").click()
    red.until_todo("Red, set up your army")
    blue.until_todo("A new game has begun.")
    blue.until_todo("Red won by resignation")
    red.press("Random")
    red.press("Ready")
    red.until_todo("You are ready")
    blue.until_todo("A new game has begun.")
    blue.press("Go to the new game")
    blue.until_todo("Blue, set up your army")
    blue.until_todo("10 pieces left to place")
    assert blue.page.locator('[data-piece^="draft:"]').count() == 0
    blue.press("As last time")
    blue.page.wait_for_selector('[data-piece="draft:a8"]', state="attached")
    blue.press("Ready")
    for each in (red, blue):
        each.until_todo("Your turn" if each is red else "Red to move")
        assert each.errors == []


@pytest.mark.nightly
def test_the_tab_says_whose_turn_it_is(playing: dict[str, Screen]) -> None:
    red, blue = playing["red"], playing["blue"]
    assert red.page.title() == "● Your turn · Red · Boardumpire"
    assert (red.page.get_attribute("#icon", "href") or "").startswith("data:image/svg")
    assert blue.page.title() == "Blue · Boardumpire"
    play(playing, ["d3-d4"])
    blue.until("() => document.title.startsWith('● Your turn')")
    red.until("() => document.title === 'Red · Boardumpire'")
    assert red.errors == blue.errors == []


@pytest.mark.slow
def test_who_agrees_to_a_rematch_goes_there_at_once(playing: dict[str, Screen]) -> None:
    """On a phone the board stays where it is."""
    red, blue = playing["red"], playing["blue"]
    _sure(blue, "Resign")
    red.until_todo("You win")
    blue.press("Rematch")
    red.until_todo("Blue would like to start a new game")
    top = _top(blue)
    red.press("Yes")
    for seat, each in playing.items():
        each.until_todo(f"{seat.capitalize()}, set up your army")
        assert each.errors == []
    assert _top(blue) == top
