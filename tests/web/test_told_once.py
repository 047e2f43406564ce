"""The end of a game is told once, over the whole width, with what comes next; both armies lie open."""

from __future__ import annotations

import json

import pytest

from web.served import DUEL, MOVES, Screen, Served, play
from web.test_design import TOAST
from web.wire import ask, sit_down

EDGES = """(what) => {
    const box = document.querySelector(what).getBoundingClientRect();
    return { left: box.x, right: box.right, top: box.y, bottom: box.bottom };
}"""
SEEN = "(text) => document.body.innerText.split(text).length - 1"


@pytest.mark.slow
def test_the_end_has_the_whole_width(served: Served, playing: dict[str, Screen]) -> None:
    red, blue = playing["red"], playing["blue"]
    red.page.set_viewport_size({"width": 1280, "height": 800})
    red.press("Resign")
    red.page.locator("dialog").get_by_role("button", name="Resign").click()
    red.until_todo("You lose")
    blue.until_todo("You win!")
    red.page.wait_for_selector(".now.ended")
    end, board, side = (red.page.evaluate(EDGES, what) for what in (".now", "#table", "#side"))
    assert end["left"] == pytest.approx(board["left"], abs=1)
    assert end["right"] == pytest.approx(side["right"], abs=1)
    assert red.page.evaluate(EDGES, ".view")["bottom"] <= end["top"], "and the board is seen whole above it"
    assert end["bottom"] <= 800
    for screen, said in ((red, "You lose"), (blue, "You win!")):
        assert screen.page.evaluate(SEEN, said) == 1
        assert "won" not in " ".join(screen.page.locator("#toast p").all_inner_texts())
        names = [
            screen.page.get_by_role(kind, name=name)
            for kind, name in (("button", "Rematch"), ("link", "Watch it again"))
        ]
        assert all(each.is_visible() for each in names)
        army = DUEL["blue" if screen is red else "red"].split()
        for word in army:
            space, _, rank = word.partition("=")
            assert screen.page.locator(f'[data-piece="end:{space}"]').count() == 1, f"{rank} stands open"
        assert screen.errors == []
    seat = sit_down(served.origin, served.links["table"])
    (game,) = json.loads(ask(served.origin, "/games.json", Cookie=seat).text)["games"]
    assert sorted(game["results"]) == [["", "blue", True], ["", "red", False]]


WATCH = """() => {
    window.moments = [];
    new MutationObserver((records) => {
        for (const { addedNodes } of records)
            for (const node of addedNodes)
                if (node.classList?.contains('moment')) {
                    const [piece] = document.querySelectorAll('[data-piece]');
                    const wide = [...node.children].map((one) => one.getBoundingClientRect().width);
                    const scale = new DOMMatrix(getComputedStyle(node).transform).a;
                    window.moments.push(wide.map((one) => one / scale / piece.getBoundingClientRect().width));
                }
    }).observe(document.querySelector('.view'), { childList: true });
}"""
"""Notes each moment that is shown: how much larger than on the board its pieces are."""


@pytest.mark.slow
def test_a_battle_is_shown_at_twice_the_size_and_goes_by_itself(playing: dict[str, Screen]) -> None:
    for screen in playing.values():
        screen.page.emulate_media(reduced_motion="no-preference")
        screen.page.evaluate(WATCH)
    play(playing, MOVES[:3])  # the third one is a battle
    for screen in playing.values():
        screen.until("() => window.moments.length > 0")
        (battle,) = screen.page.evaluate("window.moments")  # told once; no move before it was one
        assert battle == pytest.approx([2, 2], abs=0.1)
        screen.page.wait_for_selector(".moment", state="detached")
        assert screen.errors == []


@pytest.mark.slow
def test_whoever_wants_no_motion_sees_none(playing: dict[str, Screen]) -> None:
    red = playing["red"]
    red.page.evaluate(WATCH)
    play(playing, MOVES[:3])
    red.until_told("d4 attacks d5")
    assert red.page.evaluate("window.moments") == []


@pytest.mark.slow
def test_nothing_is_said_over_the_board_of_a_phone(playing: dict[str, Screen]) -> None:
    blue = playing["blue"]
    blue.page.evaluate(TOAST)
    toast, board = (blue.page.evaluate(EDGES, what) for what in ("#toast p", ".view svg"))
    assert toast["bottom"] <= board["top"]
